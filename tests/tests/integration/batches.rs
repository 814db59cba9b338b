//! Batches, atomic groups and updates.

mod atomic;
mod by_node;
mod cluster;
mod keys;
mod shapes;
mod update;
