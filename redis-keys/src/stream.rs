//! What the commands of `stream` keys take and give: entries, their ids, and groups of consumers.
//!
//! The accessors stand in [`StreamKey`](crate::StreamKey), those of consumer groups in [`Group`].

pub(crate) mod add;
mod entry;
mod group;
mod id;
mod name;
mod pending;
pub(crate) mod range;
pub(crate) mod remove;
mod streams;
mod take;
#[cfg(all(test, feature = "aio"))]
mod tests;

pub use add::XAdd;
pub use entry::Entry;
pub use group::{Group, GroupStart};
pub use id::{EntryId, ParseEntryIdError};
pub use pending::{Consumer, Pending, PendingSummary};
pub use take::Redelivered;

use crate::{Command, Error, RedisKey, error::Cause};

/// A command with an argument that is none.
#[cold]
fn refused<K: RedisKey, T>(key: &K, cause: Cause) -> Command<T> {
    Command::refused(refusal(key, cause))
}

#[cold]
fn refusal<K: RedisKey>(key: &K, cause: Cause) -> Error {
    match key.key() {
        Ok(key) => Error::refused(K::SCHEMA, Some(key.as_str().into()), cause),
        Err(error) => error,
    }
}
