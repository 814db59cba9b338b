//! The faults of keys: how they differ from their declarations, or from what a declared key would be.
//!
//! `audit` counts them, `purge` and `expire` choose keys by them.

use std::time::SystemTime;

use super::key_name::kind_of;
use super::scan::{Expiry, FirstLook, SecondLook};
use super::schemas::Schemas;

/// A fault of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// No declaration can produce it, and the policy leaves it to no other program.
    Undeclared,
    /// It is undeclared, and its name does not follow the rules.
    BadName,
    /// Its type is not that of its declaration, or not the one that its name ends with.
    WrongType,
    /// It never expires.
    NoExpiry,
    /// It lives longer than its declaration allows.
    LongExpiry,
    /// The string is too long.
    BigValue,
    /// The collection has too many elements.
    BigCollection,
    /// An element is too long.
    BigMember,
}

impl Fault {
    const ALL: [Self; 8] = [
        Self::Undeclared,
        Self::BadName,
        Self::WrongType,
        Self::NoExpiry,
        Self::LongExpiry,
        Self::BigValue,
        Self::BigCollection,
        Self::BigMember,
    ];

    /// The measure by which keys with the same fault are compared: the time to live, the length, or the memory.
    pub(crate) fn measure(self, look: &FirstLook<'_>, second: &SecondLook) -> u64 {
        let measure = match self {
            Self::LongExpiry => look.expiry.ttl_ms(),
            Self::BigValue | Self::BigCollection => second.length.or(look.memory),
            Self::BigMember => second.largest_member,
            _ => look.memory,
        };
        measure.unwrap_or(0)
    }
}

/// The faults of a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Faults(u8);

impl Faults {
    /// The faults that the first look at a key shows. A key of another program has none but a missing expiry.
    pub(crate) fn of_first_look(schemas: &Schemas, look: &FirstLook<'_>) -> Self {
        let is_never = look.expiry == Expiry::Never;
        if let Some(limits) = look.declaration.and_then(|index| schemas.declared(index)) {
            let is_too_long = |left| limits.is_too_long(schemas.template_text(look.key), left, SystemTime::now);
            return Self::of([
                (Fault::WrongType, look.redis_type != limits.redis_type),
                (Fault::NoExpiry, is_never && limits.lifetime_ms.is_some()),
                (Fault::LongExpiry, look.expiry.ttl_ms().is_some_and(is_too_long)),
            ]);
        }
        if schemas.foreign(look.key).is_some() {
            return Self::of([(Fault::NoExpiry, is_never)]);
        }
        let kind = kind_of(look.key, schemas.namespace.as_deref());
        Self::of([
            (Fault::Undeclared, true),
            (Fault::BadName, kind.is_none()),
            (Fault::WrongType, kind.is_some_and(|kind| !look.redis_type.is(kind))),
            (Fault::NoExpiry, is_never),
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
            (if limits.max_bytes.is_some() { Fault::BigValue } else { Fault::BigCollection }, is_big),
            (Fault::BigMember, exceeds(second.largest_member, limits.max_member_bytes)),
            (Fault::WrongType, limits.is_hyperloglog && second.is_hyperloglog == Some(false)),
        ])
    }

    fn of<const COUNT: usize>(faults: [(Fault, bool); COUNT]) -> Self {
        Self(faults.into_iter().filter(|(_, is_there)| *is_there).fold(0, |set, (fault, _)| set | 1 << fault as u8))
    }

    /// Whether the key has this fault.
    pub(crate) fn has(self, fault: Fault) -> bool {
        self.0 & (1 << fault as u8) != 0
    }

    /// The faults, one by one.
    pub(crate) fn iter(self) -> impl Iterator<Item = Fault> {
        Fault::ALL.into_iter().filter(move |fault| self.has(*fault))
    }
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

