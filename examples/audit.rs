//! A server as it looks after some years: keys that the program declares, and keys that scripts, old versions and
//! people have left. `cargo redis-keys audit` finds what is wrong with it.
//!
//! ```sh
//! cargo run --example audit
//! ```
//!
//! It starts a private server, prints the commands to try, and stops the server when Enter is pressed.

use std::error::Error;
use std::io;

use redis_keys::batch;
use redis_keys::prelude::*;
use redis_keys::redis::{self, Client, Connection, pipe};
use redis_keys::testing::Server;

/// The profile card of a user.
#[derive(RedisKey)]
#[redis_key(user:example.card:{user_id}:string, value = String, ttl = 1h, jitter = 5m, owner = "accounts")]
struct Card {
    user_id: u64,
}

/// The settings of a user.
#[derive(RedisKey)]
#[redis_key(user:example.settings:{user_id}:hash, field = String, value = String, ttl = 30d, jitter = 1d)]
struct Settings {
    user_id: u64,
}

/// The followers of a user.
#[derive(RedisKey)]
#[redis_key(user:example.followers:{user_id}:set, value = u64, ttl = 1d, jitter = 1h)]
struct Followers {
    user_id: u64,
}

/// The best players.
#[derive(RedisKey)]
#[redis_key(game:example.best:{region}:zset, value = u64, ttl = 7d, keep_top = 100)]
struct Best<'a> {
    region: &'a str,
}

/// The views of a page.
#[derive(RedisKey)]
#[redis_key(page:example.views:{page}:string, value = u64, ttl = 1d)]
struct Views {
    page: u32,
}

fn main() -> Result<(), Box<dyn Error>> {
    let server = Server::start()?;
    let mut con = Client::open(server.url())?.get_connection()?;
    write_declared(&mut con)?;
    write_others(&mut con)?;
    let keys: u64 = redis::cmd("DBSIZE").query(&mut con)?;
    let options = "--package redis-keys-examples --examples";
    println!("A server with {keys} keys runs until you press Enter. In another terminal, run:\n");
    println!("    cargo redis-keys audit {} {options}", server.url());
    println!("    cargo redis-keys audit {} {options} --html audit.html", server.url());
    println!("    cargo redis-keys lookup user:example.card:42:string user:example.card:Ada:string {options}");
    io::stdin().read_line(&mut String::new())?;
    Ok(())
}

/// Writes the keys of the program: every write carries its expiry.
pub(crate) fn write_declared(con: &mut Connection) -> Result<(), Box<dyn Error>> {
    for user_id in 0..5_000 {
        let (card, settings, followers) = (Card { user_id }, Settings { user_id }, Followers { user_id });
        let text = format!("the card of user {user_id}");
        let others: Vec<u64> = (0..user_id % 40).collect();
        batch((
            card.set(&text),
            settings.hset("language", "en"),
            settings.hset("theme", "dark"),
            followers.sadd_many(&others),
        ))
        .query(con)?;
    }
    for page in 0..2_000 {
        Views { page }.incr().query(con)?;
    }
    for region in ["eu", "us", "asia"] {
        Best { region }.zadd_many((0..300).map(|player: u32| (u64::from(player), f64::from(player)))).query(con)?;
    }
    Ok(())
}

/// Writes keys as another program does by hand.
pub(crate) fn write_others(con: &mut Connection) -> redis::RedisResult<()> {
    let mut pipe = pipe();
    // A migration that forgot the expiry.
    for user_id in 9_000..9_200 {
        pipe.set(format!("user:example.card:{user_id}:string"), "imported").ignore();
    }
    // A script that took the wrong type, and one that was never finished.
    pipe.rpush("user:example.followers:9001:set", &[1, 2, 3]).ignore();
    for index in 0..3_000 {
        pipe.set_ex(format!("tmp_import:{index}:ROW"), "x".repeat(50), 86_400).ignore();
    }
    for index in 0..700 {
        pipe.hset(format!("sessions:2023:{index}"), "user", index).ignore();
    }
    // A value beyond the limit, a collection that is never trimmed, and an expiry of a year.
    pipe.set_ex("user:example.card:9300:string", "x".repeat(200_000), 3_600).ignore();
    for start in (0..20_000).step_by(500) {
        let members: Vec<u32> = (start..start + 500).collect();
        pipe.sadd("user:example.followers:9002:set", members).ignore();
    }
    pipe.expire("user:example.followers:9002:set", 86_400).ignore();
    pipe.set_ex("page:example.views:9000:string", 1, 365 * 86_400).ignore();
    // A key of a careless client that could break a terminal or a report.
    pipe.set_ex("user:<script>alert(1)</script>\u{1b}[2J", 1, 86_400).ignore();
    pipe.query(con)
}
