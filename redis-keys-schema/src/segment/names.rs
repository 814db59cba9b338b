//! What the variants of an enum print.

use super::assignment::AttributeOf;
use super::{Name, SegmentItem, Variant, attributes};
use crate::Rule;
use crate::alphabet::is_word_byte;
use crate::diagnostic::{Diagnostic, Place};
use crate::piece::Piece;
use crate::suggest::dotted;
use crate::template::word_fault;

/// Reads what each variant prints. One that can't be read prints an empty text, and is reported.
pub(super) fn read(item: &SegmentItem<'_>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Name> {
    if item.variants.is_empty() {
        let message = "an enum without variants has no value, so that there is no key with it";
        let diagnostic = Diagnostic::new(Place::Item, Rule::Parameters, message);
        diagnostics.push(diagnostic.help("add variants, as in `{ BasicInfo, Orders }`"));
    }
    let variants = item.variants.iter().enumerate();
    let names: Vec<_> = variants.map(|(number, variant)| name(number, variant, diagnostics)).collect();
    check_twins(item, &names, diagnostics);
    names
}

fn name(number: usize, variant: &Variant<'_>, diagnostics: &mut Vec<Diagnostic>) -> Name {
    if variant.has_fields {
        let message =
            format!("`{}` has fields, which it would not print: two of its values would share one key", variant.name);
        let help = format!("write `{}` alone, and give the key a field for what is in it", variant.name);
        diagnostics.push(Diagnostic::new(Place::Variant(number), Rule::OneKeyEach, message).help(help));
    }
    if let Some(name) = attributes::of_a_variant(number, variant, diagnostics) {
        return name;
    }
    let foreign = variant.name.chars().find(|c| !c.is_ascii());
    let text = dotted(&variant.name).filter(|_| foreign.is_none());
    if text.is_none() {
        let message = match foreign {
            Some(sign) => format!("`{}`: `{sign}` is no English letter, and a key has no others", variant.name),
            None => format!("`{}` has neither letters nor digits, so that it prints nothing", variant.name),
        };
        let help = "add `#[redis_key(rename = \"…\")]` with the letters `a` to `z` and the digits `0` to `9`";
        diagnostics.push(Diagnostic::new(Place::Variant(number), Rule::Alphabet, message).help(help));
    }
    Name { text: text.unwrap_or_default(), rename: None }
}

/// No two values print the same.
fn check_twins(item: &SegmentItem<'_>, names: &[Name], diagnostics: &mut Vec<Diagnostic>) {
    for (number, (variant, name)) in item.variants.iter().zip(names).enumerate() {
        let mut earlier = item.variants.iter().zip(names).take(number);
        let Some((twin, _)) = earlier.find(|(_, twin)| !name.text.is_empty() && twin.text == name.text) else {
            continue;
        };
        let message =
            format!("`{}` and `{}` both print `{}`: they would share one key", twin.name, variant.name, name.text);
        let (place, help) = match &name.rename {
            Some(place) => (place.clone(), "write another name".to_owned()),
            None => (Place::Variant(number), "add `#[redis_key(rename = \"…\")]` with another name".to_owned()),
        };
        diagnostics.push(Diagnostic::new(place, Rule::OneKeyEach, message).help(help));
    }
}

/// A name that `rename` gives, if it is one: words of a key.
pub(super) fn checked(name: Piece<'_>, of: AttributeOf, diagnostics: &mut Vec<Diagnostic>) -> Option<String> {
    let Some((rule, message)) = fault(name.text) else { return Some(name.text.to_owned()) };
    // Nothing can be guessed of a word that other letters belong to.
    let foreign = name.text.chars().any(|c| !c.is_ascii() && c.is_alphabetic());
    let meant = dotted(name.text).filter(|_| !foreign);
    let help = match meant {
        Some(text) => format!("write `{text}`"),
        None => "write words of the letters `a` to `z` and the digits `0` to `9`, as in `basic.info`".to_owned(),
    };
    diagnostics.push(Diagnostic::new(of.place(name.range()), rule, message).help(help));
    None
}

/// What is wrong with a name.
fn fault(name: &str) -> Option<(Rule, String)> {
    let is_word = |word: &str| word.bytes().all(is_word_byte);
    if name.split('.').all(is_word) {
        let empty = name.split('.').any(str::is_empty);
        return empty.then(|| (Rule::EmptyWord, format!("`{name}`: a word is missing beside a `.`")));
    }
    let told = |message: &str| format!("`{name}`: {message}");
    if name.contains(':') {
        return Some((Rule::Separators, told("`:` separates segments, and a parameter is one of them")));
    }
    if name.contains(|c: char| c.is_whitespace() || ",;/|>".contains(c)) {
        return Some((Rule::Separators, told("the words of a segment are separated by `.`")));
    }
    name.split('.').find(|word| !is_word(word)).map(word_fault)
}
