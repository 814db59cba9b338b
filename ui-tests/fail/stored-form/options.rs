// Codecs and compression are part of the value.
use redis_keys::prelude::*;

// A codec is part of the value.
struct Profile {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, codec = json, value = Profile)]
struct Codec {
    id: u64,
}

// Compression is part of the value.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, compress = gzip, value = Json<Profile>)]
struct Compress {
    id: u64,
}

// Compression is part of the value, as a switch too.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, compress = true, value = Profile)]
struct CompressSwitch {
    id: u64,
}

// A codec is part of the value, as a switch too.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, serde)]
struct Serde {
    id: u64,
}

fn main() {}
