//! What the integration tests share: a private server for each test, and one body that runs on every kind of connection.

#![allow(clippy::expect_used, clippy::panic, reason = "nothing can go on when these fail")]

mod connection;
mod every;

pub use connection::Con;
pub use every::on_every_connection;
