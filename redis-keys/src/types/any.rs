//! Keys of any type.

pub(crate) mod legacy;

use std::time::Duration;

use legacy::{LegacyKey, OtherName, TakeOverAnd, TakenOver};
use redis::Cmd;

use crate::accessor::accessor;
use crate::command::builder::Build as _;
use crate::command::own_writes::flag_of_write;
use crate::command::{Many, TimeLeft, expiry, flag, on_key, text_of, time_left, time_left_of_value};
use crate::error::Cause;
use crate::key::{KeyPrefix, KeyText, KeyWriter, OtherNameWriter};
use crate::parameter::parse::{self, KeyReader, ReadFields};
use crate::purge::Purge;
use crate::scan::keys::KeyScan;
use crate::schema::{KeyLiterals, LegacyLiterals, OptionLiterals, Role, RoleLiterals, Schema};
use crate::stored::cached::stale_ms;
use crate::{Batch, Command, Error, Key, lua, purge};

/// A key that is declared with `#[derive(RedisKey)]`.
///
/// This trait has the methods that all keys share. The commands that read and write the value are in the trait of the
/// key's type, for example [`StringKey`](crate::StringKey).
///
/// # Examples
///
/// ```
/// use redis_keys::{prelude::*, redis};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
/// struct Name { user_id: u64 }
///
/// let key = Name { user_id: 42 };
/// assert_eq!(key.key()?, "user:name:42:string");
/// assert_eq!(key.exists().packed()?, redis::cmd("EXISTS").arg("user:name:42:string").get_packed_command());
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key",
    label = "missing `#[derive(RedisKey)]`",
    note = "declare it with `#[derive(RedisKey)]` and `#[redis_key(module:name:{{id}}:string, value = …, ttl = …)]`",
    note = "a key with `copies` is several keys: `.copy(0)` returns one of them"
)]
pub trait RedisKey: Sized {
    /// The declaration of the key.
    const SCHEMA: &'static Schema = &Schema::from_literals(
        Self::DECLARATION,
        Self::RARE_OPTIONS,
        Self::ROLE,
        Self::TTL_FROM_END_OF,
        Self::ALLOWED,
        Self::LEGACY,
    );

    #[doc(hidden)]
    const DECLARATION: KeyLiterals;

    #[doc(hidden)]
    const RARE_OPTIONS: OptionLiterals = Schema::NO_OPTIONS;

    #[doc(hidden)]
    const ROLE: RoleLiterals = Schema::NO_ROLE;

    /// The parameter at whose end the expiry starts, or nothing.
    #[doc(hidden)]
    const TTL_FROM_END_OF: &'static str = "";

    /// A line `lint: reason` for each allowed lint.
    #[doc(hidden)]
    const ALLOWED: &'static str = "";

    /// The key's text before it was declared, and whether it is in use.
    #[doc(hidden)]
    const LEGACY: LegacyLiterals = Schema::NO_LEGACY;

    /// Writes the other name of a key with a legacy text.
    #[doc(hidden)]
    const OTHER_NAME: OtherNameWriter<Self> = None;

    /// The end of the bucket from which the expiry counts, in seconds since 1970.
    #[inline]
    #[doc(hidden)]
    fn bucket_end(&self) -> Option<i64> {
        None
    }

    /// Writes the key up to the last parameter and returns the literal text after it.
    ///
    /// The compiler checks a returned text faster than another call for each key.
    #[doc(hidden)]
    fn write_key(&self, key: &mut KeyWriter) -> &'static str;

    /// The type and the role of the key, for messages.
    #[doc(hidden)]
    type Kind;

    /// The parameters in the template's order, which [`ParseKey`] reads.
    #[doc(hidden)]
    type Fields;

    #[doc(hidden)]
    fn from_fields(fields: Self::Fields) -> Self;

    /// Returns the key's text.
    ///
    /// # Errors
    ///
    /// Returns an error if a parameter breaks a rule or the key exceeds 128 bytes.
    #[doc(alias("to_string"))]
    fn key(&self) -> Result<Key, Error> {
        text_of(self)
    }

    /// Parses a key from its text.
    ///
    /// The text may come from anywhere, for example from a keyspace notification or a file: bytes of any kind and
    /// length are handled. Text that this declaration cannot produce is rejected, so a parsed key always has the same
    /// text as its [`key`](Self::key). See [`ParseKey`] for the keys that can be parsed.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a key of this declaration. The error names the reason and does not contain
    /// the text.
    ///
    /// # Examples
    ///
    /// ```
    /// use redis_keys::prelude::*;
    ///
    /// #[derive(Debug, PartialEq, RedisKey)]
    /// #[redis_key(shop:stock:{shop}:{item}:string, value = u32, ttl = 1d)]
    /// struct Stock<'a> { shop: u32, item: &'a str }
    ///
    /// assert_eq!(Stock::parse("shop:stock:7:tea.green:string")?, Stock { shop: 7, item: "tea.green" });
    /// assert!(Stock::parse("shop:stock:007:tea.green:string").is_err());
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    fn parse<'k, B>(key: &'k B) -> Result<Self, Error>
    where
        Self: ParseKey<'k>,
        B: AsRef<[u8]> + ?Sized,
    {
        let error = |error| Error::refused(Self::SCHEMA, None, Cause::Parse(error));
        parse::parse(key.as_ref(), KeyPrefix::current(), Self::read_key).map_err(error)
    }

    /// Iterates over all existing keys of this declaration, page by page (`SCAN`).
    ///
    /// The keys outlive their pages, so their fields cannot borrow: use a `String` for text.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use redis_keys::{prelude::*, redis};
    /// # #[derive(RedisKey)]
    /// # #[redis_key(user:followers:{user_id}:set, value = u64, ttl = 1d)]
    /// # struct Followers { user_id: u64 }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
    /// for followers in Followers::scan().iter(&mut con) {
    ///     println!("{}", followers?.user_id);
    /// }
    /// # Ok(()) }
    /// ```
    #[doc(alias("keys", "scan_match"))]
    fn scan() -> KeyScan<Self>
    where
        Self: for<'k> ParseKey<'k>,
    {
        KeyScan::new(Self::SCHEMA, |key, prefix| parse::parse(key, prefix, Self::read_key).ok())
    }

    /// Returns whether the key exists (`EXISTS`). A [`CachedKey`](crate::cache::CachedKey) exists if it holds a value.
    fn exists(&self) -> Command<bool> {
        if matches!(Self::SCHEMA.role, Some(Role::Cache(_))) {
            return self.script(&lua::IF_CACHED, "EXISTS").reply(flag).named(accessor!("exists"));
        }
        Command::one(Self::SCHEMA, on_key(self, "EXISTS", 0, 0), flag).named(accessor!("exists"))
    }

    /// Returns the remaining time to live (`PTTL`).
    ///
    /// A [`CachedKey`](crate::cache::CachedKey) with `stale` keeps its value for longer than the `ttl`. Until the value
    /// expires the result is `Left`, and afterwards `Stale` with the remaining time of the stale value.
    #[doc(alias("pttl"))]
    fn ttl(&self) -> Command<TimeLeft> {
        if stale_ms(Self::SCHEMA) > 0 {
            let cmds = on_key(self, "PTTL", 0, 0).and_then(|pttl| {
                let mut head = on_key(self, "GETRANGE", 2, 8)?;
                head.arg(0).arg(58);
                Ok(vec![pttl, head])
            });
            let ttl = |cmds| Command::many(Self::SCHEMA, cmds, time_left_of_value);
            return cmds.map_or_else(Command::refused, ttl).named(accessor!("ttl"));
        }
        Command::one(Self::SCHEMA, on_key(self, "PTTL", 0, 0), time_left).named(accessor!("ttl"))
    }

    /// Restarts the declared expiry and returns whether that changed anything (`PEXPIRE`).
    ///
    /// If the declaration says that the key never expires, it removes an existing expiry (`PERSIST`). The markers of a
    /// [`CachedKey`](crate::cache::CachedKey) keep their expiry.
    #[doc(alias("pexpire", "persist"))]
    fn expire(&self) -> Command<bool> {
        expire_after(self, expiry::draw(self)).named(accessor!("expire"))
    }

    /// Restarts the expiry with a shorter time than declared, and returns whether the key exists (`PEXPIRE`).
    ///
    /// Use it for a time that you read from a configuration, for example. A time of zero, or longer than the declared
    /// `ttl`, is rejected before anything is sent.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use redis_keys::{prelude::*, testing};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:followers:{user_id}:set, value = u64, ttl = 1d)]
    /// struct Followers { user_id: u64 }
    ///
    /// let followers = Followers { user_id: 42 };
    /// let sent = testing::text(followers.expire_in(Duration::from_secs(60)))?;
    /// assert_eq!(sent, ["PEXPIRE user:followers:42:set 60000"]);
    /// assert!(testing::text(followers.expire_in(Duration::from_secs(100_000))).is_err());
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    fn expire_in(&self, time: Duration) -> Command<bool> {
        expire_after(self, expiry::shorter(self, time).map(Some)).named(accessor!("expire_in"))
    }

    /// Deletes the key and returns whether it existed (`UNLINK`).
    ///
    /// The server frees the memory in another thread.
    #[doc(alias("del", "delete"))]
    fn unlink(&self) -> Command<bool> {
        Command::one(Self::SCHEMA, on_key(self, "UNLINK", 0, 0), flag_of_write(Self::SCHEMA)).named(accessor!("unlink"))
    }

    /// Deletes the key in small steps of 100 elements each, and returns the number of steps.
    ///
    /// It never blocks the server for long, however large the collection is. For a string, a bitmap and a hyperloglog
    /// it does the same as [`unlink`](Self::unlink). It cannot be part of a batch.
    fn purge(&self) -> Purge {
        purge::purge(self)
    }

    /// Returns the key under its other name, with the same commands.
    fn other_name(self) -> OtherName<Self>
    where
        Self: LegacyKey,
    {
        OtherName::new(self)
    }

    /// Renames the key to the name in use, if it exists only under the other name.
    ///
    /// This is a single atomic step. The key keeps its expiry; a key without an expiry gets the declared expiry before
    /// it is renamed. A key that is not renamed does not change, even without an expiry. A key that holds another type
    /// than declared is an error, and does not change either.
    ///
    /// On a cluster, both names need the same hash tag; otherwise the server rejects the command.
    ///
    /// ```no_run
    /// # use redis_keys::{legacy_key::TakenOver, prelude::*, redis};
    /// # #[derive(RedisKey)]
    /// # #[redis_key(user:profile:{user_id}:string, value = String, ttl = 1d, formerly = "User:{user_id}:Profile")]
    /// # struct Profile { user_id: u64 }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
    /// if (Profile { user_id: 42 }).take_over().query(&mut con)? == TakenOver::Both {
    ///     eprintln!("the key exists under both names");
    /// }
    /// # Ok(()) }
    /// ```
    fn take_over(&self) -> Command<TakenOver>
    where
        Self: LegacyKey,
    {
        legacy::take_over(self).named(accessor!("take_over"))
    }

    /// Runs a command after [`take_over`](Self::take_over), both in a single atomic step.
    ///
    /// Pass several commands as a tuple. While programs with either name are running, use this method for every access
    /// to a value that you must not lose, because a plain write would create the key under the name in use, and hide
    /// the value under the other name for good.
    ///
    /// If the key cannot be taken over, the call is an error and the command does not run. The command can itself take
    /// over another key, before its own commands. With [`TakenOver::Both`] it runs on the name in use. Put several such
    /// calls into a [`batch`](crate::batch()) to send them in a single round trip. An [`atomic`](crate::atomic()) group
    /// can contain them too, but there the command runs in any case.
    ///
    /// ```no_run
    /// # use redis_keys::{prelude::*, redis};
    /// #[derive(RedisKey)]
    /// #[redis_key(user:logins:{user_id}:string, value = u64, ttl = 30d, formerly = "User:{user_id}:Logins")]
    /// struct Logins { user_id: u64 }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
    /// let logins = Logins { user_id: 42 };
    /// let (_, count) = logins.take_over_and(logins.incr()).query(&mut con)?;
    /// # let _: u64 = count;
    /// # Ok(()) }
    /// ```
    fn take_over_and<B: Batch>(&self, command: B) -> Many<TakeOverAnd<B>>
    where
        Self: LegacyKey,
    {
        crate::batch(TakeOverAnd::new(self.take_over(), command))
    }
}

