// Only numbers can be counted, each by its own kind, and only text can be appended to.
use redis_keys::prelude::*;

// Only numbers can be counted, each by its own kind.
#[derive(serde::Serialize, serde::Deserialize)]
struct Profile {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(user:bytes:all:string, value = Vec<u8>, ttl = 1h)]
struct Bytes;

#[derive(RedisKey)]
#[redis_key(user:object:all:string, value = Json<Profile>, ttl = 1h)]
struct Object;

#[derive(RedisKey)]
#[redis_key(user:score:all:string, value = f64, ttl = 1h)]
struct Score;

fn counting() {
    let _ = Bytes.incr();
    let _ = Object.incr_by(5);
    let _ = Score.decr();
}

// A whole number is counted by whole numbers.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct CountedNumber {
    id: u64,
}

fn count_a_whole_number_by_a_float() {
    let _ = CountedNumber { id: 42 }.incr_by_float(0.5);
}

// A number has no end to append to.
#[derive(RedisKey)]
#[redis_key(user:age:{id}:string, value = u64, ttl = 1h)]
struct AppendedNumber {
    id: u64,
}

fn append_to_a_number() {
    let _ = AppendedNumber { id: 42 }.append(&5);
}

// What writes a new key has no expiry to keep.
#[derive(RedisKey)]
#[redis_key(user:new:{id}:string, value = u64, ttl = 1h)]
struct New {
    id: u64,
}

fn renew_set_nx() {
    let _ = New { id: 42 }.set_nx(&5).keep_ttl();
}

fn main() {}
