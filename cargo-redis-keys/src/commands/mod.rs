//! The commands, one module each: its arguments, and what it does with them.

pub(crate) mod audit;
pub(crate) mod catalog;
