// A hash without `field` holds a record, and its fields say which accessors they have.
use redis_keys::prelude::*;

// What can be done with a field follows from what it is.
#[derive(RedisHash)]
struct Profile {
    name: String,
    email: Option<String>,
    visits: u64,
}

#[derive(RedisHash)]
struct Other {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(user:profile:{id}:hash, value = Profile, ttl = 1h)]
struct OfARecord {
    id: u64,
}

fn fields() {
    let key = OfARecord { id: 42 };
    let _ = key.hdel(Profile::NAME);
    let _ = key.hexists(Profile::VISITS);
    let _ = key.hincr(Profile::EMAIL, 1);
    let _ = key.hexpire(Profile::EMAIL);
    let _ = key.hset(Profile::VISITS, "many");
    let _ = key.hget(Other::NAME);
}

// A hash without `field` holds a record.
struct Plain {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(user:plain:{id}:hash, value = Plain, ttl = 1h)]
struct OfAPlainStruct {
    id: u64,
}

fn main() {}
