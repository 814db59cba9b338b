//! List keys.

mod change;
mod cluster;
mod fault;
mod keys;
mod pages;
mod push;
mod read;
mod relocate;
