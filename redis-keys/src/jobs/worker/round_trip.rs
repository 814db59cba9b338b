//! The commands that a worker sends in a round trip, and their replies.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::Id;
use tokio::time::Instant;

use super::SharedState;
use crate::command::arguments::MAX_ELEMENTS;
use crate::jobs::{JobKey, Output, Receipt, RetryOutcome, TakenJobs};
use crate::run::time_limit::within;
use crate::{Error, ErrorKind, SendStatus, SharedConnection, batch};

/// The time that a round trip waits for the replies. The connection may have a shorter limit.
pub(super) const TIME_LIMIT: Duration = Duration::from_secs(5);

/// The change to be made to an ended job.
pub(super) struct Settlement {
    pub(super) receipt: Receipt,
    pub(super) change: Change,
    /// Whether it was sent before without a reply: the job may have been settled already.
    pub(super) may_be_settled: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Ack,
    Retry(Duration),
    Bury,
}

/// The result of a settlement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SettlementOutcome {
    Done,
    Retried,
    Died,
    Buried,
    /// Another worker has the job, or the job is gone.
    Lost,
}

/// The commands of a round trip, in this order.
pub(super) struct RoundTripRequest {
    pub(super) settlements: Vec<Settlement>,
    /// The tasks of jobs whose lease is extended.
    pub(super) extensions: Vec<(Id, Receipt)>,
    /// The number of jobs to take.
    pub(super) take: u32,
}

pub(super) struct RoundTripReply<T> {
    pub(super) sent_at: Instant,
    pub(super) settled: Vec<(Settlement, Result<SettlementOutcome, Failure>)>,
    /// Whether the worker still holds these jobs.
    pub(super) extended: Vec<(Id, Result<bool, Failure>)>,
    /// The jobs, if any were requested.
    pub(super) taken: Option<Result<TakenJobs<T>, Failure>>,
}

/// The reason for a missing result.
#[derive(Clone, Copy)]
pub(super) struct Failure {
    pub(super) kind: ErrorKind,
    pub(super) sent: SendStatus,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { kind: error.kind(), sent: error.sent() }
    }
}

/// No reply arrived in time.
const NO_REPLY: Failure = Failure { kind: ErrorKind::Connection, sent: SendStatus::Maybe };

impl RoundTripRequest {
    pub(super) fn is_empty(&self) -> bool {
        self.settlements.is_empty() && self.extensions.is_empty() && self.take == 0
    }

    pub(super) async fn send<C, K>(self, mut con: C, shared: Arc<SharedState<K>>) -> RoundTripReply<Output<K>>
    where
        C: SharedConnection,
        K: JobKey,
    {
        let (key, sent_at) = (&shared.key, Instant::now());
        let (mut acks, mut retries, mut burials) = (Vec::new(), Vec::new(), Vec::new());
        for Settlement { receipt, change, .. } in &self.settlements {
            match change {
                Change::Ack => acks.push(receipt),
                Change::Retry(after) => retries.push(key.retry(receipt, *after)),
                Change::Bury => burials.push(key.bury(receipt)),
            }
        }
        let lens: Vec<_> = acks.chunks(MAX_ELEMENTS).map(<[_]>::len).collect();
        let acks: Vec<_> = acks.chunks(MAX_ELEMENTS).map(|some| key.ack_many(some)).collect();
        let extensions: Vec<_> = self.extensions.iter().map(|(_, receipt)| key.extend(receipt)).collect();
        let take: Vec<_> = (self.take != 0).then(|| key.take(self.take)).into_iter().collect();
        let commands = batch((acks, retries, burials, extensions, take));
        let replies = within(TIME_LIMIT, pin!(commands.query_each_async(&mut con))).await;
        let (acks, retries, burials, extensions, taken) = replies.unwrap_or_default();

        let mut acked = acks.into_iter().zip(lens).flat_map(|(reply, len)| of_acks(reply, len));
        let mut postponed = retries.into_iter().map(|reply| reply.map(of_retry).map_err(Failure::from));
        let mut buried = burials.into_iter().map(|reply| reply.map(of_burial).map_err(Failure::from));
        let settle = |settlement: Settlement| {
            let reply = match settlement.change {
                Change::Ack => acked.next(),
                Change::Retry(_) => postponed.next(),
                Change::Bury => buried.next(),
            };
            (settlement, reply.unwrap_or(Err(NO_REPLY)))
        };
        let mut extended = extensions.into_iter().map(|reply| reply.map_err(Failure::from));
        let mut taken = taken.into_iter().map(|reply| reply.map_err(Failure::from));
        RoundTripReply {
            sent_at,
            settled: self.settlements.into_iter().map(settle).collect(),
            extended: (self.extensions.into_iter())
                .map(|(id, _)| (id, extended.next().unwrap_or(Err(NO_REPLY))))
                .collect(),
            taken: (self.take != 0).then(|| taken.next().unwrap_or(Err(NO_REPLY))),
        }
    }
}

fn of_acks(reply: Result<Vec<bool>, Error>, len: usize) -> Vec<Result<SettlementOutcome, Failure>> {
    match reply {
        Ok(held) => held
            .into_iter()
            .map(|held| Ok(if held { SettlementOutcome::Done } else { SettlementOutcome::Lost }))
            .collect(),
        Err(error) => vec![Err(error.into()); len],
    }
}

fn of_retry(reply: RetryOutcome) -> SettlementOutcome {
    match reply {
        RetryOutcome::Later => SettlementOutcome::Retried,
        RetryOutcome::Dead => SettlementOutcome::Died,
        RetryOutcome::Lost => SettlementOutcome::Lost,
    }
}

fn of_burial(held: bool) -> SettlementOutcome {
    if held { SettlementOutcome::Buried } else { SettlementOutcome::Lost }
}
