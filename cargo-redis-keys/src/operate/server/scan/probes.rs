//! The commands that return a page of keys or look at a key, and their replies.

use std::sync::LazyLock;

use redis::Value;
use redis_keys_core::legacy::escaped;

use super::visitor::{Expiry, Probes, SecondLook};
use crate::declare::redis_type::RedisType;
use crate::operate::server::connection::{Reply, Requests};
use crate::operate::server::script::DIGEST;
use crate::operate::server::value::{elements, number, text};
use crate::operate::stats::ValueForms;

/// The most members that are read of a key. The members of large keys may be large.
const MEMBERS: &str = "100";
const MEMBERS_OF_LARGE_KEY: &str = "10";
const LARGE_KEY: u64 = 1024 * 1024;

/// The last byte of a string that is read to find out its form.
const LAST_BYTE: &str = "4095";
const LAST_BYTE_AT: usize = 4_095;

/// The script that makes the digest of a value.
static DIGEST_SCRIPT: LazyLock<String> = LazyLock::new(|| format!("{}return digest(KEYS[1], ARGV[1])", *DIGEST));

/// The reply to `SCAN`.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Page {
    /// The cursor of the next page. `None` after the last.
    pub(super) next: Option<u64>,
    pub(super) keys: Vec<Vec<u8>>,
    /// The number of keys whose names are too long to be read.
    pub(super) long_names: u64,
}

/// The most bytes of a name that is read. No declaration allows so many, and each command would repeat them.
pub(super) const MAX_NAME: usize = 1024 * 1024;

/// Adds the request for the page that starts here.
pub(super) fn push_page(requests: &mut Requests, cursor: u64, pattern: Option<&[u8]>, count: u32) {
    let (cursor, count) = (cursor.to_string(), count.to_string());
    match pattern {
        Some(pattern) => {
            requests.push(&[b"SCAN", cursor.as_bytes(), b"MATCH", pattern, b"COUNT", count.as_bytes()]);
        }
        None => requests.push(&[b"SCAN", cursor.as_bytes(), b"COUNT", count.as_bytes()]),
    }
}

impl Page {
    /// Reads the reply. Returns it if it is no page.
    pub(super) fn read(reply: Reply) -> Result<Self, Reply> {
        match reply {
            Reply::Value(Value::Array(parts)) => {
                let Ok([Value::BulkString(next), Value::Array(keys)]) = <[Value; 2]>::try_from(parts) else {
                    return Err(Reply::Value(Value::Nil));
                };
                let next = std::str::from_utf8(&next).ok().and_then(|next| next.parse().ok());
                let next = next.ok_or(Reply::Value(Value::Nil))?;
                let next = (next != 0).then_some(next);
                let all = keys.len();
                // The connection leaves out longer keys, unless redis-rs has read them.
                let key = |key| if let Value::BulkString(key) = key { Some(key) } else { None };
                let keys: Vec<_> = keys.into_iter().filter_map(key).filter(|key| key.len() <= MAX_NAME).collect();
                let long_names = (all - keys.len()) as u64;
                Ok(Self { next, keys, long_names })
            }
            other => Err(other),
        }
    }
}

/// The pattern that `SCAN` gets: the user's pattern, or all keys of the namespace.
pub(super) fn pattern(asked: Option<&str>, namespace: Option<&str>) -> Option<Vec<u8>> {
    match (asked, namespace) {
        (Some(pattern), _) => Some(pattern.as_bytes().to_vec()),
        (None, Some(namespace)) => Some(format!("{}:*", escaped(namespace)).into_bytes()),
        (None, None) => None,
    }
}

/// A part of the second look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    Length,
    Encoding,
    Frequency,
    Members,
    Hyperloglog,
    IdleTime,
    Expiry,
    Time,
    Digest,
    Values,
}

/// The result of the first look at a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstLookResult {
    Key {
        redis_type: RedisType,
        expiry: Expiry,
        memory: Option<u64>,
    },
    /// It vanished since `SCAN` returned it.
    Gone,
    /// It is on another node.
    Moved,
    /// The user may not access it.
    Refused,
}

/// A command that the first look needs is refused, or its reply is not understood.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct UnusableReply(pub(super) &'static str, pub(super) String);

