//! Calendar buckets as hash tags.
use redis_keys::parameter::bucket::{Day, Hour};
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(page:views:{#day}:{page_id}:string, value = u64, ttl = 2d)]
struct Views {
    day: Day,
    page_id: u64,
}

#[derive(RedisKey)]
#[redis_key("shop:orders:{ #hour }:list", value = u64, ttl = 2h)]
struct Orders {
    hour: Hour,
}

/// An id as the hash tag, and with a reason.
#[derive(RedisKey)]
#[redis_key(page:visitors:{day}:{#page_id}:set, value = u64, ttl = 2d)]
struct Visitors {
    day: Day,
    page_id: u64,
}

#[derive(RedisKey)]
#[redis_key(shop:sales:{#day}:{shop_id}:string, value = u64, ttl = 2d, allow(hot_slot, reason = "written once an hour"))]
struct Sales {
    day: Day,
    shop_id: u64,
}

fn main() {
    let (day, hour) = (Day::now(), Hour::now());
    let _ = (Views { day, page_id: 1 }.get(), Orders { hour }.llen(), Visitors { day, page_id: 1 }.scard());
    let _ = Sales { day, shop_id: 1 }.get();
}
