//! Renewals of the expiry of a record's key.

use redis_keys::prelude::*;
use redis_keys_tests::{Con, everywhere};

use super::keys::{Low, Profile, ReadProfile, WrittenProfile, ada};

/// Sets the remaining time of a key, runs a command, and returns about how many minutes are left.
fn left_after<T>(con: &mut Con, key: &str, seconds: u64, command: Command<T>) -> i64 {
    let _: bool = con.raw(&["EXPIRE", key, &seconds.to_string()]);
    con.ok(command);
    (con.pttl(key) + 5_000) / 60_000
}

#[test]
fn writes_renew_with_renew_write() {
    everywhere(|con| {
        let key = "record:written:1:hash";
        con.ok(WrittenProfile { id: 1 }.store(&ada()));
        assert_eq!(left_after(con, key, 60, WrittenProfile { id: 1 }.store(&ada())), 60);
        assert_eq!(left_after(con, key, 60, WrittenProfile { id: 1 }.hset(Profile::NAME, "x")), 60);
        assert_eq!(left_after(con, key, 60, WrittenProfile { id: 1 }.hincr(Profile::VISITS, 1)), 60);
        assert_eq!(left_after(con, key, 60, WrittenProfile { id: 1 }.load()), 1);
        assert_eq!(left_after(con, key, 60, WrittenProfile { id: 1 }.hget(Profile::NAME)), 1);
    });
}

#[test]
fn reads_renew_with_renew_read() {
    everywhere(|con| {
        let key = "record:read:1:hash";
        assert_eq!(con.ok(ReadProfile { id: 1 }.load()), None);
        assert_eq!(con.pttl(key), -2);
        con.ok(ReadProfile { id: 1 }.store(&ada()));
        assert_eq!(left_after(con, key, 60, ReadProfile { id: 1 }.load()), 60);
        assert_eq!(left_after(con, key, 60, ReadProfile { id: 1 }.hget(Profile::NAME)), 60);
        assert_eq!(left_after(con, key, 60, ReadProfile { id: 1 }.hexists(Profile::EMAIL)), 60);
        assert_eq!(left_after(con, key, 60, ReadProfile { id: 1 }.store(&ada())), 60);
        assert_eq!(con.ok(ReadProfile { id: 1 }.load()), Some(ada()));
        assert_eq!(con.ok(ReadProfile { id: 1 }.hget(Profile::NAME)).as_deref(), Some("Ada"));
    });
}

#[test]
fn reads_renew_below_the_threshold() {
    everywhere(|con| {
        let key = "record:low:1:hash";
        assert_eq!(con.ok(Low { id: 1 }.load()), None);
        con.ok(Low { id: 1 }.store(&ada()));
        assert_eq!(left_after(con, key, 60, Low { id: 1 }.load()), 60);
        assert_eq!(left_after(con, key, 1800, Low { id: 1 }.load()), 30);
        assert_eq!(left_after(con, key, 60, Low { id: 1 }.hget(Profile::WORK)), 60);
        assert_eq!(con.ok(Low { id: 1 }.load()), Some(ada()));
        let _: u64 = con.raw(&["HSET", key, "level", "secret"]);
        assert!(con.error(Low { id: 1 }.hget(Profile::LEVEL)).to_string().contains("`level`"));
    });
}
