//! `values`: the shapes of the values that programs store, and changes of them that other releases cannot read.
//!
//! The derives write a test for each key that has a value. [`run`] runs each of them in a process of its own, because
//! they run the project's `Deserialize` implementations, which can panic, abort or never end. [`declared`] finds the
//! declaration of each report, and says why others have none. [`file`] keeps the shapes, [`check`] compares them, and
//! [`accept`] updates the file.

pub(crate) mod accept;
pub(crate) mod check;
pub(crate) mod declared;
pub(crate) mod file;
mod place;
mod run;
#[cfg(test)]
mod tests;
