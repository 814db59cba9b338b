//! Values of arguments: edge cases, and random values.

use std::net::{Ipv4Addr, Ipv6Addr};

use redis_keys_core::limits::MAX_LEGACY_KEY_BYTES;
use redis_keys_core::schema::ParameterForm;

use super::builder::{Builder, Field};
use super::random::Random;
use super::render::{hyphenated, render};
use super::value::Value;
use crate::declare::catalog::{Argument, Integer, Part};

/// What the text of a key allows in a parameter that holds text.
#[derive(Clone, Copy, Debug)]
enum Allowed<'c> {
    /// Words of a segment.
    Words,
    /// A slug of at most this number of bytes.
    Slug(Option<u32>),
    /// Anything, because it is encoded.
    Encoded,
    /// Anything that does not contain the text that ends it in a legacy text.
    Legacy(&'c str),
}

impl<'c> Allowed<'c> {
    fn of(builder: &Builder<'c>, field: &Field<'c>) -> Self {
        let formatted = builder.text.parts.iter().find_map(|part| match part {
            Part::Formatted { parameter, ends, .. } => {
                let shown = builder.key.parameters.get(*parameter)?;
                (shown.name == field.name).then_some(ends.as_str())
            }
            _ => None,
        });
        match (formatted, field.parameter.form) {
            (Some(ends), _) => Self::Legacy(ends),
            (None, ParameterForm::Slug(most)) => Self::Slug(most),
            (None, ParameterForm::Digest | ParameterForm::Base32) => Self::Encoded,
            _ => Self::Words,
        }
    }
}

/// Values with which every key can be built.
pub(super) fn usual(builder: &Builder<'_>) -> Vec<Value> {
    let value = |field: &Field<'_>| match field.argument {
        Argument::Integer(integer) => Value::text(integer.from_in_template().max(7).min(integer.to)),
        Argument::Bool => Value::Bool(true),
        Argument::Text => Value::text("abc"),
        Argument::Bytes { length } => Value::Bytes(counted(length.unwrap_or(5))),
        Argument::Uuid => Value::text("67e55044-10b1-426f-9247-bb680e5fe0c8"),
        Argument::Ipv4 | Argument::Ip => Value::text("192.0.2.7"),
        Argument::Ipv6 => Value::text("2001:db8::1"),
        Argument::Names { variants, .. } => Value::text(variants.first().map_or("", |variant| variant.text.as_str())),
        calendar => Value::Calendar(date(calendar, [2026, 11, 21, 12], 47)),
    };
    builder.fields.iter().map(value).collect()
}

/// The values of each field at the edges of what a key can contain, beyond them too, and near the longest key.
pub(super) fn edges(builder: &Builder<'_>, index: usize) -> Vec<Value> {
    let Some(field) = builder.fields.get(index) else { return Vec::new() };
    match field.argument {
        Argument::Integer(integer) => integers(*integer),
        Argument::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Argument::Text => texts(builder, index, Allowed::of(builder, field)),
        Argument::Bytes { length: Some(length) } => {
            let lengths = [*length, length.saturating_sub(1), length + 1, 0];
            let mut bytes: Vec<_> = lengths.into_iter().map(counted).map(Value::Bytes).collect();
            let all = usize::try_from(*length).unwrap_or_default();
            bytes.extend([0, 255].map(|byte| Value::Bytes(vec![byte; all])));
            bytes
        }
        Argument::Bytes { length: None } => {
            let counted = [0, 1, 2, 3, 4, 5, 16, 300].map(counted).into_iter().map(Value::Bytes);
            counted.chain([Value::Bytes(vec![0xff, 0xfe, 0])]).collect()
        }
        Argument::Uuid => strings(&UUIDS),
        Argument::Ipv4 => strings(&IPV4),
        Argument::Ipv6 => strings(&IPV6),
        Argument::Ip => [strings(&IPV4), strings(&IPV6)].concat(),
        Argument::Names { type_name, variants } => {
            let texts = variants.iter().map(|variant| Value::text(&variant.text));
            texts.chain([Value::text(""), Value::text(type_name)]).collect()
        }
        calendar => DATES.iter().map(|(parts, week)| Value::Calendar(date(calendar, *parts, *week))).collect(),
    }
}

const UUIDS: [&str; 4] = [
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "00000000-0000-0000-0000-000000000001",
    "67E55044-10b1-426f-9247-bb680e5fe0c8",
];

const IPV4: [&str; 3] = ["0.0.0.0", "255.255.255.255", "127.0.0.1"];

#[rustfmt::skip]
const IPV6: [&str; 17] = [
    "::", "::1", "::ffff:192.0.2.7", "::192.0.2.7", "2001:db8:0:0:1::1", "2001:0:0:1::1",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "1:0:3:4:5:6:7:8", "1:0:0:4:0:0:0:8", "1:0:0:4:5:0:0:8", "0:0:1::",
    "::ffff:0:0", "::fffe:1.2.3.4", "64:ff9b::1.2.3.4", "::1:0:0", "::ffff:0:1.2.3.4", "fe80::1",
];

