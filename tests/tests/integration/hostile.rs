//! Servers that reply what no real server does: no reply makes a command panic or run for ever.

mod cluster;

use fastrand::Rng;
use redis_keys::{
    ErrorKind, Sent,
    bitmap::BitInt,
    geo::{GeoArea, GeoPoint, GeoUnit},
    list::ListEnd,
    prelude::*,
    stream::{EntryId, GroupStart},
};
use redis_keys_tests::{Con, FakeServer, garbage};
use std::{sync::Mutex, time::Duration};

macro_rules! keys {
    ($($name:ident $word:ident $kind:ident ($($option:tt)*);)*) => {$(
        #[derive(RedisKey)]
        #[redis_key(hostile:$word:{#id}:$kind, ttl = 1h, $($option)*)]
        struct $name {
            id: u32,
        }
    )*};
}

keys! {
    Text text string (value = String);
    Touched touched string (value = String, renew = read);
    Fading fading string (value = String, renew = below(10m));
    Count count string (value = i64);
    Float float string (value = f64);
    Items items list (value = String, renew = below(10m));
    Members members set (value = String, max_len = 100);
    Ranks ranks zset (value = String);
    Places places geo (value = String);
    Card card hash (value = Person);
    Fields fields hash (field = String, value = i64);
    Bits bits bitmap ();
    Seen seen hyperloglog (value = String);
    Log log stream (value = Person);
}

#[derive(RedisKey)]
#[redis_key(hostile:hot:{id}:{copy}:string, value = String, ttl = 1h, copies = 4)]
struct Hot {
    id: u32,
}

#[derive(RedisHash)]
struct Person {
    name: String,
    mail: Option<String>,
}

const MIDDLE: GeoPoint = GeoPoint { longitude: 0.0, latitude: 0.0 };

macro_rules! calls {
    ($con:ident, $id:ident: $($call:expr;)*) => {
        &[$((stringify!($call), |$con, $id| {
            let _ = ($id, $call);
        })),*]
    };
}

type Call = (&'static str, fn(&mut Con, u32));

/// What may fail, and must not panic.
const CALLS: &[Call] = calls! { con, id:
    con.run(Text { id }.exists());
    con.run(Text { id }.ttl());
    con.run(Text { id }.get());
    con.run(Text { id }.append("x"));
    con.run(Text { id }.strlen());
    con.run(Touched { id }.get());
    con.run(Fading { id }.get());
    con.run(Text::get_many((0..150).map(|id| Text { id })));
    con.run(Fading::get_many((0..60).map(|id| Fading { id })));
    con.run(Text { id }.set("x"));
    con.update(Text { id }.update(Option::unwrap_or_default));
    con.run(Count { id }.incr());
    con.run(Float { id }.incr_by_float(0.5));
    con.run(Items { id }.lpush("x"));
    con.run(Items { id }.lrange(0..9));
    con.run(Items { id }.lpos("x"));
    con.run(Items { id }.lmove(&Items { id }, ListEnd::Left, ListEnd::Right));
    con.scan(Items { id }.lpages(2));
    con.run(Members { id }.sadd_many(["x", "y"]));
    con.run(Members { id }.smismember(["x", "y"]));
    con.scan(Members { id }.sscan());
    con.run(Ranks { id }.zadd("x", 1.0));
    con.run(Ranks { id }.zincr("x", 1.0));
    con.run(Ranks { id }.zmscore(["x", "y"]));
    con.run(Ranks { id }.zpopmin());
    con.scan(Ranks { id }.zscan());
    con.run(Places { id }.geopos("x"));
    con.run(Places { id }.geosearch(MIDDLE, GeoArea::radius(1.0, GeoUnit::Kilometers), 5));
    con.scan(Places { id }.zscan());
    con.run(Card { id }.load());
    con.run(Card { id }.store(&Person { name: "Ada".to_owned(), mail: None }));
    con.run(Fields { id }.hmget(["x", "y"]));
    con.run(Fields { id }.hincr("x", 1));
    con.run(Fields { id }.httl("x"));
    con.scan(Fields { id }.hscan());
    con.run(Bits { id }.setbit(7, true));
    con.run(Bits { id }.bitfield().get(BitInt::u::<5>(), 0).incr(BitInt::u::<63>(), 0, 1));
    con.run(Seen { id }.pfcount());
    con.run(Log { id }.xadd(&Person { name: "Ada".to_owned(), mail: None }));
    con.run(Log { id }.xrange(.., 5));
    con.run(Log { id }.xread(EntryId::MIN, 5));
    con.scan(Log { id }.xpages(2));
    con.run(Log { id }.group("readers").create(GroupStart::Start));
    con.run(Log { id }.group("readers").pending_summary());
    con.run(Log { id }.group("readers").consumers());
    con.run(Log { id }.group("readers").claim("ada", Duration::from_secs(1), EntryId::MIN, 5));
    con.run(Hot { id }.exists());
    con.run(Hot { id }.set("x"));
    con.run(Hot { id }.expire());
    con.get_copy(Hot { id }.get());
    con.purge(&Text { id });
    con.purge(&Items { id });
    con.purge(&Fields { id });
    con.purge(&Log { id });
    con.scan_keys(Text::scan());
    con.batch_each([Count { id }.incr(), Count { id }.incr()]);
    con.batch((Text { id }.get(), Fading { id }.get(), Members { id }.sadd("x"), Hot { id }.exists()));
    con.atomic((Text { id }.get(), Count { id }.incr()));
};

#[test]
fn garbage_makes_nothing_panic() {
    const SEED: u64 = 11;
    let rng = Mutex::new(Rng::with_seed(SEED));
    let server = FakeServer::start(move |_| garbage(&mut rng.lock().expect("it does not panic")));
    for connect in [Con::blocking as fn(&str) -> Con, Con::multiplexed] {
        for protocol in ["resp2", "resp3"] {
            let url = format!("{}?protocol={protocol}", server.url());
            let mut con = connect(&url);
            for (name, call) in CALLS {
                println!("{name}");
                (0..40).for_each(|id| call(&mut con, id));
            }
        }
    }
}

#[test]
fn counts_that_are_too_large_together_are_an_error() {
    let server = FakeServer::start(|_| b":9223372036854775807\r\n".to_vec());
    for connect in [Con::blocking as fn(&str) -> Con, Con::multiplexed] {
        let error = connect(&server.url()).error(Hot { id: 1 }.exists());
        assert_eq!((error.kind(), error.sent()), (ErrorKind::UnexpectedReply, Sent::Yes));
    }
}
