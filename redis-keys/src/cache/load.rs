//! The call sequence of a load.
//!
//! A hit is one `GET`. A miss is a `GET`, a claim that puts a lease into the key, the load, and a fill that writes only where that
//! lease still is. So whatever removes or replaces it makes sure that nothing is stored which was loaded before.
//!
//! Calls of one process share loads, as the module `flight` says. One call of a process waits for the load of another process, by
//! polling, and the others wait for it.

use std::{
    any::Any,
    borrow::Borrow,
    future::Future,
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

use super::{
    Cache, CachedKey, Claim, Input, LoadError, Loaded, LoaderOutput, Output, Token,
    content::{self, Content, Marked},
    driver::Read,
    flight::{self, Flight, Outcome, Phase, Place, Seen},
    key::{draw_expiry, draw_null_expiry, ms, options, refresh_threshold, refresh_threshold_of_absence},
    report,
    stats::Event,
    step::{self, Unusable},
};
use crate::{Command, SharedConnection, stored::Stored};

/// The shortest and the longest pause between two polls.
const PAUSES: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(100));

/// For how many leases in all a call waits for other programs. With one, all who wait for a program that was killed would load on
/// their own when its lease ends, although one of them has claimed the key by then.
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

/// Whether a claim was successful, or what to do instead.
pub(super) enum Claimed<T> {
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

/// What waiting for the load of another program has led to.
enum Polled<T> {
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
    /// Loads the value of a key that has none, or waits for another load. `seen` is `None` if its bytes do not decode.
    pub(super) async fn load<K, L, F, R, E>(
        &self,
        key: &K,
        seen: Option<Seen>,
        load: L,
    ) -> Result<Option<Output<K>>, LoadError<E>>
    where
        K: CachedKey,
        Output<K>: Borrow<Input<K>>,
        L: FnOnce() -> F,
        F: Future<Output = Result<R, E>>,
        R: LoaderOutput<Output<K>>,
        E: Send + Sync + 'static,
    {
        let text = key.key().map_err(LoadError::Refused)?;
        let deadline = Instant::now() + options::<K>().lease * LEASES;
        let is_undecodable = seen.is_none();
        let mut seen = seen.unwrap_or(Seen::Missing);
        // The flights that the call has joined, and the number of the last one.
        let (mut joined, mut left) = (Vec::new(), None);
        loop {
            let flight = match self.shared.flights.enter(&text, seen, left) {
                Place::Leader(flight) => flight,
                Place::Follower(number, flight) => {
                    joined.push(flight);
                    left = Some(number);
                    // A leader that takes longer than its lease is left behind, unless the key has another lease by then: one of
                    // those who wait leads another flight, which the others join too. Whichever ends first has their result, since
                    // each flight alone may take longer than a lease.
                    let waited = flight::first_outcome(&mut joined);
                    let waited = tokio::time::timeout(options::<K>().lease, waited).await;
                    match self.arrived::<K, E>(key, seen, waited.unwrap_or(Some(Outcome::ReadAgain))).await {
                        ControlFlow::Break(Some(result)) => return result,
                        ControlFlow::Break(None) => {
                            return self.load_alone::<K, _, _, _, _>(load).await.map(|loaded| loaded.value);
                        }
                        ControlFlow::Continue(next) => {
                            seen = next;
                            continue;
                        }
                    }
                }
            };
            return self.lead(key, flight, seen, is_undecodable, deadline, load).await;
        }
    }

    /// What a call does after the flight that it had joined: it has a result, loads alone, or tries again.
    #[allow(clippy::type_complexity, reason = "the result of a load, or how it goes on")]
    async fn arrived<K, E>(
        &self,
        key: &K,
        seen: Seen,
        outcome: Option<Outcome>,
    ) -> ControlFlow<Option<Result<Option<Output<K>>, LoadError<E>>>, Seen>
    where
        K: CachedKey,
        E: Send + Sync + 'static,
    {
        let result = match outcome {
            Some(Outcome::Content(bytes)) => match Marked::<K::Value>::decode(bytes.to_vec()) {
                Ok(content) => Ok(content.into_value()),
                Err(_) => return ControlFlow::Break(None),
            },
            Some(Outcome::Failed(error)) => match error.downcast::<E>() {
                Ok(error) => Err(LoadError::Loader(error)),
                // A call with another loader.
                Err(_) => return ControlFlow::Continue(seen),
            },
            Some(Outcome::LoadAlone) => return ControlFlow::Break(None),
            Some(Outcome::ReadAgain) => {
                return match self.read(key).await {
                    Ok(Read::Done(value) | Read::ExpiresSoon(value)) => ControlFlow::Break(Some(Ok(value))),
                    Ok(Read::Miss(seen)) => ControlFlow::Continue(seen),
                    Ok(Read::Undecodable) => ControlFlow::Continue(Seen::Missing),
                    Err(error) => ControlFlow::Break(Some(Err(LoadError::Refused(error)))),
                };
            }
            None => return ControlFlow::Continue(seen),
        };
        self.count::<K>(Event::Shared);
        ControlFlow::Break(Some(result))
    }

