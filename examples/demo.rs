//! Keys at work on a private server: written, read, counted and expiring.
//!
//! ```sh
//! cargo run --example demo
//! ```

use std::error::Error;
use std::thread::sleep;
use std::time::Duration;

use redis_keys::command::TimeLeft;
use redis_keys::prelude::*;
use redis_keys::redis::{Client, Connection};
use redis_keys::testing::Server;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
struct Profile {
    name: String,
    email: String,
}

/// The data of the profile card.
#[derive(RedisKey)]
#[redis_key(user:basic.info:{user_id}:string, value = Json<Profile>, ttl = 1h, jitter = 5m, max_bytes = 1KB)]
struct BasicInfo {
    user_id: u64,
}

/// The views of a page today.
#[derive(RedisKey)]
#[redis_key(counter:views:{page}:string, value = u64, ttl = 1d)]
struct Views<'a> {
    page: &'a str,
}

/// A login code, valid for three seconds.
#[derive(RedisKey)]
#[redis_key(login:code:{user_id}:string, value = String, ttl = 3s)]
struct Code {
    user_id: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let server = Server::start()?;
    println!("private server at {}", server.url());
    let mut con = Client::open(server.url())?.get_connection()?;

    write_and_read(&mut con)?;
    count(&mut con)?;
    expire(&mut con)?;
    reject(&mut con);
    Ok(())
}

fn write_and_read(con: &mut Connection) -> Result<(), Box<dyn Error>> {
    let key = BasicInfo { user_id: 42 };
    println!("\n{}, {}", key.key()?, BasicInfo::SCHEMA.docs.unwrap_or_default().trim());
    let ada = Profile { name: "Ada".to_owned(), email: "ada@example.org".to_owned() };
    key.set(&ada).query(con)?;
    println!("  read     {:?}", key.get().query(con)?);
    println!("  expires  {}", left(key.ttl().query(con)?));
    println!("  user 43  {:?}", BasicInfo { user_id: 43 }.get().query(con)?);
    Ok(())
}

fn count(con: &mut Connection) -> Result<(), Box<dyn Error>> {
    let views = Views { page: "start" };
    println!("\n{}", views.key()?);
    for _ in 0..3 {
        println!("  counted  {}", views.incr().query(con)?);
    }
    println!("  expires  {}, since the first count", left(views.ttl().query(con)?));
    Ok(())
}

fn expire(con: &mut Connection) -> Result<(), Box<dyn Error>> {
    let code = Code { user_id: 42 };
    println!("\n{}", code.key()?);
    code.set("271828").query(con)?;
    while let Some(text) = code.get().query(con)? {
        println!("  {text}   expires {}", left(code.ttl().query(con)?));
        sleep(Duration::from_secs(1));
    }
    println!("  expired");
    Ok(())
}

/// Shows that values which cannot be checked at compile time are rejected before anything is sent.
fn reject(con: &mut Connection) {
    println!("\nrejected");
    let views = Views { page: "Start:Page" }.incr().query(con);
    let long = Profile { name: "A".repeat(2_000), email: String::new() };
    let info = BasicInfo { user_id: 42 }.set(&long).query(con);
    for error in [views.err(), info.err()].into_iter().flatten() {
        println!("  {error}");
    }
}

fn left(time: TimeLeft) -> String {
    match time {
        TimeLeft::Left(time) => format!("in {:.1} s", time.as_secs_f64()),
        TimeLeft::Never => "never".to_owned(),
        TimeLeft::Missing => "missing".to_owned(),
        TimeLeft::Stale(_) => "expired".to_owned(),
    }
}
