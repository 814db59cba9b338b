// An accessor of another type answers with the type or the role that the key has.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Profile {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(user:name:{user}:string, value = String, ttl = 1h)]
struct Name {
    user: u64,
}

#[derive(RedisKey)]
#[redis_key(user:nick:{nick}:string, value = String, ttl = 1h)]
struct Nick<'a> {
    nick: &'a str,
}

#[derive(RedisKey)]
#[redis_key(user:tags:{user}:set, value = String, ttl = 30d)]
struct Tags {
    user: u64,
}

#[derive(RedisKey)]
#[redis_key(game:scores:{game}:zset, value = u64, ttl = 30d)]
struct Scores {
    game: u64,
}

#[derive(RedisKey)]
#[redis_key(user:recent:{user}:list, value = u64, ttl = 7d, keep_last = 100)]
struct Recent {
    user: u64,
}

#[derive(RedisKey)]
#[redis_key(user:profile:{user}:hash, value = Profile, ttl = 30d)]
struct ProfileKey {
    user: u64,
}

#[derive(RedisKey)]
#[redis_key(user:votes:{user}:hash, field = u64, value = i32, ttl = 30d)]
struct Votes {
    user: u64,
}

#[derive(RedisKey)]
#[redis_key(user:cached:{user}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m))]
struct CachedName {
    user: u64,
}

#[derive(RedisKey)]
#[redis_key(lock:order:{order}:string, lock, ttl = 30s)]
struct OrderLock {
    order: u64,
}

#[derive(RedisKey)]
#[redis_key(rate:calls:{user}:string, limit(10 / 1s))]
struct Calls {
    user: u64,
}

#[derive(RedisKey)]
#[redis_key(queue:mail:{tenant}:zset, value = String, ttl = 1d, jobs)]
struct Mails {
    tenant: u32,
}

#[derive(RedisKey)]
#[redis_key(taxi:near:{city}:geo, value = u64, ttl = 1d)]
struct Near {
    city: u32,
}

#[derive(RedisKey)]
#[redis_key(shop:paid:{shop}:stream, value = Profile, ttl = 1d)]
struct Log {
    shop: u32,
}

#[derive(RedisKey)]
#[redis_key(order:changes:{shop}:channel, value = u64)]
struct Changes {
    shop: u32,
}

#[derive(RedisKey)]
#[redis_key(order:known:bitmap, value = u64, ttl = 7d, bloom(expected = 1000, false_positives = 1%))]
struct KnownOrders;

#[derive(RedisKey)]
#[redis_key(user:days:{user}:bitmap, ttl = 30d)]
struct Days {
    user: u64,
}

#[derive(RedisKey)]
#[redis_key(page:visitors:{page}:hyperloglog, value = u64, ttl = 30d)]
struct Visitors {
    page: u64,
}

#[derive(RedisKey)]
#[redis_key(shop:banner:{shop}:{copy}:string, value = String, ttl = 10m, copies = 8)]
struct Banner {
    shop: u32,
}

async fn accessors(con: &redis_keys::Connection, nick: &Nick<'_>) {
    // answer: `Name` is a `string` key
    Name { user: 1 }.hset("a", "b").run(con).await;
    // answer: is a `string` key
    nick.lpush("Ada").run(con).await;
    // answer: `Tags` is a `set` key
    let tags: Option<Vec<String>> = Tags { user: 1 }.get().run(con).await;
    // answer: its accessors are `zadd`
    Scores { game: 1 }.incr_by(5).run(con).await;
    // answer: its accessors are `lpush`
    Recent { user: 1 }.sadd(&7).run(con).await;
    // answer: `load()` reads it
    let profile = ProfileKey { user: 1 }.get().run(con).await;
    // answer: its accessors are `hget`
    Votes { user: 1 }.set(&1).run(con).await;
    // answer: is a cached key: `cache.get_or_load(&key, load)`
    CachedName { user: 1 }.incr().run(con).await;
    // answer: is a lock: `locks.acquire(&key).await?`
    OrderLock { order: 1 }.set_nx("me").run(con).await;
    // answer: is a rate limit: `key.take(1).run(&con).await?`
    Calls { user: 1 }.incr().run(con).await;
    // answer: is a queue of jobs: `key.push(&job)`
    Mails { tenant: 1 }.zadd("mail", 1.0).run(con).await;
    // answer: its accessors are `geoadd`
    Near { city: 1 }.zadd(&1, 1.0).run(con).await;
    // answer: its accessors are `xadd`
    Log { shop: 1 }.lpush(&Profile { name: String::new() }).run(con).await;
    // answer: is a channel: `key.publish(&message)`
    Changes { shop: 7 }.get().run(con).await;
    // answer: `key.might_contain(&item)`
    KnownOrders.setbit(42, true).run(con).await;
    // answer: its accessors are `setbit`
    Days { user: 1 }.sadd(&7).run(con).await;
    // answer: its accessors are `pfadd`
    Visitors { page: 1 }.scard().run(con).await;
    // answer: `.any_copy()` returns one copy
    Banner { shop: 1 }.append("more").run(con).await;
}

// The compiler reports the same answer once in a function.
async fn others(con: &redis_keys::Connection) {
    // answer: its accessors are `get`, `set`
    Name { user: 1 }.sadd("a").run(con).await;
    // answer: is a channel
    Changes { shop: 7 }.exists().run(con).await;
}

fn main() {}
