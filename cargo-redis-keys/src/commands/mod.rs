//! The commands, one module each: its arguments, and what it does with them.

pub(crate) mod catalog;
pub(crate) mod lookup;
