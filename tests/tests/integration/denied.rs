//! Writes of users who may not run some of their commands.

use std::time::Duration;

use redis_keys::lock::Token;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::types::geo::GeoPoint;
use redis_keys::types::list::ListEnd;
use redis_keys::types::stream::GroupStart;
use redis_keys::{Error, ErrorKind, SendStatus};
use redis_keys_tests::Con;

macro_rules! keys {
    ($($name:ident $word:ident $kind:ident ($($option:tt)*);)*) => {$(
        #[derive(RedisKey)]
        #[redis_key(denied:$word:$kind, ttl = 1h, $($option)*)]
        struct $name;
    )*};
}

keys! {
    Items items list (value = String, max_len = 100);
    Last last list (value = String, keep_last = 2);
    Moved moved list (value = String, renew = write);
    Members members set (value = String, max_len = 100);
    Ranks ranks zset (value = String, renew = write);
    Top top zset (value = String, keep_top = 2);
    Jobs jobs zset (value = String, jobs(lease = 1m, tries = 3));
    Places places geo (value = String, max_len = 100);
    Log log stream (value = Note, max_len = 100);
    LastLog last stream (value = Note, keep_last = 2);
    Group group stream (value = Note, renew = write);
    Turn turn string (lock, allow(unusual_ttl, reason = "all keys of the table have it"));
}

#[derive(RedisKey)]
#[redis_key(denied:limit:string, limit(100 / 1m))]
struct Limit;

#[derive(RedisHash)]
struct Note {
    text: String,
}

const MIDDLE: GeoPoint = GeoPoint { longitude: 0.0, latitude: 0.0 };

/// Runs every write, and returns the key that it can create and its result.
fn write_all(con: &mut Con) -> Vec<(&'static str, Result<(), Error>)> {
    let (left, right) = (ListEnd::Left, ListEnd::Right);
    let note = Note { text: "a".to_owned() };
    let token = Token::random();
    let mut results = vec![
        ("denied:items:list", con.run(Items.rpush_many(["a", "b"])).map(drop)),
        ("denied:last:list", con.run(Last.lpush_many(["a", "b", "c"])).map(drop)),
        ("denied:moved:list", con.run(Items.lmove(&Moved, left, right)).map(drop)),
        ("denied:items:list", con.run(Items.lset(0, "c")).map(drop)),
        ("denied:members:set", con.run(Members.sadd_many(["a", "b"])).map(drop)),
        ("denied:ranks:zset", con.run(Ranks.zadd("a", 1.0)).map(drop)),
        ("denied:ranks:zset", con.run(Ranks.zincr("b", 1.0)).map(drop)),
        ("denied:top:zset", con.run(Top.zadd_many([("a", 1.0), ("b", 2.0), ("c", 3.0)])).map(drop)),
        ("denied:places:geo", con.run(Places.geoadd("a", MIDDLE)).map(drop)),
        ("denied:log:stream", con.run(Log.xadd(&note)).map(drop)),
        ("denied:last:stream", con.run(LastLog.xadd(&note)).map(drop)),
        ("denied:limit:string", con.run(Limit.take(1)).map(drop)),
        ("denied:group:stream", con.run(Group.group("readers").create(GroupStart::Start)).map(drop)),
        ("denied:turn:string", con.run(Turn.acquire(&token)).map(drop)),
        ("denied:turn:string", con.run(Turn.renew(&token)).map(drop)),
        ("denied:turn:string", con.run(Turn.release(&Token::random())).map(drop)),
        ("denied:turn:string", con.run(Turn.release(&token)).map(drop)),
    ];
    results.extend(write_jobs(con).into_iter().map(|result| ("denied:jobs:zset", result)));
    results
}

/// Pushes jobs, takes them, and does with them all that can be done.
fn write_jobs(con: &mut Con) -> Vec<Result<(), Error>> {
    let mut results = vec![con.run(Jobs.push("a")).map(drop), con.run(Jobs.push_many(["b", "c"])).map(drop)];
    match con.run(Jobs.take(3)) {
        Err(error) => results.push(Err(error)),
        Ok(taken) => {
            for job in taken.jobs {
                results.push(con.run(Jobs.extend(&job)).map(drop));
                results.push(con.run(Jobs.retry(&job, Duration::ZERO)).map(drop));
                results.push(con.run(Jobs.bury(&job)).map(drop));
                results.push(con.run(Jobs.ack(&job)).map(drop));
            }
        }
    }
    match con.run(Jobs.dead(..1)) {
        Err(error) => results.push(Err(error)),
        Ok(dead) => results.extend(dead.iter().map(|job| con.run(Jobs.revive(job)).map(drop))),
    }
    results
}

/// The commands that the scripts call.
const COMMANDS: [&str; 27] = [
    "PTTL",
    "PEXPIRE",
    "UNLINK",
    "LPUSH",
    "RPUSH",
    "LLEN",
    "LTRIM",
    "LMOVE",
    "LSET",
    "SADD",
    "SCARD",
    "SISMEMBER",
    "ZADD",
    "ZCARD",
    "ZSCORE",
    "ZREMRANGEBYRANK",
    "GEOADD",
    "XADD",
    "XLEN",
    "XGROUP",
    "GET",
    "GETRANGE",
    "SET",
    "TIME",
    "ZRANGEBYSCORE",
    "ZMSCORE",
    "ZREM",
];

