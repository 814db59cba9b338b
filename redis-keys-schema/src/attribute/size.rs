//! Sizes (`64KB`) and counts (`1000`).

use redis_keys_core::schema::Keep;

use crate::Rule;
use crate::diagnostic::Diagnostics;
use crate::edit::Suggestion;
use crate::limits::MAX_MAX_BYTES;
use crate::piece::Piece;

/// The reason why a text is not a size.
pub(crate) struct SizeError {
    pub(crate) message: String,
    /// The size to write instead, where it can be guessed.
    pub(crate) suggestion: Option<String>,
    /// Whether more than the limit is meant, so that the suggestion is the limit.
    pub(crate) exceeds_limit: bool,
}

const UNITS: [(&str, u64); 4] = [("", 1), ("B", 1), ("KB", 1024), ("MB", 1024 * 1024)];

/// Reads a size of an option, or reports the problem.
pub(super) fn read_bytes(value: Piece<'_>, diagnostics: &mut Diagnostics) -> Option<u64> {
    let error = match parse_bytes(value.text) {
        Ok(bytes) => return Some(bytes),
        Err(error) => error,
    };
    let help = match error.suggestion {
        Some(suggestion) if error.exceeds_limit => Suggestion::write(suggestion).and(" or less"),
        Some(suggestion) => Suggestion::write(suggestion),
        None => "write a whole number of `B`, `KB` or `MB`, as in `64KB`".into(),
    };
    diagnostics.report(value.range(), Rule::ValueSize, error.message, help);
    None
}

/// Reads a number of bytes: `500B`, `64KB`, `1MB`, or a bare number.
pub(crate) fn parse_bytes(text: &str) -> Result<u64, SizeError> {
    let plain = text.replace('_', "");
    let (number, unit) = plain.split_at(plain.find(|c: char| !c.is_ascii_digit()).unwrap_or(plain.len()));
    let exact = bytes(number, unit);
    if let Some(bytes) = exact.filter(|bytes| (1..u64::MAX).contains(bytes)) {
        return Ok(bytes);
    }
    let message = match exact {
        Some(0) => format!("expected a size above zero, found `{text}`"),
        Some(_) => format!("`{text}` exceeds the limit of {}", render_bytes(MAX_MAX_BYTES)),
        None => format!("expected a size, found `{text}`"),
    };
    let unit = if exact.is_some() { Some(unit) } else { other_unit(unit) };
    let (suggestion, exceeds_limit) = match unit.and_then(|unit| Some((unit, bytes(number, unit)?))) {
        Some((unit, 1..=MAX_MAX_BYTES)) => (Some(format!("{number}{unit}")), false),
        Some((_, 0)) | None => (None, false),
        Some(_) => (Some(render_bytes(MAX_MAX_BYTES)), true),
    };
    Err(SizeError { message, suggestion, exceeds_limit })
}

/// A number of bytes, at most `u64::MAX`. `None` if this is not a number and a unit.
fn bytes(number: &str, unit: &str) -> Option<u64> {
    let &(_, factor) = UNITS.iter().find(|(name, _)| *name == unit).filter(|_| !number.is_empty())?;
    Some(number.parse::<u64>().unwrap_or(u64::MAX).saturating_mul(factor))
}

/// The unit that is written in another way.
fn other_unit(unit: &str) -> Option<&'static str> {
    let unit: String = unit.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase();
    match unit.as_str() {
        "b" | "byte" | "bytes" => Some("B"),
        "k" | "kb" | "kib" | "kbytes" => Some("KB"),
        "m" | "mb" | "mib" | "mbytes" => Some("MB"),
        _ => None,
    }
}

/// A number of bytes in its shortest exact form.
pub(crate) fn render_bytes(bytes: u64) -> String {
    let unit = UNITS.iter().rev().find(|(name, factor)| !name.is_empty() && bytes.is_multiple_of(*factor));
    unit.map_or_else(|| format!("{bytes}B"), |(name, factor)| format!("{}{name}", bytes / factor))
}

/// Reads a count, a whole number from 1 on, or reports the problem.
pub(super) fn read_count(value: Piece<'_>, diagnostics: &mut Diagnostics) -> Option<u64> {
    read_number(value, Rule::CollectionSize, diagnostics)
}

/// Reads the number of items of a Bloom filter, as a count.
pub(super) fn read_expected(value: Piece<'_>, diagnostics: &mut Diagnostics) -> Option<u64> {
    read_number(value, Rule::BloomFilter, diagnostics)
}

/// Reads a share in percent, in parts per million, or reports the problem.
pub(super) fn read_false_positives(value: Piece<'_>, diagnostics: &mut Diagnostics) -> Option<u32> {
    let (number, is_percent) = match value.text.strip_suffix('%') {
        Some(number) => (number.trim(), true),
        None => (value.text, false),
    };
    let per_million = parse_per_million(number);
    let (least, most) = (1, 500_000);
    let meant = per_million.map(|per_million| if is_percent { per_million } else { per_million.saturating_mul(100) });
    let help = match meant {
        Some(per_million) if is_percent && (least..=most).contains(&per_million) => {
            return u32::try_from(per_million).ok();
        }
        Some(per_million) if (least..=most).contains(&per_million) => Suggestion::write(render_percent(per_million)),
        Some(per_million) if per_million > most => Suggestion::write("50%").and(" or less"),
        Some(_) => Suggestion::write("0.0001%").and(" or more"),
        None => Suggestion::write("1%"),
    };
    let message = format!("expected a share from `0.0001%` to `50%`, found `{}`", value.text);
    diagnostics.report(value.range(), Rule::BloomFilter, message, help);
    None
}

