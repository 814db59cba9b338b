//! The commands that work on a server, one module each: its arguments, and its work.

pub(crate) mod audit;
pub(crate) mod expire;
pub(crate) mod move_keys;
pub(crate) mod purge;
