//! Every accessor counts once, and as many commands as the table says reach the server.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test cannot continue when it fails")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use redis_keys::cache::Token;
use redis_keys::jobs::Receipt;
use redis_keys::prelude::*;
use redis_keys::types::bitmap::BitInt;
use redis_keys::types::bloom::Build;
use redis_keys::types::list::ListEnd;
use redis_keys::types::stream::EntryId;

use super::monitored::{MonitoredServer, calls_since};
use crate::observe::{Recorder, observed};

#[derive(RedisKey)]
#[redis_key(report:name:{id}:string, value = String, ttl = 1h)]
struct Name {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:fading:{id}:string, value = String, ttl = 1h, renew = below(59m))]
struct Fading {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:views:{id}:string, value = u64, ttl = 1h)]
struct Views {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:price:{id}:string, value = f64, ttl = 1h)]
struct Price {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:cached:{id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, lease = 10s, refresh = 80%))]
struct CachedText {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:kept:{id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, stale = 1h))]
struct KeptText {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:banner:{id}:{copy}:string, value = String, ttl = 1h, copies = 3)]
struct Banner {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:logins:{id}:string, value = u64, ttl = 1h, formerly = "Logins:{id}")]
struct Logins {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:lock:{id}:string, lock, ttl = 30s)]
struct OrderLock {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:limit:{id}:string, limit(100 / 1m, burst = 20))]
struct PerUser {
    id: u64,
}

#[derive(RedisHash)]
struct Profile {
    name: String,
    visits: u32,
    code: Option<u32>,
}

#[derive(RedisKey)]
#[redis_key(report:profile:{id}:hash, value = Profile, ttl = 1h)]
struct UserProfile {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:votes:{id}:hash, field = u64, value = i32, ttl = 1h, max_len = 1000)]
struct Votes {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:prices:{id}:hash, field = String, value = f64, ttl = 1h)]
struct Prices {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:waiting:{id}:list, value = u64, ttl = 1h, max_len = 1000)]
struct Waiting {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:followers:{id}:set, value = u64, ttl = 1h, max_len = 1000)]
struct Followers {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:scores:{id}:zset, value = u64, ttl = 1h)]
struct Scores {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:seen:{id}:geo, value = u64, ttl = 1h)]
struct SeenAt {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:days:{id}:bitmap, ttl = 1h)]
struct Days {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:known:{id}:bitmap, value = u64, ttl = 1h, bloom(expected = 50, false_positives = 1%))]
struct KnownOrders {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:visitors:{id}:hyperloglog, value = u64, ttl = 1h)]
struct Visitors {
    id: u64,
}

#[derive(RedisHash)]
struct Payment {
    order: u64,
}

#[derive(RedisKey)]
#[redis_key(report:payments:{id}:stream, value = Payment, ttl = 1h, keep_last = ~5000)]
struct Payments {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:thumbnails:{id}:zset, value = u64, ttl = 1h, jobs(lease = 1m, tries = 5))]
struct Thumbnails {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:changes:{id}:channel, value = u64)]
struct Changes {
    id: u64,
}

/// Long enough for the server, short enough for a test.
const WAIT: Duration = Duration::from_millis(10);

struct Test<'r> {
    monitored: MonitoredServer,
    recorder: &'r Recorder,
    accessors: BTreeSet<&'static str>,
}

impl Test<'_> {
    /// Asserts what a call counts, and how many commands reach the server.
    fn check<T>(
        &mut self,
        (call, accessor, outcome, lines): (&str, &'static str, &str, usize),
        run: impl FnOnce(&mut redis::Connection) -> T,
    ) -> T {
        let before = self.recorder.counters("redis_keys_commands_total");
        let result = run(&mut self.monitored.con);
        let calls = calls_since(&before, self.recorder);
        let [(template, command, counted, number)] = &calls[..] else { panic!("{call}: {calls:?}") };
        assert_eq!((command.as_str(), counted.as_str(), *number), (accessor, outcome, 1), "{call}");
        let sent = self.monitored.lines();
        assert_eq!(sent.len(), lines, "{call}: {sent:#?}");
        let prefix = template.split('{').next().unwrap();
        assert!(sent.iter().all(|line| line.contains(prefix)), "{call}: {template}: {sent:#?}");
        self.accessors.insert(accessor);
        result
    }
}

