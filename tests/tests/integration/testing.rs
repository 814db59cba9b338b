//! `redis_keys::testing`, and the helpers of these tests.

mod cluster;
mod own_keys;
mod server;
mod slots;
