//! Keys of another type, and servers without memory.

use std::time::Duration;

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys::types::stream::{EntryId, GroupStart};
use redis_keys_tests::{errors, on_every_connection};

use super::keys::{Fading, Last, Plain, Touched, id, orders, paid};

const LOG: Plain = Plain { id: 1 };
const LAST: Last = Last { id: 1 };
const TOUCHED: Touched = Touched { id: 1 };

#[test]
fn every_accessor_rejects_a_key_of_another_type() {
    on_every_connection(|con| {
        for word in ["plain", "last", "touched", "fading"] {
            let _: String = con.raw(&["SET", &format!("log:{word}:1:stream"), "hidden", "EX", "60"]);
        }
        let group = LOG.group("billing");
        let errors = errors!(con,
            run: [
                LOG.xadd(&paid(1)),
                LAST.xadd(&paid(1)),
                LOG.xlen(),
                LOG.xrange(.., 5),
                LOG.xrevrange(.., 5),
                LOG.xread(EntryId::MIN, 5),
                TOUCHED.xread(EntryId::MIN, 5),
                Fading { id: 1 }.xread(EntryId::MIN, 5),
                LOG.xdel(id(1)),
                LOG.xtrim(1),
                group.create(GroupStart::Start),
                group.set_id(GroupStart::Start),
                group.destroy(),
                group.delete_consumer("a"),
                group.read("a", 5),
                TOUCHED.group("billing").read("a", 5),
                group.claim("a", Duration::ZERO, EntryId::MIN, 5),
                group.ack(id(1)),
                group.pending(.., 5),
                group.consumers(),
            ],
            scan: [LOG.xpages(5)],
        );
        errors.assert_kind(ErrorKind::WrongType).assert_message("(log:");
        errors.assert_message("holds a string, but a stream is declared");
        assert_eq!(con.raw::<String>(&["GET", "log:plain:1:stream"]), "hidden");
        con.assert_left("log:plain:1:stream", 60_000);
    });
}

#[test]
fn a_write_without_memory_changes_nothing() {
    on_every_connection(|con| {
        con.ok(LOG.xadd(&paid(1)));
        let _: bool = con.raw(&["EXPIRE", "log:plain:1:stream", "60"]);
        let errors = con.without_memory(|con| {
            errors!(con, run: [
                LOG.xadd(&paid(2)),
                Plain { id: 2 }.xadd(&paid(2)),
                LAST.xadd(&paid(2)),
                Plain { id: 3 }.group("billing").create(GroupStart::Start),
            ])
        });
        errors.assert_message("OOM: the memory limit is reached");
        assert_eq!(orders(con.ok(LOG.xrange(.., 5))), [1]);
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 1);
        con.assert_left("log:plain:1:stream", 60_000);
    });
}
