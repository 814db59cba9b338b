//! String keys.

mod append;
mod count;
mod expiry;
mod fault;
mod get;
mod get_many;
pub(crate) mod keys;
mod renew;
mod set;
mod whole;
