//! The loop of a worker: it starts jobs, watches them, and decides when to send which commands.

use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::task::{AbortHandle, Id, JoinError, JoinSet, yield_now};
use tokio::time::{Instant, sleep_until};

use super::backoff::pause;
use super::ramp::Ramp;
use super::round_trip::{Change, Failure, RoundTripReply, RoundTripRequest, Settlement, SettlementOutcome, TIME_LIMIT};
use super::{IntoOutcome, Options, Outcome, SharedState, Worker};
use crate::jobs::job::{MOST_TAKEN, options};
use crate::jobs::{Job, JobKey, Output, Receipt, TakenJob};
use crate::observe::jobs::{self as observe, Counter};
use crate::schema::JobOptions;
use crate::{Error, ErrorKind, SendStatus, SharedConnection};

type PendingRoundTrip<T> = Pin<Box<dyn Future<Output = RoundTripReply<T>> + Send>>;

pub(super) struct Dispatcher<C, K: JobKey, F> {
    con: C,
    options: Options,
    queue: JobOptions,
    shared: Arc<SharedState<K>>,
    handler: Arc<F>,
    /// The tasks, including cancelled tasks that have not ended yet.
    tasks: JoinSet<Outcome>,
    /// The jobs of the tasks, without the lost jobs.
    held: HashMap<Id, HeldJob>,
    /// The settlements of ended jobs that have not been sent yet.
    settlements: Vec<Settlement>,
    round_trip: Option<PendingRoundTrip<Output<K>>>,
    /// The time at which jobs are taken again.
    take_at: Instant,
    /// Whether a job was pushed here since the last take.
    is_pushed: bool,
    faults: Faults,
    ramp: Ramp,
    phase: Phase,
}

/// A running job, and its lease by this machine's clock.
struct HeldJob {
    receipt: Receipt,
    task: AbortHandle,
    ends_at: Instant,
    extend_at: Instant,
}

/// The round trips that failed in a row.
#[derive(Default)]
struct Faults {
    number: u32,
    are_reported: bool,
    /// The time before which nothing is sent.
    paused_until: Option<Instant>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Taking,
    /// The shutdown has begun: jobs may run until this time.
    Ending(Instant),
    /// All tasks are cancelled: the remaining settlements are sent until this time.
    Cancelled(Instant),
}

/// The event that a dispatcher waits for.
enum Next<T> {
    Shutdown,
    Replied(RoundTripReply<T>),
    Ended(Result<(Id, Outcome), JoinError>),
    Pushed,
    Time,
}

