//! The words of a key: `a` to `z` and `0` to `9`.

use super::layout::{Element, Word};
use crate::Rule;
use crate::alphabet::is_word_byte;
use crate::diagnostic::Diagnostic;
use crate::piece::{Piece, is_name_char};
use crate::suggest::dotted;

/// Signs that other projects use between segments.
const SEGMENT_SIGNS: [char; 5] = ['/', '|', ';', ',', '>'];

/// Checks the literal text of one word.
pub(super) fn check(word: Piece<'_>, diagnostics: &mut Vec<Diagnostic>) {
    if word.text.bytes().all(is_word_byte) {
        return;
    }
    if let Some(name) = in_other_brackets(word.text) {
        let message = format!("`{}`: a placeholder stands in braces", word.text);
        diagnostics.push(Diagnostic::at(word.range(), Rule::Parameters, message).help(format!("write `{{{name}}}`")));
        return;
    }
    let (rule, message) = fault(word.text);
    let diagnostic = Diagnostic::at(word.range(), rule, message);
    // Nothing can be guessed of a word that other letters belong to.
    let foreign = word.text.chars().any(|c| !c.is_ascii() && c.is_alphabetic());
    diagnostics.push(diagnostic.help(match rewritten(word.text) {
        Some(text) if !foreign => format!("write `{text}`"),
        _ => "a word has the letters `a` to `z` and the digits `0` to `9`".to_owned(),
    }));
}

/// The name in `[name]`, `<name>` or `$name`, the placeholders of other tools.
fn in_other_brackets(word: &str) -> Option<&str> {
    let brackets = |open, close| word.strip_prefix(open)?.strip_suffix(close);
    let name = brackets('[', ']').or_else(|| brackets('<', '>')).or_else(|| word.strip_prefix('$'))?;
    (!name.is_empty() && name.chars().all(is_name_char)).then_some(name)
}

/// The word as it could be written.
pub(super) fn rewritten(word: &str) -> Option<String> {
    let segments = word.split(SEGMENT_SIGNS).filter_map(dotted).collect::<Vec<_>>();
    (!segments.is_empty()).then(|| segments.join(":"))
}

/// What is wrong with a word that has other signs than it may.
pub(crate) fn fault(word: &str) -> (Rule, String) {
    if let Some(name) = word.strip_prefix("r#")
        && name.bytes().all(is_word_byte)
    {
        return (Rule::Declaration, format!("`{word}`: a word of a key needs no `r#`"));
    }
    if word.contains('"') || word.contains('\'') {
        return (
            Rule::Alphabet,
            format!("`{word}`: quotes are no part of a key; either nothing or all of it is quoted"),
        );
    }
    if let Some(sign) = word.chars().find(|&c| !c.is_ascii_alphanumeric() && c != '_' && c != '-') {
        return (Rule::Alphabet, sign_fault(word, sign));
    }
    if let Some(sign) = word.chars().find(|&c| c == '_' || c == '-') {
        return (Rule::Separators, format!("`{word}`: the words of a segment are separated by `.`, not by `{sign}`"));
    }
    let humps = dotted(word).is_some_and(|dotted| dotted.contains('.'));
    let separated = if humps { ", and `.` separates its words" } else { "" };
    (Rule::LowerCase, format!("`{word}`: a key is lower case{separated}"))
}

fn sign_fault(word: &str, sign: char) -> String {
    if SEGMENT_SIGNS.contains(&sign) {
        format!("`{word}`: segments are separated by `:`, not by `{sign}`")
    } else if sign.is_alphabetic() {
        format!("`{word}`: `{sign}` is no English letter, and a key has no others")
    } else {
        format!("`{word}`: the sign `{}` can't stand in a key", sign.escape_debug())
    }
}

/// The first word of a key starts with a letter.
pub(super) fn check_first(word: Piece<'_>, diagnostics: &mut Vec<Diagnostic>) {
    if word.text.bytes().all(is_word_byte) && word.text.starts_with(|c: char| c.is_ascii_digit()) {
        let message = format!("a key starts with an English letter, and `{}` starts with a digit", word.text);
        let help = format!("write the module first, as in `user:{}`", word.text);
        diagnostics.push(Diagnostic::at(word.range(), Rule::FirstLetter, message).help(help));
    }
}

/// Explains a word of several elements: words with white space between them, or a placeholder that is no whole word.
pub(super) fn check_mixture(word: &Word<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let text = |element: &Element<'_>| match element {
        Element::Text(text) => rewritten(text.text).unwrap_or_else(|| text.text.to_owned()),
        Element::Braced(braced) => braced.text.to_owned(),
    };
    let fixed = word.elements.iter().map(text).collect::<Vec<_>>().join(".");
    let braced = word.elements.iter().find(|element| matches!(element, Element::Braced(_)));
    let (rule, message) = match braced {
        Some(braced) => {
            let neighbours = if word.elements.iter().all(|element| matches!(element, Element::Braced(_))) {
                "two placeholders"
            } else {
                "a placeholder and text"
            };
            let placeholder = braced.piece().text;
            let message = format!("`{placeholder}` is a whole word: {neighbours} need a separator between them");
            (Rule::Separators, message)
        }
        None => (Rule::Separators, "white space can't stand in a key".to_owned()),
    };
    diagnostics.push(Diagnostic::at(word.range(), rule, message).help(format!("write `{fixed}`")));
}
