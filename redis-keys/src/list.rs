//! How the commands of `list` keys are built and their replies read.

pub(crate) mod place;
pub(crate) mod pop;
pub(crate) mod push;
pub(crate) mod range;
pub(crate) mod relocate;
#[cfg(all(test, feature = "aio"))]
mod tests;

/// An end of a list: [`ListKey::lmove`](crate::ListKey::lmove).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ListEnd {
    /// Where `lpush` adds and `lpop` takes; position 0.
    Left,
    /// Where `rpush` adds and `rpop` takes.
    Right,
}