/// A call in each row: the accessor, its outcome, and the number of lines of MONITOR.
macro_rules! calls {
    ($test:ident; $($accessor:literal $outcome:ident $lines:literal $call:expr;)*) => {$(
        $test.check((stringify!($call), $accessor, stringify!($outcome), $lines), |con| {
            _ = $call.query(con).unwrap();
        });
    )*};
}

/// As `calls!`, for scans, of which each page is a call.
macro_rules! scans {
    ($test:ident; $($accessor:literal $outcome:ident $lines:literal $call:expr;)*) => {$(
        $test.check((stringify!($call), $accessor, stringify!($outcome), $lines), |con| {
            assert!($call.iter(con).all(|element| element.is_ok()));
        });
    )*};
}

#[test]
fn every_accessor_counts_once() {
    observed!(recorder, _subscriber);
    let mut monitored = MonitoredServer::start();
    load_scripts(&mut monitored.con);
    monitored.lines();

    let mut test = Test { monitored, recorder: &recorder, accessors: BTreeSet::new() };
    strings(&mut test);
    roles(&mut test);
    hashes(&mut test);
    lists_and_sets(&mut test);
    sorted_sets(&mut test);
    places(&mut test);
    bits(&mut test);
    streams(&mut test);
    jobs(&mut test);

    let all: BTreeSet<_> = redis_keys::__private::accessor_names().collect();
    let missing: Vec<_> = all.symmetric_difference(&test.accessors).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Loads all scripts, whose first calls would otherwise be repeated with their text.
fn load_scripts(con: &mut redis::Connection) {
    let folders = ["redis-keys", "redis-keys-core"].map(|name| format!("../{name}/src/lua"));
    let folders = folders.map(|folder| fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap());
    for file in folders.into_iter().flatten() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "lua") {
            let text = fs::read_to_string(path).unwrap();
            let code = text.lines().filter(|line| !line.is_empty() && !line.trim_start().starts_with("--"));
            let code: String = code.map(|line| line.to_owned() + "\n").collect();
            let _: String = redis::cmd("SCRIPT").arg("LOAD").arg(code).query(con).unwrap();
        }
    }
}

fn strings(test: &mut Test<'_>) {
    let (name, views, price, fading) = (Name { id: 1 }, Views { id: 1 }, Price { id: 1 }, Fading { id: 1 });
    let many = |count| (0..count).map(|id| Name { id: 1000 + id });
    calls! { test;
        "get" absent 1 name.get();
        "set" ok 1 name.set("Ada");
        "get" ok 1 name.get();
        "get" absent 2 fading.get();
        "get_ex" ok 1 name.get_ex();
        "set_nx" ok 1 name.set_nx("Bob");
        "set_xx" ok 1 name.set_xx("Bob");
        "set_xx" ok 1 Name { id: 2 }.set_xx("Bob");
        "set" ok 1 name.set("Ada").keep_ttl();
        "update" ok 2 name.update(|old| old.unwrap_or_default() + "!");
        "strlen" ok 1 name.strlen();
        "getrange" ok 1 name.getrange(0..2);
        "append" ok 1 name.append("!");
        "get_many" ok 1 Name::get_many([Name { id: 1 }, Name { id: 2 }]);
        "get_many" absent 3 Name::get_many(many(250));
        "get_del" ok 1 name.get_del();
        "get_del" absent 1 name.get_del();
        "incr" ok 1 views.incr();
        "incr_by" ok 1 views.incr_by(5);
        "decr" ok 1 views.decr();
        "decr_by" ok 1 views.decr_by(2);
        "incr_by_float" ok 1 price.incr_by_float(0.5);
        "exists" ok 1 views.exists();
        "ttl" ok 1 views.ttl();
        "expire" ok 1 views.expire();
        "expire_in" ok 1 views.expire_in(Duration::from_secs(60));
        "purge" ok 1 price.purge();
        "unlink" ok 1 views.unlink();
    }
    // Before the page, the server says whether it is part of a cluster.
    let before = test.recorder.counters("redis_keys_commands_total");
    assert_eq!(Name::scan().iter(&mut test.monitored.con).count(), 0);
    let [(_, accessor, outcome, 1)] = &calls_since(&before, test.recorder)[..] else { panic!("one call") };
    assert_eq!((accessor.as_str(), outcome.as_str()), ("scan", "ok"));
    assert_eq!(test.monitored.lines().iter().filter(|line| line.starts_with("\"SCAN\"")).count(), 1);
    test.accessors.insert("scan");
}