#[test]
fn a_write_without_permission_leaves_no_collection_without_an_expiry() {
    let server = Server::start().expect("a server starts");
    let mut admin = Con::blocking(&server.url());
    let single = COMMANDS.map(|command| vec![command]);
    for denied in single.into_iter().chain([vec!["PEXPIRE", "UNLINK"], vec!["PEXPIRE", "DEL"]]) {
        let mut rules = vec!["ACL", "SETUSER", "ada", "reset", "on", ">pw", "~*", "+@all"];
        let without: Vec<String> = denied.iter().map(|command| format!("-{}", command.to_lowercase())).collect();
        rules.extend(without.iter().map(String::as_str));
        let _: String = admin.raw(&rules);
        let mut user = Con::multiplexed(&format!("redis://ada:pw@127.0.0.1:{}/", server.port()));
        let _: String = admin.raw(&["FLUSHALL"]);
        println!("without {denied:?}, on missing keys");
        for (key, result) in write_all(&mut user) {
            assert_expires(&mut admin, key, result);
        }
        println!("without {denied:?}, on existing keys");
        for (key, result) in write_all(&mut admin).into_iter().chain(write_all(&mut user)) {
            assert_expires(&mut admin, key, result);
        }
    }
}

#[track_caller]
fn assert_expires(admin: &mut Con, key: &str, result: Result<(), Error>) {
    assert_ne!(admin.pttl(key), -1, "{key}");
    let Err(error) = result else { return };
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Server, SendStatus::Yes), "{error}");
    assert!(error.to_string().contains("NOPERM: the user lacks a permission"), "{error}");
}

#[test]
fn a_move_without_permission_to_set_the_expiry_moves_nothing() {
    let server = Server::start().expect("a server starts");
    let mut admin = Con::blocking(&server.url());
    let _: String = admin.raw(&["ACL", "SETUSER", "ada", "reset", "on", ">pw", "~*", "+@all", "-pexpire"]);
    let mut user = Con::blocking(&format!("redis://ada:pw@127.0.0.1:{}/", server.port()));
    admin.ok(Items.rpush_many(["a", "b"]));
    let result = user.run(Items.lmove(&Moved, ListEnd::Left, ListEnd::Right)).map(drop);
    assert!(result.is_err());
    assert_expires(&mut admin, "denied:moved:list", result);
    assert_eq!(admin.ok(Items.lrange(0..9)), ["a", "b"]);
    assert!(!admin.ok(Moved.exists()));
}

#[test]
fn a_job_keeps_its_state_without_permission_to_change_it() {
    let server = Server::start().expect("a server starts");
    let mut admin = Con::blocking(&server.url());
    admin.ok(Jobs.push_many(["a", "b"]));
    let job = admin.ok(Jobs.take(1)).jobs.remove(0);
    let stored = |con: &mut Con| con.raw::<Vec<String>>(&["ZRANGE", "denied:jobs:zset", "0", "9", "WITHSCORES"]);
    let before = stored(&mut admin);
    let deny = |admin: &mut Con, command: &str| {
        let _: String = admin.raw(&["ACL", "SETUSER", "ada", "reset", "on", ">pw", "~*", "+@all", command]);
        Con::blocking(&format!("redis://ada:pw@127.0.0.1:{}/", server.port()))
    };
    for command in ["-time", "-zrangebyscore", "-pexpire", "-zadd"] {
        assert!(deny(&mut admin, command).run(Jobs.take(2)).is_err(), "{command}");
    }
    for command in ["-zscore", "-time", "-pexpire", "-zadd"] {
        assert!(deny(&mut admin, command).run(Jobs.extend(&job)).is_err(), "{command}");
        assert!(deny(&mut admin, command).run(Jobs.retry(&job, Duration::ZERO)).is_err(), "{command}");
        assert!(deny(&mut admin, command).run(Jobs.bury(&job)).is_err(), "{command}");
    }
    for command in ["-zmscore", "-zrem"] {
        assert!(deny(&mut admin, command).run(Jobs.ack(&job)).is_err(), "{command}");
    }
    for command in ["-time", "-zcard", "-zadd"] {
        assert!(deny(&mut admin, command).run(Jobs.push("c")).is_err(), "{command}");
    }
    assert_eq!(stored(&mut admin), before);
    admin.ok(Jobs.bury(&job));
    let dead = admin.ok(Jobs.dead(..1)).remove(0);
    let before = stored(&mut admin);
    for command in ["-zscore", "-time", "-pexpire", "-zadd", "-zrem"] {
        assert!(deny(&mut admin, command).run(Jobs.revive(&dead)).is_err(), "{command}");
    }
    assert_eq!(stored(&mut admin), before);
}
