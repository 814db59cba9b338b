//! `legacy = "…"` and `formerly = "…"`: the text of a key that existed before it was declared.

use super::{GivenOption, RawOption, places, text_expression};
use crate::Rule;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::edit::Suggestion;
use crate::piece::Piece;

/// Reads the format string, or reports the problem with the literal.
pub(super) fn read(option: RawOption<'_>, diagnostics: &mut Diagnostics) -> GivenOption<String> {
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
    GivenOption { value, name, range: text.map_or(range, Piece::range) }
}

fn problem(option: RawOption<'_>, literal: Piece<'_>, text: Option<Piece<'_>>) -> Option<Diagnostic> {
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
        let help = match text_expression::literal(literal) {
            Some(text) => {
                Suggestion::write(format!("{name} = {text}")).at(option.whole.range()).and(&format!(", {WHAT}"))
            }
            None => text_expression::help(&format!("{name} = \"User:{{user_id}}:Profile\"")).into(),
        };
        return report(literal, text_expression::found(literal), help);
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
