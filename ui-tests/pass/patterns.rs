//! Locks, rate limits and queues of jobs.

use std::marker::PhantomData;
use std::time::Duration;

use redis_keys::prelude::*;
use redis_keys::schema::{Role, Schema};
use redis_keys::stored::Stored;
use serde::{Deserialize, Serialize};

/// A lock.
#[derive(RedisKey)]
#[redis_key(lock:order:{#id}:string, lock, ttl = 30s, owner = "shop")]
pub struct OrderLock {
    /// The order.
    pub id: u64,
}

/// A quoted lock of a text and of a type parameter.
#[derive(RedisKey)]
#[redis_key("shop:lock:{name}:{id}:string", ttl = "10s", lock)]
pub struct NamedLock<'n, I> {
    /// Text that is borrowed.
    pub name: &'n str,
    /// Whatever can be a parameter.
    pub id: I,
}

/// A rate limit with a burst.
#[derive(RedisKey)]
#[redis_key(rate:api.call:{user}:string, limit(100 / 1m, burst = 20))]
pub struct ApiLimit {
    /// Whose.
    pub user: u64,
}

/// A rate limit whose ttl is rounded up.
#[derive(RedisKey)]
#[redis_key(rate:login:{0}:string, limit("3/1s", burst = 1), reason = "as the law says")]
pub struct LoginLimit<'n>(pub &'n str);

/// A value. It has the name of the pattern.
#[derive(Serialize, Deserialize)]
pub struct Job;

/// All that a queue of jobs can say.
#[derive(RedisKey)]
#[redis_key(
    queue:mail:{#tenant}:zset,
    value = Zstd<Json<Job>>,
    ttl = 7d,
    jitter = 1h,
    max_len = 1000,
    max_member_bytes = 1KB,
    jobs(lease = 2m, tries = 3),
)]
pub struct Mails {
    /// The sender.
    pub tenant: u32,
}

/// A queue whose jobs are a type parameter.
#[derive(RedisKey)]
#[redis_key(queue:any:{id}:zset, value = V, ttl = 7d, jobs)]
pub struct Any<I, V> {
    /// Whatever can be a parameter.
    pub id: I,
    /// Its value.
    pub holds: PhantomData<fn() -> V>,
}

/// Types of one's own with the names of patterns.
pub mod own {
    use redis_keys::prelude::*;
    use serde::{Deserialize, Serialize};

    /// An owner.
    #[derive(Serialize, Deserialize)]
    pub struct Lock<T>(pub T);

    /// A plain type.
    pub type Job = u64;

    /// Stored as JSON.
    #[derive(RedisKey)]
    #[redis_key(door:lock:{id}:string, value = Json<Lock<u64>>, ttl = 30s)]
    pub struct Door {
        /// The door.
        pub id: u64,
    }

    /// Stored as it is.
    #[derive(RedisKey)]
    #[redis_key(queue:own:{id}:list, value = Job, ttl = 30s)]
    pub struct Jobs {
        /// The queue.
        pub id: u64,
    }
}

/// Accepts queues of type parameters, as of all types.
pub fn is_queue<V: Stored>(key: &Any<u64, V>) -> &impl JobKey<Value = V> {
    key
}

/// Returns the options of a rate limit: its number, its period, its burst and its ttl.
pub fn limit(schema: &Schema) -> Option<(u64, Duration, u64, Duration)> {
    match schema.role {
        Some(Role::Limit(limit)) => Some((limit.count, limit.per, limit.burst, schema.expiry.ttl()?)),
        _ => None,
    }
}

/// The lease and the tries of a queue of jobs.
pub fn jobs(schema: &Schema) -> Option<(Duration, u8)> {
    match schema.role {
        Some(Role::Jobs(jobs)) => Some((jobs.lease, jobs.tries)),
        _ => None,
    }
}

#[test]
fn the_schema_has_the_pattern() {
    let (seconds, lock) = (Duration::from_secs, OrderLock::SCHEMA);
    assert_eq!((lock.role, lock.value, lock.max_bytes), (Some(Role::Lock), Some("Lock"), None));
    assert_eq!((lock.owner, lock.expiry.ttl()), (Some("shop"), Some(seconds(30))));
    assert_eq!(NamedLock::<u8>::SCHEMA.role, Some(Role::Lock));
    assert_eq!(limit(ApiLimit::SCHEMA), Some((100, seconds(60), 20, seconds(12))));
    assert_eq!(limit(LoginLimit::SCHEMA), Some((3, seconds(1), 1, Duration::from_millis(334))));
    assert_eq!((ApiLimit::SCHEMA.value, ApiLimit::SCHEMA.max_bytes), (None, None));
    assert_eq!(jobs(Mails::SCHEMA), Some((seconds(120), 3)));
    assert_eq!((Mails::SCHEMA.value, Mails::SCHEMA.max_len), (Some("Job<Zstd<Json<Job>>>"), Some(1000)));
    assert_eq!(jobs(Any::<u64, String>::SCHEMA), Some((seconds(60), 5)));
    for own in [own::Door::SCHEMA, own::Jobs::SCHEMA] {
        assert_eq!(own.role, None, "{}", own.name);
    }
}

#[test]
fn keys_of_patterns_are_keys() {
    fn assert_lock(key: &impl LockKey, text: &str) {
        crate::assert_key(key, text);
    }
    fn assert_limit(key: &impl LimitKey, text: &str) {
        crate::assert_key(key, text);
    }
    fn assert_queue(key: &impl JobKey, text: &str) {
        crate::assert_key(key, text);
    }
    assert_lock(&OrderLock { id: 42 }, "lock:order:{42}:string");
    assert_lock(&NamedLock { name: "ada", id: 7_u8 }, "shop:lock:ada:7:string");
    assert_limit(&ApiLimit { user: 42 }, "rate:api.call:42:string");
    assert_limit(&LoginLimit("ada"), "rate:login:ada:string");
    assert_queue(&Mails { tenant: 7 }, "queue:mail:{7}:zset");
    let any = Any::<u64, String> { id: 42, holds: PhantomData };
    assert_queue(is_queue(&any), "queue:any:42:zset");
    crate::assert_key(&own::Door { id: 1 }, "door:lock:1:string");
    drop((own::Door { id: 1 }.get(), own::Jobs { id: 1 }.lpush(&5)));
}
