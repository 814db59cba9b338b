//! The connections of a subscriber, and the task that opens them again.

use std::collections::{HashMap, HashSet};
use std::pin::pin;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future::{join_all, select};
use redis::aio::{ConnectionLike as _, MultiplexedConnection, SendError};
use redis::{Client, Pipeline, PushInfo, PushKind, RedisError, RedisResult, Value};
use tokio::sync::Notify;

use super::inbox::{Inbox, Queue};
use crate::clock;
use crate::redis_rs::no_receiver;
use crate::run::pushes::{Node, PushSource, address, connect, may_pass};
use crate::run::timer::sleep;

/// The most channels of a connection.
const MAX_CHANNELS: usize = 50;

/// The time that an attempt to connect, a subscription and a check of a connection may take.
const TIME_LIMIT: Duration = Duration::from_secs(3);

/// The interval between checks that a connection still works: a network can swallow its end.
const CHECK_EVERY: Duration = Duration::from_secs(5);

/// The shortest and the longest pause before another attempt.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

/// The time limit for the first subscription to a cluster, during which slots may move or a primary may be replaced.
const FIRST_TIME: Duration = Duration::from_secs(5);

/// The source, the channels and the inbox that all connections share.
pub(super) struct Link {
    source: PushSource,
    names: Arc<[Box<str>]>,
    /// The number of each channel, by its name.
    numbers: Arc<HashMap<Box<[u8]>, usize>>,
    inbox: Arc<Inbox>,
    /// Wakes the task when a connection is lost.
    lost: Arc<Notify>,
}

/// The reason why a subscription failed.
pub(super) enum SubscribeError {
    PartOfCluster,
    Failed(RedisError),
}

impl From<RedisError> for SubscribeError {
    fn from(error: RedisError) -> Self {
        Self::Failed(error)
    }
}

/// The messages that a connection receives until all of its channels are subscribed to.
type Early = Mutex<Option<Queue>>;

/// Channels that share a connection.
struct Group {
    client: Client,
    address: String,
    channels: Vec<usize>,
}

/// A connection with its channels.
pub(super) struct Open {
    con: MultiplexedConnection,
    address: String,
    channels: Vec<usize>,
    is_primary: bool,
    /// Whether the connection is lost. Then nothing more is received from it: its channels may have another
    /// connection.
    is_lost: Arc<AtomicBool>,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.is_lost.store(true, Relaxed);
    }
}

/// Ends the stream when the task ends, also with its runtime.
pub(super) struct Closing(pub(super) Arc<Inbox>);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Link {
    pub(super) fn new(
        source: PushSource,
        names: Arc<[Box<str>]>,
        numbers: HashMap<Box<[u8]>, usize>,
        inbox: Arc<Inbox>,
    ) -> Self {
        Self { source, names, numbers: Arc::new(numbers), inbox, lost: Arc::default() }
    }

