//! Stream keys.

mod add;
mod claim;
mod cluster;
mod fault;
mod group;
mod keys;
mod pending;
mod read;
mod renew;
mod together;
