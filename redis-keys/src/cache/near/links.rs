//! The tracked connections: one for each primary, over which copies are read, and on which the server says that keys
//! have changed.

use std::any::Any;
use std::collections::HashMap;
use std::pin::pin;
#[cfg(feature = "cluster")]
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use redis::aio::{ConnectionLike as _, MultiplexedConnection, SendError};
use redis::{AsyncConnectionConfig, Client, PushInfo, PushKind, RedisError, RedisResult, Value};
use tokio::runtime::Handle;

use super::NearCopies;
use super::era::{Eras, SILENCE, now};
use crate::observe::near::{self as observe, Counter};
use crate::run::Connection;
#[cfg(feature = "cluster")]
use crate::run::cluster;
use crate::run::pushes::{Node, PushSource, address, connect};
use crate::run::time_limit::within;
use crate::run::timer::sleep;
use crate::schema::Schema;

/// The time between two signs of life, while copies are served.
const CHECK_EVERY: Duration = Duration::from_secs(1);

/// The time that an attempt to connect may take.
const ATTEMPT: Duration = Duration::from_secs(1);

/// The shortest time between two attempts.
const PAUSE: Duration = Duration::from_millis(100);

/// The same after a server has refused to track keys.
const PAUSE_AFTER_REFUSAL: Duration = Duration::from_secs(30);

/// The tracked connections of a cache.
pub(super) struct Links {
    /// `None` for a connection of which no other one can be opened.
    source: Option<PushSource>,
    /// By the address of the primary.
    by_address: Mutex<HashMap<String, LinkState>>,
    /// The number of changes of the cluster when the copies were read.
    #[cfg(feature = "cluster")]
    changes: AtomicU64,
}

#[derive(Default)]
struct LinkState {
    open: Option<Arc<Link>>,
    is_opening: bool,
    retry_at: Option<Instant>,
    /// Whether the last attempt was refused.
    is_refused: bool,
}

/// A tracked connection.
pub(super) struct Link {
    pub(super) con: MultiplexedConnection,
    pub(super) eras: Arc<Eras>,
    is_primary: bool,
}

impl Links {
    pub(super) fn new(con: &dyn Any) -> Self {
        let source = source_of(con);
        if source.is_none() {
            observe::unsupported();
        }
        Self {
            source,
            by_address: Mutex::default(),
            #[cfg(feature = "cluster")]
            changes: AtomicU64::new(0),
        }
    }

    /// Whether there is a connection over which copies can be read.
    pub(super) fn is_open(&self) -> bool {
        self.lock().values().any(LinkState::is_open)
    }

    /// The connection for a key. If there is none, one is opened in the background.
    pub(super) fn link(&self, key: &[u8], copies: &Arc<NearCopies>, schema: &'static Schema) -> Option<Arc<Link>> {
        let source = self.source.as_ref()?;
        self.note_changes();
        let address = if source.is_cluster() { address(&source.client_of(key).ok()?) } else { String::new() };
        let mut by_address = self.lock();
        let state = by_address.entry(address.clone()).or_default();
        if let Some(link) = state.open.take() {
            if !link.eras.is_lost() {
                // If one read was not answered in time, the next ones do not wait for that too.
                let usable = (!link.eras.is_suspect()).then(|| Arc::clone(&link));
                state.open = Some(link);
                return usable;
            }
            copies.counters.count(Counter::ConnectionLost, 1, schema);
        }
        if !state.is_opening && state.retry_at.is_none_or(|at| Instant::now() >= at) {
            let (client, runtime) = (source.client_of(key).ok()?, Handle::try_current().ok()?);
            state.is_opening = true;
            let opening = Opening { copies: Arc::clone(copies), address };
            drop(by_address);
            runtime.spawn(opening.run(client));
        }
        None
    }

