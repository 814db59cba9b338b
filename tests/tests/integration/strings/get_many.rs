//! `get_many`.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::{everywhere, on_every_connection};

use super::keys::{Card, Note, Profile, TouchedText};

#[test]
fn get_many_of_no_keys_is_empty() {
    everywhere(|con| {
        assert_eq!(con.ok(Note::get_many([] as [Note; 0])), Vec::<Option<String>>::new());
        assert_eq!(con.ok(TouchedText::get_many([] as [TouchedText; 0])), Vec::<Option<String>>::new());
    });
}

#[test]
fn get_many_keeps_the_order_and_returns_none_for_missing_keys() {
    everywhere(|con| {
        let present = |id: u32| !id.is_multiple_of(3) && !(200..300).contains(&id);
        for id in (0..1_001).filter(|&id| present(id)) {
            con.ok(Note { id }.set(&format!("note {id}")));
        }
        let expected: Vec<_> = (0..1_001).map(|id| present(id).then(|| format!("note {id}"))).collect();
        let keys: Vec<Note> = (0..1_001).map(|id| Note { id }).collect();
        assert_eq!(con.ok(Note::get_many(&keys)), expected, "by reference");
        assert_eq!(con.ok(Note::get_many(keys)), expected, "by value");
    });
}

#[test]
fn get_many_reads_a_hundred_keys_at_a_time() {
    on_every_connection(|con| {
        let _: String = con.raw(&["CONFIG", "RESETSTAT"]);
        for (number, calls) in [(100, 1), (101, 2), (1_000, 10)] {
            let _: String = con.raw(&["CONFIG", "RESETSTAT"]);
            con.ok(Note::get_many((0..number).map(|id| Note { id })));
            let stats = con.info("commandstats");
            assert!(stats.contains(&format!("cmdstat_mget:calls={calls},")), "{number}: {stats}");
        }
    });
}

#[test]
fn get_many_renews_with_renew_read() {
    everywhere(|con| {
        for id in (0..1_000).step_by(2) {
            con.ok(TouchedText { id }.set("a"));
        }
        let _: bool = con.raw(&["EXPIRE", "text:read:998:string", "60"]);
        let found = con.ok(TouchedText::get_many((0..1_000).map(|id| TouchedText { id })));
        let expected: Vec<_> = (0..1_000).map(|id| (id % 2 == 0).then(|| "a".to_owned())).collect();
        assert_eq!(found, expected);
        con.assert_left("text:read:998:string", 3_600_000);
    });
}

#[test]
fn the_same_key_twice_gives_its_value_twice() {
    everywhere(|con| {
        con.ok(Note { id: 1 }.set("a"));
        assert_eq!(con.ok(Note::get_many([Note { id: 1 }, Note { id: 1 }])), [Some("a".into()), Some("a".into())]);
    });
}

#[test]
fn a_value_that_does_not_decode_fails_get_many_and_is_named() {
    everywhere(|con| {
        let ada = Profile { name: "Ada".to_owned(), age: 36 };
        for id in 0..5 {
            con.ok(Card { id }.set(&ada));
        }
        let _: String = con.raw(&["SET", "json:profile:3:string", "{\"name\":\"hidden\"}", "EX", "60"]);
        let error = con.error(Card::get_many((0..5).map(|id| Card { id })));
        assert_eq!(error.kind(), ErrorKind::Decode);
        assert_eq!(error.key(), Some("json:profile:3:string"));
    });
}
