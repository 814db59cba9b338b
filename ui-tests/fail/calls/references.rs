// Members and values are passed by reference: the compiler suggests a missing `&`.
use redis_keys::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Card {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(user:card:{user}:string, value = Json<Card>, ttl = 1h)]
struct UserCard {
    user: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{user}:string, value = String, ttl = 1h)]
struct Name {
    user: u64,
}

#[derive(RedisKey)]
#[redis_key(user:followers:{user}:set, value = u64, ttl = 30d)]
struct Followers {
    user: u64,
}

#[derive(RedisKey)]
#[redis_key(game:scores:{game}:zset, value = u64, ttl = 30d)]
struct Scores {
    game: u64,
}

#[derive(RedisKey)]
#[redis_key(user:votes:{user}:hash, field = u64, value = i32, ttl = 30d)]
struct Votes {
    user: u64,
}

fn values(name: String, card: Card) {
    // answer: .sadd(&7)
    let _ = Followers { user: 1 }.sadd(7);
    // answer: .hincr(&7, 1)
    let _ = Votes { user: 1 }.hincr(7, 1);
    // answer: .hset(&7, 1)
    let _ = Votes { user: 1 }.hset(7, 1);
    // answer: .set(&name)
    let _ = Name { user: 1 }.set(name);
    // answer: .set(&card)
    let _ = UserCard { user: 1 }.set(card);
    // answer: .zadd(&7, 1.0)
    let _ = Scores { game: 1 }.zadd(7, 1.0);
}

fn main() {}
