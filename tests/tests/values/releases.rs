//! Two releases of a shop beside each other on one server: what is said about a change is what both programs see.
#![allow(unreachable_pub, reason = "the releases are in modules of their own")]

use redis_keys::prelude::*;
use redis_keys::stored::{Json, Stored as _};
use redis_keys::testing::Server;
use redis_keys::{Error, ErrorKind};
use redis_keys_core::value_shape::Form;
use redis_keys_schema::values::{Level, Problem, compare};
use redis_keys_tests::Con;

/// The release that runs.
mod first {
    use redis_keys::prelude::*;
    use serde::{Deserialize, Serialize};

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Product {
        pub name: String,
        pub cents: u64,
    }

    #[derive(RedisKey)]
    #[redis_key(cache:product:{id}:string, value = Json<Product>, ttl = 1h, jitter = 10%, cache(null_ttl = 5m))]
    pub struct ProductKey {
        pub id: u64,
    }

    #[derive(Debug, PartialEq, RedisHash)]
    pub struct SignedIn {
        pub account_id: u64,
    }

    #[derive(RedisKey)]
    #[redis_key(session:login:{id}:hash, value = SignedIn, ttl = 7d, renew = below(6d))]
    pub struct Session {
        pub id: u64,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    pub enum State {
        Ordered,
        Sent,
    }

    #[derive(RedisKey)]
    #[redis_key(order:state:{id}:string, value = Json<State>, ttl = 30d)]
    pub struct OrderState {
        pub id: u64,
    }
}

/// The release that is deployed: a renamed field, a new mandatory field, and a new variant.
mod second {
    use redis_keys::prelude::*;
    use serde::{Deserialize, Serialize};

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Product {
        pub title: String,
        pub cents: u64,
    }

    #[derive(RedisKey)]
    #[redis_key(cache:product:{id}:string, value = Json<Product>, ttl = 1h, jitter = 10%, cache(null_ttl = 5m), allow(overlap, reason = "another release"))]
    pub struct ProductKey {
        pub id: u64,
    }

    #[derive(Debug, PartialEq, RedisHash)]
    pub struct SignedIn {
        pub account_id: u64,
        pub email: String,
    }

    #[derive(RedisKey)]
    #[redis_key(session:login:{id}:hash, value = SignedIn, ttl = 7d, renew = below(6d), allow(overlap, reason = "another release"))]
    pub struct Session {
        pub id: u64,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    pub enum State {
        Ordered,
        Sent,
        Returned,
    }

    #[derive(RedisKey)]
    #[redis_key(order:state:{id}:string, value = Json<State>, ttl = 30d, allow(overlap, reason = "another release"))]
    pub struct OrderState {
        pub id: u64,
    }
}

/// What is said about a change of a key's value.
fn said<K: RedisKey>(form: impl Fn(&mut Vec<String>) -> Form, new: impl Fn(&mut Vec<String>) -> Form) -> Problem {
    let (form, new) = (form(&mut Vec::new()), new(&mut Vec::new()));
    compare(&K::SCHEMA.into_owned(), &[&form], &new).unwrap()
}

fn is_undecodable<T>(result: &Result<T, Error>) -> bool {
    result.as_ref().is_err_and(|error| error.kind() == ErrorKind::Decode)
}

fn server() -> (Server, Con) {
    let server = Server::start().unwrap();
    let con = Con::blocking(&server.url());
    (server, con)
}

#[test]
fn a_renamed_field_is_a_miss_of_a_cache() {
    let problem = said::<second::ProductKey>(Json::<first::Product>::form, Json::<second::Product>::form);
    assert_eq!(
        (problem.level, problem.title.split(':').next()),
        (Level::Warning, Some("stored values cannot be read"))
    );

    let (_server, mut con) = server();
    let (old, new) = (first::ProductKey { id: 7 }, second::ProductKey { id: 7 });
    con.run(old.set(&first::Product { name: "a chair".to_owned(), cents: 4_900 })).unwrap();
    assert!(is_undecodable(&con.run(new.get())));
    // Loading replaces the value, which the old program then misses in turn.
    con.run(new.set(&second::Product { title: "a chair".to_owned(), cents: 4_900 })).unwrap();
    assert!(is_undecodable(&con.run(old.get())));
}

#[test]
fn a_new_mandatory_field_of_a_record_loses_what_is_stored() {
    let problem = said::<second::Session>(first::SignedIn::form, second::SignedIn::form);
    assert_eq!((problem.level, problem.title.split(':').next()), (Level::Error, Some("stored values cannot be read")));
    let old_programs = problem.lines.iter().any(|line| line.starts_with("new value, old program"));

    let (_server, mut con) = server();
    let (old, new) = (first::Session { id: 7 }, second::Session { id: 7 });
    con.run(old.store(&first::SignedIn { account_id: 1 })).unwrap();
    assert!(is_undecodable(&con.run(new.load())));
    con.run(new.store(&second::SignedIn { account_id: 1, email: "a@b.example".to_owned() })).unwrap();
    let read = con.run(old.load()).unwrap();
    assert_eq!((read, old_programs), (Some(first::SignedIn { account_id: 1 }), false));
}

#[test]
fn a_new_variant_is_unknown_to_old_programs_only() {
    let problem = said::<second::OrderState>(Json::<first::State>::form, Json::<second::State>::form);
    let title = "old programs cannot read some new values";
    assert_eq!((problem.level, problem.title.split(':').next()), (Level::Error, Some(title)));

    let (_server, mut con) = server();
    let (old, new) = (first::OrderState { id: 7 }, second::OrderState { id: 7 });
    con.run(old.set(&first::State::Sent)).unwrap();
    assert_eq!(con.run(new.get()).unwrap(), Some(second::State::Sent));
    con.run(new.set(&second::State::Ordered)).unwrap();
    assert_eq!(con.run(old.get()).unwrap(), Some(first::State::Ordered));
    con.run(new.set(&second::State::Returned)).unwrap();
    assert!(is_undecodable(&con.run(old.get())));
}
