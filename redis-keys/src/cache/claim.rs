//! Claiming the load of a key, and waiting for the load of another program.
//!
//! The module `load` has the states of a call.

use std::time::{Duration, Instant};

use super::cache::StepError;
use super::flight::{Flight, FlightPhase, FlightResult};
use super::key::{self, keeps_stale, lease, read_claim, read_each_timed, timed_get};
use super::{Cache, CachedKey, Claim, Output, Token};
use crate::accessor::accessor;
use crate::command::builder::Build as _;
use crate::command::{ReplyError, Step, TimeLeft, value};
use crate::observe::cache::Counter;
use crate::stored::cached::Content;
use crate::{Command, SharedConnection, lua};

/// The shortest and the longest pause between two polls.
const PAUSES: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(100));

/// The number of leases for which a call waits for other programs. With only one, all calls that wait for a killed
/// program would load on their own when its lease ends, although one call has claimed the key by then.
pub(super) const LEASES: u32 = 2;

/// A load that must be abandoned if it does not complete, from before its claim is sent until its value is stored.
pub(super) struct Lease<'c, C>
where
    C: SharedConnection,
{
    cache: &'c Cache<C>,
    pub(super) token: Token,
    pub(super) abandon: Option<Command<bool>>,
}

/// An existing result, and the counter for it.
pub(super) type Found<T> = (Option<T>, Counter);

/// The outcome of a claim.
pub(super) enum ClaimResult<T> {
    Mine,
    Theirs(Token),
    Found(Found<T>),
    /// The key holds bytes that do not decode.
    Undecodable,
    /// No reply: the claim may have succeeded, or may still succeed. Or it was not sent.
    Unanswered,
    /// The server refuses it.
    Refused,
}

/// The outcome of waiting for another program's load.
pub(super) enum PollResult<T> {
    Found(Found<T>),
    Missing,
    Undecodable,
    WithoutServer,
    TimedOut,
}

