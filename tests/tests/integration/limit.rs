//! Rate limits, on real servers.

mod accessors;
mod exact;
mod layer;
mod layer_faults;
mod processes;
mod reports;
mod web;
