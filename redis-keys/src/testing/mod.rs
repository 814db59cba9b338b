//! For tests of code that uses keys: a jitter and a clock that stand still, commands as text, and private servers.

#[cfg(unix)]
mod cluster;
mod expiry;
mod fixed;
#[cfg(test)]
#[cfg_attr(not(feature = "aio"), allow(dead_code, reason = "most are used together with the mock"))]
pub(crate) mod keys;
#[cfg(all(test, feature = "aio"))]
pub(crate) mod mock;
mod prefix;
#[cfg(unix)]
mod process;
#[cfg(unix)]
mod server;
mod text;

#[cfg(unix)]
pub use cluster::{Cluster, ClusterNode};
pub use expiry::{assert_all_expire, without_expiry};
#[cfg(feature = "aio")]
pub use expiry::{assert_all_expire_async, without_expiry_async};
pub use fixed::{FixedClock, FixedJitter, fix_clock, fix_jitter};
pub(crate) use fixed::{fixed_clock, fixed_jitter};
pub(crate) use prefix::prefix;
pub use prefix::{OwnKeys, Prefix, own_keys};
#[cfg(unix)]
pub use server::Server;
pub use text::text;
