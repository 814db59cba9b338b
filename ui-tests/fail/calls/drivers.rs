// Caches, subscribers and keys with a legacy text answer to what is not theirs.
use redis_keys::{Connection, cache::Cache, prelude::*, subscriber::Subscriber};

#[derive(RedisKey)]
#[redis_key(user:cached:{user}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m))]
struct CachedName {
    user: u64,
}

#[derive(RedisKey)]
#[redis_key(page:views:{page}:string, value = u64, ttl = 1d)]
struct Views {
    page: u64,
}

#[derive(Clone, RedisKey)]
#[redis_key(order:changes:{shop}:channel, value = u64)]
struct Changes {
    shop: u32,
}

async fn load() -> Option<String> {
    None
}

async fn caches(cache: &Cache<Connection>, db: &str) -> Result<(), Box<dyn std::error::Error>> {
    // answer: `cache.get_or_load(&key, async || …).await`
    let name: Option<String> = cache.get(&CachedName { user: 1 }).await?;
    // answer: `cache.invalidate(&key).await`
    cache.set(&CachedName { user: 1 }, "Ada").await?;
    // answer: `cache.invalidate(&key).await`
    cache.remove(&CachedName { user: 1 }).await?;
    // answer: `Ok(Some(value))`, or `Ok(None)`
    let name = cache.get_or_load(&CachedName { user: 1 }, || load()).await?;
    // answer: by value, without a `&`
    let name = cache.get_or_load_detached(&CachedName { user: 1 }, async || Ok::<_, ()>(Some(String::new()))).await?;
    Ok(())
}

fn connections(con: &Connection) {
    // answer: `con.clone()`
    let cache = Cache::new(con);
}

struct Repo<'c> {
    con: &'c Connection,
}

impl Repo<'_> {
    async fn views(&self, page: u64) -> Result<u64, redis_keys::Error> {
        // answer: `.run(con)`
        Views { page }.incr().run(&self.con).await
    }
}

async fn channels() {
    // answer: `[channel]`
    let _ = Subscriber::connect("redis://127.0.0.1/", Changes { shop: 7 }).await;
}

fn one_name() {
    // answer: declared without `legacy` and `formerly`
    let _ = Views { page: 7 }.take_over_and(Views { page: 7 }.incr());
    // answer: declared without `legacy` and `formerly`
    let _ = Views { page: 7 }.other_name();
}

fn main() {}
