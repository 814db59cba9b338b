//! Loading a missing value: claim, load, fill.
//!
//! A hit is one `GET`. A miss is a `GET`, a claim that puts a lease into the key, the load, and a fill that writes only
//! while the lease is still there. Removing or replacing the lease therefore prevents the storing of a value that was
//! loaded before.
//!
//! If the keys of a template are often missing, the claim comes first, because it also returns an existing value. While
//! another call of this process loads the key, the read comes first, because the outcome of the read decides whether
//! the call may join that load.
//!
//! Calls in a process share loads, as the module `flight` explains. A single call waits for another process's load, and
//! the others wait for that call. It waits for the push of a tracked connection if there is one, otherwise by polling.
//!
//! With `stale`, an expired value stays in the key under the claim. If the load fails, the script `fail` returns this
//! value, and notes until when other callers get it too. So the server always decides whether the value may be
//! returned.
//!
//! # States of a call
//!
//! A call's read decides the next step. A call that would claim, or load without a lease, follows a flight whose claim
//! is under way, if there is one.
//!
//! | the key holds | the call |
//! |---|---|
//! | a value, or the marker that there is none, also while another call refreshes it | returns it |
//! | the same, due for a refresh, which one hit in eight checks | claims the refresh and refreshes; without the claim it returns the old value |
//! | nothing, leases that were given up, or an expired value; or its slot is moving | claims |
//! | an expired value whose load has failed a short time ago | returns it |
//! | a lease, alone or before an expired value | follows the flight with this token; without one it claims |
//! | bytes that do not decode | claims, and replaces them |
//! | unknown: the read has no reply | loads without a lease |
//! | unknown: the breaker is open, or the reply is an error, for example because the key has another Redis type | follows any flight; without one it loads without a lease |
//! | the key is invalid, or the keys of its encrypted value are not installed | fails, and its loader is not called |
//!
//! Afterwards the call is in one of these states:
//!
//! - *claims*: it leads a flight, and its claim is under way;
//! - *waits*: it leads a flight, and polls, since another program has the lease;
//! - *has the lease*: it leads a flight and loads; at the end it fills;
//! - *no lease*: it leads a flight and loads, and stores nothing;
//! - *follows*: it waits for another call's flight;
//! - *refreshes*: it has claimed a refresh and loads; at the end it fills. No call follows it.
//!
//! "Overtaken" means that the fill finds content other than the token: the call returns the loaded value, and stores
//! nothing. "Gives up" means [`abandon`](CachedKey::abandon), sent in the background when the call ends. In the first
//! six rows, the event is the reply to a claim, a poll or a fill.
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
//! | … and there is an expired value | – | – | returns it; followers read again | the same | – | the same |
//! | the loader takes longer than the lease | – | – | others can claim: overtaken | – | after one lease reads again | others can claim: overtaken if they do, otherwise fills |
//! | two leases have passed since the call began | – | no lease | – | – | – | – |
//! | the call is dropped, or its loader panics | gives up; followers try again | followers try again | gives up; followers try again | followers try again | – | the old value and its claim stay |
//!
//! A claim of a refresh that stays lasts until its `lease` ends; no other call refreshes the value before. A call that
//! tries again follows a later flight or leads a new flight. A key whose `ttl_from_end_of` has passed can no longer be
//! written, so it is loaded without a lease.
//!
//! `load_many` does the same for each key, without flights and refreshes: calls in a process poll for each other's
//! loads. If a claim finds content, `load_many` reads the key again, and does not replace bytes that only a claim
//! finds.

use std::any::Any;
use std::borrow::Borrow;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use super::cache::Lookup;
use super::claim::{ClaimResult, Found, LEASES, Lease, PollResult};
use super::flight::{self, Flight, FlightEntry, FlightPhase, FlightResult, Miss};
use super::key::{
    self, draw_expiry, draw_null_expiry, keeps_stale, ms, options, refresh_threshold, refresh_threshold_of_absence,
};
use super::{Cache, CachedKey, Input, LoadError, LoadedValue, Loader, LoaderOutput, LoaderResult as _, Output, Token};
use crate::accessor::accessor;
use crate::command::builder::Build as _;
use crate::command::own_writes::flag_of_write;
use crate::observe::cache::{self as observe, Counter};
use crate::stored::cached::{self, stale_ms};
use crate::{Command, SharedConnection, lua};

