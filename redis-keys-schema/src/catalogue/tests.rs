//! The values of types, and JSON.

use redis_keys_core::ValueSet;

use super::*;

fn number(from: u128, to: u128) -> Values {
    Values::Number { from, to }
}

#[test]
fn values_follow_from_the_name_of_a_type() {
    let u64 = number(0, u64::MAX.into());
    let hex = |digits| Values::Hex { digits };
    for (ty, expected) in [
        ("u64", u64.clone()),
        ("i8", number(0, 127)),
        ("NonZero<u8>", number(1, 255)),
        ("std::num::NonZeroI8", number(1, 127)),
        ("&'a u64", u64.clone()),
        ("&'static str", Values::Any),
        ("&str", Values::Any),
        ("String", Values::Any),
        ("Box<str>", Values::Any),
        ("std::borrow::Cow<'a,str>", Values::Any),
        ("Arc<Box<u64>>", u64),
        ("bool", Values::OneOf(vec!["false".to_owned(), "true".to_owned()])),
        ("uuid::Uuid", hex(32)),
        ("&'a Uuid", hex(32)),
        ("Ipv4Addr", hex(8)),
        ("std::net::IpAddr", Values::IpAddr),
        ("chrono::NaiveDate", Values::Days),
        ("civil::Date", Values::Days),
        ("redis_keys::bucket::Month", Values::Months),
        ("bucket::Hour", Values::Hours),
    ] {
        assert_eq!(Values::of_type(ty), expected, "{ty}");
    }
    for ty in [
        "Section",
        "ids::Uuid",
        "my::bucket::Month",
        "NonZero<Id>",
        "NonZeroId",
        "Option<u64>",
        "T",
        "",
        "[u8;16]",
        "&",
        "Cow<'a>",
    ] {
        assert_eq!(Values::of_type(ty), Values::Unknown, "{ty}");
    }
}

#[test]
fn an_example_is_one_of_the_values() {
    let set = |values: &Values| match values {
        Values::Number { from, to } => Some(ValueSet::Number { from: *from, to: *to }),
        Values::Hex { digits } => Some(ValueSet::Hex { digits: *digits }),
        Values::IpAddr => Some(ValueSet::IpAddr),
        Values::Base32 => Some(ValueSet::Base32),
        Values::Years => Some(ValueSet::Years),
        Values::Months => Some(ValueSet::Months),
        Values::Days => Some(ValueSet::Days),
        Values::Hours => Some(ValueSet::Hours),
        _ => None,
    };
    let names = Values::OneOf(vec!["orders".to_owned(), "basic.info".to_owned()]);
    assert_eq!(
        (names.example().as_deref(), names.longest(), names.is_dotted()),
        (Some("orders"), Some(10), Some(true))
    );
    assert_eq!((Values::Unknown.example(), Values::Unknown.longest(), Values::Unknown.is_dotted()), (None, None, None));
    let numbers = [number(0, 0), number(0, 41), number(43, 99), number(1, u128::MAX)];
    let digits = [1, 8, 32, 40].map(|digits| Values::Hex { digits });
    let others = [Values::IpAddr, Values::Base32, Values::Years, Values::Months, Values::Days, Values::Hours];
    for values in numbers.into_iter().chain(digits).chain(others) {
        let example = values.example().unwrap_or_default();
        assert!(set(&values).is_some_and(|set| set.contains(example.as_bytes())), "{values:?} {example}");
        assert!(values.longest().is_none_or(|longest| example.len() <= longest), "{values:?} {example}");
    }
}

#[test]
fn json_is_escaped() {
    assert_eq!("a\"\\\n\t\r\u{1b}\u{7f}\u{9b}é".to_json(), r#""a\"\\\n\t\r\u001b\u007f\u009bé""#);
    let object = Object::new().field("a", &None::<u64>).field("b", &vec![1_u64, 2]).field("c", &true);
    assert_eq!(object.to_json(), r#"{"a":null,"b":[1,2],"c":true}"#);
    assert_eq!(Object::new().to_json(), "{}");
    assert_eq!(Values::OneOf(vec!["a.b".to_owned()]).to_json(), r#"{"one_of":["a.b"]}"#);
    assert_eq!(number(1, 2).to_json(), r#"{"number":{"from":"1","to":"2"}}"#);
    assert_eq!(Values::Unknown.to_json(), "null");
}
