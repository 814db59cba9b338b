// Cached keys with one mistake each, and uses of them, which are right.
use redis_keys::cache::Token;
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = String, ttl = 1h, jitter = 10%, null_ttl = 300)]
struct Name {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:town:{id}:string, value = String, ttl = 1h, jitter = 10%, negative_ttl = 5m)]
struct Town {
    id: u64,
}

fn main() {
    let _ = Name { id: 42 }.get();
    let _ = Name { id: 42 }.claim(&Token::random());
    let _ = Town { id: 42 }.fill(&Token::random(), Some("Paris"));
}
