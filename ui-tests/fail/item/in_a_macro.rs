// In a `macro_rules!` macro the user's own token is underlined.
use redis_keys::prelude::*;

macro_rules! key {
    ($name:ident, $module:ident, $ttl:literal) => {
        #[derive(RedisKey)]
        #[redis_key($module:name:{id}:string, value = u64, ttl = $ttl)]
        struct $name {
            id: u64,
        }
    };
}

key!(First, userInfo, 1h);
key!(Second, user, 3600);

fn main() {}
