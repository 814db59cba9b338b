//! The accessors of every key, and reads, where a key holds each kind of content.

use std::time::{Duration, SystemTime};

use redis_keys::prelude::*;
use redis_keys_tests::{everywhere, on_every_connection};

use super::keys::{ABSENT, BOTH_GIVEN_UP, Bytes as _, FAR, MINUTE, MY_LEASE, NAME, Name, refreshed};

/// Contents, and the value of each if there is one.
fn contents() -> Vec<(Vec<u8>, Option<&'static str>)> {
    vec![
        (b"Ada".to_vec(), Some("Ada")),
        (Vec::new(), Some("")),
        (b"\xC1vAda".to_vec(), Some("Ada")),
        (ABSENT.to_vec(), None),
        (MY_LEASE.to_vec(), None),
        (BOTH_GIVEN_UP.to_vec(), None),
        (refreshed(FAR, b"Ada"), Some("Ada")),
        (refreshed(FAR, b"\xC1vAda"), Some("Ada")),
        (refreshed(FAR, ABSENT), None),
    ]
}

#[test]
fn reads_see_values_only() {
    everywhere(|con| {
        let mut expected = Vec::new();
        for (id, (content, value)) in (0..).zip(contents()) {
            let name = Name { id };
            name.write(con, &content);
            assert_eq!(con.ok(name.get()).as_deref(), value);
            assert_eq!(con.ok(name.exists()), value.is_some(), "{}", content.escape_ascii());
            con.assert_left(&name.text(), 60 * MINUTE);
            let left = con.ok(name.ttl()).left().expect("it exists and expires");
            assert!(left <= Duration::from_secs(3600));
            expected.push(value.map(str::to_owned));
        }
        expected.push(None);
        let names: Vec<_> = (0..).map(|id| Name { id }).take(expected.len()).collect();
        assert_eq!(con.batch(Name::get_many(&names)).expect("it succeeds"), expected);
        let scanned = con.scan_keys(Name::scan()).expect("it succeeds");
        assert_eq!(scanned.len(), expected.len() - 1, "keys with markers are keys");
    });
}

#[test]
fn an_expiry_is_restarted_where_there_is_a_value() {
    everywhere(|con| {
        for (content, value) in contents() {
            NAME.write(con, &content);
            let _: bool = con.raw(&["PEXPIRE", &NAME.text(), "60000"]);
            assert_eq!(con.ok(NAME.expire()), value.is_some(), "{}", content.escape_ascii());
            let left = con.pttl(&NAME.text());
            assert_eq!(left > 59 * MINUTE, value.is_some(), "{left}");
            NAME.assert_bytes(con, &content);
        }
        con.ok(NAME.unlink());
        assert!(!con.ok(NAME.expire()));
        assert!(!con.ok(NAME.exists()));
    });
}

#[test]
fn every_content_is_removed_and_replaced() {
    everywhere(|con| {
        for (content, _) in contents() {
            NAME.write(con, &content);
            assert!(con.ok(NAME.unlink()));
            NAME.write(con, &content);
            assert!(con.purge(&NAME).expect("it succeeds").existed());
            assert_eq!(NAME.bytes(con), None);
            NAME.write(con, &content);
            con.ok(NAME.set("Bob"));
            NAME.assert_bytes(con, b"Bob");
        }
    });
}

#[test]
fn one_value_can_live_shorter() {
    on_every_connection(|con| {
        con.ok(NAME.set("Ada").expire_in(Duration::from_secs(60)));
        con.assert_left(&NAME.text(), MINUTE);
        con.ok(NAME.set("Ada").expire_at(SystemTime::now() + Duration::from_secs(120)));
        con.assert_left(&NAME.text(), 2 * MINUTE);
        con.ok(NAME.set("Ada"));
        assert!((60 * MINUTE - 5_000..=70 * MINUTE).contains(&con.pttl(&NAME.text())));
        con.refused(NAME.set("Ada").expire_in(Duration::from_secs(3601)));
    });
}
