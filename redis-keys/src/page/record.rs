//! Keys of type `hash` that hold a record.

use redis::Value;

use super::{
    row::rows,
    section::{Section, keys, more},
};
use crate::testing::mock::bulk;

use redis_keys::prelude::*;

/// What a user tells of itself.
#[derive(RedisHash)]
struct Profile {
    name: String,
    email: Option<String>,
    visits: u32,
    #[redis_hash(ttl = 10m)]
    code: Option<u32>,
}

/// What a user tells of itself.
#[derive(RedisKey)]
#[redis_key(user:profile:{user}:hash, value = Profile, ttl = 30d)]
struct UserProfile {
    user: u64,
}

/// Where a game stands.
#[derive(RedisHash)]
struct Game {
    level: u8,
    player: Option<String>,
}

/// Where a game stands.
#[derive(RedisKey)]
#[redis_key(game:state:{game}:hash, value = Game, ttl = 1d)]
struct GameState {
    game: u64,
}

pub(super) fn section() -> Section {
    let profile = UserProfile { user: 42 };
    let ada = Profile { name: "Ada".to_owned(), email: None, visits: 1, code: Some(1234) };
    let game = GameState { game: 1 };
    let begun = Game { level: 1, player: None };

    let sliding = Sliding { user: 42 };
    let touched = Touched { user: 42 };
    let fading = Fading { user: 42 };
    let eternal = Eternal { user: 42 };
    let number = |number| Ok(Value::Int(number));
    let fields = ["a", "", "b", ""].map(|text| bulk(text).unwrap()).to_vec();
    let found = Ok(Value::Array(vec![bulk("17").unwrap(), Value::Array(fields)]));
    Section {
        title: "hash that holds a record",
        about: "\
An object of which parts are read and written: the fields of the struct are those of the hash. What writes one field leaves alone
a record that is not there. An expiry of fields needs Redis 7.4 or Valkey 9.",
        file: include_str!("record.rs"),
        sources: &["types/record/mod.rs"],
        rows: rows! {
            profile.load();
            game.store(&begun);
            profile.store(&ada);
            profile.hget(Profile::EMAIL);
            profile.hset(Profile::EMAIL, "a@b.org");
            profile.hset(Profile::CODE, &4321);
            profile.hincr(Profile::VISITS, 1);
            profile.hdel(Profile::EMAIL);
            profile.hexists(Profile::EMAIL);
            profile.hexpire(Profile::CODE);
            profile.httl(Profile::CODE);
            profile.hpersist(Profile::CODE);
            profile.purge() => [number(102), number(1000), found, number(2), number(1)];
        },
        more: more! {
            sliding: sliding.store(&begun);
            sliding: sliding.hset(Game::LEVEL, &2);
            touched: touched.load();
            touched: touched.hget(Game::LEVEL);
            fading: fading.hget(Game::LEVEL) => [bulk("1"), number(1000), number(1)];
            eternal: eternal.store(&begun);
        },
    }
}

keys! {
    hash(value = Game) Sliding sliding (ttl = 1h, renew = write);
    hash(value = Game) Touched touched (ttl = 1h, renew = read);
    hash(value = Game) Fading fading (ttl = 1h, renew = below(10m));
    hash(value = Game) Eternal eternal (ttl = never, reason = "the books");
}
