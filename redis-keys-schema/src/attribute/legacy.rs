//! `legacy = "…"` and `formerly = "…"`: the text of a key that existed before it was declared.

use super::{Given, Written, places};
use crate::Rule;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::edit::Suggestion;
use crate::piece::Piece;

/// Reads the format string, or reports what is wrong with the literal.
pub(super) fn read(option: Written<'_>, diagnostics: &mut Diagnostics) -> Given<String> {
    let (name, range) = places(option);
    let literal = option.value.unwrap_or(option.name.part(0..0));
    // White space in the quotes is part of the key.
    let text = literal.unquoted();
    let value = match problem(option, literal, text) {
        None => text.map(|text| text.text.to_owned()),
        Some(problem) => {
            diagnostics.push(problem);
            None
        }
    };
    Given { value, name, range: text.map_or(range, Piece::range) }
}

fn problem(option: Written<'_>, literal: Piece<'_>, text: Option<Piece<'_>>) -> Option<Diagnostic> {
    const WHAT: &str = "the text of the `format!` that writes the key";
    let name = option.name.text;
    let report = |at: Piece<'_>, message: String, help: Suggestion| {
        Some(Diagnostic::new(at.range(), Rule::Declaration, message, help))
    };
    let example = || Suggestion::from(format!("give it {WHAT}, as in `{name} = \"User:{{user_id}}:Profile\"`"));
    let Some(text) = text else {
        if literal.is_empty() {
            return report(option.name, format!("missing value for `{name}`"), example());
        }
        // In `format!("…")` it is there.
        let inside = literal.text.split_once("!(").map(|(before, _)| literal.from(before.len() + "!(".len()));
        let quoted = match inside.and_then(Piece::first_literal) {
            Some((text, _)) => text.text.to_owned(),
            None => format!("\"{}\"", literal.text),
        };
        let help = Suggestion::write(format!("{name} = {quoted}")).at(option.whole.range());
        let help = help.and(&format!(", {WHAT}"));
        return report(literal, format!("expected a text in quotes, found `{}`", literal.text), help);
    };
    if text.is_empty() {
        return report(literal, format!("`{name}` cannot be empty"), example());
    }
    if let Some((at, control)) = text.text.char_indices().find(|(_, char)| char.is_control()) {
        let message = format!("`{name}` cannot contain a control character");
        return report(text.part(at..at + control.len_utf8()), message, "declare a key without it".into());
    }
    let at = text.text.find('\\').filter(|_| !literal.trim().text.starts_with('r'))?;
    let message = format!("`{name}` cannot contain an escape");
    let help = "write a raw string, as in `r\"a\\b\"`, with the characters of the key as they are";
    report(text.part(at..at + 1), message, help.into())
}
