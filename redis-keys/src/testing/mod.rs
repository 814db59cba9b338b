//! For tests of code that uses keys: private servers and clusters, keys of a test's own, a jitter and a clock that stand
//! still, commands as text, and the assertion that every key expires.
//!
//! A test wants a server that nobody else writes to, and that is gone afterwards: [`Server`], or [`Cluster`] for code that runs
//! on one. The tests of a binary can share one, since each can have [keys of its own](own_keys):
//!
//! ```
//! # #[cfg(unix)] mod unix {
//! use std::{error::Error, sync::LazyLock};
//!
//! use redis_keys::{
//!     prelude::*,
//!     redis::{Client, Connection, ConnectionLike},
//!     testing::{self, Server},
//! };
//!
//! // The code to be tested.
//!
//! #[derive(RedisKey)]
//! #[redis_key(page:views:{page}:string, value = u64, ttl = 1d, jitter = 1h)]
//! struct Views<'a> { page: &'a str }
//!
//! fn visit(con: &mut impl ConnectionLike, page: &str) -> Result<u64, redis_keys::Error> {
//!     Views { page }.incr().query(con)
//! }
//!
//! // What its tests share.
//!
//! static SERVER: LazyLock<Server> = LazyLock::new(|| Server::start().expect("a server starts"));
//!
//! fn connect() -> Connection {
//!     Client::open(SERVER.url()).and_then(|client| client.get_connection()).expect("it answers")
//! }
//!
//! // One of them, which would have `#[test]` in front of it.
//! # pub
//! fn visits_are_counted() -> Result<(), Box<dyn Error>> {
//!     let mut con = connect();
//!     // From here on this thread's keys begin as no other test's do.
//!     let keys = testing::own_keys();
//!     // Up to an hour is added to a day at random; here it shall be half of that.
//!     let _jitter = testing::fix_jitter(0.5);
//!
//!     assert_eq!(visit(&mut con, "home")?, 1);
//!     assert_eq!(visit(&mut con, "home")?, 2);
//!
//!     let left = Views { page: "home" }.ttl().query(&mut con)?.left().expect("it expires");
//!     assert!(left.as_secs() > 24 * 3600 && left.as_secs() <= 24 * 3600 + 1800);
//!     // Whatever else the code has written: all of it goes away some day.
//!     testing::assert_all_expire(&mut con, keys.prefix());
//!     Ok(())
//! }
//! # }
//! # #[cfg(unix)]
//! # unix::visits_are_counted().unwrap();
//! ```
//!
//! Where no server is needed, [`text`] shows what a command would send.

#[cfg(unix)]
mod cluster;
mod expiry;
mod fixed;
#[cfg(test)]
#[cfg_attr(not(feature = "aio"), allow(dead_code, reason = "most are used together with the mock"))]
pub(crate) mod keys;
#[cfg(all(test, feature = "aio"))]
pub(crate) mod mock;
mod prefix;
#[cfg(unix)]
mod process;
#[cfg(unix)]
mod server;
mod text;

#[cfg(unix)]
pub use cluster::{Cluster, ClusterNode};
pub use expiry::{assert_all_expire, without_expiry};
#[cfg(feature = "aio")]
pub use expiry::{assert_all_expire_async, without_expiry_async};
pub use fixed::{FixedClock, FixedJitter, fix_clock, fix_jitter};
pub(crate) use fixed::{fixed_clock, fixed_jitter};
pub(crate) use prefix::prefix;
pub use prefix::{OwnKeys, Prefix, own_keys};
#[cfg(unix)]
pub use server::Server;
pub use text::text;
