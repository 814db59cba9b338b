//! Keys of records.

mod count;
mod expiry;
mod fault;
mod fields;
pub(crate) mod keys;
mod load;
mod renew;
mod store;