/// Adds the first look at a key.
pub(super) fn push_first(requests: &mut Requests, probes: Probes, key: &[u8]) {
    const COMMANDS: [&[u8]; 3] =
        [b"*2\r\n$4\r\nTYPE\r\n", b"*2\r\n$4\r\nPTTL\r\n", b"*3\r\n$6\r\nMEMORY\r\n$5\r\nUSAGE\r\n"];
    let [redis_type, expiry, _] = COMMANDS;
    if probes.memory {
        requests.push_for_key(&COMMANDS, key);
    } else {
        requests.push_for_key(&[redis_type, expiry], key);
    }
}

/// Reads the first look. `memory` is the reply to `MEMORY USAGE`, if it was asked for.
pub(super) fn read_first(
    redis_type: Reply,
    expiry: Reply,
    memory: Option<&Reply>,
) -> Result<FirstLookResult, UnusableReply> {
    let redis_type = match redis_type {
        Reply::Value(Value::SimpleString(name)) if name == "none" => return Ok(FirstLookResult::Gone),
        Reply::Value(Value::SimpleString(name)) => RedisType::named(&name),
        Reply::KeyRefused => return Ok(FirstLookResult::Refused),
        Reply::Moved(_) => return Ok(FirstLookResult::Moved),
        other => return Err(UnusableReply("TYPE", other.describe())),
    };
    let expiry = match expiry {
        Reply::Value(Value::Int(-1)) => Expiry::Never,
        Reply::Value(Value::Int(ttl)) => match u64::try_from(ttl) {
            Ok(ttl) => Expiry::In(ttl),
            Err(_) => return Ok(FirstLookResult::Gone),
        },
        Reply::Moved(_) => return Ok(FirstLookResult::Moved),
        Reply::KeyRefused => return Ok(FirstLookResult::Refused),
        other => return Err(UnusableReply("PTTL", other.describe())),
    };
    let memory = match memory {
        Some(Reply::Value(Value::Int(bytes))) => u64::try_from(*bytes).ok(),
        Some(Reply::Value(Value::Nil)) => return Ok(FirstLookResult::Gone),
        Some(Reply::Moved(_)) => return Ok(FirstLookResult::Moved),
        _ => None,
    };
    Ok(FirstLookResult::Key { redis_type, expiry, memory })
}

/// The questions of a second look at a key of this type. A hyperloglog is a string with four certain bytes at its
/// start.
pub(super) fn questions(probes: Probes, redis_type: RedisType, is_hyperloglog: bool) -> Vec<Question> {
    let is_collection = !matches!(redis_type, RedisType::String | RedisType::Other);
    let asked = [
        // Later commands can be a use of the key.
        (Question::IdleTime, probes.idle_time || probes.last_use),
        (Question::Length, probes.length && redis_type != RedisType::Other),
        (Question::Encoding, probes.encoding),
        (Question::Frequency, probes.frequency),
        (Question::Members, probes.members && is_collection),
        (Question::Hyperloglog, probes.hyperloglog && is_hyperloglog && redis_type == RedisType::String),
        (Question::Expiry, probes.last_use),
        (Question::Time, probes.last_use),
        (Question::Digest, probes.digest && matches!(redis_type, RedisType::String | RedisType::Stream)),
        // The fields of a stream's entries have several forms.
        (Question::Values, probes.values && !matches!(redis_type, RedisType::Stream | RedisType::Other)),
    ];
    asked.into_iter().filter(|(_, is_asked)| *is_asked).map(|(question, _)| question).collect()
}

impl Question {
    /// Adds the command.
    pub(super) fn push(self, requests: &mut Requests, key: &[u8], redis_type: RedisType, memory: Option<u64>) {
        let is_large = memory.is_none_or(|bytes| bytes > LARGE_KEY);
        let members = if is_large || self == Self::Values { MEMBERS_OF_LARGE_KEY } else { MEMBERS };
        let name = self.command(redis_type);
        let (before, after): (&[&str], &[&str]) = match (self, name) {
            (Self::Time, _) => return requests.push(&[name.as_bytes()]),
            (Self::Digest, _) => (&[&DIGEST_SCRIPT, "1"], &[redis_type.name()]),
            (Self::Hyperloglog, _) => (&[], &["0", "3"]),
            (Self::Values, "GETRANGE") => (&[], &["0", LAST_BYTE]),
            (_, "HSCAN" | "SSCAN" | "ZSCAN") => (&[], &["0", "COUNT", members]),
            (_, "XRANGE") => (&[], &["-", "+", "COUNT", members]),
            (_, "LRANGE") => (&[], &["0", members]),
            _ => (&[], &[]),
        };
        let before = name.split(' ').chain(before.iter().copied()).map(str::as_bytes);
        let after = after.iter().map(|argument| argument.as_bytes());
        requests.push(&before.chain([key]).chain(after).collect::<Vec<_>>());
    }

