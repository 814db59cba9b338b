//! Large values that are stored uncompressed. Bytes may be compressed already.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:report:{id}:string, value = Json<Vec<String>>, ttl = 1d, max_bytes = 64KB)]
struct Report {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:letter:{id}:string, value = "String", ttl = 1d, max_bytes = 20KB)]
struct Letter {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:photo:{id}:string, value = Vec<u8>, ttl = 1d, max_bytes = 1MB)]
struct Photo {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:note:{id}:string, value = Json<String>, ttl = 1d, max_bytes = 10KB)]
struct Note {
    id: u64,
}

fn main() {
    let _ = (Report { id: 1 }.get(), Letter { id: 1 }.get(), Photo { id: 1 }.get(), Note { id: 1 }.get());
}
