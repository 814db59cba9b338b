//! Underlines in a key that can be too long for one of the types that it is used with. Only a build knows these.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{a}:{b}:{c}:string, value = u64, ttl = 1h)]
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// key-length: shorten it: the literal text has 19 bytes, `a` up to 39, `b` up to 39, `c` up to 39
struct Case<T> {
    a: T,
    b: T,
    c: T,
}

fn main() {
    let fits = Case { a: 1_u64, b: 2, c: 3 };
    let does_not_fit = Case { a: 1_u128, b: 2, c: 3 };
    println!("{:?} {:?}", fits.key(), does_not_fit.key());
}
