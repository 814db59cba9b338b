//! `purge`.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys_tests::{Con, everywhere, on_every_connection};

macro_rules! keys {
    ($($name:ident $module:ident $kind:ident ($($option:tt)*);)*) => {$(
        #[derive(RedisKey)]
        #[redis_key($module:of.it:$kind, $($option)*)]
        struct $name;
    )*};
}

keys! {
    Text much string (value = String, ttl = 1h);
    Bits much bitmap (ttl = 1h);
    Unique much hyperloglog (value = String, ttl = 1h);
    Items much list (value = String, ttl = 1h);
    Members much set (value = String, ttl = 1h);
    Ranks much zset (value = String, ttl = 1h);
    Places much geo (value = String, ttl = 1h);
    Fields much hash (field = String, value = String, ttl = 1h);
    Entries much stream (value = Entry, ttl = 1h);
    Kept never list (value = String, ttl = never, reason = "tests keys without expiry", rebuild = "by the test");
}

#[derive(RedisHash)]
struct Entry {
    #[allow(dead_code, reason = "the entries are written with raw commands")]
    name: String,
}

/// Adds elements to the collection of a type with raw commands.
fn fill(con: &mut Con, kind: &str, count: usize) {
    let key = format!("much:of.it:{kind}");
    let numbers: Vec<String> = (0..count).map(|number| number.to_string()).collect();
    for chunk in numbers.chunks(100) {
        let mut words: Vec<&str> = Vec::new();
        match kind {
            "list" => words.extend(["RPUSH", &key]),
            "set" => words.extend(["SADD", &key]),
            "zset" => words.extend(["ZADD", &key]),
            "geo" => words.extend(["GEOADD", &key]),
            _ => words.extend(["HSET", &key]),
        }
        for number in chunk {
            match kind {
                "zset" | "hash" => words.extend([number.as_str(), number]),
                "geo" => words.extend(["1", "2", number]),
                _ => words.push(number),
            }
        }
        let _: u64 = con.raw(&words);
    }
}

fn fill_stream(con: &mut Con, count: usize) {
    for _ in 0..count {
        let _: String = con.raw(&["XADD", "much:of.it:stream", "*", "name", "Ada"]);
    }
}

/// Purges a key and returns the number of steps. Asserts that the key is gone.
#[track_caller]
fn steps(con: &mut Con, key: &impl RedisKey) -> u64 {
    let purged = con.purge(key).unwrap_or_else(|error| panic!("{error}"));
    assert!(!con.ok(key.exists()));
    assert_eq!(purged.existed(), purged.steps > 0);
    purged.steps
}

#[test]
fn collections_are_purged_in_steps() {
    everywhere(|con| {
        for (count, expected) in [(0, 0), (1, 1), (100, 1), (101, 2), (1050, 11)] {
            for kind in ["list", "set", "zset", "geo", "hash"] {
                fill(con, kind, count);
            }
            assert_eq!(steps(con, &Items), expected);
            assert_eq!(steps(con, &Members), expected);
            assert_eq!(steps(con, &Ranks), expected);
            assert_eq!(steps(con, &Places), expected);
            let by_scan = steps(con, &Fields);
            assert!(by_scan >= expected && by_scan <= 2 * expected, "{by_scan} steps for {count}");
        }
    });
}

#[test]
fn streams_are_purged_in_steps_even_without_entries() {
    on_every_connection(|con| {
        for (count, expected) in [(0, 0), (1, 1), (350, 4)] {
            fill_stream(con, count);
            assert_eq!(steps(con, &Entries), expected);
        }
        // A stream without entries is still one.
        fill_stream(con, 1);
        let _: u64 = con.raw(&["XTRIM", "much:of.it:stream", "MAXLEN", "0"]);
        assert_eq!(steps(con, &Entries), 1);
    });
}

#[test]
fn keys_without_elements_are_purged_in_one_step() {
    everywhere(|con| {
        assert_eq!([steps(con, &Text), steps(con, &Bits), steps(con, &Unique)], [0, 0, 0]);
        con.ok(Text.set("x"));
        let _: u64 = con.raw(&["SETBIT", "much:of.it:bitmap", "7", "1"]);
        let _: u64 = con.raw(&["PFADD", "much:of.it:hyperloglog", "x"]);
        assert_eq!([steps(con, &Text), steps(con, &Bits), steps(con, &Unique)], [1, 1, 1]);
    });
}

#[test]
fn a_key_of_another_type_is_left_alone() {
    on_every_connection(|con| {
        let _: String = con.raw(&["SET", "much:of.it:list", "hidden", "EX", "60"]);
        let error = con.purge(&Items).expect_err("the key is a string");
        assert_eq!(error.kind(), ErrorKind::WrongType);
        assert!(con.ok(Items.exists()));
    });
}

#[test]
fn the_rest_of_a_failed_purge_expires() {
    let server = Server::start().expect("a server starts");
    let mut admin = Con::blocking(&server.url());
    // The last step fails.
    let _: String = admin.raw(&["ACL", "SETUSER", "ada", "reset", "on", ">pw", "~*", "+@all", "-unlink"]);
    for connect in [Con::blocking, Con::multiplexed] {
        let mut user = connect(&format!("redis://ada:pw@127.0.0.1:{}/", server.port()));
        for (without_expiry, left) in [(true, 3_600_000), (false, 60_000)] {
            for kind in ["list", "set", "zset", "geo", "hash"] {
                fill(&mut admin, kind, 350);
                if !without_expiry {
                    let _: bool = admin.raw(&["EXPIRE", &format!("much:of.it:{kind}"), "60"]);
                }
            }
            for error in [
                user.purge(&Items).expect_err("UNLINK is not allowed"),
                user.purge(&Members).expect_err("UNLINK is not allowed"),
                user.purge(&Ranks).expect_err("UNLINK is not allowed"),
                user.purge(&Places).expect_err("UNLINK is not allowed"),
                user.purge(&Fields).expect_err("UNLINK is not allowed"),
            ] {
                assert_eq!(error.kind(), ErrorKind::Server, "{error}");
                let key = error.key().expect("the error names a key");
                admin.assert_left(key, left);
                let _: u64 = admin.raw(&["DEL", key]);
            }
        }
        for number in 0..101 {
            admin.ok(Kept.rpush(&number.to_string()));
        }
        user.purge(&Kept).expect_err("UNLINK is not allowed");
        assert_eq!((admin.ok(Kept.llen()), admin.pttl("never:of.it:list")), (1, -1));
        assert_eq!(steps(&mut admin, &Kept), 1);
    }
}

#[test]
fn a_list_is_purged_from_the_right() {
    on_every_connection(|con| {
        let _: String = con.raw(&["ACL", "SETUSER", "default", "-unlink"]);
        fill(con, "list", 350);
        con.purge(&Items).expect_err("UNLINK is not allowed");
        let _: String = con.raw(&["ACL", "SETUSER", "default", "+unlink"]);
        let all: Vec<String> = (0..50).map(|number| number.to_string()).collect();
        assert_eq!(con.ok(Items.lrange(0..200)), all);
    });
}
