//! Keys of type `hash` that hold a record.

use crate::row::rows;
use crate::section::{Section, keys, more};
use crate::server::{bulk, int, page};

use redis_keys::prelude::*;

/// The profile of a user.
#[derive(RedisHash)]
struct Profile {
    name: String,
    email: Option<String>,
    visits: u32,
    #[redis_hash(ttl = 10m)]
    code: Option<u32>,
}

/// The profile of a user.
#[derive(RedisKey)]
#[redis_key(user:profile:{user}:hash, value = Profile, ttl = 30d)]
struct UserProfile {
    user: u64,
}

/// The state of a game.
#[derive(RedisHash)]
struct Game {
    level: u8,
    player: Option<String>,
}

/// The state of a game.
#[derive(RedisKey)]
#[redis_key(game:state:{game}:hash, value = Game, ttl = 1d)]
struct GameState {
    game: u64,
}

pub(crate) fn section() -> Section {
    let profile = UserProfile { user: 42 };
    let ada = Profile { name: "Ada".to_owned(), email: None, visits: 1, code: Some(1234) };
    let game = GameState { game: 1 };
    let begun = Game { level: 1, player: None };

    let sliding = Sliding { user: 42 };
    let touched = Touched { user: 42 };
    let fading = Fading { user: 42 };
    let eternal = Eternal { user: 42 };
    let found = page("17", &["a", "", "b", ""]);
    Section {
        title: "record",
        summary: "an object whose fields are read and written one by one",
        about: "\
An object whose fields are read and written separately: the struct's fields are the hash's fields. Writing one field does
nothing if there is no record. Expiring fields need Redis 7.4 or Valkey 9.",
        file: include_str!("record.rs"),
        schemas: vec![UserProfile::SCHEMA, GameState::SCHEMA, Sliding::SCHEMA, Touched::SCHEMA, Fading::SCHEMA, Eternal::SCHEMA],
        types: &["RecordKey"],
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
            profile.purge() => [int(102), int(1000), found, int(2), int(1)];
        },
        more: more! {
            sliding: sliding.store(&begun);
            sliding: sliding.hset(Game::LEVEL, &2);
            touched: touched.load();
            touched: touched.hget(Game::LEVEL);
            fading: fading.hget(Game::LEVEL) => [bulk("1"), int(1000), int(1)];
            eternal: eternal.store(&begun);
        },
    }
}

keys! {
    hash(value = Game) Sliding sliding (ttl = 1h, renew = write);
    hash(value = Game) Touched touched (ttl = 1h, renew = read);
    hash(value = Game) Fading fading (ttl = 1h, renew = below(10m));
    hash(value = Game) Eternal eternal (ttl = never, reason = "billing records", rebuild = "from the books");
}