fn roles(test: &mut Test<'_>) {
    let (cached, token) = (CachedText { id: 1 }, Token::random());
    let (banner, logins, lock) = (Banner { id: 1 }, Logins { id: 1 }, OrderLock { id: 1 });
    calls! { test;
        "get" absent 1 cached.get();
        "get_many" absent 1 CachedText::get_many([CachedText { id: 1 }]);
        "claim" ok 1 cached.claim(&token);
        "get" absent 1 cached.get();
        "fill" ok 1 cached.fill(&token, None);
        "get" absent 1 cached.get();
        "unlink" ok 1 cached.unlink();
        "claim" ok 1 cached.claim(&token);
        "fill" ok 1 cached.fill(&token, Some("Ada"));
        "set" ok 1 cached.set("Ada");
        "get" ok 1 cached.get();
        "claim_refresh" ok 1 cached.claim_refresh(&token);
        "abandon" ok 1 cached.abandon(&token);
        "set" ok 1 KeptText { id: 1 }.set("Ada");
        "fail" ok 1 KeptText { id: 1 }.fail(&token);
        "exists" ok 1 cached.exists();
        "set" ok 3 banner.set("Sale");
        "get" ok 1 banner.get();
        "exists" ok 3 banner.exists();
        "expire" ok 3 banner.expire();
        "unlink" ok 3 banner.unlink();
        // One copy, and whether the two others exist.
        "get" absent 3 banner.get();
        "take_over" ok 1 logins.take_over();
        "acquire" ok 1 lock.acquire(&token);
        "renew" ok 1 lock.renew(&token);
        "is_held" ok 1 lock.is_held();
        "release" ok 1 lock.release(&token);
        "take" ok 1 PerUser { id: 1 }.take(1);
        "publish" ok 1 Changes { id: 1 }.publish(&7);
    }
}

fn hashes(test: &mut Test<'_>) {
    let (profile, votes, prices) = (UserProfile { id: 1 }, Votes { id: 1 }, Prices { id: 1 });
    let ada = Profile { name: "Ada".to_owned(), visits: 1, code: None };
    calls! { test;
        "load" absent 1 profile.load();
        "store" ok 1 profile.store(&ada);
        "load" ok 1 profile.load();
        "hget" ok 1 profile.hget(Profile::NAME);
        "hget" absent 1 profile.hget(Profile::CODE);
        "hset" ok 1 profile.hset(Profile::CODE, &1);
        "hincr" ok 1 profile.hincr(Profile::VISITS, 1);
        "hexists" ok 1 profile.hexists(Profile::CODE);
        "hdel" ok 1 profile.hdel(Profile::CODE);
        "hget" absent 1 votes.hget(&7);
        "hset" ok 1 votes.hset(&7, &-1);
        "hset_many" ok 1 votes.hset_many([(8, 1), (9, 1)]);
        "hset_nx" ok 1 votes.hset_nx(&7, &1);
        "hmget" ok 1 votes.hmget([7, 100]);
        "hmget" absent 2 votes.hmget(100..250);
        "hexists" ok 1 votes.hexists(&7);
        "hlen" ok 1 votes.hlen();
        "hstrlen" ok 1 votes.hstrlen(&7);
        "hincr" ok 1 votes.hincr(&7, 2);
        "hdecr" ok 1 votes.hdecr(&7, 2);
        "hincr_by_float" ok 1 prices.hincr_by_float("tea", 0.5);
        "entries" ok 1 votes.entries();
        "hrandfield" ok 1 votes.hrandfield();
        "hrandfield_many" ok 1 votes.hrandfield_many(2);
        "hdel" ok 1 votes.hdel(&7);
        "hdel_many" ok 1 votes.hdel_many([7, 8]);
    }
    scans! { test; "hscan" ok 1 votes.hscan(); }
    // Older servers do not know the expiry of fields. That is an outcome too, and MONITOR does not show it.
    let knows_it = redis::cmd("HPTTL").arg(&["x", "FIELDS", "1", "x"]).exec(&mut test.monitored.con).is_ok();
    test.monitored.lines();
    let (outcome, lines) = if knows_it { ("ok", 1) } else { ("failed", 0) };
    test.check(("votes.httl(&9)", "httl", outcome, lines), |con| _ = votes.httl(&9).query(con));
    for (accessor, call) in [("hexpire", votes.hexpire(&9, Duration::from_secs(60))), ("hpersist", votes.hpersist(&9))]
    {
        test.check((accessor, accessor, outcome, lines), |con| _ = call.query(con));
    }
}

