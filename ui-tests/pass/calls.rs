//! Calls that a newcomer tries, and that compile.

use std::time::Duration;

use redis_keys::{Connection, Error, prelude::*};

/// A name.
#[derive(RedisKey)]
#[redis_key(newcomer:name:{user}:string, value = String, ttl = 1h)]
pub struct Name {
    /// Whose.
    pub user: u64,
}

/// A counter.
#[derive(RedisKey)]
#[redis_key(newcomer:views:{page}:string, value = u64, ttl = 1d)]
pub struct Views {
    /// Of which page.
    pub page: u64,
}

/// Votes.
#[derive(RedisKey)]
#[redis_key(newcomer:votes:{user}:hash, field = u64, value = i32, ttl = 30d)]
pub struct Votes {
    /// Whose.
    pub user: u64,
}

/// A repository that owns its connection.
#[derive(Debug)]
pub struct Repo {
    /// The connection.
    pub con: Connection,
}

impl Repo {
    /// Reads a name through a reference.
    ///
    /// # Errors
    ///
    /// If the server does not answer.
    pub async fn name(&self, user: u64) -> Result<Option<String>, Error> {
        Name { user }.get().run(&self.con).await
    }
}

/// A repository that borrows its connection.
#[derive(Debug)]
pub struct Borrowing<'c> {
    /// The connection.
    pub con: &'c Connection,
}

impl Borrowing<'_> {
    /// Reads a name through a reference.
    ///
    /// # Errors
    ///
    /// If the server does not answer.
    pub async fn name(&self, user: u64) -> Result<Option<String>, Error> {
        Name { user }.get().run(self.con).await
    }
}

/// Futures of one connection exist at the same time.
///
/// # Errors
///
/// If the server does not answer.
pub async fn several(con: &Connection) -> Result<u64, Error> {
    let views: Vec<_> = (1..5).map(|page| Views { page }.incr().run(con)).collect();
    let mut total = 0;
    for views in views {
        total += views.await?;
    }
    Ok(total)
}

/// The expiry from a configuration.
///
/// # Errors
///
/// If the time is longer than declared.
pub async fn expire(con: &Connection, time: Duration) -> Result<bool, Error> {
    Votes { user: 1 }.expire_in(time).run(con).await
}

/// A key behind a reference and a mutable one has the accessors of its type.
pub fn through_references(name: &Name, views: &mut Views) -> (Command<Option<String>>, Command<u64>) {
    (name.get(), views.incr())
}

/// Generic code names the trait of the type, and its value.
pub fn generic<K: StringKey<Value = String>>(key: &K) -> Command<Option<String>> {
    key.get()
}
