//! Reading and writing single fields.

use redis_keys::prelude::*;
use redis_keys_tests::{everywhere, on_every_connection};

use super::keys::{Address, KeptProfile, PROFILE, Profile, ProfileOf, ada, stored};

#[test]
fn fields_are_read_by_their_constants() {
    everywhere(|con| {
        let key = ProfileOf { id: 1 };
        assert_eq!(con.ok(key.hget(Profile::NAME)), None);
        con.ok(key.store(&ada()));
        assert_eq!(con.ok(key.hget(Profile::NAME)).as_deref(), Some("Ada"));
        assert_eq!(con.ok(key.hget(Profile::EMAIL)).as_deref(), Some("ada@example.org"));
        assert_eq!(con.ok(key.hget(Profile::HOME)), Some(ada().home));
        assert_eq!(con.ok(key.hget(Profile::WORK)), None);
        assert_eq!(con.ok(key.hget(Profile::VISITS)), Some(7));
        assert_eq!(con.ok(key.hget(Profile::PHOTO)), ada().photo);
        assert_eq!(con.ok(key.hget(Profile::SCORE)), None);
    });
}

#[test]
fn writing_a_field_needs_an_existing_record() {
    everywhere(|con| {
        let key = ProfileOf { id: 1 };
        assert!(!con.ok(key.hset(Profile::EMAIL, "x")));
        assert_eq!(con.pttl(PROFILE), -2, "no partial record is created");
        con.ok(key.store(&ada()));
        let _: bool = con.raw(&["EXPIRE", PROFILE, "60"]);
        assert!(con.ok(key.hset(Profile::EMAIL, "x")));
        assert!(con.ok(key.hset(Profile::WORK, &Address { town: "Paris".to_owned() })));
        assert!(con.ok(key.hset(Profile::SCORE, &1.5)));
        con.assert_left(PROFILE, 60_000);
        let work = Some(Address { town: "Paris".to_owned() });
        let expected = Profile { email: Some("x".to_owned()), work, score: Some(1.5), ..ada() };
        assert_eq!(con.ok(key.load()), Some(expected));
    });
}

#[test]
fn hset_adds_a_missing_expiry() {
    on_every_connection(|con| {
        con.ok(ProfileOf { id: 1 }.store(&ada()));
        let _: bool = con.raw(&["PERSIST", PROFILE]);
        assert!(con.ok(ProfileOf { id: 1 }.hset(Profile::NAME, "x")));
        con.assert_left(PROFILE, 3_600_000);
        con.ok(KeptProfile { id: 1 }.store(&ada()));
        assert!(con.ok(KeptProfile { id: 1 }.hset(Profile::NAME, "x")));
        assert_eq!(con.pttl("never:profile:1:hash"), -1);
    });
}

#[test]
fn optional_fields_can_be_removed_and_tested() {
    everywhere(|con| {
        let key = ProfileOf { id: 1 };
        assert!(!con.ok(key.hdel(Profile::EMAIL)));
        assert!(!con.ok(key.hexists(Profile::EMAIL)));
        con.ok(key.store(&ada()));
        assert!(con.ok(key.hexists(Profile::EMAIL)) && !con.ok(key.hexists(Profile::WORK)));
        assert!(con.ok(key.hdel(Profile::EMAIL)));
        assert!(!con.ok(key.hdel(Profile::EMAIL)));
        assert!(con.ok(key.hdel(Profile::VISITS)));
        assert_eq!(con.ok(key.load()), Some(Profile { email: None, visits: 0, ..ada() }));
        assert!(!stored(con, PROFILE).iter().any(|(name, _)| name == "mail"));
        con.assert_left(PROFILE, 3_600_000);
    });
}
