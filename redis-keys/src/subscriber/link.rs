//! The connections of a subscriber, and the task that opens them again.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::{join_all, select};
use redis::aio::{ConnectionLike as _, MultiplexedConnection, SendError};
use redis::{
    AsyncConnectionConfig, Client, IntoConnectionInfo as _, Pipeline, ProtocolVersion, PushInfo, PushKind, RedisError,
    RedisResult, Value,
};
use tokio::sync::Notify;

use super::Target;
use super::inbox::{Inbox, MAX_MESSAGES};
use crate::run::timer::sleep;

/// The most channels of a connection.
const MAX_CHANNELS: usize = 50;

/// The time that an attempt to connect, a subscription and a sign of life may take.
const TIME_LIMIT: Duration = Duration::from_secs(3);

/// The time between two signs of life that are asked for: a network can swallow the end of a connection.
const PING_EVERY: Duration = Duration::from_secs(5);

/// The shortest and the longest pause before another attempt.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

/// The number of attempts at first, while slots of a cluster move.
const FIRST_ATTEMPTS: u32 = 20;

/// What the connections share.
pub(super) struct Link {
    target: Target,
    names: Arc<[Box<str>]>,
    /// The number of each channel, by its name.
    numbers: Arc<HashMap<Box<[u8]>, usize>>,
    inbox: Arc<Inbox>,
    /// Wakes the task when a connection is lost.
    lost: Arc<Notify>,
}

/// The reason why channels are not subscribed to.
pub(super) enum Opened {
    PartOfCluster,
    Failed(RedisError),
}

/// The messages that a connection receives until all of its channels are subscribed to.
type Early = Mutex<Option<Vec<(usize, Vec<u8>)>>>;

/// A connection with its channels.
pub(super) struct Open {
    con: MultiplexedConnection,
    channels: Vec<usize>,
    /// From then on nothing of it is received: its channels may have another connection.
    is_lost: Arc<AtomicBool>,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.is_lost.store(true, Relaxed);
    }
}

/// Ends the stream when the task ends, also with its runtime.
struct Closing(Arc<Inbox>);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Link {
    pub(super) fn new(
        target: Target,
        names: Arc<[Box<str>]>,
        numbers: HashMap<Box<[u8]>, usize>,
        inbox: Arc<Inbox>,
    ) -> Self {
        Self { target, names, numbers: Arc::new(numbers), inbox, lost: Arc::default() }
    }

    /// Subscribes to all channels for the first time.
    pub(super) async fn open_all(&self) -> Result<Vec<Open>, Opened> {
        let mut opened = Vec::new();
        let mut attempts = 1;
        loop {
            let missing = self.missing(&opened);
            let failure = self.open(&missing, false, &mut opened).await;
            let Some(error) = failure else { break };
            // While slots move, the first node that is asked may not know their new place.
            if !error.is_cluster_error() || attempts >= FIRST_ATTEMPTS {
                return Err(Opened::Failed(error));
            }
            attempts = attempts.saturating_add(1);
            sleep(PAUSES.0).await;
            self.refresh().await;
        }
        if let (Target::Server(_), Some(open)) = (&self.target, opened.first_mut())
            && is_part_of_cluster(&mut open.con).await
        {
            return Err(Opened::PartOfCluster);
        }
        Ok(opened)
    }

    /// Keeps the channels subscribed to.
    pub(super) async fn keep(self, mut opened: Vec<Open>) {
        let _closing = Closing(Arc::clone(&self.inbox));
        let mut pause = PAUSES.0;
        loop {
            opened.retain(|open| !open.is_lost.load(Relaxed));
            let missing = self.missing(&opened);
            if missing.is_empty() {
                pause = PAUSES.0;
                let lost = pin!(self.lost.notified());
                select(lost, pin!(sleep(PING_EVERY))).await;
                join_all(opened.iter_mut().map(check)).await;
                continue;
            }
            self.refresh().await;
            let before = opened.len();
            self.open(&missing, true, &mut opened).await;
            if opened.len() == before {
                select(pin!(self.lost.notified()), pin!(sleep(pause))).await;
                pause = pause.saturating_mul(2).min(PAUSES.1);
            }
        }
    }

    /// The channels without a connection.
    fn missing(&self, opened: &[Open]) -> Vec<usize> {
        let is_open = |channel: &usize| opened.iter().any(|open| open.channels.contains(channel));
        (0..self.names.len()).filter(|channel| !is_open(channel)).collect()
    }

    async fn refresh(&self) {
        #[cfg(feature = "cluster")]
        if let Target::Cluster(con) = &self.target {
            // If no node answers, the next attempt says why.
            _ = con.refresh().await;
        }
    }

