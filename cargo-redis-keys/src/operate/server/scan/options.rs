//! Arguments: the keys to read, and the pace.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::operate::server::pace::PaceLimits;

/// The keys to read, and the pace.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ScanArgs {
    /// Only keys that match this pattern, as in `KEYS`
    #[arg(long = "match", value_name = "GLOB", help_heading = "Keys")]
    pub(crate) pattern: Option<String>,
    /// Stop after so many keys of each server
    #[arg(long, value_name = "KEYS", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Keys")]
    pub(crate) sample: Option<u64>,
    /// Read the replicas of a cluster instead of the primaries
    #[arg(long, help_heading = "Keys")]
    pub(crate) replicas: bool,
    /// Read lengths even where that resets the idle times of keys
    #[arg(long, help_heading = "Keys")]
    pub(crate) touch: bool,
    /// Save the state to this file, and continue from it
    #[arg(long, value_name = "FILE", help_heading = "Keys")]
    pub(crate) resume: Option<PathBuf>,
    /// Stop after this time: 30m, 2h
    #[arg(long, value_name = "TIME", value_parser = time_limit, help_heading = "Keys")]
    pub(crate) timeout: Option<Duration>,
    #[command(flatten)]
    pub(crate) pace: PaceArgs,
}

/// The pace at which a server is read or changed.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PaceArgs {
    /// Share of the time that servers work for this [default: 50%]
    #[arg(long, value_name = "PERCENT", value_parser = share, help_heading = "Pace")]
    share: Option<f64>,
    /// At most so many keys a second on each server
    #[arg(long, value_name = "KEYS", value_parser = rate, help_heading = "Pace")]
    rate: Option<f64>,
    /// Pause after each page of keys at least so long: 10ms
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Pace")]
    pause: Option<Duration>,
    /// Slow down when pings take longer [default: 1ms]
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Pace")]
    max_latency: Option<Duration>,
    /// Never pause: for servers without other clients
    #[arg(long, conflicts_with_all = ["share", "rate", "pause", "max_latency"], help_heading = "Pace")]
    full_speed: bool,
}

impl ScanArgs {
    /// The options that say which keys are seen, and the pace.
    pub(crate) fn described(&self) -> Vec<(String, String)> {
        let mut options = Vec::new();
        let mut add = |name: &str, value: Option<String>| options.extend(value.map(|value| (name.to_owned(), value)));
        add("match", self.pattern.clone());
        add("sample", self.sample.map(|keys| keys.to_string()));
        add("replicas", self.replicas.then(|| "yes".to_owned()));
        add("touch", self.touch.then(|| "yes".to_owned()));
        add("pace", Some(self.pace.described()));
        options
    }
}

impl PaceArgs {
    pub(crate) fn limits(&self) -> PaceLimits {
        PaceLimits {
            share: if self.full_speed { 1.0 } else { self.share.unwrap_or(0.5) },
            rate: self.rate,
            pause: self.pause.unwrap_or_default(),
            max_latency: (!self.full_speed).then(|| self.max_latency.unwrap_or(Duration::from_millis(1))),
        }
    }

    fn described(&self) -> String {
        if self.full_speed {
            return "full speed".to_owned();
        }
        let limits = self.limits();
        let mut parts = vec![format!("share {}%", limits.share * 100.0)];
        parts.extend(limits.rate.map(|rate| format!("{rate} keys/s")));
        parts.extend(self.pause.map(|pause| format!("pause {pause:?}")));
        parts.extend(limits.max_latency.map(|latency| format!("latency {latency:?}")));
        parts.join(", ")
    }
}

/// Reads `50%` or `50`.
fn share(text: &str) -> Result<f64, String> {
    let percent: f64 =
        text.trim_end_matches('%').parse().map_err(|_| "expected a percentage, such as 50%".to_owned())?;
    if (0.1..=100.0).contains(&percent) { Ok(percent / 100.0) } else { Err("expected 0.1% to 100%".to_owned()) }
}

fn rate(text: &str) -> Result<f64, String> {
    let rate: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if (1.0..=1e9).contains(&rate) { Ok(rate) } else { Err("expected 1 or more".to_owned()) }
}

/// Reads `500us`, `1.5ms` or `2s`. More than an hour is a mistake.
fn duration(text: &str) -> Result<Duration, String> {
    let seconds = seconds(text, &[("us", 1e-6), ("ms", 1e-3), ("s", 1.0)]);
    let seconds = seconds.filter(|seconds| (0.0..=3_600.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected a duration, such as 500us, 1ms or 2s".to_owned())
}

/// Reads `90s`, `30m`, `2h` or `1d`, up to a year.
fn time_limit(text: &str) -> Result<Duration, String> {
    let seconds = seconds(text, &[("s", 1.0), ("m", 60.0), ("h", 3_600.0), ("d", 86_400.0)]);
    let seconds = seconds.filter(|seconds| (1.0..=31_536_000.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected a time, such as 90s, 30m or 2h".to_owned())
}

/// Reads a number with one of these units.
fn seconds(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let (number, unit) = text.split_at_checked(text.find(|sign: char| sign.is_ascii_alphabetic())?)?;
    let (_, factor) = units.iter().find(|(name, _)| *name == unit)?;
    Some(number.trim().parse::<f64>().ok()? * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_rates_and_durations_are_read() {
        assert_eq!(share("25%"), Ok(0.25));
        assert_eq!(share("100"), Ok(1.0));
        for text in ["0%", "101%", "half", "", "NaN", "-5%"] {
            assert!(share(text).is_err(), "{text}");
        }
        assert_eq!(rate("500"), Ok(500.0));
        assert!(rate("0").is_err() && rate("inf").is_err());
        assert_eq!(duration("1.5ms"), Ok(Duration::from_micros(1_500)));
        assert_eq!(duration("2s"), Ok(Duration::from_secs(2)));
        assert_eq!(duration("500us"), Ok(Duration::from_micros(500)));
        for text in ["5", "ms", "-1ms", "1h", "1e9s", "é"] {
            assert!(duration(text).is_err(), "{text}");
        }
        let limits = ["90s", "1.5m", "2h", "365d"].map(|text| time_limit(text).map(|limit| limit.as_secs()));
        assert_eq!(limits, [Ok(90), Ok(90), Ok(7_200), Ok(31_536_000)]);
        for text in ["0s", "500ms", "366d", "2", "NaNs"] {
            assert!(time_limit(text).is_err(), "{text}");
        }
    }
}
