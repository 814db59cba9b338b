//! Underlined parts of invalid declarations.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:basicInfo:{user_idd}:strng, value = u64, ttl = 3600, jiter = 5m)]
//               ^^^^^^^^^
// diagnostic: `basicInfo` is not lower case
// hover without: extern crate core
//                          ^^^^^^^^
// diagnostic: no field `user_idd`
// hover without: extern crate core
//                                    ^^^^^
// diagnostic: unknown key type `strng`
// hover without: extern crate core
//                                                              ^^^^
// diagnostic: duration without a unit
//                                                                    ^^^^^
// diagnostic: unknown option `jiter`
// hover without: extern crate core
struct Invalid {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(type:self:{crate}:struct, type = 5, self = u64)]
//          ^^^^
// diagnostic: missing `ttl`
//                     ^^^^^
// diagnostic: no field `crate`
//                            ^^^^^^
// diagnostic: missing type suffix
//                                    ^^^^
// diagnostic: unknown option `type`
//                                              ^^^^
// diagnostic: unknown option `self`
struct Keywords {
    r#type: u64,
}

#[derive(RedisKey)]
#[redis_key(user:value:{user_id}:string, value = 5 + 7, ttl = 1h)]
//                                               ^
// diagnostic: expected a type, found `5+7`
struct NoType {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:twice:{id}:{id}:string, value = u8, ttl = 1h, ttl = 2h, no = 5, none = 6)]
//                          ^
// diagnostic: duplicate placeholder `id`
//                                                             ^^^
// diagnostic: duplicate option `ttl`
//                                                                       ^^
// diagnostic: unknown option `no`
//                                                                               ^^^^
// diagnostic: unknown option `none`
struct Twice {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:pair:{0}:{1}:{2}:string, value = u8, ttl = 1h)]
//                             ^
// diagnostic: no field `2`
struct Pair(u64, u64);

#[derive(RedisKey)]
#[redis_key(user:valid:{id}:string, value = u8, ttl = 1h,)]
#[deprecated]
pub struct Valid {
    #[redis_key(base32,)]
    pub id: String,
}

#[derive(RedisKey)]
#[redis_key()]
//^^^^^^^^^
// diagnostic: missing template
struct Nothing;

fn main() {}
