//! The tracked connections, one for each primary: they read copies, and receive the server's invalidations.

use std::any::Any;
use std::collections::HashMap;
use std::pin::pin;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use redis::aio::{ConnectionLike as _, MultiplexedConnection, SendError};
use redis::{Client, ErrorKind, PushInfo, PushKind, RedisError, RedisResult, Value};
use tokio::runtime::Handle;

use super::NearCopies;
use super::era::{Eras, SILENCE, now};
use crate::observe::near::{self as observe, Counter};
use crate::redis_rs::no_receiver;
use crate::run::Connection;
#[cfg(feature = "cluster")]
use crate::run::cluster;
use crate::run::pushes::{self, Node, PushSource, connect};
use crate::run::time_limit::within;
use crate::run::timer::sleep;
use crate::schema::Schema;

/// The interval of signs of life, while copies are served.
const CHECK_EVERY: Duration = Duration::from_secs(1);

/// The time that an attempt to connect may take.
const ATTEMPT: Duration = Duration::from_secs(1);

/// The time between the first two attempts.
const PAUSE: Duration = Duration::from_millis(100);

/// The time between two attempts after a server has refused to track keys.
const LONG_PAUSE: Duration = Duration::from_secs(30);

/// The same after the server was a replica, which may become a primary, or whose address may lead to a primary.
const PAUSE_AT_REPLICA: Duration = Duration::from_secs(1);

const IS_REPLICA: ErrorKind = ErrorKind::ClusterConnectionNotFound;

/// The tracked connections of a cache.
pub(crate) struct Links {
    /// `None` for a connection that cannot be duplicated.
    source: Option<PushSource>,
    /// The state of each link, by the address of its primary.
    by_address: Mutex<HashMap<String, LinkState>>,
    /// Whether it was already reported that there are no copies.
    are_off: AtomicBool,
    /// The connection of the cache, if it leads to one server.
    server: Option<Connection>,
    /// The changes that are known: moves of slots, or new openings of the connection to the server.
    changes: AtomicU64,
}

#[derive(Default)]
struct LinkState {
    open: Option<Arc<Link>>,
    /// The time at which opening began. A blocked runtime never completes it.
    opening_since: Option<Instant>,
    retry_at: Option<Instant>,
    /// The attempts that have failed since the last success.
    failures: u32,
}

/// A tracked connection to a primary.
pub(crate) struct Link {
    pub(crate) con: MultiplexedConnection,
    pub(crate) eras: Arc<Eras>,
}

impl Links {
    pub(crate) fn new(con: &dyn Any) -> Self {
        Self {
            source: source_of(con),
            by_address: Mutex::default(),
            are_off: AtomicBool::new(false),
            server: con.downcast_ref().cloned(),
            changes: AtomicU64::new(0),
        }
    }

    /// Whether there is a connection over which copies can be read.
    pub(crate) fn is_open(&self) -> bool {
        self.lock().values().any(LinkState::is_open)
    }

    /// Returns the connection for a key. If there is none, it opens one in the background.
    pub(crate) fn link(&self, key: &[u8], copies: &Arc<NearCopies>, schema: &'static Schema) -> Option<Arc<Link>> {
        let Some(source) = &self.source else {
            self.note_off(observe::unsupported);
            return None;
        };
        self.note_changes();
        let address = source.address_of(key)?;
        let mut by_address = self.lock();
        let state = by_address.entry(address.clone()).or_default();
        let lost = match state.open.take() {
            // After a read without a timely reply, the next reads do not wait for that too.
            Some(link) if link.eras.is_usable(now()) => {
                state.open = Some(Arc::clone(&link));
                drop(by_address);
                copies.count_flushes(&link.eras, schema);
                return Some(link);
            }
            Some(link) if !link.eras.is_lost() => {
                state.open = Some(link);
                return None;
            }
            lost => lost,
        };
        let is_opening = state.opening_since.is_some_and(|since| since.elapsed() < 2 * ATTEMPT);
        let is_due = !is_opening && state.retry_at.is_none_or(|at| Instant::now() >= at);
        if is_due {
            state.opening_since = Some(Instant::now());
        }
        drop(by_address);
        if lost.is_some() {
            copies.counters.count(Counter::ConnectionLost, 1, schema);
        }
        if is_due {
            let opening = Opening { copies: Arc::clone(copies), address };
            if let (Ok(client), Ok(runtime)) = (source.client_of(key), Handle::try_current()) {
                runtime.spawn(opening.run(client));
            }
        }
        None
    }

