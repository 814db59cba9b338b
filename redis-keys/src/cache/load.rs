//! Loading a missing value: claim, load, fill.
//!
//! A hit is one `GET`. A miss is a `GET`, a claim that puts a lease into the key, the load, and a fill that writes only
//! where that lease still is. So whatever removes or replaces it makes sure that nothing is stored which was loaded
//! before.
//!
//! Calls of one process share loads, as the module `flight` says. One call of a process waits for the load of another
//! process, by polling, and the others wait for it.
//!
//! # States of a call
//!
//! The read of a call decides what it does. A call that would claim, or load without a lease, follows a flight whose claim
//! is under way, if there is one.
//!
//! | what the key holds | the call |
//! |---|---|
//! | a value, or the marker that there is none, also while another call refreshes it | returns it |
//! | the same, due for a refresh, which one hit in eight checks | claims the refresh and refreshes; without the claim it returns the old value |
//! | nothing, or leases that were given up; or its slot is moving | claims |
//! | a lease | follows the flight with this token; without one it claims |
//! | bytes that do not decode | claims, and replaces them |
//! | unknown: the read has no reply | loads without a lease |
//! | unknown: the breaker is open, or the reply is an error, such as for another Redis type | follows any flight; without one it loads without a lease |
//! | the key is invalid, or the keys of its encrypted value are not installed | fails, and its loader is not called |
//!
//! From then on it is in one of these states:
//!
//! - *claims*: it leads a flight, and its claim is under way;
//! - *waits*: it leads a flight, and polls, since another program has the lease;
//! - *has the lease*: it leads a flight and loads; at the end it fills;
//! - *no lease*: it leads a flight and loads, and stores nothing;
//! - *follows*: it waits for the flight of another call;
//! - *refreshes*: it has claimed a refresh and loads; at the end it fills. No call follows it.
//!
//! "Overtaken" means that the fill finds another content than the token: the call returns what it has loaded, and stores
//! nothing. "Gives up" is [`abandon`](CachedKey::abandon), which is sent in the background when the call ends. The reply of a
//! claim, of a poll or of a fill is the event in the first six rows.
//!
//! | event | claims | waits | has the lease | no lease | follows | refreshes |
//! |---|---|---|---|---|---|---|
//! | the key holds a value or the marker | returns it; followers read again | returns it, to followers too | overtaken | – | – | overtaken |
//! | the key holds another lease | waits | polls frequently again if the token is new | overtaken | – | – | overtaken |
//! | the key holds nothing, or leases that were given up | has the lease | claims | overtaken | – | – | overtaken |
//! | bytes that do not decode | claims again and replaces them; no lease if it has tried that | claims, and replaces them | overtaken | – | – | overtaken |
//! | an error of the server: full, read-only, another type | no lease; calls that get this error too follow | no lease | gives up, returns the result | – | – | returns the result |
//! | no reply: time limit, connection lost, breaker open, slot moving | no lease, gives up at the end | no lease | gives up, which undoes no fill; returns the result | – | – | returns the result |
//! | the loader returns a value or none | – | – | fills, returns it, to followers too | returns it, to followers too | returns it | fills, returns it |
//! | … which is too large, or expires immediately | – | – | the same, but gives up instead of filling | the same | the same | returns it; its claim stays |
//! | … which has no stored form | – | – | gives up, returns it; followers load alone | returns it; followers load alone | loads alone | returns it; its claim stays |
//! | the loader fails | – | – | gives up; the error is the followers' too | the error is the followers' too | the same error; tries again if it expects another type | returns the old value; its claim stays |
//! | the loader takes longer than the lease | – | – | others can claim: overtaken | – | after one lease reads again | others can claim: overtaken if they do, otherwise fills |
//! | two leases have passed since the call began | – | no lease | – | – | – | – |
//! | the call is dropped, or its loader panics | gives up; followers try again | followers try again | gives up; followers try again | followers try again | – | the old value and its claim stay |
//!
//! A claim of a refresh that stays lasts until its `lease` ends: until then no other call refreshes the value. A call that
//! tries again follows a later flight or leads one. A key that can be written no more, since its `ttl_from_end_of` has
//! passed, is loaded without a lease.
//!
//! `load_many` does the same for each key, without flights and refreshes: calls of one process poll for each other. It
//! reads again what a claim finds, and does not replace bytes that only a claim finds.

