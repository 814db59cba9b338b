//! For tests of code that uses keys: a jitter and a clock that stand still, commands as text, and private servers.

#[cfg(unix)]
mod cluster;
mod fixed;
#[cfg(test)]
#[cfg_attr(not(feature = "aio"), allow(dead_code, reason = "most are used together with the mock"))]
pub(crate) mod keys;
#[cfg(all(test, feature = "aio"))]
pub(crate) mod mock;
#[cfg(unix)]
mod process;
#[cfg(unix)]
mod server;
mod text;

#[cfg(unix)]
pub use cluster::{Cluster, ClusterNode};
pub use fixed::{FixedClock, FixedJitter, fix_clock, fix_jitter};
pub(crate) use fixed::{fixed_clock, fixed_jitter};
#[cfg(unix)]
pub use server::Server;
pub use text::text;
