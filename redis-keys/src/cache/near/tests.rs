//! The table of states, cell by cell, and the eras. Times are arguments: nothing waits.

mod era;
mod eviction;
mod slots;
