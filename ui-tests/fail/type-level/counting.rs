// Only numbers can be counted, each by its own kind.
use redis_keys::prelude::*;

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

fn main() {
    let _ = Bytes.incr();
    let _ = Object.incr_by(5);
    let _ = Score.decr();
}
