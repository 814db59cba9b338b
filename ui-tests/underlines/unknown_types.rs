//! Underlines of a type that does not exist: the user's own tokens, in the field and in the value.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:profile:{id}:string, value = Json<Profil>, ttl = 1h)]
//                                                 ^^^^^^
// Profil
struct Value {
    id: Idd,
//      ^^^
// Idd
}

fn main() {}
