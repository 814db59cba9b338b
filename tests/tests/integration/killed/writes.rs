//! All writes that can create a key.

use redis_keys::prelude::*;
use redis_keys_tests::Con;

/// Each makes the key of a number, which no other one makes.
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
    con.ok(Count { id }.incr());
    con.ok(Narrow { id }.incr_by(7));
    con.ok(Float { id }.incr_by_float(0.5));
    con.ok(Items { id }.lpush("x"));
    con.ok(Items { id }.rpush_many(["x", "y"]));
    con.ok(Last { id }.lpush_many(["x", "y", "z"]));
    con.ok(Card { id }.store(&Person { name: "Ada".to_owned(), mail: None }));
    con.batch((Text { id }.append("x"), Count { id }.incr(), Items { id }.lpush("x"), Last { id }.rpush("x")));
};

#[derive(RedisKey)]
#[redis_key(killed:text:{id}:string, value = String, ttl = 1h, jitter = 10m)]
struct Text {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(killed:sliding:{id}:string, value = String, ttl = 1h, renew = write)]
struct Sliding {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(killed:count:{id}:string, value = i64, ttl = 1h)]
struct Count {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(killed:narrow:{id}:string, value = u8, ttl = 1h)]
struct Narrow {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(killed:float:{id}:string, value = f64, ttl = 1h)]
struct Float {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(killed:items:{id}:list, value = String, ttl = 1h, max_len = 100)]
struct Items {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(killed:last:{id}:list, value = String, ttl = 1h, keep_last = 2)]
struct Last {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(killed:card:{id}:hash, value = Person, ttl = 1h)]
struct Card {
    id: u32,
}

#[derive(RedisHash)]
struct Person {
    name: String,
    mail: Option<String>,
}