/// The next step of a call, after a joined flight has ended or after the call's claim.
enum NextStep<T, E> {
    Return(Result<Option<T>, LoadError<E>>),
    LoadAlone,
    TryAgain(Miss),
}

impl<C> Cache<C>
where
    C: SharedConnection,
{
    /// Loads the value of a key without one, or waits for another load.
    pub(super) async fn load<K, L>(
        &self,
        key: &K,
        seen: Miss,
        load: L,
    ) -> Result<Option<Output<K>>, LoadError<L::Error>>
    where
        K: CachedKey,
        Output<K>: Borrow<Input<K>>,
        L: Loader<Output<K>>,
    {
        let text = key.key().map_err(LoadError::Refused)?;
        let deadline = Instant::now() + options::<K>().lease * LEASES;
        let seen = if seen == Miss::Unread {
            if let Some(flight) = self.shared.flights.lead(&text) {
                let mut lease = Lease::new(self);
                self.count::<K>(Counter::ClaimFirst);
                match self.claim(key, &mut lease, false).await {
                    ClaimResult::Found(found) => {
                        self.shared.hit_rates.note(K::SCHEMA, true);
                        flight.end(FlightResult::ReadAgain);
                        return Ok(self.found::<K>(found));
                    }
                    // The key cannot be written, but a value can still be read.
                    ClaimResult::Refused => {}
                    claim => {
                        if let ClaimResult::Mine | ClaimResult::Theirs(_) = claim {
                            self.shared.hit_rates.note(K::SCHEMA, false);
                        }
                        let miss = self.lead(key, flight, lease, claim, deadline, load);
                        return observe::miss(K::SCHEMA, miss).await;
                    }
                }
            }
            match self.read(key, false).await.map_err(LoadError::Refused)? {
                Lookup::Done(value) | Lookup::ExpiresSoon(value) => return Ok(value),
                Lookup::Miss(seen) => seen,
            }
        } else {
            seen
        };
        observe::miss(K::SCHEMA, self.load_missing(key, &text, seen, deadline, load)).await
    }

    async fn load_missing<K, L>(
        &self,
        key: &K,
        text: &str,
        mut seen: Miss,
        deadline: Instant,
        load: L,
    ) -> Result<Option<Output<K>>, LoadError<L::Error>>
    where
        K: CachedKey,
        Output<K>: Borrow<Input<K>>,
        L: Loader<Output<K>>,
    {
        let mut lease = Lease::new(self);
        // The flights that the call has joined, and the last one's number.
        let (mut joined, mut left) = (Vec::new(), None);
        loop {
            let next = match self.shared.flights.enter(text, seen, left) {
                FlightEntry::Leader(flight) => {
                    let claim = match seen {
                        Miss::Claimed => ClaimResult::Mine,
                        Miss::Refused => ClaimResult::Refused,
                        Miss::Unanswered | Miss::NoServer => ClaimResult::Unanswered,
                        _ => self.claim(key, &mut lease, seen == Miss::Undecodable).await,
                    };
                    return self.lead(key, flight, lease, claim, deadline, load).await;
                }
                FlightEntry::Undecided => self.claim_alone(key, &mut lease, seen == Miss::Undecodable).await,
                FlightEntry::Follower(number, flight) => {
                    joined.push(flight);
                    left = Some(number);
                    // Followers leave a leader that takes longer than its lease, unless the key has another lease by
                    // then. One of them leads a new flight, which the others join too. All take the result of whichever
                    // flight ends first, because each flight alone may take longer than a lease.
                    let waited = flight::first_outcome(&mut joined);
                    let waited = tokio::time::timeout(options::<K>().lease, waited).await;
                    self.arrived::<K, L::Error>(key, seen, waited.unwrap_or(Some(FlightResult::ReadAgain))).await
                }
            };
            match next {
                NextStep::Return(result) => return result,
                NextStep::LoadAlone => {
                    let loaded = self.load_alone::<K, _>(load).await;
                    return self.or_stale(key, &lease.token, loaded.map(|loaded| loaded.value)).await;
                }
                NextStep::TryAgain(next) => seen = next,
            }
        }
    }

    /// Claims a key that is loaded without a lease because the server refused one.
    ///
    /// The call may join that load only if the server refuses this claim too, because the load may be older than an
    /// invalidation.
    async fn claim_alone<K, E>(&self, key: &K, lease: &mut Lease<'_, C>, is_undecodable: bool) -> NextStep<Output<K>, E>
    where
        K: CachedKey,
    {
        NextStep::TryAgain(match self.claim(key, lease, is_undecodable).await {
            ClaimResult::Mine => Miss::Claimed,
            ClaimResult::Theirs(token) => Miss::Leased(token),
            ClaimResult::Found(found) => return NextStep::Return(Ok(self.found::<K>(found))),
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
                Ok(content) => Ok(content.into_any_value()),
                Err(_) => return NextStep::LoadAlone,
            },
            Some(FlightResult::Failed(error)) => match error.downcast::<E>() {
                Ok(error) => Err(LoadError::Loader(error)),
                // The other call had a loader with another error type.
                Err(_) => return NextStep::TryAgain(seen),
            },
            Some(FlightResult::LoadAlone) => return NextStep::LoadAlone,
            Some(FlightResult::ReadAgain) => {
                return match self.read(key, false).await {
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
        claim: ClaimResult<Output<K>>,
        deadline: Instant,
        load: L,
    ) -> Result<Option<Output<K>>, LoadError<L::Error>>
    where
        K: CachedKey,
        Output<K>: Borrow<Input<K>>,
        L: Loader<Output<K>>,
    {
        let claimed = self.claim_or_wait(key, &flight, &mut lease, claim, deadline).await;
        let phase = match claimed {
            ControlFlow::Continue(phase) => phase,
            ControlFlow::Break(found) => return Ok(self.found::<K>(found)),
        };
        flight.set_phase(phase);
        self.count::<K>(Counter::Load);
        let loaded = match observe::load(K::SCHEMA, load.load()).await.into_result() {
            Ok(loaded) => loaded.into_loaded(),
            Err(error) => {
                self.count::<K>(Counter::FailedLoad);
                if let Some(value) = self.stale_value(key, &lease.token).await {
                    if phase == FlightPhase::Leased(lease.token) {
                        lease.abandon = None;
                    }
                    // Without a lease, the key does not record the failure, so reading again would mean loading again.
                    let content = self.encode(key, Some(&value));
                    flight.end(content.map_or(FlightResult::ReadAgain, |bytes| FlightResult::Content(bytes.into())));
                    return Ok(Some(value));
                }
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

    /// Counts a claim's existing result.
    fn found<K: CachedKey>(&self, (value, counter): Found<Output<K>>) -> Option<Output<K>> {
        self.count::<K>(counter);
        value
    }

    /// Returns the value that replaces the result of a failed load.
    pub(super) async fn stale_value<K: CachedKey>(&self, key: &K, token: &Token) -> Option<Output<K>> {
        if !keeps_stale::<K>() {
            return None;
        }
        let value = self.step::<K, _>(key.fail(token)).await.ok().flatten()?;
        self.count::<K>(Counter::Stale);
        observe::stale_returned(K::SCHEMA);
        Some(value)
    }

    async fn or_stale<K: CachedKey, E>(
        &self,
        key: &K,
        token: &Token,
        loaded: Result<Option<Output<K>>, LoadError<E>>,
    ) -> Result<Option<Output<K>>, LoadError<E>> {
        match loaded {
            Err(error) => self.stale_value(key, token).await.map_or(Err(error), |value| Ok(Some(value))),
            loaded => loaded,
        }
    }

    /// Claims the key until that succeeds, or until the call can claim and wait no longer. Returns the phase in which
    /// the call loads, or the value that another program has loaded.
    async fn claim_or_wait<K: CachedKey>(
        &self,
        key: &K,
        flight: &Flight<'_>,
        lease: &mut Lease<'_, C>,
        mut claim: ClaimResult<Output<K>>,
        deadline: Instant,
    ) -> ControlFlow<Found<Output<K>>, FlightPhase> {
        let mut waits: Option<(Token, Instant)> = None;
        loop {
            let is_undecodable = match claim {
                ClaimResult::Mine => return ControlFlow::Continue(FlightPhase::Leased(lease.token)),
                ClaimResult::Found(found) => {
                    flight.end(FlightResult::ReadAgain);
                    return ControlFlow::Break(found);
                }
                ClaimResult::Undecodable => true,
                // The server may run the claim only after the load has begun, and even after an invalidation in
                // between. A fill would then store an outdated value.
                ClaimResult::Unanswered => return ControlFlow::Continue(FlightPhase::Unleased),
                ClaimResult::Refused => return ControlFlow::Continue(FlightPhase::Refused),
                ClaimResult::Theirs(token) => {
                    let since =
                        waits.filter(|(before, _)| *before == token).map_or_else(Instant::now, |(_, since)| since);
                    let waits = waits.insert((token, since));
                    match self.poll(key, flight, waits, deadline).await {
                        PollResult::Found(found) => return ControlFlow::Break(found),
                        PollResult::Missing => false,
                        PollResult::Undecodable => true,
                        PollResult::WithoutServer | PollResult::TimedOut => {
                            return ControlFlow::Continue(FlightPhase::Unleased);
                        }
                    }
                }
            };
            flight.set_phase(FlightPhase::Claiming);
            claim = self.claim(key, lease, is_undecodable).await;
        }
    }

    /// Refreshes a key after a successful claim of its refresh.
    ///
    /// Returns `None` if that fails; the claim then keeps other calls from trying until the lease ends.
    pub(super) async fn refresh<K, L>(&self, key: &K, mut lease: Lease<'_, C>, load: L) -> Option<Option<Output<K>>>
    where
        K: CachedKey,
        Output<K>: Borrow<Input<K>>,
        L: Loader<Output<K>>,
    {
        self.count::<K>(Counter::Refresh);
        let Ok(loaded) = self.load_alone::<K, _>(load).await else {
            observe::refresh_failed(K::SCHEMA);
            if keeps_stale::<K>() && self.step::<K, _>(key.fail(&lease.token)).await.is_ok() {
                lease.abandon = None;
            }
            return None;
        };
        let content = self.encode(key, loaded.value.as_ref());
        let fill = content.and_then(|content| self.fill(key, &lease.token, &content, &loaded));
        if let Some(fill) = fill
            && let Ok(is_stored) = self.step::<K, _>(fill).await
        {
            lease.abandon = None;
            self.note_stored::<K>(is_stored);
        }
        Some(loaded.value)
    }

    /// Loads a value for this call only: it is not shared, and not stored.
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

    /// The command that stores content; `None` if the content is too large, or expires immediately.
    pub(super) fn fill<K: CachedKey>(
        &self,
        key: &K,
        token: &Token,
        content: &[u8],
        loaded: &LoadedValue<Output<K>>,
    ) -> Option<Command<bool>> {
        if loaded.value.is_some()
            && K::SCHEMA.max_bytes.is_some_and(|most| cached::size_of_value(content) as u64 > most)
        {
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

/// The milliseconds to store a loaded value, and the milliseconds before its refresh if the loader set an expiry.
///
/// Returns `None` if the value expires immediately.
fn expiry_of<K: CachedKey>(key: &K, loaded: &LoadedValue<Output<K>>) -> Option<(u64, Option<u64>)> {
    let options = options::<K>();
    let (drawn, threshold) = match loaded.value {
        Some(_) => (draw_expiry(key), refresh_threshold::<K>()),
        None => (draw_null_expiry(key), refresh_threshold_of_absence::<K>()),
    };
    let drawn = drawn.ok()?;
    let stale = if loaded.value.is_some() { stale_ms(K::SCHEMA) } else { 0 };
    let Some(own) = loaded.expire_in else { return Some((drawn.saturating_add(stale), None)) };
    let own = ms(own).min(drawn);
    // With less time left than the threshold, it would be refreshed all the time.
    let refresh_in = options
        .refresh_percent
        .filter(|_| own <= ms(threshold))
        .map(|percent| own.saturating_mul(percent.into()) / 100);
    (own > 0).then_some((own.saturating_add(stale), refresh_in))
}

/// Does the same as [`CachedKey::fill`], with content and its expiry in milliseconds.
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
