//! `append` and `getrange`.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::everywhere;

use super::keys::{Blob, KeptText, Note, Small};

const NOTE: &str = "text:note:1:string";

#[test]
fn append_sets_the_expiry_only_on_creation() {
    everywhere(|con| {
        assert_eq!(con.ok(Note { id: 1 }.append("ab")), 2);
        con.assert_left(NOTE, 3_600_000);
        let _: bool = con.raw(&["EXPIRE", NOTE, "60"]);
        assert_eq!(con.ok(Note { id: 1 }.append("Ä")), 4);
        con.assert_left(NOTE, 60_000);
        assert_eq!(con.ok(Note { id: 1 }.get()).as_deref(), Some("abÄ"));
    });
}

#[test]
fn getrange_reads_a_part() {
    everywhere(|con| {
        let note = Note { id: 1 };
        assert!(con.ok(note.getrange(0..5)).is_empty());
        con.ok(note.set("abÄcd"));
        assert_eq!(con.ok(note.getrange(0..2)), b"ab");
        assert_eq!(con.ok(note.getrange(4..100)), b"cd");
        assert_eq!(con.ok(note.getrange(2..3)), "Ä".as_bytes()[..1]);
        assert!(con.ok(note.getrange(6..100)).is_empty());
        con.assert_left(NOTE, 3_600_000);
        let error = con.refused(note.getrange(0..u32::MAX));
        assert_eq!(error.kind(), ErrorKind::Argument);
    });
}

#[test]
fn append_of_nothing_leaves_no_key_without_expiry() {
    everywhere(|con| {
        assert_eq!(con.ok(Note { id: 1 }.append("")), 0);
        assert_ne!(con.pttl(NOTE), -1);
    });
}

#[test]
fn append_adds_a_missing_expiry() {
    everywhere(|con| {
        let _: String = con.raw(&["SET", NOTE, "a"]);
        con.ok(Note { id: 1 }.append("b"));
        con.assert_left(NOTE, 3_600_000);
    });
}

#[test]
fn append_accepts_any_bytes() {
    everywhere(|con| {
        con.ok(Blob { id: 1 }.append(&[0, 255]));
        con.ok(Blob { id: 1 }.append(b"\r\n"));
        assert_eq!(con.ok(Blob { id: 1 }.get()), Some(vec![0, 255, 13, 10]));
    });
}

#[test]
fn append_limits_the_size_of_the_whole_value() {
    everywhere(|con| {
        con.ok(Small { id: 1 }.append("12345"));
        let error = con.error(Small { id: 1 }.append("6789"));
        assert_eq!(error.kind(), ErrorKind::ValueSize, "{error}");
        assert_eq!(con.ok(Small { id: 1 }.get()).as_deref(), Some("12345"), "a rejected command changes nothing");
        assert_eq!(con.ok(Small { id: 1 }.append("678")), 8);
        // A value that is too large by itself is not sent.
        assert_eq!(con.refused(Small { id: 2 }.append("123456789")).kind(), ErrorKind::ValueSize);
        assert_eq!(con.pttl("text:small:2:string"), -2);
    });
}

#[test]
fn append_sets_no_expiry_if_none_is_declared() {
    everywhere(|con| {
        con.ok(KeptText { id: 1 }.append("a"));
        assert_eq!(con.pttl("never:text:1:string"), -1);
    });
}
