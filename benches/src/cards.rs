//! Cached keys: the cards of users.

use redis::Cmd;
use redis_keys::prelude::*;
use serde::{Deserialize, Serialize};

/// The number of different cards that are read.
pub const KEYS: u64 = 10_000;

/// The expiry of every card.
pub const TTL_MS: u64 = 3_600_000;

/// The data of a card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Card {
    name: String,
    email: Option<String>,
    country: String,
    visits: u64,
    score: f64,
    active: bool,
}

/// The card of a user.
#[derive(RedisKey)]
#[redis_key(user:card:{user_id}:string, value = Json<Card>, ttl = 1h, jitter = 10%, cache(null_ttl = 5m))]
pub struct UserCard {
    /// The user.
    pub user_id: u64,
}

/// The card of a user, which is loaded again before it expires.
#[derive(RedisKey)]
#[redis_key(
    user:fresh.card:{user_id}:string, value = Json<Card>, ttl = 1h, jitter = 10%,
    cache(null_ttl = 5m, refresh = 80%),
)]
pub struct FreshCard {
    /// The user.
    pub user_id: u64,
}

/// The card of a user, of which processes keep copies.
#[derive(RedisKey)]
#[redis_key(
    user:near.card:{user_id}:string, value = Json<Card>, ttl = 1h, jitter = 10%,
    cache(null_ttl = 5m, near = 10m),
)]
pub struct NearCard {
    /// The user.
    pub user_id: u64,
}

/// The card of a user as MessagePack, the form of the crate `cached`.
#[derive(RedisKey)]
#[redis_key(user:packed.card:{user_id}:string, value = MessagePack<Card>, ttl = 1h, jitter = 10%, cache(null_ttl = 5m))]
pub struct PackedCard {
    /// The user.
    pub user_id: u64,
}

impl Card {
    /// The card of a user.
    pub fn of(user_id: u64) -> Self {
        Self {
            name: "Ada Lovelace".to_owned(),
            email: Some("ada@example.org".to_owned()),
            country: "United Kingdom".to_owned(),
            visits: user_id,
            score: 0.25,
            active: true,
        }
    }

    /// The card as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a card has a JSON text")
    }

    /// Reads a card by hand.
    pub fn from_json(json: &str) -> Self {
        serde_json::from_str(json).expect("the text is a card")
    }
}

/// The GET of a card by hand.
pub fn get(user_id: u64) -> Cmd {
    let mut command = redis::cmd("GET");
    command.arg(format!("user:card:{user_id}:string"));
    command
}

/// The SET of a card by hand.
pub fn set(user_id: u64, card: &Card) -> Cmd {
    let mut command = redis::cmd("SET");
    command.arg(format!("user:card:{user_id}:string")).arg(card.to_json()).arg("PX").arg(TTL_MS);
    command
}
