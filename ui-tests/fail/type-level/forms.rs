// What a value cannot hold is reported at its type, also inside of a form.
use redis_keys::prelude::*;

// What doesn't say how it is stored is told at the value's type.
struct Profile {
    name: String,
}

// A plain struct doesn't say how it is stored.
#[derive(RedisKey)]
#[redis_key(user:plain:{id}:string, value = Profile, ttl = 1h)]
struct PlainValue {
    id: u64,
}

// An absent value is no value.
#[derive(RedisKey)]
#[redis_key(user:count:{id}:string, value = Option<u64>, ttl = 1h)]
struct OptionValue {
    id: u64,
}

// What is stored as JSON is serde's to write and to read.
#[derive(RedisKey)]
#[redis_key(user:profile.a:{id}:string, value = Json<Profile>, ttl = 1h)]
struct JsonOfAPlainStruct {
    id: u64,
}

// What is stored as MessagePack is serde's to write and to read.
#[derive(RedisKey)]
#[redis_key(user:profile:{id}:string, value = MessagePack<Profile>, ttl = 1h)]
struct MessagePackOfAPlainStruct {
    id: u64,
}

// What is stored as Postcard is serde's to write and to read.
#[derive(RedisKey)]
#[redis_key(user:profile.b:{id}:string, value = Postcard<Profile>, ttl = 1h)]
struct PostcardOfAPlainStruct {
    id: u64,
}

// What is stored as Protobuf is prost's to write and to read.
#[derive(RedisKey)]
#[redis_key(user:profile.c:{id}:string, value = Protobuf<Profile>, ttl = 1h)]
struct ProtobufOfAPlainStruct {
    id: u64,
}

// What is compressed needs a form of its own.
#[derive(RedisKey)]
#[redis_key(user:profile.d:{id}:string, value = Zstd<Profile>, ttl = 1h)]
struct ZstdOfAPlainStruct {
    id: u64,
}

// The form inside has its own message.
#[derive(RedisKey)]
#[redis_key(user:profile.e:{id}:string, value = Gzip<Json<Profile>>, ttl = 1h)]
struct GzipOfJsonOfAPlainStruct {
    id: u64,
}

// Only text and bytes as they are can be appended to.
#[derive(RedisKey)]
#[redis_key(user:text:{id}:string, value = Lz4<String>, ttl = 1h)]
struct Text {
    id: u64,
}

fn forms() {
    let _ = Text { id: 42 }.append("more");
}

fn main() {}
