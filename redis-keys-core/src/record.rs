//! The file in which the derives write declarations for `cargo redis-keys --built`: records of texts.

/// The end of a text.
const UNIT: char = '\u{1f}';

/// The end of a record.
const RECORD: char = '\u{1e}';

/// The first text of each record: only the same version reads it.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Renders a record. A separator in a text, which no declaration needs, becomes a space.
pub fn write(texts: impl IntoIterator<Item = String>) -> String {
    let texts = [VERSION.to_owned()].into_iter().chain(texts);
    let mut record: String = texts.map(|text| text.replace([UNIT, RECORD], " ") + "\u{1f}").collect();
    record.push(RECORD);
    record
}

/// Reads the records of a file, each with its texts, or returns `None` if one is incomplete or of another version.
///
/// ```
/// use redis_keys_core::record;
///
/// let record = |texts: [&str; 2]| record::write(texts.map(str::to_owned));
/// let file = record(["a", ""]) + &record(["b\nc", "d\u{1e}"]);
/// assert_eq!(record::read(&file).unwrap(), [["a", ""], ["b\nc", "d "]]);
/// assert!((1..file.len()).all(|end| record::read(&file[..end]).is_none_or(|records| records == [["a", ""]])));
/// assert!(record::read(&file.replace(env!("CARGO_PKG_VERSION"), "0.0.9")).is_none());
/// ```
pub fn read(file: &str) -> Option<Vec<Vec<&str>>> {
    file.split_inclusive(RECORD).map(texts).collect()
}

fn texts(record: &str) -> Option<Vec<&str>> {
    let (version, texts) = record.strip_suffix(RECORD)?.strip_suffix(UNIT)?.split_once(UNIT)?;
    (version == VERSION).then(|| texts.split(UNIT).collect())
}
