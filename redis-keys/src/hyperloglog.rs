//! How the commands of `hyperloglog` keys are built and their replies read.

pub(crate) mod add;
pub(crate) mod merge;
#[cfg(all(test, feature = "aio"))]
mod tests;
