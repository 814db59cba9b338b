//! Keys of type `hyperloglog`.

#[cfg(all(test, feature = "aio"))]
mod tests;

use std::borrow::Borrow;

use redis::{Cmd, RedisWrite as _};

use crate::accessor::accessor;
use crate::command::arguments::{Amount, Arguments, Capacity, value, values};
use crate::command::builder::Build as _;
use crate::command::expiry::expiry_of;
use crate::command::{call_with, count, done, flag};
use crate::error::Cause;
use crate::schema::{Expiry, Schema};
use crate::stored::Stored;
use crate::{Command, Error, Key, RedisKey, lua};

/// The type that writes borrow: the [`Input`](Stored::Input) of `value`.
pub type Input<K> = <<K as HyperLogLogKey>::Value as Stored>::Input;

/// A key that estimates the number of distinct members: `…:hyperloglog`.
///
/// Redis does not store the members. The estimate has a standard error of 0.81 %, and the key never takes more than 12
/// KB. The expiry starts when the key is created and restarts as `renew` says.
///
/// ```
/// use redis_keys::{prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(page:visitors:{#page}:{day}:hyperloglog, value = u64, ttl = 8d)]
/// struct Visitors { page: u32, day: u32 }
///
/// #[derive(RedisKey)]
/// #[redis_key(page:visitors.week:{#page}:{week}:hyperloglog, value = u64, ttl = 30d)]
/// struct WeekVisitors { page: u32, week: u32 }
///
/// let days = [1, 2].map(|day| Visitors { page: 7, day });
/// let changed: Command<bool> = days[0].pfadd(&42);
/// assert_eq!(testing::text(days[0].pfcount())?, ["PFCOUNT page:visitors:{7}:1:hyperloglog"]);
/// let merged: Command<()> = WeekVisitors { page: 7, week: 1 }.pfmerge(&days);
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key of type `hyperloglog`",
    label = "not a `hyperloglog` key",
    note = "the template of a `hyperloglog` key ends with `:hyperloglog`; the type arguments of a generic key must be parameter types"
)]
pub trait HyperLogLogKey: RedisKey {
    /// The stored form of the members.
    type Value: Stored;

    /// Adds a member with `PFADD` and returns whether the estimate has changed.
    ///
    /// A member that was added before never changes the estimate, and a new member sometimes does not.
    fn pfadd(&self, member: &Input<Self>) -> Command<bool> {
        self.write_native("PFADD", value::<Self::Value>(member)).reply(flag).named(accessor!("pfadd"))
    }

    /// Adds up to 500 members with `PFADD` and returns whether the estimate has changed.
    fn pfadd_many<I>(&self, members: I) -> Command<bool>
    where
        I: IntoIterator,
        I::Item: Borrow<Input<Self>>,
    {
        self.write_native("PFADD", values::<Self::Value, _>(members)).reply(flag).named(accessor!("pfadd_many"))
    }

    /// Returns the estimated number of distinct members (`PFCOUNT`).
    fn pfcount(&self) -> Command<u64> {
        self.read("PFCOUNT", ()).reply(count).named(accessor!("pfcount"))
    }

    /// Returns the estimated number of distinct members of this key and up to 100 others together (`PFCOUNT`).
    ///
    /// It does not renew the expiry. On a cluster all keys need the same hash tag.
    fn pfcount_with<'o, O>(&self, others: impl IntoIterator<Item = &'o O>) -> Command<u64>
    where
        O: HyperLogLogKey<Value = Self::Value> + 'o,
    {
        match OtherKeys::of::<Self, O>(others) {
            Ok(others) => self.native("PFCOUNT", others).reply(count),
            Err(error) => Command::refused(error),
        }
        .named(accessor!("pfcount_with"))
    }

    /// Adds the members of up to 100 other keys to this one (`PFMERGE`).
    ///
    /// The other keys and their expiry do not change. On a cluster all keys need the same hash tag.
    fn pfmerge<'o, O>(&self, others: impl IntoIterator<Item = &'o O>) -> Command<()>
    where
        O: HyperLogLogKey<Value = Self::Value> + 'o,
    {
        match OtherKeys::of::<Self, O>(others) {
            Ok(OtherKeys(others)) if others.is_empty() => Command::ready(()),
            Ok(others) if Self::SCHEMA.expiry == Expiry::NEVER => self.native("PFMERGE", others).reply(done),
            Ok(others) => Command::script(Self::SCHEMA, &lua::PFMERGE, merge_cmd(self, others), done),
            Err(error) => Command::refused(error),
        }
        .named(accessor!("pfmerge"))
    }
}

/// Builds the script call for PFMERGE.
fn merge_cmd<K: HyperLogLogKey>(key: &K, others: OtherKeys) -> Result<Cmd, Error> {
    let (key, expiry) = (key.key()?, expiry_of(key)?);
    let keys = others.0.len().saturating_add(1);
    let arguments = (others, expiry);
    let capacity = arguments.capacity(K::SCHEMA);
    let mut cmd = call_with(&lua::PFMERGE, keys, key.as_str().as_bytes(), capacity.arguments, capacity.bytes);
    match arguments.push(&mut cmd, K::SCHEMA) {
        Ok(_) => Ok(cmd),
        Err(cause) => Err(Error::refused(K::SCHEMA, Some(key.as_str().into()), cause)),
    }
}

/// The maximum number of other keys in a command.
const MAX_OTHER_KEYS: usize = 100;

/// Keys that follow the command's first key.
struct OtherKeys(Vec<Key>);

impl OtherKeys {
    /// The other keys for a command on a key of type `K`.
    fn of<'o, K, O>(others: impl IntoIterator<Item = &'o O>) -> Result<Self, Error>
    where
        K: HyperLogLogKey,
        O: HyperLogLogKey + 'o,
    {
        let keys: Vec<Key> = others.into_iter().take(MAX_OTHER_KEYS + 1).map(O::key).collect::<Result<_, _>>()?;
        if keys.len() > MAX_OTHER_KEYS {
            return Err(Error::refused(K::SCHEMA, None, Cause::TooMany { most: MAX_OTHER_KEYS as u64 }));
        }
        Ok(Self(keys))
    }
}

impl Arguments for OtherKeys {
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        Capacity::new(self.0.len(), self.0.len().saturating_mul(40))
    }

    fn push(self, cmd: &mut Cmd, _schema: &'static Schema) -> Result<Amount, Cause> {
        for key in &self.0 {
            cmd.write_arg(key.as_str().as_bytes());
        }
        Ok(Amount::Some)
    }
}
