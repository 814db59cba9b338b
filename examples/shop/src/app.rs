//! The state that all requests share.

use std::collections::VecDeque;
use std::env;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::{BoxFuture, Shared};
use redis_keys::Connection;
use redis_keys::cache::Cache;
use redis_keys::jobs::Pusher;
use redis_keys::lock::Locks;

use crate::database::Database;
use crate::keys::OrderQueue;
use crate::trace::{Trace, TracedConnection};

/// The time that a page waits for data that it can do without.
const PATIENCE: Duration = Duration::from_millis(250);

/// The requests that are kept for the page *What Redis sees*.
const KEPT_REQUESTS: usize = 500;

/// Waits until the program is to end.
pub(crate) type Closing = Shared<BoxFuture<'static, ()>>;

pub(crate) struct App {
    pub(crate) db: Database,
    /// For what a page cannot do without.
    pub(crate) con: TracedConnection,
    /// For what a page can do without: a failure comes sooner.
    pub(crate) quick: TracedConnection,
    pub(crate) cache: Cache<TracedConnection>,
    /// Whether products are cached; `SHOP_WITHOUT_CACHE` is for measurements.
    pub(crate) is_cached: bool,
    pub(crate) locks: Locks<TracedConnection>,
    pub(crate) orders: Pusher<TracedConnection, OrderQueue>,
    pub(crate) closing: Closing,
    requests: Mutex<VecDeque<Request>>,
}

/// A request, and what it has sent to Redis.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) visitor: String,
    pub(crate) line: String,
    pub(crate) status: u16,
    pub(crate) took: Duration,
    /// What is sent for every page, whatever it shows.
    pub(crate) shared: Trace,
    pub(crate) own: Trace,
}

impl App {
    pub(crate) fn new(
        db: Database,
        con: Connection,
        orders: Pusher<TracedConnection, OrderQueue>,
        closing: Closing,
    ) -> Self {
        let quick = TracedConnection(con.with_time_limit(PATIENCE));
        let con = TracedConnection(con);
        let (cache, locks) = (Cache::new(con.clone()), Locks::new(con.clone()));
        let is_cached = env::var_os("SHOP_WITHOUT_CACHE").is_none();
        Self { db, con, quick, cache, is_cached, locks, orders, closing, requests: Mutex::default() }
    }

    /// Keeps a request, and drops the oldest one if there are many.
    pub(crate) fn keep(&self, request: Request) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        requests.truncate(KEPT_REQUESTS - 1);
        requests.push_front(request);
    }

    /// The last requests of a visitor, the latest first.
    pub(crate) fn requests_of(&self, visitor: &str, count: usize) -> Vec<Request> {
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        requests.iter().filter(|request| request.visitor == visitor).take(count).cloned().collect()
    }
}
