//! Underlines where only the compiler knows the types.
use redis_keys::prelude::*;

struct Profile;

struct UserId(u64);

#[derive(RedisKey)]
#[redis_key(shop:price:{amount}:{currency}:{page}:string, value = u64, ttl = 1h)]
struct Fields {
    amount: f64,
//          ^^^
// parameters: scale it to an integer, as in `amount: u64`
    currency: Option<String>,
//            ^^^^^^^^^^^^^^
// parameters: write `currency: String`, and declare another key for `None`
    page: u32,
}

#[derive(RedisKey)]
#[redis_key(user:avatar:{0}:{1}:string, value = u64, ttl = 1h)]
struct Tuple(Vec<u8>, UserId);
//           ^^^^^^^  ^^^^^^
// parameters: bytes are not text
// KeySegment: enums and newtypes with `#[derive(KeySegment)]`

#[derive(RedisKey)]
#[redis_key(user:profile:{id}:string, value = Profile, ttl = 1h)]
//                                            ^^^^^^^
// Stored: write `Json<Profile>`
struct PlainValue {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(shop:profile:{id}:string, value = "Profile", ttl = 1h)]
//                                            ^^^^^^^^^
// Stored: write `Json<Profile>`
struct QuotedValue {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(page:profile:{id}:string, value = Json<Profile>, ttl = 1h)]
//                                            ^^^^^^^^^^^^^
// JsonValue: add `#[derive(serde::Serialize, serde::Deserialize)]` to `Profile`
struct JsonValue {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = Vec<u8>, ttl = 1h)]
struct Bytes {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:count:{id}:string, value = u64, ttl = 1h)]
struct Count {
    id: u64,
}

fn main() {
    let (bytes, count) = (Bytes { id: 42 }, Count { id: 42 });
    let _ = bytes.incr();
//                ^^^^
// Integer: declare `value = u64` or another integer of up to 64 bits
    let _ = count.incr_by_float(0.5);
//                ^^^^^^^^^^^^^
// Float: declare `value = f64`, or count integers with `incr_by`
    let _ = count.append(&5);
//                ^^^^^^
// Appendable: declare `value = String` or `value = Vec<u8>`
}