/// Years, months, days and hours, and for weeks the number of the week.
#[rustfmt::skip]
const DATES: [([i64; 4], i64); 24] = [
    ([0, 1, 1, 0], 1), ([0, 2, 29, 23], 52), ([1, 1, 1, 1], 0), ([50, 1, 1, 0], 1), ([99, 12, 31, 23], 53),
    ([1900, 2, 29, 0], 52), ([1969, 12, 31, 23], 1), ([1970, 1, 1, 0], 53), ([2000, 2, 29, 0], 52),
    ([2023, 2, 29, 0], 54), ([2024, 2, 29, 5], 1), ([2026, 4, 31, 0], 53), ([2025, 12, 31, 24], 53),
    ([2026, 1, 0, 0], 0), ([2026, 0, 1, 0], -1), ([2026, 13, 1, 0], 100), ([2026, 11, 21, -1], 47),
    ([2026, 11, 30, 23], 48), ([2026, 12, 31, 9], 53), ([2020, 12, 32, 0], 53), ([9999, 12, 31, 23], 52),
    ([10_000, 1, 1, 0], 1), ([-1, 1, 1, 0], 1), ([2026, 1, 100, 0], 9),
];

/// The numbers of a calendar argument.
fn date(argument: &Argument, [year, month, day, hour]: [i64; 4], week: i64) -> Vec<i64> {
    match argument {
        Argument::Year => vec![year],
        Argument::Month => vec![year, month],
        Argument::Week => vec![year, week],
        Argument::Hour => vec![year, month, day, hour],
        _ => vec![year, month, day],
    }
}

/// Bytes that differ.
fn counted(length: u64) -> Vec<u8> {
    (0..length).map(|at| u8::try_from(at * 7 % 256).unwrap_or_default()).collect()
}

fn strings(texts: &[&str]) -> Vec<Value> {
    texts.iter().map(Value::text).collect()
}

fn integers(integer: Integer) -> Vec<Value> {
    let mut texts: Vec<String> = ["0", "1", "9", "10", "-1", "-12"].map(str::to_owned).into();
    for number in [integer.to, integer.to.saturating_sub(1), 1 << 53, (1 << 53) + 1] {
        texts.push(number.to_string());
    }
    texts.push(integer.to.checked_add(1).map_or_else(|| BEYOND_U128.to_owned(), |beyond| beyond.to_string()));
    texts.push(integer.from.to_string());
    texts.push(integer.from.checked_sub(1).map_or_else(|| BELOW_I128.to_owned(), |beyond| beyond.to_string()));
    texts.sort();
    texts.dedup();
    texts.into_iter().map(Value::Text).collect()
}

const BEYOND_U128: &str = "340282366920938463463374607431768211456";
const BELOW_I128: &str = "-170141183460469231731687303715884105729";

#[rustfmt::skip]
const WORDS: [&str; 47] = [
    "", "a", "z9", "a.b", "a.b.c.d", ".", ".a", "a.", "a..b", "A", "Ada", "a b", "a:b", "a-b", "a_b", "a/b", "a\n", "\n",
    "ä", "é", "e\u{301}", "ß", "İ", "ı", "١", "²", "０", "日本", "😀", "a\0", "{a}", "a}", "*", "`", "a\u{7f}",
    "\u{feff}a", "ｱ", "\u{212a}", "prototype", "0", "007", "true", "null", "a.B", "a.é", "B.a", "é.a",
];

#[rustfmt::skip]
const SLUGS: [&str; 18] = [
    "", "a", "green-tea", "green-tea-11", "-", "-a", "a-", "a--b", "a.b", "A-b", "a_b", "grün", "a b", "-.", "a-.b", "😀",
    "green-tea\n", "\ngreen",
];

#[rustfmt::skip]
const ANY: [&str; 24] = [
    "", "foo", "f", "fo", "foob", "fooba", "foobar", "Green tea?", "/A b", "é", "e\u{301}", "😀", "\0", "a\0b", "日本語",
    "\u{feff}", "\u{feff}a", "\u{10ffff}", "\u{fffd}", "İ", "line\nbreak", "\r\n", "\"quoted\"\\", "\u{2028}",
];

#[rustfmt::skip]
const LEGACY: [&str; 18] = [
    "", "shop", "Ünit", "q+Z-9", "a:b", ":", "a_b", "{x}", "%", "a b", "\0", "😀", "日本", "a\n", "\r\n", "\"'\\`${a}", "/",
    "a/7",
];

