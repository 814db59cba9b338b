//! Sizes (`64KB`) and counts (`1000`).

/// What is wrong with a size or count, and the text to write instead where it can be guessed.
pub(super) struct Fault {
    pub(super) message: &'static str,
    pub(super) instead: Option<String>,
}

const UNITS: [(&str, u64); 4] = [("", 1), ("B", 1), ("KB", 1024), ("MB", 1024 * 1024)];

/// Reads a number of bytes: `500B`, `64KB`, `1MB`, or a bare number.
pub(super) fn parse_bytes(text: &str) -> Result<u64, Fault> {
    let plain = text.replace('_', "");
    let (number, unit) = plain.split_at(plain.find(|c: char| !c.is_ascii_digit()).unwrap_or(plain.len()));
    let factor = UNITS.iter().find(|(name, _)| *name == unit).map(|&(_, factor)| factor);
    let bytes = number.parse::<u64>().ok().zip(factor).and_then(|(number, factor)| number.checked_mul(factor));
    match bytes {
        Some(0) => Err(Fault { message: "no room for anything", instead: None }),
        Some(bytes) => Ok(bytes),
        None => Err(Fault { message: "no size", instead: meant(number, unit) }),
    }
}

fn meant(number: &str, unit: &str) -> Option<String> {
    let unit: String = unit.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase();
    let unit = match unit.as_str() {
        "b" | "byte" | "bytes" => "B",
        "k" | "kb" | "kib" | "kbytes" => "KB",
        "m" | "mb" | "mib" | "mbytes" => "MB",
        _ => return None,
    };
    (!number.is_empty()).then(|| format!("{number}{unit}"))
}

/// Reads a count: a whole number from 1 on.
pub(super) fn parse_count(text: &str) -> Result<u64, Fault> {
    let plain: String = text.chars().filter(|c| !c.is_whitespace() && *c != '_').collect();
    match plain.parse::<u64>() {
        Ok(0) => Err(Fault { message: "no room for anything", instead: None }),
        Ok(count) => Ok(count),
        Err(_) => {
            let thousands = plain.strip_suffix(['k', 'K']).filter(|number| number.parse::<u32>().is_ok());
            Err(Fault { message: "no whole number", instead: thousands.map(|number| format!("{number}000")) })
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
        for (text, instead) in
            [("64kb", Some("64KB")), ("64 KiB", Some("64KB")), ("1m", Some("1MB")), ("1GB", None), ("KB", None)]
        {
            assert_eq!(parse_bytes(text).err().and_then(|fault| fault.instead).as_deref(), instead, "{text}");
        }
        assert!(parse_bytes("0").is_err() && parse_bytes("").is_err() && parse_bytes("99999999999999MB").is_err());
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
