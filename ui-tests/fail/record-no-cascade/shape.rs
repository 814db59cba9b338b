// What is no record at all is still one to the rest.
use redis_keys::{RedisHash as _, prelude::*};

#[derive(RedisHash)]
struct Tuple(u64);

#[derive(RedisHash)]
enum Enum {
    One,
}

#[derive(RedisHash)]
struct Optional<T> {
    name: Option<T>,
}

fn count<R: redis_keys::RedisHash>() -> usize {
    R::FIELDS.len()
}

fn main() {
    println!("{} {}", count::<Tuple>(), count::<Enum>() + Optional::<u8>::FIELDS.len());
    println!("{:?}", Optional::<u8>::NAME);
}
