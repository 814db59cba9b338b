//! Long runs against changing servers, with a seed that determines what changes.

mod cluster;
mod moves;
mod records;

pub use cluster::{ClusterReport, ClusterSoak};
pub use moves::move_slots;
