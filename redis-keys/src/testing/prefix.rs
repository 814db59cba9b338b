//! Keys of a test's own, so that tests can share a server.

#[cfg(test)]
mod tests;

use std::{
    cell::Cell,
    fmt,
    future::{Future, poll_fn},
    hash::{BuildHasher as _, RandomState},
    marker::PhantomData,
    ops::Deref,
    pin::pin,
    str,
};

thread_local! {
    static PREFIX: Cell<Option<Prefix>> = const { Cell::new(None) };
}

/// Digits of a prefix. There are 3.6 · 10¹⁵ of them, so that no two tests ever have the same.
const DIGITS: usize = 10;

/// Puts a prefix in front of every key that this thread builds, such as `t0k2j9x41pz:user:name:42:string`, until the guard is
/// dropped. Each call makes one that nobody else has, so tests that run at the same time can share a server.
///
/// ```
/// use redis_keys::{prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
/// struct Name { user_id: u64 }
///
/// let keys = testing::own_keys();
/// let key = Name { user_id: 42 }.key()?;
/// assert_eq!(key, format!("{}user:name:42:string", keys.prefix()));
/// # Ok::<(), redis_keys::Error>(())
/// ```
///
/// What counts is where and when a command is *built*: `Name { user_id: 42 }.get()` has the prefix of the thread that calls
/// `get`, wherever it is sent later. Other threads, and tasks that are spawned on a runtime of many threads, know nothing of
/// it: give them the [`Prefix`], to [`enter`](Prefix::enter) or to run a future [`in its scope`](Prefix::scope). A test under
/// `#[tokio::test]` keeps its thread.
///
/// A [namespace](crate::key::namespace) stands behind it. The limit of 128 bytes counts without the prefix, and the slot of a key with a hash tag stays the same.
pub fn own_keys() -> OwnKeys {
    Prefix::new().enter()
}

/// Keeps the prefix of a thread's keys, and gives back what was before when it is dropped.
#[derive(Debug)]
#[must_use = "keys have the prefix as long as this lives"]
pub struct OwnKeys {
    prefix: Prefix,
    before: Option<Prefix>,
    /// What it gives back belongs to the thread.
    thread: PhantomData<*const ()>,
}

impl OwnKeys {
    /// The prefix, for other threads and tasks, and to look at the keys.
    pub fn prefix(&self) -> Prefix {
        self.prefix
    }
}

impl Drop for OwnKeys {
    fn drop(&mut self) {
        PREFIX.set(self.before);
    }
}

/// What stands in front of a test's own keys: one segment and its `:`. See [`own_keys`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Prefix {
    bytes: [u8; Self::BYTES],
}

impl Prefix {
    /// As long as each of them is.
    pub(crate) const BYTES: usize = 1 + DIGITS + 1;

    fn new() -> Self {
        // Seeded by the system. A generator for which a test has chosen the seed would repeat itself.
        let mut number = RandomState::new().hash_one(());
        let mut bytes = [b't'; Self::BYTES];
        let [_, digits @ .., end] = &mut bytes;
        for digit in digits {
            let at = u8::try_from(number % 36).unwrap_or_default();
            *digit = if at < 10 { b'0' + at } else { b'a' + at - 10 };
            number /= 36;
        }
        *end = b':';
        Self { bytes }
    }

    /// The text, with the `:` at its end.
    pub fn as_str(&self) -> &str {
        // Always text, since it is ASCII.
        str::from_utf8(&self.bytes).unwrap_or_default()
    }

    /// Puts it in front of every key that this thread builds, until the guard is dropped.
    ///
    /// ```
    /// # use redis_keys::{prelude::*, testing};
    /// # #[derive(RedisKey)]
    /// # #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
    /// # struct Name { user_id: u64 }
    /// let keys = testing::own_keys();
    /// let prefix = keys.prefix();
    /// let here = Name { user_id: 42 }.key()?;
    /// let there = std::thread::spawn(move || {
    ///     let _keys = prefix.enter();
    ///     Name { user_id: 42 }.key()
    /// });
    /// assert_eq!(there.join().unwrap()?, here);
    /// # Ok::<(), redis_keys::Error>(())
    /// ```
    pub fn enter(self) -> OwnKeys {
        OwnKeys { prefix: self, before: PREFIX.replace(Some(self)), thread: PhantomData }
    }

    /// A future that has it in front of every key that it builds, on whatever thread it runs.
    ///
    /// ```
    /// # use redis_keys::{prelude::*, testing};
    /// # mod tokio { pub fn spawn<F: Future<Output: Send> + Send + 'static>(_: F) {} }
    /// # #[derive(RedisKey)]
    /// # #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
    /// # struct Name { user_id: u64 }
    /// let keys = testing::own_keys();
    /// tokio::spawn(keys.prefix().scope(async {
    ///     Name { user_id: 42 }.key() // has the prefix
    /// }));
    /// ```
    pub async fn scope<F: Future>(self, future: F) -> F::Output {
        let mut future = pin!(future);
        poll_fn(|task| {
            let _keys = self.enter();
            future.as_mut().poll(task)
        })
        .await
    }
}

impl Deref for Prefix {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Prefix {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

/// The prefix of this thread's keys.
#[inline]
pub(crate) fn prefix() -> Option<Prefix> {
    PREFIX.get()
}
