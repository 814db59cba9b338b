//! Accessors of other types and roles: if you call one on the wrong key, the error says which key it is.
//!
//! Each group of accessors is a trait of the keys that lack them. Its methods have an unsatisfiable bound with that
//! message, because the compiler would otherwise list all traits with such a method. Completion in an editor does not
//! list them.
//!
//! Names that traits in programs probably have, such as `load` and `push`, are left out, because calls of such methods
//! would become ambiguous.

use crate::RedisKey;

/// A declared type: a key, a key with `copies` or a channel.
#[doc(hidden)]
pub trait DeclaredType: Sized {
    /// The type and the role, one of [`kind`].
    type Kind;
}

impl<K: RedisKey> DeclaredType for K {
    type Kind = K::Kind;
}

/// The answer to a call on a key of type `K`. Each [`kind`] implements it under a bound with its message.
#[doc(hidden)]
pub trait Answer<K> {
    type Reply;
}

/// Types and roles of keys, named after their traits.
#[doc(hidden)]
pub mod kind {
    macro_rules! kinds {
        ($($Kind:ident)*) => {
            $(#[derive(Debug)] pub struct $Kind;)*

            #[cfg(test)]
            pub(super) const ALL: &[&str] = &[$(stringify!($Kind)),*];
        };
    }

    kinds!(StringKey CachedKey LockKey LimitKey JobKey BloomKey HashKey RecordKey ListKey SetKey ZSetKey BitmapKey HyperLogLogKey GeoKey StreamKey CopiedKey ChannelKey);
}

/// Declares a kind's answer. Each has a separate call: the compiler shows the whole call.
macro_rules! answer {
    ($Kind:ident: $Message:ident, $message:literal, $label:literal, $note:literal) => {
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        pub trait $Message {
            type Reply;
        }

        impl<K: $Message> Answer<K> for kind::$Kind {
            type Reply = K::Reply;
        }
    };
}

answer! {
    StringKey: IsString,
    "`{Self}` is a `string` key, which has no such accessor",
    "not an accessor of a `string` key",
    "its accessors are `get`, `set`, `set_nx`, `get_del` and `update`; for numbers also `incr` and `decr`, and for text `append`"
}
answer! {
    CachedKey: IsCached,
    "`{Self}` is a cached key: `cache.get_or_load(&key, load)` reads it and fills it",
    "not an accessor of a cached key",
    "its accessors are `get`, `set`, `claim`, `fill` and `abandon`; a key without `cache` has those of a `string`"
}
answer! {
    LockKey: IsLock,
    "`{Self}` is a lock: `locks.acquire(&key).await?` acquires it",
    "not an accessor of a lock",
    "its accessors are `acquire`, `renew`, `release` and `is_held`"
}
answer! {
    LimitKey: IsLimit,
    "`{Self}` is a rate limit: `key.take(1).run(&con).await?` asks it",
    "not an accessor of a rate limit",
    "its accessor is `take`"
}
answer! {
    JobKey: IsJobs,
    "`{Self}` is a queue of jobs: `key.push(&job)` adds one, and `Worker::new(con, key)` runs them",
    "not an accessor of a queue of jobs",
    "its accessors are `push`, `push_many`, `take`, `ack`, `retry`, `extend`, `bury`, `dead`, `revive` and `counts`"
}
answer! {
    BloomKey: IsBloom,
    "`{Self}` is a Bloom filter: `key.add(&item)` adds to it, and `key.might_contain(&item)` asks it",
    "not an accessor of a Bloom filter",
    "its accessors are `add`, `add_many`, `might_contain` and `might_contain_many`"
}
answer! {
    HashKey: IsHash,
    "`{Self}` is a `hash` key with open field names, which has no such accessor",
    "not an accessor of such a `hash` key",
    "its accessors are `hget`, `hmget`, `hset`, `hset_many`, `hincr`, `hdel`, `hlen` and `hscan`"
}
answer! {
    RecordKey: IsRecord,
    "`{Self}` is a `hash` key of a record: `load()` reads it, and `store(&record)` writes it",
    "not an accessor of a record",
    "its accessors are `load`, `store`, and for single fields `hget`, `hset`, `hincr` and `hdel`"
}
answer! {
    ListKey: IsList,
    "`{Self}` is a `list` key, which has no such accessor",
    "not an accessor of a `list` key",
    "its accessors are `lpush`, `rpush`, `lpop`, `rpop`, `lrange`, `lindex`, `lrem`, `llen` and `lpages`"
}
answer! {
    SetKey: IsSet,
    "`{Self}` is a `set` key, which has no such accessor",
    "not an accessor of a `set` key",
    "its accessors are `sadd`, `srem`, `sismember`, `smismember`, `scard`, `spop`, `srandmember` and `sscan`"
}
answer! {
    ZSetKey: IsZSet,
    "`{Self}` is a `zset` key, which has no such accessor",
    "not an accessor of a `zset` key",
    "its accessors are `zadd`, `zincr`, `zscore`, `zrank`, `zrange`, `zrangebyscore`, `zrem`, `zcard` and `zscan`"
}
answer! {
    BitmapKey: IsBitmap,
    "`{Self}` is a `bitmap` key, which has no such accessor",
    "not an accessor of a `bitmap` key",
    "its accessors are `setbit`, `getbit`, `bitcount`, `bitpos` and `bitfield`"
}
answer! {
    HyperLogLogKey: IsHyperLogLog,
    "`{Self}` is a `hyperloglog` key, which has no such accessor",
    "not an accessor of a `hyperloglog` key",
    "its accessors are `pfadd`, `pfcount`, `pfcount_with` and `pfmerge`"
}
answer! {
    GeoKey: IsGeo,
    "`{Self}` is a `geo` key, which has no such accessor",
    "not an accessor of a `geo` key",
    "its accessors are `geoadd`, `geopos`, `geodist`, `geosearch`, `zrem`, `zcard` and `zscan`"
}
answer! {
    StreamKey: IsStream,
    "`{Self}` is a `stream` key, which has no such accessor",
    "not an accessor of a `stream` key",
    "its accessors are `xadd`, `xread`, `xrange`, `xrevrange`, `xdel`, `xtrim`, `xlen`, `xpages` and `group`"
}
answer! {
    CopiedKey: IsCopied,
    "`{Self}` is a key with `copies`, which has no such accessor",
    "not an accessor of a key with `copies`",
    "its accessors are `get`, `set`, `exists`, `expire` and `unlink`; `.any_copy()` returns one copy, a `string` key"
}
answer! {
    ChannelKey: IsChannel,
    "`{Self}` is a channel: `key.publish(&message)` publishes, and `Subscriber::connect(url, [key])` receives",
    "not an accessor of a channel",
    "its accessors are `publish` and `channel`; what is to be read later is stored in a `stream` or a `list`"
}

/// Declares the groups of accessors, each with the kinds that lack them.
macro_rules! accessors {
    ($(
        $Lacks:ident $Group:ident for [$($Kind:ident)*] {
            $($method:ident($($argument:ident: $type:ident),*);)*
        }
    )*) => {
        $(
            #[doc(hidden)]
            pub trait $Lacks {}

            $(impl $Lacks for kind::$Kind {})*

            #[doc(hidden)]
            pub trait $Group: DeclaredType {$(
                #[doc(hidden)]
                #[allow(unused_variables, reason = "they only have names")]
                fn $method<$($type),*>(&self $(, $argument: $type)*) -> <Self::Kind as Answer<Self>>::Reply
                where
                    Self::Kind: Answer<Self>,
                {
                    unreachable!("no key has this bound")
                }
            )*}

            impl<K: DeclaredType<Kind: $Lacks>> $Group for K {}
        )*

        /// The groups, for the prelude.
        pub(crate) mod groups {
            $(pub use super::$Group as _;)*
        }

        #[cfg(test)]
        const GROUPS: &[(&[&str], &[&str])] = &[$((&[$(stringify!($Kind)),*], &[$(stringify!($method)),*])),*];
    };
}

accessors! {
    LacksStringOrCachedOrCopied OfStringOrCachedOrCopied for [LockKey LimitKey JobKey BloomKey HashKey RecordKey ListKey SetKey ZSetKey BitmapKey HyperLogLogKey GeoKey StreamKey ChannelKey] {
        get();
        set(value: A);
    }
    LacksString OfString for [CachedKey LockKey LimitKey JobKey BloomKey HashKey RecordKey ListKey SetKey ZSetKey BitmapKey HyperLogLogKey GeoKey StreamKey CopiedKey ChannelKey] {
        get_del();
        get_ex();
        set_nx(value: A);
        set_xx(value: A);
        strlen();
        getrange(positions: A);
        append(end: A);
        incr();
        incr_by(number: A);
        decr();
        decr_by(number: A);
        incr_by_float(number: A);
    }
    LacksHashOrRecord OfHashOrRecord for [StringKey CachedKey LockKey LimitKey JobKey BloomKey ListKey SetKey ZSetKey BitmapKey HyperLogLogKey GeoKey StreamKey CopiedKey ChannelKey] {
        hget(field: A);
        hset(field: A, value: B);
        hdel(field: A);
        hexists(field: A);
        hincr(field: A, number: B);
        hexpire(field: A, time: B);
        httl(field: A);
        hpersist(field: A);
    }
    LacksHash OfHash for [StringKey CachedKey LockKey LimitKey JobKey BloomKey RecordKey ListKey SetKey ZSetKey BitmapKey HyperLogLogKey GeoKey StreamKey CopiedKey ChannelKey] {
        hmget(fields: A);
        hset_many(fields: A);
        hset_nx(field: A, value: B);
        hdel_many(fields: A);
        hlen();
        hstrlen(field: A);
        hdecr(field: A, number: B);
        hincr_by_float(field: A, number: B);
        hrandfield();
        hrandfield_many(count: A);
        hscan();
    }
    LacksList OfList for [StringKey CachedKey LockKey LimitKey JobKey BloomKey HashKey RecordKey SetKey ZSetKey BitmapKey HyperLogLogKey GeoKey StreamKey CopiedKey ChannelKey] {
        lpush(item: A);
        lpush_many(items: A);
        rpush(item: A);
        rpush_many(items: A);
        lpop();
        lpop_many(count: A);
        rpop();
        rpop_many(count: A);
        lmove(destination: A, from: B, to: C);
        blpop(wait: A);
        brpop(wait: A);
        blmove(destination: A, from: B, to: C, wait: D);
        lset(position: A, item: B);
        lrem(count: A, item: B);
        lrange(positions: A);
        lpages(page_len: A);
        llen();
        lindex(position: A);
        lpos(item: A);
        ltrim(positions: A);
    }
    LacksSet OfSet for [StringKey CachedKey LockKey LimitKey JobKey BloomKey HashKey RecordKey ListKey ZSetKey BitmapKey HyperLogLogKey GeoKey StreamKey CopiedKey ChannelKey] {
        sadd(member: A);
        sadd_many(members: A);
        srem(member: A);
        srem_many(members: A);
        sismember(member: A);
        smismember(members: A);
        scard();
        srandmember();
        srandmember_many(count: A);
        spop();
        spop_many(count: A);
        sscan();
    }
    LacksZSet OfZSet for [StringKey CachedKey LockKey LimitKey JobKey BloomKey HashKey RecordKey ListKey SetKey BitmapKey HyperLogLogKey GeoKey StreamKey CopiedKey ChannelKey] {
        zadd(member: A, score: B);
        zadd_many(members: A);
        zincr(member: A, by: B);
        zscore(member: A);
        zmscore(members: A);
        zrank(member: A);
        zrevrank(member: A);
        zrange(ranks: A);
        zrange_withscores(ranks: A);
        zrevrange(ranks: A);
        zrevrange_withscores(ranks: A);
        zrangebyscore(scores: A, limit: B);
        zrangebyscore_withscores(scores: A, limit: B);
        zrevrangebyscore(scores: A, limit: B);
        zrevrangebyscore_withscores(scores: A, limit: B);
        zrandmember();
        zrandmember_many(count: A);
        zrandmember_many_withscores(count: A);
        zpopmin();
        zpopmin_many(count: A);
        zpopmax();
        zpopmax_many(count: A);
        bzpopmin(wait: A);
        bzpopmax(wait: A);
        zcount(scores: A);
        zremrangebyscore(scores: A);
        zremrangebyrank(ranks: A);
    }
    LacksZSetOrGeo OfZSetOrGeo for [StringKey CachedKey LockKey LimitKey JobKey BloomKey HashKey RecordKey ListKey SetKey BitmapKey HyperLogLogKey StreamKey CopiedKey ChannelKey] {
        zcard();
        zrem(member: A);
        zrem_many(members: A);
        zscan();
    }
    LacksBitmap OfBitmap for [StringKey CachedKey LockKey LimitKey JobKey BloomKey HashKey RecordKey ListKey SetKey ZSetKey HyperLogLogKey GeoKey StreamKey CopiedKey ChannelKey] {
        setbit(offset: A, bit: B);
        getbit(offset: A);
        bitcount();
        bitcount_range(bytes: A);
        bitpos(bit: A);
        bitpos_range(bit: A, bytes: B);
        bitfield();
    }
    LacksBloom OfBloom for [StringKey CachedKey LockKey LimitKey JobKey HashKey RecordKey ListKey SetKey ZSetKey BitmapKey HyperLogLogKey GeoKey StreamKey CopiedKey ChannelKey] {
        might_contain(item: A);
        might_contain_many(items: A);
    }
    LacksHyperLogLog OfHyperLogLog for [StringKey CachedKey LockKey LimitKey JobKey BloomKey HashKey RecordKey ListKey SetKey ZSetKey BitmapKey GeoKey StreamKey CopiedKey ChannelKey] {
        pfadd(member: A);
        pfadd_many(members: A);
        pfcount();
        pfcount_with(others: A);
        pfmerge(others: A);
    }
    LacksGeo OfGeo for [StringKey CachedKey LockKey LimitKey JobKey BloomKey HashKey RecordKey ListKey SetKey ZSetKey BitmapKey HyperLogLogKey StreamKey CopiedKey ChannelKey] {
        geoadd(member: A, point: B);
        geoadd_many(members: A);
        geopos(member: A);
        geopos_many(members: A);
        geodist(from: A, to: B, unit: C);
        geohash(member: A);
        geohash_many(members: A);
        geosearch(center: A, area: B, count: C);
        geosearch_by_member(center: A, area: B, count: C);
    }
    LacksStream OfStream for [StringKey CachedKey LockKey LimitKey JobKey BloomKey HashKey RecordKey ListKey SetKey ZSetKey BitmapKey HyperLogLogKey GeoKey CopiedKey ChannelKey] {
        xadd(entry: A);
        xlen();
        xrange(ids: A, count: B);
        xrevrange(ids: A, count: B);
        xread(after: A, count: B);
        xread_block(after: A, count: B, wait: C);
        xpages(page_len: A);
        xdel(id: A);
        xdel_many(ids: A);
        xtrim(len: A);
        xtrim_about(len: A);
        xtrim_before(id: A);
    }
    LacksChannel OfChannel for [StringKey CachedKey LockKey LimitKey JobKey BloomKey HashKey RecordKey ListKey SetKey ZSetKey BitmapKey HyperLogLogKey GeoKey StreamKey CopiedKey] {
        publish(message: A);
    }
    LacksLock OfLock for [StringKey CachedKey LimitKey JobKey BloomKey HashKey RecordKey ListKey SetKey ZSetKey BitmapKey HyperLogLogKey GeoKey StreamKey CopiedKey ChannelKey] {
        is_held();
    }
    LacksAnyKey OfAnyKey for [ChannelKey] {
        exists();
        ttl();
        expire();
        expire_in(time: A);
        unlink();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{GROUPS, kind};

    /// Accessors whose names traits in programs probably have.
    const LEFT_OUT: &[&str] = &[
        "abandon",
        "ack",
        "ack_many",
        "acquire",
        "add",
        "add_many",
        "any_copy",
        "begin",
        "bury",
        "channel",
        "claim",
        "claim_refresh",
        "copy",
        "counts",
        "dead",
        "entries",
        "extend",
        "fail",
        "fill",
        "finish",
        "get_many",
        "group",
        "items",
        "key_of",
        "keys",
        "load",
        "members",
        "push",
        "push_many",
        "release",
        "renew",
        "retry",
        "revive",
        "store",
        "take",
        "update",
    ];

    /// Returns the accessors and their traits, as listed by the public paths.
    fn public_accessors() -> BTreeSet<(&'static str, &'static str)> {
        let kinds: BTreeSet<_> = kind::ALL.iter().copied().collect();
        let paths = include_str!("../../public-paths.txt").lines();
        let methods = paths.filter_map(|line| line.strip_suffix(": method")?.rsplit_once("::"));
        methods.filter_map(|(path, name)| Some((*kinds.get(path.rsplit("::").next()?)?, name))).collect()
    }

    #[test]
    fn the_groups_are_those_of_the_public_paths() {
        let public = public_accessors();
        for (kind, name) in &public {
            let group = GROUPS.iter().find(|(_, methods)| methods.contains(name));
            assert!(group.is_some() || LEFT_OUT.contains(name), "{name} is in no group");
            assert!(group.is_none_or(|(lacking, _)| !lacking.contains(kind)), "{kind} has {name}");
        }
        for (lacking, methods) in GROUPS.iter().filter(|(lacking, _)| lacking.len() > 1) {
            for name in *methods {
                let having = kind::ALL.iter().filter(|kind| !lacking.contains(kind));
                for kind in having {
                    assert!(public.contains(&(kind, name)), "{kind} has no {name}");
                }
            }
        }
    }

    #[test]
    fn the_messages_name_accessors_that_there_are() {
        let public = public_accessors();
        let answers = include_str!("other_accessors.rs").split("\nanswer! {\n").skip(1);
        for answer in answers {
            let (kind, texts) = answer.split_once(": ").unwrap();
            let kind = kind.trim();
            let (_, accessors) = texts.split_once("\"its accessor").unwrap();
            let accessors = accessors.split(['\n', ';']).next().unwrap().split('`').skip(1).step_by(2);
            for name in accessors {
                assert!(public.contains(&(kind, name)), "{kind} has no {name}");
            }
        }
    }
}
