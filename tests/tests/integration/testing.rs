//! `redis_keys::testing`, which users' tests lean on, and the helpers of these tests.

mod cluster;
mod own_keys;
mod server;
mod slots;
