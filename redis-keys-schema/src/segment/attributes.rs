//! What can be said of a parameter type, and of its variants.

use std::ops::Range;

use super::assignment::{Assignment, AttributeOf, Owner, split};
use super::{Name, SegmentItem, Variant, names};
use crate::Rule;
use crate::diagnostic::Diagnostic;
use crate::piece::Piece;
use crate::suggest::nearest;

const CRATE: &str = "crate";
const CRATE_EXAMPLE: &str = "crate = path::to::redis_keys";
const RENAME: &str = "rename";
const RENAME_EXAMPLE: &str = "rename = \"basic.info\"";

/// What other libraries call `rename`.
const NAMES_OF_RENAME: [&str; 6] = ["name", "as", "to", "text", "serialize", "value"];

/// The item has one option: where redis-keys lives.
pub(super) fn of_the_item(item: &SegmentItem<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Range<usize>> {
    for number in 1..item.attributes.len() {
        let of = AttributeOf { owner: Owner::Item, number };
        let message = "a second `#[redis_key(…)]` of one item";
        let diagnostic = Diagnostic::new(of.whole(), Rule::Declaration, message);
        diagnostics.push(diagnostic.help("move what it says into the first"));
    }
    let of = AttributeOf { owner: Owner::Item, number: 0 };
    let mut given = None;
    for option in item.attributes.first().map(|first| split(first, of, CRATE_EXAMPLE, diagnostics)).unwrap_or_default()
    {
        if option.name.text != CRATE {
            diagnostics.push(unknown_of_the_item(option));
            continue;
        }
        if let Some(value) = value(option, of, CRATE_EXAMPLE, given.is_some(), diagnostics) {
            given = Some(value.range());
        }
    }
    given
}

fn unknown_of_the_item(option: Assignment<'_>) -> Diagnostic {
    let word = option.name.text;
    let told = |message: String, help: &str| Diagnostic::at(option.name.range(), Rule::Declaration, message).help(help);
    match word {
        "rename_all" => told(
            format!(
                "there is no option `{word}`: `BasicInfo` prints `basic.info`, and what prints another text says so"
            ),
            "write `#[redis_key(rename = \"…\")]` at the variants that do",
        ),
        RENAME => told(format!("`{word}` is said of a variant, not of the whole type"), "move it to a variant"),
        _ if nearest(word, [CRATE]).is_some() => {
            told(format!("there is no option `{word}`: did you mean `crate`?"), "write `crate`")
        }
        _ => told(format!("a parameter type has no option `{word}`"), "the only one is `crate`"),
    }
}

/// What a variant prints: its name as words of a key, or what `rename` says.
pub(super) fn of_a_variant(number: usize, variant: &Variant<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Name> {
    let mut renamed = None;
    for (at, attribute) in variant.attributes.iter().enumerate() {
        let of = AttributeOf { owner: Owner::Variant(number), number: at };
        for option in split(attribute, of, RENAME_EXAMPLE, diagnostics) {
            if option.name.text != RENAME {
                diagnostics.push(unknown_of_a_variant(option, of));
                // Its own name is not what was meant, so nothing is said of that.
                renamed.get_or_insert_with(Name::default);
                continue;
            }
            let Some(value) = value(option, of, RENAME_EXAMPLE, renamed.is_some(), diagnostics) else {
                renamed.get_or_insert_with(Name::default);
                continue;
            };
            let place = of.place(value.range());
            let text = names::checked(value, of, diagnostics);
            renamed = Some(Name { text: text.unwrap_or_default(), rename: Some(place) });
        }
    }
    renamed
}

fn unknown_of_a_variant(option: Assignment<'_>, of: AttributeOf) -> Diagnostic {
    let word = option.name.text;
    let (message, help) = if NAMES_OF_RENAME.contains(&word) {
        let text = option.value.map_or("…", |value| value.bare().text);
        (format!("there is no option `{word}`: it is called `rename` here"), format!("write `rename = \"{text}\"`"))
    } else if nearest(word, [RENAME]).is_some() {
        (format!("there is no option `{word}`: did you mean `rename`?"), "write `rename`".to_owned())
    } else if option.value.is_none() && option.name.text.starts_with('"') {
        (format!("nothing says what {word} is"), format!("write `rename = {word}`"))
    } else {
        (format!("a variant has no option `{word}`"), "the only one is `rename`".to_owned())
    };
    Diagnostic::new(of.place(option.name.range()), Rule::Declaration, message).help(help)
}

/// A field of a newtype has no options.
pub(super) fn of_a_field(item: &SegmentItem<'_>, field: usize, diagnostics: &mut Vec<Diagnostic>) {
    let attributes = item.fields.get(field).map(|field| field.attributes.len()).unwrap_or_default();
    for number in 0..attributes {
        let of = AttributeOf { owner: Owner::Field(field), number };
        let message = "a newtype prints what its field prints, and nothing is said of it here";
        let help = "remove it; `digest` and `base32` are said in the key, of the field that has this type";
        diagnostics.push(Diagnostic::new(of.whole(), Rule::Declaration, message).help(help));
    }
}

/// The value of an option that is given once.
fn value<'t>(
    option: Assignment<'t>,
    of: AttributeOf,
    example: &str,
    again: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Piece<'t>> {
    let name = option.name.text;
    let given = option.value.filter(|value| !value.bare().is_empty());
    let (message, help) = match given {
        Some(value) if !again => return Some(value.bare()),
        Some(_) => (format!("`{name}` is given twice"), "keep one of them".to_owned()),
        None => (format!("`{name}` has no value"), format!("write `{example}`")),
    };
    diagnostics.push(Diagnostic::new(of.place(option.name.range()), Rule::Declaration, message).help(help));
    None
}
