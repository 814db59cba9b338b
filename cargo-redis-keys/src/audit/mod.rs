//! `audit`: compares a live server with the declarations, reading only.
//!
//! Each node is scanned by a thread of its own. Every key gets a [first look](look::FirstLook) (its type, expiry and memory),
//! and some a [second look](look::SecondLook). A [`Tally`](tally::Tally) for each node counts what was seen, in a
//! bounded amount of memory. The report is made of the tallies and of the [facts](facts::Facts) about each server.

pub(crate) mod facts;
pub(crate) mod findings;
#[cfg(test)]
mod fixtures;
pub(crate) mod inspect;
pub(crate) mod look;
pub(crate) mod pace;
pub(crate) mod report;
pub(crate) mod scan;
pub(crate) mod slots;
pub(crate) mod tally;
pub(crate) mod topology;
