//! Connections to servers: their addresses, passwords and certificates, and requests and replies without a copy in between.

mod args;
mod link;
mod password;
mod requests;
mod server;
mod socket;

pub(crate) use args::{ConnectionArgs, shown_command};
pub(crate) use link::{Link, LinkError, Redirect, Reply, is_about_certificates};
pub(crate) use password::{SECRET_VARIABLES, without_passwords};
pub(crate) use requests::Requests;
pub(crate) use server::Server;
