//! Hot keys: strings that are stored in several copies.

mod get;
#[cfg(all(test, feature = "aio"))]
mod tests;

use std::time::Duration;

pub use get::GetCopy;
pub(crate) use get::get;
use redis::{Cmd, RedisWrite as _, Value};

use crate::accessor::accessor;
use crate::command::expiry;
use crate::command::table::{cmd_bytes, words};
use crate::command::{Decode, DecodeResult, Replies, ReplyContext, ReplyError, Step, on_key};
use crate::key::KeyWriter;
use crate::parameter::parse::Unparsable;
use crate::schema::{KeyLiterals, OptionLiterals, Schema};
use crate::stored::Stored;
use crate::types::other_accessors::kind;
use crate::types::string::StringKey;
use crate::types::{any, copies, string};
use crate::{Command, Error, Key, RedisKey, clock};

/// Returns the number of a random copy.
pub(crate) fn any<K: CopiedKey>() -> u32 {
    at_random(K::COPIES)
}

/// Returns a random number below `end`.
fn at_random(end: u32) -> u32 {
    u32::try_from(clock::up_to(end.saturating_sub(1).into())).unwrap_or_default()
}

pub(crate) fn set<K: CopiedKey>(key: &K, value: &Input<K>) -> Command<()> {
    many(key, set_cmds(key, value), all_done)
}

/// The value is encoded once.
fn set_cmds<K: CopiedKey>(key: &K, value: &Input<K>) -> Result<Vec<Cmd>, Error> {
    let first = key.copy(0);
    let mut cmd = string::set::set_cmd::<_, K::Value>(&first, value)?;
    string::set::push_declared(&mut cmd, &first)?;
    on_all(key, cmd)
}

/// Changes the expiry of all copies to this number of milliseconds, or removes it.
fn expire_after<K: CopiedKey>(key: &K, ms: Result<Option<u64>, Error>) -> Command<u64> {
    many(key, ms.and_then(|ms| on_all(key, any::pexpire(&key.copy(0), ms)?)), total)
}

/// Returns a command on the first copy, and then on each other copy.
///
/// All copies expire at the same moment. If they expired one after the other, the last copy would get all reads.
fn on_all<K: CopiedKey>(key: &K, first: Cmd) -> Result<Vec<Cmd>, Error> {
    let others = (1..K::COPIES).map(|number| {
        let key = key.key_of(number)?;
        let mut cmd = Cmd::with_capacity(words(&first).count(), cmd_bytes(&first));
        for (index, word) in words(&first).enumerate() {
            cmd.write_arg(if index == 1 { key.as_str().as_bytes() } else { word });
        }
        Ok(cmd)
    });
    let others: Result<Vec<Cmd>, Error> = others.collect();
    Ok(std::iter::once(first).chain(others?).collect())
}

/// Sends a command without arguments to each copy.
pub(crate) fn each<K: CopiedKey, T>(key: &K, name: &str, decode: Decode<T>) -> Command<T> {
    let cmds = (0..K::COPIES).map(|number| on_key(&key.copy(number), name, 0, 0)).collect();
    many(key, cmds, decode)
}

fn many<K: CopiedKey, T>(_key: &K, cmds: Result<Vec<Cmd>, Error>, decode: Decode<T>) -> Command<T> {
    match cmds {
        Ok(cmds) => Command::many(K::SCHEMA, cmds, decode),
        Err(error) => Command::refused(error),
    }
}

