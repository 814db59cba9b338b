//! What can be done with a hot key, of which there are several copies.

mod copy;
mod get;
#[cfg(all(test, feature = "aio"))]
mod tests;

use redis::{Cmd, RedisWrite as _, Value};

use crate::{
    Command, Error, Key, RedisKey as _,
    command::{Decode, Fault, Replies, Sent, Step, on_key, rewrite::words},
    key::{KeyWriter, redis_key},
    schema::{Declaration, NO_RARE_OPTIONS, RareOptions, Schema, entropy},
    stored::Stored,
    types::{copies, string},
};

pub use copy::KeyCopy;
pub use get::GetCopy;
pub(crate) use get::get;

/// The number of a copy, at random.
pub(crate) fn any<K: CopiedKey>() -> u32 {
    at_random(K::COPIES)
}

/// A number below that.
fn at_random(end: u32) -> u32 {
    u32::try_from(entropy::up_to(end.saturating_sub(1).into())).unwrap_or_default()
}

pub(crate) fn set<K: CopiedKey>(key: &K, value: &Input<K>) -> Command<()> {
    many(key, set_cmds(key, value), all_done)
}

/// The value is encoded once, and copied.
fn set_cmds<K: CopiedKey>(key: &K, value: &Input<K>) -> Result<Vec<Cmd>, Error> {
    let first = string::set::set_cmd(&key.copy(0), value)?;
    let bytes = words(&first).nth(2).unwrap_or_default();
    let copies = (0..K::COPIES).map(|number| {
        let copy = key.copy(number);
        let mut cmd = on_key(&copy, "SET", 3, bytes.len() + 32)?;
        cmd.write_arg(bytes);
        string::set::push_declared(&mut cmd, &copy)?;
        Ok(cmd)
    });
    copies.collect()
}

pub(crate) fn expire<K: CopiedKey>(key: &K) -> Command<u64> {
    let cmds = (0..K::COPIES).map(|number| redis_key::expire(&key.copy(number))).collect();
    many(key, cmds, total)
}

/// A command that has no arguments, on each copy.
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

fn all_done(replies: Replies, _sent: &Sent<'_>) -> Result<Step<()>, Fault> {
    for (command, reply) in replies.all().enumerate() {
        if reply != Value::Okay {
            return Err(Fault::unexpected().of(command, 0));
        }
    }
    Ok(Step::Done(()))
}

/// The numbers together.
pub(crate) fn total(replies: Replies, _sent: &Sent<'_>) -> Result<Step<u64>, Fault> {
    let mut total = 0;
    for (command, reply) in replies.all().enumerate() {
        let Value::Int(number) = reply else { return Err(Fault::unexpected().of(command, 0)) };
        total += u64::try_from(number).map_err(|_| Fault::unexpected().of(command, 0))?;
    }
    Ok(Step::Done(total))
}

/// What reads of a key give.
pub(crate) type Output<K> = <<K as CopiedKey>::Value as Stored>::Output;

/// What writes of a key take a reference to.
pub(crate) type Input<K> = <<K as CopiedKey>::Value as Stored>::Input;

/// A hot key, declared with `copies`: the same string under several keys, so that not one server has to answer all reads.
///
/// A write goes to all copies, each with its own jitter; a read goes to one of them, chosen at random. On a cluster the copies lie
/// in different slots: let there be at least as many as the cluster has primaries. A hash tag would bring them together again, so that
/// a hot key's can only be `{#copy}`.
///
/// ```no_run
/// use redis_keys::{prelude::*, redis};
///
/// /// What everybody sees.
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
/// What changes a value in its place, such as counting or appending, has no sense here: the copies would differ. Where one copy
/// is what you want, [`copy`](Self::copy) is a key as any other.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key with copies",
    label = "no copies are declared here",
    note = "a hot key is declared with `copies = 8` and `{{copy}}` in its template"
)]
pub trait CopiedKey: Sized {
    /// The stored form of the value.
    type Value: Stored;

    /// How many copies there are.
    const COPIES: u32;

