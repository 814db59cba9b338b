//! Keys of type `bitmap`.

mod bits;
mod fault;
mod keys;
mod numbers;
