//! `purge` and `expire`.

mod access;
mod cluster;
mod conditions;
mod expire;
mod files;
mod interrupted;
mod mistakes;
mod plans;
mod run;
mod stepwise;
