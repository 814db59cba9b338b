//! Whether the values that one version of a program stores can be read by another, for `cargo redis-keys values`.
//!
//! `read` applies the rules in one direction. `compare` asks in both directions, because old and new programs run
//! at the same time while they are deployed, and describes the consequences for a key.
//!
//! [`expires_after`] says how long a former form matters.
//!
//! Each notation has its rules in its own module: `named` for JSON and `MessagePack`, `positional` for Postcard,
//! `protobuf`, and `form` for values that are stored as they are, for records and for changes of the form itself.

mod compare;
mod finding;
mod form;
mod lifetime;
mod named;
mod number;
mod positional;
mod protobuf;
mod shown;
#[cfg(test)]
mod tests;

pub use compare::{Level, Problem, compare};
pub use finding::{Finding, Outcome, outcome};
pub use lifetime::expires_after;
use redis_keys_core::value_shape::Form;

/// Returns what happens to values of one form that are read as another, without findings if all is well.
pub fn read(written: &Form, reader: &Form) -> Vec<Finding> {
    let mut findings = finding::Findings::default();
    form::compare(&mut findings, &finding::Place::root(), written, reader);
    findings.0
}
