//! Writes the file: sorted by template, with a line for each field and variant, so that a review shows what changes.

use std::fmt;

use super::{Entry, Part, Shapes, VERSION, ValuesFile};

const HEADER: &str = "\
# The shapes of the values that programs store in Redis, which `cargo redis-keys values --check` compares in CI.
# `cargo redis-keys values --accept` writes this file. Review its changes: they are what other releases have to read.
# A shape that was replaced stays as `older` until its values have expired: after their ttl, and 14 days for a deployment.
";

impl fmt::Display for ValuesFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}version = {VERSION}")?;
        for (template, entry) in &self.entries {
            write_entry(f, &quoted(template), entry)?;
        }
        Ok(())
    }
}

fn write_entry(f: &mut fmt::Formatter<'_>, template: &str, entry: &Entry) -> fmt::Result {
    if let Some(current) = &entry.current {
        writeln!(f, "\n[{template}]\nexpires_after = \"{}\"", current.expiry)?;
        write_shapes(f, &current.shapes)?;
    }
    for older in &entry.older {
        writeln!(f, "\n[[{template}.older]]")?;
        match older.until {
            Some(day) => writeln!(f, "until = \"{day}\"")?,
            None => writeln!(f, "until = \"never\"")?,
        }
        write_shapes(f, &older.shapes)?;
    }
    Ok(())
}

fn write_shapes(f: &mut fmt::Formatter<'_>, shapes: &Shapes) -> fmt::Result {
    for part in Part::ALL {
        if let Some(form) = shapes.part(part) {
            // A form has no apostrophe.
            writeln!(f, "{} = '''\n{form}\n'''", part.name())?;
        }
    }
    Ok(())
}

/// A template as a name of TOML. Its characters need no escapes.
fn quoted(template: &str) -> String {
    format!("\"{}\"", template.replace('\\', "\\\\").replace('"', "\\\""))
}
