//! The pace at which a server is read or changed.
//!
//! After each page comes a pause, so that the audit takes only its share of the server's time. While it runs, the
//! server is pinged on a second connection. It begins with small pages, which delay other clients little. When the 95th
//! percentile of these round trips exceeds the bound, the audit takes a step back: first to smaller pages, then to
//! smaller shares. When it is calm, it takes a step forward. It never stands still: at the last step it takes 5 % of
//! the time.
//!
//! A step back helps only against delays that the audit itself causes. So the bound is at least twice the time of the
//! pings without the audit: before it starts, and in its pauses. On a machine where other programs delay the server, a
//! bound without this slowed the audit down to its last step, without any benefit.
//!
//! Nothing here reads a clock.

use std::time::Duration;

/// The numbers of keys in a page, from the first step to the third.
const PAGES: [u32; 3] = [1_000, 250, 100];

/// The share of the time at the last step.
const LEAST_SHARE: f64 = 0.05;

/// The number of measurements in a row within the bound after which the audit takes a step forward.
const CALM_MEASUREMENTS: u32 = 8;

/// The limits that the user asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PaceLimits {
    /// The share of the time, from 0 to 1.
    pub(crate) share: f64,
    /// Keys a second.
    pub(crate) rate: Option<f64>,
    /// The pause after each page.
    pub(crate) pause: Duration,
    /// The bound of the round trips, unless they take longer already without the audit.
    pub(crate) max_latency: Option<Duration>,
}

/// The pace at which a server is read or changed.
#[derive(Clone, Debug)]
pub(crate) struct Pace {
    limits: PaceLimits,
    bound: Option<Duration>,
    step: usize,
    calm: u32,
    pub(crate) summary: PaceSummary,
}

/// The 95th percentiles of the last round trips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Measurement {
    /// Of all round trips.
    pub(crate) p95: Duration,
    /// Of round trips in pauses, if there were enough.
    pub(crate) in_pauses: Option<Duration>,
}

/// The measurements, and how many exceeded the bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PaceSummary {
    /// The number of measurements.
    pub(crate) measurements: u64,
    /// The number of pings that exceeded the bound at the last step, where the audit cannot become slower.
    pub(crate) exceeded_at_last_step: u64,
    /// The longest ping.
    pub(crate) longest: Duration,
    pub(crate) bound: Option<Duration>,
}

impl Pace {
    /// A pace within these limits. `before` is the 95th percentile of the round trips before the audit has started.
    pub(crate) fn new(limits: PaceLimits, before: Option<Duration>) -> Self {
        let bound = limits.max_latency.map(|bound| bound.max(before.unwrap_or_default() * 2));
        let summary = PaceSummary { bound, ..PaceSummary::default() };
        // With a bound, pages grow from the smallest size: the first pages must not exceed the bound already.
        let step = if bound.is_some() { PAGES.len() - 1 } else { 0 };
        Self { limits, bound, step, calm: 0, summary }
    }

    /// The number of keys in the next page.
    pub(crate) fn page(&self) -> u32 {
        let page = PAGES.get(self.step).or(PAGES.last()).copied().unwrap_or(1);
        match self.limits.rate {
            // At least ten pages a second, so that they are spread.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast of a float saturates")]
            Some(rate) => page.min((rate / 10.0) as u32).max(1),
            None => page,
        }
    }

    /// The share of the time.
    pub(crate) fn share(&self) -> f64 {
        let halvings = i32::try_from((self.step + 1).saturating_sub(PAGES.len())).unwrap_or(i32::MAX);
        (self.limits.share * 0.5_f64.powi(halvings)).max(LEAST_SHARE.min(self.limits.share))
    }

    /// Whether there is never a pause.
    pub(crate) fn is_full_speed(&self) -> bool {
        self.limits.share >= 1.0
            && self.limits.rate.is_none()
            && self.limits.pause.is_zero()
            && self.limits.max_latency.is_none()
    }

