//! Keys of another type, and servers without memory.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::{errors, on_every_connection};

use super::{Day, MINUTE, Night, Week};

const KEY: &str = "seen:{1}:day:hyperloglog";
const DAY: Day = Day { id: 1 };
const NIGHT: Night = Night { id: 1 };
const WEEK: Week = Week { id: 1 };

#[test]
fn every_accessor_rejects_a_key_of_another_type() {
    on_every_connection(|con| {
        let _: u64 = con.raw(&["RPUSH", KEY, "hidden"]);
        let _: bool = con.raw(&["EXPIRE", KEY, "60"]);
        let errors = errors!(con, run: [DAY.pfadd(&1), DAY.pfadd_many([1]), DAY.pfcount(), WEEK.pfmerge(&[DAY])]);
        errors.assert_kind(ErrorKind::WrongType).assert_key(KEY);
        errors!(con, run: [DAY.pfcount()]).assert_message("holds a list, but a hyperloglog is declared");
        assert!(!con.ok(WEEK.exists()));
        con.assert_left(KEY, MINUTE);
    });
}

#[test]
fn every_accessor_rejects_text() {
    on_every_connection(|con| {
        let _: String = con.raw(&["SET", KEY, "hidden", "EX", "60"]);
        let errors = errors!(con, run: [DAY.pfadd(&1), DAY.pfcount()]);
        errors.assert_kind(ErrorKind::WrongType).assert_key(KEY);
        errors.assert_message("holds another type than the declared hyperloglog");
        // The server does not report which of several keys has the wrong type.
        con.ok(NIGHT.pfadd(&1));
        let errors = errors!(con, run: [
            NIGHT.pfcount_with(&[DAY, DAY]),
            NIGHT.pfcount_with(&[DAY]),
            WEEK.pfmerge(&[DAY, DAY]),
        ]);
        errors.assert_kind(ErrorKind::WrongType);
        errors.assert_message("or another key of the command, holds another type than the declared hyperloglog");
        // The key of the week does not exist, so that only the other one can have the wrong type.
        errors!(con, run: [WEEK.pfmerge(&[DAY])]).assert_key(KEY);
        assert!(!con.ok(WEEK.exists()));
    });
}

#[test]
fn a_write_without_memory_changes_nothing() {
    on_every_connection(|con| {
        con.ok(DAY.pfadd(&1));
        let errors = con.without_memory(|con| errors!(con, run: [NIGHT.pfadd(&1), WEEK.pfmerge(&[DAY])]));
        errors.assert_message("OOM: the memory limit is reached");
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 1);
    });
}
