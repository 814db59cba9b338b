//! How the commands of `set` keys are built and their replies read.

pub(crate) mod add;
pub(crate) mod member;
pub(crate) mod random;
pub(crate) mod scan;
#[cfg(all(test, feature = "aio"))]
mod tests;
