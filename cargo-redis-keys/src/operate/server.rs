//! Servers: connections, clusters, and scans of all keys at a pace that other clients do not notice.
//!
//! `audit` and `change` share this layer. It knows the declarations, but not the work that is done with the keys.

mod calendar;
pub(crate) mod connection;
pub(crate) mod facts;
pub(crate) mod fault;
pub(crate) mod foreign;
pub(crate) mod glob;
pub(crate) mod hot_keys;
mod legacy_name;
pub(crate) mod pace;
pub(crate) mod progress;
pub(crate) mod scan;
pub(crate) mod schemas;
pub(crate) mod script;
pub(crate) mod stop;
pub(crate) mod throttle;
pub(crate) mod topology;
pub(crate) mod value;