    /// Leads a flight: claims the key and loads, or waits for the program that does.
    async fn lead<K, L, F, R, E>(
        &self,
        key: &K,
        flight: Flight<'_>,
        seen: Seen,
        is_undecodable: bool,
        deadline: Instant,
        load: L,
    ) -> Result<Option<Output<K>>, LoadError<E>>
    where
        K: CachedKey,
        Output<K>: Borrow<Input<K>>,
        L: FnOnce() -> F,
        F: Future<Output = Result<R, E>>,
        R: LoaderOutput<Output<K>>,
        E: Send + Sync + 'static,
    {
        let mut lease = Lease::new(self);
        let phase = if matches!(seen, Seen::Unanswered | Seen::Nothing) {
            Phase::Unleased
        } else {
            match self.claim_or_wait(key, &flight, &mut lease, is_undecodable, deadline).await {
                ControlFlow::Continue(phase) => phase,
                ControlFlow::Break(value) => {
                    self.count::<K>(if value.is_some() { Event::Hit } else { Event::AbsentHit });
                    return Ok(value);
                }
            }
        };
        flight.set_phase(phase);
        self.count::<K>(Event::Load);
        let loaded = match report::load(&self.shared.counters, K::SCHEMA, load()).await {
            Ok(loaded) => loaded.into_loaded(),
            Err(error) => {
                self.count::<K>(Event::FailedLoad);
                let error = Arc::new(error);
                flight.end(Outcome::Failed(Arc::clone(&error) as Arc<dyn Any + Send + Sync>));
                return Err(LoadError::Loader(error));
            }
        };
        let Some(content) = self.encode::<K>(loaded.value.as_ref()) else {
            flight.end(Outcome::LoadAlone);
            return Ok(loaded.value);
        };
        let content: Arc<[u8]> = content.into();
        flight.end(Outcome::Content(Arc::clone(&content)));
        if phase == Phase::Leased(lease.token)
            && let Some(fill) = self.fill(key, &lease.token, &content, &loaded)
            && let Ok(is_stored) = self.step::<K, _>(fill).await
        {
            lease.abandon = None;
            self.note_stored::<K>(is_stored);
        }
        Ok(loaded.value)
    }

    /// Claims the key until that is successful, or neither that nor waiting is possible, and returns the phase in which the call
    /// loads; or the value that another program has loaded.
    async fn claim_or_wait<K: CachedKey>(
        &self,
        key: &K,
        flight: &Flight<'_>,
        lease: &mut Lease<'_, C>,
        mut is_undecodable: bool,
        deadline: Instant,
    ) -> ControlFlow<Option<Output<K>>, Phase> {
        loop {
            match self.claim(key, lease, is_undecodable).await {
                Claimed::Mine => return ControlFlow::Continue(Phase::Leased(lease.token)),
                Claimed::Found(value) => {
                    flight.end(Outcome::ReadAgain);
                    return ControlFlow::Break(value);
                }
                Claimed::Undecodable if !is_undecodable => {
                    is_undecodable = true;
                    continue;
                }
                // The server may run the claim only after the load has begun, and even after an invalidation that came between.
                // Then a fill would store what is out of date.
                Claimed::Unanswered | Claimed::Undecodable => return ControlFlow::Continue(Phase::Unleased),
                Claimed::Refused => return ControlFlow::Continue(Phase::Refused),
                Claimed::Theirs(token) => match self.poll(key, flight, token, deadline).await {
                    Polled::Content(value) => return ControlFlow::Break(value),
                    Polled::Missing => is_undecodable = false,
                    Polled::Undecodable => is_undecodable = true,
                    Polled::WithoutServer | Polled::TimedOut => return ControlFlow::Continue(Phase::Unleased),
                },
            }
            flight.set_phase(Phase::Claiming);
        }
    }

