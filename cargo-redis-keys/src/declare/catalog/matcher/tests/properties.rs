//! Random declarations and keys, compared with a slow implementation: the overlap check of the compiler, and the
//! alphabet.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use redis_keys_core::{KeyPattern, ValueSet};

use super::*;

const NAMES: &[&str] = &["a", "b.a", "7", "20261231"];

/// The values of a parameter, as the compiler and as the catalog know them.
fn values() -> impl Strategy<Value = (ValueSet, Option<Values>)> {
    select(vec![
        (ValueSet::Any, None),
        (ValueSet::Any, Some(Values::Any)),
        (ValueSet::up_to(42), Some(Values::Number { from: 0, to: 42 })),
        (ValueSet::Number { from: 7, to: u128::MAX }, Some(Values::Number { from: 7, to: u128::MAX })),
        (ValueSet::Hex { digits: 8 }, Some(Values::Hex { digits: 8 })),
        (ValueSet::IpAddr, Some(Values::IpAddr)),
        (ValueSet::Base32, Some(Values::Base32)),
        (ValueSet::Years, Some(Values::Years)),
        (ValueSet::Months, Some(Values::Months)),
        (ValueSet::Days, Some(Values::Days)),
        (ValueSet::Hours, Some(Values::Hours)),
        (ValueSet::OneOf(NAMES), names(NAMES)),
    ])
}

#[derive(Clone, Debug)]
enum Piece {
    Text(&'static str),
    Parameter(ValueSet, Option<Values>, bool),
}

/// A segment, as its words.
fn segment() -> impl Strategy<Value = Vec<Piece>> {
    let piece = || {
        prop_oneof![
            select(vec!["a", "b", "7", "string"]).prop_map(Piece::Text),
            (values(), any::<Index>()).prop_map(|((set, values), tag)| Piece::Parameter(
                set,
                values,
                tag.index(8) == 0
            )),
        ]
    };
    prop_oneof![3 => proptest::collection::vec(piece(), 1), 1 => proptest::collection::vec(piece(), 2..4)]
}

#[derive(Clone, Debug)]
struct Random {
    segments: Vec<Vec<Piece>>,
    kind: &'static str,
}

fn declarations() -> impl Strategy<Value = Vec<Random>> {
    let one = (proptest::collection::vec(segment(), 1..4), select(vec!["string", "list"]))
        .prop_map(|(segments, kind)| Random { segments, kind });
    proptest::collection::vec(one, 1..12)
}

impl Random {
    /// The declaration in the catalog.
    fn declaration(&self) -> Key {
        let mut parameters = Vec::new();
        let mut word = |piece: &Piece| match piece {
            Piece::Text(text) => (*text).to_owned(),
            Piece::Parameter(_, values, tag) => {
                let name = format!("p{}", parameters.len());
                parameters.push(parameter(&name, values.clone()));
                format!("{{{}{name}}}", if *tag { "#" } else { "" })
            }
        };
        let segments = self.segments.iter().map(|words| words.iter().map(&mut word).collect::<Vec<_>>().join("."));
        let path = segments.collect::<Vec<_>>().join(":");
        declaration(&format!("m:{path}:{}", self.kind), parameters)
    }

    /// Whether the compiler says that this can be the key.
    fn can_be(&self, key: &str) -> bool {
        let Some(path) = key.strip_prefix("m:").and_then(|rest| rest.strip_suffix(&format!(":{}", self.kind))) else {
            return false;
        };
        let segments: Vec<_> = path.split(':').collect();
        key.len() <= 128
            && segments.len() == self.segments.len()
            && self.segments.iter().zip(segments).all(|(words, segment)| segment_can_be(words, segment))
    }

    /// A key of the declaration, if the texts are those of its parameters.
    fn key(&self, texts: &[String]) -> String {
        let mut texts = texts.iter().cycle();
        let mut word = |piece: &Piece| match piece {
            Piece::Text(text) => (*text).to_owned(),
            Piece::Parameter(_, _, true) => format!("{{{}}}", texts.next().map_or("", String::as_str)),
            Piece::Parameter(..) => texts.next().cloned().unwrap_or_default(),
        };
        let segments = self.segments.iter().map(|words| words.iter().map(&mut word).collect::<Vec<_>>().join("."));
        format!("m:{}:{}", segments.collect::<Vec<_>>().join(":"), self.kind)
    }
}

fn segment_can_be(words: &[Piece], segment: &str) -> bool {
    // The compiler compares declarations, so that it knows no text outside of the alphabet, and no braces.
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let parts: Vec<&str> = if words.len() == 1 { vec![segment] } else { segment.split('.').collect() };
    if parts.len() != words.len() {
        return false;
    }
    let mut plain = Vec::new();
    for (piece, part) in words.iter().zip(parts) {
        let part = match piece {
            Piece::Parameter(_, _, true) => part.strip_prefix('{').and_then(|part| part.strip_suffix('}')),
            _ => Some(part),
        };
        match part {
            Some(part) if part.split('.').all(is_word) => plain.push(part),
            _ => return false,
        }
    }
    let text = |piece: &Piece| if let Piece::Text(text) = piece { *text } else { "{}" };
    let pattern = words.iter().map(text).collect::<Vec<_>>().join(".");
    let sets: Vec<ValueSet> = words
        .iter()
        .filter_map(|piece| if let Piece::Parameter(set, ..) = piece { Some(*set) } else { None })
        .collect();
    KeyPattern::new(&pattern, &sets).overlaps(KeyPattern::new(&plain.join("."), &[]))
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => select(vec!["a", "b", "7", "42", "43", "b.a", "a.b", "2026", "202612", "20261231", "2026123123", "c0000207", "string"])
            .prop_map(str::to_owned),
        1 => select(vec!["", ".", "a.", "007", "A", "{a}", "a:b", "202613", "\u{e9}", " ", "-", "20261232", "m1", "c000020g"])
            .prop_map(str::to_owned),
        1 => "[a-z0-9.]{1,12}",
        1 => any::<u128>().prop_map(|number| number.to_string()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_key_is_found_if_a_declaration_can_produce_it(
        declarations in declarations(),
        chosen in any::<Index>(),
        texts in proptest::collection::vec(text(), 4),
        namespace in select(vec![None, Some("shop.eu")]),
    ) {
        let catalog =
            Catalog { format: 2, keys: declarations.iter().map(Random::declaration).collect(), unread: Vec::new(), left_out: None, foreign: None };
        let matcher = Matcher::new(&catalog, namespace);
        let key = chosen.get(&declarations).key(&texts);
        let expected: Vec<usize> =
            declarations.iter().enumerate().filter(|(_, other)| other.can_be(&key)).map(|(index, _)| index).collect();
        let whole = namespace.map_or(key.clone(), |namespace| format!("{namespace}:{key}"));
        match matcher.find(whole.as_bytes()) {
            Some(found) => prop_assert!(expected.contains(&found), "{whole} is no {:?}", catalog.keys[found].template),
            None => prop_assert!(expected.is_empty() || whole.len() > 128, "{whole} is one of {expected:?}"),
        }
    }

    #[test]
    fn no_bytes_make_it_panic(declarations in declarations(), bytes in any::<Vec<u8>>(), before in select(vec!["", "m:", "m:a:"])) {
        let keys = declarations.iter().map(Random::declaration).collect();
        let matcher = Matcher::new(&Catalog { format: 2, keys, unread: Vec::new(), left_out: None, foreign: None }, None);
        let _ = matcher.find(&[before.as_bytes(), &bytes, b":string"].concat());
    }
}
