//! Sizes (`64KB`) and counts (`1000`).

use crate::limits::MAX_MAX_BYTES;

/// What is wrong with a size or count, and the text to write instead where it can be guessed.
pub(crate) struct Fault {
    pub(crate) message: &'static str,
    pub(crate) instead: Option<String>,
    /// Whether it means more than there can be, so that what is written instead is the most.
    pub(crate) too_much: bool,
}

impl Fault {
    const fn new(message: &'static str, instead: Option<String>) -> Self {
        Self { message, instead, too_much: false }
    }

    fn too_much(message: &'static str) -> Self {
        Self { message, instead: Some(render_bytes(MAX_MAX_BYTES)), too_much: true }
    }
}

const UNITS: [(&str, u64); 4] = [("", 1), ("B", 1), ("KB", 1024), ("MB", 1024 * 1024)];

/// Reads a number of bytes: `500B`, `64KB`, `1MB`, or a bare number.
pub(crate) fn parse_bytes(text: &str) -> Result<u64, Fault> {
    let plain = text.replace('_', "");
    let (number, unit) = plain.split_at(plain.find(|c: char| !c.is_ascii_digit()).unwrap_or(plain.len()));
    match bytes(number, unit) {
        Some(0) => Err(Fault::new("no room for anything", None)),
        Some(u64::MAX) => Err(Fault::too_much("more than can be counted")),
        Some(bytes) => Ok(bytes),
        None => Err(meant(number, unit)),
    }
}

/// So many bytes; as many as can be counted, if they are more. `None` if these are no number and unit.
fn bytes(number: &str, unit: &str) -> Option<u64> {
    let &(_, factor) = UNITS.iter().find(|(name, _)| *name == unit).filter(|_| !number.is_empty())?;
    Some(number.parse::<u64>().unwrap_or(u64::MAX).saturating_mul(factor))
}

fn meant(number: &str, unit: &str) -> Fault {
    const NO_SIZE: &str = "no size";
    match other_unit(unit).and_then(|unit| Some((unit, bytes(number, unit)?))) {
        Some((unit, 1..=MAX_MAX_BYTES)) => Fault::new(NO_SIZE, Some(format!("{number}{unit}"))),
        Some((_, 0)) | None => Fault::new(NO_SIZE, None),
        Some(_) => Fault::too_much(NO_SIZE),
    }
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

/// Reads a count: a whole number from 1 on.
pub(super) fn parse_count(text: &str) -> Result<u64, Fault> {
    let plain: String = text.chars().filter(|c| !c.is_whitespace() && *c != '_').collect();
    match plain.parse::<u64>() {
        Ok(0) => Err(Fault::new("no room for anything", None)),
        Ok(count) => Ok(count),
        Err(_) => {
            let thousands = plain.strip_suffix(['k', 'K']).filter(|number| number.parse::<u32>().is_ok());
            Err(Fault::new("no whole number", thousands.map(|number| format!("{number}000"))))
        }
    }
}

/// A number of bytes in its shortest exact form.
pub(crate) fn render_bytes(bytes: u64) -> String {
    let unit = UNITS.iter().rev().find(|(name, factor)| !name.is_empty() && bytes.is_multiple_of(*factor));
    unit.map_or_else(|| format!("{bytes}B"), |(name, factor)| format!("{}{name}", bytes / factor))
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
    fn writes_the_size_that_was_meant() {
        for (text, instead) in [
            ("64kb", Some("64KB")),
            ("64 KiB", Some("64KB")),
            ("1m", Some("1MB")),
            ("1GB", None),
            ("KB", None),
            ("0kb", None),
        ] {
            assert_eq!(parse_bytes(text).err().and_then(|fault| fault.instead).as_deref(), instead, "{text}");
        }
        assert!(parse_bytes("0").is_err() && parse_bytes("").is_err() && parse_bytes("99999999999999MB").is_err());
        for (text, message) in [
            ("99999999999999MB", "more than can be counted"),
            ("99999999999999999999", "more than can be counted"),
            ("4mb", "no size"),
            ("99999999999999mb", "no size"),
        ] {
            let told = parse_bytes(text).err().map(|fault| (fault.message, fault.instead, fault.too_much));
            assert_eq!(told, Some((message, Some("1MB".to_owned()), true)), "{text}");
        }
    }

    #[test]
    fn reads_counts() {
        assert_eq!(parse_count("1_000").ok(), Some(1000));
        assert_eq!(parse_count("5k").err().and_then(|fault| fault.instead).as_deref(), Some("5000"));
        assert!(parse_count("0").is_err() && parse_count("-1").is_err() && parse_count("many").is_err());
    }

    #[test]
    fn renders_sizes() {
        assert_eq!(render_bytes(10 * 1024), "10KB");
        assert_eq!(render_bytes(1 << 20), "1MB");
        assert_eq!(render_bytes(1500), "1500B");
    }
}
