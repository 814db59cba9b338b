//! `lmove`.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys::types::list::ListEnd;
use redis_keys_tests::on_every_connection;

use super::{Capped, HOUR, Kept, MINUTE, Plain, Recent, Sliding};

const LEFT: ListEnd = ListEnd::Left;
const RIGHT: ListEnd = ListEnd::Right;

#[test]
fn the_destination_gets_its_own_expiry() {
    on_every_connection(|con| {
        let source = Plain { id: 1 };
        con.ok(source.rpush_many(["a", "b", "c", "d"]));
        let _: bool = con.raw(&["EXPIRE", "line:plain:1:list", "60"]);
        con.forget_scripts();
        assert_eq!(con.ok(source.lmove(&Recent { id: 1 }, LEFT, LEFT)).as_deref(), Some("a"));
        con.assert_left("line:recent:1:list", HOUR / 2);
        let _: bool = con.raw(&["EXPIRE", "line:recent:1:list", "60"]);
        assert_eq!(con.ok(source.lmove(&Recent { id: 1 }, RIGHT, RIGHT)).as_deref(), Some("d"));
        con.assert_left("line:recent:1:list", MINUTE);
        con.assert_left("line:plain:1:list", MINUTE);
        assert_eq!(con.ok(Recent { id: 1 }.lrange(0..9)), ["a", "d"]);
        assert_eq!(con.ok(source.lmove(&Kept { id: 1 }, LEFT, RIGHT)).as_deref(), Some("b"));
        assert_eq!(con.pttl("never:kept:1:list"), -1);
        con.ok(Sliding { id: 1 }.rpush("x"));
        let _: bool = con.raw(&["EXPIRE", "line:sliding:1:list", "60"]);
        assert_eq!(con.ok(source.lmove(&Sliding { id: 1 }, LEFT, LEFT)).as_deref(), Some("c"));
        con.assert_left("line:sliding:1:list", HOUR);
        assert_eq!(con.ok(Sliding { id: 1 }.lrange(0..9)), ["c", "x"]);
        assert!(!con.ok(source.exists()));
    });
}

#[test]
fn a_move_from_a_missing_list_creates_nothing() {
    on_every_connection(|con| {
        con.forget_scripts();
        assert_eq!(con.ok(Plain { id: 1 }.lmove(&Recent { id: 1 }, LEFT, LEFT)), None);
        assert!(!con.ok(Recent { id: 1 }.exists()));
        con.ok(Capped { id: 1 }.rpush_many(["1", "2", "3", "4", "5"]));
        assert_eq!(con.ok(Plain { id: 1 }.lmove(&Capped { id: 1 }, LEFT, LEFT)), None);
    });
}

#[test]
fn a_full_destination_leaves_the_item_where_it_is() {
    on_every_connection(|con| {
        let (from, to) = (Plain { id: 1 }, Capped { id: 1 });
        con.ok(from.rpush_many(["a", "b"]));
        con.ok(to.rpush_many(["1", "2", "3", "4"]));
        con.forget_scripts();
        assert_eq!(con.ok(from.lmove(&to, LEFT, RIGHT)).as_deref(), Some("a"));
        let error = con.error(from.lmove(&to, LEFT, RIGHT));
        assert_eq!((error.kind(), error.key()), (ErrorKind::CollectionSize, Some("line:capped:1:list")), "{error}");
        assert!(error.to_string().contains("exceeds `max_len`: 6 elements, at most 5"), "{error}");
        assert_eq!(con.ok(from.lrange(0..9)), ["b"]);
        assert_eq!(con.ok(to.lrange(0..9)), ["1", "2", "3", "4", "a"]);
    });
}

#[test]
fn keep_last_trims_the_destination() {
    on_every_connection(|con| {
        let (from, to) = (Plain { id: 1 }, Recent { id: 1 });
        con.ok(from.rpush_many(["x", "y"]));
        con.ok(to.lpush_many(["a", "b", "c"]));
        con.ok(from.lmove(&to, LEFT, LEFT));
        assert_eq!(con.ok(to.lrange(0..9)), ["x", "c", "b"]);
        con.ok(from.lmove(&to, LEFT, RIGHT));
        assert_eq!(con.ok(to.lrange(0..9)), ["c", "b", "y"]);
    });
}

#[test]
fn a_list_rotates_in_place() {
    on_every_connection(|con| {
        let (list, key) = (Capped { id: 1 }, "line:capped:1:list");
        con.ok(list.rpush_many(["a", "b", "c", "d", "e"]));
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        con.forget_scripts();
        assert_eq!(con.ok(list.lmove(&list, LEFT, RIGHT)).as_deref(), Some("a"), "a full list can rotate");
        assert_eq!(con.ok(list.lrange(0..9)), ["b", "c", "d", "e", "a"]);
        let recent = Recent { id: 1 };
        con.ok(recent.rpush("a"));
        assert_eq!(con.ok(recent.lmove(&recent, RIGHT, LEFT)).as_deref(), Some("a"));
        assert_eq!(con.ok(recent.lrange(0..9)), ["a"]);
        con.assert_left(key, MINUTE);
        con.assert_left("line:recent:1:list", HOUR / 2);
    });
}

#[test]
fn the_key_of_another_type_is_named() {
    on_every_connection(|con| {
        let _: u64 = con.raw(&["SADD", "line:plain:1:list", "hidden"]);
        let _: bool = con.raw(&["EXPIRE", "line:plain:1:list", "60"]);
        con.ok(Recent { id: 1 }.rpush("a"));
        con.ok(Capped { id: 1 }.rpush_many(["1", "2", "3", "4", "5"]));
        for error in [
            con.error(Recent { id: 1 }.lmove(&Plain { id: 1 }, LEFT, LEFT)),
            con.error(Plain { id: 1 }.lmove(&Recent { id: 1 }, LEFT, LEFT)),
            con.error(Plain { id: 1 }.lmove(&Recent { id: 2 }, LEFT, LEFT)),
            con.error(Plain { id: 1 }.lmove(&Capped { id: 1 }, LEFT, LEFT)),
        ] {
            assert_eq!((error.kind(), error.key()), (ErrorKind::WrongType, Some("line:plain:1:list")), "{error}");
        }
        assert_eq!(con.ok(Recent { id: 1 }.lrange(0..9)), ["a"]);
        assert!(!con.ok(Recent { id: 2 }.exists()));
    });
}
