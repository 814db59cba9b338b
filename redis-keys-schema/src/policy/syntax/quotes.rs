//! Texts whose quotes are missing, or are others.

use super::{PolicyFault, line, without_remark};
use crate::piece::Piece;

const QUOTES: [char; 2] = ['"', '\''];

/// What stands for quotes elsewhere.
const FOREIGN: [char; 9] = ['“', '”', '„', '‘', '’', '‚', '«', '»', '`'];

/// How far a line goes without the remark at its end, and whether a text in it is not closed.
pub(super) fn outline(line: &str) -> (usize, bool) {
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '#') => return (at, false),
            (None, '"' | '\'') => quote = Some(c),
            (Some('"'), '\\') => {
                escaped = !escaped;
                continue;
            }
            (Some(open), c) if open == c && !escaped => quote = None,
            _ => {}
        }
        escaped = false;
    }
    (line.len(), quote.is_some())
}

/// Whether a text in a line is not closed.
pub(super) fn is_open(line: &str) -> bool {
    outline(line).1
}

/// A text in quotes of TOML.
pub(super) fn quoted(text: &str) -> String {
    if text.contains('"') && !text.contains(['\'', '\\']) { format!("'{text}'") } else { format!("\"{text}\"") }
}

/// A value as TOML has it: words in quotes, numbers and what has brackets as they are.
pub(super) fn value(value: &str) -> String {
    let number = value.trim_end_matches([',', ';']).parse::<f64>().is_ok();
    let as_it_is = value.starts_with(['"', '\'', '[', '{']) || number;
    match value {
        "" => "…".to_owned(),
        value if as_it_is => value.trim_end_matches([',', ';']).to_owned(),
        value => quoted(value.trim_end_matches([',', ';']).trim_matches(FOREIGN)),
    }
}

/// A text that has one quote of two, in a value or in a list of them.
pub(super) fn half(written: Piece<'_>) -> Option<PolicyFault> {
    let Some(items) = written.text.strip_prefix('[') else { return half_of_one(written) };
    half_of_several(written.part(1..1 + items.len())).map(PolicyFault::last)
}

/// The same in the values of a list.
fn half_of_several(items: Piece<'_>) -> Option<PolicyFault> {
    let items = items.to(items.text.trim_end_matches([',', ' ', ']']).len());
    // A comma in an unclosed text is likely one of the list.
    let commas: Vec<_> = items.text.match_indices(',').map(|(at, _)| at).collect();
    items.split_at(&commas).into_iter().find_map(|item| half_of_one(item.trim()))
}

fn half_of_one(written: Piece<'_>) -> Option<PolicyFault> {
    if written.text.starts_with("\"\"\"") || written.text.starts_with("'''") {
        let inner = written.text.trim_matches(QUOTES);
        let fault = PolicyFault::at(written.range(), "this text is never closed");
        return Some(fault.help(format!("write `{}`", quoted(inner.trim()))).last());
    }
    let (starts, ends) = (written.text.starts_with(QUOTES), written.text.len() > 1 && written.text.ends_with(QUOTES));
    let (first, last) = (written.text.chars().next()?, written.text.chars().next_back()?);
    if !starts && !ends || starts && ends && first == last {
        return None;
    }
    let message = if starts { "this text is never closed" } else { "this text is never opened" };
    let inner = written.from(usize::from(starts)).text;
    let inner = inner.split(" #").next().unwrap_or(inner).trim().trim_end_matches(QUOTES);
    let inner = if inner.is_empty() { "text" } else { inner };
    Some(PolicyFault::at(written.range(), message).help(format!("write `{}`", quoted(inner))))
}

/// A text without quotes, or with those of another language.
pub(super) fn bare(written: Piece<'_>) -> PolicyFault {
    let inner = written.text.trim_matches(FOREIGN);
    let message = match written.text.chars().next().filter(|first| FOREIGN.contains(first)) {
        Some(first) => format!("`{first}` is no quote in TOML: a text stands in `\"`"),
        None => format!("`{}`: a text stands in quotes", written.text),
    };
    PolicyFault::at(written.range(), message).help(format!("write `{}`", quoted(inner)))
}

/// `\` in a text where it was meant as it is.
pub(super) fn escape(line: Piece<'_>, at: usize) -> PolicyFault {
    let before = line.to(at.saturating_sub(line.start)).text;
    let start = before.rfind('\\').unwrap_or(before.len());
    let next = line.from(start + 1).text.chars().next().map_or(0, char::len_utf8);
    let place = line.part(start..(start + 1 + next).min(line.text.len()));
    let message = "in a text in `\"` a `\\` starts a sign that can't be written, and this is none";
    let open = before.rfind('"').unwrap_or_default();
    let rest = line.from(open + 1).text;
    let inner = rest.split('"').next().unwrap_or_default();
    let help = if inner.is_empty() || inner.contains('\'') {
        "write `\\\\` for a `\\`".to_owned()
    } else {
        format!("write `'{inner}'`, where it is as any other")
    };
    PolicyFault::at(place.range(), message).help(help)
}

/// The value, or the values of a list in several lines, in a line that has one quote too few.
pub(super) fn of_line(text: &str, at: usize) -> Option<PolicyFault> {
    let line = line(text, at);
    if !is_open(line.text) || line.text.starts_with('[') {
        return None;
    }
    let Some(sign) = line.text.find('=') else { return half_of_several(line) };
    let (name, value) = (line.to(sign).trim(), line.from(sign + 1).trim());
    if is_open(name.text) {
        let fault = PolicyFault::at(name.range(), "the quotes around this name are never closed");
        return Some(fault.help(format!("write `{}`", name.text.trim_matches(QUOTES))));
    }
    if value.text.starts_with('{') {
        let last = value.text.rfind('=').map_or(1, |sign| sign + 1);
        let last = value.from(last).trim();
        return half_of_one(last.to(last.text.trim_end_matches(['}', ' ']).len())).map(PolicyFault::last);
    }
    let whole = if value.text.starts_with(['[', '"', '\'']) { value } else { without_remark(value) };
    half(whole)
}
