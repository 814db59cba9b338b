//! The accessors of cached keys.

mod claim;
mod fill;
mod forms;
mod keys;
mod read;
mod refresh;
