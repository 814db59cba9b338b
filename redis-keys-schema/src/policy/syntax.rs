//! What is no TOML, in words of ours.

use std::ops::Range;

use toml_parser::{Expected, ParseError, Span};

use super::fault::PolicyFault;

/// What is behind a list that nothing closes can't be read.
pub(super) const NEVER_CLOSED: &str = "this list is never closed";

const EXAMPLE: &str = "write lines of `name = value`, below a line `[table]`";

/// One fault for each line with a mistake in it: what follows a mistake is mostly its shadow.
pub(super) fn faults(text: &str, errors: &[ParseError]) -> Vec<PolicyFault> {
    let mut told: Vec<Span> = Vec::new();
    let mut faults = Vec::new();
    for error in errors {
        if error.context().is_some_and(|context| told.contains(&context)) {
            continue;
        }
        if error.description().contains("array") {
            told.extend(error.context());
        }
        faults.push(fault(text, error));
    }
    faults.sort_by_key(|fault| fault.range.start);
    faults.dedup_by_key(|fault| fault.place(text).0);
    faults
}

fn fault(text: &str, error: &ParseError) -> PolicyFault {
    let context = error.context().map(range).unwrap_or_default();
    let at = error.unexpected().map_or(context.clone(), range);
    let line = Line::around(text, at.start);
    let description = error.description();
    if let Some(fault) = line.fault() {
        return fault;
    }
    if description.contains("basic string") || description.contains("literal string") {
        let written = text.get(context.clone()).unwrap_or_default();
        let (message, help) = match written.strip_prefix('"') {
            Some(inner) if !inner.contains(['"', '\\']) => ("this text never ends", format!("write `\"{inner}\"`")),
            _ => ("this is no text in quotes", "write `\"text\"`".to_owned()),
        };
        return PolicyFault::at(visible(text, context), message).help(help);
    }
    if description == "string values must be quoted" {
        let written = text.get(context.clone()).unwrap_or_default();
        let message = format!("`{written}`: a text stands in quotes");
        return PolicyFault::at(context, message).help(format!("write `\"{written}\"`"));
    }
    if description == "missing comma between array elements" || description == "unclosed array" {
        // A line that starts something new lies behind the list.
        let below = context.start < line.start;
        let next = line.text.trim_start();
        if description == "unclosed array" || (below && (next.starts_with('[') || next.contains('='))) {
            return PolicyFault::at(context, NEVER_CLOSED).help("write `]` behind its last value");
        }
        let value = visible_word(text, at.start);
        let written = text.get(value.clone()).unwrap_or_default();
        let message = "a comma is missing before this value";
        return PolicyFault::at(value, message).help(format!("write `, {written}`"));
    }
    let literals = error.expected().unwrap_or_default().iter().filter_map(|expected| match expected {
        Expected::Literal(literal) if !literal.trim().is_empty() => Some(format!("`{literal}`")),
        _ => None,
    });
    let literals: Vec<_> = literals.collect();
    let help = if literals.is_empty() { EXAMPLE.to_owned() } else { format!("write {}", literals.join(" or ")) };
    PolicyFault::at(visible(text, at), format!("this is not TOML: {description}")).help(help)
}

/// A line of the file, without its end and its comment.
struct Line<'t> {
    text: &'t str,
    start: usize,
}

impl<'t> Line<'t> {
    fn around(text: &'t str, at: usize) -> Self {
        let start = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |found| found + 1);
        let line = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let line = if line.contains(['"', '\'']) { line } else { line.split('#').next().unwrap_or_default() };
        Self { text: line.trim_end(), start }
    }

    /// What can be seen from the line alone.
    fn fault(&self) -> Option<PolicyFault> {
        let trimmed = self.text.trim_start();
        let start = self.start + self.text.len() - trimmed.len();
        let at = |range: Range<usize>| start + range.start..start + range.end;
        if trimmed.starts_with('[') && !trimmed.contains([']', '=', ',', '"', '\'']) {
            let name = trimmed.trim_matches('[');
            let fault = PolicyFault::at(at(0..1), "this `[` is never closed");
            return Some(fault.help(format!("write `[{name}]`")));
        }
        let end = trimmed.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.'))?;
        let (name, rest) = (trimmed.get(..end)?, trimmed.get(end..)?);
        let rest = rest.trim_start();
        if name.is_empty() {
            return None;
        }
        let behind = trimmed.len() - rest.len();
        if rest == "=" {
            let fault = PolicyFault::at(at(0..trimmed.len()), format!("`{name}` has no value"));
            return Some(fault.help(format!("write `{name} = …`")));
        }
        if let Some(value) = rest.strip_prefix(':') {
            let fault = PolicyFault::at(at(behind..behind + 1), "`=` stands between a name and its value, not `:`");
            return Some(fault.help(format!("write `{name} = {}`", quoted(value.trim()))));
        }
        if !rest.starts_with(['=', ',', ']']) {
            let fault = PolicyFault::at(at(0..trimmed.len()), format!("no `=` stands behind `{name}`"));
            return Some(fault.help(format!("write `{name} = {}`", quoted(rest))));
        }
        let value = rest.strip_prefix('=')?.trim_start();
        let second = value.find(" = ").or_else(|| value.find('='))?;
        let before = value.get(..second)?.trim_end();
        let word = before.rfind(char::is_whitespace).map(|found| found + 1)?;
        if value.starts_with(['"', '\'', '[', '{']) && !before.contains(['"', ']', '\'', '}']) {
            return None;
        }
        let offset = trimmed.len() - value.len() + word;
        let name = value.get(word..before.len())?;
        let fault = PolicyFault::at(at(offset..offset + name.len()), format!("`{name}` stands on a line of its own"));
        Some(fault.help("write a new line before it"))
    }
}

/// A value as TOML has it: words in quotes, numbers and what has brackets as they are.
fn quoted(value: &str) -> String {
    let as_it_is = value.starts_with(['"', '\'', '[', '{']) || value.parse::<f64>().is_ok();
    match value {
        "" => "…".to_owned(),
        value if as_it_is => value.to_owned(),
        value => format!("\"{value}\""),
    }
}

/// The value that starts at a place, to the sign that ends it.
fn visible_word(text: &str, at: usize) -> Range<usize> {
    let rest = text.get(at..).unwrap_or_default();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
    let length = match quote {
        Some(quote) => rest.get(1..).and_then(|inner| inner.find(quote)).map(|end| end + 2),
        None => rest.find(|c: char| c.is_whitespace() || matches!(c, ',' | ']' | '#')),
    };
    at..at + length.unwrap_or(rest.len())
}

/// A place has a character at least, where one follows.
fn visible(text: &str, range: Range<usize>) -> Range<usize> {
    if !range.is_empty() {
        return range;
    }
    let next = text.get(range.start..).and_then(|rest| rest.chars().next()).filter(|c| !c.is_whitespace());
    range.start..range.start + next.map_or(0, char::len_utf8)
}

fn range(span: Span) -> Range<usize> {
    span.start()..span.end()
}
