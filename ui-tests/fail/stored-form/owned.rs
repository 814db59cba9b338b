// A value is owned, has a size, and is not optional.
use redis_keys::prelude::*;

// A value inside a form is owned too.
#[derive(serde::Serialize, serde::Deserialize)]
struct Profile {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(user:card:{user_id}:string, value = Json<&Profile>, ttl = 1h)]
struct Card {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:names:{user_id}:string, value = Zstd<Json<Vec<&str>>>, ttl = 1h)]
struct Names {
    user_id: u64,
}

fn borrowed_inside() {
    let _ = Card { user_id: 42 }.get();
    let _ = Names { user_id: 42 }.get();
}

// A slice has no size.
#[derive(RedisKey)]
#[redis_key(user:picture:{id}:string, value = [u8], ttl = 1h)]
struct UnsizedValues {
    id: u64,
}

// Types that cannot be stored, one error each.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = str, ttl = 1h)]
struct Text {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = &'static str, ttl = 1h)]
struct BorrowedText {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = Option<String>, ttl = 1h)]
struct Optional {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = Json(Card), ttl = 1h)]
struct Parentheses {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = Json<u8, ttl = 1h)]
struct UnclosedType {
    id: u64,
}

fn main() {}
