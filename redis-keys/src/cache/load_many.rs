//! Loading many keys together.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::cache::StepError;
use super::claim::{ClaimResult, LEASES, Lease, pause};
use super::key::{self, keeps_stale, options, read_each_timed, timed_mgets};
use super::near::let_others_run;
use super::{Cache, CachedKey, Claim, Input, LoadError, LoadedValue, Output};
use crate::accessor::accessor;
use crate::command::{ReplyError, Step};
use crate::observe::cache::{self as observe, Counter};
use crate::run::time_limit::within;
use crate::stored::Stored;
use crate::stored::cached::Content;
use crate::types::string::read;
use crate::{Command, Error, ErrorKind, Key, SharedConnection, batch};

/// The number of keys per `MGET`, and per chunk of [`Cache::warm`].
const CHUNK: usize = 100;

/// The progress of [`Cache::warm`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WarmProgress {
    /// The number of keys that have been read.
    pub keys: usize,
    /// The number of empty keys that were loaded. The others held a value, or the marker of absence.
    pub loaded: usize,
    /// The number of keys whose result was stored: a value, or the marker of absence.
    pub stored: usize,
}

/// The content of a key that was read with others.
enum KeyContent<T> {
    Missing,
    Content(Content<T>),
    Undecodable,
}

/// A key without a result so far.
struct PendingKey<'k, 'c, K, C>
where
    C: SharedConnection,
{
    key: &'k K,
    text: Key,
    /// The positions of the result. There are several if the caller passed the key several times.
    positions: Vec<usize>,
    state: PendingState,
    lease: Lease<'c, C>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PendingState {
    Missing,
    Undecodable,
    /// Another call or program loads it.
    Theirs,
    /// A claim has found a value, or the marker that there is none.
    Found,
    /// This call loads and stores it.
    Mine,
    /// This call loads the value without storing it: the server cannot be used, or others take too long.
    Unstored,
}

/// The results of many keys, in the order of the keys.
struct Results<T> {
    values: Vec<Option<T>>,
    loaded: usize,
    stored: usize,
    /// Whether an expired value is a result if the loader fails.
    takes_stale: bool,
}

