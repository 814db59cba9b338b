//! Several commands at once, on real servers and real clusters.

mod atomic;
mod by_node;
mod cluster;
mod keys;
mod scripts;
mod sendable;
mod shapes;
mod update;