fn all_done(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<()> {
    for (command, reply) in replies.all().enumerate() {
        if reply != Value::Okay {
            return Err(ReplyError::unexpected().of(command, 0));
        }
    }
    Ok(Step::Done(()))
}

/// Adds up the numbers.
pub(crate) fn total(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<u64> {
    let mut total: u64 = 0;
    for (command, reply) in replies.all().enumerate() {
        let Value::Int(number) = reply else { return Err(ReplyError::unexpected().of(command, 0)) };
        let number = u64::try_from(number).ok();
        total = number
            .and_then(|number| total.checked_add(number))
            .ok_or_else(|| ReplyError::unexpected().of(command, 0))?;
    }
    Ok(Step::Done(total))
}

/// The type that reads return: the [`Output`](Stored::Output) of `value`.
pub type Output<K> = <<K as CopiedKey>::Value as Stored>::Output;

/// The type that writes borrow: the [`Input`](Stored::Input) of `value`.
pub type Input<K> = <<K as CopiedKey>::Value as Stored>::Input;

/// A hot key, declared with `copies`: the same string under several keys.
///
/// With copies, no single server has to serve all reads. A write goes to all copies, which expire together; a read goes
/// to a random copy. On a cluster the copies are in different slots: declare at least as many as your cluster has
/// primaries. The only hash tag of a hot key is `{#copy}`, because another hash tag would put all copies into a single
/// slot.
///
/// ```no_run
/// use redis_keys::{prelude::*, redis};
///
/// /// The banner of a shop.
/// #[derive(RedisKey)]
/// #[redis_key(shop:banner:{shop}:{copy}:string, value = String, ttl = 10m, jitter = 1m, copies = 8)]
/// struct Banner { shop: u32 }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let banner = Banner { shop: 42 };
/// banner.set("All must go").query(&mut con)?;               // SET shop:banner:42:0:string … and 7 more
/// let found: Option<String> = banner.get().query(&mut con)?; // GET of one of them
/// assert_eq!(banner.key_of(3)?, "shop:banner:42:3:string");
/// # Ok(()) }
/// ```
///
/// No accessor changes a value in place, for example by counting or appending, because the copies would differ. For a
/// single copy, [`copy`](Self::copy) returns an ordinary key.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key with copies",
    label = "not declared with `copies`",
    note = "declare a hot key with `copies = 8` and `{{copy}}` in its template"
)]
pub trait CopiedKey: Sized {
    /// The stored form of the value.
    type Value: Stored;

    /// The number of copies.
    const COPIES: u32;

    /// The declaration of the key.
    const SCHEMA: &'static Schema = &Schema::from_literals(
        Self::DECLARATION,
        Self::RARE_OPTIONS,
        Schema::NO_ROLE,
        Self::TTL_FROM_END_OF,
        Self::ALLOWED,
        Schema::NO_LEGACY,
    );

    #[doc(hidden)]
    const DECLARATION: KeyLiterals;

    #[doc(hidden)]
    const RARE_OPTIONS: OptionLiterals = Schema::NO_OPTIONS;

    #[doc(hidden)]
    const TTL_FROM_END_OF: &'static str = "";

    /// A line `lint: reason` for each allowed lint.
    #[doc(hidden)]
    const ALLOWED: &'static str = "";

    #[inline]
    #[doc(hidden)]
    fn bucket_end(&self) -> Option<i64> {
        None
    }

    /// Writes the key of a copy, like [`RedisKey::write_key`](crate::RedisKey).
    #[doc(hidden)]
    fn write_copy(&self, copy: u32, key: &mut KeyWriter) -> &'static str;

    /// Returns a copy, counted from 0, as an ordinary key. A number out of range is rejected when the key is used.
    fn copy(&self, number: u32) -> KeyCopy<'_, Self> {
        KeyCopy::new(self, number)
    }

    /// Returns a random copy, for reads in a batch and for commands other than [`get`](Self::get).
    ///
    /// Your tests can fix the choice with `testing::fix_jitter`, from 0 for the first copy to 1 for the last.
    fn any_copy(&self) -> KeyCopy<'_, Self> {
        self.copy(copies::any::<Self>())
    }

    /// Returns the text of a copy's key.
    ///
    /// # Errors
    ///
    /// If a parameter breaks a rule, or there is no such copy.
    fn key_of(&self, number: u32) -> Result<Key, Error> {
        self.copy(number).key()
    }

    /// Returns the texts of all copies' keys.
    ///
    /// # Errors
    ///
    /// If a parameter breaks a rule.
    fn keys(&self) -> Result<Vec<Key>, Error> {
        (0..Self::COPIES).map(|number| self.key_of(number)).collect()
    }

    /// Returns the value of a random copy (`GET`).
    ///
    /// If that copy is missing, for example because the server has evicted it, another copy is returned. The result is
    /// `None` only if all copies are missing. A missing copy stays missing until the next [`set`](Self::set); until
    /// then, reads that choose it take up to two more round trips. A read does not fill the missing copy, because the
    /// value may be outdated by then: the copy could bring back a value that [`unlink`](Self::unlink) has removed.
    ///
    /// On a cluster, the copy's node may not serve it: the node cannot be reached, or replies `MOVED`, `CLUSTERDOWN`,
    /// `LOADING` or `MASTERDOWN`. A single other copy is then read, after redis-rs has used up its `retries` for the
    /// first. If that copy is missing as well, or if a copy is missing and another is not served, the error of the
    /// unserved copy is returned. All other errors are returned immediately: a value of another type or form, other
    /// server errors, and a failed connection without a cluster.
    ///
    /// It cannot be part of a batch. In a batch, read [`any_copy`](Self::any_copy), which reads no other copy.
    fn get(&self) -> GetCopy<'_, Self> {
        copies::get(self)
    }

    /// Writes all copies, with the declared expiry and the same jitter (`SET`).
    ///
    /// Each `SET` is atomic by itself: a read in between can return the old value from one copy and the new value from
    /// another copy.
    fn set(&self, value: &Input<Self>) -> Command<()> {
        copies::set(self, value).named(accessor!("set"))
    }

    /// Returns how many of the copies exist (`EXISTS`).
    fn exists(&self) -> Command<u64> {
        copies::each(self, "EXISTS", copies::total).named(accessor!("exists"))
    }

    /// Restarts the declared expiry of all copies, with the same jitter, and returns how many have changed.
    ///
    /// It is `PEXPIRE`, or `PERSIST` if the expiry is `never`.
    #[doc(alias("pexpire"))]
    fn expire(&self) -> Command<u64> {
        copies::expire_after(self, expiry::draw(&self.copy(0))).named(accessor!("expire"))
    }

    /// Restarts the expiry of all copies with a shorter time than declared, and returns how many exist (`PEXPIRE`).
    ///
    /// It works like [`RedisKey::expire_in`].
    fn expire_in(&self, time: Duration) -> Command<u64> {
        copies::expire_after(self, expiry::shorter(&self.copy(0), time).map(Some)).named(accessor!("expire_in"))
    }

    /// Removes all copies and returns how many existed (`UNLINK`).
    ///
    /// After it has returned, no copy can be read, unless a concurrent [`set`](Self::set) has written the copy.
    #[doc(alias("del", "delete"))]
    fn unlink(&self) -> Command<u64> {
        copies::each(self, "UNLINK", copies::total).named(accessor!("unlink"))
    }
}

