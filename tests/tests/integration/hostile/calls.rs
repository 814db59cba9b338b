//! Accessors of every kind, each with every kind of reply.

use std::sync::LazyLock;
use std::time::Duration;

use redis_keys::cache::Token;
use redis_keys::jobs::Receipt;
use redis_keys::prelude::*;
use redis_keys::types::bitmap::{BitInt, BitOverflow};
use redis_keys::types::geo::{GeoArea, GeoPoint, GeoUnit};
use redis_keys::types::list::ListEnd;
use redis_keys::types::stream::{EntryId, GroupStart};

// The fuzz target `replies` runs these calls as well, on a connection of its own.
use super::{Con, jobs_of};

macro_rules! keys {
    ($($name:ident $word:ident $kind:ident ($($option:tt)*);)*) => {$(
        #[derive(RedisKey)]
        #[redis_key(hostile:$word:{#id}:$kind, ttl = 1h, $($option)*)]
        pub(super) struct $name {
            pub(super) id: u32,
        }
    )*};
}

keys! {
    Text text string (value = String);
    Touched touched string (value = String, renew = read);
    Fading fading string (value = String, renew = below(10m));
    Loaded loaded string (value = Vec<u8>, jitter = 5m, cache(null_ttl = 5m, refresh = 80%));
    Turn turn string (lock, allow(unusual_ttl, reason = "all keys of the table have it"));
    Count count string (value = i64);
    Narrow narrow string (value = u8);
    Float float string (value = f64);
    Items items list (value = String, renew = below(10m));
    Last last list (value = String, keep_last = 3);
    Members members set (value = String, max_len = 100);
    Ranks ranks zset (value = String);
    Jobs jobs zset (value = u64, jobs(lease = 10s, tries = 3));
    Places places geo (value = String);
    Card card hash (value = Person);
    Fields fields hash (field = String, value = i64);
    Rates rates hash (field = String, value = f64);
    Bits bits bitmap ();
    Seen seen hyperloglog (value = String);
    Log log stream (value = Person);
    Stale stale string (value = f64, jitter = 5m, cache(null_ttl = 5m, stale = 30m));
    Known known bitmap (value = u64, bloom(expected = 50, false_positives = 10%));
    Document document string (value = Json<Vec<u64>>);
    Packed packed string (value = Zstd<MessagePack<Vec<String>>>);
    Sealed sealed string (value = Secret<String>);
    Renamed renamed string (value = u64, formerly = "Hostile:{id}");
}

#[derive(RedisKey)]
#[redis_key(hostile:changes:{id}:channel, value = u64)]
struct Changes {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(hostile:hot:{id}:{copy}:string, value = String, ttl = 1h, copies = 4)]
pub(super) struct Hot {
    pub(super) id: u32,
}

#[derive(RedisKey)]
#[redis_key(hostile:limited:{#id}:string, limit(3 / 1s))]
pub(super) struct LimitedCalls {
    pub(super) id: u32,
}

#[derive(RedisHash)]
pub(super) struct Person {
    name: String,
    mail: Option<String>,
    visits: u32,
}

fn ada() -> Person {
    Person { name: "Ada".to_owned(), mail: None, visits: 1 }
}

const MIDDLE: GeoPoint = GeoPoint { longitude: 0.0, latitude: 0.0 };

fn near() -> GeoArea {
    GeoArea::radius(1.0, GeoUnit::Kilometers)
}

/// A job that was taken, and a dead one, by a server that is not hostile.
static JOBS: LazyLock<[Receipt; 2]> = LazyLock::new(|| {
    let reply = b"*6\r\n:0\r\n:0\r\n$33\r\n064748462040000000000000000000001\r\n$1\r\n1\r\n$33\r\n064748462040000000000000000000001\r\n$16\r\n4503599627370497\r\n";
    jobs_of(reply).try_into().expect("the server has two jobs")
});

fn job() -> &'static Receipt {
    &JOBS[0]
}

fn dead_job() -> &'static Receipt {
    &JOBS[1]
}

const SECOND: Duration = Duration::from_secs(1);

macro_rules! calls {
    ($con:ident, $id:ident: $($call:expr;)*) => {
        &[$((stringify!($call), |$con, $id| {
            let _ = ($id, $call);
        })),*]
    };
}

