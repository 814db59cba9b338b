//! How the commands of `hash` keys with open fields are built and their replies read.

pub(crate) mod counting;
pub(crate) mod expiry;
pub(crate) mod name;
pub(crate) mod read;
pub(crate) mod scan;
#[cfg(all(test, feature = "aio"))]
mod tests;
pub(crate) mod write;