fn lists_and_sets(test: &mut Test<'_>) {
    let (waiting, taken, followers) = (Waiting { id: 1 }, Waiting { id: 2 }, Followers { id: 1 });
    let (left, right) = (ListEnd::Left, ListEnd::Right);
    calls! { test;
        "lpop" absent 1 waiting.lpop();
        "lpush" ok 1 waiting.lpush(&7);
        "lpush_many" ok 1 waiting.lpush_many([7, 8]);
        "rpush" ok 1 waiting.rpush(&7);
        "rpush_many" ok 1 waiting.rpush_many([7; 20]);
        "lpop" ok 1 waiting.lpop();
        "lpop_many" ok 1 waiting.lpop_many(2);
        "rpop" ok 1 waiting.rpop();
        "rpop_many" ok 1 waiting.rpop_many(2);
        "lmove" ok 1 waiting.lmove(&taken, left, right);
        "lset" ok 1 waiting.lset(-1, &7);
        "lrange" ok 1 waiting.lrange(..10);
        "lrange" absent 1 waiting.lrange(1000..1010);
        "items" ok 1 waiting.items();
        "llen" ok 1 waiting.llen();
        "lindex" ok 1 waiting.lindex(0);
        "lpos" ok 1 waiting.lpos(&7);
        "lpos" absent 1 waiting.lpos(&99);
        "lrem" ok 1 waiting.lrem(1, &7);
        "ltrim" ok 1 waiting.ltrim(0..5);
        "blpop" ok 1 waiting.blpop(WAIT);
        "brpop" ok 1 waiting.brpop(WAIT);
        "blmove" ok 1 waiting.blmove(&taken, left, right, WAIT);
        "blpop" absent 1 Waiting { id: 3 }.blpop(WAIT);
        // The script that takes, and the command that waits.
        "blmove" absent 2 Waiting { id: 3 }.blmove(&taken, left, right, WAIT);
        "sadd" ok 1 followers.sadd(&7);
        "sadd_many" ok 1 followers.sadd_many(1..20);
        "srem" ok 1 followers.srem(&7);
        "srem_many" ok 1 followers.srem_many([1, 2]);
        "sismember" ok 1 followers.sismember(&7);
        "smismember" ok 1 followers.smismember([7, 8]);
        "scard" ok 1 followers.scard();
        "members" ok 1 followers.members();
        "srandmember" ok 1 followers.srandmember();
        "srandmember_many" ok 1 followers.srandmember_many(2);
        "spop" ok 1 followers.spop();
        "spop_many" ok 1 followers.spop_many(2);
        "spop" absent 1 Followers { id: 3 }.spop();
    }
    scans! { test;
        "lpages" ok 1 waiting.lpages(100);
        "sscan" ok 1 followers.sscan();
    }
}

