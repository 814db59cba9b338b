// Stored forms that this version lacks.
use redis_keys::prelude::*;

struct Profile {
    name: String,
}

// A stored form that this version lacks.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = MessagePack<Profile>)]
struct Messagepack {
    id: u64,
}

// A stored form that this version lacks.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = Postcard<Profile>)]
struct Postcard {
    id: u64,
}

// A stored form that this version lacks.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = Protobuf<Profile>)]
struct Protobuf {
    id: u64,
}

// A stored form that this version lacks.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = Zstd<Json<Profile>>)]
struct Zstd {
    id: u64,
}

// A stored form that this version lacks.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = Gzip<Json<Profile>>)]
struct Gzip {
    id: u64,
}

// A stored form that this version lacks.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = Snappy<Json<Profile>>)]
struct Snappy {
    id: u64,
}

// A stored form that this version lacks.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = Lz4<Json<Profile>>)]
struct Lz4 {
    id: u64,
}

fn main() {}
