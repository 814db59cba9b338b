//! Two releases of a shop beside each other on one server: what is said about a change is what both programs see.

use redis_keys::prelude::*;
use redis_keys::stored::Stored;
use redis_keys::testing::Server;
use redis_keys::{RedisKey, types::RecordKey};
use redis_keys_core::schema::Schema;
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
    #[redis_key(cache:product:{id}:string, value = Json<Product>, ttl = 1h, cache(null_ttl = 5m))]
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
    #[redis_key(cache:product:{id}:string, value = Json<Product>, ttl = 1h, cache(null_ttl = 5m))]
    pub struct ProductKey {
        pub id: u64,
    }

    #[derive(Debug, PartialEq, RedisHash)]
    pub struct SignedIn {
        pub account_id: u64,
        pub email: String,
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
        Returned,
    }

    #[derive(RedisKey)]
    #[redis_key(order:state:{id}:string, value = Json<State>, ttl = 30d)]
    pub struct OrderState {
        pub id: u64,
    }
}

/// What is said about a change of a key's value.
fn said<K: RedisKey>(old: &Form, new: &Form) -> Problem {
    compare(&Schema::from_texts(&K::SCHEMA.to_owned_texts()).unwrap(), &[old], new).unwrap()
}

fn form<F: Stored>() -> Form {
    F::form(&mut Vec::new())
}

fn is_undecodable<T>(result: &Result<T, redis_keys::Error>) -> bool {
    result.as_ref().is_err_and(|error| error.kind() == redis_keys::ErrorKind::Decode)
}
