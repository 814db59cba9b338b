// A value inside a form is owned too.
use redis_keys::prelude::*;

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

fn main() {
    let _ = Card { user_id: 42 }.get();
    let _ = Names { user_id: 42 }.get();
}
