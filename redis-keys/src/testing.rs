//! Utilities for tests of code that uses keys.
//!
//! - [`Server`] and [`Cluster`] start a private server or cluster, which ends with the test.
//! - [`own_keys`] gives each test its own keys, so that the tests of a binary can share a server.
//! - [`fix_jitter`] and [`fix_clock`] make expiries deterministic.
//! - [`assert_all_expire`] asserts that every key has an expiry.
//! - [`text`] returns the commands that would be sent, without a server.
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
//! // The code under test.
//!
//! #[derive(RedisKey)]
//! #[redis_key(page:views:{page}:string, value = u64, ttl = 1d, jitter = 1h)]
//! struct Views<'a> { page: &'a str }
//!
//! fn visit(con: &mut impl ConnectionLike, page: &str) -> Result<u64, redis_keys::Error> {
//!     Views { page }.incr().query(con)
//! }
//!
//! // Shared by the tests of the binary.
//!
//! static SERVER: LazyLock<Server> = LazyLock::new(|| Server::start().expect("the server starts"));
//!
//! fn connect() -> Connection {
//!     Client::open(SERVER.url()).and_then(|client| client.get_connection()).expect("the server replies")
//! }
//!
//! // A `#[test]`.
//! # pub
//! fn visits_are_counted() -> Result<(), Box<dyn Error>> {
//!     let mut con = connect();
//!     // From here on, this thread's keys have a unique prefix.
//!     let keys = testing::own_keys();
//!     // Half of the jitter is added to the expiry.
//!     let _jitter = testing::fix_jitter(0.5);
//!
//!     assert_eq!(visit(&mut con, "home")?, 1);
//!     assert_eq!(visit(&mut con, "home")?, 2);
//!
//!     let left = Views { page: "home" }.ttl().query(&mut con)?.left().expect("the key expires");
//!     assert!(left.as_secs() > 24 * 3600 && left.as_secs() <= 24 * 3600 + 1800);
//!     testing::assert_all_expire(&mut con, keys.prefix());
//!     Ok(())
//! }
//! # }
//! # #[cfg(unix)]
//! # unix::visits_are_counted().unwrap();
//! ```

#[cfg(unix)]
mod cluster;
mod expiry;
mod fixed;
mod prefix;
#[cfg(unix)]
mod server;

use std::borrow::Cow;
use std::str;

#[cfg(unix)]
pub use cluster::{Cluster, ClusterNode};
pub use expiry::{assert_all_expire, without_expiry};
#[cfg(feature = "aio")]
pub use expiry::{assert_all_expire_async, without_expiry_async};
pub use fixed::{FixedClock, FixedJitter, fix_clock, fix_jitter};
pub use prefix::{OwnKeys, Prefix, own_keys};
use redis::{Arg, Cmd};
#[cfg(unix)]
pub use server::Server;

use crate::{Command, Error, lua};

/// Returns the first redis commands that a command sends, each as a line with spaces between the arguments.
///
/// A script is named by its file, as in the [table of all accessors](crate::guide::commands), not by its hash or its
/// text. Bytes that are not UTF-8 are written as `\xC1`.
///
/// ```
/// use redis_keys::{prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
/// struct Name { user_id: u64 }
///
/// assert_eq!(testing::text(Name { user_id: 42 }.set("Ada"))?, ["SET user:name:42:string Ada PX 3600000"]);
/// assert_eq!(testing::text(Name { user_id: 42 }.get())?, ["GET user:name:42:string"]);
/// assert_eq!(
///     testing::text(Name { user_id: 42 }.append("!"))?,
///     ["EVALSHA append.lua 1 user:name:42:string ! 10240 3600000"],
/// );
/// # Ok::<(), redis_keys::Error>(())
/// ```
///
/// # Errors
///
/// Returns the error if the command is invalid.
pub fn text<T>(command: impl Into<Command<T>>) -> Result<Vec<String>, Error> {
    let mut lines = Vec::new();
    command.into().each_cmd(|cmd| lines.push(line(cmd)))?;
    Ok(lines)
}

pub(crate) fn line(cmd: &Cmd) -> String {
    join(cmd.args_iter().map(|arg| match arg {
        Arg::Simple(bytes) => word(bytes),
        _ => "0".into(),
    }))
}

/// An argument as text, with `\xC1` for each byte that is not UTF-8.
pub(crate) fn word(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(bytes) {
        return text.into();
    }
    let mut word = String::new();
    for chunk in bytes.utf8_chunks() {
        word += chunk.valid();
        word.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02X}")));
    }
    word.into()
}

/// The words of a command, with a script's file in place of its hash or its text.
pub(crate) fn join<'a>(words: impl Iterator<Item = Cow<'a, str>>) -> String {
    let mut words: Vec<_> = words.collect();
    if let [name, script, ..] = words.as_mut_slice()
        && ["EVALSHA", "EVAL"].contains(&&**name)
        && let Some(called) = lua::called_by(script)
    {
        *script = called.file.into();
    }
    words.join(" ")
}