/// Changes the expiry to this number of milliseconds, or removes it.
fn expire_after<K: RedisKey>(key: &K, ms: Result<Option<u64>, Error>) -> Command<bool> {
    if matches!(K::SCHEMA.role, Some(Role::Cache(_))) {
        return match ms {
            Ok(ms) => key.script(&lua::IF_CACHED, ("PEXPIRE", ms)).reply(flag),
            Err(error) => Command::refused(error),
        };
    }
    Command::one(K::SCHEMA, ms.and_then(|ms| pexpire(key, ms)), flag)
}

/// Returns a PEXPIRE, or a PERSIST for a key that never expires.
pub(crate) fn pexpire<K: RedisKey>(key: &K, ms: Option<u64>) -> Result<Cmd, Error> {
    let Some(ms) = ms else {
        return on_key(key, "PERSIST", 0, 0);
    };
    let mut cmd = on_key(key, "PEXPIRE", 1, 20)?;
    cmd.arg(ms);
    Ok(cmd)
}

/// A key under its other name, by reference.
pub(crate) struct OtherNameOf<'k, K>(pub(crate) &'k K);

impl<K: RedisKey> KeyText for OtherNameOf<'_, K> {
    const SCHEMA: &'static Schema = &Schema::from_literals(
        K::DECLARATION,
        K::RARE_OPTIONS,
        K::ROLE,
        K::TTL_FROM_END_OF,
        K::ALLOWED,
        (K::LEGACY.0, !K::LEGACY.1, K::LEGACY.2),
    );

    fn write_text(&self, key: &mut KeyWriter) {
        if let Some(write) = K::OTHER_NAME {
            let end = write(self.0, key);
            key.push_legacy(end);
        }
    }

    fn bucket_end(&self) -> Option<i64> {
        self.0.bucket_end()
    }
}

