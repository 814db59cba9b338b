//! Connections to servers: their addresses and certificates, and requests and replies without a copy in between.

mod args;
mod link;
mod rejected;
mod server;
mod socket;

pub(crate) use args::ConnectionArgs;
pub(crate) use link::{Link, LinkError, Redirect, Reply, Requests, refused};
pub(crate) use server::Server;
pub(crate) use socket::first_reply;
