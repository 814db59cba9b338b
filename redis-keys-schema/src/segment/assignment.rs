//! How an attribute of a parameter type is cut into its options.

use std::ops::Range;

use crate::Rule;
use crate::diagnostic::{Diagnostic, Place};
use crate::item::Attribute;
use crate::piece::Piece;

/// Whose attribute it is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Owner {
    Item,
    Field(usize),
    Variant(usize),
}

/// An attribute, by its number.
#[derive(Clone, Copy, Debug)]
pub(super) struct AttributeOf {
    pub(super) owner: Owner,
    pub(super) number: usize,
}

impl AttributeOf {
    pub(super) fn place(self, range: Range<usize>) -> Place {
        match self.owner {
            Owner::Item => Place::Attribute(range),
            Owner::Field(field) => Place::FieldAttribute(field, self.number, range),
            Owner::Variant(variant) => Place::VariantAttribute(variant, self.number, range),
        }
    }

    pub(super) fn whole(self) -> Place {
        match self.owner {
            Owner::Item => Place::WholeAttribute(self.number),
            Owner::Field(field) => Place::WholeFieldAttribute(field, self.number),
            Owner::Variant(variant) => Place::WholeVariantAttribute(variant, self.number),
        }
    }
}

/// `name = value` as written, or a name alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assignment<'t> {
    pub(super) name: Piece<'t>,
    pub(super) value: Option<Piece<'t>>,
}

/// Cuts an attribute into its options. `example` is what could stand in it.
pub(super) fn split<'t>(
    attribute: &Attribute<'t>,
    of: AttributeOf,
    example: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Assignment<'t>> {
    let pieces = match attribute {
        Attribute::Arguments(text) => Piece::new(text).split_at_commas(true),
        Attribute::Value(_) => {
            let diagnostic =
                Diagnostic::new(of.whole(), Rule::Declaration, "options stand in brackets, not behind `=`");
            diagnostics.push(diagnostic.help(format!("write, say, `redis_key({example})`")));
            return Vec::new();
        }
        Attribute::Word => Vec::new(),
    };
    let pieces: Vec<_> = pieces.into_iter().map(Piece::trim).filter(|piece| !piece.is_empty()).collect();
    if pieces.is_empty() {
        let diagnostic = Diagnostic::new(of.whole(), Rule::Declaration, "this attribute says nothing");
        diagnostics.push(diagnostic.help(format!("write, say, `redis_key({example})`, or remove it")));
    }
    pieces.into_iter().map(assignment).collect()
}

fn assignment(piece: Piece<'_>) -> Assignment<'_> {
    // `r#crate` is as good as `crate`.
    let name = if piece.text.starts_with("r#") { piece.from(2).leading_word() } else { piece.leading_word() };
    if name.is_empty() {
        return Assignment { name: piece, value: None };
    }
    let rest = piece.from(name.start + name.text.len() - piece.start).trim();
    let value = match rest.text.chars().next() {
        None => None,
        Some('=' | ':') => Some(rest.from(1).trim()),
        Some('(') if rest.text.ends_with(')') => Some(rest.part(1..rest.text.len() - 1).trim()),
        Some(_) => Some(rest),
    };
    Assignment { name, value }
}
