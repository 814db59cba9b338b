//! Keys for other languages: builders, parsers, and vectors to test them with.
//!
//! A catalog's keys become [`Builder`]s, which every generator starts from. [`render`] and [`parse`] do with arguments
//! what the derive does in Rust; tests compare them.

pub(crate) mod builder;
mod checks;
mod constants;
mod defined_names;
mod docs;
mod expiry;
mod language;
mod layout;
mod names;
mod parse;
pub(crate) mod python;
mod random;
mod render;
mod samples;
mod script_call;
#[cfg(test)]
mod tests;
pub(crate) mod typescript;
mod value;
pub(crate) mod vectors;

/// The number of the form of generated code, which changes where generated texts change.
const FORM: u32 = 1;

/// The comment before the code that the keys of a file share.
pub(crate) const SHARED_CHECKS: &str = "The checks that the keys share.";
