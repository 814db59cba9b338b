//! Methods that users of redis-rs expect on a key, with errors that name the right call.
//!
//! Each method has an unsatisfiable bound with that message, because the compiler would otherwise suggest implementing
//! redis-rs's traits. Completion in an editor does not list them.

use crate::{Command, RedisKey};

/// Declares the methods, in a trait that each key implements.
macro_rules! other_names {
    ($($method:ident($($argument:ident: $type:ident),*) $Key:ident: $Bound:ident, $message:literal;)*) => {
        /// Methods of redis-rs that keys do not have.
        #[doc(hidden)]
        pub trait OtherNames: RedisKey {$(
            #[doc(hidden)]
            #[allow(unused_variables, reason = "they only have names")]
            fn $method<$($type,)* Result>(&self $(, $argument: $type)*) -> Command<Result>
            where
                $Key: $Bound,
            {
                unreachable!("no key has this bound")
            }
        )*}

        impl<K: RedisKey> OtherNames for K {}

        $(
            #[doc(hidden)]
            #[diagnostic::on_unimplemented(message = $message, label = "not here")]
            pub trait $Bound {}
        )*

        #[cfg(test)]
        const NAMES: &[(&str, &str)] = &[$((stringify!($method), $message)),*];
    };
}

other_names! {
    // Methods for every type.
    del() Self: Del, "`del` is `unlink` here, which frees the memory in the background";
    delete() Self: Delete, "`delete` is `unlink` here";
    expire_at(time: T) Self: ExpireAt, "`expire_at` is an option of a write here: `key.set(…).expire_at(time)`; `expire()` restarts the declared expiry";
    expireat(time: T) Self: Expireat, "`expireat` is an option of a write here: `key.set(…).expire_at(time)`; `expire()` restarts the declared expiry";
    pexpire(ms: T) Self: Pexpire, "`pexpire` is `expire()` here, which restarts the declared expiry";
    persist() Self: Persist, "`persist` is a declaration here: `ttl = never, reason = \"…\"`";
    pttl() Self: Pttl, "`pttl` is `ttl()` here, in milliseconds";
    key_type() Self: KeyType, "`key_type` is `SCHEMA.kind` here: a key has the type that its template ends with";
    rename(to: T) Self: Rename, "`rename` is not here: a declaration has one name";
    keys() Self: Keys, "`keys` is `scan()` here, as in `Name::scan().iter(con)`: KEYS stops the server";
    // Methods for strings.
    set_ex(value: V, seconds: T) Self: SetEx, "`set_ex` is `set` here, with the declared expiry, or with `key.set(value).expire_in(time)`";
    setex(value: V, seconds: T) Self: Setex, "`setex` is `set` here, with the declared expiry, or with `key.set(value).expire_in(time)`";
    pset_ex(value: V, ms: T) Self: PsetEx, "`pset_ex` is `set` here, with the declared expiry, or with `key.set(value).expire_in(time)`";
    setnx(value: V) Self: Setnx, "`setnx` is `set_nx` here";
    getset(value: V) Self: Getset, "`getset` is `key.set(value).returning_old()` here";
    getdel() Self: Getdel, "`getdel` is `get_del` here";
    mget(keys: T) Self: Mget, "`mget` is `get_many` here, as in `Name::get_many(keys)`";
    mset(values: T) Self: Mset, "`mset` is a batch here: `batch_iter(items.map(|(key, value)| key.set(value)))`";
    setrange(offset: T, value: V) Self: Setrange, "`setrange` is not here: `append` adds text, and `update` changes it";
    incrby(by: T) Self: Incrby, "`incrby` is `incr_by` here";
    decrby(by: T) Self: Decrby, "`decrby` is `decr_by` here";
    // Methods for hashes.
    hgetall() Self: Hgetall, "`hgetall` is `load()` here for a record, and `hscan()` for a hash with `field`";
    hkeys() Self: Hkeys, "`hkeys` is `hscan()` here, page by page";
    hvals() Self: Hvals, "`hvals` is `hscan()` here, page by page";
    hset_multiple(fields: T) Self: HsetMultiple, "`hset_multiple` is `hset_many` here, and `store` for a record";
    hincrby(field: F, by: T) Self: Hincrby, "`hincrby` is `hincr` here";
    // Methods for lists.
    rpoplpush(to: T) Self: Rpoplpush, "`rpoplpush` is `lmove` here";
    brpoplpush(to: T, timeout: S) Self: Brpoplpush, "`brpoplpush` is `blmove` here";
    // Methods for sets.
    smembers() Self: Smembers, "`smembers` is `sscan()` here, page by page; `.collect()` of a scan returns all members";
    smove(to: T, member: V) Self: Smove, "`smove` is `atomic((from.srem(…), to.sadd(…)))` here";
    sunion(others: T) Self: Sunion, "`sunion` is not here: read the sets with `sscan()`";
    sinter(others: T) Self: Sinter, "`sinter` is not here: ask with `smismember`, or read the sets with `sscan()`";
    sdiff(others: T) Self: Sdiff, "`sdiff` is not here: ask with `smismember`, or read the sets with `sscan()`";
    // Methods for sorted sets.
    zincrby(member: V, by: T) Self: Zincrby, "`zincrby` is `zincr` here";
    zadd_multiple(members: T) Self: ZaddMultiple, "`zadd_multiple` is `zadd_many` here";
    zunionstore(keys: T) Self: Zunionstore, "`zunionstore` is not here: read with `zscan()` and write with `zadd_many`";
    // Methods for streams.
    xack(group: G, ids: T) Self: Xack, "`xack` is `key.group(name).ack(id)` here";
    xgroup_create(group: G, id: T) Self: XgroupCreate, "`xgroup_create` is `key.group(name).create(start)` here";
    xread_options(ids: T) Self: XreadOptions, "`xread_options` is `xread`, `xread_block` or `key.group(name).read(…)` here";
}

#[cfg(test)]
mod tests {
    use super::NAMES;

    #[test]
    fn the_guide_lists_all_names() {
        let page = include_str!("../../docs/guide/cookbook/migration.md");
        let missing: Vec<_> = NAMES.iter().filter(|(name, _)| !page.contains(&format!("`{name}`"))).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn every_message_begins_with_its_name() {
        for (name, message) in NAMES {
            assert!(message.starts_with(&format!("`{name}` is ")), "{message}");
        }
    }
}
