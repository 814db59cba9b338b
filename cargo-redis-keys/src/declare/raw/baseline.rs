//! The commands outside of declarations that a project accepts, in a file that only becomes shorter.
//!
//! Its first line is a title. Each other line is a command with its file and the text of its key, in the order of the
//! files, and with the number of places, so that other lines of a file can move.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::raw_use::RawUse;
use crate::Failure;
use crate::declare::read_text;
use crate::file::{Access, replace};
use crate::render::{one_line, visible_json};

/// The file's version.
const FORMAT: u32 = 1;

/// The number of places of each command.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Baseline {
    counts: BTreeMap<AcceptedPlaces, UseCount>,
}

/// A command with its file and the text of its key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct AcceptedPlaces {
    pub(super) file: String,
    pub(super) command: String,
    /// Empty if it is not known.
    pub(super) key: String,
}

/// The number of places of a command, and the line of the file that says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct UseCount {
    pub(super) places: usize,
    pub(super) line: usize,
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header {
    format: u32,
    baseline: String,
}

/// Each other line.
#[derive(Serialize, Deserialize)]
struct Line {
    #[serde(flatten)]
    command: AcceptedPlaces,
    places: usize,
}

/// The file's content, as its first line says.
const CONTENT: &str = "raw";

impl AcceptedPlaces {
    pub(super) fn of(used: &RawUse) -> Self {
        let key = used.key.as_ref().map(ToString::to_string).unwrap_or_default();
        Self { file: used.file.shown.clone(), command: used.command.to_owned(), key }
    }
}

impl Baseline {
    /// The baseline that accepts these commands.
    pub(crate) fn of(uses: &[RawUse]) -> Self {
        let mut baseline = Self::default();
        for used in uses {
            baseline.counts.entry(AcceptedPlaces::of(used)).or_default().places += 1;
        }
        baseline
    }

    /// Reads the file.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let text = read_text(path).map_err(|failure| failure.help("make one with `--write-baseline`"))?;
        Self::parse(&text).map_err(|(line, why)| {
            let (file, why) = (path.display(), one_line(&why));
            Failure::new(format!("line {line} of `{file}` is not that of a baseline: {why}"))
                .help("make one with `--write-baseline`")
        })
    }

    fn parse(text: &str) -> Result<Self, (usize, String)> {
        let mut lines = text.lines().zip(1..);
        let (first, _) = lines.next().ok_or((1, "the file is empty".to_owned()))?;
        let header: Header = serde_json::from_str(first).map_err(|error| (1, error.to_string()))?;
        if header.baseline != CONTENT || header.format != FORMAT {
            return Err((1, format!("expected format {FORMAT} and the baseline `{CONTENT}`")));
        }
        let mut baseline = Self::default();
        for (line, number) in lines.filter(|(line, _)| !line.trim().is_empty()) {
            let read: Line = serde_json::from_str(line).map_err(|error| (number, error.to_string()))?;
            let counted = baseline.counts.entry(read.command).or_default();
            *counted = UseCount { places: counted.places.saturating_add(read.places), line: number };
        }
        Ok(baseline)
    }

    /// Writes the file.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        replace(path, self.text().as_bytes(), Access::Usual)
    }

    fn text(&self) -> String {
        let header = serde_json::to_string(&Header { format: FORMAT, baseline: CONTENT.to_owned() });
        let lines = self.counts.iter().map(|(command, counted)| {
            serde_json::to_string(&Line { command: command.clone(), places: counted.places })
        });
        let lines = [header].into_iter().chain(lines).filter_map(Result::ok);
        lines.map(|line| visible_json(&line) + "\n").collect()
    }

    /// The commands that both accept.
    pub(crate) fn common(&self, other: &Self) -> Self {
        let counts = self.counts.iter().filter_map(|(command, counted)| {
            let places = counted.places.min(other.places(command));
            (places > 0).then(|| (command.clone(), UseCount { places, ..*counted }))
        });
        Self { counts: counts.collect() }
    }

    /// The number of places.
    pub(crate) fn total(&self) -> usize {
        self.counts.values().map(|counted| counted.places).fold(0, usize::saturating_add)
    }

    pub(super) fn places(&self, command: &AcceptedPlaces) -> usize {
        self.counts.get(command).map_or(0, |counted| counted.places)
    }

    pub(super) fn commands(&self) -> impl Iterator<Item = (&AcceptedPlaces, UseCount)> {
        self.counts.iter().map(|(command, counted)| (command, *counted))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on")]
mod tests {
    use super::*;

    const TEXT: &str = "{\"format\":1,\"baseline\":\"raw\"}\n\
        {\"file\":\"a.rs\",\"command\":\"DEL\",\"key\":\"a:{id}\",\"places\":2}\n\
        {\"file\":\"b.rs\",\"command\":\"SET\",\"key\":\"\\u202e\",\"places\":1}\n";

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let baseline = Baseline::parse(TEXT).unwrap();
        assert_eq!(baseline.text(), TEXT);
        assert_eq!(baseline.total(), 3);
        assert_eq!(baseline.commands().map(|(_, counted)| counted.line).collect::<Vec<_>>(), [2, 3]);
    }

    #[test]
    fn what_is_no_baseline_is_rejected_with_its_line() {
        for (text, line) in [
            ("", 1),
            ("{}", 1),
            ("{\"format\":2,\"baseline\":\"raw\"}", 1),
            ("{\"format\":1,\"baseline\":\"audit\"}", 1),
            ("{\"format\":1,\"baseline\":\"raw\"}\n{\"file\":\"a\"}", 2),
        ] {
            assert_eq!(Baseline::parse(text).unwrap_err().0, line, "{text}");
        }
    }

    #[test]
    fn a_baseline_never_gets_longer() {
        let old = Baseline::parse(TEXT).unwrap();
        let mut new = Baseline::parse(TEXT).unwrap();
        for (index, counted) in new.counts.values_mut().enumerate() {
            counted.places = index * 5 + 1;
        }
        new.counts.insert(
            AcceptedPlaces { file: "c.rs".into(), ..AcceptedPlaces::default_of_tests() },
            UseCount { places: 1, line: 0 },
        );
        assert_eq!(old.common(&new).counts.values().map(|counted| counted.places).collect::<Vec<_>>(), [1, 1]);
    }

    impl AcceptedPlaces {
        fn default_of_tests() -> Self {
            Self { file: String::new(), command: "SET".to_owned(), key: String::new() }
        }
    }
}
