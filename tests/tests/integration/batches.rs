//! Batches, atomic groups and updates.

mod atomic;
mod by_node;
mod cluster;
mod keys;
mod scripts;
mod sendable;
mod shapes;
mod update;