    pub(super) async fn claim<K: CachedKey>(
        &self,
        key: &K,
        lease: &mut Lease<'_, C>,
        replaces: bool,
    ) -> Claimed<Output<K>> {
        let bytes = if replaces { self.step::<K, _>(step::bytes(key)).await.ok().flatten() } else { None };
        let undecodable = bytes.filter(|bytes| Marked::<K::Value>::decode(bytes.clone()).is_err());
        // Noted before the claim is sent, whose reply may never arrive here.
        lease.abandon = Some(key.abandon(&lease.token));
        let claim = match &undecodable {
            Some(bytes) => step::claim_replacing(key, &lease.token, bytes),
            None => key.claim(&lease.token),
        };
        let claimed = match self.step::<K, _>(claim).await {
            Ok(Claim::Mine) => return Claimed::Mine,
            Err(Unusable::Unanswered | Unusable::Moving | Unusable::Refused(_)) => return Claimed::Unanswered,
            Ok(Claim::Theirs(token)) => Claimed::Theirs(token),
            Ok(Claim::Found(value)) => Claimed::Found(Some(value)),
            Ok(Claim::Absent) => Claimed::Found(None),
            Err(Unusable::Undecodable) => Claimed::Undecodable,
            Err(Unusable::Failed) => Claimed::Refused,
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
    ) -> Polled<Output<K>> {
        let mut since = Instant::now();
        flight.set_phase(Phase::Leased(token));
        loop {
            tokio::time::sleep(pause(since.elapsed())).await;
            let bytes = match self.step::<K, _>(step::bytes(key)).await {
                Ok(Some(bytes)) => bytes,
                Ok(None) => return Polled::Missing,
                Err(_) => return Polled::WithoutServer,
            };
            match Marked::<K::Value>::decode(bytes.clone()) {
                Ok(Content::Loading(_)) if Instant::now() >= deadline => return Polled::TimedOut,
                Ok(Content::Loading(other)) if other == token => {}
                Ok(Content::Loading(other)) => {
                    // Another load, which has just begun.
                    token = other;
                    since = Instant::now();
                    flight.set_phase(Phase::Leased(token));
                }
                Ok(content) => {
                    flight.end(Outcome::Content(bytes.into()));
                    return Polled::Content(content.into_value());
                }
                Err(_) => return Polled::Undecodable,
            }
        }
    }

    /// Refreshes a key whose refresh was claimed. `None` if that fails, which keeps others from trying until the lease is over.
    pub(super) async fn refresh<K, L, F, R, E>(&self, key: &K, token: &Token, load: L) -> Option<Option<Output<K>>>
    where
        K: CachedKey,
        Output<K>: Borrow<Input<K>>,
        L: FnOnce() -> F,
        F: Future<Output = Result<R, E>>,
        R: LoaderOutput<Output<K>>,
    {
        self.count::<K>(Event::Refresh);
        let Ok(loaded) = self.load_alone::<K, _, _, _, E>(load).await else {
            report::refresh_failed(K::SCHEMA);
            return None;
        };
        let content = self.encode::<K>(loaded.value.as_ref());
        let fill = content.and_then(|content| self.fill(key, token, &content, &loaded));
        if let Some(fill) = fill
            && let Ok(is_stored) = self.step::<K, _>(fill).await
        {
            self.note_stored::<K>(is_stored);
        }
        Some(loaded.value)
    }

    /// Loads a value that is neither shared nor stored.
    async fn load_alone<K, L, F, R, E>(&self, load: L) -> Result<Loaded<Output<K>>, LoadError<E>>
    where
        K: CachedKey,
        L: FnOnce() -> F,
        F: Future<Output = Result<R, E>>,
        R: LoaderOutput<Output<K>>,
    {
        self.count::<K>(Event::Load);
        report::load(&self.shared.counters, K::SCHEMA, load()).await.map(R::into_loaded).map_err(|error| {
            self.count::<K>(Event::FailedLoad);
            LoadError::Loader(Arc::new(error))
        })
    }

    /// The content to store, or `None` for a value without a stored form.
    pub(super) fn encode<K: CachedKey>(&self, value: Option<&Output<K>>) -> Option<Vec<u8>>
    where
        Output<K>: Borrow<Input<K>>,
    {
        let Some(value) = value else { return Some(content::absent().to_vec()) };
        let encoded = content::encode::<K::Value>(value.borrow()).ok();
        if encoded.is_none() {
            self.count::<K>(Event::Unstorable);
        }
        encoded
    }

    /// The command that stores a content. `None` if it is too large, or expires at once.
    pub(super) fn fill<K: CachedKey>(
        &self,
        key: &K,
        token: &Token,
        content: &[u8],
        loaded: &Loaded<Output<K>>,
    ) -> Option<Command<bool>> {
        if loaded.value.is_some() && K::SCHEMA.max_bytes.is_some_and(|most| content.len() as u64 > most) {
            self.count::<K>(Event::Unstorable);
            return None;
        }
        let expiry = expiry_of(key, loaded)?;
        Some(step::fill_with(key, token, content, expiry))
    }

    pub(super) fn note_stored<K: CachedKey>(&self, is_stored: bool) {
        if !is_stored {
            self.count::<K>(Event::Overtaken);
        }
    }
}

/// The milliseconds for which something loaded is stored, and those for which it is not refreshed, if it has an expiry of its own.
/// `None` if it expires at once.
fn expiry_of<K: CachedKey>(key: &K, loaded: &Loaded<Output<K>>) -> Option<(u64, Option<u64>)> {
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

/// How long to wait before the next poll.
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
