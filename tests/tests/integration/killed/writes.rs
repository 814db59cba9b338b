//! All writes that can create a key.

use std::time::Duration;

use redis_keys::Batch;
use redis_keys::cache::Token;
use redis_keys::parameter::bucket::Month;
use redis_keys::prelude::*;
use redis_keys::types::bitmap::BitInt;
use redis_keys::types::geo::GeoPoint;
use redis_keys::types::list::ListEnd;
use redis_keys::types::stream::{EntryId, GroupStart};
use redis_keys_tests::Con;

/// Creates a key from an ID that no other write uses.
pub(super) type Write = fn(&mut Con, u32);

macro_rules! writes {
    ($con:ident, $id:ident: $($write:expr;)*) => {
        &[$(|$con, $id| {
            let _ = $write;
        }),*]
    };
}

pub(super) const WRITES: &[Write] = writes! { con, id:
    con.ok(Text { id }.set("x"));
    con.ok(Text { id }.set("x").keep_ttl());
    con.ok(Text { id }.set("x").returning_old());
    con.ok(Text { id }.set_nx("x"));
    con.ok(Text { id }.append("x"));
    con.ok(Sliding { id }.append("x"));
    con.ok(Loaded { id }.set("x"));
    con.ok(Loaded { id }.set("x").expire_in(Duration::from_secs(60)));
    con.ok(Loaded { id }.claim(&Token::random()));
    con.ok(Loaded { id }.abandon(&Token::random()));
    {
        let token = Token::random();
        con.ok(Loaded { id }.claim(&token));
        con.ok(Loaded { id }.fill(&token, (id % 2 == 0).then_some("x")))
    };
    {
        con.ok(Loaded { id }.set("x").expire_in(Duration::from_secs(60)));
        con.ok(Loaded { id }.claim_refresh(&Token::random()))
    };
    con.ok(Limited { id }.take(1));
    con.ok(Thirds { id }.take(2));
    con.ok(Turn { id }.acquire(&Token::random()));
    con.ok(Turn { id }.release(&Token::random()));
    {
        let token = Token::random();
        con.ok(Turn { id }.acquire(&token));
        con.ok(Turn { id }.renew(&token));
        con.ok(Turn { id }.release(&token))
    };
    con.ok(Count { id }.incr());
    con.ok(Narrow { id }.incr_by(7));
    con.ok(Float { id }.incr_by_float(0.5));
    con.update(Text { id }.update(|_| "x".to_owned())).expect("the write succeeds");
    con.ok(Items { id }.lpush("x"));
    con.ok(Items { id }.rpush_many(["x", "y"]));
    con.ok(Last { id }.lpush_many(["x", "y", "z"]));
    con.ok(Card { id }.store(&ada()));
    {
        con.ok(Items { id }.lpush("x"));
        con.ok(Items { id }.lmove(&Moved { id }, ListEnd::Left, ListEnd::Right))
    };
    con.ok(Members { id }.sadd("x"));
    con.ok(Members { id }.sadd_many(["x", "y"]));
    con.ok(Ranks { id }.zadd("x", 1.0));
    con.ok(Ranks { id }.zadd_many([("x", 1.0), ("y", 2.0)]));
    con.ok(Ranks { id }.zincr("x", 1.0));
    con.ok(Top { id }.zadd_many([("x", 1.0), ("y", 2.0), ("z", 3.0)]));
    con.ok(Places { id }.geoadd("x", MIDDLE));
    con.ok(Places { id }.geoadd_many([("x", MIDDLE), ("y", MIDDLE)]).nx());
    con.ok(Fields { id }.hset("x", &1));
    con.ok(Fields { id }.hset_many([("x", 1), ("y", 2)]));
    con.ok(Fields { id }.hset_nx("x", &1));
    con.ok(Fields { id }.hincr("x", 1));
    con.ok(Rates { id }.hincr_by_float("x", 0.5));
    con.ok(Bits { id }.setbit(7, true));
    con.ok(Bits { id }.bitfield().incr(BitInt::u::<5>(), 0, 1));
    con.ok(Seen { id }.pfadd("x"));
    con.ok(Seen { id }.pfadd_many(["x", "y"]));
    {
        con.ok(Seen { id }.pfadd("x"));
        con.ok(AllSeen { id }.pfmerge(&[Seen { id }]));
    };
    con.ok(Log { id }.xadd(&ada()));
    con.ok(Log { id }.group("readers").create(GroupStart::Start));
    con.ok(LastLog { id }.xadd(&ada()).id(EntryId::MAX));
    con.ok(Hot { id }.set("x"));
    con.ok(Tasks { id, month: Month::now() }.sadd("x"));
    con.ok(Jobs { id }.push("x"));
    con.ok(Jobs { id }.push_many(["x", "y"]).delay(Duration::from_secs(60)));
    {
        con.ok(Jobs { id }.push("x"));
        let job = con.ok(Jobs { id }.take(1)).jobs.remove(0);
        con.ok(Jobs { id }.extend(&job));
        con.ok(Jobs { id }.retry(&job, Duration::ZERO));
        con.ok(Jobs { id }.bury(&job));
        let dead = con.ok(Jobs { id }.dead(..1)).remove(0);
        con.ok(Jobs { id }.revive(&dead))
    };
    con.batch(several(id)).expect("the write succeeds");
    con.atomic(several(id)).expect("the write succeeds");
};

