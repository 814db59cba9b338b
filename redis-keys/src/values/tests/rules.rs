//! Types with rules of their own, and what the tracer cannot see.
#![allow(dead_code, reason = "only their shapes matter")]

use std::num::NonZeroU8;

use serde::{Deserialize, Serialize};

use super::{assert_shape, traced};

#[derive(Serialize, Deserialize, Clone)]
#[serde(try_from = "String", into = "String")]
struct Email(String);

impl TryFrom<String> for Email {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        if text.contains('@') { Ok(Self(text)) } else { Err("not an address") }
    }
}

impl From<Email> for String {
    fn from(email: Email) -> Self {
        email.0
    }
}

#[test]
fn texts_that_a_type_accepts() {
    #[derive(Serialize, Deserialize)]
    struct Contact {
        mail: Email,
        others: Vec<Email>,
        at: chrono::DateTime<chrono::Utc>,
        day: chrono::NaiveDate,
        instant: jiff::Timestamp,
    }
    assert_shape::<Contact>(
        "{ mail: text like \"a@b.example\", others: [text like \"a@b.example\"], \
         at: text like \"2026-01-02T03:04:05Z\", day: text like \"2026-01-02\", \
         instant: text like \"2026-01-02T03:04:05Z\" }",
    );
}

/// Formats for people and those for programs have different forms of the same type.
#[test]
fn forms_for_people_and_for_programs() {
    let uuid = |is_human_readable| traced::<uuid::Uuid>(is_human_readable).0;
    assert_eq!(uuid(true), "text like \"00000000-0000-4000-8000-000000000001\"");
    assert_eq!(uuid(false), "checked<bytes, not \"1 byte\", not \"no bytes\">");
}

#[test]
fn numbers_that_a_type_rejects() {
    #[derive(Serialize, Deserialize, Clone, Copy)]
    #[serde(try_from = "i32", into = "i32")]
    struct Positive(i32);
    impl TryFrom<i32> for Positive {
        type Error = &'static str;
        fn try_from(number: i32) -> Result<Self, &'static str> {
            if number > 0 { Ok(Self(number)) } else { Err("not positive") }
        }
    }
    impl From<Positive> for i32 {
        fn from(positive: Positive) -> Self {
            positive.0
        }
    }
    assert_shape::<NonZeroU8>("checked<u8, not \"0\">");
    assert_shape::<(Positive, u8)>("(checked<i32, not \"0\", not \"-1\">, u8)");
}