/// A copy of a hot key, as returned by [`CopiedKey::copy`]: a key of type `string`.
///
/// ```
/// use redis_keys::{prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(shop:banner:{shop}:{copy}:string, value = String, ttl = 10m, copies = 8)]
/// struct Banner { shop: u32 }
///
/// let banner = Banner { shop: 42 };
/// assert_eq!(testing::text(banner.copy(3).ttl())?, ["PTTL shop:banner:42:3:string"]);
/// assert!(banner.copy(8).key().is_err());
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[derive(Debug)]
pub struct KeyCopy<'k, K> {
    key: &'k K,
    number: u32,
}

impl<'k, K> KeyCopy<'k, K> {
    pub(crate) fn new(key: &'k K, number: u32) -> Self {
        Self { key, number }
    }

    /// The number of the copy, from 0.
    pub fn number(&self) -> u32 {
        self.number
    }
}

impl<K> Clone for KeyCopy<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for KeyCopy<'_, K> {}

#[diagnostic::do_not_recommend]
impl<K: CopiedKey> RedisKey for KeyCopy<'_, K> {
    const SCHEMA: &'static Schema = K::SCHEMA;
    const DECLARATION: KeyLiterals = K::DECLARATION;
    const RARE_OPTIONS: OptionLiterals = K::RARE_OPTIONS;
    const TTL_FROM_END_OF: &'static str = K::TTL_FROM_END_OF;
    const ALLOWED: &'static str = K::ALLOWED;

    #[inline]
    fn bucket_end(&self) -> Option<i64> {
        self.key.bucket_end()
    }

    #[inline]
    fn write_key(&self, key: &mut KeyWriter) -> &'static str {
        self.key.write_copy(self.number, key)
    }

    type Kind = kind::StringKey;

    /// None: the text of a copy cannot be parsed.
    type Fields = Unparsable;

    fn from_fields(fields: Unparsable) -> Self {
        match fields {}
    }
}

#[diagnostic::do_not_recommend]
impl<K: CopiedKey> StringKey for KeyCopy<'_, K> {
    type Value = K::Value;
}
