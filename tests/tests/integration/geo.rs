//! Geo keys.

mod add;
mod fault;
mod keys;
mod place;
mod search;
