//! What is not as declared, on the server.

use std::time::Duration;

use redis_keys::prelude::*;
use redis_keys::stream::{EntryId, GroupStart};
use redis_keys::{Error, ErrorKind};
use redis_keys_tests::on_every_connection;

use super::keys::{Fading, Last, Plain, Touched, id, orders, paid};

#[track_caller]
fn assert_wrong_type(error: &Error) {
    let text = error.to_string();
    assert_eq!(error.kind(), ErrorKind::WrongType, "{text}");
    assert!(text.starts_with("log:"), "{text}");
    assert!(text.contains("holds a string, but a stream is declared"), "{text}");
    assert!(!text.contains("hidden"), "{text}");
}

#[test]
fn another_type_under_the_key_is_named() {
    on_every_connection(|con| {
        for word in ["plain", "last", "touched", "fading"] {
            let _: String = con.raw(&["SET", &format!("log:{word}:1:stream"), "hidden", "EX", "60"]);
        }
        let (log, touched) = (Plain { id: 1 }, Touched { id: 1 });
        let group = log.group("billing");
        assert_wrong_type(&con.error(log.xadd(&paid(1))));
        assert_wrong_type(&con.error(Last { id: 1 }.xadd(&paid(1))));
        assert_wrong_type(&con.error(log.xlen()));
        assert_wrong_type(&con.error(log.xrange(.., 5)));
        assert_wrong_type(&con.error(log.xrevrange(.., 5)));
        assert_wrong_type(&con.error(log.xread(EntryId::MIN, 5)));
        assert_wrong_type(&con.error(touched.xread(EntryId::MIN, 5)));
        assert_wrong_type(&con.error(Fading { id: 1 }.xread(EntryId::MIN, 5)));
        assert_wrong_type(&con.scan(log.xpages(5)).expect_err("it is a string"));
        assert_wrong_type(&con.error(log.xdel(id(1))));
        assert_wrong_type(&con.error(log.xtrim(1)));
        assert_wrong_type(&con.error(group.create(GroupStart::Start)));
        assert_wrong_type(&con.error(group.set_id(GroupStart::Start)));
        assert_wrong_type(&con.error(group.destroy()));
        assert_wrong_type(&con.error(group.delete_consumer("a")));
        assert_wrong_type(&con.error(group.read("a", 5)));
        assert_wrong_type(&con.error(touched.group("billing").read("a", 5)));
        assert_wrong_type(&con.error(group.claim("a", Duration::ZERO, EntryId::MIN, 5)));
        assert_wrong_type(&con.error(group.ack(id(1))));
        assert_wrong_type(&con.error(group.pending(.., 5)));
        assert_wrong_type(&con.error(group.consumers()));
        assert_eq!(con.raw::<String>(&["GET", "log:plain:1:stream"]), "hidden");
        con.assert_left("log:plain:1:stream", 60_000);
    });
}

#[test]
fn a_server_without_memory_takes_no_part_of_a_write() {
    on_every_connection(|con| {
        let log = Plain { id: 1 };
        con.ok(log.xadd(&paid(1)));
        let _: bool = con.raw(&["EXPIRE", "log:plain:1:stream", "60"]);
        let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "1"]);
        let errors = [
            con.error(log.xadd(&paid(2))),
            con.error(Plain { id: 2 }.xadd(&paid(2))),
            con.error(Last { id: 1 }.xadd(&paid(2))),
            con.error(Plain { id: 3 }.group("billing").create(GroupStart::Start)),
        ];
        let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "0"]);
        for error in &errors {
            assert!(error.to_string().contains("OOM: the memory limit is reached"), "{error}");
        }
        assert_eq!(orders(con.ok(log.xrange(.., 5))), [1]);
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 1);
        con.assert_left("log:plain:1:stream", 60_000);
    });
}
