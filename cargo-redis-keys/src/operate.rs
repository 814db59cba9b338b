//! Servers, compared with the declarations: the audit, and changes of keys that it has found.
//!
//! [`infer`] finds templates in names, so that keys without a declaration are shown by their kinds.

pub(crate) mod audit;
pub(crate) mod change;
pub(crate) mod commands;
pub(crate) mod hidden_passwords;
pub(crate) mod infer;
pub(crate) mod masking;
pub(crate) mod server;
pub(crate) mod stats;
