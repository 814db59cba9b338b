//! A server with one lock, and its holder.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use loom::sync::{Mutex, MutexGuard};
use redis_keys::ErrorKind;

use super::runtime::{Handle, Instant, timeout_at};
use crate::schema::Schema;
use crate::{Error, SCHEMA, reply};

pub trait SharedConnection: Send + Sync + 'static {
    fn server(&self) -> &Server;
}

impl SharedConnection for Arc<Server> {
    fn server(&self) -> &Server {
        self
    }
}

pub struct Server {
    is_locked: Mutex<bool>,
    /// Counts, which change in no step of their own.
    releases: AtomicU32,
    losses: AtomicU32,
}

pub(super) struct Holder<C> {
    con: C,
    pub(super) reporter: Reporter,
}

pub(super) trait Release: Send + Sync {
    fn release(&self) -> Pin<Box<dyn Future<Output = Result<bool, Error>> + Send + '_>>;

    fn release_in_background(self: Arc<Self>, runtime: &Handle, expires: Instant);

    fn schema(&self) -> &'static Schema;
}

#[derive(Clone)]
pub(crate) struct Reporter(Arc<Server>);

pub(crate) enum Counter {
    Lost,
}

impl Server {
    pub(super) fn new(is_locked: bool) -> Self {
        Self { is_locked: Mutex::new(is_locked), releases: AtomicU32::new(0), losses: AtomicU32::new(0) }
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.is_locked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Another program removes the key.
    pub(super) fn remove(&self) {
        *self.lock() = false;
    }

    pub(super) fn releases(&self) -> u32 {
        self.releases.load(SeqCst)
    }

    pub(super) fn losses(&self) -> u32 {
        self.losses.load(SeqCst)
    }
}

impl Holder<Arc<Server>> {
    pub(super) fn new(server: Arc<Server>) -> Self {
        Self { con: Arc::clone(&server), reporter: Reporter(server) }
    }
}

impl<C: SharedConnection> Holder<C> {
    #[allow(clippy::unused_self, reason = "as in the library")]
    pub(super) fn ttl(&self) -> Duration {
        Duration::from_secs(3)
    }

    #[allow(clippy::unused_self, reason = "as in the library")]
    pub(super) fn pause(&self) -> Duration {
        Duration::from_secs(1)
    }

    pub(super) async fn renew(&self) -> Result<bool, Error> {
        let is_locked = *self.con.server().lock();
        reply().await;
        Ok(is_locked)
    }
}

impl<C: SharedConnection> Release for Holder<C> {
    fn release(&self) -> Pin<Box<dyn Future<Output = Result<bool, Error>> + Send + '_>> {
        Box::pin(async {
            let server = self.con.server();
            server.releases.fetch_add(1, SeqCst);
            let was_locked = std::mem::take(&mut *server.lock());
            reply().await;
            Ok(was_locked)
        })
    }

    fn release_in_background(self: Arc<Self>, runtime: &Handle, expires: Instant) {
        runtime.spawn(async move { timeout_at(expires, self.release()).await });
    }

    fn schema(&self) -> &'static Schema {
        SCHEMA
    }
}

impl Reporter {
    pub(crate) fn report(&self, _: Counter) {
        self.0.losses.fetch_add(1, SeqCst);
    }

    #[allow(clippy::unused_self, reason = "as in the library")]
    pub(crate) fn failed(&self, _: ErrorKind) {}
}
