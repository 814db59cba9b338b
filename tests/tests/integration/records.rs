//! Keys of records.

mod count;
mod expiry;
mod fault;
mod fields;
mod keys;
mod load;
mod renew;
mod script;
mod store;
