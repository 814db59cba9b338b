//! The lines that the derives write.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::cargo::Artefact;
use crate::Failure;
use crate::catalogue::Key;
use crate::sources::{BuiltSegment, DeclarationPlace};

/// A line.
pub(super) enum Line {
    Key(Declared),
    Segment(BuiltSegment),
}

/// A key as its derive has written it.
pub(super) struct Declared {
    /// The file, as the compiler names it.
    pub(super) file: String,
    /// The line of the name.
    pub(super) line: usize,
    /// The column of the name.
    pub(super) column: usize,
    fields: Map<String, Value>,
}

/// The lines of a file.
pub(super) fn read(path: &Path) -> Result<Vec<Line>, Failure> {
    let text =
        fs::read_to_string(path).map_err(|error| Failure::new(format!("cannot read `{}`: {error}", path.display())))?;
    let line = |line| Line::read(line).map_err(|error| other_version(&error));
    text.lines().map(line).collect()
}

fn other_version(error: &serde_json::Error) -> Failure {
    Failure::new(format!("the derives have written something else than expected: {error}"))
        .help("use the same version of redis-keys and cargo-redis-keys")
}

impl Line {
    fn read(line: &str) -> Result<Self, serde_json::Error> {
        #[derive(Deserialize)]
        struct Place {
            file: String,
            line: usize,
            column: usize,
        }
        let mut fields: Map<String, Value> = serde_json::from_str(line)?;
        let value = Value::Object(fields.clone());
        if fields.contains_key("segment") {
            return Ok(Self::Segment(serde_json::from_value(value)?));
        }
        let Place { file, line, column } = serde_json::from_value(value)?;
        fields.remove("column");
        Ok(Self::Key(Declared { file, line, column, fields }))
    }
}

impl Declared {
    /// What identifies the key in its target, unless a macro declares it several times.
    pub(super) fn identity(&self) -> (String, usize, usize, String) {
        let template = self.fields.get("template").and_then(Value::as_str).unwrap_or_default();
        (self.file.clone(), self.line, self.column, template.to_owned())
    }

    /// The key of a target, declared in that place.
    pub(super) fn key(self, artefact: &Artefact, place: &DeclarationPlace) -> Result<Key, Failure> {
        let mut fields = self.fields;
        for (name, value) in [
            ("file", json!(place.file)),
            ("package", json!(artefact.package)),
            ("target", json!(artefact.target)),
            ("module", json!(place.module)),
            ("condition", Value::Null),
            ("made_by", json!(place.made_by)),
        ] {
            fields.insert(name.to_owned(), value);
        }
        serde_json::from_value(Value::Object(fields)).map_err(|error| other_version(&error))
    }
}
