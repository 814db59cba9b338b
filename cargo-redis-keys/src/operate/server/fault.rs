//! The faults of keys: their differences from their declarations, or from a possible declaration.
//!
//! `audit` counts them, `purge` and `expire` choose keys by them.

use std::time::SystemTime;

use redis_keys_schema::{Kind, limits};

use super::scan::{Expiry, FirstLook, SecondLook};
use super::schemas::Schemas;
use crate::render::FindingId;

/// The measure by which keys with the same fault are compared: the time to live, the length, or the memory.
pub(crate) fn measure(fault: FindingId, look: &FirstLook<'_>, second: &SecondLook) -> u64 {
    let measure = match fault {
        FindingId::LongExpiry => look.expiry.ttl_ms(),
        FindingId::BigValue | FindingId::BigCollection => second.length.or(look.memory),
        FindingId::BigMember => second.largest_member,
        _ => look.memory,
    };
    measure.unwrap_or(0)
}

/// The faults of a key, as the audit names them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Faults(u32);

impl Faults {
    /// The faults that the first look at a key shows. A key of another program has none but a missing expiry.
    pub(crate) fn of_first_look(schemas: &Schemas, look: &FirstLook<'_>) -> Self {
        let is_never = look.expiry == Expiry::Never;
        if let Some(limits) = look.declaration.and_then(|index| schemas.declared(index)) {
            let is_too_long = |left| limits.is_too_long(schemas.template_text(look.key), left, SystemTime::now);
            return Self::of([
                (FindingId::WrongType, look.redis_type != limits.redis_type),
                (FindingId::NoExpiry, is_never && limits.lifetime_ms.is_some()),
                (FindingId::LongExpiry, look.expiry.ttl_ms().is_some_and(is_too_long)),
            ]);
        }
        if schemas.foreign.find(look.key).is_some() {
            return Self::of([(FindingId::NoExpiry, is_never)]);
        }
        let kind = kind_of(look.key, schemas.namespace.as_deref());
        Self::of([
            (FindingId::UnknownKey, true),
            (FindingId::BadName, kind.is_none()),
            (FindingId::WrongType, kind.is_some_and(|kind| !look.redis_type.is(kind))),
            (FindingId::NoExpiry, is_never),
        ])
    }

    /// The faults that only the second look at a key shows.
    pub(crate) fn of_second_look(schemas: &Schemas, look: &FirstLook<'_>, second: &SecondLook) -> Self {
        let limits = schemas.limits(look.declaration, look.redis_type);
        let exceeds = |size: Option<u64>, limit: Option<u64>| size.zip(limit).is_some_and(|(size, limit)| size > limit);
        let is_big = match second.length {
            Some(_) => exceeds(second.length, limits.max_size()),
            None => look.memory.is_some_and(|memory| limits.is_exceeded_by_string(look.key, memory)),
        };
        Self::of([
            (if limits.max_bytes.is_some() { FindingId::BigValue } else { FindingId::BigCollection }, is_big),
            (FindingId::BigMember, exceeds(second.largest_member, limits.max_member_bytes)),
            (FindingId::WrongType, limits.is_hyperloglog && second.is_hyperloglog == Some(false)),
        ])
    }

    fn of<const COUNT: usize>(faults: [(FindingId, bool); COUNT]) -> Self {
        Self(faults.into_iter().filter(|(_, is_there)| *is_there).fold(0, |set, (fault, _)| set | 1 << fault as u8))
    }

    /// Whether the key has this fault.
    pub(crate) fn has(self, fault: FindingId) -> bool {
        self.0 & (1 << fault as u8) != 0
    }

    /// The faults, one by one.
    pub(crate) fn iter(self) -> impl Iterator<Item = FindingId> {
        FindingId::ALL.iter().copied().filter(move |fault| self.has(*fault))
    }
}

