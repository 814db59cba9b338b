//! Parameters of all kinds, and expiries from the end of a calendar bucket.

use std::time::{Duration, SystemTime};

use redis_keys::parameter::bucket::{Day, Hour};
use redis_keys::prelude::*;
use redis_keys::types::bitmap::BitInt;
use redis_keys::types::geo::GeoPoint;
use redis_keys::types::list::ListEnd;
use redis_keys::{ErrorKind, KeySegment, testing};
use redis_keys_tests::{Con, everywhere};

#[derive(KeySegment)]
enum Section {
    BasicInfo,
    #[redis_key(rename = "orders")]
    PastOrders,
}

#[derive(KeySegment)]
struct UserId(u64);

#[derive(RedisKey)]
#[redis_key(user:{section}:{#id % 100}:{query}:{path}:set, value = String, ttl = 1h)]
struct Everything<'p> {
    section: Section,
    id: UserId,
    #[redis_key(digest)]
    query: &'p str,
    #[redis_key(base32)]
    path: Vec<u8>,
}

#[test]
fn digest_and_base32_accept_any_text_and_bytes() {
    everywhere(|con| {
        let key = |section, id, query, path: &[u8]| Everything { section, id: UserId(id), query, path: path.to_vec() };
        let first = key(Section::BasicInfo, 1_042, "Crêpes {and} more:\n", b"/var/log\0\xff");
        con.ok(first.sadd("a"));
        let same_shard = key(Section::BasicInfo, 42, "Crêpes {and} more:\n", b"/var/log\0\xff");
        assert!(con.ok(same_shard.sismember("a")));
        for other in [
            key(Section::PastOrders, 42, "Crêpes {and} more:\n", b"/var/log\0\xff"),
            key(Section::BasicInfo, 43, "Crêpes {and} more:\n", b"/var/log\0\xff"),
            key(Section::BasicInfo, 42, "crêpes {and} more:\n", b"/var/log\0\xff"),
            key(Section::BasicInfo, 42, "Crêpes {and} more:\n", b"/var/log\0\xfe"),
        ] {
            assert!(!con.ok(other.exists()));
        }
        assert_eq!(con.refused(key(Section::BasicInfo, 1, "", b"").sadd("a")).kind(), ErrorKind::Parameter);
    });
}

#[derive(RedisHash)]
struct Event {
    what: u64,
}

macro_rules! keys {
    ($($name:ident $kind:ident ($($option:tt)*);)*) => {$(
        #[derive(RedisKey)]
        #[redis_key(user:tasks:{#id}:{day}:$kind, ttl = 1h, ttl_from_end_of = day, allow(overlap, reason = "each type has its own IDs"), $($option)*)]
        struct $name {
            id: u32,
            day: Day,
        }
    )*};
}

keys! {
    Note string (value = String);
    Count string (value = u64);
    Stock hash (field = String, value = u64);
    Record hash (value = Event);
    Items list (value = u64);
    Tags set (value = u64);
    Best zset (value = u64);
    Bits bitmap (max_bytes = 1KB);
    Visitors hyperloglog (value = u64);
    Places geo (value = String);
    Log stream (value = Event);
}

/// The remaining time of keys of the day: the clock is fixed to an hour before its end.
const TWO_HOURS: i64 = 7_200_000;

fn an_hour_before_midnight() -> (SystemTime, Day) {
    let day = Day::new(2026, 11, 21).expect("the day is valid");
    (day.end() - Duration::from_secs(3600), day)
}

/// Writes a key of each type.
fn write_all(con: &mut Con, id: u32, day: Day) {
    con.ok(Note { id, day }.set("a"));
    con.ok(Count { id: id + 1, day }.incr());
    con.ok(Stock { id, day }.hset("a", &1));
    con.ok(Record { id: id + 1, day }.store(&Event { what: 7 }));
    con.ok(Items { id, day }.lpush_many([1, 2]));
    con.ok(Items { id, day }.lmove(&Items { id, day: day.next().unwrap_or(day) }, ListEnd::Left, ListEnd::Right));
    con.ok(Tags { id, day }.sadd(&1));
    con.ok(Best { id, day }.zadd(&1, 0.5));
    con.ok(Bits { id, day }.bitfield().incr(const { BitInt::u::<5>() }, 0, 1));
    con.ok(Visitors { id, day }.pfadd(&1));
    con.ok(Places { id: id + 1, day }.geoadd("a", GeoPoint { longitude: 1.0, latitude: 2.0 }));
    con.ok(Log { id, day }.xadd(&Event { what: 7 }));
}

#[test]
fn keys_of_every_type_expire_after_the_end_of_their_day() {
    let (now, day) = an_hour_before_midnight();
    everywhere(|con| {
        let _clock = testing::fix_clock(now);
        write_all(con, 1, day);
        for kind in ["string", "hash", "list", "set", "zset", "bitmap", "hyperloglog", "stream"] {
            con.assert_left(&format!("user:tasks:{{1}}:20261121:{kind}"), TWO_HOURS);
        }
        for kind in ["string", "hash", "geo"] {
            con.assert_left(&format!("user:tasks:{{2}}:20261121:{kind}"), TWO_HOURS);
        }
        // The destination of the move is the list of the next day.
        con.assert_left("user:tasks:{1}:20261122:list", TWO_HOURS + 86_400_000);
        // The expiry is the same whenever the key is written.
        let _later = testing::fix_clock(now + Duration::from_secs(1800));
        assert!(con.ok(Note { id: 1, day }.expire()));
        con.assert_left("user:tasks:{1}:20261121:string", TWO_HOURS - 1_800_000);
    });
}

#[test]
fn writes_to_a_past_day_are_rejected() {
    let (now, day) = an_hour_before_midnight();
    everywhere(|con| {
        let _clock = testing::fix_clock(now);
        con.ok(Tags { id: 1, day }.sadd(&7));
        let _over = testing::fix_clock(now + Duration::from_secs(7200));
        assert_eq!(con.refused(Tags { id: 1, day }.sadd(&8)).kind(), ErrorKind::Expiry);
        assert_eq!(con.refused(Tags { id: 1, day }.expire()).kind(), ErrorKind::Expiry);
        assert_eq!(con.refused(Bits { id: 1, day }.setbit(1, true)).kind(), ErrorKind::Expiry);
        // Existing keys can be read and removed.
        assert!(con.ok(Tags { id: 1, day }.sismember(&7)));
        assert!(con.ok(Tags { id: 1, day }.srem(&7)));
    });
}

/// A key for the real clock.
#[derive(RedisKey)]
#[redis_key(user:done:{hour}:string, value = u64, ttl = 2h, jitter = 1h, ttl_from_end_of = hour)]
struct DoneTasks {
    hour: Hour,
}

#[test]
fn the_last_buckets_are_read_together() {
    everywhere(|con| {
        let hours: Vec<_> = Hour::last(3).collect();
        for hour in &hours {
            con.ok(DoneTasks { hour: *hour }.incr());
        }
        let keys: Vec<_> = hours.iter().map(|hour| DoneTasks { hour: *hour }).collect();
        let found: Vec<Option<u64>> = con.ok(DoneTasks::get_many(&keys));
        assert_eq!(found, [Some(1), Some(1), Some(1)]);
        let left = con.pttl(&format!("user:done:{}:string", hours[2]));
        // The hour may have ended in the meantime.
        assert!(left > 7_140_000 && left <= 4 * 3_600_000, "{left}");
    });
}
