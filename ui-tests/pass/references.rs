//! References that are values: each form of a reference that a call takes.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use redis_keys::prelude::*;
use serde::{Deserialize, Serialize};

/// A value of its own.
#[derive(Serialize, Deserialize)]
pub struct Card {
    /// The name on it.
    pub name: String,
}

/// A text.
#[derive(RedisKey)]
#[redis_key(references:name:{user}:string, value = String, ttl = 1h)]
pub struct Name {
    /// Whose.
    pub user: u64,
}

/// A card.
#[derive(RedisKey)]
#[redis_key(references:card:{user}:string, value = Json<Card>, ttl = 1h)]
pub struct UserCard {
    /// Whose.
    pub user: u64,
}

/// Numbers.
#[derive(RedisKey)]
#[redis_key(references:followers:{user}:set, value = u64, ttl = 30d)]
pub struct Followers {
    /// Whose.
    pub user: u64,
}

/// Texts.
#[derive(RedisKey)]
#[redis_key(references:tags:{user}:set, value = String, ttl = 30d)]
pub struct Tags {
    /// Whose.
    pub user: u64,
}

/// Bytes.
#[derive(RedisKey)]
#[redis_key(references:image:{user}:string, value = Vec<u8>, ttl = 1h)]
pub struct Image {
    /// Whose.
    pub user: u64,
}

static GREETING: LazyLock<String> = LazyLock::new(|| "hello".to_owned());

/// Text.
pub fn texts(guard: &std::sync::MutexGuard<'_, String>) -> [Command<()>; 9] {
    let (key, text) = (Name { user: 1 }, "Ada".to_owned());
    let (cow, shared, boxed) = (Cow::from("Ada"), Arc::<str>::from("Ada"), text.clone().into_boxed_str());
    let shared_text = Arc::new(text.clone());
    [
        key.set("Ada"),
        key.set(&text),
        key.set(&cow),
        key.set(&shared),
        key.set(&shared_text),
        key.set(&boxed),
        key.set(&GREETING),
        key.set(guard),
        key.set(&format!("{text}!")),
    ]
    .map(Command::from)
}

/// Values of other types.
pub fn values(digits: &str) -> Vec<Command<()>> {
    let (key, card) = (UserCard { user: 1 }, Card { name: "Ada".to_owned() });
    let shared = Arc::new(Card { name: "Ada".to_owned() });
    let boxed = Box::new(Card { name: "Ada".to_owned() });
    let image = Image { user: 1 };
    let bytes = digits.as_bytes().to_vec();
    [key.set(&card), key.set(&shared), key.set(&boxed), key.set(&Card { name: digits.to_owned() })]
        .map(Command::from)
        .into_iter()
        .chain(
            [image.set(b"bytes"), image.set(&bytes), image.set(&[1, 2]), image.set(digits.as_bytes())]
                .map(Command::from),
        )
        .collect()
}

/// Members.
pub fn members(number: u64, digits: &str) -> [Command<bool>; 5] {
    let key = Followers { user: 1 };
    [
        key.sadd(&7),
        key.sadd(&number),
        key.sadd(&digits.parse().unwrap_or_default()),
        key.sadd(&Default::default()),
        Tags { user: 1 }.sadd("tea"),
    ]
}

/// Several members.
pub fn many(numbers: &[u64], texts: &[String]) -> Vec<Command<u64>> {
    let (key, tags) = (Followers { user: 1 }, Tags { user: 1 });
    vec![
        key.sadd_many([&1, &2]),
        key.sadd_many(numbers),
        tags.sadd_many(["a", "b"]),
        tags.sadd_many(texts.iter().map(String::as_str)),
    ]
}
