//! Keys as well-known programs and hand-written services name them, generated from a list of their formats.
//!
//! Each line of a list is a type, a time to live (`-`: none), a weight and a format. A parameter of a format is the
//! name of a generator, such as `{uuid}` or `{b64:32}`, or a list of words, such as `{high,low}`. Braces of the key are
//! doubled. A format with nothing but lists of words has each combination once, whatever its weight.

use std::collections::HashSet;

use fastrand::Rng;
use redis::Connection;

mod values;

/// The formats on which the inference of templates was tuned.
pub const FIRST: &str = include_str!("corpus/first.txt");

/// Formats that were written after it.
pub const SECOND: &str = include_str!("corpus/second.txt");

/// Formats that were written after the second list.
pub const THIRD: &str = include_str!("corpus/third.txt");

/// Formats of other programs, written and measured before the inference was changed for them.
pub const PROGRAMS: &str = include_str!("corpus/programs.txt");

/// Formats on which rules were checked. Rules were tuned on some of them, so that they say little about other programs.
pub const VALIDATION: &str = include_str!("corpus/validation.txt");

/// Formats in the manner of further programs, some of them rare, on which rules and thresholds are tuned.
pub const DEVELOPMENT: &str = include_str!("corpus/development.txt");

/// Formats on which nothing was tuned, as the sources of 42 programs have them. They were complete before anything was
/// measured on them. Only totals are shown of them, so that no rule follows from what is wrong. A rule that does makes
/// the list a part of the validation and needs a new list here.
pub const HELD_OUT: &str = include_str!("corpus/held_out.txt");

/// A format of keys.
#[derive(Clone, Debug)]
pub struct KeyFormat {
    /// The program that has it.
    pub program: String,
    /// The type, as `TYPE` names it.
    pub kind: String,
    /// The time to live when a key is written.
    pub ttl_ms: Option<u64>,
    weight: u64,
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    Words(Vec<String>),
    Generated(String),
}

/// A key, and the index of its format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedKey {
    /// The index of its format.
    pub format: usize,
    /// The key.
    pub key: String,
}

impl KeyFormat {
    /// The formats of a list.
    pub fn read(list: &str) -> Vec<Self> {
        let mut program = "";
        let mut formats = Vec::new();
        for line in list.lines() {
            if let Some(name) = line.strip_prefix("# ") {
                program = name;
                continue;
            }
            let fields: Vec<_> = line.splitn(4, ' ').collect();
            let [kind, ttl, weight, text] = fields[..] else { panic!("four fields: {line}") };
            formats.push(Self {
                program: program.to_owned(),
                kind: kind.to_owned(),
                ttl_ms: (ttl != "-").then(|| milliseconds(ttl)),
                weight: weight.parse().expect("a weight"),
                parts: parts(text),
            });
        }
        formats
    }

    /// The format with `{}` for each parameter.
    pub fn template(&self) -> String {
        let shown = |part: &Part| match part {
            Part::Text(text) => text.replace('{', "{{").replace('}', "}}"),
            _ => "{}".to_owned(),
        };
        self.parts.iter().map(shown).collect()
    }

    /// The class of each parameter as `adopt` names it, where the values show it.
    pub fn classes(&self) -> Vec<Option<&'static str>> {
        let class = |part: &Part| match part {
            Part::Text(_) => None,
            Part::Words(_) => Some(Some("text")),
            Part::Generated(name) => Some(values::class(name)),
        };
        self.parts.iter().filter_map(class).collect()
    }

    /// A key of this format.
    fn key(&self, random: &mut Rng) -> String {
        let value = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Words(words) => random.choice(words).expect("a word").clone(),
            Part::Generated(name) => values::value(name, random),
        };
        self.parts.iter().map(value).collect()
    }

    /// All keys of this format, if it has nothing but lists of words.
    fn all_keys(&self) -> Option<Vec<String>> {
        self.parts.iter().try_fold(vec![String::new()], |keys, part| {
            let texts = match part {
                Part::Text(text) => std::slice::from_ref(text),
                Part::Words(words) => words,
                Part::Generated(_) => return None,
            };
            Some(keys.iter().flat_map(|key| texts.iter().map(move |text| format!("{key}{text}"))).collect())
        })
    }
}

