//! Commands that must work on every connection.

use std::any::Any;

use redis::aio;
use redis_keys::prelude::*;
use redis_keys::testing::{self, Cluster};
use redis_keys::{Error, atomic, batch, batch_iter};
use redis_keys_tests::MovingSlot;

#[derive(RedisKey)]
#[redis_key(visitor:name:{id}:string, value = String, ttl = 1h)]
pub(crate) struct Name {
    pub(crate) id: u64,
}

#[derive(RedisKey)]
#[redis_key(visitor:clicks:{id}:string, value = u64, ttl = 1h)]
pub(crate) struct Clicks {
    pub(crate) id: u64,
}

/// Counters in one slot.
#[derive(RedisKey)]
#[redis_key(visitor:cart:{#visitor}:{item}:string, value = u64, ttl = 1h)]
pub(crate) struct InCart {
    pub(crate) visitor: u64,
    pub(crate) item: u64,
}

/// More keys than one pipeline has commands, in many slots, with two commands on each key.
const MANY: u64 = 60;

/// Runs commands of every kind on an empty server.
pub(crate) async fn run_all<C>(con: &mut C) -> Result<(), Error>
where
    C: aio::ConnectionLike + Any + Send,
{
    Name { id: 1 }.set("Ada").query_async(con).await?;
    assert_eq!(Name { id: 1 }.append(" Lovelace").query_async(con).await?, "Ada Lovelace".len() as u64);
    let (name, clicks) = batch((Name { id: 1 }.get(), Clicks { id: 1 }.incr())).query_async(con).await?;
    assert_eq!((name.as_deref(), clicks), (Some("Ada Lovelace"), 1));

    let twice = (2..MANY).map(|id| (Clicks { id }.incr(), Clicks { id }.incr_by(2)));
    let clicks = batch_iter(twice).query_async(con).await?;
    assert!(clicks.iter().all(|both| *both == (1, 3)), "{clicks:?}");
    let clicks = Clicks::get_many((1..MANY).map(|id| Clicks { id })).query_async(con).await?;
    assert_eq!(clicks[..3], [Some(1), Some(3), Some(3)]);

    let [apples, pears] = [1, 2].map(|item| InCart { visitor: 1, item });
    assert_eq!(atomic((apples.incr(), pears.incr_by(5))).query_async(con).await?, (1, 5));
    assert_eq!(pears.update(|old| old.unwrap_or_default() + 1).query_async(con).await?, 6);
    Ok(())
}

/// Runs commands of every kind on a blocking connection and an empty server. One to a cluster rejects atomic groups.
pub(crate) fn run_all_blocking<C: redis::ConnectionLike>(con: &mut C) -> Result<(), Error> {
    Name { id: 1 }.set("Ada").query(con)?;
    assert_eq!(Name { id: 1 }.append(" Lovelace").query(con)?, "Ada Lovelace".len() as u64);
    let (name, clicks) = batch((Name { id: 1 }.get(), Clicks { id: 1 }.incr())).query(con)?;
    assert_eq!((name.as_deref(), clicks), (Some("Ada Lovelace"), 1));

    let clicks = batch_iter((2..MANY).map(|id| (Clicks { id }.incr(), Clicks { id }.incr_by(2)))).query(con)?;
    assert!(clicks.iter().all(|both| *both == (1, 3)), "{clicks:?}");
    let clicks = Clicks::get_many((1..MANY).map(|id| Clicks { id })).query(con)?;
    assert_eq!(clicks[..3], [Some(1), Some(3), Some(3)]);

    let [apples, pears] = [1, 2].map(|item| InCart { visitor: 1, item });
    let group = || atomic((apples.incr(), pears.incr_by(5)));
    if con.supports_pipelining() {
        assert_eq!(group().query(con)?, (1, 5));
    } else {
        let error = group().query(con).expect_err("pipelines are not supported");
        assert_eq!(error.sent(), redis_keys::SendStatus::No, "{error}");
        pears.set(&5).query(con)?;
    }
    assert_eq!(pears.update(|old| old.unwrap_or_default() + 1).query(con)?, 6);
    testing::assert_all_expire(con, "");
    Ok(())
}

/// Counts in a migrating slot in which half of the keys exist, and asserts that every command is executed once.
/// redis-rs would send a whole pipeline again when one of its commands is redirected.
pub(crate) async fn count_in_a_moving_slot<C>(cluster: &Cluster, con: &mut C)
where
    C: aio::ConnectionLike + Any + Send,
{
    let visitor = 4711;
    let count =
        |items: std::ops::Range<u64>| batch_iter(items.map(|item| InCart { visitor, item }.incr()).collect::<Vec<_>>());
    count(0..25).query_async(con).await.expect("no slot is migrating");
    let slot = MovingSlot::open(cluster, "{4711}");
    let counts = count(0..50).query_async(con).await.expect("every command succeeds");
    assert!(counts[..25].iter().all(|count| *count == 2) && counts[25..].iter().all(|count| *count == 1), "{counts:?}");
    slot.finish(cluster);
}
