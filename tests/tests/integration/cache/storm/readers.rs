//! Readers: a floor, then the cached version, in each way of reading.

use std::fmt::Debug;
use std::io;
use std::time::Duration;

use redis::aio::ConnectionLike;
use redis_keys::cache::{Cache, LoadedValue};
use tokio::time::timeout;

use super::{Database, IDS, KeptNumber, NumberKey, Plain, RefreshedNumber, text};

/// The longest time of a quick load, and after which a call is cancelled, in microseconds.
const QUICK: u64 = 1_000;

/// One load in this many is slow: the key is removed during it, and other calls ask for it.
const SLOW_EVERY: u8 = 8;

const SLOW: Duration = Duration::from_millis(20);

/// The number of keys that are read together.
const MANY: usize = 4;

const LOADS: &str = "no load fails";

const FAILURE: &str = "the database is away";

pub(super) struct Reader<C> {
    cache: Cache<C>,
    database: Database,
    rng: fastrand::Rng,
    pub(super) reads: u64,
    pub(super) stale: u64,
    pub(super) cancelled: u64,
}

impl<C> Reader<C>
where
    C: ConnectionLike + Clone + Send + Sync + 'static,
{
    pub(super) fn new(cache: Cache<C>, database: Database, rng: fastrand::Rng) -> Self {
        Self { cache, database, rng, reads: 0, stale: 0, cancelled: 0 }
    }

    pub(super) async fn run(mut self, reads: u64) -> Self {
        while self.reads < reads {
            match self.rng.u8(0..13) {
                0..=3 => self.read::<Plain>().await,
                4..=5 => self.read::<RefreshedNumber>().await,
                6 => self.read_detached::<RefreshedNumber>().await,
                7 => self.read_many::<Plain>().await,
                8 => self.read_many::<RefreshedNumber>().await,
                9 => self.read::<KeptNumber>().await,
                10 => self.read_detached::<KeptNumber>().await,
                11 => self.read_many::<KeptNumber>().await,
                _ if self.rng.bool() => self.cancel::<KeptNumber>().await,
                _ => self.cancel::<Plain>().await,
            }
        }
        self
    }

    async fn read<K: NumberKey>(&mut self) {
        let (key, floor) = self.key_and_floor::<K>().await;
        let load = self.load(&key);
        let version = self.cache.get_or_load(&key, || load).await;
        self.check_result::<K, _>(version, floor);
    }

    async fn read_detached<K: NumberKey>(&mut self) {
        let (key, floor) = self.key_and_floor::<K>().await;
        let load = self.load(&key);
        let version = self.cache.get_or_load_detached(key, || load).await;
        self.check_result::<K, _>(version, floor);
    }

    /// Asks for a key, and does not wait for the answer if it takes some time.
    async fn cancel<K: NumberKey>(&mut self) {
        let (key, floor) = self.key_and_floor::<K>().await;
        let load = self.load(&key);
        let patience = Duration::from_micros(self.rng.u64(0..QUICK));
        match timeout(patience, self.cache.get_or_load(&key, || load)).await {
            Ok(version) => self.check_result::<K, _>(version, floor),
            Err(_) => self.cancelled += 1,
        }
    }

    async fn read_many<K: NumberKey>(&mut self) {
        let (mut keys, mut floors) = (Vec::new(), Vec::new());
        for _ in 0..MANY {
            let (key, floor) = self.key_and_floor::<K>().await;
            keys.push(key);
            floors.push(floor);
        }
        let fails = self.fails::<K>();
        let database = &self.database;
        let load = |missing: Vec<&K>| {
            let ids: Vec<_> = missing.into_iter().map(K::id).collect();
            async move {
                let mut versions = Vec::new();
                for key in ids.into_iter().map(K::new) {
                    let version = database.version(&text(&key)).await?;
                    versions.push((key, version));
                }
                if fails {
                    return Err(io::Error::other(FAILURE));
                }
                Ok::<_, io::Error>(versions)
            }
        };
        let Ok(versions) = self.cache.get_or_load_many(&keys, load).await else {
            assert!(K::FAILS, "{LOADS}");
            return self.reads += 1;
        };
        for (version, floor) in versions.into_iter().zip(floors) {
            self.check(version, floor);
        }
    }

    async fn key_and_floor<K: NumberKey>(&mut self) -> (K, u64) {
        let key = K::new(self.rng.u32(0..IDS));
        let floor = self.database.floor(&text(&key)).await;
        (key, floor)
    }

    /// Reads the version, and then takes some time. What it has read expires early now and then.
    fn load<K: NumberKey>(
        &mut self,
        key: &K,
    ) -> impl Future<Output = Result<LoadedValue<u64>, io::Error>> + Send + use<K, C> {
        let key = text(key);
        let database = self.database.clone();
        let is_slow = self.rng.u8(0..SLOW_EVERY) == 0;
        let time = if is_slow { SLOW } else { Duration::from_micros(self.rng.u64(0..QUICK)) };
        let (expires, fails) = (self.rng.u8(0..4) == 0, self.fails::<K>());
        async move {
            let loaded = LoadedValue::found(database.version(&key).await?);
            tokio::time::sleep(time).await;
            if fails {
                return Err(io::Error::other(FAILURE));
            }
            Ok(if expires { loaded.expire_in(Duration::from_millis(20)) } else { loaded })
        }
    }

    fn fails<K: NumberKey>(&mut self) -> bool {
        K::FAILS && self.rng.u8(0..3) == 0
    }

    fn check_result<K: NumberKey, E: Debug>(&mut self, version: Result<Option<u64>, E>, floor: u64) {
        match version {
            Ok(version) => self.check(version, floor),
            Err(_) if K::FAILS => self.reads += 1,
            Err(error) => panic!("{LOADS}: {error:?}"),
        }
    }

    fn check(&mut self, version: Option<u64>, floor: u64) {
        self.reads += 1;
        // The database always has a version.
        self.stale += u64::from(version.is_none_or(|version| version < floor));
    }
}
