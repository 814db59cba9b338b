//! Runs the command.
#![allow(clippy::needless_raw_string_hashes, reason = "snapbox writes them")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on")]

mod acl;
/// `adopt`: drafts of declarations.
mod adopt {
    mod drafts;
    mod joined;
    mod servers;
}
/// `audit`: reading servers.
mod audit {
    mod access;
    mod baselines;
    pub(crate) mod cluster;
    mod hot_keys;
    mod idle_times;
    mod interrupted;
    mod keys;
    mod lost;
    mod mistakes;
    mod pace;
    mod planted;
    mod prometheus;
    mod resume;
    pub(crate) mod run;
    mod secrets;
    mod tls;
}
mod adoption;
mod catalog;
/// `purge`, `expire` and `move`.
mod change {
    mod access;
    mod cluster;
    mod conditions;
    mod expire;
    mod files;
    mod interrupted;
    mod mistakes;
    mod moves;
    mod others;
    mod plans;
    pub(crate) mod run;
    mod stepwise;
    mod uses;
}
mod check;
mod command;
mod explain;
mod fixture;
mod generate;
mod init;
mod lookup;
mod pages;
mod samples;
mod sources;
/// `values`: the shapes of stored values.
mod values {
    mod changes;
    mod mistakes;
    pub(crate) mod run;
    mod shapes;
}
mod workspace;
