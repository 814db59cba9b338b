//! Unique keys for each test, so that tests can share a server.

use std::future::{Future, poll_fn};
use std::hash::{BuildHasher as _, RandomState};
use std::marker::PhantomData;
use std::ops::Deref;
use std::pin::pin;
use std::sync::atomic::Ordering;
use std::{fmt, str, thread};

use crate::key::test_prefix::{BYTES, PREFIX, TESTS, bare_keys};

/// Adds a unique prefix to every key that this thread builds, until the guard is dropped.
///
/// Keys look like `t0k2j9x41pz:user:name:42:string`. Each call generates another prefix, so concurrent tests can share
/// a server.
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
/// The prefix applies when a command is *built*: `Name { user_id: 42 }.get()` has the prefix of the thread that calls
/// `get`, wherever it is sent later. Other threads, and tasks spawned on a multi-threaded runtime, do not inherit it:
/// pass them the [`Prefix`] to [`enter`](Prefix::enter) it, or to run a future in its [`scope`](Prefix::scope). A test
/// under `#[tokio::test]` stays on its thread. If a test fails while other threads have built keys without a prefix, a
/// note on stderr says so.
///
/// A [namespace](crate::key::namespace) follows the prefix. The limit of 128 bytes does not include the prefix, and a
/// key with a hash tag keeps its slot.
pub fn own_keys() -> OwnKeys {
    TESTS.fetch_add(1, Ordering::Relaxed);
    let mut keys = Prefix::new().enter();
    keys.bare_before = Some(bare_keys(|bare| bare.count));
    keys
}

/// A guard of [`own_keys`] and [`Prefix::enter`], which restores the previous prefix when dropped.
#[derive(Debug)]
#[must_use = "dropping the guard restores the prefix"]
pub struct OwnKeys {
    prefix: Prefix,
    before: Option<[u8; BYTES]>,
    /// The number of bare keys before [`own_keys`].
    bare_before: Option<u64>,
    /// Not `Send`, since the restored value belongs to the thread.
    thread: PhantomData<*const ()>,
}

impl OwnKeys {
    /// Returns the prefix.
    pub fn prefix(&self) -> Prefix {
        self.prefix
    }

    /// Returns the note for a failed test: another thread has built a key without a prefix.
    fn note(&self) -> Option<String> {
        let before = self.bare_before?;
        bare_keys(|bare| {
            let (declaration, thread) = bare.last.as_ref().filter(|_| bare.count > before)?;
            Some(format!(
                "note: while this test used `own_keys`, {thread} built a key of `{declaration}` without a prefix\n\
                 help: threads and tasks do not inherit the prefix: pass it to those of this test with `Prefix::enter` or \
                 `Prefix::scope`"
            ))
        })
    }
}

impl Drop for OwnKeys {
    fn drop(&mut self) {
        PREFIX.set(self.before);
        if self.bare_before.is_some() {
            TESTS.fetch_sub(1, Ordering::Relaxed);
        }
        if thread::panicking()
            && let Some(note) = self.note()
        {
            eprintln!("{note}");
        }
    }
}

/// The prefix of a test's own keys, a segment with its `:`. See [`own_keys`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Prefix {
    bytes: [u8; BYTES],
}

impl Prefix {
    fn new() -> Self {
        // Seeded by the system, unlike `fastrand`, which a test can seed.
        let mut number = RandomState::new().hash_one(());
        let mut bytes = [b't'; BYTES];
        let [_, digits @ .., end] = &mut bytes;
        for digit in digits {
            let at = u8::try_from(number % 36).unwrap_or_default();
            *digit = if at < 10 { b'0' + at } else { b'a' + at - 10 };
            number /= 36;
        }
        *end = b':';
        Self { bytes }
    }

    /// Returns the text, which ends with `:`.
    pub fn as_str(&self) -> &str {
        // The bytes are ASCII, so this is always text.
        str::from_utf8(&self.bytes).unwrap_or_default()
    }

