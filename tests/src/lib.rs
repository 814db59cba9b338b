//! What the integration tests share: a private server for each test, and one body that runs on every kind of connection.

#![allow(clippy::expect_used, clippy::panic, reason = "a test cannot continue when these fail")]
#![allow(clippy::missing_errors_doc, clippy::missing_panics_doc, reason = "helpers panic when a test fails")]

mod child;
mod connection;
mod errors;
mod every;
mod sentinel;
mod slots;
mod wait;

pub use child::Child;
pub use connection::Con;
pub use errors::Errors;
pub use every::{everywhere, on_a_cluster, on_every_connection, shared_cluster};
pub use sentinel::Sentinel;
pub use slots::{MovingSlot, fail_over, join};
pub use wait::wait_until;
