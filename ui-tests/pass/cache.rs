//! Cached keys: the role `cache` with `null_ttl`, `lease`, `refresh`, `near` and `stale`.

use std::marker::PhantomData;
use std::time::Duration;

use redis_keys::cache::{Claim, Token};
use redis_keys::parameter::bucket::Month;
use redis_keys::prelude::*;
use redis_keys::schema::{Role, Schema};
use redis_keys::stored::Stored;

/// All that a cached key can say.
#[derive(RedisKey)]
#[redis_key(
    cached:basic.info:{#user_id}:string,
    value = Json<Vec<u8>>,
    ttl = 1h,
    jitter = 5m,
    renew = write,
    max_bytes = 64KB,
    cache(null_ttl = 5m, lease = 2s, refresh = 80%, near = 10s, stale = 1d),
    owner = "web",
    allow(uncompressed, reason = "it is random"),
)]
pub struct Everything {
    /// Whose.
    pub user_id: u64,
}

/// The default lease.
#[derive(RedisKey)]
#[redis_key(cached:name:{name}:string, value = String, ttl = 1h, jitter = 10%, cache(null_ttl = 5m))]
pub struct BorrowedName<'n> {
    /// Text that is borrowed.
    pub name: &'n str,
}

/// A ttl that is shorter than the usual lease.
#[derive(RedisKey)]
#[redis_key("cached:short:{0}:string", value = "u64", ttl = "4s", jitter = "1s", cache(null_ttl = "1s"))]
pub struct Short(pub u32);

/// A cached key of the end of a month.
#[derive(RedisKey)]
#[redis_key(
    cached:report:{month}:string,
    value = Zstd<String>,
    ttl = 1d,
    jitter = 1h,
    ttl_from_end_of = month,
    cache(null_ttl = 1h, lease = 5m, stale = 7d),
)]
pub struct Report {
    /// The month.
    pub month: Month,
}

/// A type parameter in the key, and one that is the value.
#[derive(RedisKey)]
#[redis_key(cached:any:{id}:string, value = V, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, refresh = 95%, near = 1m))]
pub struct Any<I, V> {
    /// Whatever can be a parameter.
    pub id: I,
    /// Its value.
    pub holds: PhantomData<fn() -> V>,
}

/// Accepts cached keys of type parameters, as of all types.
pub fn claim<V: Stored<Output: Clone + Send + Sync + 'static>>(
    key: &Any<u64, V>,
    token: &Token,
) -> Command<Claim<V::Output>> {
    key.claim(token)
}

/// `null_ttl`, `lease`, `refresh` and `near` of a cached key.
pub fn options(schema: &Schema) -> Option<(Duration, Duration, Option<u8>, Option<Duration>)> {
    match schema.role {
        Some(Role::Cache(cache)) => Some((cache.null_ttl, cache.lease, cache.refresh_percent, cache.near)),
        _ => None,
    }
}

#[test]
fn the_schema_has_the_options() {
    let (seconds, minutes) = (Duration::from_secs, |minutes: u64| Duration::from_secs(60 * minutes));
    let everything = Everything::SCHEMA;
    assert_eq!(options(everything), Some((minutes(5), seconds(2), Some(80), Some(seconds(10)))));
    assert_eq!((everything.owner, everything.max_bytes), (Some("web"), Some(65_536)));
    assert_eq!(everything.allowed.iter().count(), 1);
    assert_eq!(options(BorrowedName::SCHEMA), Some((minutes(5), seconds(10), None, None)));
    assert_eq!(options(Short::SCHEMA), Some((seconds(1), seconds(4), None, None)));
    assert_eq!(options(Report::SCHEMA), Some((minutes(60), minutes(5), None, None)));
    assert_eq!(Report::SCHEMA.ttl_from_end_of, Some("month"));
    assert_eq!(options(Any::<u64, String>::SCHEMA), Some((minutes(5), seconds(10), Some(95), Some(minutes(1)))));
    assert_eq!(options(crate::options::AtMost::SCHEMA), None);
}

#[test]
fn an_expired_value_stays_for_stale() {
    let hours = |hours: u64| Some(Duration::from_secs(3600 * hours));
    assert_eq!(Everything::SCHEMA.longest_life(), hours(25).map(|most| most + Duration::from_secs(300)));
    assert_eq!(Report::SCHEMA.longest_life(), hours(24 + 1 + 7 * 24));
    let stale = |schema: &Schema| if let Some(Role::Cache(cache)) = schema.role { cache.stale } else { None };
    assert_eq!(stale(Report::SCHEMA), hours(7 * 24));
}

#[test]
fn cached_keys_have_their_accessors() {
    crate::assert_key(&Everything { user_id: 42 }, "cached:basic.info:{42}:string");
    crate::assert_key(&BorrowedName { name: "ada" }, "cached:name:ada:string");
    crate::assert_key(&Short(7), "cached:short:7:string");
    let month = Month::now();
    crate::assert_key(&Report { month }, &format!("cached:report:{month}:string"));
    let token = Token::random();
    let key = BorrowedName { name: "ada" };
    let (get, set): (Command<Option<String>>, _) = (key.get(), key.set("Ada"));
    let any = Any::<u64, String> { id: 42, holds: PhantomData };
    crate::assert_key(&any, "cached:any:42:string");
    drop((get, set, key.fill(&token, Some("Ada")), claim(&any, &token)));
}
