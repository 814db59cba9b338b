// A cached key has no commands that would meet its markers.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:visits:{user_id}:string, value = u64, ttl = 1h, jitter = 5m, null_ttl = 5m)]
struct Visits {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{user_id}:string, value = String, ttl = 1h, jitter = 5m, null_ttl = 5m)]
struct Name {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:age:{user_id}:string, value = u8, ttl = 1h)]
struct Age {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:posts:{user_id}:list, value = u64, ttl = 1h)]
struct Posts {
    user_id: u64,
}

fn main() {
    let _ = Visits { user_id: 42 }.incr();
    let _ = Name { user_id: 42 }.append("Ada");
    let _ = Name { user_id: 42 }.set_nx("Ada");
    let _ = Visits { user_id: 42 }.update(|_| Some(1));
    let _ = Age { user_id: 42 }.abandon(&redis_keys::cache::Token::random());
    // Other strings than cached keys have it as well.
    let _ = Posts { user_id: 42 }.get();
}