impl<C> Cache<C>
where
    C: SharedConnection,
{
    /// Claims a key that holds nothing. With `replaces` it also claims a key whose bytes do not decode.
    pub(super) async fn claim<K: CachedKey>(
        &self,
        key: &K,
        lease: &mut Lease<'_, C>,
        replaces: bool,
    ) -> ClaimResult<Output<K>> {
        let read = if replaces { self.step::<K, _>(bytes_and_time_left(key)).await.ok() } else { None };
        let bytes = read.and_then(|(bytes, _)| bytes);
        let undecodable = bytes.filter(|bytes| key::decode_content(key, bytes.clone()).is_err());
        // Set before the claim is sent: its reply may never arrive.
        lease.abandon = Some(key.abandon(&lease.token));
        let claim = match &undecodable {
            Some(bytes) => claim_replacing(key, &lease.token, bytes),
            None => key.claim(&lease.token),
        };
        let claimed = match self.step::<K, _>(claim).await {
            Ok(Claim::Mine) => return ClaimResult::Mine,
            Err(StepError::Unanswered | StepError::Moving | StepError::Refused(_)) => return ClaimResult::Unanswered,
            Ok(Claim::Theirs(token)) => ClaimResult::Theirs(token),
            Ok(Claim::Found(value)) => ClaimResult::Found((Some(value), Counter::Hit)),
            Ok(Claim::Stale(value)) => ClaimResult::Found((Some(value), Counter::Stale)),
            Ok(Claim::Absent) => ClaimResult::Found((None, Counter::AbsentHit)),
            // The content has changed meanwhile, and does not decode again.
            Err(StepError::Undecodable) if replaces => ClaimResult::Unanswered,
            Err(StepError::Undecodable) => ClaimResult::Undecodable,
            Err(StepError::Failed) => ClaimResult::Refused,
        };
        lease.abandon = None;
        claimed
    }

    /// Waits for another program's load, which began no later than the given time. The pauses between polls grow.
    pub(super) async fn poll<K: CachedKey>(
        &self,
        key: &K,
        flight: &Flight<'_>,
        (token, since): &mut (Token, Instant),
        deadline: Instant,
    ) -> PollResult<Output<K>> {
        let claimed = Instant::now();
        flight.set_phase(FlightPhase::Leased(*token));
        let mut watch = self.watch(key);
        loop {
            let read = if let Some(watching) = &watch {
                watching.read(key).await
            } else {
                tokio::time::sleep(pause(since.elapsed())).await;
                let Ok(read) = self.step::<K, _>(bytes_and_time_left(key)).await else {
                    return PollResult::WithoutServer;
                };
                Some(read)
            };
            let Some((bytes, left)) = read else {
                watch = None;
                continue;
            };
            let Some(bytes) = bytes else { return PollResult::Missing };
            let Ok(content) = key::decode_content(key, bytes.clone()) else { return PollResult::Undecodable };
            let found = match content.after(left) {
                (Content::Loading(_), _) if Instant::now() >= deadline => return PollResult::TimedOut,
                // Under an expired value, a lease does not disappear when it ends. Only a claim finds out whether it
                // has ended.
                (Content::Loading(_), TimeLeft::Stale(_)) if claimed.elapsed() >= PAUSES.1 => {
                    return PollResult::Missing;
                }
                (Content::Loading(other), left) => {
                    if other != *token {
                        // Another load, which has just begun.
                        (*token, *since) = (other, Instant::now());
                        flight.set_phase(FlightPhase::Leased(other));
                    }
                    if let Some(watching) = &watch {
                        watching.change(left, deadline).await;
                    }
                    continue;
                }
                (Content::Abandoned, _) => return PollResult::Missing,
                (Content::Value(value), _) => (Some(value), Counter::Hit),
                (Content::Stale(stale), _) => (Some(stale.value), Counter::Stale),
                (Content::Absent, _) => (None, Counter::AbsentHit),
            };
            flight.end(FlightResult::Content(bytes.into()));
            return PollResult::Found(found);
        }
    }

    /// Claims the refresh of a key, if it is still due.
    pub(super) async fn claim_refresh<K: CachedKey>(&self, key: &K) -> Option<Lease<'_, C>> {
        let mut lease = Lease::new(self);
        // If the value expires during the claim, others wait for this call.
        lease.abandon = keeps_stale::<K>().then(|| key.abandon(&lease.token));
        let is_mine = self.step::<K, _>(key.claim_refresh(&lease.token)).await.ok()?;
        if !is_mine {
            lease.abandon = None;
        }
        is_mine.then_some(lease)
    }
}

/// Returns the pause before the next poll.
pub(super) fn pause(waited: Duration) -> Duration {
    let (shortest, longest) = PAUSES;
    (waited / 6).clamp(shortest, longest).mul_f64(0.75 + 0.5 * fastrand::f64())
}

impl<'c, C> Lease<'c, C>
where
    C: SharedConnection,
{
    pub(super) fn new(cache: &'c Cache<C>) -> Self {
        Self { cache, token: Token::random(), abandon: None }
    }
}

impl<C> Drop for Lease<'_, C>
where
    C: SharedConnection,
{
    fn drop(&mut self) {
        if let Some(abandon) = self.abandon.take() {
            self.cache.run_in_background(abandon);
        }
    }
}

/// Reads the bytes of a key, `None` if it does not exist, and its remaining time.
pub(super) fn bytes_and_time_left<K: CachedKey>(key: &K) -> Command<(Option<Vec<u8>>, TimeLeft)> {
    timed_get(key, |replies, sent| {
        let read = read_each_timed(replies, sent, |reply, left, _| Ok((value::read::<Vec<u8>>(reply)?, left)))?;
        read.into_iter().next().map(Step::Done).ok_or_else(ReplyError::unexpected)
    })
    .named_read(accessor!("get"))
}

/// Does the same as [`CachedKey::claim`], but also replaces content that does not decode, if it is still there.
fn claim_replacing<K: CachedKey>(key: &K, token: &Token, undecodable: &[u8]) -> Command<Claim<Output<K>>> {
    match lease(key) {
        Ok(lease) => key.script(&lua::CLAIM, (token.as_bytes(), lease, undecodable)).reply_one(read_claim::<K::Value>),
        Err(error) => Command::refused(error),
    }
    .named(accessor!("claim"))
}
