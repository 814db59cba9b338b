//! What the integration tests share: a private server for each test, and one body that runs on every kind of connection.

#![allow(clippy::expect_used, clippy::panic, reason = "nothing can go on when these fail")]

mod child;
mod connection;
mod every;
mod fake_server;
mod sentinel;
mod slots;
mod wait;

pub use child::Child;
pub use connection::Con;
pub use every::{everywhere, on_a_cluster, on_every_connection, shared_cluster};
pub use fake_server::{FakeServer, garbage};
pub use sentinel::Sentinel;
pub use slots::{MovingSlot, fail_over, join};
pub use wait::wait_until;
