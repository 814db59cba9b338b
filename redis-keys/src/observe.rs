//! Reports of all calls of accessors (see [`command`]), and of drivers such as [`Cache`](crate::cache::Cache) and
//! [`Worker`](crate::jobs::Worker), by their [`counters`](crate::counters).

#![cfg_attr(
    not(all(feature = "metrics", feature = "tracing")),
    allow(
        unused_mut,
        unused_variables,
        clippy::needless_pass_by_value,
        clippy::unused_self,
        reason = "it is only reported"
    )
)]
#![cfg_attr(
    not(all(feature = "cache", feature = "jobs", feature = "lock", feature = "tower")),
    allow(dead_code, unused_macros, reason = "not every driver needs all of it")
)]

#[cfg(feature = "cache")]
pub(crate) mod cache;
pub(crate) mod command;
#[cfg(feature = "jobs")]
pub(crate) mod jobs;
#[cfg(feature = "tower")]
pub(crate) mod limit;
#[cfg(feature = "lock")]
pub(crate) mod lock;
#[cfg(feature = "cache")]
pub(crate) mod near;

#[cfg(feature = "metrics")]
use crate::counters::{self, Table as _, handles};

/// All metrics that a program reports, with the features that it has.
#[cfg(feature = "metrics")]
pub(crate) fn families() -> Vec<redis_keys_core::metric::Metric> {
    let drivers: &[&handles::Driver] = &[
        #[cfg(feature = "cache")]
        &cache::Counter::METRICS,
        #[cfg(feature = "cache")]
        &near::Counter::METRICS,
        #[cfg(feature = "lock")]
        &lock::Counter::METRICS,
        #[cfg(feature = "tower")]
        &limit::Counter::METRICS,
        #[cfg(feature = "jobs")]
        &jobs::Counter::METRICS,
        &counters::filter::Counter::METRICS,
        #[cfg(feature = "secret")]
        &counters::secret::Counter::METRICS,
        #[cfg(feature = "aio")]
        &counters::channel::Counter::METRICS,
    ];
    let of_drivers = drivers.iter().flat_map(|driver| driver.counters.iter().chain(driver.seconds));
    let gauges: &[_] = &[
        #[cfg(feature = "cache")]
        near::BYTES,
    ];
    handles::OF_CALLS.iter().chain(of_drivers).chain(gauges).copied().collect()
}
