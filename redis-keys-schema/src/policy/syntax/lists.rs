//! Lists, and tables in braces, in one line or in several.

use std::ops::Range;

use super::{PolicyFault, quotes, signs, visible};
use crate::piece::Piece;

/// What follows a value that is none seems to lack it.
pub(super) const NO_COMMA: &str = "a comma is missing before this value";

/// What is wrong within brackets, if that is what the description of an error speaks of.
pub(super) fn fault(
    text: &str,
    line: Piece<'_>,
    description: &str,
    context: &Range<usize>,
    at: &Range<usize>,
) -> Option<PolicyFault> {
    // A list that is never closed may be one with a text that isn't.
    let lines = text.get(context.start..at.start.max(context.end)).unwrap_or_default().match_indices('\n');
    let starts = lines.map(|(end, _)| context.start + end + 1);
    let mut places = std::iter::once(context.start).chain(starts).chain([at.start]);
    if let Some(fault) = places.find_map(|place| quotes::of_line(text, place)) {
        return Some(fault);
    }
    match description {
        "missing comma between array elements" | "unclosed array" => Some(within(text, line, description, context, at)),
        "extra comma in array" | "extra comma in inline table" => {
            let fault = PolicyFault::at(visible(text, at.clone()), "no value stands before this comma");
            Some(fault.help("remove it"))
        }
        "unexpected `=` in array" => {
            let fault = PolicyFault::at(at.clone(), "a list holds values alone, and no names");
            Some(fault.help("write, say, `[\"user\", \"shop\"]`"))
        }
        "string values must be quoted" if line.text.contains('[') || !line.text.contains('=') => {
            Some(bare(Piece::new(text).part(context.clone())))
        }
        "cannot recurse further; max recursion depth met" => {
            let fault = PolicyFault::at(at.clone(), "no value of a policy lies so deep in others");
            Some(fault.help("write, say, `modules = [\"user\", \"shop\"]`"))
        }
        _ => of_a_table(text, line, description, at),
    }
}

/// A value of a list that has no quotes.
fn bare(written: Piece<'_>) -> PolicyFault {
    if written.text.starts_with(';') {
        return semicolon(written);
    }
    if written.text.starts_with('-') {
        return signs::dash(written.to(1));
    }
    match signs::remark_of_another_language(written) {
        Some(length) => signs::remark(written, length),
        None => quotes::bare(written),
    }
}

fn semicolon(written: Piece<'_>) -> PolicyFault {
    let fault = PolicyFault::at(written.to(1).range(), "`,` stands between the values of a list, not `;`");
    fault.help("write `,`")
}

fn within(text: &str, line: Piece<'_>, description: &str, context: &Range<usize>, at: &Range<usize>) -> PolicyFault {
    let unclosed =
        || PolicyFault::at(context.clone(), "this list is never closed").help("write `]` behind its last value").last();
    // A line that starts something new lies behind the list.
    let below = context.start < line.start;
    if description == "unclosed array" || (below && (line.text.starts_with('[') || line.text.contains('='))) {
        return unclosed();
    }
    let value = word(text, at.start);
    let written = text.get(value.clone()).unwrap_or_default();
    if written.starts_with(['}', ')']) {
        let sign = value.start..value.start + 1;
        let fault =
            PolicyFault::at(sign, format!("`{}` doesn't close what `[` opens", written.get(..1).unwrap_or_default()));
        return fault.help("write `]`").last();
    }
    if written.starts_with(';') {
        return semicolon(Piece::new(text).part(value));
    }
    PolicyFault::at(value, NO_COMMA).help(format!("write `, {written}`"))
}

/// A table in braces.
fn of_a_table(text: &str, own: Piece<'_>, description: &str, at: &Range<usize>) -> Option<PolicyFault> {
    let inline = ["inline table", "between key-value pairs"].iter().any(|part| description.contains(part));
    if !inline {
        return None;
    }
    let before = text.get(..at.start)?;
    let open = before.rfind('{').filter(|open| !before.get(*open..).unwrap_or_default().contains('}'))?;
    let opened_above = open < own.start;
    if description == "unclosed inline table" || (opened_above && (own.text.starts_with('['))) {
        let fault = PolicyFault::at(open..open + 1, "this `{` is never closed");
        return Some(fault.help("write `}` behind its last value").last());
    }
    let value = word(text, at.start);
    let written = text.get(value.clone()).unwrap_or_default();
    if description == "missing comma between key-value pairs" {
        return Some(
            PolicyFault::at(value, "a comma is missing before this name").help(format!("write `, {written}`")),
        );
    }
    None
}

/// The value that starts at a place, to the sign that ends it.
fn word(text: &str, at: usize) -> Range<usize> {
    let rest = text.get(at..).unwrap_or_default();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
    let length = match quote {
        Some(quote) => rest.get(1..).and_then(|inner| inner.find(quote)).map(|end| end + 2),
        None => rest.find(|c: char| c.is_whitespace() || matches!(c, ',' | ']' | '#')),
    };
    at..at + length.unwrap_or(rest.len())
}