impl<C, K, F, R> Dispatcher<C, K, F>
where
    C: SharedConnection,
    K: JobKey + Send + Sync + 'static,
    F: Fn(Job<Output<K>>) -> R + Send + Sync + 'static,
    R: Future<Output: IntoOutcome> + Send + 'static,
    Output<K>: Send + 'static,
{
    pub(super) fn new(worker: Worker<C, K>, handler: F) -> Self {
        Self {
            con: worker.con,
            options: worker.options,
            queue: options(K::SCHEMA),
            shared: worker.shared,
            handler: Arc::new(handler),
            tasks: JoinSet::new(),
            held: HashMap::new(),
            settlements: Vec::new(),
            round_trip: None,
            take_at: Instant::now(),
            is_pushed: false,
            faults: Faults::default(),
            ramp: Ramp::Probing,
            phase: Phase::Taking,
        }
    }

    pub(super) async fn run<S: Future>(mut self, shutdown: S) -> Result<(), Error> {
        self.shared.key.key()?;
        let mut shutdown = pin!(shutdown);
        loop {
            let now = Instant::now();
            self.note_time(now);
            self.start_round_trip(now);
            if self.is_over(now) {
                return Ok(());
            }
            match self.next(shutdown.as_mut(), now).await {
                Next::Shutdown => self.phase = Phase::Ending(later(Instant::now(), self.options.grace)),
                Next::Replied(response) => self.replied(response),
                Next::Ended(ended) => {
                    self.ended(ended);
                    // Jobs that end at the same time are sent together.
                    yield_now().await;
                    while let Some(ended) = self.tasks.try_join_next_with_id() {
                        self.ended(ended);
                    }
                }
                Next::Pushed => self.is_pushed = true,
                Next::Time => {}
            }
        }
    }

    async fn next<S: Future>(&mut self, mut shutdown: Pin<&mut S>, now: Instant) -> Next<Output<K>> {
        let shared = Arc::clone(&self.shared);
        let mut pushed = pin!(shared.pushed.notified());
        let mut timer = pin!(self.next_time(now).map(sleep_until));
        poll_fn(|context| {
            if self.phase == Phase::Taking && shutdown.as_mut().poll(context).is_ready() {
                return Poll::Ready(Next::Shutdown);
            }
            if let Poll::Ready(next) = self.poll_work(context) {
                return Poll::Ready(next);
            }
            if !self.is_pushed && pushed.as_mut().poll(context).is_ready() {
                return Poll::Ready(Next::Pushed);
            }
            match timer.as_mut().as_pin_mut().map(|timer| timer.poll(context)) {
                Some(Poll::Ready(())) => Poll::Ready(Next::Time),
                Some(Poll::Pending) | None => Poll::Pending,
            }
        })
        .await
    }

    fn poll_work(&mut self, context: &mut Context<'_>) -> Poll<Next<Output<K>>> {
        if let Some(round_trip) = &mut self.round_trip
            && let Poll::Ready(response) = round_trip.as_mut().poll(context)
        {
            self.round_trip = None;
            return Poll::Ready(Next::Replied(response));
        }
        match self.tasks.poll_join_next_with_id(context) {
            Poll::Ready(Some(ended)) => Poll::Ready(Next::Ended(ended)),
            Poll::Ready(None) | Poll::Pending => Poll::Pending,
        }
    }

    /// Returns the time of the next action for which no event wakes this task.
    fn next_time(&self, now: Instant) -> Option<Instant> {
        let phase = match self.phase {
            Phase::Taking => None,
            Phase::Ending(until) | Phase::Cancelled(until) => Some(until),
        };
        let leases = self.held.values().map(|held| held.ends_at);
        // Due commands are sent after the current round trip.
        let due = self.round_trip.is_none().then(|| {
            let takes = if self.room(now) > 0 {
                Some(self.take_at)
            } else {
                self.ramp.next_step(self.options.concurrency, now)
            };
            let settles = (!self.settlements.is_empty()).then_some(now);
            let due = self.held.values().map(|held| held.extend_at).chain(takes).chain(settles).min();
            due.max(due.and(self.faults.paused_until))
        });
        phase.into_iter().chain(leases).chain(due.flatten()).min()
    }

    /// Returns the number of jobs that can be taken.
    fn room(&self, now: Instant) -> usize {
        // Jobs that ended here must be settled before others are taken: otherwise their number would have no limit.
        let is_blocked = self.faults.number > 0 && !self.settlements.is_empty();
        if self.phase != Phase::Taking || is_blocked {
            return 0;
        }
        self.ramp.room(self.tasks.len(), self.options.concurrency, now)
    }

    fn note_time(&mut self, now: Instant) {
        if let Phase::Ending(until) = self.phase
            && now >= until
        {
            self.tasks.abort_all();
            self.phase = Phase::Cancelled(later(now, TIME_LIMIT));
            self.faults.paused_until = None;
        }
        let is_over = |(task, held): (&Id, &HeldJob)| (now >= held.ends_at).then_some(*task);
        let over: Vec<_> = self.held.iter().filter_map(is_over).collect();
        for task in over {
            self.lose(task);
        }
    }

    fn is_over(&self, now: Instant) -> bool {
        let is_all_sent = self.tasks.is_empty() && self.settlements.is_empty() && self.round_trip.is_none();
        match self.phase {
            Phase::Taking => false,
            Phase::Ending(_) => is_all_sent,
            Phase::Cancelled(until) => is_all_sent || now >= until,
        }
    }

    /// Sends the due commands, unless a round trip is under way.
    fn start_round_trip(&mut self, now: Instant) {
        if self.round_trip.is_some() || self.faults.paused_until.is_some_and(|until| now < until) {
            return;
        }
        let is_due = |(task, held): (&Id, &HeldJob)| (now >= held.extend_at).then(|| (*task, held.receipt.clone()));
        let extensions: Vec<_> = self.held.iter().filter_map(is_due).collect();
        // If a command is sent, jobs are taken along with it.
        let sends = !extensions.is_empty() || !self.settlements.is_empty();
        let takes = sends || self.is_pushed || now >= self.take_at;
        let take = if takes { u32::try_from(self.room(now)).unwrap_or(u32::MAX).min(MOST_TAKEN) } else { 0 };
        if take > 0 {
            self.is_pushed = false;
        }
        let request = RoundTripRequest { settlements: std::mem::take(&mut self.settlements), extensions, take };
        if !request.is_empty() {
            self.round_trip = Some(Box::pin(request.send(self.con.clone(), Arc::clone(&self.shared))));
        }
    }

    fn replied(&mut self, response: RoundTripReply<Output<K>>) {
        let mut failure = None;
        for (settlement, result) in response.settled {
            match result {
                Ok(settled) => self.settled(&settlement, settled),
                Err(fault) => {
                    failure = Some(fault);
                    let may_be_settled = settlement.may_be_settled || fault.sent == SendStatus::Maybe;
                    self.settlements.push(Settlement { may_be_settled, ..settlement });
                }
            }
        }
        for (task, result) in response.extended {
            match result {
                Ok(true) => self.extended(task, response.sent_at),
                Ok(false) => self.lose(task),
                Err(fault) => failure = Some(fault),
            }
        }
        match response.taken {
            Some(Ok(taken)) => {
                if taken.died > 0 {
                    self.count(Counter::Died, taken.died);
                    observe::died(taken.died, K::SCHEMA);
                }
                let (idle, now) = (self.options.idle, Instant::now());
                self.ramp.taken(taken.next_due == Some(Duration::ZERO), now);
                self.take_at = later(now, taken.next_due.map_or(idle, |next| next.min(idle)));
                self.count(Counter::Taken, taken.jobs.len() as u64);
                for job in taken.jobs {
                    self.taken(job, response.sent_at);
                }
            }
            Some(Err(fault)) => failure = Some(fault),
            None => {}
        }
        match failure {
            Some(failure) => self.failed(failure),
            None => self.succeeded(),
        }
    }

    /// Starts a job.
    fn taken(&mut self, Job { value, receipt }: TakenJob<Output<K>>, sent_at: Instant) {
        let Ok(value) = value else {
            self.note(Counter::Undecodable, &receipt);
            self.settle(receipt, Change::Bury);
            return;
        };
        let handler = Arc::clone(&self.handler);
        let job = Job::new(value, receipt.clone());
        let run = async move { handler(job).await.into_outcome() };
        let task = self.tasks.spawn(observe::run(K::SCHEMA, receipt.id(), run));
        let (id, held) = (task.id(), HeldJob { receipt, task, ends_at: sent_at, extend_at: sent_at });
        self.held.insert(id, held);
        self.extended(id, sent_at);
    }

    /// Records that a job's lease began at this time, or earlier.
    fn extended(&mut self, task: Id, at: Instant) {
        if let Some(held) = self.held.get_mut(&task) {
            held.ends_at = later(at, self.queue.lease);
            held.extend_at = later(at, self.queue.lease / 3);
        }
    }

    fn ended(&mut self, ended: Result<(Id, Outcome), JoinError>) {
        let (task, outcome) = match &ended {
            Ok((task, outcome)) => (*task, Some(*outcome)),
            Err(error) => (error.id(), error.is_panic().then_some(Outcome::Retry)),
        };
        // Otherwise the job was already lost.
        let Some(HeldJob { receipt, .. }) = self.held.remove(&task) else { return };
        if ended.is_err_and(|error| error.is_panic()) {
            self.note(Counter::Panicked, &receipt);
        }
        let longest = longest_delay::<K>(self.queue);
        let change = match outcome {
            Some(Outcome::Done) => Change::Ack,
            Some(Outcome::Retry) => Change::Retry(self.options.backoff.after(receipt.tries()).min(longest)),
            Some(Outcome::RetryIn(time)) => Change::Retry(time.min(longest)),
            Some(Outcome::Bury) => Change::Bury,
            // The shutdown cancelled the job.
            None => Change::Retry(Duration::ZERO),
        };
        self.settle(receipt, change);
    }

    fn settle(&mut self, receipt: Receipt, change: Change) {
        self.settlements.push(Settlement { receipt, change, may_be_settled: false });
    }

    fn settled(&self, settlement: &Settlement, settled: SettlementOutcome) {
        let counter = match (settled, settlement.change) {
            (SettlementOutcome::Done, _) => Counter::Done,
            (SettlementOutcome::Retried, _) => Counter::Retried,
            (SettlementOutcome::Died, _) => Counter::Died,
            (SettlementOutcome::Buried, _) => Counter::Buried,
            // This worker has settled the job itself: the reply was lost.
            (SettlementOutcome::Lost, Change::Ack) if settlement.may_be_settled => Counter::Done,
            (SettlementOutcome::Lost, Change::Retry(_)) if settlement.may_be_settled => Counter::Retried,
            (SettlementOutcome::Lost, Change::Bury) if settlement.may_be_settled => Counter::Buried,
            (SettlementOutcome::Lost, _) => Counter::Lost,
        };
        self.note(counter, &settlement.receipt);
    }

    /// Cancels a job that other workers can have.
    fn lose(&mut self, task: Id) {
        if let Some(held) = self.held.remove(&task) {
            held.task.abort();
            self.note(Counter::Lost, &held.receipt);
        }
    }

    fn failed(&mut self, failure: Failure) {
        self.count(Counter::Error, 1);
        self.faults.number = self.faults.number.saturating_add(1);
        // A script that the server has forgotten is sent with the next attempt.
        let is_script = failure.kind == ErrorKind::Server && failure.sent == SendStatus::No;
        if is_script && self.faults.number == 1 {
            return;
        }
        if !self.faults.are_reported {
            self.faults.are_reported = true;
            observe::failed(failure.kind, K::SCHEMA);
        }
        let now = Instant::now();
        self.faults.paused_until = Some(later(now, pause(self.faults.number, self.queue.lease)));
        // Jobs may have piled up.
        (self.ramp, self.take_at) = (Ramp::Probing, now);
    }

    fn succeeded(&mut self) {
        if std::mem::take(&mut self.faults).are_reported {
            observe::recovered(K::SCHEMA);
        }
    }

    /// Counts and reports an event of a job.
    fn note(&self, counter: Counter, receipt: &Receipt) {
        self.shared.counters.report_of(counter, K::SCHEMA, &receipt.id());
    }

    fn count(&self, counter: Counter, number: u64) {
        if number > 0 {
            self.shared.counters.count(counter, number, K::SCHEMA);
        }
    }
}

/// Returns a job's longest delay: the `ttl` minus the time of all tries. A longer delay would be rejected.
fn longest_delay<K: JobKey>(queue: JobOptions) -> Duration {
    let ttl = K::SCHEMA.expiry.ttl().unwrap_or(Duration::MAX);
    ttl.saturating_sub(queue.lease.saturating_mul(queue.tries.into()))
}

fn later(from: Instant, time: Duration) -> Instant {
    // Far enough away, but not too far for an `Instant`.
    const YEAR: Duration = Duration::from_secs(365 * 86_400);
    from.checked_add(time.min(YEAR)).unwrap_or(from)
}
