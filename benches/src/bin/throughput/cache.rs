//! Cached keys on one server: with redis-keys, by hand, and with the crate `cached`. Each side has a connection of its
//! own.

use std::convert::Infallible;
use std::fmt::Debug;
use std::future::{Ready, ready};
use std::hint::black_box;
use std::ops::Range;
use std::time::Duration;

use cached::{AsyncRedisCache, ConcurrentCachedAsync as _};
use redis::RedisResult;
use redis::aio::MultiplexedConnection;
use redis_keys::cache::Cache;
use redis_keys::prelude::*;
use redis_keys::{Connection, batch_iter};
use redis_keys_bench::cards::{self, Card, FreshCard, KEYS, PackedCard, TTL_MS, UserCard};

use crate::connections::{MultiplexedServer, share};
use crate::turns::{Side, take_turns};

/// The ids in a turn of many tasks, and of one.
const IDS: u64 = 1_024;
const IDS_ALONE: u64 = 64;

/// The number of keys that are read together.
const MANY: u64 = 1_000;

type Store = AsyncRedisCache<u64, Card>;

/// A server with the cards of all users.
pub(crate) struct Cards {
    multiplexed: MultiplexedServer,
    store: Store,
}

impl Cards {
    /// Starts a server and stores the cards.
    pub(crate) fn store() -> Self {
        let multiplexed = MultiplexedServer::start();
        let builder = AsyncRedisCache::builder("user").ttl(Duration::from_millis(TTL_MS));
        let store = builder.connection_string(&multiplexed.server.url()).build();
        let store = multiplexed.runtime.block_on(store).expect("the server replies");
        let mut con = multiplexed.connect();
        let ours = (0..KEYS).map(|user_id| {
            let card = Card::of(user_id);
            (UserCard { user_id }.set(&card), FreshCard { user_id }.set(&card), PackedCard { user_id }.set(&card))
        });
        multiplexed.runtime.block_on(async {
            batch_iter(ours).query_async(&mut con).await.expect("the server replies");
            for user_id in 0..KEYS {
                store.async_cache_set(user_id, Card::of(user_id)).await.expect("the server replies");
            }
        });
        Self { multiplexed, store }
    }

    /// Reads of cards that are stored: with `get_or_load`, by hand, with `get`, and with `get_or_load` and `refresh`.
    pub(crate) fn hits(&self, name: &str, tasks: u64) {
        let get_or_load = async |id, cache: &mut Cache<_>| {
            found(cache.get_or_load(&UserCard { user_id: id % KEYS }, no_load).await);
        };
        let by_hand = async |id, con: &mut MultiplexedConnection| found(get_by_hand(id % KEYS, con).await);
        let get = async |id, con: &mut Connection| {
            found(UserCard { user_id: id % KEYS }.get().query_async(con).await);
        };
        let refresh = async |id, cache: &mut Cache<_>| {
            found(cache.get_or_load(&FreshCard { user_id: id % KEYS }, no_load).await);
        };
        let sides = [
            self.side(tasks, self.cache(), get_or_load),
            self.side(tasks, self.multiplexed.connect(), by_hand),
            self.side(tasks, self.multiplexed.connect_own(), get),
            self.side(tasks, self.cache(), refresh),
        ];
        take_turns(name, 1, sides);
    }

    /// Reads of cards that are stored as MessagePack: with `get_or_load`, and with `cached`.
    pub(crate) fn packed_hits(&self, name: &str, tasks: u64) {
        let get_or_load = async |id, cache: &mut Cache<_>| {
            found(cache.get_or_load(&PackedCard { user_id: id % KEYS }, no_load).await);
        };
        let store = async |id, store: &mut Store| found(store.async_cache_get(&(id % KEYS)).await);
        let sides = [self.side(tasks, self.cache(), get_or_load), self.side(tasks, self.store.clone(), store)];
        take_turns(name, 1, sides);
    }