/// Returns the template name of a key, given its legacy text.
pub fn template_name<'k, K: ParseKey<'k>>(text: &'k [u8]) -> Option<String> {
    let key = K::parse(text).ok()?;
    text_of(&OtherNameOf(&key)).ok().map(String::from)
}

/// Returns UNLINK on a key's other name, or `None` if it has a single name.
#[cfg(feature = "cache")]
pub(crate) fn unlink_other_name<K: RedisKey>(key: &K) -> Option<Command<bool>> {
    K::OTHER_NAME?;
    Some(
        Command::one(K::SCHEMA, on_key(&OtherNameOf(key), "UNLINK", 0, 0), flag_of_write(K::SCHEMA))
            .named(accessor!("unlink")),
    )
}

impl<K: RedisKey> KeyText for K {
    const SCHEMA: &'static Schema = <K as RedisKey>::SCHEMA;

    #[inline]
    fn write_text(&self, key: &mut KeyWriter) {
        let end = self.write_key(key);
        if <K as RedisKey>::SCHEMA.legacy.is_some() {
            key.push_legacy(end);
        } else {
            key.literal(end);
        }
    }

    #[inline]
    fn bucket_end(&self) -> Option<i64> {
        RedisKey::bucket_end(self)
    }
}

/// A key that can be parsed from its text, with [`RedisKey::parse`] or [`RedisKey::scan`].
///
/// Every key implements it if all its parameters implement [`ParseSegment`](crate::parameter::ParseSegment).
///
/// A digest cannot be parsed, and a shard alone cannot either. A shard beside its field can, for example
/// `{id % 100}:{id}`: parsing rejects a key whose shard does not match the field. A key with `copies` cannot be parsed.
///
/// Parsed keys can borrow from the text, as `&str` and `Cow<str>` do. If the key must outlive its text, require
/// `K: for<'k> ParseKey<'k>`, which holds for keys without lifetimes. [`RedisKey::scan`] requires it.
///
/// # Examples
///
/// ```
/// use redis_keys::prelude::*;
///
/// #[derive(Debug, PartialEq, RedisKey)]
/// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
/// struct Name { user_id: u64 }
///
/// #[derive(Debug, PartialEq, RedisKey)]
/// #[redis_key(user:nick:{nick}:string, value = u64, ttl = 1h)]
/// struct Nick<'a> { nick: &'a str }
///
/// /// Returns the keys of one declaration among all keys that have expired.
/// fn expired<'k, K: ParseKey<'k>>(notifications: &'k [String]) -> impl Iterator<Item = K> {
///     notifications.iter().filter_map(|text| K::parse(text).ok())
/// }
///
/// let notifications = ["user:name:42:string".to_owned(), "user:nick:ada:string".to_owned()];
/// assert_eq!(expired::<Name>(&notifications).collect::<Vec<_>>(), [Name { user_id: 42 }]);
/// assert_eq!(expired::<Nick>(&notifications).collect::<Vec<_>>(), [Nick { nick: "ada" }]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be parsed from its text",
    label = "not all parameters can be parsed",
    note = "each parameter has to implement `ParseSegment`; a digest cannot be parsed, nor can a shard without its field beside it, as in `{{id % 100}}:{{id}}`"
)]
pub trait ParseKey<'k>: RedisKey {
    /// Parses the parameters of a key.
    #[doc(hidden)]
    fn read_key(key: &mut KeyReader<'k>) -> Option<Self>;
}

impl<'k, K: RedisKey<Fields: ReadFields<'k>>> ParseKey<'k> for K {
    fn read_key(key: &mut KeyReader<'k>) -> Option<Self> {
        key.fields(Self::from_fields)
    }
}
