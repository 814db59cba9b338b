//! Messages for text that is not TOML.

use std::ops::Range;

use toml_parser::{Expected, ParseError, Span};

use super::error::PolicyError;

const EXAMPLE: &str = "write lines of `name = value` below a line `[table]`";

/// An error for each line that the parser rejects: further errors of a line mostly follow from the first.
///
/// Everything after a bracket or a quote that is never closed belongs to it, so nothing after it is reported.
pub(super) fn errors(text: &str, rejected: &[ParseError]) -> Vec<PolicyError> {
    let mut errors: Vec<_> = rejected.iter().map(|error| (place(error), error)).collect();
    errors.sort_by_key(|(place, error)| (place.start, !is_open_ended(error)));
    let end = errors.iter().position(|(_, error)| is_open_ended(error)).map_or(errors.len(), |open| open + 1);
    errors.truncate(end);
    errors.dedup_by(|(next, _), (place, _)| !text.get(place.start..next.start).unwrap_or_default().contains('\n'));
    errors.into_iter().map(|(place, error)| message(text, place, error)).collect()
}

/// Returns an error's place: the unexpected text, or the bracket or quote that is never closed.
fn place(error: &ParseError) -> Range<usize> {
    let unexpected = error.unexpected().filter(|_| !is_unclosed(error));
    unexpected.or(error.context()).map(range).unwrap_or_default()
}

/// Whether a bracket or a quote is never closed.
fn is_unclosed(error: &ParseError) -> bool {
    let quote = matches!(error.expected(), Some([Expected::Literal("\"" | "'")]));
    error.description().starts_with("unclosed") || quote && error.description().ends_with("string")
}

/// Whether the parser takes the following lines for a part of a text that is never closed.
fn is_open_ended(error: &ParseError) -> bool {
    is_unclosed(error) && ["array", "inline", "multi-line"].iter().any(|part| error.description().contains(part))
}

fn message(text: &str, place: Range<usize>, error: &ParseError) -> PolicyError {
    let written = text.get(place.clone()).unwrap_or_default();
    let (message, help) = match error.description() {
        "string values must be quoted" if written.is_empty() => ("missing value", EXAMPLE.to_owned()),
        "string values must be quoted" if follows(text, &place, '=') => {
            ("two settings in one line", "start a new line".to_owned())
        }
        missing @ "string values must be quoted" => {
            let inner = written.trim_matches(['“', '”', '‘', '’', '`', '"']);
            (missing, format!("write `\"{inner}\"`"))
        }
        "invalid unquoted key" if written == ":" => ("expected `=` after a name, found `:`", "write `=`".to_owned()),
        carriage @ "carriage return must be followed by newline" => {
            (carriage, "save the file with LF or CRLF line ends".to_owned())
        }
        _ if is_unclosed(error) && !error.description().starts_with("unclosed") => ("unclosed string", help(error)),
        description => (description, help(error)),
    };
    PolicyError::new(visible(text, place), format!("invalid TOML: {message}")).help(help)
}

/// Returns the text that the parser expects at an error's place.
fn help(error: &ParseError) -> String {
    match error.expected().and_then(<[_]>::first) {
        Some(Expected::Literal("\n")) => "start a new line, or a comment with `#`".to_owned(),
        Some(Expected::Literal(sign)) if is_unclosed(error) => format!("close it with `{sign}`"),
        Some(Expected::Literal(sign)) => format!("write `{sign}`"),
        _ => EXAMPLE.to_owned(),
    }
}

fn follows(text: &str, place: &Range<usize>, sign: char) -> bool {
    text.get(place.end..).is_some_and(|rest| rest.trim_start_matches([' ', '\t']).starts_with(sign))
}

/// The character at an empty place, if a character follows.
fn visible(text: &str, place: Range<usize>) -> Range<usize> {
    let next = text.get(place.start..).and_then(|rest| rest.chars().next()).filter(|c| !c.is_whitespace());
    place.start..place.end.max(place.start + next.map_or(0, char::len_utf8))
}

pub(super) fn range(span: Span) -> Range<usize> {
    span.start()..span.end()
}