    /// Subscribes to all channels for the first time.
    pub(super) async fn open_all(&self) -> Result<Vec<Open>, SubscribeError> {
        let mut opened = Vec::new();
        let started = Instant::now();
        loop {
            // The connection's view of the cluster may be old.
            self.refresh().await;
            let missing = self.missing(&opened);
            match self.open(&missing, false, &mut opened).await {
                Ok(()) => return Ok(opened),
                Err(SubscribeError::Failed(error))
                    if self.source.is_cluster() && may_pass(&error) && started.elapsed() < FIRST_TIME =>
                {
                    sleep(PAUSES.0).await;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Keeps the channels subscribed to.
    pub(super) async fn keep(self, mut opened: Vec<Open>, _closing: Closing) {
        let mut pause = PAUSES.0;
        let mut checked = Instant::now();
        loop {
            opened.retain(|open| !open.is_lost.load(Relaxed));
            let missing = self.missing(&opened);
            let until_check = CHECK_EVERY.saturating_sub(checked.elapsed());
            if until_check.is_zero() {
                // A connection that is lost soon after it was opened is not opened again at once.
                if missing.is_empty() {
                    pause = PAUSES.0;
                }
                self.check(&mut opened).await;
                checked = Instant::now();
            } else if missing.is_empty() {
                select(pin!(self.lost.notified()), pin!(sleep(until_check))).await;
            } else {
                self.refresh().await;
                // The next attempt follows.
                _ = self.open(&missing, true, &mut opened).await;
                // So that the subscribers of a server that returns do not all connect at once.
                let random = clock::up_to(u64::try_from(pause.as_millis()).unwrap_or_default());
                sleep(pause.saturating_add(Duration::from_millis(random))).await;
                pause = pause.saturating_mul(2).min(PAUSES.1);
            }
        }
    }

    /// Checks that all connections still work, and that on a cluster they lead to the right nodes.
    async fn check(&self, opened: &mut [Open]) {
        self.refresh().await;
        join_all(opened.iter_mut().map(check)).await;
        for open in opened.iter().filter(|_| self.source.is_cluster()) {
            let is_elsewhere = |channel: &usize| {
                self.source
                    .client_of(self.name(*channel).as_bytes())
                    .is_ok_and(|client| address(&client) != open.address)
            };
            if open.channels.iter().any(is_elsewhere) {
                open.is_lost.store(true, Relaxed);
            }
        }
    }

    /// The channels without a connection.
    fn missing(&self, opened: &[Open]) -> Vec<usize> {
        let open: HashSet<_> = opened.iter().flat_map(|open| open.channels.iter().copied()).collect();
        (0..self.names.len()).filter(|channel| !open.contains(channel)).collect()
    }

    #[cfg_attr(not(feature = "cluster"), allow(clippy::unused_async, reason = "there are no clusters"))]
    async fn refresh(&self) {
        #[cfg(feature = "cluster")]
        if let PushSource::Cluster(con) = &self.source {
            // If no node answers, the next attempt says why.
            _ = con.refresh().await;
        }
    }

    /// Opens connections for these channels, again or for the first time. Returns the first error.
    async fn open(&self, channels: &[usize], again: bool, opened: &mut Vec<Open>) -> Result<(), SubscribeError> {
        let groups = self.groups(channels)?;
        let opening = groups.into_iter().map(|group| self.open_one(group, again));
        let mut outcome = Ok(());
        for result in join_all(opening).await {
            match result {
                Ok(open) => opened.push(open),
                Err(error) => outcome = outcome.and(Err(error)),
            }
        }
        outcome
    }

    /// Divides channels by the connections that they can share.
    fn groups(&self, channels: &[usize]) -> RedisResult<Vec<Group>> {
        let mut groups: Vec<Group> = Vec::new();
        for channel in channels.iter().copied() {
            let client = self.source.client_of(self.name(channel).as_bytes())?;
            let address = address(&client);
            let has_place = |group: &&mut Group| group.channels.len() < MAX_CHANNELS && group.address == address;
            match groups.iter_mut().rfind(has_place) {
                Some(group) => group.channels.push(channel),
                None => groups.push(Group { client, address, channels: vec![channel] }),
            }
        }
        Ok(groups)
    }

    fn name(&self, channel: usize) -> &str {
        self.names.get(channel).map_or("", |name| name)
    }

    /// Opens a connection and subscribes to channels.
    async fn open_one(&self, group: Group, again: bool) -> Result<Open, SubscribeError> {
        let is_lost = Arc::new(AtomicBool::new(false));
        let early = Arc::new(Mutex::new(Some(Queue::default())));
        let config = self
            .source
            .config()
            .set_connection_timeout(Some(TIME_LIMIT))
            .set_response_timeout(Some(TIME_LIMIT))
            .set_push_sender(self.receiver(Arc::clone(&is_lost), Arc::clone(&early)));
        let con = connect(&group.client, &config).await?;
        let Group { address, channels, .. } = group;
        let mut open = Open { con, address, channels, is_primary: true, is_lost };
        let mut pipeline = Pipeline::new();
        for channel in &open.channels {
            pipeline.cmd("SUBSCRIBE").arg(self.name(*channel));
            // Messages that other programs send by PUBLISH reach all nodes.
            if self.source.is_cluster() {
                pipeline.cmd("SSUBSCRIBE").arg(self.name(*channel));
            }
        }
        let replies = open.con.req_packed_commands(&pipeline, 0, pipeline.len()).await?;
        let error = |reply| if let Value::ServerError(error) = reply { Some(error) } else { None };
        if let Some(error) = replies.into_iter().find_map(error) {
            return Err(RedisError::from(error).into());
        }
        let node = Node::ask(&mut open.con).await?;
        open.is_primary = node.is_primary;
        match &self.source {
            PushSource::Server(_) if node.is_part_of_cluster && !again => return Err(SubscribeError::PartOfCluster),
            #[cfg(feature = "cluster")]
            PushSource::Cluster(_) if !node.is_primary => {
                // Redis accepts the subscription on a replica as well, but messages reach a replica in other ways.
                return Err(
                    RedisError::from((redis::ErrorKind::ClusterConnectionNotFound, "the node is a replica")).into()
                );
            }
            _ => {}
        }
        self.begin(&open, again, &early);
        Ok(open)
    }

    /// Adds the gap of a connection before the messages received since, so that a program that reads its data again
    /// after the gap misses no message.
    fn begin(&self, open: &Open, again: bool, early: &Early) {
        let mut early = early.lock().unwrap_or_else(PoisonError::into_inner);
        self.inbox.begin(if again { &open.channels } else { &[] }, early.take().unwrap_or_default());
    }

    /// The function that a connection calls with each push message.
    fn receiver(
        &self,
        is_lost: Arc<AtomicBool>,
        early: Arc<Early>,
    ) -> impl Fn(PushInfo) -> Result<(), SendError> + Send + Sync + 'static {
        let (inbox, numbers, lost) = (Arc::clone(&self.inbox), Arc::clone(&self.numbers), Arc::clone(&self.lost));
        move |push: PushInfo| {
            if is_lost.load(Relaxed) {
                return no_receiver(push);
            }
            match push.kind {
                PushKind::Message | PushKind::SMessage => {
                    let mut data = push.data.into_iter();
                    if let (Some(Value::BulkString(channel)), Some(Value::BulkString(message))) =
                        (data.next(), data.next())
                        && let Some(number) = numbers.get(&*channel)
                    {
                        match &mut *early.lock().unwrap_or_else(PoisonError::into_inner) {
                            None => inbox.add(&is_lost, *number, message),
                            Some(early) => early.add(*number, message),
                        }
                    }
                }
                // The node serves the slot no more.
                PushKind::Disconnection | PushKind::SUnsubscribe | PushKind::Unsubscribe => {
                    is_lost.store(true, Relaxed);
                    lost.notify_one();
                }
                _ => {}
            }
            Ok(())
        }
    }
}

/// A connection is also lost if its server has become a replica, because messages then reach it from its primary, and
/// while it has none, they are missing.
async fn check(open: &mut Open) {
    let is_lost = match Node::ask(&mut open.con).await {
        Ok(node) => open.is_primary && !node.is_primary,
        Err(_) => true,
    };
    if is_lost {
        open.is_lost.store(true, Relaxed);
    }
}
