//! Types with rules of their own, and what the tracer cannot see.
#![allow(dead_code, reason = "only their shapes matter")]

use std::collections::BTreeSet;
use std::num::NonZeroU8;

use serde::{Deserialize, Deserializer, Serialize, de};

use super::{assert_noted, assert_shape, traced};

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

/// A type that accepts nothing does not hide the rest.
#[test]
fn opaque_parts_are_left_out() {
    #[derive(Serialize)]
    struct Opaque;
    impl<'de> Deserialize<'de> for Opaque {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            String::deserialize(deserializer)?;
            Err(de::Error::custom("never"))
        }
    }
    #[derive(Serialize, Deserialize)]
    enum State {
        Open { by: Opaque },
        Closed,
    }
    #[derive(Serialize, Deserialize)]
    struct Job {
        id: u64,
        owner: Option<Opaque>,
        states: Vec<State>,
        after: u8,
    }
    let why = "the type's own rules reject all values that were tried";
    assert_noted::<Job>(
        "{ id: u64, owner: checked<text>?, states: [enum { Open { by: checked<text> (perhaps needed) }, Closed }], after: u8 }",
        &[
            &format!("`.owner`: {why}"),
            &format!("`.states[]::Open.by`: {why}"),
            "`.states[]::Open`: no value of this variant could be made",
        ],
    );
    assert_noted::<Opaque>("unknown", &[&format!("`.`: {why}")]);
}

/// A struct that is rejected as a whole is not the fault of its last field.
#[test]
fn the_field_that_a_struct_is_rejected_for_is_found() {
    #[derive(Serialize, Deserialize)]
    struct Raw {
        start: u64,
        mail: String,
        after: u8,
        text: String,
    }
    #[derive(Serialize, Deserialize)]
    #[serde(try_from = "Raw")]
    struct Checked {
        start: u64,
        mail: String,
        after: u8,
        text: String,
    }
    impl TryFrom<Raw> for Checked {
        type Error = &'static str;
        fn try_from(Raw { start, mail, after, text }: Raw) -> Result<Self, &'static str> {
            if mail.contains('@') { Ok(Self { start, mail, after, text }) } else { Err("not an address") }
        }
    }
    assert_shape::<Checked>("{ start: u64, mail: text like \"a@b.example\", after: u8, text: text }");
}

/// An innocent part is tried once, however many values the part that fails needs.
#[test]
fn the_field_that_a_struct_is_rejected_for_is_found_before_many_others() {
    #[derive(Serialize, Deserialize)]
    struct Raw {
        mail: String,
        first: String,
        second: String,
        last: String,
    }
    #[derive(Serialize, Deserialize)]
    #[serde(try_from = "Raw")]
    struct Checked {
        mail: String,
        first: String,
        second: String,
        last: String,
    }
    impl TryFrom<Raw> for Checked {
        type Error = &'static str;
        fn try_from(Raw { mail, first, second, last }: Raw) -> Result<Self, &'static str> {
            if mail.contains('@') { Ok(Self { mail, first, second, last }) } else { Err("not an address") }
        }
    }
    assert_shape::<Checked>("{ mail: text like \"a@b.example\", first: text, second: text, last: text }");
}

/// Only a value without all that can be missing shows that.
#[test]
fn a_field_that_is_not_written_if_all_in_it_is_missing() {
    #[derive(Serialize, Deserialize, PartialEq, Default)]
    struct Notes {
        texts: [Option<u8>; 12],
        more: [Option<u8>; 12],
    }
    fn is_empty(notes: &Notes) -> bool {
        *notes == Notes::default()
    }
    #[derive(Serialize, Deserialize)]
    struct Account {
        id: u8,
        #[serde(skip_serializing_if = "is_empty")]
        notes: Notes,
    }
    let options = ["u8?"; 12].join(", ");
    let notes = format!("{{ texts: ({options}), more: ({options}) }}");
    assert_shape::<Account>(&format!("{{ id: u8, notes: {notes} (not always written) }}"));
}