    /// Reads of many cards together, which are stored: with `get_or_load_many`, and with `get_many`.
    pub(crate) fn many(&self, name: &str) {
        let runtime = &self.multiplexed.runtime;
        let (cache, mut con) = (self.cache(), self.multiplexed.connect_own());
        let keys = |ids: Range<u64>| ids.map(|id| UserCard { user_id: id % KEYS });
        let sides = [
            Side::new(4, MANY, |ids| {
                let keys: Vec<_> = keys(ids).collect();
                let cards = runtime.block_on(cache.get_or_load_many(&keys, |_| no_loads()));
                drop(black_box(cards.expect("no loader fails")));
            }),
            Side::new(4, MANY, |ids| {
                let keys: Vec<_> = keys(ids).collect();
                let cards = runtime.block_on(UserCard::get_many(&keys).query_async(&mut con));
                drop(black_box(cards.expect("the server replies")));
            }),
        ];
        take_turns(name, 1, sides);
    }

    /// Reads of cards that are not stored, whose loads return immediately, and which are then stored: with
    /// `get_or_load`, and by hand.
    pub(crate) fn misses(&self, name: &str, tasks: u64) {
        let get_or_load = async move |id, cache: &mut Cache<_>| {
            let user_id = unread(id, tasks);
            found(cache.get_or_load(&UserCard { user_id }, || load(user_id)).await);
        };
        let by_hand = async move |id, con: &mut MultiplexedConnection| {
            let user_id = unread(id, tasks);
            assert!(get_by_hand(user_id, con).await.is_ok_and(|card| card.is_none()), "nobody has stored it");
            let card = Card::of(user_id);
            cards::set(user_id, &card).exec_async(con).await.expect("the server replies");
            drop(black_box(card));
        };
        let sides =
            [self.side(tasks, self.cache(), get_or_load), self.side(tasks, self.multiplexed.connect(), by_hand)];
        take_turns(name, 1, sides);
    }

    /// The same as MessagePack: with `get_or_load`, and with `cached`.
    pub(crate) fn packed_misses(&self, name: &str, tasks: u64) {
        let get_or_load = async move |id, cache: &mut Cache<_>| {
            let user_id = unread(id, tasks);
            found(cache.get_or_load(&PackedCard { user_id }, || load(user_id)).await);
        };
        let store = async move |id, store: &mut Store| {
            let user_id = unread(id, tasks);
            assert!(store.async_cache_get(&user_id).await.is_ok_and(|card| card.is_none()), "nobody has stored it");
            let card = Card::of(user_id);
            store.async_cache_set(user_id, card.clone()).await.expect("the server replies");
            drop(black_box(card));
        };
        let sides = [self.side(tasks, self.cache(), get_or_load), self.side(tasks, self.store.clone(), store)];
        take_turns(name, 1, sides);
    }

    fn cache(&self) -> Cache<Connection> {
        // However busy the machine is, a hit is a hit.
        Cache::new(self.multiplexed.connect_own()).with_time_limit(Duration::from_mins(1))
    }

    /// A side that does work for each id, shared among tasks.
    fn side<C, F>(&self, tasks: u64, con: C, work: F) -> Side<'_>
    where
        C: Clone + 'static,
        F: AsyncFn(u64, &mut C) + Copy + 'static,
    {
        let ids = if tasks == 1 { IDS_ALONE } else { IDS };
        Side::new(1, ids, move |ids| share(&self.multiplexed.runtime, tasks, &con, ids, work))
    }
}

async fn get_by_hand(user_id: u64, con: &mut MultiplexedConnection) -> RedisResult<Option<Card>> {
    let json: Option<String> = cards::get(user_id).query_async(con).await?;
    Ok(json.map(|json| Card::from_json(&json)))
}

/// Returns a user whose card has not been read.
fn unread(id: u64, tasks: u64) -> u64 {
    tasks * 1_000_000_000 + id
}

fn load(user_id: u64) -> Ready<Result<Option<Card>, Infallible>> {
    ready(Ok(Some(Card::of(user_id))))
}

fn no_load() -> Ready<Result<Option<Card>, Infallible>> {
    panic!("the card is stored");
}

fn no_loads() -> Ready<Result<Vec<(UserCard, Card)>, Infallible>> {
    panic!("the cards are stored");
}

fn found<E: Debug>(card: Result<Option<Card>, E>) {
    assert!(black_box(card).expect("the server replies").is_some(), "there is a card");
}