use std::any::Any;
use std::borrow::Borrow;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::cache::{Lookup, StepError};
use super::flight::{self, Flight, FlightEntry, FlightPhase, FlightResult, Miss};
use super::key::{
    self, draw_expiry, draw_null_expiry, lease, ms, options, read_claim, refresh_threshold,
    refresh_threshold_of_absence,
};
use super::{
    Cache, CachedKey, Claim, Input, LoadError, LoadedValue, Loader, LoaderOutput, LoaderResult as _, Output, Token,
};
use crate::accessor::accessor;
use crate::command::builder::Build as _;
use crate::command::own_writes::flag_of_write;
use crate::command::{Step, value};
use crate::observe::cache::{self as observe, Counter};
use crate::stored::cached::{self, Content};
use crate::{Command, SharedConnection, lua};

/// The shortest and the longest pause between two polls.
const PAUSES: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(100));

/// For how many leases in all a call waits for other programs. With one, all who wait for a program that was killed
/// would load on their own when its lease ends, although one of them has claimed the key by then.
pub(super) const LEASES: u32 = 2;

/// A load that has to be abandoned if it does not end: from before the claim is sent until the value is stored.
pub(super) struct Lease<'c, C>
where
    C: SharedConnection,
{
    cache: &'c Cache<C>,
    pub(super) token: Token,
    pub(super) abandon: Option<Command<bool>>,
}

/// The outcome of a claim.
pub(super) enum ClaimResult<T> {
    Mine,
    Theirs(Token),
    /// There is a result already.
    Found(Option<T>),
    /// There are bytes that do not decode.
    Undecodable,
    /// No reply: it may have been successful, or may still be. Or it was not sent.
    Unanswered,
    /// The server refuses it.
    Refused,
}

/// The step of a call after the flight that it had joined, or after its own claim.
enum NextStep<T, E> {
    Return(Result<Option<T>, LoadError<E>>),
    LoadAlone,
    TryAgain(Miss),
}

/// The outcome of waiting for the load of another program.
enum PollResult<T> {
    Content(Option<T>),
    Missing,
    Undecodable,
    WithoutServer,
    TimedOut,
}

