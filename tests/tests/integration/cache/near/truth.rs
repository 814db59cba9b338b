//! What another client has written and when, and how old what is read is.

use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use redis_keys::SharedConnection;
use redis_keys::cache::Cache;
use tokio::task::JoinHandle;

use super::keys::Number;
use super::read;

/// The versions of a key: 0, 1, 2, …
#[derive(Default)]
pub(super) struct Truth {
    /// The version whose write has returned last.
    floor: AtomicU64,
    /// The times at which the writes of the versions from 1 on had returned.
    written: Mutex<Vec<Instant>>,
    ages: Mutex<Ages>,
}

/// How old the versions were that were read, beginning with the end of the write of the next one.
#[derive(Clone, Default)]
pub(super) struct Ages {
    pub(super) reads: u64,
    stale: Vec<Duration>,
}

impl Truth {
    pub(super) fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Notes that the write of the next version has returned.
    pub(super) fn written(&self) {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.push(Instant::now());
        self.floor.store(written.len() as u64, SeqCst);
    }

    pub(super) fn last(&self) -> u64 {
        self.floor.load(SeqCst)
    }

    /// Tasks that read a key without a pause until the end.
    pub(super) fn readers<C: SharedConnection>(
        self: &Arc<Self>,
        cache: &Cache<C>,
        key: &Number,
        is_over: &Arc<AtomicBool>,
    ) -> [JoinHandle<()>; 4] {
        [(); 4].map(|()| {
            let (truth, cache, key, is_over) = (Arc::clone(self), cache.clone(), key.clone(), Arc::clone(is_over));
            tokio::spawn(async move {
                while !is_over.load(Relaxed) {
                    truth.check(read(&cache, &key)).await;
                }
            })
        })
    }

    /// Notes the version that a call returns.
    pub(super) async fn check(&self, call: impl Future<Output = Option<u64>>) {
        let (floor, began) = (self.last(), Instant::now());
        let version = call.await.expect("there is always a version");
        let age = (version < floor).then(|| {
            let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
            let index = usize::try_from(version).expect("there are few versions");
            began.duration_since(*written.get(index).expect("a version that was replaced"))
        });
        let mut ages = self.ages.lock().unwrap_or_else(PoisonError::into_inner);
        ages.reads += 1;
        ages.stale.extend(age);
    }

    /// The ages so far, printed with what they are of.
    pub(super) fn ages(&self, what: &str) -> Ages {
        let mut ages = self.ages.lock().unwrap_or_else(PoisonError::into_inner).clone();
        ages.stale.sort_unstable();
        let at = |part: usize| ages.stale.get(ages.stale.len() * part / 100).copied().unwrap_or_default();
        println!(
            "{what}: 50 % of the old ones up to {:?}, 99 % up to {:?}, all up to {:?}",
            at(50),
            at(99),
            ages.oldest()
        );
        println!("soak: {} reads {what}, {} of them old", ages.reads, ages.stale.len());
        ages
    }
}

impl Ages {
    pub(super) fn oldest(&self) -> Duration {
        self.stale.iter().max().copied().unwrap_or_default()
    }
}