    /// Adds the prefix to every key that this thread builds, until the guard is dropped.
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
        OwnKeys { prefix: self, before: PREFIX.replace(Some(self.bytes)), bare_before: None, thread: PhantomData }
    }

    /// Runs a future with the prefix on every key that it builds, on any thread.
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};
    use std::thread;

    use super::{Prefix, own_keys};
    use crate::RedisKey;
    use crate::testing::text;
    use crate::tests::keys::{Name, Tag, Views};

    fn key() -> String {
        Views { page: 7 }.key().unwrap().into()
    }

    #[test]
    fn every_key_has_the_prefix_while_the_guard_lives() {
        assert_eq!(key(), "page:views:7:string");
        let outer = own_keys();
        assert_eq!(key(), format!("{}page:views:7:string", outer.prefix()));
        {
            let inner = own_keys();
            assert_eq!(
                text(Views { page: 7 }.exists()).unwrap(),
                [format!("EXISTS {}page:views:7:string", inner.prefix())]
            );
            assert_ne!(inner.prefix(), outer.prefix());
        }
        assert_eq!(key(), format!("{}page:views:7:string", outer.prefix()));
        drop(outer);
        assert_eq!(key(), "page:views:7:string");
    }

    #[test]
    fn prefixes_are_unique_segments() {
        let prefixes: HashSet<String> = (0..10_000).map(|_| Prefix::new().to_string()).collect();
        assert_eq!(prefixes.len(), 10_000);
        for prefix in prefixes {
            let segment = prefix.strip_suffix(':').unwrap();
            assert!(segment.starts_with('t') && segment.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9')));
        }
    }

    #[test]
    fn the_key_limit_excludes_the_prefix() {
        let keys = own_keys();
        let user = "a".repeat(128 - "user:name::string".len());
        let key = Name { user: &user }.key().unwrap();
        assert_eq!(key.strip_prefix(keys.prefix().as_str()).map(str::len), Some(128));
        let error = Name { user: &format!("{user}a") }.key().unwrap_err().to_string();
        assert!(error.contains("has 112 bytes, which makes the key 129 bytes long:"), "{error}");
        drop(keys);
        assert_eq!(Name { user: &user }.key().unwrap().len(), 128);
        let error = Name { user: &format!("{user}a") }.key().unwrap_err().to_string();
        assert!(error.contains("has 112 bytes, which makes the key 129 bytes long:"), "{error}");
    }

    #[test]
    fn positions_in_a_parameter_exclude_the_prefix() {
        let _keys = own_keys();
        let error = Name { user: "adA" }.key().unwrap_err().to_string();
        assert!(error.contains("upper-case letter at byte 3"), "{error}");
    }

    #[test]
    fn other_threads_have_no_prefix_unless_they_enter() {
        let keys = own_keys();
        let prefix = keys.prefix();
        let build = move || (key(), [prefix.enter()].map(|_| key()), key());
        let there = thread::Builder::new().name("another::test".to_owned()).spawn(build).unwrap().join().unwrap();
        assert_eq!(
            there,
            (
                "page:views:7:string".to_owned(),
                [format!("{prefix}page:views:7:string")],
                "page:views:7:string".to_owned()
            )
        );
    }

    #[test]
    fn a_failing_test_names_what_other_threads_built_without_the_prefix() {
        let keys = own_keys();
        let prefix = keys.prefix();
        let on_thread = |name: &str, prefix: Option<Prefix>| {
            let build = move || {
                let _keys = prefix.map(Prefix::enter);
                Tag { name: "blue" }.key().unwrap()
            };
            thread::Builder::new().name(name.to_owned()).spawn(build).unwrap().join().unwrap()
        };
        on_thread("another::test", None);
        on_thread("tokio-rt-worker", Some(prefix));
        assert_eq!(keys.note(), None);
        on_thread("tokio-rt-worker", None);
        let note = keys.note().unwrap();
        assert!(note.contains("the thread `tokio-rt-worker` built a key of `Tag` without a prefix"), "{note}");
        assert_eq!(prefix.enter().note(), None, "only the test itself says so");
    }

    fn is_send<T: Send>(future: T) -> T {
        future
    }

    #[test]
    fn a_scoped_future_keeps_the_prefix() {
        let prefix = own_keys().prefix();
        let mut polls = 0;
        let future = prefix.scope(std::future::poll_fn(move |_| {
            polls += 1;
            if polls == 1 { Poll::Pending } else { Poll::Ready(key()) }
        }));
        let mut future = pin!(is_send(future));
        let mut task = Context::from_waker(Waker::noop());
        assert_eq!(future.as_mut().poll(&mut task), Poll::Pending);
        assert_eq!(key(), "page:views:7:string", "only while the future runs");
        assert_eq!(future.as_mut().poll(&mut task), Poll::Ready(format!("{prefix}page:views:7:string")));
        assert_eq!(key(), "page:views:7:string");
    }
}
