// A struct that is a parameter has one field.
use redis_keys::KeySegment;
use std::marker::PhantomData;

#[derive(KeySegment)]
struct Unit;

#[derive(KeySegment)]
struct Phantom<T>(PhantomData<T>);

#[derive(KeySegment)]
struct Pair {
    shop: u32,
    item: u64,
}

#[derive(KeySegment)]
struct Three(u32, u64, String);

#[derive(KeySegment)]
struct Float(f64);

#[derive(KeySegment)]
struct Maybe {
    id: Option<u64>,
}

#[derive(KeySegment)]
struct Raw(Vec<u8>);

fn main() {}
