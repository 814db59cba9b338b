//! The words of a key: `a` to `z` and `0` to `9`.

use super::parameters::Parameters;
use crate::Rule;
use crate::diagnostic::Diagnostics;
use crate::edit::Suggestion;
use crate::limits::is_word_byte;
use crate::piece::Piece;
use crate::suggest::dotted;

/// Signs that are used between segments elsewhere.
pub(super) const SEGMENT_SIGNS: [char; 5] = ['/', '|', ';', ',', '>'];

pub(super) const A_WORD_HELP: &str = "write a word of the letters `a` to `z` and the digits `0` to `9`";

/// Checks the literal text of one word.
pub(super) fn check(word: Piece<'_>, parameters: &mut Parameters<'_>, diagnostics: &mut Diagnostics) {
    if word.text.bytes().all(is_word_byte) {
        return;
    }
    if let Some(placeholder) = parameters.in_other_notation(word.text) {
        let message = format!("expected a placeholder in braces, found `{}`", word.text);
        diagnostics.report(word.range(), Rule::Parameters, message, Suggestion::write(placeholder));
        return;
    }
    let (rule, message) = explain(word.text);
    let help = match rewritten(word.text) {
        Some(text) if !is_foreign(word.text) => Suggestion::write(text),
        _ if word.text == "*" => A_WORD_HELP.replacen("write ", "write a placeholder, as in `{field}`, or ", 1).into(),
        _ => A_WORD_HELP.into(),
    };
    diagnostics.report(word.range(), rule, message, help);
}

/// Whether nothing can be guessed of a word, since it has other letters.
pub(super) fn is_foreign(word: &str) -> bool {
    word.chars().any(|c| !c.is_ascii() && c.is_alphabetic())
}

/// The word as a key can have it.
pub(super) fn rewritten(word: &str) -> Option<String> {
    let segments = word.split(SEGMENT_SIGNS).filter_map(dotted).collect::<Vec<_>>();
    (!segments.is_empty()).then(|| segments.join(":"))
}

/// Explains the problem with a word that has signs outside the alphabet.
pub(crate) fn explain(word: &str) -> (Rule, String) {
    if let Some(name) = word.strip_prefix("r#")
        && name.bytes().all(is_word_byte)
    {
        return (Rule::Declaration, "keys cannot contain `r#`: any word can be used as it is".to_owned());
    }
    if word.contains(['"', '\'']) {
        return (Rule::Alphabet, "keys cannot contain quotes: quote all of the template, or nothing".to_owned());
    }
    if let Some(sign) = word.chars().find(|&c| !c.is_ascii_alphanumeric() && c != '_' && c != '-') {
        let message = if SEGMENT_SIGNS.contains(&sign) {
            format!("expected `:` between segments, found `{sign}`")
        } else if sign.is_alphabetic() {
            format!("keys cannot contain `{sign}`, which is not an English letter")
        } else {
            format!("keys cannot contain `{}`", sign.escape_debug())
        };
        return (Rule::Alphabet, message);
    }
    if let Some(sign) = word.chars().find(|&c| c == '_' || c == '-') {
        return (Rule::Separators, format!("expected `.` between words, found `{sign}`"));
    }
    (Rule::LowerCase, format!("`{word}` is not lower case"))
}

/// The first word of a key starts with a letter.
pub(super) fn check_first(word: Piece<'_>, diagnostics: &mut Diagnostics) {
    if word.text.bytes().all(is_word_byte) && word.text.starts_with(|c: char| c.is_ascii_digit()) {
        let message = "a key cannot start with a digit";
        let help = super::module_first(word.text, word.start);
        diagnostics.report(word.range(), Rule::FirstLetter, message, help);
    }
}
