//! Reading: `get`, `get_del`, `get_ex`, `strlen`.

use redis_keys::prelude::*;
use redis_keys_tests::everywhere;

use super::keys::{Blob, Card, Note, Profile};

#[test]
fn get_returns_what_was_set() {
    everywhere(|con| {
        let note = Note { id: 1 };
        assert_eq!(con.ok(note.get()), None);
        con.ok(note.set("hello"));
        assert_eq!(con.ok(note.get()).as_deref(), Some("hello"));
        assert_eq!(con.raw::<String>(&["GET", "text:note:1:string"]), "hello");
        assert_eq!(con.ok(Note { id: 2 }.get()), None, "another key has another value");
    });
}

#[test]
fn empty_text_is_not_absence() {
    everywhere(|con| {
        con.ok(Note { id: 1 }.set(""));
        assert_eq!(con.ok(Note { id: 1 }.get()).as_deref(), Some(""));
    });
}

#[test]
fn structs_are_stored_as_json() {
    everywhere(|con| {
        let ada = Profile { name: "Ada \"Ä\" \u{0}".to_owned(), age: 36 };
        con.ok(Card { id: 1 }.set(&ada));
        assert_eq!(con.ok(Card { id: 1 }.get()), Some(ada));
        assert_eq!(con.raw::<String>(&["GET", "json:profile:1:string"]), r#"{"name":"Ada \"Ä\" \u0000","age":36}"#);
    });
}

#[test]
fn bytes_are_stored_as_they_are() {
    everywhere(|con| {
        let all: Vec<u8> = (0..=255).chain(*b"\r\n$3\r\n").collect();
        con.ok(Blob { id: 1 }.set(&all));
        assert_eq!(con.ok(Blob { id: 1 }.get()), Some(all));
    });
}

#[test]
fn get_del_reads_and_removes() {
    everywhere(|con| {
        let note = Note { id: 1 };
        assert_eq!(con.ok(note.get_del()), None);
        con.ok(note.set("once"));
        assert_eq!(con.ok(note.get_del()).as_deref(), Some("once"));
        assert_eq!(con.ok(note.get()), None);
    });
}

#[test]
fn get_ex_restarts_the_expiry() {
    everywhere(|con| {
        let note = Note { id: 1 };
        assert_eq!(con.ok(note.get_ex()), None);
        con.ok(note.set("again"));
        let _: bool = con.raw(&["EXPIRE", "text:note:1:string", "60"]);
        assert_eq!(con.ok(note.get_ex()).as_deref(), Some("again"));
        con.assert_left("text:note:1:string", 3_600_000);
    });
}

#[test]
fn strlen_counts_bytes() {
    everywhere(|con| {
        let note = Note { id: 1 };
        assert_eq!(con.ok(note.strlen()), 0);
        con.ok(note.set("Ärger"));
        assert_eq!(con.ok(note.strlen()), 6);
    });
}
