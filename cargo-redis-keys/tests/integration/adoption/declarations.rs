//! Release A of a service of ten keys.

use redis_keys::prelude::*;

/// An event of the shop.
#[derive(RedisHash)]
pub struct Event {
    number: u64,
}

/// The version of a page.
#[derive(Clone, RedisKey)]
#[redis_key(page:version:{id}:string, value = u64, ttl = 1h, jitter = 5m, cache(null_ttl = 1m), legacy = "Page:{id}")]
pub struct CachedPage {
    id: u64,
}

/// How often a user has logged in.
#[derive(Clone, RedisKey)]
#[redis_key(user:logins:{id}:string, value = u64, ttl = 30d, legacy = "User:{id}:Logins")]
pub struct Logins {
    id: u64,
}

/// The user of a session.
#[derive(Clone, RedisKey)]
#[redis_key(session:user:{id}:string, value = u64, ttl = 1d, legacy = "sess-{id}")]
pub struct UserOf {
    id: u64,
}

/// The scores of a user.
#[derive(Clone, RedisKey)]
#[redis_key(user:scores:{id}:hash, field = u64, value = u64, ttl = 30d, legacy = "User:{id}:Scores")]
pub struct Scores {
    id: u64,
}

/// The tags of a user.
#[derive(Clone, RedisKey)]
#[redis_key(user:tags:{id}:set, value = u64, ttl = 30d, legacy = "Tags/{id}")]
pub struct Tags {
    id: u64,
}

/// The mails to send.
#[derive(Clone, RedisKey)]
#[redis_key(mail:queue:list, value = u64, ttl = 1d, legacy = "{{mail}}_queue")]
pub struct Mails {}

/// What has happened.
#[derive(Clone, RedisKey)]
#[redis_key(event:numbers:stream, value = Event, ttl = 1d, legacy = "Events")]
pub struct Events {}

/// The right to ship an order.
#[derive(Clone, RedisKey)]
#[redis_key(lock:order:{id}:string, lock, ttl = 10s, legacy = "lock.order-{id}")]
pub struct Shipping {
    id: u64,
}

/// The requests of a client, which count anew under the template.
#[derive(Clone, RedisKey)]
#[redis_key(rate:requests:{id}:string, limit(100 / 10h))]
pub struct Requests {
    id: u64,
}

/// The last number of an invoice.
#[derive(Clone, RedisKey)]
#[redis_key(
    invoice:last:{id}:string, value = u64, ttl = never, reason = "each number is given once",
    rebuild = "the last invoice in the database",
    legacy = "Invoice-{id}-last",
)]
pub struct Invoices {
    id: u64,
}