impl<C> Cache<C>
where
    C: SharedConnection,
{
    /// Returns the values of many keys, in their order, and loads and stores the missing values.
    ///
    /// Your loader gets the missing keys, and returns the existing values in any order, each with its key: as pairs or
    /// as a `HashMap`. A key that the loader does not return is stored as absent for `null_ttl`. The call then waits
    /// for values that other programs load; if those programs fail, it calls your loader again.
    ///
    /// ```no_run
    /// # use redis_keys::{cache::Cache, prelude::*, redis};
    /// # #[derive(RedisKey)]
    /// # #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m))]
    /// # struct Name { user_id: u64 }
    /// # struct Database;
    /// # impl Database { async fn names(&self, ids: Vec<u64>) -> Result<Vec<(u64, String)>, std::io::Error> { Ok(vec![]) } }
    /// # async fn example(cache: Cache<redis::aio::MultiplexedConnection>, db: &Database) -> Result<(), Box<dyn std::error::Error>> {
    /// let keys = [4, 2, 42].map(|user_id| Name { user_id });
    /// let names: Vec<Option<String>> = cache
    ///     .get_or_load_many(&keys, |missing| async move {
    ///         let rows = db.names(missing.iter().map(|key| key.user_id).collect()).await?;
    ///         Ok::<_, std::io::Error>(rows.into_iter().map(|(user_id, name)| (Name { user_id }, name)))
    ///     })
    ///     .await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// If the loader fails, or a key is invalid.
    pub async fn get_or_load_many<'k, K, L, F, R, E>(
        &self,
        keys: &'k [K],
        mut load: L,
    ) -> Result<Vec<Option<Output<K>>>, LoadError<E>>
    where
        K: CachedKey,
        Output<K>: Borrow<Input<K>>,
        L: FnMut(Vec<&'k K>) -> F,
        F: Future<Output = Result<R, E>>,
        R: IntoIterator<Item = (K, Output<K>)>,
    {
        let (results, missing) = self.copies_of(keys).await;
        if missing.is_empty() {
            return Ok(results.values);
        }
        let keys: Vec<_> = missing.iter().map(|(_, key)| *key).collect();
        let found = match self.read_many::<K>(&keys, keeps_stale::<K>()).await {
            Ok(found) => Some(found),
            Err(StepError::Refused(error)) => return Err(LoadError::Refused(error)),
            Err(_) => None,
        };
        let (results, open) = self.sort(results, missing, found).map_err(LoadError::Refused)?;
        if open.is_empty() {
            return Ok(results.values);
        }
        let load = self.load_many(results, open, &mut load);
        Box::pin(observe::miss(K::SCHEMA, load)).await.map(|results| results.values)
    }

    /// Loads and stores missing values in advance, in chunks of 100 keys. It overwrites nothing.
    ///
    /// The loader is the same as for [`get_or_load_many`](Self::get_or_load_many). `progress` is called after each chunk.
    ///
    /// # Errors
    ///
    /// If the loader fails, a key is invalid, or the server does not answer. Values that were loaded before stay stored.
    pub async fn warm<'k, K, L, F, R, E>(
        &self,
        keys: &'k [K],
        mut load: L,
        mut progress: impl FnMut(WarmProgress),
    ) -> Result<WarmProgress, LoadError<E>>
    where
        K: CachedKey,
        Output<K>: Borrow<Input<K>>,
        L: FnMut(Vec<&'k K>) -> F,
        F: Future<Output = Result<R, E>>,
        R: IntoIterator<Item = (K, Output<K>)>,
    {
        let mut warmed = WarmProgress::default();
        for chunk in keys.chunks(CHUNK) {
            // Without the time limit and the breaker: loading values that cannot be stored would be pointless.
            let read = batch(mget::<K, _>(chunk, keeps_stale::<K>())).query_async(&mut self.con.clone()).await;
            let read = read.map_err(|error| {
                if error.is_refused_key() { LoadError::Refused(error) } else { LoadError::NotStored(error) }
            })?;
            self.answered();
            let keys = chunk.iter().enumerate().collect();
            let results = Results { takes_stale: false, ..Results::none(chunk.len()) };
            let (results, open) = self.sort(results, keys, Some(read)).map_err(LoadError::Refused)?;
            let results = Box::pin(self.load_many(results, open, &mut load)).await?;
            warmed.keys += chunk.len();
            warmed.loaded += results.loaded;
            warmed.stored += results.stored;
            progress(warmed);
        }
        Ok(warmed)
    }

    /// Reads many keys; the time limit grows with the number of chunks.
    async fn read_many<K: CachedKey>(
        &self,
        keys: &[&K],
        is_timed: bool,
    ) -> Result<Vec<KeyContent<Output<K>>>, StepError> {
        let Some(attempt) = self.shared.breaker.begin() else { return Err(StepError::Unanswered) };
        let mut con = self.con.clone();
        let read = batch(mget::<K, _>(keys, is_timed));
        let read = within(self.limit_of(keys.len()), pin!(read.query_async(&mut con))).await;
        self.answer::<K, _>(attempt, read)
    }

    /// The near copies of keys, and the keys without a copy, with their positions.
    async fn copies_of<'k, K: CachedKey>(&self, keys: &'k [K]) -> (Results<Output<K>>, Vec<(usize, &'k K)>) {
        let mut results = Results::none(keys.len());
        if K::NEAR.is_none() {
            return (results, keys.iter().enumerate().collect());
        }
        let mut missing = Vec::new();
        for (position, key) in keys.iter().enumerate() {
            if position % CHUNK == 0 {
                let_others_run().await;
            }
            match self.copy(key) {
                Some(value) => results.set(position, value),
                None => missing.push((position, key)),
            }
        }
        (results, missing)
    }

    /// Sorts replies into results and open keys; `None` if the server cannot be used.
    #[allow(clippy::type_complexity, reason = "results, and keys without one")]
    fn sort<'k, K: CachedKey>(
        &self,
        mut results: Results<Output<K>>,
        keys: Vec<(usize, &'k K)>,
        found: Option<Vec<KeyContent<Output<K>>>>,
    ) -> Result<(Results<Output<K>>, Vec<PendingKey<'k, '_, K, C>>), Error> {
        let mut open: Vec<PendingKey<'k, '_, K, C>> = Vec::new();
        let mut by_text: HashMap<Key, usize> = HashMap::new();
        let mut found = found.map(Vec::into_iter);
        for (position, key) in keys {
            let state = match &mut found {
                Some(found) => match self.result::<K>(found.next().unwrap_or(KeyContent::Missing)) {
                    Ok(value) => {
                        results.set(position, value);
                        continue;
                    }
                    // Claimed too: a claim ends a lease that never expires.
                    Err(PendingState::Theirs) => PendingState::Missing,
                    Err(state) => state,
                },
                None => PendingState::Unstored,
            };
            let text = key.key()?;
            if let Some(known) = by_text.get(&text).and_then(|index| open.get_mut(*index)) {
                known.positions.push(position);
                continue;
            }
            by_text.insert(text.clone(), open.len());
            open.push(PendingKey { key, text, positions: vec![position], state, lease: Lease::new(self) });
        }
        Ok((results, open))
    }

    /// Returns the result of a key, or the state in which the key stays open.
    #[inline]
    fn result<K: CachedKey>(&self, found: KeyContent<Output<K>>) -> Result<Option<Output<K>>, PendingState> {
        match found {
            KeyContent::Content(Content::Value(value)) => {
                self.count::<K>(Counter::Hit);
                Ok(Some(value))
            }
            KeyContent::Content(Content::Stale(stale)) => {
                self.count::<K>(Counter::Stale);
                Ok(Some(stale.value))
            }
            KeyContent::Content(Content::Absent) => {
                self.count::<K>(Counter::AbsentHit);
                Ok(None)
            }
            KeyContent::Content(Content::Loading(_)) => Err(PendingState::Theirs),
            KeyContent::Missing | KeyContent::Content(Content::Abandoned) => Err(PendingState::Missing),
            KeyContent::Undecodable => {
                self.count::<K>(Counter::Undecodable);
                Err(PendingState::Undecodable)
            }
        }
    }

    /// Loads the open keys: first the keys that this call may load, then the keys that others have failed to load.
    async fn load_many<'k, K, L, F, R, E>(
        &self,
        mut results: Results<Output<K>>,
        mut open: Vec<PendingKey<'k, '_, K, C>>,
        load: &mut L,
    ) -> Result<Results<Output<K>>, LoadError<E>>
    where
        K: CachedKey,
        Output<K>: Borrow<Input<K>>,
        L: FnMut(Vec<&'k K>) -> F,
        F: Future<Output = Result<R, E>>,
        R: IntoIterator<Item = (K, Output<K>)>,
    {
        let started = Instant::now();
        let mut waits_since = None;
        while !open.is_empty() {
            self.claim_many(&mut open).await;
            let (mut mine, theirs): (Vec<_>, _) =
                open.into_iter().partition(|open| matches!(open.state, PendingState::Mine | PendingState::Unstored));
            open = theirs;
            while !mine.is_empty() {
                mine = self.load_mine(mine, &mut results, load).await?;
            }
            if !open.is_empty() {
                tokio::time::sleep(pause(waits_since.get_or_insert_with(Instant::now).elapsed())).await;
                self.read_again(&mut open, &mut results).await;
                if keeps_stale::<K>() {
                    // Under an expired value, a lease does not disappear when it ends. Only a claim finds out whether
                    // it has ended.
                    let theirs = open.iter_mut().filter(|open| open.state == PendingState::Theirs);
                    theirs.for_each(|open| open.state = PendingState::Missing);
                }
                if started.elapsed() >= options::<K>().lease * LEASES {
                    set_all(&mut open, PendingState::Unstored);
                }
            }
        }
        Ok(results)
    }

    /// Claims the keys that are missing or cannot be decoded.
    async fn claim_many<K: CachedKey>(&self, open: &mut [PendingKey<'_, '_, K, C>]) {
        for open in open.iter_mut().filter(|open| open.state == PendingState::Undecodable) {
            open.state = match self.claim(open.key, &mut open.lease, true).await {
                ClaimResult::Mine => PendingState::Mine,
                ClaimResult::Theirs(_) => PendingState::Theirs,
                ClaimResult::Found(_) => PendingState::Found,
                ClaimResult::Undecodable | ClaimResult::Unanswered | ClaimResult::Refused => PendingState::Unstored,
            };
        }
        let mut missing: Vec<_> = open.iter_mut().filter(|open| open.state == PendingState::Missing).collect();
        // Set before the claims are sent: their replies may never arrive.
        let claims = missing.iter_mut().map(|open| {
            open.lease.abandon = Some(open.key.abandon(&open.lease.token));
            open.key.claim(&open.lease.token)
        });
        let claims = claims.collect();
        let mut claims = self.step_each::<K, _>(claims).await.into_iter();
        for open in missing {
            let claim = claims.next().flatten();
            open.state = match &claim {
                Some(Claim::Mine) => PendingState::Mine,
                Some(Claim::Theirs(_)) => PendingState::Theirs,
                // The key is read again, with the others.
                Some(Claim::Found(_) | Claim::Stale(_) | Claim::Absent) => PendingState::Found,
                None => PendingState::Unstored,
            };
            if let PendingState::Theirs | PendingState::Found = open.state {
                open.lease.abandon = None;
            }
        }
    }

    /// Loads and stores the keys that this call may load, and returns the keys that still lack results.
    async fn load_mine<'k, 'c, K, L, F, R, E>(
        &self,
        mut mine: Vec<PendingKey<'k, 'c, K, C>>,
        results: &mut Results<Output<K>>,
        load: &mut L,
    ) -> Result<Vec<PendingKey<'k, 'c, K, C>>, LoadError<E>>
    where
        K: CachedKey,
        Output<K>: Borrow<Input<K>>,
        L: FnMut(Vec<&'k K>) -> F,
        F: Future<Output = Result<R, E>>,
        R: IntoIterator<Item = (K, Output<K>)>,
    {
        self.count_many::<K>(Counter::Load, mine.len());
        let rows = load(mine.iter().map(|open| open.key).collect());
        let rows = match observe::load(K::SCHEMA, rows).await {
            Ok(rows) => rows,
            Err(error) => {
                self.count_many::<K>(Counter::FailedLoad, mine.len());
                let error = Arc::new(error);
                return if self.stale_values(&mine, results).await {
                    Ok(Vec::new())
                } else {
                    Err(LoadError::Loader(error))
                };
            }
        };
        let rows = rows.into_iter().filter_map(|(key, value)| Some((key.key().ok()?, value)));
        let mut values: HashMap<Key, Output<K>> = rows.collect();
        let mut fills = Vec::new();
        for open in &mut mine {
            let loaded = LoadedValue::from(values.remove(&open.text));
            let content = self.encode(open.key, loaded.value.as_ref());
            let fill = content.as_ref().and_then(|content| self.fill(open.key, &open.lease.token, content, &loaded));
            match fill {
                Some(fill) if open.state == PendingState::Mine => fills.push(fill),
                _ => open.state = PendingState::Unstored,
            }
            results.put(open, loaded.value, content.as_deref());
        }
        results.loaded += mine.len();
        let mut fills = self.step_each::<K, _>(fills).await.into_iter();
        for open in mine.iter_mut().filter(|open| open.state == PendingState::Mine) {
            if let Some(is_stored) = fills.next().flatten() {
                open.lease.abandon = None;
                results.stored += usize::from(is_stored);
                self.note_stored::<K>(is_stored);
            }
        }
        mine.retain(|open| !open.positions.is_empty());
        Ok(mine)
    }

    /// Returns expired values for keys whose loader has failed, and whether each key has one.
    async fn stale_values<K: CachedKey>(
        &self,
        mine: &[PendingKey<'_, '_, K, C>],
        results: &mut Results<Output<K>>,
    ) -> bool {
        if !keeps_stale::<K>() || !results.takes_stale {
            return false;
        }
        // A key that was passed several times runs `fail` as often: its value may not be `Clone`.
        let positions = || mine.iter().flat_map(|open| open.positions.iter().map(move |position| (open, *position)));
        let failed = positions().map(|(open, _)| open.key.fail(&open.lease.token)).collect();
        let values = self.step_each::<K, _>(failed).await;
        let Some(values) = values.into_iter().map(Option::flatten).collect::<Option<Vec<_>>>() else { return false };
        if values.is_empty() {
            return false;
        }
        self.count_many::<K>(Counter::Stale, values.len());
        observe::stale_returned(K::SCHEMA);
        positions().zip(values).for_each(|((_, position), value)| results.set(position, Some(value)));
        true
    }

    /// Reads the keys that others are loading.
    async fn read_again<K: CachedKey>(
        &self,
        open: &mut Vec<PendingKey<'_, '_, K, C>>,
        results: &mut Results<Output<K>>,
    ) {
        // A key that was passed several times is read as often: its value may not be `Clone`.
        let keys: Vec<_> = open.iter().flat_map(|open| open.positions.iter().map(|_| open.key)).collect();
        // A claim may have found the value of a program that declares `stale`.
        let is_timed = keeps_stale::<K>() || open.iter().any(|open| open.state == PendingState::Found);
        let Ok(found) = self.read_many::<K>(&keys, is_timed).await else {
            set_all(open, PendingState::Unstored);
            return;
        };
        let mut found = found.into_iter();
        for open in open.iter_mut() {
            let state = &mut open.state;
            open.positions.retain(|position| match self.result::<K>(found.next().unwrap_or(KeyContent::Missing)) {
                Ok(value) => {
                    results.set(*position, value);
                    false
                }
                Err(next) => {
                    *state = next;
                    true
                }
            });
        }
        open.retain(|open| !open.positions.is_empty());
    }

    /// Runs a command for each of many keys; `None` where there is no result.
    async fn step_each<K: CachedKey, T>(&self, commands: Vec<Command<T>>) -> Vec<Option<T>> {
        if commands.is_empty() {
            return Vec::new();
        }
        let Some(attempt) = self.shared.breaker.begin() else { return Vec::new() };
        let limit = self.limit_of(commands.len());
        let mut con = self.con.clone();
        let Some(results) = within(limit, pin!(batch(commands).query_each_async(&mut con))).await else {
            self.unusable::<K>(attempt, None);
            return Vec::new();
        };
        let mut is_lost = false;
        let results = results.into_iter().map(|result| match result {
            Err(error) if error.kind() == ErrorKind::Connection => {
                is_lost = true;
                None
            }
            result => self.answer::<K, T>(attempt, Some(result)).ok(),
        });
        let results = results.collect();
        if is_lost {
            // This counts as a single fault, however many commands failed.
            self.unusable::<K>(attempt, None);
        }
        results
    }

    fn limit_of(&self, keys: usize) -> Duration {
        self.time_limit.duration().saturating_mul(u32::try_from(keys.div_ceil(CHUNK)).unwrap_or(u32::MAX))
    }
}

fn set_all<K, C>(open: &mut [PendingKey<'_, '_, K, C>], state: PendingState)
where
    C: SharedConnection,
{
    for open in open {
        open.state = state;
    }
}

/// Reads the contents of many keys (`MGET`), and their remaining times (`PTTL`) if the reads are timed.
fn mget<K: CachedKey, B: Borrow<K>>(keys: &[B], is_timed: bool) -> Command<Vec<KeyContent<Output<K>>>> {
    let keys = keys.iter().map(Borrow::borrow);
    if is_timed {
        read::many::<K, _>(timed_mgets::<K, _>(keys), |replies, sent| {
            let found = |reply, left, place| {
                found::<K>(key::timed_content::<K::Value>(reply, left, place).map(|(content, _)| content))
            };
            read_each_timed(replies, sent, found).map(Step::Done)
        })
    } else {
        read::mget::<K, _, _>(keys, |replies, sent| {
            let found = |reply, place| {
                // If another program declares `stale`, only a claim finds out whether the value has expired.
                let is_certain = |content: &Content<_>| !matches!(content, Content::Stale { .. });
                found::<K>(key::content::<K::Value>(reply, place).map(|content| content.filter(is_certain)))
            };
            read::read_each(replies, sent, found).map(Step::Done)
        })
    }
    .named_read(accessor!("get_many"))
}

fn found<K: CachedKey>(
    content: Result<Option<Content<Output<K>>>, ReplyError>,
) -> Result<KeyContent<Output<K>>, ReplyError> {
    match content {
        Ok(Some(content)) => Ok(KeyContent::Content(content)),
        Ok(None) => Ok(KeyContent::Missing),
        Err(error) if error.is_undecodable() => Ok(KeyContent::Undecodable),
        Err(error) => Err(error),
    }
}

impl<T> Results<T> {
    fn none(len: usize) -> Self {
        Self { values: (0..len).map(|_| None).collect(), loaded: 0, stored: 0, takes_stale: true }
    }

    fn set(&mut self, position: usize, value: Option<T>) {
        if let Some(result) = self.values.get_mut(position) {
            *result = value;
        }
    }

    /// Sets the results of a key: the value at its first position, and copies decoded from the stored bytes at the others.
    ///
    /// Positions without a copy stay open.
    fn put<K, C>(&mut self, open: &mut PendingKey<'_, '_, K, C>, value: Option<T>, content: Option<&[u8]>)
    where
        K: CachedKey,
        K::Value: Stored<Output = T>,
        C: SharedConnection,
    {
        let mut positions = std::mem::take(&mut open.positions).into_iter();
        if let Some(first) = positions.next() {
            self.set(first, value);
        }
        for position in positions {
            match content.and_then(|content| key::decode_content(open.key, content.to_vec()).ok()) {
                Some(copy) => self.set(position, copy.into_any_value()),
                None => open.positions.push(position),
            }
        }
    }
}
