//! Measures how long other clients wait, by pings on a connection of its own.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use redis::Value;

use crate::audit::pace::{Measurement, p95};
use crate::connection::{Link, LinkError, Reply, Server};

/// The pause between two pings.
const INTERVAL: Duration = Duration::from_millis(5);

/// One measurement is made of so many pings.
const PINGS: usize = 50;

/// From so many pings in pauses on they are compared with the others.
const ENOUGH_IN_PAUSES: usize = 20;

/// How long the server is measured before the audit starts.
const BEFORE: Duration = Duration::from_secs(1);

/// Pings a server from a thread of its own until it is dropped.
pub(crate) struct Latency {
    /// The 95th percentile before the audit.
    pub(crate) before: Option<Duration>,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    measurements: Mutex<Vec<Measurement>>,
    /// Whether the server works for the audit.
    is_busy: AtomicBool,
    is_dropped: AtomicBool,
}

impl Latency {
    /// Measures the server before the audit, and goes on from then. `None` if the user may not ping it.
    pub(crate) fn start(server: &Server) -> Result<Option<Self>, LinkError> {
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
        // If the connection is lost, so is that of the audit, which then restarts the measurement.
        thread::spawn(move || measure(&mut link, &shared).is_ok());
        Ok(Some(latency))
    }

    /// Says whether the server works for the audit from now on.
    pub(crate) fn set_busy(&self, is_busy: bool) {
        self.shared.is_busy.store(is_busy, Ordering::Relaxed);
    }

    /// The measurements since the last call.
    pub(crate) fn take(&self) -> Vec<Measurement> {
        std::mem::take(&mut *self.shared.measurements.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Latency {
    fn drop(&mut self) {
        self.shared.is_dropped.store(true, Ordering::Relaxed);
    }
}

fn measure(link: &mut Link, shared: &Shared) -> Result<(), LinkError> {
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