    /// The pause after a page, by its number of keys and its duration.
    pub(crate) fn pause(&self, keys: u64, busy: Duration) -> Duration {
        let share = busy.mul_f64((1.0 / self.share() - 1.0).clamp(0.0, 1e6));
        #[allow(clippy::cast_precision_loss, reason = "a page has few keys")]
        let rate = self.limits.rate.map(|rate| Duration::from_secs_f64((keys as f64 / rate).min(1e6)));
        share.max(rate.unwrap_or_default().saturating_sub(busy)).max(self.limits.pause)
    }

    /// Takes a measurement into account.
    pub(crate) fn measured(&mut self, measurement: Measurement) {
        let Some(bound) = self.bound else { return };
        let Measurement { p95, in_pauses } = measurement;
        self.summary.measurements += 1;
        if p95 <= bound.max(in_pauses.unwrap_or_default() * 2) {
            self.calm += 1;
            if self.calm >= CALM_MEASUREMENTS {
                self.calm = 0;
                self.step = self.step.saturating_sub(1);
            }
            return;
        }
        self.calm = 0;
        if self.step + 1 >= PAGES.len() && self.share() <= LEAST_SHARE {
            self.summary.exceeded_at_last_step += 1;
            self.summary.longest = self.summary.longest.max(p95);
        } else {
            self.step += 1;
        }
    }
}

impl PaceSummary {
    /// The message if the bound could not be kept.
    pub(crate) fn excess(&self) -> Option<String> {
        let bound = self.bound?;
        if self.exceeded_at_last_step * 20 < self.measurements.max(20) {
            return None;
        }
        let (bound, longest) = (milliseconds(bound), milliseconds(self.longest));
        Some(format!(
            "a latency of {bound} could not be kept: at the lowest speed it was exceeded in {} of {} measurements, by up to \
             {longest}",
            self.exceeded_at_last_step, self.measurements
        ))
    }
}

fn milliseconds(duration: Duration) -> String {
    format!("{:.1} ms", duration.as_secs_f64() * 1e3)
}

