//! Removing a key in small steps.

// Replies are read here: arithmetic on them must not overflow, and nothing is indexed by them.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing))]

mod state;
#[cfg(all(test, feature = "aio"))]
mod tests;

use std::convert::Infallible;

use state::PurgeState;

use crate::accessor::Accessor;
use crate::command::answers::not_a_future;
use crate::command::{not_batchable, text_of};
use crate::key::KeyText;
use crate::observe::command::Call;
use crate::run::debug_key;
use crate::schema::Schema;
use crate::{Batch, Error};

/// The removal of a key in small steps, as returned by [`RedisKey::purge`](crate::RedisKey::purge).
///
/// However large the key is, the server is never busy for long. A collection is removed 100 elements at a time, each
/// time by a separate redis command, so that commands of other clients run in between. UNLINK removes the rest:
///
/// | key | command while more than 100 elements are left |
/// |---|---|
/// | list | LTRIM, from the right end |
/// | set | SPOP |
/// | zset, geo | ZREMRANGEBYRANK, from the lowest score |
/// | hash | HSCAN and HDEL |
/// | stream | XTRIM, from the oldest entry |
///
/// A single UNLINK removes a string, a bitmap or a hyperloglog. Reads during a purge see a part of the key. Elements
/// that are written during a purge are removed too, or create a new key.
///
/// After an error, the rest of the key is left with its expiry. A key without the declared expiry gets it before the
/// first step, so that it expires after an error too. You can safely try again.
///
/// ```no_run
/// use redis_keys::{prelude::*, redis};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:followers:{user_id}:set, value = u64, ttl = 1d)]
/// struct Followers { user_id: u64 }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let purged = Followers { user_id: 42 }.purge().query(&mut con)?;
/// println!("existed: {}, steps: {}", purged.existed(), purged.steps);
/// # Ok(()) }
/// ```
#[must_use = "a purge does nothing until `run` or `query` runs it"]
pub struct Purge {
    schema: &'static Schema,
    key: Result<Box<str>, Error>,
}

/// The result of a [`Purge`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PurgeResult {
    /// The number of redis commands that have removed something. It is one for a string or a small collection, and zero
    /// if there was no key.
    pub steps: u64,
}

impl PurgeResult {
    /// Whether the key existed.
    pub const fn existed(self) -> bool {
        self.steps > 0
    }
}

pub(crate) fn purge<K: KeyText>(key: &K) -> Purge {
    Purge { schema: K::SCHEMA, key: text_of(key).map(|key| key.as_str().into()) }
}

const PURGE: Accessor = Accessor::of("purge");

impl Purge {
    /// Runs the purge on a synchronous connection.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Command::query`](crate::Command::query). Part of the key may have been removed.
    pub fn query<C>(self, con: &mut C) -> Result<PurgeResult, Error>
    where
        C: crate::SyncConnection + ?Sized,
    {
        let call = Call::start(PURGE, self.schema);
        let purged = call.span.in_scope(|| {
            let mut state = PurgeState::new(self.schema, self.key?);
            while let Some(command) = state.command() {
                let replies = command.query(con)?;
                state.resume(replies)?;
            }
            Ok(state.purged())
        });
        call.end_as(&purged, |_| false);
        purged
    }

    /// Runs the purge on a shared asynchronous connection.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`query`](Self::query).
    #[cfg(feature = "aio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub async fn run<C: crate::SharedConnection>(self, con: &C) -> Result<PurgeResult, Error> {
        self.query_async(&mut con.clone()).await
    }

    /// Runs the purge on an asynchronous connection.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`query`](Self::query).
    #[cfg(feature = "aio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub async fn query_async<C>(self, con: &mut C) -> Result<PurgeResult, Error>
    where
        C: crate::AsyncConnection + ?Sized,
    {
        let call = Call::start(PURGE, self.schema);
        let run = async {
            let mut state = PurgeState::new(self.schema, self.key?);
            while let Some(command) = state.command() {
                let replies = command.query_async(con).await?;
                state.resume(replies)?;
            }
            Ok(state.purged())
        };
        let purged = call.span.within(run).await;
        call.end_as(&purged, |_| false);
        purged
    }
}

debug_key!([] Purge, "Purge", |purge| purge.key);

not_a_future!(AwaitedCommand: [] Purge => Result<PurgeResult, Error>);

#[doc(hidden)]
pub struct KeyPurge;

#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a purge cannot be part of a batch",
    label = "takes as many steps as the key is large",
    note = "in a batch, write `.unlink()`: the server frees the key in another thread"
)]
pub trait Batchable<'k> {
    fn never() -> Infallible;
}

#[doc(hidden)]
impl<'k> Batch for Purge
where
    KeyPurge: Batchable<'k>,
{
    not_batchable!(KeyPurge);
}
