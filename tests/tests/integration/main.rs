//! Tests on real servers, in one binary, since linking takes longer than testing.

#![allow(deprecated, reason = "renewals are tested without the bounds that lints ask for")]
#![allow(clippy::expect_used, clippy::panic, reason = "a test cannot continue when these fail")]

mod adopted;
/// Batches, atomic groups and updates.
mod batches {
    mod atomic;
    mod by_node;
    mod cluster;
    mod keys;
    mod scripts;
    mod sendable;
    mod shapes;
    mod update;
}
mod bitmaps;
/// Blocking commands.
mod blocking {
    mod cluster;
    mod delivered;
    mod drops;
    mod keys;
    mod moves;
    mod pops;
    mod streams;
    mod timeouts;
    mod waiter;
}
mod blooms;
mod cache;
mod channels;
mod connections;
mod copies;
mod denied;
mod forms;
mod geo;
mod hashes;
mod hostile;
mod hyperloglogs;
/// Queues of jobs, on real servers.
mod jobs {
    mod dead;
    mod expiry;
    mod foreign_members;
    mod golden;
    mod keys;
    mod killed;
    mod late;
    mod lease;
    mod limits;
    mod moving_slots;
    mod order;
    mod processes;
    mod worker;
}
mod killed;
mod legacy;
/// Rate limits, on real servers.
mod limit {
    mod accessors;
    mod exact;
    mod layer;
    mod layer_away;
    mod layer_faults;
    mod processes;
    mod reports;
    mod web;
}
mod lists;
mod lock;
mod namespace;
mod observe;
mod parameters;
mod proxy;
mod purge;
/// Keys of records.
mod reports {
    mod calls;
    mod every_accessor;
    mod labels;
    mod monitored;
    mod panicking;
    mod spans;
}
mod records {
    mod count;
    mod expiry;
    mod faults;
    mod fields;
    pub(crate) mod keys;
    mod load;
    mod renew;
    mod store;
}
mod scan;
mod scripts;
mod secrets;
mod sets;
/// Stream keys.
mod streams {
    mod add;
    mod batches;
    mod claim;
    mod cluster;
    mod faults;
    mod group;
    mod keys;
    mod pending;
    mod read;
    mod renew;
}
/// String keys.
mod strings {
    mod append;
    mod concurrent;
    mod count;
    mod expiry;
    mod faults;
    mod get;
    mod get_many;
    pub(crate) mod keys;
    mod renew;
    mod set;
}
/// `redis_keys::testing`, and the helpers of these tests.
mod testing {
    mod cluster;
    mod own_keys;
    mod server;
    mod slots;
}
mod whole;
mod zsets;
