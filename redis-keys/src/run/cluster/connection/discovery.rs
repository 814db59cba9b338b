//! Waiting for the first answer of a cluster.

use std::pin::pin;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};

use futures_util::future::select;
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use redis::{RedisError, RedisResult, ServerError, ServerErrorKind, Value};
use tokio::sync::Notify;

use super::{Connection, LONGEST_ASKING, lock};
use crate::error::connection_error;
use crate::run::server_connection::{CANNOT_CONNECT, Failure, Waiter, unconnected};
use crate::run::time_limit::TimeLimit;
use crate::run::timer;

/// The time between two rounds in which all nodes are asked.
const PAUSE: Duration = Duration::from_millis(50);

/// The commands that wait until a node has named the others. One command asks the nodes.
pub(super) struct Discovery {
    time_limit: TimeLimit,
    max_waiting: usize,
    waiting: AtomicUsize,
    state: Mutex<State>,
    /// Wakes the others when the nodes are known, when all have refused, and when the command that asks is dropped.
    changed: Notify,
}

#[derive(Default)]
struct State {
    /// The number of rounds so far.
    rounds: u64,
    failure: Option<FailedRound>,
    /// The time at which the asking command last made progress. Its runtime may no longer be running.
    asking_since: Option<Instant>,
}

/// The last round in which no node has named the others.
struct FailedRound {
    number: u64,
    why: String,
    /// Whether every node has refused, so that waiting is of no use.
    is_refused: bool,
}

impl Discovery {
    pub(super) fn new(time_limit: Duration, max_waiting: usize) -> Self {
        Self {
            time_limit: TimeLimit::new(time_limit),
            max_waiting,
            waiting: AtomicUsize::new(0),
            state: Mutex::default(),
            changed: Notify::new(),
        }
    }

    /// Returns the reason why all nodes refuse, if they have been asked since that round.
    fn refusal(&self, joined_at: u64) -> Option<RedisError> {
        let state = lock(&self.state);
        let failure = state.failure.as_ref()?;
        (failure.is_refused && failure.number > joined_at).then(|| cannot_connect(&failure.why))
    }

    fn timed_out(&self) -> RedisError {
        let state = lock(&self.state);
        let no_answer = || format!("no node has answered within {:?}", self.time_limit.duration());
        cannot_connect(&state.failure.as_ref().map_or_else(no_answer, |failure| failure.why.clone()))
    }
}

fn cannot_connect(why: &str) -> RedisError {
    unconnected(format!("cannot connect to the cluster: {why}"))
}

/// The command that asks the nodes.
struct Asking<'d>(&'d Discovery);

impl<'d> Asking<'d> {
    fn begin(discovery: &'d Discovery) -> Option<Self> {
        let mut state = lock(&discovery.state);
        if state.asking_since.is_some_and(|since| since.elapsed() < LONGEST_ASKING) {
            return None;
        }
        state.asking_since = Some(Instant::now());
        Some(Self(discovery))
    }

    /// Begins a round and returns its number.
    fn begin_round(&self) -> u64 {
        let mut state = lock(&self.0.state);
        state.asking_since = Some(Instant::now());
        state.rounds = state.rounds.saturating_add(1);
        state.rounds
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        lock(&self.0.state).asking_since = None;
        self.0.changed.notify_waiters();
    }
}

impl Connection {
    /// Waits until the nodes are known, for at most the time limit.
    #[inline]
    pub(super) async fn wait_for_nodes(&self) -> RedisResult<()> {
        if self.view().is_known() {
            return Ok(());
        }
        Box::pin(self.discover()).await
    }

    #[cold]
    async fn discover(&self) -> RedisResult<()> {
        let discovery = &self.0.discovery;
        let _counted = Waiter::new(&discovery.waiting, discovery.max_waiting)?;
        let found = discovery.time_limit.run(pin!(self.find_nodes())).await;
        found.unwrap_or_else(|| Err(discovery.timed_out()))
    }

    async fn find_nodes(&self) -> RedisResult<()> {
        let discovery = &self.0.discovery;
        let joined_at = lock(&discovery.state).rounds;
        loop {
            let mut changed = pin!(discovery.changed.notified());
            // From now on no change is missed.
            changed.as_mut().enable();
            if self.view().is_known() {
                return Ok(());
            }
            if let Some(refusal) = discovery.refusal(joined_at) {
                return Err(refusal);
            }
            match Asking::begin(discovery) {
                Some(asking) => self.ask_until_answered(&asking).await,
                None => _ = select(changed, pin!(timer::sleep(LONGEST_ASKING))).await,
            }
        }
    }

    /// Asks the nodes until one has named the others, or all have refused.
    async fn ask_until_answered(&self, asking: &Asking<'_>) {
        loop {
            let number = asking.begin_round();
            let Err((why, is_refused)) = self.ask_all_at_once().await else { return };
            lock(&asking.0.state).failure = Some(FailedRound { number, why, is_refused });
            if is_refused {
                return;
            }
            timer::sleep(PAUSE).await;
        }
    }

    /// Asks all nodes for the slots at the same time: some may not answer for long. If no node serves slots, returns
    /// the last reason, and whether all have refused.
    async fn ask_all_at_once(&self) -> Result<(), (String, bool)> {
        let nodes = self.view().in_random_order();
        let cmd = &redis::cmd("CLUSTER").arg("SLOTS").to_owned();
        let ask = |node| async move { (node, self.send_to_node(node, cmd).await) };
        let mut answers: FuturesUnordered<_> = nodes.into_iter().map(ask).collect();
        let mut last = ("no node is known".to_owned(), true);
        while let Some((node, answer)) = answers.next().await {
            let (why, is_refused) = match answer {
                Ok(Value::ServerError(error)) => of_server(&error),
                Ok(reply) => {
                    if self.view().replace(reply, node) {
                        return Ok(());
                    }
                    // It does not belong to the cluster yet, or not any more.
                    ("no node serves slots of a cluster".to_owned(), false)
                }
                Err(failure) => (of_connection(failure), self.node(node).is_ok_and(|node| node.is_refused())),
            };
            last = (why, last.1 && is_refused);
        }
        Err(last)
    }
}

/// The reason why a server has replied with an error, and whether it refuses. The server's text could contain values.
fn of_server(error: &ServerError) -> (String, bool) {
    let passes = [
        ServerErrorKind::BusyLoading,
        ServerErrorKind::ClusterDown,
        ServerErrorKind::MasterDown,
        ServerErrorKind::TryAgain,
    ];
    match error.code() {
        "ERR" => ("the server is not part of a cluster".to_owned(), true),
        code => {
            let is_refused = error.kind().is_none_or(|kind| !passes.contains(&kind));
            (format!("the server has replied to CLUSTER SLOTS with {code}"), is_refused)
        }
    }
}

fn of_connection(failure: Failure) -> String {
    let why = connection_error(&failure.into_error());
    why.strip_prefix(CANNOT_CONNECT).unwrap_or(&why).to_owned()
}
