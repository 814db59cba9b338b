//! Numbers for people.

use std::fmt::Write as _;
use std::time::Duration;

/// The units of durations, with their milliseconds.
const TIMES: [(&str, u64); 5] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// A count, such as `12,345`.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things: `1 key`, `2 keys`.
pub(crate) fn things(number: u64, name: &str) -> String {
    format!("{} {name}{}", count(number), if number == 1 { "" } else { "s" })
}

/// A size, such as `1.5 KB`. A kilobyte has 1024 bytes.
pub(crate) fn bytes(bytes: u64) -> String {
    let mut unit = 1_u64;
    for name in ["B", "KB", "MB", "GB", "TB"] {
        // With the next digit it would be rounded to 1024.
        if bytes.saturating_add(unit / 20) < unit.saturating_mul(1024) || name == "TB" {
            let tenths = (u128::from(bytes) * 20 / u128::from(unit)).div_ceil(2);
            return match (unit, tenths) {
                (1, _) | (_, 1000..) => {
                    format!("{} {name}", count(u64::try_from((tenths + 5) / 10).unwrap_or(u64::MAX)))
                }
                _ if tenths.is_multiple_of(10) => format!("{} {name}", tenths / 10),
                _ => format!("{}.{} {name}", tenths / 10, tenths % 10),
            };
        }
        unit *= 1024;
    }
    String::new()
}

/// A size without rounding, such as `2 KB` or `1,025 bytes`.
pub(crate) fn exact_bytes(size: u64) -> String {
    if size < 1_024 || size.is_multiple_of(1_024) && size / 1_024 < 1_024 || size.is_multiple_of(1_024 * 1_024) {
        bytes(size)
    } else {
        format!("{} bytes", count(size))
    }
}

/// A duration in its two largest units, such as `3d4h`.
pub(crate) fn duration(ms: u64) -> String {
    let Some(first) = TIMES.iter().position(|(_, unit)| ms >= *unit) else { return "0s".to_owned() };
    let mut rest = ms;
    let mut text = String::new();
    for (name, unit) in TIMES.iter().skip(first).take(2) {
        if rest >= *unit {
            let _ = write!(text, "{}{name}", rest / unit);
        }
        rest %= unit;
    }
    text
}

/// The milliseconds of a duration.
pub(crate) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A share, such as `12%`.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    let hundredfold = u128::from(part) * 100;
    match (hundredfold + u128::from(whole / 2)).checked_div(u128::from(whole)) {
        Some(0) if part > 0 => "< 1%".to_owned(),
        Some(100) if part < whole => "> 99%".to_owned(),
        share => format!("{}%", share.unwrap_or(0)),
    }
}

/// A text cut to a maximum number of characters. The middle of a longer text is left out.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let end = most / 3;
    let start: String = text.chars().take(most.saturating_sub(end + 1)).collect();
    let end: String = text.chars().skip(length - end).collect();
    format!("{start}…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([things(1, "key"), things(2_000, "key")], ["1 key", "2,000 keys"]);
        let sizes = [0, 1_023, 1_024, 1_536, 10_239, 102_400, 1_048_575, 1_048_576, 5_368_709_120];
        let shown = ["0 B", "1,023 B", "1 KB", "1.5 KB", "10 KB", "100 KB", "1 MB", "1 MB", "5 GB"];
        assert_eq!(sizes.map(bytes), shown);
        assert!(bytes(u64::MAX).ends_with(" TB"));
        let sizes = [1_023, 1_024, 1_025, 10_240, 10_241, 1_048_576, 20_000_000, 1_049_600];
        let shown =
            ["1,023 B", "1 KB", "1,025 bytes", "10 KB", "10,241 bytes", "1 MB", "20,000,000 bytes", "1,049,600 bytes"];
        assert_eq!(sizes.map(exact_bytes), shown);
        let times = [0, 500, 1_500, 60_000, 5_400_000, 90_000_000, 90_000_500, 315_360_000_000];
        assert_eq!(times.map(duration), ["0s", "500ms", "1s500ms", "1m", "1h30m", "1d1h", "1d1h", "3650d"]);
        let shares =
            [(0, 0), (0, 5), (1, 1_000), (1, 2), (999, 1_000), (5, 5)].map(|(part, whole)| percent(part, whole));
        assert_eq!(shares, ["0%", "0%", "< 1%", "50%", "> 99%", "100%"]);
        assert_eq!([shortened("abcdefghij", 10), shortened("äbcdefghijk", 7)], ["abcdefghij", "äbcd…jk"]);
    }
}
