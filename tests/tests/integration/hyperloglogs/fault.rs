//! What is not as declared, on the server.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::on_every_connection;

use super::keys::{Day, MINUTE, Night, Week};

const DAY: &str = "seen:{1}:day:hyperloglog";

#[test]
fn another_type_under_the_key_is_named() {
    on_every_connection(|con| {
        let _: u64 = con.raw(&["RPUSH", DAY, "hidden"]);
        let _: bool = con.raw(&["EXPIRE", DAY, "60"]);
        let day = Day { id: 1 };
        for error in [
            con.error(day.pfadd(&1)),
            con.error(day.pfadd_many([1])),
            con.error(day.pfcount()),
            con.error(Week { id: 1 }.pfmerge(&[Day { id: 1 }])),
        ] {
            assert_eq!((error.kind(), error.key()), (ErrorKind::WrongType, Some(DAY)), "{error}");
            assert!(!format!("{error}{error:?}").contains("hidden"), "{error}");
        }
        let error = con.error(day.pfcount());
        assert!(error.to_string().contains("holds a list, but a hyperloglog is declared"), "{error}");
        assert!(!con.ok(Week { id: 1 }.exists()));
        con.assert_left(DAY, MINUTE);
    });
}

#[test]
fn a_text_is_no_hyperloglog() {
    on_every_connection(|con| {
        let _: String = con.raw(&["SET", DAY, "hidden", "EX", "60"]);
        let day = Day { id: 1 };
        for error in [con.error(day.pfadd(&1)), con.error(day.pfcount())] {
            assert_eq!((error.kind(), error.key()), (ErrorKind::WrongType, Some(DAY)), "{error}");
            assert!(error.to_string().contains("holds another type than the declared hyperloglog"), "{error}");
        }
        // Which of several it is, the server does not say.
        con.ok(Night { id: 1 }.pfadd(&1));
        for error in [
            con.error(Night { id: 1 }.pfcount_with(&[Day { id: 1 }, Day { id: 1 }])),
            con.error(Night { id: 1 }.pfcount_with(&[Day { id: 1 }])),
            con.error(Week { id: 1 }.pfmerge(&[Day { id: 1 }, Day { id: 1 }])).clone(),
        ] {
            assert_eq!(error.kind(), ErrorKind::WrongType, "{error}");
            assert!(
                error.to_string().contains(
                    "or another key of the command, holds another type than the declared \
                                                hyperloglog"
                ),
                "{error}"
            );
        }
        // There is no week yet, so that it can only be the other one.
        let error = con.error(Week { id: 1 }.pfmerge(&[Day { id: 1 }]));
        assert_eq!(error.key(), Some(DAY), "{error}");
        assert!(!con.ok(Week { id: 1 }.exists()));
    });
}

#[test]
fn a_server_without_memory_takes_no_part_of_a_write() {
    on_every_connection(|con| {
        con.ok(Day { id: 1 }.pfadd(&1));
        let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "1"]);
        let errors = [con.error(Night { id: 1 }.pfadd(&1)), con.error(Week { id: 1 }.pfmerge(&[Day { id: 1 }]))];
        let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "0"]);
        for error in errors {
            assert!(error.to_string().contains("OOM: the memory limit is reached"), "{error}");
        }
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 1);
    });
}