    /// Ends the copies that were read before slots moved, as soon as the connection knows about the move, and the
    /// tracked connection to a server when the other connection was opened again: the address of both may lead to
    /// another server now.
    fn note_changes(&self) {
        let changes = match &self.source {
            #[cfg(feature = "cluster")]
            Some(PushSource::Cluster(con)) => con.changes(),
            _ => self.server.as_ref().map_or(0, Connection::changes),
        };
        if self.changes.swap(changes, Relaxed) == changes {
            return;
        }
        let mut by_address = self.lock();
        if self.server.is_none() {
            // Their nodes may be gone.
            by_address.retain(|_, state| state.open.as_ref().is_none_or(|link| !link.eras.is_lost()));
        }
        for link in by_address.values().filter_map(|state| state.open.as_ref()) {
            if self.server.is_some() { link.eras.lose() } else { link.eras.begin_another() }
        }
    }

    /// Reports, once, why there are no copies.
    fn note_off(&self, say: impl FnOnce()) {
        if !self.are_off.swap(true, Relaxed) {
            say();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, LinkState>> {
        self.by_address.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LinkState {
    fn is_open(&self) -> bool {
        self.open.as_ref().is_some_and(|link| !link.eras.is_lost())
    }
}

/// The server or cluster of this crate's connection.
fn source_of(con: &dyn Any) -> Option<PushSource> {
    if let Some(con) = con.downcast_ref::<Connection>() {
        return Some(con.into());
    }
    #[cfg(feature = "cluster")]
    if let Some(con) = cluster::Connection::recognize(con) {
        return Some(PushSource::Cluster(con));
    }
    None
}

/// An attempt to open a connection.
struct Opening {
    copies: Arc<NearCopies>,
    address: String,
}

impl Opening {
    async fn run(self, client: Client) {
        let eras = Arc::new(Eras::new(now()));
        let opened = self.open(&client, &eras).await;
        let links = &self.copies.links;
        let state = match opened {
            Ok(con) => {
                if links.are_off.swap(false, Relaxed) {
                    observe::on_again();
                }
                let link = Arc::new(Link { con, eras });
                tokio::spawn(keep(Arc::downgrade(&self.copies), Arc::downgrade(&link)));
                LinkState { open: Some(link), ..LinkState::default() }
            }
            Err(error) => {
                let failures = links.lock().get(&self.address).map_or(0, |state| state.failures);
                let pause = pause(&error, failures);
                if pause == LONG_PAUSE {
                    links.note_off(|| observe::refused(&error));
                }
                let failures = failures.saturating_add(1);
                LinkState { retry_at: Instant::now().checked_add(pause), failures, ..LinkState::default() }
            }
        };
        links.lock().insert(self.address.clone(), state);
    }

    async fn open(&self, client: &Client, eras: &Arc<Eras>) -> RedisResult<MultiplexedConnection> {
        let config = self.copies.links.source.as_ref().map(PushSource::config).unwrap_or_default();
        let config = config
            .set_connection_timeout(Some(ATTEMPT))
            .set_response_timeout(Some(SILENCE))
            .set_push_sender(receiver(&self.copies, eras));
        let mut con = connect(client, &config).await?;
        // The connection sends only reads of cached keys, so all commands are tracked.
        let tracking = con.req_packed_command(redis::cmd("CLIENT").arg("TRACKING").arg("ON")).await?;
        if let Value::ServerError(error) = tracking {
            return Err(error.into());
        }
        // A replica receives writes later than the primary.
        if !Node::ask(&mut con).await?.is_primary {
            return Err((IS_REPLICA, "the server is a replica").into());
        }
        Ok(con)
    }
}

/// The time until the next attempt, after one that failed like others before it. It doubles, because a proxy may close
/// each connection for what it does not know.
fn pause(error: &RedisError, failures_before: u32) -> Duration {
    match error.kind() {
        _ if !may_pass(error) => LONG_PAUSE,
        IS_REPLICA => PAUSE_AT_REPLICA,
        _ => PAUSE.saturating_mul(1 << failures_before.min(16)).min(LONG_PAUSE),
    }
}

/// Whether a server that refused to track keys may soon accept.
fn may_pass(error: &RedisError) -> bool {
    let is_busy =
        error.code() == Some("BUSY") || error.detail().is_some_and(|text| text.contains("max number of clients"));
    is_busy || error.is_timeout() || pushes::may_pass(error)
}

/// Lets calls in another runtime try again if this runtime ends.
impl Drop for Opening {
    fn drop(&mut self) {
        if let Some(state) = self.copies.links.lock().get_mut(&self.address) {
            state.opening_since = None;
        }
    }
}

/// Ends a connection's copies with its driver, also if the driver ends with its runtime.
struct LoseOnDrop(Arc<Eras>);

impl Drop for LoseOnDrop {
    fn drop(&mut self) {
        self.0.lose();
    }
}

/// Creates the function that a connection calls for each push.
fn receiver(
    copies: &Arc<NearCopies>,
    eras: &Arc<Eras>,
) -> impl Fn(PushInfo) -> Result<(), SendError> + Send + Sync + 'static {
    let (driver, copies) = (LoseOnDrop(Arc::clone(eras)), Arc::downgrade(copies));
    move |push: PushInfo| {
        let Some(copies) = copies.upgrade() else { return no_receiver(push) };
        match push.kind {
            PushKind::Invalidate => {
                if let Some(Value::Array(keys)) = push.data.into_iter().next() {
                    for key in &keys {
                        if let Value::BulkString(key) = key {
                            copies.invalidate(key);
                            copies.waiters.wake(key);
                        }
                    }
                } else {
                    // No key is named: the whole database was flushed.
                    driver.0.flush();
                    copies.waiters.wake_all();
                }
            }
            PushKind::Disconnection => {
                driver.0.lose();
                copies.waiters.wake_all();
            }
            _ => {}
        }
        Ok(())
    }
}

/// Requests signs of life while copies are served.
///
/// It ends the copies if the connection gives no sign of life, or if the server has become a replica.
async fn keep(copies: Weak<NearCopies>, link: Weak<Link>) {
    loop {
        sleep(CHECK_EVERY).await;
        let (Some(copies), Some(link)) = (copies.upgrade(), link.upgrade()) else { return };
        copies.report();
        if link.eras.is_lost() {
            return;
        }
        if !link.eras.take_need() {
            continue;
        }
        copies.links.note_changes();
        let (era, sent, mut con) = (link.eras.current(), now(), link.con.clone());
        match within(SILENCE, pin!(Node::ask(&mut con))).await {
            Some(Ok(node)) if node.is_primary => {
                link.eras.trust();
                era.answered(sent);
            }
            _ => return link.eras.lose(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_become_rare_if_all_fail() {
        let refused = RedisError::from((ErrorKind::InvalidClientConfig, "no RESP3"));
        assert_eq!(pause(&refused, 0), LONG_PAUSE);
        let replica = RedisError::from((IS_REPLICA, "a replica"));
        assert_eq!(pause(&replica, 9), PAUSE_AT_REPLICA);
        let closed = RedisError::from(std::io::Error::from(std::io::ErrorKind::UnexpectedEof));
        let pauses = [0, 1, 2, 8, 9, 99, u32::MAX].map(|failures| pause(&closed, failures).as_millis());
        assert_eq!(pauses, [100, 200, 400, 25_600, 30_000, 30_000, 30_000]);
    }
}