    /// What the declaration says.
    const SCHEMA: &'static Schema =
        &Schema::new(Self::DECLARATION, Self::RARE_OPTIONS, Self::TTL_FROM_END_OF, Self::ALLOWED);

    #[doc(hidden)]
    const DECLARATION: Declaration;

    #[doc(hidden)]
    const RARE_OPTIONS: RareOptions = NO_RARE_OPTIONS;

    #[doc(hidden)]
    const TTL_FROM_END_OF: &'static str = "";

    /// `lint: reason` for each that it opts out of, on a line of its own.
    #[doc(hidden)]
    const ALLOWED: &'static str = "";

    #[inline]
    #[doc(hidden)]
    fn bucket_end(&self) -> Option<i64> {
        None
    }

    /// Writes the key of one copy, as [`RedisKey::write_key`](crate::RedisKey) does.
    #[doc(hidden)]
    fn write_copy(&self, copy: u32, key: &mut KeyWriter) -> &'static str;

    /// One copy, a key as any other. They are counted from 0; one that is not there is refused when it is used.
    fn copy(&self, number: u32) -> KeyCopy<'_, Self> {
        KeyCopy::new(self, number)
    }

    /// One copy, chosen at random: for a read in a batch, and for commands that [`get`](Self::get) is not.
    ///
    /// Tests choose it by `testing::fix_jitter`, from 0 for the first to 1 for the last one.
    fn any_copy(&self) -> KeyCopy<'_, Self> {
        self.copy(copies::any::<Self>())
    }

    /// The text of one copy's key.
    ///
    /// # Errors
    ///
    /// When a parameter breaks a rule, or there is no such copy.
    fn key_of(&self, number: u32) -> Result<Key, Error> {
        self.copy(number).key()
    }

    /// The texts of all copies' keys.
    ///
    /// # Errors
    ///
    /// When a parameter breaks a rule.
    fn keys(&self) -> Result<Vec<Key>, Error> {
        (0..Self::COPIES).map(|number| self.key_of(number)).collect()
    }

    /// GET of one copy, chosen at random. Where that one is missing the others are looked for, and what is found in one of them is
    /// put in its place with the time that it has left, unless it has been written meanwhile: nothing is found where all copies are
    /// missing. Should all copies be removed just then, that brings the old value back for so long: where a value must be gone at
    /// once, remove it a second time, a moment later.
    ///
    /// Where the node of a cluster that has the copy does not serve it (it cannot be reached, or the others answer `MOVED`,
    /// `CLUSTERDOWN`, `LOADING` or `MASTERDOWN`), one other copy is asked, which may be on a node that does. redis-rs has tried the
    /// first for as long as its `retries` say by then. Where the other copy is not found either, the error is the first one's. So
    /// it is where a copy is missing and one of those that are looked for is not served. All other errors are told at once: a
    /// value of another type or form, what else a server refuses, and a connection that fails where there is no cluster.
    ///
    /// It runs by itself: in a batch read [`any_copy`](Self::any_copy), for which no other copy is asked.
    fn get(&self) -> GetCopy<'_, Self> {
        copies::get(self)
    }

    /// SET of all copies, each with the declared expiry and a jitter of its own.
    ///
    /// Each is an atom of its own: a read meanwhile can find the old value on one and the new one on another.
    fn set(&self, value: &Input<Self>) -> Command<()> {
        copies::set(self, value)
    }

    /// EXISTS: how many of the copies there are.
    fn exists(&self) -> Command<u64> {
        copies::each(self, "EXISTS", copies::total)
    }

    /// PEXPIRE of all copies: starts the declared expiry anew, each with a jitter of its own; PERSIST where that is `never`. Tells
    /// of how many it has changed anything.
    fn expire(&self) -> Command<u64> {
        copies::expire(self)
    }

    /// UNLINK of all copies: tells how many there were. A [`get`](Self::get) that is under way may fill one of them after it.
    fn unlink(&self) -> Command<u64> {
        copies::each(self, "UNLINK", copies::total)
    }
}
