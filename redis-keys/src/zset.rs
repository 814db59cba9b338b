//! How the commands of `zset` keys are built and their replies read.

pub(crate) mod add;
pub(crate) mod addition;
pub(crate) mod member;
pub(crate) mod pop;
pub(crate) mod random;
pub(crate) mod range;
pub(crate) mod remove;
pub(crate) mod scan;
pub(crate) mod score;
#[cfg(all(test, feature = "aio"))]
mod tests;

pub use add::ZAdd;
