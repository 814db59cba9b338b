//! What every kind of key can do.

use std::time::Duration;

use redis::Cmd;

use crate::{
    Command, Error, Key, ParseKey,
    command::{flag, on_key, time_left},
    error::Cause,
    key::{Front, KeyWriter, expiry, parse},
    purge,
    purge::Purge,
    scan::keys::KeyScan,
    schema::{Declared, NOTHING_RARE, Rare, Schema},
};

/// A key, declared by `#[derive(RedisKey)]`.
///
/// What can be done with the value stands in the trait of its type, such as [`StringKey`](crate::StringKey). This trait has
/// what is the same for all of them.
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
    label = "no `#[derive(RedisKey)]` here",
    note = "declare it: `#[derive(RedisKey)]` with `#[redis_key(module:logic:{{id}}:string, value = …, ttl = …)]`",
    note = "with `copies` it is several keys, of which `.copy(0)` is one"
)]
pub trait RedisKey: Sized {
    /// What the declaration says.
    const SCHEMA: &'static Schema =
        &Schema::declared(Self::DECLARED, Self::RARE).ending(Self::ENDS).allowing(Self::ALLOWED);

    #[doc(hidden)]
    const DECLARED: Declared;

    #[doc(hidden)]
    const RARE: Rare = NOTHING_RARE;

    /// The parameter from whose end the expiry counts, if there is one.
    #[doc(hidden)]
    const ENDS: &'static str = "";

    /// `lint: reason` for each that it opts out of, on a line of its own.
    #[doc(hidden)]
    const ALLOWED: &'static str = "";

    /// That end, in seconds since 1970.
    #[inline]
    #[doc(hidden)]
    fn ends(&self) -> Option<i64> {
        None
    }

    /// Writes the key but for its end, the text behind the last parameter, which it returns: the compiler checks that
    /// quicker than one more call in each key.
    #[doc(hidden)]
    fn write_key(&self, key: &mut KeyWriter) -> &'static str;

    /// The parameters, in the order of the template: what [`ParseKey`] asks of them.
    #[doc(hidden)]
    type Fields;

    #[doc(hidden)]
    fn from_fields(fields: Self::Fields) -> Self;

    /// The key's text.
    ///
    /// # Errors
    ///
    /// When a parameter breaks a rule, or the key would be longer than 128 bytes.
    fn key(&self) -> Result<Key, Error> {
        let mut writer = KeyWriter::new();
        writer.write(self);
        writer.finish().map_err(|fault| Error::refused(Self::SCHEMA, None, Cause::Key(fault)))
    }

    /// The key that has this text.
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
    ///
    /// It has that very text as its [`key`](Self::key), and whatever no value can have as its key is refused. The text may be
    /// anything, such as what a keyspace notification or a file brings: any bytes, and as many as there are. See [`ParseKey`].
    ///
    /// # Errors
    ///
    /// When the text is no key of this declaration. The error says what is wrong, and never shows the text.
    fn parse<'k, B>(key: &'k B) -> Result<Self, Error>
    where
        Self: ParseKey<'k>,
        B: AsRef<[u8]> + ?Sized,
    {
        let fault = |fault| Error::refused(Self::SCHEMA, None, Cause::Parse(fault));
        parse::read(key.as_ref(), Front::now()).map_err(fault)
    }

    /// SCAN: all keys of this declaration that there are, a page at a time. The keys outlive the pages that they come in, so
    /// that none of their fields borrows: text is a `String`.
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
    fn scan() -> KeyScan<Self>
    where
        Self: for<'k> ParseKey<'k>,
    {
        KeyScan::new()
    }

    /// EXISTS: whether there is such a key.
    fn exists(&self) -> Command<bool> {
        Command::one(Self::SCHEMA, on_key(self, "EXISTS", 0, 0), flag)
    }

    /// PTTL: how long the key will live.
    fn ttl(&self) -> Command<TimeLeft> {
        Command::one(Self::SCHEMA, on_key(self, "PTTL", 0, 0), time_left)
    }

    /// PEXPIRE: starts the declared expiry anew; PERSIST where that is `never`. Tells whether it has changed anything.
    fn expire(&self) -> Command<bool> {
        Command::one(Self::SCHEMA, expire(self), flag)
    }

    /// UNLINK: removes the key, and leaves the work of freeing its memory to another thread of the server. Tells whether
    /// there was one.
    fn unlink(&self) -> Command<bool> {
        Command::one(Self::SCHEMA, on_key(self, "UNLINK", 0, 0), flag)
    }

    /// Removes the key without a stall, however large it is: a collection 100 elements at a time. Tells in how many steps.
    ///
    /// For a string, a bitmap and a hyperloglog that is [`unlink`](Self::unlink). It runs by itself, not in a batch.
    fn purge(&self) -> Purge {
        purge::purge(self)
    }
}

pub(crate) fn expire<K: RedisKey>(key: &K) -> Result<Cmd, Error> {
    let Some(ms) = expiry::draw(key)? else {
        return on_key(key, "PERSIST", 0, 0);
    };
    let mut cmd = on_key(key, "PEXPIRE", 1, 20)?;
    cmd.arg(ms);
    Ok(cmd)
}

/// How long a key will live: what [`RedisKey::ttl`] finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLeft {
    /// There is no such key.
    Missing,
    /// The key is there until it is removed.
    Never,
    /// The key goes away by itself after this time.
    Left(Duration),
}

impl TimeLeft {
    /// The time after which the key goes away, or `None` when there is none: no such key, or no expiry.
    pub fn left(self) -> Option<Duration> {
        match self {
            Self::Left(left) => Some(left),
            Self::Missing | Self::Never => None,
        }
    }

    pub(crate) fn from_pttl(ms: i64) -> Self {
        match u64::try_from(ms) {
            Ok(ms) => Self::Left(Duration::from_millis(ms)),
            Err(_) if ms == -1 => Self::Never,
            Err(_) => Self::Missing,
        }
    }
}
