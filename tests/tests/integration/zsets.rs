//! Sorted-set keys.

mod add;
mod cap;
mod fault;
mod flags;
mod keys;
mod range;
mod read;
mod remove;
mod score;
