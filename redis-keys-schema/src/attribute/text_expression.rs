//! Expressions in the place of a text in quotes: `format!(…)`, `concat!(…)`, `"…".to_string()`, constants.

use super::duration::is_constant;
use crate::piece::{Piece, is_name_char};

/// The suggestion where the text is not in the expression.
pub(super) fn help(example: &str) -> String {
    format!("write its text, as in `{example}`: a derive cannot evaluate an expression")
}

/// The message for an expression.
pub(super) fn found(expression: Piece<'_>) -> String {
    let what = if is_constant(expression.text) { "the constant " } else { "" };
    format!("expected a text in quotes, found {what}`{}`", expression.text)
}

/// The literal that an expression stands for. `None` where the text is not in it.
pub(super) fn literal(expression: Piece<'_>) -> Option<String> {
    let text = expression.trim().text;
    if is_constant(text) {
        return None;
    }
    if let Some(quoted) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return in_quotes(quoted);
    }
    let Some(start) = first_literal(text) else { return in_quotes(text) };
    let (literal, rest) = expression.trim().from(start).first_literal()?;
    let (callee, rest) = (text.get(..start)?.trim_end(), rest.text);
    match callee.rsplit(|c: char| !is_name_char(c) && !"!(".contains(c)).next() {
        Some("concat!(") => concatenated(text.get(start..)?),
        Some("format!(" | "format_args!(") => formatted(literal, rest),
        _ if first_literal(rest).is_none() => Some(literal.text.to_owned()),
        _ => None,
    }
}

fn in_quotes(text: &str) -> Option<String> {
    (!text.contains(['"', '\\'])).then(|| format!("\"{text}\""))
}

/// The place of the first string literal in a text.
fn first_literal(text: &str) -> Option<usize> {
    let quote = text.find('"')?;
    let before = text.get(..quote)?;
    let raw = before.trim_end_matches('#');
    Some(if raw.ends_with('r') { raw.len() - 1 } else { quote })
}

/// The literals of `concat!("user:", "{id}")`, which are in the text up to the closing parenthesis, joined.
fn concatenated(arguments: &str) -> Option<String> {
    let arguments = arguments.trim_end().strip_suffix(')')?;
    let mut whole = String::new();
    for argument in Piece::new(arguments).split_at_commas(false).iter().filter(|argument| !argument.trim().is_empty()) {
        whole.push_str(argument.unquoted()?.text);
    }
    in_quotes(&whole)
}

/// A format string whose placeholders have the names of the fields in the arguments. `rest` is the text behind it.
fn formatted(literal: Piece<'_>, rest: &str) -> Option<String> {
    let arguments = rest.trim_end().strip_suffix(')')?.trim().trim_start_matches(',');
    let mut whole = literal.text.to_owned();
    for argument in Piece::new(arguments).split_at_commas(true) {
        let argument = argument.trim();
        if argument.is_empty() {
            continue;
        }
        let (placeholder, value) = match argument.assignment() {
            Some(sign) => (format!("{{{}}}", argument.to(sign).trim().text), argument.from(sign + 1).trim()),
            None => ("{}".to_owned(), argument),
        };
        whole = whole.replacen(&placeholder, &format!("{{{}}}", name_of(value.text)?), 1);
    }
    Some(whole)
}

/// The field that an argument is: `user`, `self.user`, `&self.user.0`.
fn name_of(argument: &str) -> Option<&str> {
    let argument = argument.trim_start_matches('&');
    let argument = argument.strip_prefix("self.").unwrap_or(argument);
    let name = argument.split(|c: char| !is_name_char(c)).next().filter(|name| !name.is_empty())?;
    matches!(argument.get(name.len()..)?, "" | ".0").then_some(name)
}