fn texts(builder: &Builder<'_>, index: usize, allowed: Allowed<'_>) -> Vec<Value> {
    let mut texts: Vec<String> = match allowed {
        Allowed::Words => WORDS.map(str::to_owned).into(),
        Allowed::Encoded => ANY.map(str::to_owned).into(),
        Allowed::Slug(most) => {
            let mut texts: Vec<String> = SLUGS.map(str::to_owned).into();
            if let Some(most) = most.and_then(|most| usize::try_from(most).ok()).filter(|most| *most < 4096) {
                texts.extend([("x", most), ("x", most + 1), ("é", most / 2 + 1), ("A", most + 1)].map(repeated));
            }
            texts
        }
        Allowed::Legacy(ends) => {
            let mut texts: Vec<String> = LEGACY.map(str::to_owned).into();
            // Texts that contain the end, or end with its start.
            for (at, _) in ends.char_indices().skip(1).chain([(ends.len(), ' ')]) {
                let start = ends.get(..at).unwrap_or_default();
                texts.extend([start.to_owned(), format!("a{start}"), format!("a{start}b")]);
            }
            texts
        }
    };
    // The longest text, and the shortest text that is too long, also with `é`, which has two bytes.
    if let Some(longest) = longest(builder, index) {
        texts.extend([("x", longest), ("x", longest + 1), ("é", longest / 2 + 1)].map(repeated));
    }
    texts.into_iter().map(Value::Text).collect()
}

/// The length of the longest text, if the length of a key bounds it.
fn longest(builder: &Builder<'_>, index: usize) -> Option<usize> {
    let mut values = usual(builder);
    let mut fits = |length| {
        values.get_mut(index).into_iter().for_each(|value| *value = Value::Text("x".repeat(length)));
        render(builder, builder.text, &values).is_ok()
    };
    let (mut longest, mut too_long) = (1, 2 * MAX_LEGACY_KEY_BYTES);
    if fits(too_long) {
        return None;
    }
    while too_long - longest > 1 {
        let middle = usize::midpoint(longest, too_long);
        if fits(middle) { longest = middle } else { too_long = middle }
    }
    Some(longest)
}

fn repeated((text, count): (&str, usize)) -> String {
    text.repeat(count)
}

/// A random value. Most of them can be in a key.
pub(super) fn random(builder: &Builder<'_>, field: &Field<'_>, random: &mut Random) -> Value {
    match field.argument {
        Argument::Integer(integer) => {
            // A template has no sign.
            let has_sign = integer.signed && matches!(Allowed::of(builder, field), Allowed::Legacy(_));
            Value::Text(random_integer(*integer, has_sign && random.one_in(2), random))
        }
        Argument::Bool => Value::Bool(random.one_in(2)),
        Argument::Text => Value::Text(random_text(Allowed::of(builder, field), random)),
        Argument::Bytes { length } => {
            let length = length.unwrap_or_else(|| random.below(40));
            Value::Bytes((0..length).map(|_| random.number().to_le_bytes()[0]).collect())
        }
        Argument::Uuid => Value::Text(hyphenated(random.wide())),
        Argument::Ipv4 => random_ipv4(random),
        Argument::Ip if random.one_in(2) => random_ipv4(random),
        Argument::Ipv6 | Argument::Ip => Value::text(random_ipv6(random)),
        Argument::Names { variants, .. } => {
            Value::text(random.pick(variants).map_or("", |variant| variant.text.as_str()))
        }
        calendar => {
            let parts = [(0, 9999), (1, 12), (1, 28), (0, 23)].map(|(from, to)| random.within(from, to));
            Value::Calendar(date(calendar, parts, random.within(1, 52)))
        }
    }
}

/// A number with a random number of bits.
fn random_integer(integer: Integer, is_negative: bool, random: &mut Random) -> String {
    let shift = u32::try_from(random.below(128)).unwrap_or_default();
    let number = random.wide() >> shift;
    let number = integer.to.checked_add(1).map_or(number, |count| number % count);
    let number = number.max(u128::from(integer.non_zero));
    if is_negative && number > 0 { format!("-{number}") } else { number.to_string() }
}

fn random_text(allowed: Allowed<'_>, random: &mut Random) -> String {
    const PIECES: [&str; 8] = ["a", "z", "0", "9", "m", "q7", "shop", "x1"];
    const ODD: [&str; 10] = ["a", "B", "é", "-", ":", "_", "😀", "\0", "日", " "];
    let words = |random: &mut Random, separator: &str| {
        let words: Vec<_> = (0..=random.index(3)).map(|_| format!("a{}", random.text(&PIECES, 5))).collect();
        words.join(separator)
    };
    match allowed {
        Allowed::Words => words(random, ""),
        Allowed::Slug(_) => words(random, "-"),
        Allowed::Encoded => random.text(&[PIECES.as_slice(), &ODD].concat(), 12),
        Allowed::Legacy(ends) => {
            let half = ends.char_indices().nth(ends.chars().count() / 2).map_or(0, |(at, _)| at);
            let (start, rest) = ends.split_at(half);
            random.text(&[PIECES.as_slice(), &ODD, &[start, rest]].concat(), 8)
        }
    }
}

fn random_ipv4(random: &mut Random) -> Value {
    let [a, b, c, d, ..] = random.number().to_le_bytes();
    Value::text(Ipv4Addr::new(a, b, c, d))
}

/// Groups are often zero, so that there are runs of them.
fn random_ipv6(random: &mut Random) -> Ipv6Addr {
    let group = |random: &mut Random| match random.below(3) {
        0 | 1 => 0,
        _ => u16::try_from(random.below(1 << 16)).unwrap_or_default(),
    };
    Ipv6Addr::from(std::array::from_fn::<u16, 8, _>(|_| group(random)))
}
