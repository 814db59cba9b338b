//! The catalogue: declarations as data, for reviewers and for other programs.
//!
//! An [`Entry`] has what `SCHEMA` of the runtime has, and what follows from the types of the parameters: the values that they
//! can have, the length of the longest key and an example of a key.

mod entry;
mod json;
mod parameter;
#[cfg(test)]
mod tests;
mod values;

pub use entry::{Allowed, Entry, Pattern, Texts};
pub use json::{Json, Object};
pub use parameter::{Parameter, ParameterForm};
pub use values::Values;