    /// Ends what was read before slots or primaries have changed, as far as the connection has learned of it.
    fn note_changes(&self) {
        #[cfg(feature = "cluster")]
        if let Some(PushSource::Cluster(con)) = &self.source {
            let changes = con.changes();
            if self.changes.swap(changes, Relaxed) != changes {
                let primaries = con.primaries();
                let mut by_address = self.lock();
                by_address.values().filter_map(|state| state.open.as_ref()).for_each(|link| link.eras.begin_another());
                by_address.retain(|address, _| primaries.contains(address));
            }
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

/// The server or the cluster of a connection of this crate.
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
        let was_refused = self.copies.links.lock().get(&self.address).is_some_and(|state| state.is_refused);
        let state = match opened {
            Ok((con, is_primary)) => {
                if was_refused {
                    observe::on_again();
                }
                let link = Arc::new(Link { con, eras, is_primary });
                tokio::spawn(keep(Arc::downgrade(&self.copies), Arc::downgrade(&link)));
                LinkState { open: Some(link), ..LinkState::default() }
            }
            Err(error) => {
                let is_refusal = !(error.is_io_error() || error.is_timeout());
                if is_refusal && !was_refused {
                    observe::refused(&error);
                }
                let pause = if is_refusal { PAUSE_AFTER_REFUSAL } else { PAUSE };
                LinkState {
                    retry_at: Instant::now().checked_add(pause),
                    is_refused: is_refusal || was_refused,
                    ..LinkState::default()
                }
            }
        };
        self.copies.links.lock().insert(self.address.clone(), state);
    }

    async fn open(&self, client: &Client, eras: &Arc<Eras>) -> RedisResult<(MultiplexedConnection, bool)> {
        let config = self.copies.links.source.as_ref().map(PushSource::config).unwrap_or_default();
        let config: AsyncConnectionConfig = config
            .set_connection_timeout(Some(ATTEMPT))
            .set_response_timeout(Some(SILENCE))
            .set_push_sender(receiver(&self.copies, eras));
        let mut con = connect(client, &config).await?;
        // The connection sends nothing but reads of cached keys, so all of them are tracked.
        let tracking = con.req_packed_command(redis::cmd("CLIENT").arg("TRACKING").arg("ON")).await?;
        if let Value::ServerError(error) = tracking {
            return Err(RedisError::from(error));
        }
        let node = Node::ask(&mut con).await?;
        Ok((con, node.is_primary))
    }
}

/// Also when the runtime ends: calls in another one try again.
impl Drop for Opening {
    fn drop(&mut self) {
        if let Some(state) = self.copies.links.lock().get_mut(&self.address) {
            state.is_opening = false;
        }
    }
}

/// Ends the copies of a connection with its driver, also when that ends with its runtime.
struct LoseOnDrop(Arc<Eras>);

impl Drop for LoseOnDrop {
    fn drop(&mut self) {
        self.0.lose();
    }
}

/// The function that a connection calls with each push.
fn receiver(
    copies: &Arc<NearCopies>,
    eras: &Arc<Eras>,
) -> impl Fn(PushInfo) -> Result<(), SendError> + Send + Sync + 'static {
    let (driver, copies) = (LoseOnDrop(Arc::clone(eras)), Arc::downgrade(copies));
    move |push: PushInfo| {
        let Some(copies) = copies.upgrade() else { return Err(SendError) };
        match push.kind {
            PushKind::Invalidate => match push.data.into_iter().next() {
                Some(Value::Array(keys)) => {
                    for key in &keys {
                        if let Value::BulkString(key) = key {
                            copies.forget(key);
                        }
                    }
                }
                // All keys: the database was flushed.
                _ => driver.0.flush(),
            },
            PushKind::Disconnection => driver.0.lose(),
            _ => {}
        }
        Ok(())
    }
}

/// Asks for a sign of life while copies are served, and ends those of a connection that gives none, or whose server has
/// become a replica.
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
            Some(Ok(node)) if node.is_primary || !link.is_primary => {
                link.eras.set_suspect(false);
                era.answered(sent);
            }
            _ => return link.eras.lose(),
        }
    }
}
