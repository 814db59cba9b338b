//! Several commands at once, on real servers and real clusters.

mod atomic;
mod cluster;
mod keys;
mod shapes;
mod update;