    /// Opens connections for these channels, again or for the first time. Returns the first reason why one could not be
    /// opened.
    async fn open(&self, channels: &[usize], again: bool, opened: &mut Vec<Open>) -> Option<RedisError> {
        let groups = match self.groups(channels) {
            Ok(groups) => groups,
            Err(error) => return Some(error),
        };
        let opening = groups.into_iter().map(|(client, channels)| self.open_one(client, channels, again));
        let mut failure = None;
        for result in join_all(opening).await {
            match result {
                Ok(open) => opened.push(open),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        failure
    }

    /// Divides channels by the connections that they can share.
    fn groups(&self, channels: &[usize]) -> RedisResult<Vec<(Client, Vec<usize>)>> {
        let mut groups: Vec<(Client, Vec<usize>)> = Vec::new();
        for channel in channels.iter().copied() {
            let client = self.client(channel)?;
            let address = client.get_connection_info().addr().to_string();
            let group = groups.iter_mut().find(|(client, channels)| {
                channels.len() < MAX_CHANNELS && client.get_connection_info().addr().to_string() == address
            });
            match group {
                Some((_, channels)) => channels.push(channel),
                None => groups.push((client, vec![channel])),
            }
        }
        Ok(groups)
    }

    fn client(&self, channel: usize) -> RedisResult<Client> {
        match &self.target {
            Target::Server(client) => Ok(client.as_ref().clone()),
            #[cfg(feature = "cluster")]
            Target::Cluster(con) => con.client_of(self.name(channel).as_bytes()),
        }
    }

    fn name(&self, channel: usize) -> &str {
        self.names.get(channel).map_or("", |name| name)
    }

    fn is_cluster(&self) -> bool {
        !matches!(self.target, Target::Server(_))
    }

    /// Opens a connection and subscribes to channels.
    async fn open_one(&self, client: Client, channels: Vec<usize>, again: bool) -> RedisResult<Open> {
        let is_lost = Arc::new(AtomicBool::new(false));
        let early = Arc::new(Mutex::new(Some(Vec::new())));
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(TIME_LIMIT))
            .set_response_timeout(Some(TIME_LIMIT))
            .set_push_sender(self.receiver(Arc::clone(&is_lost), Arc::clone(&early)));
        let info = client.get_connection_info();
        let settings = info.redis_settings().clone().set_protocol(ProtocolVersion::RESP3);
        let client = Client::open(info.clone().set_redis_settings(settings).into_connection_info()?)?;
        let con = client.get_multiplexed_async_connection_with_config(&config).await?;
        let mut open = Open { con, channels, is_lost };
        let mut pipeline = Pipeline::new();
        for channel in &open.channels {
            pipeline.cmd("SUBSCRIBE").arg(self.name(*channel));
            // What other programs publish by PUBLISH reaches all nodes.
            if self.is_cluster() {
                pipeline.cmd("SSUBSCRIBE").arg(self.name(*channel));
            }
        }
        let replies = open.con.req_packed_commands(&pipeline, 0, pipeline.len()).await?;
        let error = |reply| if let Value::ServerError(error) = reply { Some(error) } else { None };
        if let Some(error) = replies.into_iter().find_map(error) {
            return Err(error.into());
        }
        self.begin(&open, again, &early);
        Ok(open)
    }

    /// Adds the gap of a connection before what it has received since: a program that reads its data again after the gap
    /// misses no message.
    fn begin(&self, open: &Open, again: bool, early: &Early) {
        let mut early = early.lock().unwrap_or_else(PoisonError::into_inner);
        if again {
            self.inbox.add_gap(&open.channels);
        }
        for (channel, message) in early.take().into_iter().flatten() {
            self.inbox.add(channel, message);
        }
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
                return Err(SendError);
            }
            match push.kind {
                PushKind::Message | PushKind::SMessage => {
                    let mut data = push.data.into_iter();
                    if let (Some(Value::BulkString(channel)), Some(Value::BulkString(message))) =
                        (data.next(), data.next())
                        && let Some(number) = numbers.get(&*channel)
                    {
                        match &mut *early.lock().unwrap_or_else(PoisonError::into_inner) {
                            None => inbox.add(*number, message),
                            Some(early) if early.len() < MAX_MESSAGES => early.push((*number, message)),
                            // Nothing is promised yet.
                            Some(_) => {}
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

/// Asks a connection for a sign of life.
async fn check(open: &mut Open) {
    let reply = open.con.req_packed_command(&redis::cmd("PING")).await;
    if !matches!(reply, Ok(Value::SimpleString(_))) {
        open.is_lost.store(true, Relaxed);
    }
}

async fn is_part_of_cluster(con: &mut MultiplexedConnection) -> bool {
    let info = con.req_packed_command(redis::cmd("INFO").arg("cluster")).await;
    let info: RedisResult<String> = info.and_then(|info| Ok(redis::from_redis_value(info)?));
    // A user may not be allowed to ask.
    info.is_ok_and(|info| info.contains("cluster_enabled:1"))
}