/// Neither a full value nor one with as little as possible shows that, but other values do.
#[test]
fn fields_that_are_not_written_for_some_values() {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    fn is_false(is_done: &bool) -> bool {
        !is_done
    }
    fn are_several(pages: &BTreeSet<u8>) -> bool {
        pages.len() > 1
    }
    #[derive(Serialize, Deserialize)]
    struct Job {
        #[serde(skip_serializing_if = "is_false")]
        is_done: bool,
        #[serde(skip_serializing_if = "are_several")]
        pages: BTreeSet<u8>,
    }
    assert_shape::<Job>("{ is_done: bool (not always written), pages: [u8] (not always written) }");
}

#[test]
fn what_is_written_can_differ_from_what_is_read() {
    #[derive(Deserialize)]
    struct Money {
        #[serde(rename = "cents")]
        _cents: u64,
    }
    impl Serialize for Money {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str("0.00")
        }
    }
    assert_noted::<Vec<Money>>("[any<text>]", &["`[]`: the type does not write what it asks for when it is read"]);
}

#[test]
fn a_panic_is_no_value() {
    #[derive(Serialize)]
    struct Panics;
    impl<'de> Deserialize<'de> for Panics {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let text = String::deserialize(deserializer)?;
            panic!("{text}");
        }
    }
    #[derive(Serialize, Deserialize)]
    struct Account {
        id: u8,
        secret: Option<Panics>,
    }
    let (shape, notes) = traced::<Account>(true);
    assert_eq!(shape, "{ id: u8, secret: checked<text>? }");
    assert_eq!(notes, ["`.secret`: the type's own rules reject all values that were tried"]);
    assert_eq!(traced::<Panics>(true), ("unknown".into(), vec!["`.`: the type's `Deserialize` panics".into()]));
}

/// A type that asks for itself without an end, which no visitor shows.
#[test]
fn endless_types_end() {
    #[derive(Serialize)]
    struct Endless(Box<Self>);
    impl<'de> Deserialize<'de> for Endless {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            <(Box<Self>,)>::deserialize(deserializer).map(|(inner,)| Self(inner))
        }
    }
    let (shape, notes) = traced::<Endless>(true);
    assert_eq!((shape.as_str(), notes.len()), ("unknown", 1));
    let (shape, notes) = traced::<(u8, Vec<Endless>)>(true);
    assert!(shape.starts_with("(u8, [(") && !notes.is_empty(), "{shape} {notes:?}");
}

/// A list that is accepted without elements shows what is written of them if it is given one.
#[test]
fn lists_that_a_type_reads_by_its_own_rules() {
    #[derive(Serialize)]
    struct Links(Vec<(String, u8)>);
    impl<'de> Deserialize<'de> for Links {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let serde_json::Value::Array(links) = serde_json::Value::deserialize(deserializer)? else {
                return Err(de::Error::custom("not a list"));
            };
            let texts = links.iter().map(|link| link.as_str().map(|url| (url.to_owned(), 1)));
            texts.collect::<Option<_>>().map(Self).ok_or(de::Error::custom("not a text"))
        }
    }
    assert_eq!(traced::<Links>(true).0, "any<[any<(any<text>, any<u8>)>]>");
}

/// A text of 64 digits is not among the texts that are tried.
mod digest {
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(_: &[u8; 32], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("digest")
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[u8; 32], D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.len() == 64 { Ok([0; 32]) } else { Err(de::Error::custom("not a digest")) }
    }
}

/// What is beside a value that cannot be made is not rejected.
#[test]
fn a_variant_that_cannot_be_made_does_not_change_what_is_beside_it() {
    #[derive(Serialize, Deserialize)]
    #[serde(tag = "by")]
    enum Proof {
        Nothing,
        Digest {
            #[serde(with = "digest")]
            value: [u8; 32],
        },
    }
    #[derive(Serialize, Deserialize)]
    struct Letter {
        to: Option<String>,
        proof: Proof,
    }
    #[derive(Serialize, Deserialize)]
    struct Signed {
        by: String,
        #[serde(with = "digest")]
        digest: [u8; 32],
        note: Option<u8>,
    }
    #[derive(Serialize, Deserialize)]
    enum Action {
        Count(u8),
        Sign(Signed),
    }
    let (shape, _) = traced::<Letter>(true);
    assert!(shape.starts_with("{ to: text?, proof: enum by by { Nothing partly {}, "), "{shape}");
    let (shape, _) = traced::<Action>(true);
    assert!(!shape.contains("not \""), "{shape}");
}