impl<C> Cache<C>
where
    C: SharedConnection,
{
    /// Loads the value of a key that has none, or waits for another load.
    pub(super) async fn load<K, L>(
        &self,
        key: &K,
        mut seen: Miss,
        load: L,
    ) -> Result<Option<Output<K>>, LoadError<L::Error>>
    where
        K: CachedKey,
        Output<K>: Borrow<Input<K>>,
        L: Loader<Output<K>>,
    {
        let text = key.key().map_err(LoadError::Refused)?;
        let deadline = Instant::now() + options::<K>().lease * LEASES;
        let mut lease = Lease::new(self);
        // The flights that the call has joined, and the number of the last one.
        let (mut joined, mut left) = (Vec::new(), None);
        loop {
            let next = match self.shared.flights.enter(&text, seen, left) {
                FlightEntry::Leader(flight) => return self.lead(key, flight, lease, seen, deadline, load).await,
                FlightEntry::Undecided => self.claim_alone(key, &mut lease, seen == Miss::Undecodable).await,
                FlightEntry::Follower(number, flight) => {
                    joined.push(flight);
                    left = Some(number);
                    // A leader that takes longer than its lease is left behind, unless the key has another lease by
                    // then: one of the followers leads another flight, which the others join too. Whichever flight ends
                    // first has their result, since each alone may take longer than a lease.
                    let waited = flight::first_outcome(&mut joined);
                    let waited = tokio::time::timeout(options::<K>().lease, waited).await;
                    self.arrived::<K, L::Error>(key, seen, waited.unwrap_or(Some(FlightResult::ReadAgain))).await
                }
            };
            match next {
                NextStep::Return(result) => return result,
                NextStep::LoadAlone => return self.load_alone::<K, _>(load).await.map(|loaded| loaded.value),
                NextStep::TryAgain(next) => seen = next,
            }
        }
    }

    /// Claims a key that is loaded without a lease, since the server has refused one: only if it refuses this claim
    /// too, the call may join that load, which may be older than an invalidation.
    async fn claim_alone<K, E>(&self, key: &K, lease: &mut Lease<'_, C>, is_undecodable: bool) -> NextStep<Output<K>, E>
    where
        K: CachedKey,
    {
        NextStep::TryAgain(match self.claim(key, lease, is_undecodable).await {
            ClaimResult::Mine => Miss::Claimed,
            ClaimResult::Theirs(token) => Miss::Leased(token),
            ClaimResult::Found(value) => return NextStep::Return(Ok(self.found::<K>(value))),
            ClaimResult::Undecodable | ClaimResult::Unanswered => Miss::Unanswered,
            ClaimResult::Refused => Miss::Refused,
        })
    }

    /// Handles the outcome of a joined flight: the call has a result, loads alone, or tries again.
    async fn arrived<K, E>(&self, key: &K, seen: Miss, outcome: Option<FlightResult>) -> NextStep<Output<K>, E>
    where
        K: CachedKey,
        E: Send + Sync + 'static,
    {
        let result = match outcome {
            Some(FlightResult::Content(bytes)) => match key::decode_content(key, bytes.to_vec()) {
                Ok(content) => Ok(content.into_value()),
                Err(_) => return NextStep::LoadAlone,
            },
            Some(FlightResult::Failed(error)) => match error.downcast::<E>() {
                Ok(error) => Err(LoadError::Loader(error)),
                // A call with another loader.
                Err(_) => return NextStep::TryAgain(seen),
            },
            Some(FlightResult::LoadAlone) => return NextStep::LoadAlone,
            Some(FlightResult::ReadAgain) => {
                return match self.read(key).await {
                    Ok(Lookup::Done(value) | Lookup::ExpiresSoon(value)) => NextStep::Return(Ok(value)),
                    Ok(Lookup::Miss(seen)) => NextStep::TryAgain(seen),
                    Err(error) => NextStep::Return(Err(LoadError::Refused(error))),
                };
            }
            None => return NextStep::TryAgain(seen),
        };
        self.count::<K>(Counter::Shared);
        NextStep::Return(result)
    }

    /// Leads a flight: claims the key and loads, or waits for the program that does.
    async fn lead<K, L>(
        &self,
        key: &K,
        flight: Flight<'_>,
        mut lease: Lease<'_, C>,
        seen: Miss,
        deadline: Instant,
        load: L,
    ) -> Result<Option<Output<K>>, LoadError<L::Error>>
    where
        K: CachedKey,
        Output<K>: Borrow<Input<K>>,
        L: Loader<Output<K>>,
    {
        let phase = match seen {
            Miss::Claimed => FlightPhase::Leased(lease.token),
            Miss::Refused => FlightPhase::Refused,
            Miss::Unanswered | Miss::NoServer => FlightPhase::Unleased,
            Miss::Missing | Miss::Leased(_) | Miss::Undecodable => {
                match self.claim_or_wait(key, &flight, &mut lease, seen == Miss::Undecodable, deadline).await {
                    ControlFlow::Continue(phase) => phase,
                    ControlFlow::Break(value) => return Ok(self.found::<K>(value)),
                }
            }
        };
        flight.set_phase(phase);
        self.count::<K>(Counter::Load);
        let loaded = match observe::load(K::SCHEMA, load.load()).await.into_result() {
            Ok(loaded) => loaded.into_loaded(),
            Err(error) => {
                self.count::<K>(Counter::FailedLoad);
                let error = Arc::new(error);
                flight.end(FlightResult::Failed(Arc::clone(&error) as Arc<dyn Any + Send + Sync>));
                return Err(LoadError::Loader(error));
            }
        };
        let Some(content) = self.encode(key, loaded.value.as_ref()) else {
            flight.end(FlightResult::LoadAlone);
            return Ok(loaded.value);
        };
        let content: Arc<[u8]> = content.into();
        flight.end(FlightResult::Content(Arc::clone(&content)));
        if phase == FlightPhase::Leased(lease.token)
            && let Some(fill) = self.fill(key, &lease.token, &content, &loaded)
            && let Ok(is_stored) = self.step::<K, _>(fill).await
        {
            lease.abandon = None;
            self.note_stored::<K>(is_stored);
        }
        Ok(loaded.value)
    }

    /// Counts what a claim has found.
    fn found<K: CachedKey>(&self, value: Option<Output<K>>) -> Option<Output<K>> {
        self.count::<K>(if value.is_some() { Counter::Hit } else { Counter::AbsentHit });
        value
    }

    /// Claims the key until that is successful, or neither that nor waiting is possible, and returns the phase in which
    /// the call loads; or the value that another program has loaded.
    async fn claim_or_wait<K: CachedKey>(
        &self,
        key: &K,
        flight: &Flight<'_>,
        lease: &mut Lease<'_, C>,
        mut is_undecodable: bool,
        deadline: Instant,
    ) -> ControlFlow<Option<Output<K>>, FlightPhase> {
        loop {
            match self.claim(key, lease, is_undecodable).await {
                ClaimResult::Mine => return ControlFlow::Continue(FlightPhase::Leased(lease.token)),
                ClaimResult::Found(value) => {
                    flight.end(FlightResult::ReadAgain);
                    return ControlFlow::Break(value);
                }
                ClaimResult::Undecodable if !is_undecodable => {
                    is_undecodable = true;
                    continue;
                }
                // The server may run the claim only after the load has begun, and even after an invalidation that came
                // between. Then a fill would store what is out of date.
                ClaimResult::Unanswered | ClaimResult::Undecodable => {
                    return ControlFlow::Continue(FlightPhase::Unleased);
                }
                ClaimResult::Refused => return ControlFlow::Continue(FlightPhase::Refused),
                ClaimResult::Theirs(token) => match self.poll(key, flight, token, deadline).await {
                    PollResult::Content(value) => return ControlFlow::Break(value),
                    PollResult::Missing => is_undecodable = false,
                    PollResult::Undecodable => is_undecodable = true,
                    PollResult::WithoutServer | PollResult::TimedOut => {
                        return ControlFlow::Continue(FlightPhase::Unleased);
                    }
                },
            }
            flight.set_phase(FlightPhase::Claiming);
        }
    }

    pub(super) async fn claim<K: CachedKey>(
        &self,
        key: &K,
        lease: &mut Lease<'_, C>,
        replaces: bool,
    ) -> ClaimResult<Output<K>> {
        let bytes = if replaces { self.step::<K, _>(bytes_of(key)).await.ok().flatten() } else { None };
        let undecodable = bytes.filter(|bytes| key::decode_content(key, bytes.clone()).is_err());
        // Noted before the claim is sent, whose reply may never arrive here.
        lease.abandon = Some(key.abandon(&lease.token));
        let claim = match &undecodable {
            Some(bytes) => claim_replacing(key, &lease.token, bytes),
            None => key.claim(&lease.token),
        };
        let claimed = match self.step::<K, _>(claim).await {
            Ok(Claim::Mine) => return ClaimResult::Mine,
            Err(StepError::Unanswered | StepError::Moving | StepError::Refused(_)) => return ClaimResult::Unanswered,
            Ok(Claim::Theirs(token)) => ClaimResult::Theirs(token),
            Ok(Claim::Found(value)) => ClaimResult::Found(Some(value)),
            Ok(Claim::Absent) => ClaimResult::Found(None),
            Err(StepError::Undecodable) => ClaimResult::Undecodable,
            Err(StepError::Failed) => ClaimResult::Refused,
        };
        lease.abandon = None;
        claimed
    }

    /// Waits for the load of another program, with more and more time between the polls.
    async fn poll<K: CachedKey>(
        &self,
        key: &K,
        flight: &Flight<'_>,
        mut token: Token,
        deadline: Instant,
    ) -> PollResult<Output<K>> {
        let mut since = Instant::now();
        flight.set_phase(FlightPhase::Leased(token));
        loop {
            tokio::time::sleep(pause(since.elapsed())).await;
            let bytes = match self.step::<K, _>(bytes_of(key)).await {
                Ok(Some(bytes)) => bytes,
                Ok(None) => return PollResult::Missing,
                Err(_) => return PollResult::WithoutServer,
            };
            match key::decode_content(key, bytes.clone()) {
                Ok(Content::Loading(_)) if Instant::now() >= deadline => return PollResult::TimedOut,
                Ok(Content::Loading(other)) if other == token => {}
                Ok(Content::Loading(other)) => {
                    // Another load, which has just begun.
                    token = other;
                    since = Instant::now();
                    flight.set_phase(FlightPhase::Leased(token));
                }
                Ok(Content::Abandoned) => return PollResult::Missing,
                Ok(content) => {
                    flight.end(FlightResult::Content(bytes.into()));
                    return PollResult::Content(content.into_value());
                }
                Err(_) => return PollResult::Undecodable,
            }
        }
    }

    /// Refreshes a key whose refresh was claimed. `None` if that fails, which keeps others from trying until the lease
    /// ends.
    pub(super) async fn refresh<K, L>(&self, key: &K, token: &Token, load: L) -> Option<Option<Output<K>>>
    where
        K: CachedKey,
        Output<K>: Borrow<Input<K>>,
        L: Loader<Output<K>>,
    {
        self.count::<K>(Counter::Refresh);
        let Ok(loaded) = self.load_alone::<K, _>(load).await else {
            observe::refresh_failed(K::SCHEMA);
            return None;
        };
        let content = self.encode(key, loaded.value.as_ref());
        let fill = content.and_then(|content| self.fill(key, token, &content, &loaded));
        if let Some(fill) = fill
            && let Ok(is_stored) = self.step::<K, _>(fill).await
        {
            self.note_stored::<K>(is_stored);
        }
        Some(loaded.value)
    }

    /// Loads a value that is neither shared nor stored.
    async fn load_alone<K, L>(&self, load: L) -> Result<LoadedValue<Output<K>>, LoadError<L::Error>>
    where
        K: CachedKey,
        L: Loader<Output<K>>,
    {
        self.count::<K>(Counter::Load);
        observe::load(K::SCHEMA, load.load()).await.into_result().map(LoaderOutput::into_loaded).map_err(|error| {
            self.count::<K>(Counter::FailedLoad);
            LoadError::Loader(Arc::new(error))
        })
    }

    /// The content to store, or `None` for a value without a stored form.
    pub(super) fn encode<K: CachedKey>(&self, key: &K, value: Option<&Output<K>>) -> Option<Vec<u8>>
    where
        Output<K>: Borrow<Input<K>>,
    {
        let Some(value) = value else { return Some(cached::absent().to_vec()) };
        let encoded = key::encode_content(key, value.borrow()).ok();
        if encoded.is_none() {
            self.count::<K>(Counter::Unstorable);
        }
        encoded
    }

    /// The command that stores a content. `None` if it is too large, or expires immediately.
    pub(super) fn fill<K: CachedKey>(
        &self,
        key: &K,
        token: &Token,
        content: &[u8],
        loaded: &LoadedValue<Output<K>>,
    ) -> Option<Command<bool>> {
        if loaded.value.is_some() && K::SCHEMA.max_bytes.is_some_and(|most| content.len() as u64 > most) {
            self.count::<K>(Counter::Unstorable);
            return None;
        }
        let expiry = expiry_of(key, loaded)?;
        Some(fill_with(key, token, content, expiry))
    }

    pub(super) fn note_stored<K: CachedKey>(&self, is_stored: bool) {
        if !is_stored {
            self.count::<K>(Counter::Overtaken);
        }
    }
}

/// The milliseconds for which something loaded is stored, and those for which it is not refreshed, if it has an expiry
/// of its own. `None` if it expires immediately.
fn expiry_of<K: CachedKey>(key: &K, loaded: &LoadedValue<Output<K>>) -> Option<(u64, Option<u64>)> {
    let options = options::<K>();
    let (drawn, threshold) = match loaded.value {
        Some(_) => (draw_expiry(key), refresh_threshold::<K>()),
        None => (draw_null_expiry(key), refresh_threshold_of_absence::<K>()),
    };
    let drawn = drawn.ok()?;
    let Some(own) = loaded.expire_in else { return Some((drawn, None)) };
    let own = ms(own).min(drawn);
    // With less time left than the threshold it would be refreshed all the time.
    let refresh_in = options
        .refresh_percent
        .filter(|_| own <= ms(threshold))
        .map(|percent| own.saturating_mul(percent.into()) / 100);
    (own > 0).then_some((own, refresh_in))
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

/// The bytes of a key, or `None` if it does not exist (`GET`).
fn bytes_of<K: CachedKey>(key: &K) -> Command<Option<Vec<u8>>> {
    key.native("GET", ())
        .reply(|replies, _| value::read::<Vec<u8>>(replies.one()).map(Step::Done))
        .named_read(accessor!("get"))
}

/// [`CachedKey::claim`] that also replaces a content which does not decode, if it is still there.
fn claim_replacing<K: CachedKey>(key: &K, token: &Token, undecodable: &[u8]) -> Command<Claim<Output<K>>> {
    match lease(key) {
        Ok(lease) => key.script(&lua::CLAIM, (token.as_bytes(), lease, undecodable)).reply_one(read_claim::<K::Value>),
        Err(error) => Command::refused(error),
    }
    .named(accessor!("claim"))
}

/// [`CachedKey::fill`] with a content and its expiry in milliseconds.
fn fill_with<K: CachedKey>(
    key: &K,
    token: &Token,
    content: &[u8],
    (ms, refresh_in): (u64, Option<u64>),
) -> Command<bool> {
    key.script(&lua::FILL, (token.as_bytes(), content, ms, refresh_in))
        .reply(flag_of_write(K::SCHEMA))
        .named(accessor!("fill"))
}
