//! A key belongs to a module that the policy lists.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = String, ttl = 1h)]
struct ListedModule {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user.admin:name:{id}:string, value = String, ttl = 1h)]
struct OfTwoWords {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(usr:name:{id}:string, value = String, ttl = 1h)]
struct Misspelt {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key("shpo:name:{id}:string", value = String, ttl = 1h)]
struct QuotedModule {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(page.start:views:{id}:string, value = u64, ttl = 1h)]
struct UnknownModule {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(User:name:{id}:string, value = String, ttl = 1h)]
struct ToldOnce {
    id: u64,
}

fn main() {
    let _ = (ListedModule { id: 1 }.get(), OfTwoWords { id: 1 }.get(), Misspelt { id: 1 }.get());
    let _ = (QuotedModule { id: 1 }.get(), UnknownModule { id: 1 }.get(), ToldOnce { id: 1 }.get());
}