/// The type that a key's last segment names, if the key follows the rules: words of `a` to `z` and `0` to `9`, at least
/// three segments, the first of which starts with a letter, at most one hash tag, and at most 128 bytes.
fn kind_of(key: &[u8], namespace: Option<&str>) -> Option<Kind> {
    if key.len() > limits::MAX_KEY_BYTES {
        return None;
    }
    let key = namespace.and_then(|namespace| key.strip_prefix(namespace.as_bytes())?.strip_prefix(b":")).unwrap_or(key);
    let mut segments = key.split(|byte| *byte == b':');
    let module = segments.next()?;
    let last = segments.next_back()?;
    let starts_with_letter = module.first().is_some_and(u8::is_ascii_lowercase);
    let mut middle = segments.peekable();
    middle.peek()?;
    let mut tags = 0;
    let are_valid = middle.all(|segment| segment.split(|byte| *byte == b'.').all(|word| is_word(word, &mut tags)));
    let is_module = starts_with_letter && module.split(|byte| *byte == b'.').all(|word| is_word(word, &mut 1));
    let kind = Kind::from_name(str::from_utf8(last).ok()?)?;
    (are_valid && is_module && tags <= 1).then_some(kind)
}

/// Whether this is a word, even if it is a hash tag.
fn is_word(word: &[u8], tags: &mut u32) -> bool {
    let inner = match word {
        [b'{', inner @ .., b'}'] => {
            *tags += 1;
            inner
        }
        word => word,
    };
    !inner.is_empty() && inner.iter().all(|byte| limits::is_word_byte(*byte))
}

#[cfg(test)]
mod tests {
    use redis_keys_schema::Policy;
    use serde_json::json;

    use super::*;
    use crate::declare::catalog::Foreign;
    use crate::declare::redis_type::RedisType::{self, Hash, List, Set, String, ZSet};
    use crate::operate::audit::fixtures::{key, schemas};
    use crate::operate::server::foreign::ForeignKeys;

    /// A declaration of each kind of limit, beside another program's keys.
    fn shop() -> Schemas {
        let policy = Policy::parse("[foreign]\nsystems = [\"bullmq\"]").0;
        let schemas = schemas(vec![
            key("Profile", "user:profile:{id}:string", &json!({"ttl_ms": 60_000, "jitter_ms": 0, "max_bytes": 100})),
            key(
                "Card",
                "user:card:{id}:string",
                &json!({"ttl_ms": 60_000, "jitter_ms": 5_000, "pattern": "cache", "null_ttl_ms": 1, "lease_ms": 1, "stale_ms": 30_000}),
            ),
            key("Kept", "user:kept:{id}:string", &json!({"ttl_ms": null, "jitter_ms": 0})),
            key("Cart", "cart:items:{id}:hash", &json!({"max_len": 5, "max_member_bytes": 10})),
            key("Visitors", "page:visitors:{id}:hyperloglog", &json!({})),
        ]);
        schemas.with_foreign(ForeignKeys::of(&Foreign::of(&[policy.into()])))
    }

