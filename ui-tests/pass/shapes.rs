//! Structs of every shape.

use std::marker::PhantomData;

use redis_keys::prelude::*;

/// No fields, and no brackets.
#[derive(RedisKey)]
#[redis_key(shapes:count:all:string, value = u64, ttl = 1h)]
pub struct Unit;

/// No fields in braces.
#[derive(RedisKey)]
#[redis_key(shapes:count:empty:string, value = u64, ttl = 1h)]
pub struct Empty {}

/// No fields in brackets.
#[derive(RedisKey)]
#[redis_key(shapes:count:tuple:string, value = u64, ttl = 1h)]
pub struct EmptyTuple();

/// Fields with numbers, in another order than in the key.
#[derive(RedisKey)]
#[redis_key(shapes:name:{1}:v.{0}:string, value = u64, ttl = 1h)]
pub struct Tuple(pub u8, pub String);

/// Fields that are there for the type checker alone.
#[derive(RedisKey)]
#[redis_key(shapes:name:{id}:string, value = u64, ttl = 1h)]
pub struct Phantom<T> {
    /// A parameter.
    pub id: u64,
    /// No parameter.
    pub of: PhantomData<T>,
    /// No parameter, by its path.
    pub and_of: core::marker::PhantomData<fn(T) -> T>,
}

/// The same without names.
#[derive(RedisKey)]
#[redis_key(shapes:tuple:{1}:string, value = u64, ttl = 1h)]
pub struct PhantomTuple<T>(pub PhantomData<T>, pub u64);

/// Every type of parameter that needs no feature.
#[derive(RedisKey)]
#[redis_key(all:{a}:{b}:{c}:{d}:{e}:{f}:{g}:string, value = u64, ttl = 1h)]
pub struct Types<'t> {
    /// A short number.
    pub a: u8,
    /// A number with a sign.
    pub b: i16,
    /// Either of two.
    pub c: bool,
    /// Text behind a box.
    pub d: Box<str>,
    /// Text behind a counter.
    pub e: std::sync::Arc<str>,
    /// Text behind several references.
    pub f: &'t &'t str,
    /// A type by its path.
    pub g: std::primitive::u64,
}

/// Exactly 128 bytes at the longest.
#[derive(RedisKey)]
#[redis_key(shapes:its.name.is.as.long.as.it.can.be.n:{a}:{b}:string, value = u64, ttl = 1h)]
pub struct Longest {
    /// 39 bytes.
    pub a: u128,
    /// 39 bytes.
    pub b: u128,
}

#[test]
fn every_shape_works() {
    crate::assert_key(&Unit, "shapes:count:all:string");
    crate::assert_key(&Empty {}, "shapes:count:empty:string");
    crate::assert_key(&EmptyTuple(), "shapes:count:tuple:string");
    crate::assert_key(&Tuple(7, "ada".to_owned()), "shapes:name:ada:v.7:string");
    crate::assert_key(&Phantom::<f64> { id: 42, of: PhantomData, and_of: PhantomData }, "shapes:name:42:string");
    crate::assert_key(&PhantomTuple::<f64>(PhantomData, 42), "shapes:tuple:42:string");
    let types = Types { a: 1, b: 2, c: true, d: "d".into(), e: "e".into(), f: &"f", g: 7 };
    crate::assert_key(&types, "all:1:2:true:d:e:f:7:string");
    let longest = Longest { a: u128::MAX, b: u128::MAX };
    assert_eq!(longest.key().ok().map(|key| key.as_str().len()), Some(128));
}
