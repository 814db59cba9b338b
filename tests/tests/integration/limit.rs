//! Rate limits, on real servers.

mod accessors;
mod exact;
