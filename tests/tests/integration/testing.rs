//! `redis_keys::testing`, which users' tests lean on.

mod cluster;
mod server;