    fn look<'k>(schemas: &Schemas, key: &'k str, redis_type: RedisType, ttl_ms: Option<u64>) -> FirstLook<'k> {
        let (key, expiry) = (key.as_bytes(), Expiry::of(ttl_ms));
        FirstLook { key, declaration: schemas.matcher.find(key), redis_type, expiry, memory: Some(70) }
    }

    #[test]
    fn the_first_look_shows_faults() {
        let shop = shop();
        for (key, redis_type, ttl_ms, expected) in [
            ("user:profile:1:string", String, Some(60_000), &[][..]),
            ("user:profile:1:string", String, Some(60_001), &[FindingId::LongExpiry]),
            ("user:profile:1:string", String, None, &[FindingId::NoExpiry]),
            ("user:card:1:string", String, Some(95_000), &[]),
            ("user:card:1:string", String, Some(95_001), &[FindingId::LongExpiry]),
            ("user:profile:1:string", Set, None, &[FindingId::WrongType, FindingId::NoExpiry]),
            ("user:kept:1:string", String, None, &[]),
            ("user:kept:1:string", String, Some(u64::MAX), &[]),
            ("cart:items:1:hash", List, Some(1), &[FindingId::WrongType]),
            ("other:thing:1:hash", Hash, Some(u64::MAX), &[FindingId::UnknownKey]),
            ("other:thing:1:geo", ZSet, None, &[FindingId::NoExpiry, FindingId::UnknownKey]),
            ("other:thing:1:hash", Set, Some(1), &[FindingId::WrongType, FindingId::UnknownKey]),
            ("Session_1", Set, Some(1), &[FindingId::UnknownKey, FindingId::BadName]),
            ("bull:mails:1", Hash, Some(1), &[]),
            ("bull:mails:1", Hash, None, &[FindingId::NoExpiry]),
        ] {
            let look = look(&shop, key, redis_type, ttl_ms);
            let faults = Faults::of_first_look(&shop, &look);
            assert_eq!(faults.iter().collect::<Vec<_>>(), expected, "{key} {redis_type:?} {ttl_ms:?}");
            assert!(FindingId::ALL.iter().all(|fault| faults.has(*fault) == expected.contains(fault)));
        }
    }

    #[test]
    fn the_second_look_shows_faults() {
        let shop = shop();
        let length = |length| SecondLook { length: Some(length), ..SecondLook::default() };
        let member = |bytes| SecondLook { largest_member: Some(bytes), ..SecondLook::default() };
        let hyperloglog = |is_one| SecondLook { is_hyperloglog: Some(is_one), ..SecondLook::default() };
        for (key, redis_type, memory, second, expected) in [
            ("user:profile:1:string", String, 200, length(100), None),
            ("user:profile:1:string", String, 200, length(101), Some((FindingId::BigValue, 101))),
            ("user:profile:1:string", String, 200, SecondLook::default(), None),
            // The memory alone can prove it.
            ("user:profile:1:string", String, 9_000, SecondLook::default(), Some((FindingId::BigValue, 9_000))),
            ("user:kept:1:string", String, 200, hyperloglog(false), None),
            ("cart:items:1:hash", Hash, 200, length(5), None),
            ("cart:items:1:hash", Hash, 200, length(6), Some((FindingId::BigCollection, 6))),
            ("cart:items:1:hash", Hash, 90_000, SecondLook::default(), None),
            ("cart:items:1:hash", Hash, 200, member(10), None),
            ("cart:items:1:hash", Hash, 200, member(11), Some((FindingId::BigMember, 11))),
            // For another type the default limits apply.
            ("cart:items:1:hash", Set, 200, length(5_000), None),
            ("other:thing:1", List, 200, length(5_001), Some((FindingId::BigCollection, 5_001))),
            ("page:visitors:1:hyperloglog", String, 80, hyperloglog(true), None),
            ("page:visitors:1:hyperloglog", String, 80, hyperloglog(false), Some((FindingId::WrongType, 80))),
        ] {
            let look = FirstLook { memory: Some(memory), ..look(&shop, key, redis_type, Some(1)) };
            let faults = Faults::of_second_look(&shop, &look, &second).iter();
            let found: Vec<_> = faults.map(|fault| (fault, measure(fault, &look, &second))).collect();
            assert_eq!(found, Vec::from_iter(expected), "{key} {redis_type:?} {second:?}");
        }
    }

    #[test]
    fn names_have_kinds() {
        let longest = format!("a:{}:string", "x".repeat(119));
        for key in ["user:basic.info:42:string", "cart:{42}:total:string", "user:a.{7}:set", "a:b:hash", &longest] {
            assert!(kind_of(key.as_bytes(), None).is_some(), "{key}");
        }
        let too_long = format!("a:{}:string", "x".repeat(120));
        for key in [
            "",
            "12345",
            "user",
            "user:string",
            "user::string",
            "user:a..b:string",
            "User:a:string",
            "1user:a:string",
            "user:a_b:string",
            "user:a b:string",
            "user:{a}:{b}:string",
            "user:{}:string",
            "{user}:a:string",
            "user:{a:b}:string",
            "user:a:text",
            "user:a:string:",
            ":user:a:string",
            &too_long,
        ] {
            assert_eq!(kind_of(key.as_bytes(), None), None, "{key}");
        }
        assert_eq!(kind_of(b"user:\xff:string", None), None);
        assert_eq!(kind_of(b"user:a:\xff", None), None);
    }

    #[test]
    fn a_namespace_is_no_module() {
        assert_eq!(kind_of(b"shop.staging:user:a:set", Some("shop.staging")), Some(Kind::Set));
        assert_eq!(kind_of(b"shop.staging:a:set", Some("shop.staging")), None);
        assert_eq!(kind_of(b"other:a:set", Some("shop.staging")), Some(Kind::Set));
    }
}
