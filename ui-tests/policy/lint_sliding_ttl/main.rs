//! Collections that live and grow for as long as they are used.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(shop:visitors:{id}:set, value = u64, ttl = 1d, renew = write)]
struct Visitors {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:seen:{id}:list, value = u64, ttl = "1d", renew = "below(1h)", max_len = 100)]
struct SeenPages {
    id: u64,
}

/// Trimmed, divided by time, and with a reason.
#[derive(RedisKey)]
#[redis_key(user:recent:{id}:list, value = u64, ttl = 1d, renew = read, keep_last = 100)]
struct Recent {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(shop:buyers:{month}:set, value = u64, ttl = 31d, renew = write)]
struct Buyers {
    month: redis_keys::parameter::bucket::Month,
}

#[derive(RedisKey)]
#[redis_key(shop:open:{id}:set, value = u64, ttl = 1d, renew = write, allow(sliding_ttl, reason = "an order leaves it"))]
struct Open {
    id: u64,
}

fn main() {
    let _ = (Visitors { id: 1 }.scard(), SeenPages { id: 1 }.llen(), Recent { id: 1 }.llen(), Open { id: 1 }.scard());
    let _ = Buyers { month: redis_keys::parameter::bucket::Month::now() }.scard();
}
