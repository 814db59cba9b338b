//! The text of durations: `1h30m`.

use std::time::Duration;

/// The units of a duration, longest first, with their milliseconds.
pub const UNITS: [(&str, u64); 6] =
    [("w", 604_800_000), ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// Renders a duration as in a declaration, truncated to milliseconds.
///
/// ```
/// use std::time::Duration;
///
/// use redis_keys_core::duration;
///
/// assert_eq!(duration::render(Duration::from_secs(5400)), "1h30m");
/// ```
pub fn render(duration: Duration) -> String {
    let mut rest = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    let [(_, week), ..] = UNITS;
    // Weeks are for whole weeks only: `10d` reads better than `1w3d`.
    let whole_weeks = rest.is_multiple_of(week);
    let mut text = String::new();
    for (name, millis) in UNITS {
        if rest >= millis && (millis != week || whole_weeks) {
            text.push_str(&(rest / millis).to_string());
            text.push_str(name);
            rest %= millis;
        }
    }
    if text.is_empty() { "0s".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_one_text() {
        for (millis, text) in [
            (0, "0s"),
            (500, "500ms"),
            (1_500, "1s500ms"),
            (86_400_000, "1d"),
            (604_800_000, "1w"),
            (864_000_000, "10d"),
        ] {
            assert_eq!(render(Duration::from_millis(millis)), text);
        }
        assert_eq!(render(Duration::MAX), render(Duration::from_millis(u64::MAX)));
    }
}
