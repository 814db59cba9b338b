//! Reading a whole record.

use redis_keys::prelude::*;
use redis_keys::{ErrorKind, Rule};
use redis_keys_tests::{everywhere, on_every_connection};

use super::keys::{Address, PROFILE, Profile, ProfileOf, ada};

#[test]
fn a_missing_key_loads_as_none() {
    everywhere(|con| {
        assert_eq!(con.ok(ProfileOf { id: 1 }.load()), None);
        assert_eq!(con.pttl(PROFILE), -2);
    });
}

#[test]
fn fields_missing_from_an_older_version_get_their_defaults() {
    everywhere(|con| {
        let _: u64 = con.raw(&["HSET", PROFILE, "name", "Ada", "home", "{\"town\":\"London\"}", "unknown", "x"]);
        let _: bool = con.raw(&["EXPIRE", PROFILE, "60"]);
        let home = Address { town: "London".to_owned() };
        let old = Profile {
            name: "Ada".to_owned(),
            email: None,
            home,
            work: None,
            visits: 0,
            level: None,
            stars: None,
            photo: None,
            score: None,
        };
        assert_eq!(con.ok(ProfileOf { id: 1 }.load()), Some(old));
    });
}

#[test]
fn a_missing_field_is_named() {
    everywhere(|con| {
        let _: u64 = con.raw(&["HSET", PROFILE, "name", "Ada", "mail", "x"]);
        let _: bool = con.raw(&["EXPIRE", PROFILE, "60"]);
        let error = con.error(ProfileOf { id: 1 }.load());
        assert_eq!((error.kind(), error.rule()), (ErrorKind::Decode, Some(Rule::Record)));
        let message = "field `home` of `ProfileOf` (record:profile:1:hash) is missing [record]";
        assert_eq!(error.to_string(), message);
    });
}

#[test]
fn a_field_that_does_not_decode_is_named() {
    everywhere(|con| {
        con.ok(ProfileOf { id: 1 }.store(&ada()));
        let _: u64 = con.raw(&["HSET", PROFILE, "level", "secret"]);
        for error in [con.error(ProfileOf { id: 1 }.load()), con.error(ProfileOf { id: 1 }.hget(Profile::LEVEL))] {
            assert_eq!((error.kind(), error.rule()), (ErrorKind::Decode, Some(Rule::StoredForm)));
            let text = error.to_string();
            assert!(text.starts_with("field `level`"), "{text}");
            assert!(!text.contains("secret"), "{text}");
        }
    });
}

#[test]
fn a_hash_without_known_fields_loads_as_none() {
    on_every_connection(|con| {
        let _: u64 = con.raw(&["HSET", PROFILE, "unknown", "x"]);
        let _: bool = con.raw(&["EXPIRE", PROFILE, "60"]);
        assert_eq!(con.ok(ProfileOf { id: 1 }.load()), None);
    });
}

#[test]
fn many_records_are_stored_and_loaded_in_a_batch() {
    everywhere(|con| {
        let keys: Vec<_> = (1..=60).map(|id| ProfileOf { id }).collect();
        let profile = |id: u32| Profile { visits: id.into(), ..ada() };
        con.batch(keys.iter().map(|key| key.store(&profile(key.id))).collect::<Vec<_>>()).expect("the batch succeeds");
        let found = con.batch(keys.iter().map(ProfileOf::load).collect::<Vec<_>>()).expect("the batch succeeds");
        assert!(found.iter().zip(&keys).all(|(found, key)| *found == Some(profile(key.id))));
    });
}