fn sorted_sets(test: &mut Test<'_>) {
    let scores = Scores { id: 1 };
    calls! { test;
        "zscore" absent 1 scores.zscore(&42);
        "zadd" ok 1 scores.zadd(&42, 9.5);
        "zadd_many" ok 1 scores.zadd_many((0_u32..30).map(|id| (u64::from(id), f64::from(id))));
        "zincr" ok 1 scores.zincr(&42, 0.5);
        "zscore" ok 1 scores.zscore(&42);
        "zmscore" ok 1 scores.zmscore([42, 1000]);
        "zrank" ok 1 scores.zrank(&42);
        "zrank" absent 1 scores.zrank(&1000);
        "zrevrank" ok 1 scores.zrevrank(&42);
        "zrange" ok 1 scores.zrange(0..10);
        "zrange_withscores" ok 1 scores.zrange_withscores(0..10);
        "zrevrange" ok 1 scores.zrevrange(0..10);
        "zrevrange_withscores" ok 1 scores.zrevrange_withscores(0..10);
        "zrangebyscore" ok 1 scores.zrangebyscore(5.0.., 20);
        "zrangebyscore_withscores" ok 1 scores.zrangebyscore_withscores(5.0..9.5, 20);
        "zrevrangebyscore" ok 1 scores.zrevrangebyscore(..=9.5, 20);
        "zrevrangebyscore_withscores" ok 1 scores.zrevrangebyscore_withscores(5.0..9.5, 20);
        "zrandmember" ok 1 scores.zrandmember();
        "zrandmember_many" ok 1 scores.zrandmember_many(3);
        "zrandmember_many_withscores" ok 1 scores.zrandmember_many_withscores(3);
        "zcard" ok 1 scores.zcard();
        "zcount" ok 1 scores.zcount(5.0..9.5);
        "zpopmin" ok 1 scores.zpopmin();
        "zpopmin_many" ok 1 scores.zpopmin_many(2);
        "zpopmax" ok 1 scores.zpopmax();
        "zpopmax_many" ok 1 scores.zpopmax_many(2);
        "bzpopmin" ok 1 scores.bzpopmin(WAIT);
        "bzpopmax" ok 1 scores.bzpopmax(WAIT);
        "zrem" ok 1 scores.zrem(&10);
        "zrem_many" ok 1 scores.zrem_many([11, 12]);
        "zremrangebyscore" ok 1 scores.zremrangebyscore(..5.0);
        "zremrangebyrank" ok 1 scores.zremrangebyrank(0..1);
    }
    scans! { test; "zscan" ok 1 scores.zscan(); }
}

fn places(test: &mut Test<'_>) {
    let seen = SeenAt { id: 1 };
    let here = GeoPoint { longitude: 13.5, latitude: 38.25 };
    let near = GeoArea::radius(2.0, GeoUnit::Kilometers);
    calls! { test;
        "geosearch" absent 1 seen.geosearch(here, near, 5);
        "geoadd" ok 1 seen.geoadd(&7, here);
        "geoadd_many" ok 1 seen.geoadd_many([(8, here), (9, here)]);
        "geopos" ok 1 seen.geopos(&7);
        "geopos" absent 1 seen.geopos(&1000);
        "geopos_many" ok 1 seen.geopos_many([7, 1000]);
        "geodist" ok 1 seen.geodist(&7, &8, GeoUnit::Meters);
        "geohash" ok 1 seen.geohash(&7);
        "geohash_many" ok 1 seen.geohash_many([7, 8]);
        "geosearch" ok 1 seen.geosearch(here, near, 5).with_dist();
        "geosearch_by_member" ok 1 seen.geosearch_by_member(&7, near, 5);
        "zcard" ok 1 seen.zcard();
        "zrem" ok 1 seen.zrem(&7);
        "zrem_many" ok 1 seen.zrem_many([8]);
    }
    scans! { test; "zscan" ok 1 seen.zscan(); }
}

fn bits(test: &mut Test<'_>) {
    let (days, known, visitors) = (Days { id: 1 }, KnownOrders { id: 1 }, Visitors { id: 1 });
    calls! { test;
        "setbit" ok 1 days.setbit(17, true);
        "getbit" ok 1 days.getbit(17);
        "bitcount" ok 1 days.bitcount();
        "bitcount_range" ok 1 days.bitcount_range(0..2);
        "bitpos" ok 1 days.bitpos(true);
        "bitpos_range" absent 1 days.bitpos_range(true, 0..2);
        "bitfield" ok 1 days.bitfield().get(BitInt::u::<8>(), 0);
        "add" ok 1 known.add(&7);
        "add_many" ok 1 known.add_many([7, 8]);
        "might_contain" ok 1 known.might_contain(&7);
        "might_contain_many" ok 1 known.might_contain_many([7, 9]);
        "pfadd" ok 1 visitors.pfadd(&7);
        "pfadd_many" ok 1 visitors.pfadd_many([7, 8]);
        "pfcount" ok 1 visitors.pfcount();
        "pfcount_with" ok 1 visitors.pfcount_with([&Visitors { id: 2 }]);
        "pfmerge" ok 1 visitors.pfmerge([&Visitors { id: 2 }]);
    }
    let build: Build = test.check(("known.begin()", "begin", "ok", 1), |con| known.begin().query(con).unwrap());
    calls! { test; "finish" ok 1 known.finish(build, [7]); }
}

