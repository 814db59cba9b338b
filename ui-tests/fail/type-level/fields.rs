// A field of a record is named by its constant, not by a text.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Sess {
    id: u64,
    lang: Option<String>,
    visits: u32,
}

#[derive(RedisHash)]
struct Profile {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(session:web:{name}:hash, value = Sess, ttl = 1d)]
struct Session {
    name: String,
}

fn main() {
    let session = Session { name: "t".to_owned() };
    let _ = session.hset("lang", "en");
    let _ = session.hget("lang");
    let _ = session.hincr("visits", 1);
    let _ = session.hdel("lang");
    let _ = session.hget(Profile::NAME);
}