/// Parts per million of a number of percent with up to four decimals.
fn parse_per_million(percent: &str) -> Option<u64> {
    let (whole, decimals) = percent.split_once('.').unwrap_or((percent, ""));
    let is_number = !whole.is_empty() && [whole, decimals].concat().bytes().all(|byte| byte.is_ascii_digit());
    // Further digits do not count, but a number that is too small is not none.
    let digits = format!("{decimals:0<4}");
    let (kept, rest) = digits.split_at_checked(4).filter(|_| is_number)?;
    let rounds_up = rest.bytes().any(|byte| byte != b'0') && kept.bytes().any(|byte| byte != b'0');
    let whole = whole.parse::<u64>().ok()?.checked_mul(10_000)?;
    whole.checked_add(kept.parse().ok()?)?.checked_add(rounds_up.into())
}

/// Parts per million as percent: `1%`, `0.01%`.
pub(crate) fn render_percent(per_million: u64) -> String {
    let text = format!("{}.{:04}", per_million / 10_000, per_million % 10_000);
    format!("{}%", text.trim_end_matches('0').trim_end_matches('.'))
}

fn read_number(value: Piece<'_>, rule: Rule, diagnostics: &mut Diagnostics) -> Option<u64> {
    let plain: String = value.text.chars().filter(|c| !c.is_whitespace() && *c != '_').collect();
    let count = plain.parse::<u64>();
    if let Ok(count @ 1..) = count {
        return Some(count);
    }
    let expected = if count.is_ok() { "a number above zero" } else { "a whole number" };
    let thousands = plain.strip_suffix(['k', 'K']).filter(|number| number.parse::<u32>().is_ok());
    let help = match (thousands, plain.strip_prefix('~')) {
        (_, Some(number)) if number.parse::<u64>().is_ok() => {
            let only = format!("; `~` is only for `keep_last` of a stream, as in `keep_last = ~{number}`");
            Suggestion::write(number).and(&only)
        }
        (Some(number), _) => Suggestion::write(format!("{number}000")),
        _ => match scientific(&plain) {
            Some(number) => Suggestion::write(number.to_string()),
            None => "write a whole number, as in `1000`".into(),
        },
    };
    let message = format!("expected {expected}, found `{}`", value.text);
    diagnostics.report(value.range(), rule, message, help);
    None
}

/// The whole number of a text such as `1e6`.
fn scientific(text: &str) -> Option<u64> {
    let (number, exponent) = text.split_once(['e', 'E'])?;
    number.parse::<u64>().ok()?.checked_mul(10_u64.checked_pow(exponent.parse().ok()?)?).filter(|number| *number > 0)
}

/// Reads `1000`, or `~1000` where a few more may stay.
pub(super) fn read_keep(value: Piece<'_>, diagnostics: &mut Diagnostics) -> Option<Keep> {
    let about = value.text.starts_with('~');
    let number = if about { value.from(1).trim() } else { value };
    read_count(number, diagnostics).map(if about { Keep::AboutLast } else { Keep::Last })
}

/// Reads a number of copies, or reports the problem.
pub(super) fn read_copies(value: Piece<'_>, diagnostics: &mut Diagnostics) -> Option<u64> {
    let number = value.text.replace('_', "").parse().ok();
    if !number.is_some_and(|number| (2..=1000).contains(&number)) {
        let message = format!("expected 2 to 1000 copies, found `{}`", value.text);
        diagnostics.report(value.range(), Rule::Copies, message, Suggestion::write("8"));
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_sizes() {
        for (text, bytes) in [("64KB", 65536), ("1MB", 1 << 20), ("500B", 500), ("500", 500), ("1_000B", 1000)] {
            assert_eq!(parse_bytes(text).ok(), Some(bytes), "{text}");
        }
    }

    #[test]
    fn suggests_the_size_that_was_meant() {
        for (text, suggestion, exceeds_limit) in [
            ("64kb", "64KB", false),
            ("64 KiB", "64KB", false),
            ("1m", "1MB", false),
            ("1GB", "", false),
            ("KB", "", false),
            ("0kb", "", false),
            ("0", "", false),
            ("", "", false),
            ("99999999999999MB", "1MB", true),
            ("99999999999999999999", "1MB", true),
            ("4mb", "1MB", true),
            ("99999999999999mb", "1MB", true),
        ] {
            let error =
                parse_bytes(text).err().map(|error| (error.suggestion.unwrap_or_default(), error.exceeds_limit));
            assert_eq!(error, Some((suggestion.to_owned(), exceeds_limit)), "{text}");
        }
    }

    #[test]
    fn reads_shares() {
        for (text, per_million) in
            [("1", 10_000), ("0.5", 5_000), ("50", 500_000), ("0.0001", 1), ("0.00011", 2), ("0.00001", 0)]
        {
            assert_eq!(parse_per_million(text), Some(per_million), "{text}");
        }
        for text in ["", ".", ".5", "a", "-1", "1e-3", "1 0", "99999999999999999999"] {
            assert_eq!(parse_per_million(text), None, "{text}");
        }
        for (per_million, text) in [(10_000, "1%"), (500_000, "50%"), (1, "0.0001%"), (12_300, "1.23%")] {
            assert_eq!(render_percent(per_million), text);
        }
    }

    #[test]
    fn renders_sizes() {
        for (bytes, text) in [(10 * 1024, "10KB"), (1 << 20, "1MB"), (1500, "1500B")] {
            assert_eq!(render_bytes(bytes), text);
        }
    }
}
