//! Keys of type `hash` with open fields.

mod batch;
mod count;
mod expiry;
mod fault;
mod keys;
mod read;
mod write;
