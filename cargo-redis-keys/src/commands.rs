//! The commands, one module each: its arguments, and what it does with them.

pub(crate) mod adopt;
pub(crate) mod audit;
pub(crate) mod catalog;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod expire;
pub(crate) mod explain;
pub(crate) mod init;
pub(crate) mod lookup;
pub(crate) mod move_keys;
pub(crate) mod purge;
