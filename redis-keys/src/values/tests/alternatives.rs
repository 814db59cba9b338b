//! Enums without a tag.
#![allow(dead_code, reason = "only their shapes matter")]

use std::collections::BTreeMap;
use std::num::NonZeroU8;

use serde::{Deserialize, Deserializer, Serialize};

use super::{assert_noted, traced};
use crate::values::shape_of;

#[derive(Serialize, Deserialize)]
struct Card {
    number: u64,
    holder: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Cash {
    currency: String,
    coins: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Payment {
    Card(Card),
    Cash(Cash),
}

#[derive(Serialize, Deserialize, Default)]
#[serde(untagged)]
enum Value {
    Number(u64),
    Text(String),
    Place {
        name: String,
        floor: i8,
    },
    #[default]
    Nothing,
}

impl Default for Payment {
    fn default() -> Self {
        Self::Card(Card { number: 0, holder: None })
    }
}
const PAYMENT: &str = "one of { partly { number: u64, holder: text? }, partly { currency: text, coins: [u8] } }";
const VALUE: &str = "one of { u64, text, partly { name: text, floor: i8 }, unit }";
const PARTLY: &str = "serde buffers this value, so it may have more fields";

#[test]
fn alternatives_in_all_places() {
    #[derive(Serialize, Deserialize)]
    struct Order {
        first: Payment,
        second: Payment,
        id: u8,
        last: Option<Payment>,
        all: Vec<Payment>,
        values: BTreeMap<String, Value>,
        value: Value,
    }
    assert_eq!(
        traced::<Order>(true).0,
        format!(
            "{{ first: {PAYMENT}, second: {PAYMENT}, id: u8, last: {PAYMENT}?, all: [{PAYMENT}], \
             values: map<text, {VALUE}>, value: {VALUE} }}"
        ),
    );
    let partly = [1, 2].map(|index| format!("`::{index}`: {PARTLY}"));
    assert_noted::<Payment>(PAYMENT, &[&partly[0], &partly[1]]);
    assert_noted::<Value>(VALUE, &[&format!("`::3`: {PARTLY}")]);
}

#[test]
fn alternatives_beside_a_tag() {
    #[derive(Serialize, Deserialize)]
    struct Failure {
        payment: Payment,
        reason: String,
    }
    #[derive(Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum Event {
        Paid(Payment),
        Failed(Failure),
        Changed { from: Value, to: Value },
    }
    let shape = format!(
        "enum by type {{ Paid: {PAYMENT}, Failed partly {{ payment: {PAYMENT}, reason: text }}, \
         Changed partly {{ from: {VALUE}, to: {VALUE} }} }}"
    );
    assert_eq!(traced::<Event>(true).0, shape);
}

/// Fields that are not needed are given last.
#[test]
fn alternatives_in_fields_with_a_default() {
    #[derive(Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum Noted<T: Default> {
        Noted {
            #[serde(default)]
            value: T,
        },
    }
    let noted = |shape: &str| format!("enum by type {{ Noted partly {{ value: {shape} (optional) }} }}");
    assert_eq!(traced::<Noted<Value>>(true).0, noted(VALUE));
    assert_eq!(traced::<Noted<Payment>>(true).0, noted(PAYMENT));
}

#[test]
fn alternatives_inside_alternatives() {
    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Way {
        Payment(Payment),
        Code(u8),
    }
    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Order {
        Now { payment: Payment },
        Later { day: u8, value: Value },
    }
    assert_eq!(traced::<Way>(true).0, format!("{}, u8 }}", PAYMENT.trim_end_matches(" }").to_owned() + " }"));
    let shape = format!("one of {{ partly {{ payment: {PAYMENT} }}, partly {{ day: u8, value: {VALUE} }} }}");
    assert_eq!(traced::<Order>(true).0, shape);
}

/// A value of an alternative that is never read shows nothing, so it is not said what is written of it.
#[test]
fn an_alternative_behind_one_that_reads_its_values_is_not_known() {
    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Limit {
        Most { most: u8 },
        Range { least: u8, most: u8 },
        Same { most: u8 },
    }
    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Options {
        First { first: Option<u8> },
        Second { second: Option<u8> },
    }
    let why = |index| format!("`.`: no value of its alternative {index} could be made");
    assert_noted::<Limit>(
        "one of { partly { most: u8 }, unknown, unknown }",
        &[&format!("`::1`: {PARTLY}"), &why(2), &why(3)],
    );
    assert_noted::<Options>("one of { partly { first: u8? }, unknown }", &[&format!("`::1`: {PARTLY}"), &why(2)]);
}

#[test]
fn alternatives_that_reject_other_fields_show_theirs() {
    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Size {
        bytes: Option<u64>,
    }
    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Time {
        seconds: u32,
        jitter: Option<u8>,
    }
    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Limit {
        Size(Size),
        Time(Time),
    }
    assert_eq!(traced::<Limit>(true).0, "one of { only { bytes: u64? }, only { seconds: u32, jitter: u8? } }");
}

#[test]
fn an_enum_without_a_tag_inside_itself() {
    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Tree {
        Leaf(f64),
        Name(String),
        Node(Vec<Tree>),
    }
    let why = "`::3[]`: the type's own rules reject all values that were tried";
    assert_noted::<Tree>("one of { f64, text, [unknown] }", &[why]);
}

/// An error that another type drops is none of an alternative.
#[test]
fn errors_that_other_types_drop_do_not_count() {
    #[allow(clippy::unnecessary_wraps, reason = "serde calls it so")]
    fn lenient<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
        Ok(u8::deserialize(deserializer).ok())
    }
    #[derive(Serialize, Deserialize)]
    struct Order {
        #[serde(deserialize_with = "lenient")]
        count: Option<u8>,
        payment: Payment,
    }
    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Code {
        Number(NonZeroU8),
        Text(String),
    }
    #[derive(Serialize, Deserialize)]
    struct Coded {
        code: Code,
        payment: Payment,
    }
    #[derive(Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum Event {
        Ordered(Order),
    }
    let shape = format!("{{ code: one of {{ any<u8>, text }}, payment: {PAYMENT} }}");
    assert_eq!(traced::<Coded>(true).0, shape);
    for shape in [traced::<Order>(true).0, traced::<Event>(true).0] {
        assert!(shape.contains("partly { number: u64, holder: text? }"), "{shape}");
    }
}

#[test]
fn random_values_are_of_each_alternative() {
    let traced = shape_of::<Vec<Payment>>(true);
    let made: Vec<_> = (0..50).filter_map(|seed| traced.random::<Vec<Payment>>(seed)).flatten().collect();
    let cards = made.iter().filter(|payment| matches!(payment, Payment::Card(_))).count();
    assert!(cards > 10 && made.len() - cards > 10, "{cards} of {}", made.len());
}