fn streams(test: &mut Test<'_>) {
    let payments = Payments { id: 1 };
    let (billing, id) = (payments.group("billing"), EntryId::new(1, 3));
    let minute = Duration::from_secs(60);
    calls! { test;
        "xrange" absent 1 payments.xrange(.., 10);
        "xadd" ok 1 payments.xadd(&Payment { order: 42 });
        "xadd" ok 1 payments.xadd(&Payment { order: 43 });
        "xlen" ok 1 payments.xlen();
        "xrange" ok 1 payments.xrange(.., 10);
        "xrevrange" ok 1 payments.xrevrange(.., 10);
        "xread" ok 1 payments.xread(id, 10);
        "xread" absent 1 payments.xread(EntryId::MAX, 10);
        "xread_block" ok 1 payments.xread_block(id, 10, WAIT);
        "xread_block" absent 1 payments.xread_block(EntryId::MAX, 10, WAIT);
        "xdel" ok 1 payments.xdel(id);
        "xdel_many" ok 1 payments.xdel_many([id]);
        "xtrim" ok 1 payments.xtrim(100);
        "xtrim_about" ok 1 payments.xtrim_about(100);
        "xtrim_before" ok 1 payments.xtrim_before(id);
        "create" ok 1 billing.create(GroupStart::Start);
        "read" ok 1 billing.read("worker-1", 1);
        "read_block" ok 1 billing.read_block("worker-1", 10, WAIT);
        "read" absent 1 billing.read("worker-1", 10);
        "set_id" ok 1 billing.set_id(GroupStart::After(id));
        "ack" ok 1 billing.ack(id);
        "ack_many" ok 1 billing.ack_many([id]);
        "read_pending" ok 1 billing.read_pending("worker-1", EntryId::MIN, 10);
        "claim" ok 1 billing.claim("worker-1", minute, EntryId::MIN, 10);
        "pending" ok 1 billing.pending(.., 10);
        "pending_summary" ok 1 billing.pending_summary();
        "consumers" ok 1 billing.consumers();
        "delete_consumer" ok 1 billing.delete_consumer("worker-1");
        "destroy" ok 1 billing.destroy();
    }
    scans! { test; "xpages" ok 1 payments.xpages(100); }
}

fn jobs(test: &mut Test<'_>) {
    let queue = Thumbnails { id: 1 };
    calls! { test;
        "push" ok 1 queue.push(&42);
        "push_many" ok 1 queue.push_many(43..50);
        "counts" ok 1 queue.counts();
        "dead" absent 1 queue.dead(..10);
    }
    let take = |test: &mut Test<'_>| -> Receipt {
        let taken = test.check(("queue.take(1)", "take", "ok", 1), |con| queue.take(1).query(con).unwrap());
        AsRef::<Receipt>::as_ref(&taken.jobs[0]).clone()
    };
    let (first, second, third, fourth) = (take(test), take(test), take(test), take(test));
    calls! { test;
        "extend" ok 1 queue.extend(&first);
        "ack" ok 1 queue.ack(&first);
        "ack_many" ok 1 queue.ack_many([&second]);
        "retry" ok 1 queue.retry(&third, Duration::ZERO);
        "bury" ok 1 queue.bury(&fourth);
    }
    let dead = test.check(("queue.dead(..10)", "dead", "ok", 1), |con| queue.dead(..10).query(con).unwrap());
    calls! { test; "revive" ok 1 queue.revive(&dead[0]); }
}