pub(super) type Call = (&'static str, fn(&mut Con, u32));

/// Calls that may fail, and must not panic.
pub(super) const CALLS: &[Call] = calls! { con, id:
    con.run(Text { id }.exists());
    con.run(Text { id }.ttl());
    con.run(Text { id }.expire());
    con.run(Text { id }.unlink());
    con.run(Text { id }.get());
    con.run(Text { id }.get_del());
    con.run(Text { id }.append("x"));
    con.run(Text { id }.strlen());
    con.run(Text { id }.getrange(0..80));
    con.run(Touched { id }.get());
    con.run(Touched { id }.get_ex());
    con.run(Fading { id }.get());
    con.run(Text::get_many((0..150).map(|id| Text { id })));
    con.run(Fading::get_many((0..60).map(|id| Fading { id })));
    con.run(Text { id }.set("x"));
    con.run(Text { id }.set("x").returning_old());
    con.run(Text { id }.set_nx("x"));
    con.update(Text { id }.update(Option::unwrap_or_default));
    con.run(Loaded { id }.get());
    con.run(Loaded::get_many((0..150).map(|id| Loaded { id })));
    con.run(Loaded { id }.set(b"x"));
    con.run(Loaded { id }.exists());
    con.run(Loaded { id }.expire());
    con.run(Loaded { id }.claim(&Token::random()));
    con.run(Loaded { id }.claim_refresh(&Token::random()));
    con.run(Loaded { id }.fill(&Token::random(), Some(b"x")));
    con.run(Loaded { id }.fill(&Token::random(), None));
    con.run(Loaded { id }.abandon(&Token::random()));
    con.run(LimitedCalls { id }.take(0));
    con.run(LimitedCalls { id }.take(2));
    con.run(Turn { id }.acquire(&Token::random()));
    con.run(Turn { id }.renew(&Token::random()));
    con.run(Turn { id }.release(&Token::random()));
    con.run(Turn { id }.is_held());
    con.run(Count { id }.get());
    con.run(Count { id }.incr());
    con.run(Count { id }.decr_by(i64::MAX));
    con.run(Narrow { id }.incr());
    con.run(Float { id }.incr_by_float(0.5));
    con.run(Items { id }.lpush("x"));
    con.run(Last { id }.rpush_many(["x", "y"]));
    con.run(Items { id }.lpop());
    con.run(Items { id }.lpop_many(5));
    con.run(Items { id }.lset(0, "x"));
    con.run(Items { id }.lrem(0, "x"));
    con.run(Items { id }.lrange(0..9));
    con.run(Items { id }.llen());
    con.run(Items { id }.lindex(0));
    con.run(Items { id }.lpos("x"));
    con.run(Items { id }.ltrim(0..5));
    con.run(Items { id }.lmove(&Items { id }, ListEnd::Left, ListEnd::Right));
    con.scan(Items { id }.lpages(2));
    con.collect(Items { id }.lpages(2));
    con.run(Members { id }.sadd("x"));
    con.run(Members { id }.sadd_many(["x", "y"]));
    con.run(Members { id }.srem_many(["x", "y"]));
    con.run(Members { id }.sismember("x"));
    con.run(Members { id }.smismember(["x", "y"]));
    con.run(Members { id }.scard());
    con.run(Members { id }.srandmember());
    con.run(Members { id }.spop_many(5));
    con.scan(Members { id }.sscan());
    con.collect(Members { id }.sscan());
    con.run(Ranks { id }.zadd("x", 1.0));
    con.run(Ranks { id }.zadd_many([("x", 1.0), ("y", 2.0)]).gt().ch());
    con.run(Ranks { id }.zincr("x", 1.0));
    con.run(Ranks { id }.zscore("x"));
    con.run(Ranks { id }.zmscore(["x", "y"]));
    con.run(Ranks { id }.zrevrank("x"));
    con.run(Ranks { id }.zrange(0..9));
    con.run(Ranks { id }.zrangebyscore_withscores(0.0.., 5));
    con.run(Ranks { id }.zrandmember());
    con.run(Ranks { id }.zrandmember_many_withscores(5));
    con.run(Ranks { id }.zpopmin());
    con.run(Ranks { id }.zpopmax_many(5));
    con.run(Ranks { id }.zcount(0.0..));
    con.run(Ranks { id }.zrem("x"));
    con.run(Ranks { id }.zremrangebyrank(0..5));
    con.scan(Ranks { id }.zscan());
    con.run(Jobs { id }.push(&1));
    con.run(Jobs { id }.push_many([1, 2]).delay(SECOND));
    con.run(Jobs { id }.take(5));
    con.run(Jobs { id }.ack(job()));
    con.run(Jobs { id }.ack_many([job(), job()]));
    con.run(Jobs { id }.retry(job(), SECOND));
    con.run(Jobs { id }.extend(job()));
    con.run(Jobs { id }.bury(job()));
    con.run(Jobs { id }.dead(..5));
    con.run(Jobs { id }.revive(dead_job()));
    con.run(Jobs { id }.counts());
    con.run(Places { id }.geoadd("x", MIDDLE));
    con.run(Places { id }.geopos("x"));
    con.run(Places { id }.geopos_many(["x", "y"]));
    con.run(Places { id }.geodist("x", "y", GeoUnit::Meters));
    con.run(Places { id }.geohash("x"));
    con.run(Places { id }.geohash_many(["x", "y"]));
    con.run(Places { id }.geosearch(MIDDLE, near(), 5));
    con.run(Places { id }.geosearch(MIDDLE, near(), 5).with_dist());
    con.run(Places { id }.geosearch(MIDDLE, near(), 5).with_coord());
    con.run(Places { id }.geosearch_by_member("x", near(), 5).with_dist_and_coord());
    con.scan(Places { id }.zscan());
    con.run(Card { id }.load());
    con.run(Card { id }.store(&ada()));
    con.run(Card { id }.hget(Person::MAIL));
    con.run(Card { id }.hset(Person::NAME, "Ada"));
    con.run(Card { id }.hincr(Person::VISITS, 1));
    con.run(Card { id }.hdel(Person::MAIL));
    con.run(Fields { id }.hget("x"));
    con.run(Fields { id }.hmget(["x", "y"]));
    con.run(Fields { id }.hset("x", &1));
    con.run(Fields { id }.hset_many([("x", 1), ("y", 2)]));
    con.run(Fields { id }.hset_nx("x", &1));
    con.run(Fields { id }.hdel_many(["x", "y"]));
    con.run(Fields { id }.hlen());
    con.run(Fields { id }.hstrlen("x"));
    con.run(Fields { id }.hincr("x", 1));
    con.run(Rates { id }.hincr_by_float("x", 0.5));
    con.run(Fields { id }.hrandfield());
    con.run(Fields { id }.hrandfield_many(5));
    con.run(Fields { id }.hexpire("x", SECOND));
    con.run(Fields { id }.httl("x"));
    con.run(Fields { id }.hpersist("x"));
    con.scan(Fields { id }.hscan());
    con.collect(Fields { id }.hscan());
    con.run(Bits { id }.setbit(7, true));
    con.run(Bits { id }.getbit(7));
    con.run(Bits { id }.bitcount());
    con.run(Bits { id }.bitpos(true));
    con.run(Bits { id }.bitfield().get(BitInt::u::<5>(), 0).incr(BitInt::u::<63>(), 0, 1));
    con.run(Bits { id }.bitfield().overflow(BitOverflow::Sat).incr(BitInt::i::<64>(), 0, 1));
    con.run(Seen { id }.pfadd("x"));
    con.run(Seen { id }.pfcount());
    con.run(Seen { id }.pfmerge([&Seen { id }]));
    con.run(Log { id }.xadd(&ada()));
    con.run(Log { id }.xadd(&ada()).id(EntryId::MAX));
    con.run(Log { id }.xlen());
    con.run(Log { id }.xrange(.., 5));
    con.run(Log { id }.xrevrange(.., 5));
    con.run(Log { id }.xread(EntryId::MIN, 5));
    con.run(Log { id }.xdel(EntryId::MIN));
    con.run(Log { id }.xtrim(5));
    con.scan(Log { id }.xpages(2));
    con.run(Log { id }.group("readers").create(GroupStart::Start));
    con.run(Log { id }.group("readers").set_id(GroupStart::End));
    con.run(Log { id }.group("readers").destroy());
    con.run(Log { id }.group("readers").read("ada", 5));
    con.run(Log { id }.group("readers").read_pending("ada", EntryId::MIN, 5));
    con.run(Log { id }.group("readers").claim("ada", SECOND, EntryId::MIN, 5));
    con.run(Log { id }.group("readers").ack(EntryId::MIN));
    con.run(Log { id }.group("readers").pending(.., 5));
    con.run(Log { id }.group("readers").pending_summary());
    con.run(Log { id }.group("readers").consumers());
    con.run(Log { id }.group("readers").delete_consumer("ada"));
    con.run(Hot { id }.exists());
    con.run(Hot { id }.set("x"));
    con.run(Hot { id }.expire());
    con.run(Hot { id }.unlink());
    con.get_copy(Hot { id }.get());
    con.purge(&Text { id });
    con.purge(&Items { id });
    con.purge(&Members { id });
    con.purge(&Ranks { id });
    con.purge(&Fields { id });
    con.purge(&Log { id });
    con.scan_keys(Text::scan());
    con.batch(Text::get_many((0..150).map(|id| Text { id })));
    con.batch_each([Count { id }.incr(), Count { id }.incr()]);
    con.batch((Text { id }.get(), Fading { id }.get(), Members { id }.sadd("x"), Hot { id }.exists()));
    con.batch((0..20).map(|id| (Text { id }.get(), Items { id }.lpush("x"))).collect::<Vec<_>>());
    con.atomic((Text { id }.get(), Count { id }.incr()));
    con.run(Stale { id }.get());
    con.run(Stale { id }.claim(&Token::random()));
    con.run(Stale { id }.fail(&Token::random()));
    con.run(Known { id }.add(&42));
    con.run(Known { id }.might_contain(&42));
    con.run(Known { id }.might_contain_many([42, 43]));
    con.run(Known { id }.begin()).map(|build| con.run(Known { id }.finish(build, [42, 43])));
    con.run(Document { id }.get());
    con.run(Document::get_many((0..3).map(|id| Document { id })));
    con.run(Packed { id }.get());
    con.run(Sealed { id }.get());
    con.run(Renamed { id }.take_over());
    con.run(Renamed { id }.other_name().get());
    con.run(Changes { id }.publish(&42));
};
