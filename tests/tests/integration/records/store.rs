//! Writing a whole record.

use redis_keys::prelude::*;
use redis_keys::{ErrorKind, Rule};
use redis_keys_tests::{everywhere, on_every_connection};

use super::keys::{Address, KeptProfile, NamedProfile, PROFILE, Profile, ProfileOf, Small, ada, stored};

#[test]
fn a_stored_record_is_loaded_unchanged() {
    everywhere(|con| {
        let key = ProfileOf { id: 1 };
        con.ok(key.store(&ada()));
        con.assert_left(PROFILE, 3_600_000);
        assert_eq!(con.ok(key.load()), Some(ada()));
        let other = Profile {
            email: None,
            work: Some(Address { town: "Paris".to_owned() }),
            level: None,
            score: Some(-0.5),
            ..ada()
        };
        con.ok(key.store(&other));
        assert_eq!(con.ok(key.load()), Some(other));
    });
}

#[test]
fn fields_are_stored_one_by_one() {
    on_every_connection(|con| {
        con.ok(ProfileOf { id: 1 }.store(&Profile { photo: None, ..ada() }));
        let fields = stored(con, PROFILE);
        let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let home = ("home", "{\"town\":\"London\"}");
        assert_eq!(fields, [home, ("level", "200"), ("mail", "ada@example.org"), ("name", "Ada"), ("visits", "7")]);
    });
}

#[test]
fn absent_fields_are_removed_and_unknown_fields_stay() {
    everywhere(|con| {
        let key = ProfileOf { id: 1 };
        con.ok(key.store(&ada()));
        let _: u64 = con.raw(&["HSET", PROFILE, "unknown", "x", "", "x"]);
        con.ok(key.store(&Profile { email: None, level: None, photo: None, ..ada() }));
        let names: Vec<_> = stored(con, PROFILE).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["", "home", "name", "unknown", "visits"]);
    });
}

#[test]
fn a_later_store_leaves_the_expiry_alone() {
    everywhere(|con| {
        let key = ProfileOf { id: 1 };
        con.ok(key.store(&ada()));
        let _: bool = con.raw(&["EXPIRE", PROFILE, "60"]);
        con.ok(key.store(&Profile { email: None, ..ada() }));
        con.assert_left(PROFILE, 60_000);
    });
}

#[test]
fn store_adds_a_missing_expiry() {
    on_every_connection(|con| {
        let _: u64 = con.raw(&["HSET", PROFILE, "mail", "x"]);
        con.ok(ProfileOf { id: 1 }.store(&Profile { email: None, ..ada() }));
        con.assert_left(PROFILE, 3_600_000);
        assert_eq!(con.ok(ProfileOf { id: 1 }.load()), Some(Profile { email: None, ..ada() }));
    });
}

#[test]
fn never_means_no_expiry() {
    on_every_connection(|con| {
        let all = Profile { work: Some(Address { town: "Paris".to_owned() }), score: Some(1.0), ..ada() };
        con.ok(KeptProfile { id: 1 }.store(&all));
        assert_eq!(con.pttl("never:profile:1:hash"), -1);
        con.ok(KeptProfile { id: 1 }.store(&ada()));
        assert_eq!(con.pttl("never:profile:1:hash"), -1);
        assert_eq!(con.ok(KeptProfile { id: 1 }.load()), Some(ada()));
    });
}

#[test]
fn a_field_beyond_max_member_bytes_is_rejected() {
    on_every_connection(|con| {
        let key = Small { id: 1 };
        con.ok(key.store(&Profile { email: Some("x".repeat(20)), ..ada() }));
        let large = Profile { email: Some("x".repeat(21)), ..ada() };
        for error in [con.refused(key.store(&large)), con.refused(key.hset(Profile::EMAIL, &"x".repeat(21)))] {
            assert_eq!((error.kind(), error.rule()), (ErrorKind::ValueSize, Some(Rule::ValueSize)), "{error}");
            assert!(error.to_string().contains("exceeds `max_member_bytes`: 21 bytes, at most 20"), "{error}");
        }
        let error = con.refused(ProfileOf { id: 1 }.store(&Profile { photo: Some(vec![0; 4097]), ..ada() }));
        assert!(error.to_string().contains("exceeds `max_member_bytes`: 4097 bytes, at most 4096"), "{error}");
        let error = con.refused(ProfileOf { id: 1 }.store(&Profile { score: Some(f64::NAN), ..ada() }));
        assert_eq!(error.kind(), ErrorKind::Encode);
        assert!(error.to_string().contains("`score`"), "{error}");
    });
}

#[test]
fn every_accessor_rejects_an_invalid_parameter() {
    on_every_connection(|con| {
        let bad = NamedProfile { name: "Secret:Name" };
        let errors = [
            con.refused(bad.load()),
            con.refused(bad.store(&ada())),
            con.refused(bad.hget(Profile::NAME)),
            con.refused(bad.hset(Profile::NAME, "x")),
            con.refused(bad.hincr(Profile::VISITS, 1)),
            con.refused(bad.hdel(Profile::EMAIL)),
            con.refused(bad.hexists(Profile::EMAIL)),
        ];
        for error in errors {
            assert_eq!((error.kind(), error.rule()), (ErrorKind::Parameter, Some(Rule::Separators)), "{error}");
        }
    });
}
