//! What is no TOML, in words of ours.

mod assignment;
mod header;
mod lists;
mod quotes;
mod signs;
mod value;

use std::ops::Range;

use toml_parser::{ParseError, Span};

pub(super) use signs::once;

use super::fault::{Lines, PolicyFault, is_unseen};
use crate::piece::Piece;

const EXAMPLE: &str = "write lines of `name = value`, below a line `[table]`, and `#` before a remark";

const NO_LINE: &str = "this line gives no name a value";

/// How many mistakes are looked at: of a file that is something else there would be no end.
const MOST_ERRORS: usize = 100;

/// One fault for each line with a mistake in it: what follows a mistake is mostly its shadow. And whether there are more.
pub(super) fn faults(text: &str, lines: &Lines, errors: &[ParseError]) -> (Vec<PolicyFault>, bool) {
    if let Some(fault) = signs::other_language(text) {
        return (vec![fault], false);
    }
    let mut told: Vec<Span> = Vec::new();
    let mut faults = Vec::new();
    let mut errors: Vec<_> = errors.iter().collect();
    errors.sort_by_key(|error| error.unexpected().or(error.context()).map(|span| span.start()));
    let cut = errors.len() > MOST_ERRORS;
    errors.truncate(MOST_ERRORS);
    for error in errors {
        // That it is no yes or no is said of what it is instead.
        if error.description() == "invalid boolean" || error.context().is_some_and(|context| told.contains(&context)) {
            continue;
        }
        if error.description().contains("array") {
            told.extend(error.context());
        }
        faults.push(fault(text, error));
    }
    signs::lone_returns(text, lines, &mut faults);
    faults.sort_by_key(|fault| fault.range.start);
    faults.dedup_by_key(|fault| lines.of_fault(fault));
    faults.dedup_by(|next, fault| fault.message.starts_with(signs::NO_REMARK) && next.message == lists::NO_COMMA);
    (faults, cut)
}

fn fault(text: &str, error: &ParseError) -> PolicyFault {
    let context = error.context().map(range).unwrap_or_default();
    let at = error.unexpected().map_or(context.clone(), range);
    let description = error.description();
    // What never ends is read to the end of the file.
    let line = line(text, if description.contains("string") { context.start } else { at.start });
    if let Some(fault) = signs::unseen(line) {
        return fault;
    }
    if description.contains("unicode value") || description.contains("escaped value") {
        return quotes::escape(line, at.start);
    }
    if let Some(fault) = lists::fault(text, line, description, &context, &at) {
        return fault;
    }
    let told = signs::other_line(line).or_else(|| header::fault(line)).or_else(|| assignment::fault(text, line));
    told.unwrap_or_else(|| {
        let place = visible(text, if at.is_empty() { context } else { at });
        let message = match description {
            "invalid key-value pair" | "invalid unquoted key" | "key with no value" => NO_LINE.to_owned(),
            _ => format!("this is not TOML: {description}"),
        };
        PolicyFault::at(place, message).help(EXAMPLE)
    })
}

/// The line around a place, without white space at its ends.
fn line(text: &str, at: usize) -> Piece<'_> {
    let start = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |found| found + 1);
    let rest = Piece::new(text).from(start);
    let line = rest.to(rest.text.find('\n').unwrap_or(rest.text.len()));
    let white = |c: char| matches!(c, ' ' | '\t' | '\r');
    let start = line.text.len() - line.text.trim_start_matches(white).len();
    line.from(start).to(line.text.trim_matches(white).len())
}

/// Without the remark at its end. What stands in quotes is none.
fn without_remark(piece: Piece<'_>) -> Piece<'_> {
    piece.to(quotes::outline(piece.text).0).trim()
}

/// Whether a text is a name as TOML has it without quotes.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
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
