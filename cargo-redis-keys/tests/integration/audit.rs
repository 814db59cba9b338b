//! `audit`: reading servers.

mod access;
mod cluster;
mod idle_times;
mod interrupted;
mod keys;
mod pace;
pub(crate) mod run;
mod tls;