    /// The command.
    pub(super) fn command(self, redis_type: RedisType) -> &'static str {
        match (self, redis_type) {
            (Self::Encoding, _) => "OBJECT ENCODING",
            (Self::Frequency, _) => "OBJECT FREQ",
            (Self::IdleTime, _) => "OBJECT IDLETIME",
            (Self::Expiry, _) => "PTTL",
            (Self::Time, _) => "TIME",
            (Self::Digest, _) => "EVAL",
            (Self::Hyperloglog, _) | (Self::Values, RedisType::String) => "GETRANGE",
            (Self::Members | Self::Values, RedisType::Hash) => "HSCAN",
            (Self::Members | Self::Values, RedisType::Set) => "SSCAN",
            (Self::Members | Self::Values, RedisType::ZSet) => "ZSCAN",
            (Self::Members | Self::Values, RedisType::Stream) => "XRANGE",
            (Self::Members | Self::Values, _) => "LRANGE",
            (Self::Length, RedisType::Hash) => "HLEN",
            (Self::Length, RedisType::List) => "LLEN",
            (Self::Length, RedisType::Set) => "SCARD",
            (Self::Length, RedisType::ZSet) => "ZCARD",
            (Self::Length, RedisType::Stream) => "XLEN",
            (Self::Length, _) => "STRLEN",
        }
    }

    /// Reads the reply. Errors, as of a key that has another type by now, leave their part of the look empty.
    pub(super) fn read(self, reply: &Reply, redis_type: RedisType, look: &mut SecondLook) {
        if self == Self::IdleTime {
            look.is_gone = matches!(reply, Reply::Value(Value::Nil) | Reply::Moved(_) | Reply::KeyRefused);
        }
        let Reply::Value(value) = reply else { return };
        match self {
            // A collection has at least one element: this collection has vanished.
            Self::Length => look.length = number(value).filter(|length| *length > 0 || redis_type == RedisType::String),
            Self::Frequency => look.frequency = number(value),
            Self::Members => look.largest_member = largest(value, redis_type),
            // Both come before the time.
            Self::IdleTime => look.idle = number(value),
            Self::Expiry => {
                look.expiry =
                    if *value == Value::Int(-1) { Some(Expiry::Never) } else { number(value).map(Expiry::In) };
                look.is_gone |= look.expiry.is_none();
            }
            Self::Time => {
                look.now_ms = time_ms(value);
                look.last_use = look.idle.zip(look.now_ms).map(|(idle, now)| (now / 1_000).saturating_sub(idle));
            }
            Self::Digest => look.digest = text(value).filter(|digest| !digest.is_empty()).map(str::to_owned),
            Self::Hyperloglog => look.is_hyperloglog = hyperloglog(value),
            Self::Values => look.values = forms(value, redis_type),
            Self::Encoding => look.encoding = text(value).map(str::to_owned),
        }
    }
}

/// The members in a reply of `HSCAN`, `SSCAN`, `ZSCAN`, `LRANGE` or `XRANGE`.
fn members(value: &Value, redis_type: RedisType) -> &[Value] {
    match redis_type {
        RedisType::Hash | RedisType::Set | RedisType::ZSet => elements(value).get(1).map_or(&[], elements),
        _ => elements(value),
    }
}

/// The size of the largest member in a reply of `HSCAN`, `SSCAN`, `ZSCAN`, `LRANGE` or `XRANGE`.
fn largest(value: &Value, redis_type: RedisType) -> Option<u64> {
    // The scores of a sorted set are not members.
    let step = if redis_type == RedisType::ZSet { 2 } else { 1 };
    members(value, redis_type).iter().step_by(step).filter_map(size).max()
}

/// The forms of the values in a reply of `GETRANGE`, `HSCAN`, `SSCAN`, `ZSCAN` or `LRANGE`.
fn forms(value: &Value, redis_type: RedisType) -> ValueForms {
    let is_string = redis_type == RedisType::String;
    let members = if is_string { std::slice::from_ref(value) } else { members(value, redis_type) };
    // The fields of a hash and the scores of a sorted set are no values.
    let (first, step) = match redis_type {
        RedisType::Hash => (1, 2),
        RedisType::ZSet => (0, 2),
        _ => (0, 1),
    };
    let form = |value: &Value| match value {
        Value::BulkString(bytes) => ValueForms::of(bytes, !is_string || bytes.len() <= LAST_BYTE_AT),
        _ => ValueForms::default(),
    };
    members.iter().skip(first).step_by(step).map(form).fold(ValueForms::default(), ValueForms::and)
}

