//! The commands that read declarations, one module each: its arguments, and its work.

pub(crate) mod acl;
pub(crate) mod catalog;
pub(crate) mod check;
pub(crate) mod explain;
mod format;
#[cfg(feature = "generate")]
pub(crate) mod generate;
pub(crate) mod init;
pub(crate) mod lookup;
pub(crate) mod values;