#[test]
fn a_value_that_cannot_be_written_shows_nothing() {
    fn refuse<S: serde::Serializer>(_: &str, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("no key"))
    }
    #[derive(Serialize, Deserialize)]
    struct Login {
        user: String,
        #[serde(serialize_with = "refuse")]
        password: String,
        attempts: u8,
    }
    let why = "`.`: not all values could be written, so it is not known in full what is";
    assert_noted::<Login>("{ user: text, password: text, attempts: u8 }", &[why]);
}

/// An error does not say which of several structs lacks a field, or has an enum that is no tag.
#[test]
fn structs_inside_buffered_structs_end() {
    #[derive(Serialize, Deserialize)]
    enum Colour {
        Red,
        Blue,
    }
    #[derive(Serialize, Deserialize)]
    struct Car {
        id: String,
        colour: Colour,
    }
    #[derive(Serialize, Deserialize)]
    struct Sale {
        car: Car,
        reason: String,
    }
    #[derive(Serialize, Deserialize)]
    #[serde(tag = "what")]
    enum News {
        Sold(Sale),
    }
    #[derive(Serialize, Deserialize)]
    struct Entry {
        #[serde(flatten)]
        sale: Sale,
        day: u8,
    }
    let sale = "car: partly { id: text, colour: enum { Red, Blue } }, reason: text";
    assert_eq!(traced::<News>(true).0, format!("enum by what {{ Sold partly {{ {sale} }} }}"));
    assert_eq!(traced::<Entry>(true).0, format!("partly {{ {sale}, day: u8 }}"));
}

/// The fields beside a value that cannot be made are known, and so are those after it.
#[test]
fn a_mandatory_part_that_is_not_known_does_not_hide_the_others() {
    #[derive(Serialize, Deserialize)]
    struct Signed {
        #[serde(with = "digest")]
        digest: [u8; 32],
        id: u8,
        note: Option<String>,
    }
    #[derive(Serialize, Deserialize)]
    enum Action {
        Count(u8),
        Sign(Signed),
    }
    // Of no variant a value can be made.
    #[derive(Serialize, Deserialize)]
    enum Proof {
        Sign(Signed),
        Seal(Signed),
    }
    #[derive(Serialize, Deserialize)]
    struct Letter {
        proof: Proof,
    }
    let fields = "digest: checked<text> (perhaps needed), id: u8 (perhaps needed), note: text? (perhaps needed)";
    assert_eq!(traced::<Signed>(true).0, format!("{{ {fields} }}"));
    assert_eq!(traced::<Action>(true).0, format!("enum {{ Count: u8, Sign: {{ {fields} }} }}"));
    let shape = format!("{{ proof: enum {{ Sign: {{ {fields} }}, Seal: {{ {fields} }} }} (perhaps needed) }}");
    assert_eq!(traced::<Letter>(true).0, shape);
}

/// The error of a field that is not known lists those that are.
#[test]
fn buffered_structs_that_reject_other_fields_show_theirs() {
    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Limits {
        #[serde(skip_serializing_if = "Option::is_none")]
        least: Option<u8>,
        #[serde(skip_serializing_if = "Option::is_none")]
        unit: Option<String>,
    }
    #[derive(Serialize, Deserialize)]
    #[serde(tag = "of")]
    enum Rule {
        Size(Limits),
    }
    #[derive(Serialize, Deserialize)]
    struct Name {
        name: String,
    }
    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Strict {
        #[serde(flatten)]
        name: Name,
        age: Option<u8>,
    }
    let rule = "enum by of { Size only { least: u8? (not always written), unit: text? (not always written) } }";
    assert_eq!(traced::<Rule>(true).0, rule);
    assert_eq!(traced::<Strict>(true).0, "only partly { name: text, age: u8? }");
}