    /// A declaration of each kind of limit, beside the keys of another program.
    fn shop() -> Schemas {
        let policy = Policy::parse("[foreign]\nsystems = [\"bullmq\"]").0;
        let schemas = schemas(vec![
            key("Profile", "user:profile:{id}:string", &json!({"ttl_ms": 60_000, "jitter_ms": 0, "max_bytes": 100})),
            key("Kept", "user:kept:{id}:string", &json!({"ttl_ms": null, "jitter_ms": 0})),
            key("Cart", "cart:items:{id}:hash", &json!({"max_len": 5, "max_member_bytes": 10})),
            key("Visitors", "page:visitors:{id}:hyperloglog", &json!({})),
        ]);
        schemas.with_foreign(ForeignKeys::of(&Foreign::of(&[policy.into()])))
    }

    fn look<'k>(schemas: &Schemas, key: &'k str, redis_type: RedisType, ttl_ms: Option<u64>) -> FirstLook<'k> {
        let (key, expiry) = (key.as_bytes(), Expiry::of(ttl_ms));
        FirstLook { key, declaration: schemas.find(key), redis_type, expiry, memory: Some(70) }
    }

    #[test]
    fn the_first_look_shows_faults() {
        let shop = shop();
        for (key, redis_type, ttl_ms, expected) in [
            ("user:profile:1:string", String, Some(60_000), &[][..]),
            ("user:profile:1:string", String, Some(60_001), &[Fault::LongExpiry]),
            ("user:profile:1:string", String, None, &[Fault::NoExpiry]),
            ("user:profile:1:string", Set, None, &[Fault::WrongType, Fault::NoExpiry]),
            ("user:kept:1:string", String, None, &[]),
            ("user:kept:1:string", String, Some(u64::MAX), &[]),
            ("cart:items:1:hash", List, Some(1), &[Fault::WrongType]),
            ("other:thing:1:hash", Hash, Some(u64::MAX), &[Fault::Undeclared]),
            ("other:thing:1:geo", ZSet, None, &[Fault::Undeclared, Fault::NoExpiry]),
            ("other:thing:1:hash", Set, Some(1), &[Fault::Undeclared, Fault::WrongType]),
            ("Session_1", Set, Some(1), &[Fault::Undeclared, Fault::BadName]),
            ("bull:mails:1", Hash, Some(1), &[]),
            ("bull:mails:1", Hash, None, &[Fault::NoExpiry]),
        ] {
            let look = look(&shop, key, redis_type, ttl_ms);
            let faults = Faults::of_first_look(&shop, &look);
            assert_eq!(faults.iter().collect::<Vec<_>>(), expected, "{key} {redis_type:?} {ttl_ms:?}");
            assert!(Fault::ALL.iter().all(|fault| faults.has(*fault) == expected.contains(fault)));
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
            ("user:profile:1:string", String, 200, length(101), Some((Fault::BigValue, 101))),
            ("user:profile:1:string", String, 200, SecondLook::default(), None),
            // The memory alone can prove it.
            ("user:profile:1:string", String, 9_000, SecondLook::default(), Some((Fault::BigValue, 9_000))),
            ("user:kept:1:string", String, 200, hyperloglog(false), None),
            ("cart:items:1:hash", Hash, 200, length(5), None),
            ("cart:items:1:hash", Hash, 200, length(6), Some((Fault::BigCollection, 6))),
            ("cart:items:1:hash", Hash, 90_000, SecondLook::default(), None),
            ("cart:items:1:hash", Hash, 200, member(10), None),
            ("cart:items:1:hash", Hash, 200, member(11), Some((Fault::BigMember, 11))),
            // For another type the default limits apply.
            ("cart:items:1:hash", Set, 200, length(5_000), None),
            ("other:thing:1", List, 200, length(5_001), Some((Fault::BigCollection, 5_001))),
            ("page:visitors:1:hyperloglog", String, 80, hyperloglog(true), None),
            ("page:visitors:1:hyperloglog", String, 80, hyperloglog(false), Some((Fault::WrongType, 80))),
        ] {
            let look = FirstLook { memory: Some(memory), ..look(&shop, key, redis_type, Some(1)) };
            let faults = Faults::of_second_look(&shop, &look, &second).iter();
            let found: Vec<_> = faults.map(|fault| (fault, fault.measure(&look, &second))).collect();
            assert_eq!(found, Vec::from_iter(expected), "{key} {redis_type:?} {second:?}");
        }
    }
}
