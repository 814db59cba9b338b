//! The texts of an enum's variants.

use super::{SegmentItem, Variant, VariantText};
use crate::Rule;
use crate::attribute::{Grammar, OF_VARIANT, Translation, duplicate};
use crate::diagnostic::{AttributeId, Diagnostic, Diagnostics};
use crate::edit::Suggestion;
use crate::limits::is_word_byte;
use crate::piece::Piece;
use crate::place::Place;
use crate::suggest::dotted;
use crate::template::explain_word;

/// The grammar of `#[redis_key(…)]` on a variant.
const GRAMMAR: Grammar = Grammar {
    attribute: "redis_key",
    options: &[("rename", "rename = \"basic.info\"")],
    inner: &[],
    flags: &[],
    foreign: |word| Translation::find(OF_VARIANT, word),
};

/// Reads each variant's text. A text that cannot be read is empty, and is reported.
pub(super) fn read(item: &SegmentItem<'_>, diagnostics: &mut Diagnostics) -> Vec<VariantText> {
    if item.variants.is_empty() {
        let message = "an enum without variants cannot be a key parameter: it has no value";
        diagnostics.report(Place::Item, Rule::Parameters, message, "add variants, as in `{ BasicInfo, Orders }`");
    }
    let variants = item.variants.iter().enumerate();
    let texts: Vec<_> = variants.map(|(index, variant)| read_variant(index, variant, diagnostics)).collect();
    check_duplicates(item, &texts, diagnostics);
    texts
}

fn read_variant(index: usize, variant: &Variant<'_>, diagnostics: &mut Diagnostics) -> VariantText {
    let name = &variant.name;
    if variant.has_fields {
        let message = format!("`{name}` cannot have fields: keys that differ only in them would collide");
        let help = Suggestion::write(name.as_str()).saying(format!("write `{name}` alone, and add a field to the key"));
        diagnostics.report(Place::Variant(index), Rule::OneKeyEach, message, help);
    }
    if let Some(text) = read_rename(index, variant, diagnostics) {
        return text;
    }
    let foreign = name.chars().find(|c| !c.is_ascii());
    let text = dotted(name).filter(|_| foreign.is_none());
    if text.is_none() {
        let message = match foreign {
            Some(sign) => format!("keys cannot contain `{sign}`, which is not an English letter"),
            None => format!("missing letters and digits in `{name}`"),
        };
        let help = "add `#[redis_key(rename = \"…\")]` with the letters `a` to `z` and the digits `0` to `9`";
        diagnostics.report(Place::Variant(index), Rule::Alphabet, message, help);
    }
    VariantText { text: text.unwrap_or_default(), rename: None }
}

/// The text that `rename` declares, if it is there.
fn read_rename(index: usize, variant: &Variant<'_>, diagnostics: &mut Diagnostics) -> Option<VariantText> {
    let mut renamed: Option<VariantText> = None;
    for (attribute, text) in variant.attributes.iter().enumerate() {
        let id = AttributeId::Variant(index, attribute);
        for option in GRAMMAR.read(text, id, diagnostics) {
            let first = diagnostics.len();
            if option.name.text != "rename" {
                let mut diagnostic = GRAMMAR.unknown(option, "").1;
                if option.name.text.starts_with('"') {
                    let help = Suggestion::write(format!("rename = {}", option.name.text));
                    diagnostic = Diagnostic::new(diagnostic.place, diagnostic.rule, diagnostic.message, help);
                }
                diagnostics.push(diagnostic);
            } else if let Some(value) = option.bare_value() {
                if renamed.as_ref().is_some_and(|first| first.rename.is_some()) {
                    diagnostics.push(duplicate(option));
                } else {
                    let text = checked(value, diagnostics).unwrap_or_default();
                    renamed = Some(VariantText { text, rename: Some(id.bytes(value.range())) });
                }
            } else {
                diagnostics.push(GRAMMAR.missing_value(option));
            }
            // After a mistake the variant's own name was not meant, and so is not checked.
            renamed.get_or_insert_with(VariantText::default);
            id.relocate(diagnostics, first);
        }
    }
    renamed
}

/// No two values have the same text.
fn check_duplicates(item: &SegmentItem<'_>, texts: &[VariantText], diagnostics: &mut Diagnostics) {
    for (index, (variant, own)) in item.variants.iter().zip(texts).enumerate() {
        let mut earlier = item.variants.iter().zip(texts).take(index);
        let Some((first, _)) = earlier.find(|(_, first)| !own.text.is_empty() && first.text == own.text) else {
            continue;
        };
        let message =
            format!("duplicate text `{}`: keys of `{}` and `{}` would collide", own.text, first.name, variant.name);
        let (place, help) = match &own.rename {
            Some(place) => (place.clone(), "write another name"),
            None => (Place::Variant(index), "add `#[redis_key(rename = \"…\")]` with another name"),
        };
        diagnostics.report(place, Rule::OneKeyEach, message, help);
    }
}

/// The name that `rename` declares, if it is words of a key.
fn checked(name: Piece<'_>, diagnostics: &mut Diagnostics) -> Option<String> {
    let Some((rule, message)) = explain(name.text) else { return Some(name.text.to_owned()) };
    // Nothing can be guessed of a word with other letters.
    let foreign = name.text.chars().any(|c| !c.is_ascii() && c.is_alphabetic());
    let help = match dotted(name.text).filter(|_| !foreign) {
        Some(text) => Suggestion::write(text),
        None => "write words of the letters `a` to `z` and the digits `0` to `9`, as in `basic.info`".into(),
    };
    diagnostics.report(name.range(), rule, message, help);
    None
}

/// Explains the problem with a name.
fn explain(name: &str) -> Option<(Rule, String)> {
    let is_word = |word: &str| word.bytes().all(is_word_byte);
    if name.split('.').all(is_word) {
        let is_empty = name.split('.').any(str::is_empty);
        return is_empty.then(|| (Rule::EmptyWord, "empty word beside a `.`".to_owned()));
    }
    if name.contains(':') {
        return Some((Rule::Separators, "a parameter is one segment, and cannot contain `:`".to_owned()));
    }
    if let Some(sign) = name.chars().find(|c| c.is_whitespace() || ",;/|>".contains(*c)) {
        return Some((Rule::Separators, format!("expected `.` between words, found `{}`", sign.escape_debug())));
    }
    name.split('.').find(|word| !is_word(word)).map(explain_word)
}
