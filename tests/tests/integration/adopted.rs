//! A game's service before and after it was moved to declarations that `cargo redis-keys adopt` has drafted.
//!
//! The draft is what the command writes, and a test of the command keeps it so.

use std::collections::BTreeMap;

use redis::{Connection, Value};
use redis_keys::prelude::*;
use redis_keys::testing::Server;

#[rustfmt::skip]
#[allow(dead_code, unreachable_pub, reason = "it is written by the command, for all that is on the server")]
mod keys;
#[allow(dead_code, unreachable_pub, reason = "it stands for the code of a project")]
mod service;

const REPLIES: &str = "the server replies";

/// What the service reads.
#[derive(Debug, Default, PartialEq)]
struct ServiceView {
    members: Vec<String>,
    best: Vec<String>,
    locked: [bool; 2],
    attempts: [u64; 2],
}

fn before(con: &mut Connection) -> redis::RedisResult<ServiceView> {
    let guild = service::Guild { name: "night" };
    guild.join(con, "ada")?;
    guild.set_motd(con, "so: {what}?")?;
    service::score(con, "eu", "2026-W48", "ada", 2.5)?;
    service::score(con, "eu", "2026-W48", "bob", 7.0)?;
    service::save_player(con, "k3x", "ada", "7")?;
    let locked = [service::lock_match(con, "m1", "web-1")?, service::lock_match(con, "m1", "web-2")?];
    service::add_move(con, "m1", "e4")?;
    service::add_move(con, "m1", "e5")?;
    service::is_online(con, "eu", "ada")?;
    let attempts = [service::count_attempt(con, "t1")?, service::count_attempt(con, "t1")?];
    service::set_rate(con, "EUR", "USD", "1.09")?;
    service::set_checked(con, "ada@mail.example", "checked")?;
    service::save_basket(con, "b1", "{}")?;
    Ok(ServiceView { members: guild.members(con)?, best: service::best(con, "eu", "2026-W48")?, locked, attempts })
}

fn after(con: &mut Connection) -> Result<ServiceView, redis_keys::Error> {
    use keys::{basket, fx, guild, kyc, lb, r#match, otp, player, presence};

    let bytes = |text: &str| text.as_bytes().to_vec();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the text that was written");
    let members = guild::Members { name: "night" };
    members.sadd(&bytes("ada")).query(con)?;
    guild::Motd { name: "night" }.set(&bytes("so: {what}?")).query(con)?;
    let scores = lb::Weekly { region: "eu", week: "2026-W48" };
    scores.zadd(&bytes("ada"), 2.5).query(con)?;
    scores.zadd(&bytes("bob"), 7.0).query(con)?;
    let player = player::Player { player_id: "k3x" };
    player.hset("name", &bytes("ada")).query(con)?;
    player.hset("level", &bytes("7")).query(con)?;
    let lock = r#match::Lock { match_id: "m1" };
    let locked = [lock.set_nx(&bytes("web-1")).query(con)?, lock.set_nx(&bytes("web-2")).query(con)?];
    let moves = r#match::Moves { match_id: "m1" };
    moves.rpush(&bytes("e4")).query(con)?;
    moves.rpush(&bytes("e5")).query(con)?;
    presence::Presence { region: "eu", player: "ada" }.set(&bytes("1")).query(con)?;
    let attempts = otp::Attempts { transaction: "t1" };
    let attempts = [attempts.incr().query(con)?, attempts.incr().query(con)?].map(i64::unsigned_abs);
    fx::Fx { from: "EUR", to: "USD" }.hset("rate", &bytes("1.09")).query(con)?;
    kyc::Status { email: "ada@mail.example" }.set(&bytes("checked")).query(con)?;
    basket::Basket { basket_id: "b1" }.set(&bytes("{}")).query(con)?;
    // A set of one member, since the order of more is random.
    let members = members.sscan().query(con)?.into_iter().map(text).collect();
    let best = scores.zrevrange(0..10).query(con)?.into_iter().map(text).collect();
    Ok(ServiceView { members, best, locked, attempts })
}

/// All keys with their values, and with their expiries in minutes.
fn all(con: &mut Connection) -> BTreeMap<String, (Value, i64)> {
    let keys: Vec<String> = redis::cmd("KEYS").arg("*").query(con).expect(REPLIES);
    let found = keys.into_iter().map(|key| {
        let value = redis::cmd("DUMP").arg(&key).query(con).expect(REPLIES);
        let expiry: i64 = redis::cmd("PTTL").arg(&key).query(con).expect(REPLIES);
        (key, (value, if expiry < 0 { expiry } else { (expiry + 59_999) / 60_000 }))
    });
    found.collect()
}

#[test]
fn a_service_reads_and_writes_the_same_through_a_draft() {
    let servers = [(); 2].map(|()| Server::start().expect("a server starts"));
    let [mut old, mut new] = servers
        .each_ref()
        .map(|server| redis::Client::open(server.url()).and_then(|client| client.get_connection()).expect(REPLIES));
    let seen = before(&mut old).expect(REPLIES);
    assert_eq!(after(&mut new).expect(REPLIES), seen);
    let written = all(&mut old);
    assert_eq!(all(&mut new), written);
    assert_eq!(written.len(), 11);
    // Each reads what the other has written.
    assert_eq!(after(&mut old).expect(REPLIES), before(&mut new).expect(REPLIES));
    assert_eq!(all(&mut new), all(&mut old));
}