/// Different keys in a random order, about `count`.
pub fn keys(formats: &[KeyFormat], count: u64, seed: u64) -> Vec<GeneratedKey> {
    let mut random = Rng::with_seed(seed);
    let mut known = HashSet::new();
    let mut keys: Vec<_> =
        stream(formats, count, seed).filter(|generated| known.insert(generated.key.clone())).collect();
    random.shuffle(&mut keys);
    keys
}

/// Keys one after another, `count` and those of formats with nothing but lists of words. A key can come twice.
pub fn stream(formats: &[KeyFormat], count: u64, seed: u64) -> impl Iterator<Item = GeneratedKey> {
    let mut random = Rng::with_seed(seed);
    let mut finite = Vec::new();
    let mut infinite = Vec::new();
    for (format, key_format) in formats.iter().enumerate() {
        match key_format.all_keys() {
            Some(keys) => finite.extend(keys.into_iter().map(|key| GeneratedKey { format, key })),
            None => infinite.extend(std::iter::repeat_n(format, usize::try_from(key_format.weight).expect("small"))),
        }
    }
    random.shuffle(&mut infinite);
    let next = move |index| {
        // Each format has some keys, however few there are in all.
        let turn = usize::try_from(index).expect("small");
        let format = *infinite.get(turn % infinite.len()).expect("a format");
        GeneratedKey { format, key: formats.get(format).expect("a format").key(&mut random) }
    };
    finite.into_iter().chain((0..count).map(next))
}

/// Writes keys to a server.
pub fn plant(con: &mut Connection, formats: &[KeyFormat], keys: &[GeneratedKey]) {
    for keys in keys.chunks(1_000) {
        let mut pipe = redis::pipe();
        for GeneratedKey { format, key } in keys {
            let KeyFormat { kind, ttl_ms, .. } = formats.get(*format).expect("a format");
            let words: &[&str] = match &**kind {
                "string" => &["SET", key, "1"],
                "hash" => &["HSET", key, "field", "value"],
                "list" => &["RPUSH", key, "item"],
                "set" => &["SADD", key, "member"],
                "zset" => &["ZADD", key, "1", "member"],
                "stream" => &["XADD", key, "*", "field", "value"],
                _ => panic!("a type: {kind}"),
            };
            pipe.add_command(redis::cmd(words[0]).arg(&words[1..]).clone()).ignore();
            if let Some(ttl_ms) = ttl_ms {
                pipe.pexpire(key, i64::try_from(*ttl_ms).expect("small")).ignore();
            }
        }
        pipe.exec(con).expect("the server replies");
    }
}

fn milliseconds(ttl: &str) -> u64 {
    let (number, unit) = ttl.split_at(ttl.len() - 1);
    let unit = match unit {
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => panic!("a unit: {ttl}"),
    };
    number.parse::<u64>().expect("a number") * unit
}

fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut literal = String::new();
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let doubled = rest.starts_with("{{") || rest.starts_with("}}");
        if sign == '{' && !doubled {
            let (name, after) = rest[1..].split_once('}').expect("a closing brace");
            if !literal.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut literal)));
            }
            parts.push(if name.contains(',') {
                Part::Words(name.split(',').map(str::to_owned).collect())
            } else {
                Part::Generated(name.to_owned())
            });
            rest = after;
        } else {
            literal.push(sign);
            rest = &rest[sign.len_utf8() + usize::from(doubled)..];
        }
    }
    if !literal.is_empty() {
        parts.push(Part::Text(literal));
    }
    parts
}
