//! What every output needs.

mod escape;

pub(crate) use escape::printable;
