//! All keys of a declaration.

mod look;
#[cfg(all(test, feature = "aio"))]
mod tests;
mod to;
mod walk;

use std::{any::Any, fmt, marker::PhantomData};

use redis::{Cmd, ConnectionLike};

use crate::{Error, ParseKey, command::arguments::checked_count, key::KeyPrefix, schema::Schema};

use to::Con;
use walk::Walk;

/// All keys of a declaration that there are, a page at a time: [`RedisKey::scan`](crate::RedisKey::scan).
///
/// [`iter`](Self::iter) runs it on a synchronous connection and `stream` on an asynchronous one. Each page is
/// one SCAN, with a pattern that the declaration makes and with the type of its values, sent when the keys of the page before
/// have been taken; who stops taking stops asking. What is not a key of this declaration is left out, though it be of the same
/// pattern and type.
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
/// The server walks through all its keys for that, whatever their names are: it is for work that may take its time, not for
/// answering a request. Other clients may write meanwhile. A key that is there from the first page to the last is given,
/// perhaps more than once; what comes or goes in between may be given or not.
///
/// # On a cluster
///
/// Every primary is asked, one after the other, and at the end whether each still serves what it did. One to which slots have
/// come meanwhile, or that has taken a lost one's place, is asked once more. So the keys that stay are found wherever they go,
/// some of them more than once. A scan ends with an error, behind the keys that it has found, where a node cannot be reached and
/// nobody has replaced it, and with [`ErrorKind::Contended`](crate::ErrorKind::Contended) where slots never cease to move, or one
/// is half way to a node that serves none yet. Where the nodes do not say their addresses (`cluster-preferred-endpoint-type
/// unknown-endpoint`) those are asked that the connection knows, and it ends so, too, where that does not know all of them.
///
/// It cannot see that a node was started anew between two pages, with its keys, of which it may miss some then.
///
/// Beside SCAN it sends CLUSTER SLOTS, and CLUSTER NODES to each primary.
///
/// The connection is recognised by its type, as for a [`batch`](crate::batch): `redis::cluster::ClusterConnection` with the
/// feature `cluster`, `redis::cluster_async::ClusterConnection` with `cluster-async`, and the guard of
/// `deadpool_redis::cluster` with `deadpool`. Any other is asked, with CLUSTER SLOTS, whether there are further nodes, and
/// refused if there are: it would find some of the keys and look as if it had found all. Lend the connection that is inside of
/// yours, `&mut *guard`.
#[must_use = "a scan does nothing until its keys are taken"]
pub struct KeyScan<K> {
    schema: &'static Schema,
    front: KeyPrefix,
    /// SCAN's COUNT.
    count: Result<u32, Error>,
    of: PhantomData<fn() -> K>,
}

impl<K: for<'k> ParseKey<'k>> KeyScan<K> {
    pub(crate) fn new() -> Self {
        Self { schema: K::SCHEMA, front: KeyPrefix::current(), count: Ok(500), of: PhantomData }
    }

    /// COUNT: about how many keys, of all that it has, the server looks at for each page. From 1 to 500, and 500 unless told; 0
    /// counts as 1.
    pub fn count(mut self, keys: u32) -> Self {
        self.count =
            checked_count(keys).map(|keys| keys.max(1)).map_err(|cause| Error::refused(self.schema, None, cause));
        self
    }

    /// Takes the keys one by one, on a synchronous connection. After the first error there are no more.
    pub fn iter<C>(self, con: &mut C) -> impl Iterator<Item = Result<K, Error>>
    where
        C: ConnectionLike + Any,
    {
        let mut walk = Walk::new(self, Con::of_sync(con));
        std::iter::from_fn(move || {
            loop {
                if let Some(key) = walk.key() {
                    return Some(key);
                }
                let (cmd, to) = walk.command()?;
                let reply = to::send(con, &cmd, to);
                walk.read(&cmd, reply);
            }
        })
    }

    /// Takes the keys one by one, on an asynchronous connection. After the first error there are no more.
    ///
    /// ```no_run
    /// use futures_util::TryStreamExt;
    /// use redis_keys::{prelude::*, redis::aio::MultiplexedConnection};
    ///
    /// #[derive(RedisKey)]
    /// #[redis_key(user:followers:{user_id}:set, value = u64, ttl = 1d)]
    /// struct Followers { user_id: u64 }
    ///
    /// async fn everybody(con: &mut MultiplexedConnection) -> Result<(), redis_keys::Error> {
    ///     let mut keys = Followers::scan().stream(con);
    ///     while let Some(followers) = keys.try_next().await? {
    ///         println!("{}", followers.user_id);
    ///     }
    ///     Ok(())
    /// }
    /// ```
    #[cfg(feature = "aio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub fn stream<C>(self, con: &mut C) -> impl futures_util::Stream<Item = Result<K, Error>> + Send + Unpin
    where
        C: redis::aio::ConnectionLike + Any + Send,
        K: Send,
    {
        let walk = Walk::new(self, Con::of_async(con));
        Box::pin(futures_util::stream::unfold((walk, con), async |(mut walk, con)| {
            loop {
                if let Some(key) = walk.key() {
                    return Some((key, (walk, con)));
                }
                let (cmd, to) = walk.command()?;
                let reply = to::send_async(con, &cmd, to).await;
                walk.read(&cmd, reply);
            }
        }))
    }

    /// The command for the page that begins there.
    fn page(&self, cursor: u64, count: u32) -> Cmd {
        let mut cmd = Cmd::with_capacity(8, 192);
        cmd.arg("SCAN").arg(cursor);
        cmd.arg("MATCH").arg(pattern(self.schema.template, self.front));
        cmd.arg("COUNT").arg(count);
        cmd.arg("TYPE").arg(self.schema.kind.redis_type());
        cmd
    }
}

/// What SCAN matches: the template with `*` for each parameter.
fn pattern(template: &str, front: KeyPrefix) -> String {
    let mut pattern = front.text();
    let mut rest = template;
    while let Some((before, (placeholder, behind))) =
        rest.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    {
        pattern.push_str(before);
        pattern.push_str(if placeholder.starts_with('#') { "{*}" } else { "*" });
        rest = behind;
    }
    // Nothing else in a key has a meaning of its own in a pattern.
    pattern + rest
}

/// Tells the pattern, and no key.
impl<K> fmt::Debug for KeyScan<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyScan").field("pattern", &pattern(self.schema.template, self.front)).finish_non_exhaustive()
    }
}
