//! Keys of type `hyperloglog`.

mod count;
mod fault;
mod keys;
mod merge;
