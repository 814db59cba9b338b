// All errors of a declaration are reported, in the order of the text.
use redis_keys::prelude::*;

struct Profile {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(User:basicInfo:{user_idd}:strng, value = json<Profile>, expire = 3600, jiter = 5m)]
struct Case {
    user_id: u64,
}

fn main() {}