/// The size of a member, or of the largest field or value of a stream's entry.
fn size(member: &Value) -> Option<u64> {
    match member {
        Value::BulkString(bytes) => u64::try_from(bytes.len()).ok(),
        entry => elements(elements(entry).get(1)?).iter().filter_map(size).max(),
    }
}

/// The milliseconds in a reply of `TIME`.
fn time_ms(value: &Value) -> Option<u64> {
    let [seconds, micros] = elements(value) else { return None };
    let number = |value| text(value)?.parse::<u64>().ok();
    number(seconds)?.checked_mul(1_000)?.checked_add(number(micros)? / 1_000)
}

/// Whether the first bytes of a string belong to a hyperloglog. A string that vanished has none.
fn hyperloglog(value: &Value) -> Option<bool> {
    match value {
        Value::BulkString(start) if !start.is_empty() => Some(start == b"HYLL"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(redis_type: &str, ttl: i64, memory: Value) -> Result<FirstLookResult, UnusableReply> {
        let redis_type = Reply::Value(Value::SimpleString(redis_type.to_owned()));
        read_first(redis_type, Reply::Value(Value::Int(ttl)), Some(&Reply::Value(memory)))
    }

    #[test]
    fn a_key_can_vanish_between_any_two_commands() {
        let key = FirstLookResult::Key { redis_type: RedisType::Hash, expiry: Expiry::In(5), memory: Some(64) };
        assert_eq!(first("hash", 5, Value::Int(64)), Ok(key));
        assert_eq!(first("none", -2, Value::Nil), Ok(FirstLookResult::Gone));
        assert_eq!(first("hash", -2, Value::Nil), Ok(FirstLookResult::Gone));
        assert_eq!(first("hash", 5, Value::Nil), Ok(FirstLookResult::Gone));
        // It was written again meanwhile.
        assert_eq!(first("none", 5, Value::Int(64)), Ok(FirstLookResult::Gone));
        assert_eq!(first("hash", -2, Value::Int(64)), Ok(FirstLookResult::Gone));
    }

    #[test]
    fn the_largest_member_is_found_in_each_type() {
        let text = |length: usize| Value::BulkString(vec![b'x'; length]);
        let scan = |members: Vec<Value>| Value::Array(vec![text(1), Value::Array(members)]);
        for (value, redis_type, size) in [
            (scan(vec![text(3), text(9)]), RedisType::Hash, Some(9)),
            (scan(vec![text(3), text(9)]), RedisType::Set, Some(9)),
            (scan(vec![text(3), text(9)]), RedisType::ZSet, Some(3)),
            (Value::Array(vec![text(3), text(9)]), RedisType::List, Some(9)),
            (Value::Array(vec![scan(vec![text(3), text(9)])]), RedisType::Stream, Some(9)),
            (Value::Array(vec![]), RedisType::Hash, None),
            (Value::Nil, RedisType::List, None),
        ] {
            assert_eq!(largest(&value, redis_type), size, "{redis_type:?}");
        }
    }

    #[test]
    fn the_users_pattern_is_taken_before_the_namespace() {
        assert_eq!(pattern(Some("user:*"), Some("shop")), Some(b"user:*".to_vec()));
        assert_eq!(pattern(None, Some("sh*p.v1")), Some(b"sh\\*p.v1:*".to_vec()));
        assert_eq!(pattern(None, None), None);
    }

    #[test]
    fn only_a_page_is_read_as_one() {
        let text = |text: &str| Value::BulkString(text.into());
        let keys = Value::Array(vec![text("a"), text("b")]);
        let page = Page::read(Reply::Value(Value::Array(vec![text("18446744073709551615"), keys])));
        assert_eq!(page, Ok(Page { next: Some(u64::MAX), keys: vec![b"a".to_vec(), b"b".to_vec()], long_names: 0 }));
        for other in [Value::Nil, Value::Array(vec![]), Value::Array(vec![text("x"), Value::Array(vec![])])] {
            assert!(Page::read(Reply::Value(other)).is_err());
        }
        assert_eq!(Page::read(Reply::KeyRefused), Err(Reply::KeyRefused));
    }
}
