//! Throttles requests to a server: by a pace, and by pings on a separate connection, which measure how long other
//! clients wait.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use redis::Value;

use super::connection::{Link, LinkError, Reply, Server};
use super::pace::{Measurement, Pace, PaceLimits, p95};

/// The pause between two pings.
const INTERVAL: Duration = Duration::from_millis(5);

/// The number of pings of a measurement.
const PINGS: usize = 50;

/// The number of pings in pauses from which on they are compared with the others.
const ENOUGH_IN_PAUSES: usize = 20;

/// The time for which the server is measured before the first request.
const BEFORE: Duration = Duration::from_secs(1);

/// Throttles requests to a server.
pub(crate) struct Throttle {
    pub(crate) pace: Pace,
    latency: Option<Latency>,
}

impl Throttle {
    /// A throttle within these limits, which measures the server first if there is a bound of its latency.
    pub(crate) fn start(server: &Server, limits: PaceLimits) -> Result<Self, LinkError> {
        let latency = match limits.max_latency {
            Some(_) => Latency::start(server)?,
            None => None,
        };
        Ok(Self { pace: Pace::new(limits, latency.as_ref().and_then(|latency| latency.before)), latency })
    }

    /// Whether the latency is measured: the user may be denied to ping the server.
    pub(crate) fn measures_latency(&self) -> bool {
        self.latency.is_some()
    }

    /// Notes whether the server works for this program from now on.
    pub(crate) fn set_busy(&self, is_busy: bool) {
        if let Some(latency) = &self.latency {
            latency.shared.is_busy.store(is_busy, Ordering::Relaxed);
        }
    }

    /// The pause after requests, by their number of keys and their duration.
    pub(crate) fn pause(&mut self, keys: u64, busy: Duration) -> Duration {
        for measured in self.latency.iter().flat_map(Latency::take) {
            self.pace.measured(measured);
        }
        self.pace.pause(keys, busy)
    }
}

/// Pings a server from a separate thread until it is dropped.
struct Latency {
    /// The 95th percentile before the first request.
    before: Option<Duration>,
    shared: Arc<LatencyState>,
}

#[derive(Default)]
struct LatencyState {
    measurements: Mutex<Vec<Measurement>>,
    /// Whether the server works for this program.
    is_busy: AtomicBool,
    is_dropped: AtomicBool,
}

impl Latency {
    /// Measures the server before the first request, and from then on. `None` if the user may not ping it.
    fn start(server: &Server) -> Result<Option<Self>, LinkError> {
        let mut link = Link::open(server)?;
        let started = Instant::now();
        let mut round_trips = Vec::new();
        while started.elapsed() < BEFORE {
            match ping(&mut link)? {
                Some(round_trip) => round_trips.push(round_trip),
                None => return Ok(None),
            }
            thread::sleep(INTERVAL);
        }
        let latency = Self { before: p95(&mut round_trips), shared: Arc::default() };
        let shared = Arc::clone(&latency.shared);
        // If the connection is lost, the connection of the requests is lost too, which then restarts the measurement.
        thread::spawn(move || measure(&mut link, &shared).is_ok());
        Ok(Some(latency))
    }

    /// The measurements since the last call.
    fn take(&self) -> Vec<Measurement> {
        std::mem::take(&mut *self.shared.measurements.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Latency {
    fn drop(&mut self) {
        self.shared.is_dropped.store(true, Ordering::Relaxed);
    }
}

fn measure(link: &mut Link, shared: &LatencyState) -> Result<(), LinkError> {
    let (mut round_trips, mut in_pauses) = (Vec::with_capacity(PINGS), VecDeque::with_capacity(PINGS));
    while !shared.is_dropped.load(Ordering::Relaxed) {
        let is_busy_before = shared.is_busy.load(Ordering::Relaxed);
        let Some(round_trip) = ping(link)? else { return Ok(()) };
        round_trips.push(round_trip);
        if !is_busy_before && !shared.is_busy.load(Ordering::Relaxed) {
            if in_pauses.len() >= PINGS {
                in_pauses.pop_front();
            }
            in_pauses.push_back(round_trip);
        }
        if round_trips.len() >= PINGS {
            let mut of_pauses: Vec<_> = in_pauses.iter().copied().collect();
            let in_pauses = if of_pauses.len() < ENOUGH_IN_PAUSES { None } else { p95(&mut of_pauses) };
            let measurement = p95(&mut round_trips).map(|p95| Measurement { p95, in_pauses });
            shared.measurements.lock().unwrap_or_else(PoisonError::into_inner).extend(measurement);
            round_trips.clear();
        }
        thread::sleep(INTERVAL);
    }
    Ok(())
}

fn ping(link: &mut Link) -> Result<Option<Duration>, LinkError> {
    let sent = Instant::now();
    match link.ask(&[b"PING"])? {
        Reply::Value(Value::SimpleString(_) | Value::Okay) => Ok(Some(sent.elapsed())),
        _ => Ok(None),
    }
}
