//! Counters and their descriptions, for drivers such as [`Cache`](crate::cache::Cache), filters, encrypted values and
//! channels. [`handles`] also has the metrics of all calls.
//!
//! Each has a table. A row is a counter with its name, its description and, where programs need to know about it, an
//! event of `tracing`. Reports contain only a key's template, a job's id and an error's kind. Without the features
//! `metrics` and `tracing`, none of this is compiled.

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

#[cfg(feature = "aio")]
pub(crate) mod channel;
pub(crate) mod filter;
#[cfg(feature = "metrics")]
pub(crate) mod handles;
#[cfg(feature = "secret")]
pub(crate) mod secret;

use std::fmt::Display;
use std::future::Future;
use std::marker::PhantomData;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::schema::Schema;

/// Declares the counters of a driver: `Name name "description";`, with `=> level "message"` for an event of `tracing`.
///
/// The metric is `redis_keys_DRIVER_NAME_total`. A driver with `pub struct Stats` has a field for each counter, whose
/// documentation begins with the description.
macro_rules! counters {
    (
        $driver:literal $(, $seconds:literal $seconds_description:literal)?;
        $(#[$stats_doc:meta])*
        pub struct Stats { $($(#[$state_doc:meta])* $state:ident: $State:ty),* $(,)? }
        $($(#[$doc:meta])* $counter:ident $name:ident $description:literal $(=> $level:ident $message:literal)?;)*
    ) => {
        $crate::counters::counters! {
            $driver $(, $seconds $seconds_description)?;
            $($counter $name $description $(=> $level $message)?;)*
        }

        $(#[$stats_doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Stats {
            $(#[doc = $description] $(#[$doc])* pub $name: u64,)*
            $($(#[$state_doc])* pub $state: $State,)*
        }

        pub(crate) type Counters = $crate::counters::Counters<Counter, { [$(Counter::$counter),*].len() }>;

        impl Counters {
            pub(crate) fn stats(&self $(, $state: $State)*) -> Stats {
                Stats { $($name: self.total(Counter::$counter),)* $($state),* }
            }
        }
    };

    (
        $driver:literal $(, $seconds:literal $seconds_description:literal)?;
        $($counter:ident $name:ident $description:literal $(=> $level:ident $message:literal)?;)*
    ) => {
        /// The target of spans and events.
        #[cfg(feature = "tracing")]
        #[allow(dead_code, reason = "not every table has events")]
        const TARGET: &str = concat!("redis_keys::", $driver);

        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Counter { $($counter),* }

        impl $crate::counters::Table for Counter {
            #[cfg(feature = "metrics")]
            const METRICS: $crate::counters::handles::Driver = $crate::counters::handles::Driver {
                counters: &[$($crate::counters::handles::of_template(
                    concat!("redis_keys_", $driver, "_", stringify!($name), "_total"), redis_keys_core::metric::MetricKind::Counter, $description
                )),*],
                seconds: &[$($crate::counters::handles::of_template(
                    concat!("redis_keys_", $driver, "_", $seconds, "_seconds"), redis_keys_core::metric::MetricKind::Histogram, $seconds_description
                ))?],
            };

            fn index(self) -> usize {
                self as usize
            }

            #[inline]
            #[allow(unused_variables, reason = "not every table has events")]
            fn trace(self, schema: &'static $crate::schema::Schema, id: Option<&dyn std::fmt::Display>) {
                match self {
                    $(Self::$counter => {$(
                        $crate::counters::event!(
                            $level, template = schema.template, id = id.map(tracing::field::display), $message
                        );
                    )?})*
                }
            }
        }
    };
}

/// Sends an event to `tracing`.
macro_rules! event {
    ($level:ident, $($field:tt)+) => {
        #[cfg(feature = "tracing")]
        tracing::$level!(target: TARGET, $($field)+)
    };
}

/// Runs a future in a span of `tracing`.
macro_rules! in_span {
    ($future:ident, $span:ident, $($field:tt)+) => {
        #[cfg(feature = "tracing")]
        let $future = tracing::Instrument::instrument($future, tracing::$span!(target: TARGET, $($field)+));
    };
}

#[allow(unused_imports, reason = "not every driver needs all of it")]
pub(crate) use {counters, event, in_span};

/// The counters of a driver, as `counters!` declares them.
pub(crate) trait Table: Copy {
    #[cfg(feature = "metrics")]
    const METRICS: handles::Driver;

    fn index(self) -> usize;

    /// Sends the row's event, if it has one. `id` identifies a job.
    fn trace(self, schema: &'static Schema, id: Option<&dyn Display>);

    /// Counts without an event.
    #[inline]
    fn count(self, number: u64, schema: &'static Schema) {
        #[cfg(feature = "metrics")]
        handles::count(const { &Self::METRICS }, self.index(), number, schema);
    }

    /// Counts one, with its event.
    #[inline]
    fn report(self, schema: &'static Schema) {
        self.count(1, schema);
        self.trace(schema, None);
    }

    /// Records a duration.
    fn record(time: Duration, schema: &'static Schema) {
        #[cfg(feature = "metrics")]
        handles::record(const { &Self::METRICS }, time, schema);
    }

    /// Records how long a future runs.
    #[inline]
    fn timed<F: Future>(schema: &'static Schema, future: F) -> impl Future<Output = F::Output> {
        #[cfg(feature = "metrics")]
        let future = async move {
            let started = std::time::Instant::now();
            let output = future.await;
            Self::record(started.elapsed(), schema);
            output
        };
        future
    }
}

/// The counters of a driver that has `Stats`.
pub(crate) struct Counters<T: Table, const N: usize> {
    counts: [AtomicU64; N],
    table: PhantomData<T>,
}

impl<T: Table, const N: usize> Default for Counters<T, N> {
    fn default() -> Self {
        Self { counts: [const { AtomicU64::new(0) }; N], table: PhantomData }
    }
}

impl<T: Table, const N: usize> Counters<T, N> {
    /// Counts without an event.
    #[inline]
    pub(crate) fn count(&self, counter: T, number: u64, schema: &'static Schema) {
        if let Some(count) = self.counts.get(counter.index()) {
            count.fetch_add(number, Relaxed);
        }
        counter.count(number, schema);
    }

    /// Counts one, with its event.
    #[inline]
    pub(crate) fn report(&self, counter: T, schema: &'static Schema) {
        self.count(counter, 1, schema);
        counter.trace(schema, None);
    }

    /// Counts one for a job, with its event.
    pub(crate) fn report_of(&self, counter: T, schema: &'static Schema, id: &dyn Display) {
        self.count(counter, 1, schema);
        counter.trace(schema, Some(id));
    }

    pub(crate) fn total(&self, counter: T) -> u64 {
        self.counts.get(counter.index()).map_or(0, |count| count.load(Relaxed))
    }
}