fn several(id: u32) -> impl Batch {
    (
        Text { id }.append("x"),
        Count { id }.incr(),
        Items { id }.lpush("x"),
        Members { id }.sadd("x"),
        Ranks { id }.zincr("x", 1.0),
        Fields { id }.hset("x", &1),
        Bits { id }.setbit(7, true),
        Seen { id }.pfadd("x"),
        Log { id }.xadd(&ada()),
    )
}

macro_rules! keys {
    ($($name:ident $word:ident $kind:ident ($($option:tt)*);)*) => {$(
        #[derive(RedisKey)]
        #[redis_key(killed:$word:{#id}:$kind, $($option)*)]
        struct $name {
            id: u32,
        }
    )*};
}

keys! {
    Text text string (value = String, ttl = 1h, jitter = 10m);
    Sliding sliding string (value = String, ttl = 1h, renew = write);
    Loaded loaded string (value = String, ttl = 1h, jitter = 10m, cache(null_ttl = 5m, refresh = 80%));
    Limited limited string (limit(100 / 1m));
    Thirds thirds string (limit(3 / 1h));
    Turn turn string (lock, ttl = 1m);
    Count count string (value = i64, ttl = 1h);
    Narrow narrow string (value = u8, ttl = 1h);
    Float float string (value = f64, ttl = 1h);
    Items items list (value = String, ttl = 1h, jitter = 10m);
    Moved moved list (value = String, ttl = 1h);
    Last last list (value = String, ttl = 1h, keep_last = 2);
    Members members set (value = String, ttl = 1h, max_len = 100);
    Ranks ranks zset (value = String, ttl = 1h, renew = write);
    Places places geo (value = String, ttl = 1h);
    Card card hash (value = Person, ttl = 1h);
    Fields fields hash (field = String, value = i64, ttl = 1h, jitter = 10m, max_len = 100);
    Rates rates hash (field = String, value = f64, ttl = 1h);
    Bits bits bitmap (ttl = 1h, renew = write);
    Seen seen hyperloglog (value = String, ttl = 1h);
    AllSeen merged hyperloglog (value = String, ttl = 1h);
    Top top zset (value = String, ttl = 1h, keep_top = 2);
    Jobs jobs zset (value = String, ttl = 1h, jitter = 10m, jobs);
    Log log stream (value = Person, ttl = 1h, max_len = 100);
    LastLog last stream (value = Person, ttl = 1h, keep_last = ~2);
}

#[derive(RedisKey)]
#[redis_key(killed:hot:{id}:{copy}:string, value = String, ttl = 1h, copies = 2)]
struct Hot {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(killed:tasks:{#id}:{month}:set, value = String, ttl = 1h, ttl_from_end_of = month)]
struct Tasks {
    id: u32,
    month: Month,
}

const MIDDLE: GeoPoint = GeoPoint { longitude: 0.0, latitude: 0.0 };

#[derive(RedisHash)]
struct Person {
    name: String,
    mail: Option<String>,
}

fn ada() -> Person {
    Person { name: "Ada".to_owned(), mail: None }
}
