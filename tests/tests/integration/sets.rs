//! Set keys.

mod add;
mod fault;
mod keys;
mod read;
