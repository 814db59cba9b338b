//! Values by hand, which the tracer does not make: each is lost after a change of its type.
//!
//! A tracer sees what a type does with some values, not with all. What it cannot know, it must say.
#![allow(dead_code, unreachable_pub, reason = "the types are only stored and read")]

use redis_keys::stored::{Json, Stored};
use redis_keys::values::shape_of;
use redis_keys_core::value_shape::{Codec, Form};
use redis_keys_schema::values::{Outcome, outcome, read};
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::checks::Value;

/// What the tool says about a change after which a value is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    /// It predicts a loss, or notes that it does not know the type in full.
    Yes,
    /// The type's own code rejects a value that nothing in the type hints at.
    No,
}

/// Stores a value, which the new type cannot read, and compares that with the prediction.
fn lost<A: Value, B: Value>(value: &A, expected: Seen) {
    let mut bytes = Vec::new();
    Json::<A>::encode(value, &mut bytes).unwrap();
    assert!(Json::<B>::decode(bytes).is_err(), "the new type reads it");
    let (old, new) = (shape_of::<A>(true), shape_of::<B>(true));
    let is_noted = !old.notes.is_empty() || !new.notes.is_empty();
    let (old, new) = (Form::Serde(Codec::Json, old.shape), Form::Serde(Codec::Json, new.shape));
    let findings = read(&old, &new);
    let seen = if is_noted || outcome(&findings) >= Outcome::Unsure { Seen::Yes } else { Seen::No };
    assert_eq!(seen, expected, "{findings:?}\n{old}\n{new}");
}

mod flattened {
    use super::{Deserialize, Serialize};

    #[derive(Serialize, Deserialize)]
    pub struct Old {
        pub id: u8,
        #[serde(flatten)]
        pub author: OldAuthor,
    }

    #[derive(Serialize, Deserialize)]
    pub struct OldAuthor {
        #[serde(skip_serializing_if = "Option::is_none")]
        pub age: Option<u8>,
    }

    #[derive(Serialize, Deserialize)]
    pub struct New {
        pub id: u8,
        #[serde(flatten)]
        pub author: NewAuthor,
    }

    #[derive(Serialize, Deserialize)]
    pub struct NewAuthor {
        #[serde(skip_serializing_if = "Option::is_none")]
        pub age: Option<String>,
    }
}

#[test]
fn a_field_that_is_flattened_and_seldom_written() {
    let old = flattened::Old { id: 1, author: flattened::OldAuthor { age: Some(1) } };
    lost::<_, flattened::New>(&old, Seen::Yes);
}

mod untagged {
    use super::{Deserialize, Serialize};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    pub enum Old {
        Number(u32),
        Place { name: String },
    }

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    pub enum New {
        Number(u32),
        Place { name: u8 },
    }
}

#[test]
fn a_struct_in_an_untagged_enum() {
    lost::<_, untagged::New>(&untagged::Old::Place { name: "Rome".to_owned() }, Seen::Yes);
}

mod tagged {
    use super::{Deserialize, Serialize};

    #[derive(Serialize, Deserialize)]
    #[serde(tag = "kind")]
    pub enum Old {
        Codes { codes: Vec<u8> },
    }

    #[derive(Serialize, Deserialize)]
    #[serde(tag = "kind")]
    pub enum New {
        Codes { codes: Vec<String> },
    }
}

#[test]
fn a_list_in_a_tagged_enum() {
    lost::<_, tagged::New>(&tagged::Old::Codes { codes: vec![1] }, Seen::Yes);
}

#[derive(Serialize, Deserialize)]
struct Free {
    number: u32,
    name: String,
    codes: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
struct Strict {
    #[serde(deserialize_with = "not_seven")]
    number: u32,
    #[serde(deserialize_with = "not_long")]
    name: String,
    #[serde(deserialize_with = "not_many")]
    codes: Vec<u8>,
}

fn not_seven<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let number = u32::deserialize(deserializer)?;
    if number == 7 { Err(de::Error::custom("seven")) } else { Ok(number) }
}

fn not_long<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    if name.len() > 40 { Err(de::Error::custom("long")) } else { Ok(name) }
}

fn not_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let codes = Vec::deserialize(deserializer)?;
    if codes.len() > 10 { Err(de::Error::custom("many")) } else { Ok(codes) }
}

#[test]
fn rules_that_reject_few_values_are_not_seen() {
    let value = |number, name: &str, codes| Free { number, name: name.to_owned(), codes };
    for value in [value(7, "", vec![]), value(0, &"x".repeat(50), vec![]), value(0, "", vec![1; 20])] {
        lost::<_, Strict>(&value, Seen::No);
    }
}
