//! How the commands of `string` keys are built and their replies read.

pub(crate) mod append;
pub(crate) mod counting;
pub(crate) mod many;
pub(crate) mod range;
pub(crate) mod read;
pub(crate) mod set;
#[cfg(all(test, feature = "aio"))]
mod tests;
pub(crate) mod update;

pub use set::{Set, SetNew};
pub use update::Update;
