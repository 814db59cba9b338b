//! Writers: a new version, then the removal of the cached one, then a floor.

use std::time::Duration;

use redis::aio::ConnectionLike;
use redis_keys::cache::Cache;

use super::{Database, IDS, KeptNumber, NumberKey, Plain, RefreshedNumber, text};

/// The longest pause between two writes of a task, in microseconds.
const LONGEST_PAUSE: u64 = 10_000;

pub(super) struct Writer<C> {
    con: C,
    cache: Cache<C>,
    database: Database,
    rng: fastrand::Rng,
}

impl<C> Writer<C>
where
    C: ConnectionLike + Clone + Send + Sync + 'static,
{
    pub(super) fn new(con: C, cache: Cache<C>, database: Database, rng: fastrand::Rng) -> Self {
        Self { con, cache, database, rng }
    }

    /// Writes until the task is aborted.
    pub(super) async fn run(mut self) {
        loop {
            match self.rng.u8(0..4) {
                // Rarely, since a new value is not refreshed.
                0 if self.rng.bool() => self.write::<KeptNumber>().await,
                0 => self.write::<RefreshedNumber>().await,
                _ => self.write::<Plain>().await,
            }
            let pause = Duration::from_micros(self.rng.u64(0..LONGEST_PAUSE));
            tokio::time::sleep(pause).await;
        }
    }

    async fn write<K: NumberKey>(&mut self) {
        let key = K::new(self.rng.u32(0..IDS));
        let text = text(&key);
        let version = self.database.new_version(&text).await;
        // A removal that fails promises nothing.
        match self.remove(&key).await {
            Ok(()) => self.database.raise_floor(&text, version).await,
            Err(error) => println!("{error}"),
        }
    }

    async fn remove<K: NumberKey>(&mut self, key: &K) -> Result<(), String> {
        match self.rng.u8(0..3) {
            0 => self.cache.invalidate(key).await.map(drop).map_err(|error| error.to_string()),
            1 => key.unlink().query_async(&mut self.con).await.map(drop).map_err(|error| error.to_string()),
            // As other programs do.
            _ => {
                let mut cmd = redis::cmd("DEL");
                cmd.arg(&*text(key)).exec_async(&mut self.con).await.map_err(|error| error.to_string())
            }
        }
    }
}
