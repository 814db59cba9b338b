//! The words of a key: `a` to `z` and `0` to `9`.

use crate::Rule;
use crate::diagnostic::Diagnostics;
use crate::limits::is_word_byte;
use crate::piece::{Piece, is_name_char};
use crate::suggest::dotted;

/// Signs that are used between segments elsewhere.
pub(super) const SEGMENT_SIGNS: [char; 5] = ['/', '|', ';', ',', '>'];

const A_WORD: &str = "a word of the letters `a` to `z` and the digits `0` to `9`";

/// Checks the literal text of one word.
pub(super) fn check(word: Piece<'_>, diagnostics: &mut Diagnostics) {
    if word.text.bytes().all(is_word_byte) {
        return;
    }
    let (rule, message, help) = if let Some(name) = in_other_brackets(word.text) {
        let message = format!("expected a placeholder in braces, found `{}`", word.text);
        (Rule::Parameters, message, format!("write `{{{name}}}`"))
    } else {
        let (rule, message) = explain(word.text);
        // Nothing can be guessed of a word with other letters.
        let foreign = word.text.chars().any(|c| !c.is_ascii() && c.is_alphabetic());
        let help = match rewritten(word.text) {
            Some(text) if !foreign => format!("write `{text}`"),
            _ if word.text == "*" => format!("write a placeholder, as in `{{field}}`, or {A_WORD}"),
            _ => format!("write {A_WORD}"),
        };
        (rule, message, help)
    };
    diagnostics.report(word.range(), rule, message, help);
}

/// The name in `[name]`, `<name>`, `(name)` or `$name`, the placeholders of other tools.
fn in_other_brackets(word: &str) -> Option<&str> {
    let brackets = |open, close| word.strip_prefix(open)?.strip_suffix(close);
    let name = brackets('[', ']')
        .or_else(|| brackets('<', '>'))
        .or_else(|| brackets('(', ')'))
        .or_else(|| word.strip_prefix('$'))?;
    (!name.is_empty() && name.chars().all(is_name_char)).then_some(name)
}

/// The word as a key can have it.
pub(super) fn rewritten(word: &str) -> Option<String> {
    let segments = word.split(SEGMENT_SIGNS).filter_map(dotted).collect::<Vec<_>>();
    (!segments.is_empty()).then(|| segments.join(":"))
}

/// Explains what is wrong with a word that has signs other than those of the alphabet.
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
        let help = format!("write the module first, as in `user:{}`", word.text);
        let message = "a key cannot start with a digit";
        diagnostics.report(word.range(), Rule::FirstLetter, message, help);
    }
}