/// The 95th percentile of some round trips.
pub(crate) fn p95(round_trips: &mut [Duration]) -> Option<Duration> {
    round_trips.sort_unstable();
    round_trips.get((round_trips.len() * 95).div_ceil(100).saturating_sub(1)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULT: PaceLimits =
        PaceLimits { share: 0.5, rate: None, pause: Duration::ZERO, max_latency: Some(Duration::from_millis(1)) };

    fn us(us: u64) -> Duration {
        Duration::from_micros(us)
    }

    #[test]
    fn the_pause_leaves_the_share() {
        let pace = |share| Pace::new(PaceLimits { share, ..DEFAULT }, None);
        assert_eq!(pace(0.5).pause(1_000, us(4_000)), us(4_000));
        assert_eq!(pace(0.2).pause(1_000, us(1_000)), us(4_000));
        assert_eq!(pace(1.0).pause(1_000, us(4_000)), us(0));
    }

    #[test]
    fn the_longest_pause_holds() {
        let limits = PaceLimits { rate: Some(1_000.0), pause: us(2_000), ..DEFAULT };
        let pace = Pace::new(limits, None);
        assert_eq!(pace.page(), 100);
        assert_eq!(pace.pause(100, us(1_000)), us(99_000));
        assert_eq!(pace.pause(0, us(1_000)), us(2_000));
        assert_eq!(pace.pause(0, us(9_000)), us(9_000));
        assert_eq!(Pace::new(PaceLimits { rate: Some(0.5), ..DEFAULT }, None).page(), 1);
    }

    /// A server on which a client waits as long as a page takes (4 µs a key), for half of the pings at half of the
    /// time.
    fn simulate(pace: &mut Pace, noise: Duration, in_pauses: Option<Duration>, measurements: u32) -> f64 {
        let mut keys = 0.0;
        for _ in 0..measurements {
            let one = Duration::from_micros(4) * pace.page();
            keys += pace.share();
            // With a share below 5 %, the pages are above the 95th percentile.
            let own = if pace.share() > 0.05 { one } else { Duration::ZERO };
            pace.measured(Measurement { p95: noise + own, in_pauses });
        }
        keys / f64::from(measurements)
    }

    #[test]
    fn pages_grow_while_it_is_calm() {
        let mut pace = Pace::new(DEFAULT, Some(us(100)));
        assert_eq!((pace.page(), pace.share()), (100, 0.5));
        for page in [250, 1_000, 1_000] {
            for _ in 0..CALM_MEASUREMENTS {
                pace.measured(Measurement { p95: us(900), in_pauses: None });
            }
            assert_eq!(pace.page(), page);
        }
        assert_eq!(Pace::new(PaceLimits { max_latency: None, ..DEFAULT }, None).page(), 1_000);
    }

    #[test]
    fn pages_become_smaller_until_the_bound_is_kept() {
        let mut pace = Pace::new(DEFAULT, Some(us(100)));
        simulate(&mut pace, us(100), Some(us(100)), 2);
        // 250 keys exceed the bound, 100 do not.
        assert_eq!((pace.page(), pace.share()), (100, 0.5));
        assert!(simulate(&mut pace, us(100), Some(us(100)), 1_000) > 0.45);
        assert_eq!(pace.summary.excess(), None);
    }

    #[test]
    fn noise_from_the_start_raises_the_bound() {
        let mut pace = Pace::new(DEFAULT, Some(us(3_000)));
        assert!(simulate(&mut pace, us(3_000), None, 1_000) > 0.45);
        assert_eq!(pace.summary.excess(), None);
    }

    #[test]
    fn noise_that_is_there_in_pauses_too_does_not_slow_it_down() {
        let mut pace = Pace::new(DEFAULT, Some(us(100)));
        assert!(simulate(&mut pace, us(3_000), Some(us(3_000)), 1_000) > 0.45);
        // Delays that the audit itself causes do.
        simulate(&mut pace, us(3_000), Some(us(1_000)), 1_000);
        assert!(pace.share() <= 0.1);
    }

    #[test]
    fn noise_that_begins_later_slows_it_down_but_not_to_a_stop() {
        let mut pace = Pace::new(DEFAULT, Some(us(100)));
        simulate(&mut pace, us(3_000), None, 1_000);
        assert_eq!((pace.page(), pace.share()), (100, 0.05));
        let excess = pace.summary.excess();
        assert_eq!(
            excess.as_deref(),
            Some(
                "a latency of 1.0 ms could not be kept: at the lowest speed it was exceeded in 996 of 1000 measurements, \
                 by up to 3.0 ms"
            )
        );
        // When the noise ends, it speeds up again.
        simulate(&mut pace, us(100), None, 100);
        assert!(pace.share() >= 0.25);
    }

    #[test]
    fn it_speeds_up_only_after_calm_measurements_in_a_row() {
        let mut pace = Pace::new(DEFAULT, None);
        let exceeding = Measurement { p95: us(2_000), in_pauses: None };
        let calm = Measurement { p95: us(100), in_pauses: None };
        for _ in 0..2 {
            pace.measured(exceeding);
            for _ in 1..CALM_MEASUREMENTS {
                pace.measured(calm);
            }
        }
        assert_eq!((pace.page(), pace.share()), (100, 0.125));
        pace.measured(calm);
        assert_eq!((pace.page(), pace.share()), (100, 0.25));
    }

    #[test]
    fn a_smaller_share_than_the_least_is_kept() {
        let mut pace = Pace::new(PaceLimits { share: 0.01, ..DEFAULT }, None);
        simulate(&mut pace, us(3_000), None, 100);
        assert!((pace.share() - 0.01).abs() < 1e-9);
    }

    #[test]
    fn without_a_bound_nothing_changes() {
        let limits = PaceLimits { share: 1.0, max_latency: None, ..DEFAULT };
        let mut pace = Pace::new(limits, None);
        assert!(pace.is_full_speed());
        pace.measured(Measurement { p95: us(1_000_000), in_pauses: None });
        assert_eq!((pace.page(), pace.pause(1_000, us(4_000))), (1_000, us(0)));
    }

    #[test]
    fn the_percentile_is_one_of_the_round_trips() {
        let mut round_trips: Vec<_> = (1..=50).rev().map(us).collect();
        assert_eq!(p95(&mut round_trips), Some(us(48)));
        assert_eq!(p95(&mut [us(7)]), Some(us(7)));
        assert_eq!(p95(&mut []), None);
    }
}
