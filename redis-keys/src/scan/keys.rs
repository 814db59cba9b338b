//! Scanning all keys of a declaration.

mod route;
mod state;
#[cfg(all(test, feature = "aio"))]
mod tests;
mod topology;

use std::any::Any;
use std::fmt;

use redis::Cmd;
use redis_keys_core::legacy::{LegacyText, escaped};
use route::ConnectionKind;
use state::KeyScanState;

use crate::Error;
use crate::command::arguments::checked_count;
use crate::key::{KeyPrefix, namespace};
use crate::schema::Schema;

/// Parses a key of the declaration, given the prefix of all keys.
type Parse<K> = fn(&[u8], KeyPrefix) -> Option<K>;

/// A scan of all keys of a declaration, as returned by [`RedisKey::scan`](crate::RedisKey::scan).
///
/// [`iter`](Self::iter) runs it on a synchronous connection, and `stream` on an asynchronous, shared connection. Each
/// page is a SCAN with the declaration's pattern and type. It is sent when you have taken the keys of the previous
/// page. Keys that match the pattern but do not belong to the declaration are skipped.
///
/// ```no_run
/// use redis_keys::{prelude::*, redis};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:followers:{user_id}:set, value = u64, ttl = 1d)]
/// struct Followers { user_id: u64 }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
/// for followers in Followers::scan().iter(&mut con) {
///     println!("{}", followers?.user_id);   // SCAN 0 MATCH user:followers:*:set COUNT 500 TYPE set
/// }
/// # Ok(()) }
/// ```
///
/// The server visits all of its keys, whatever their names, so use a scan for background work, not to answer a request.
/// Other clients may write during the scan. A key that exists from the first page to the last is returned, possibly
/// more than once. A key that is created or removed during the scan may or may not be returned.
///
/// If a reply does not advance the scan, the scan ends with an error. It also ends with an error if the server sends more
/// pages than a real server would. To know that number, the scan sends DBSIZE after 1,000 pages.
///
/// # On a cluster
///
/// All primaries are scanned, one after the other. A primary that has received slots since its scan, or that has
/// replaced a lost primary, is scanned again. So keys are found wherever they move, some of them more than once.
///
/// A scan ends with an error, after the keys that it has found, if a node cannot be reached and has not been replaced.
/// It ends with [`ErrorKind::Contended`](crate::ErrorKind::Contended) if slots keep moving, or if a slot is migrating
/// to a node that serves no slots yet. If the nodes do not announce their addresses
/// (`cluster-preferred-endpoint-type unknown-endpoint`), the connection's known nodes are scanned, and the scan ends
/// with `Contended` if these are not all.
///
/// A node's restart between two pages goes unnoticed, and keys can be missed.
///
/// Besides SCAN and DBSIZE, the scan sends CLUSTER SLOTS, and CLUSTER NODES to each primary.
///
/// The connection is recognized by its type, as for a [`batch`](crate::batch()), with the feature `cluster`:
/// `redis::cluster::ClusterConnection`, `redis::cluster_async::ClusterConnection` and this crate's
/// `cluster::Connection`. On any other connection, CLUSTER SLOTS asks whether there are other nodes; if so, the scan is
/// rejected, because it would miss their keys. If your connection is inside a wrapper, pass it as `&mut *guard`.
#[must_use = "a scan does nothing until its keys are taken"]
pub struct KeyScan<K> {
    schema: &'static Schema,
    front: KeyPrefix,
    /// SCAN's COUNT.
    count: Result<u32, Error>,
    parse: Parse<K>,
}

impl<K> KeyScan<K> {
    pub(crate) fn new(schema: &'static Schema, parse: Parse<K>) -> Self {
        if schema.legacy.is_some() {
            // From now on the prefix cannot be set any more, like the namespace.
            namespace::legacy_prefix();
        }
        Self { schema, front: KeyPrefix::current(), count: Ok(500), parse }
    }

    /// Sets COUNT: about how many of its keys the server visits for each page, from 1 to 500.
    ///
    /// The default is 500; 0 counts as 1.
    pub fn with_count(mut self, keys: u32) -> Self {
        self.count =
            checked_count(keys).map(|keys| keys.max(1)).map_err(|cause| Error::refused(self.schema, None, cause));
        self
    }

    /// Returns the keys one by one, on a synchronous connection. The first error is the last item.
    pub fn iter<C>(self, con: &mut C) -> impl Iterator<Item = Result<K, Error>>
    where
        C: crate::SyncConnection + Any,
    {
        let mut state = KeyScanState::new(self, ConnectionKind::of_sync(con));
        std::iter::from_fn(move || {
            loop {
                if let Some(key) = state.key() {
                    return Some(key);
                }
                let (cmd, route) = state.command()?;
                let call = state.call();
                let reply = call.span.in_scope(|| route::send(con, &cmd, route));
                state.resume(call, &cmd, reply);
            }
        })
    }

    /// Returns the keys one by one, on an asynchronous, shared connection. The first error is the last item.
    ///
    /// ```no_run
    /// use futures_util::TryStreamExt;
    /// use redis_keys::{Connection, prelude::*};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:followers:{user_id}:set, value = u64, ttl = 1d)]
    /// struct Followers { user_id: u64 }
    ///
    /// async fn followers(con: &Connection) -> Result<(), redis_keys::Error> {
    ///     let mut keys = Followers::scan().stream(con);
    ///     while let Some(followers) = keys.try_next().await? {
    ///         println!("{}", followers.user_id);
    ///     }
    ///     Ok(())
    /// }
    /// ```
    #[cfg(feature = "aio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub fn stream<C>(self, con: &C) -> impl futures_util::Stream<Item = Result<K, Error>> + Send + Unpin + use<C, K>
    where
        C: crate::SharedConnection,
        K: Send,
    {
        let state = KeyScanState::new(self, ConnectionKind::of_async(con));
        Box::pin(futures_util::stream::unfold((state, con.clone()), async |(mut state, mut con)| {
            loop {
                if let Some(key) = state.key() {
                    return Some((key, (state, con)));
                }
                let (cmd, route) = state.command()?;
                let call = state.call();
                let reply = call.span.within(route::send_async(&mut con, &cmd, route)).await;
                state.resume(call, &cmd, reply);
            }
        }))
    }

    /// Returns the command for the page at a cursor.
    fn page(&self, cursor: u64, count: u32) -> Cmd {
        let mut cmd = Cmd::with_capacity(8, 192);
        cmd.arg("SCAN").arg(cursor);
        cmd.arg("MATCH").arg(pattern(self.schema, self.front));
        cmd.arg("COUNT").arg(count);
        cmd.arg("TYPE").arg(self.schema.kind.redis_type());
        cmd
    }
}

/// Returns SCAN's pattern: the template with `*` for each parameter.
fn pattern(schema: &Schema, front: KeyPrefix) -> String {
    if let Some(legacy) = schema.legacy {
        let prefix = escaped(namespace::legacy_prefix());
        return front.of_legacy().text() + &prefix + &LegacyText::read(legacy).pattern();
    }
    let mut pattern = front.text();
    let mut rest = schema.template;
    while let Some((before, (placeholder, behind))) =
        rest.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    {
        pattern.push_str(before);
        pattern.push_str(if placeholder.starts_with('#') { "{*}" } else { "*" });
        rest = behind;
    }
    // All other characters of a key are literal in a pattern.
    pattern + rest
}

/// Shows the pattern, and no key.
impl<K> fmt::Debug for KeyScan<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyScan").field("pattern", &pattern(self.schema, self.front)).finish_non_exhaustive()
    }
}
