// A command is sent by `.run(&con).await`.
use redis_keys::{Connection, Error, prelude::*};

#[derive(RedisKey)]
#[redis_key(user:name:{user}:string, value = String, ttl = 1h)]
struct Name {
    user: u64,
}

#[derive(RedisKey)]
#[redis_key(page:views:{page}:string, value = u64, ttl = 1d)]
struct Views {
    page: u64,
}

#[derive(RedisKey)]
#[redis_key(user:tags:{user}:set, value = String, ttl = 30d)]
struct Tags {
    user: u64,
}

async fn not_sent() -> Result<(), Error> {
    // answer: `.run(&con).await`
    let name: Option<String> = Name { user: 1 }.get().await?;
    // answer: `.run(&con).await`
    Name { user: 1 }.set("Ada").await?;
    // answer: `.run(&con).await`
    let (name, views) = batch((Name { user: 1 }.get(), Views { page: 1 }.incr())).await?;
    // answer: `.run(&con).await`
    atomic((Name { user: 1 }.get(), Views { page: 1 }.incr())).await?;
    // answer: `.run(&con).await`
    Tags { user: 1 }.purge().await?;
    // answer: `.collect(&con).await`
    let tags: Vec<String> = Tags { user: 1 }.sscan().await?;
    Ok(())
}

async fn sent_by_the_accessor(con: &Connection) -> Result<(), Error> {
    // answer: `.run(con).await`
    Name { user: 1 }.get(con).await?;
    Ok(())
}

// answer: `.run(&con).await`
fn returned(page: u64) -> impl Future<Output = Result<u64, Error>> {
    Views { page }.incr()
}

async fn scan_as_a_command(con: &Connection) -> Result<(), Error> {
    // answer: `.collect(…)` instead of `.run(…)`
    let all: Vec<String> = Tags { user: 1 }.sscan().run(con).await?;
    Ok(())
}

fn main() {}
