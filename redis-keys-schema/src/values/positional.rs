//! Postcard: neither names nor types are in the value, so the reader takes each byte for what it expects there.
//!
//! Therefore a difference is a misread, unless it is certain that an error follows: at the end of the value bytes are
//! missing, or left over.

mod enums;

use std::borrow::Cow;

use redis_keys_core::value_shape::{Content, Enum, Number, Read, Shape, Struct};

use super::finding::{Findings, Outcome, Place};
use super::named::{rejections, unchecked};
use super::number;
use super::shown::{quoted, shown, what_is_unknown, written as written_fields};

/// A place in a value.
#[derive(Clone)]
pub(super) struct Position {
    place: Place,
    /// Whether the value ends there, in each value.
    is_last: bool,
}

impl Position {
    fn field(&self, name: &str, is_last: bool) -> Self {
        Self { place: self.place.field(name), is_last: self.is_last && is_last }
    }

    /// A part that is repeated, so that other bytes can follow.
    fn repeated(place: Place) -> Self {
        Self { place, is_last: false }
    }

    fn in_some(&self) -> Self {
        Self { place: self.place.in_some(), ..*self }
    }
}

/// Compares the shapes of a value without names.
pub(super) struct Positional<'f> {
    findings: &'f mut Findings,
}

/// Compares two shapes in Postcard.
pub(super) fn compare(findings: &mut Findings, at: &Place, written: &Shape, reader: &Shape) {
    // The parts of a recursive type are also in the middle of a value.
    let is_last = !is_recursive(written) && !is_recursive(reader);
    Positional { findings }.shape(&Position { place: at.clone(), is_last }, written, reader);
}

impl Positional<'_> {
    fn add(&mut self, at: &Position, outcome: Outcome, what: impl Into<String>) {
        self.findings.add(&at.place, outcome, what);
    }

    fn misread(&mut self, at: &Position, written: &Shape, reader: &Shape) {
        self.add(at, Outcome::Misread, format!("the bytes of {} are read as {}", shown(written), shown(reader)));
    }

    fn shape(&mut self, at: &Position, written: &Shape, reader: &Shape) {
        match (written, reader) {
            (_, reader) if is_buffered(reader) => {
                self.add(at, Outcome::All, "Postcard cannot read this type, because serde buffers it");
            }
            (Shape::Any(known), _) if **known == Shape::Unknown => {
                self.add(at, Outcome::Misread, format!("anything is written, and read as {}", shown(reader)));
            }
            (Shape::Any(known), _) => self.shape(at, known, reader),
            (Shape::OneOf(shapes), _) => {
                for shape in shapes {
                    self.shape(&at.in_some(), shape, reader);
                }
            }
            (_, Shape::Checked(inner, rejected)) => {
                rejections(self.findings, &at.place, written, inner, rejected);
                self.shape(at, unchecked(written), inner);
            }
            (Shape::Checked(inner, _), _) => self.shape(at, inner, reader),
            (Shape::Unknown, Shape::Unknown) => self.findings.add_not_known(&at.place),
            (Shape::Unknown, _) | (_, Shape::Unknown) => {
                self.add(at, Outcome::Unsure, what_is_unknown(written, reader));
            }
            (Shape::Recursive(a), Shape::Recursive(b)) if a == b => {}
            (Shape::Enum(written_enum), Shape::Enum(reader_enum)) => {
                if !self.variants(at, written_enum, reader_enum) {
                    self.misread(at, written, reader);
                }
            }
            (Shape::Option(written), Shape::Option(reader)) => self.shape(&at.in_some(), written, reader),
            (Shape::List(written), Shape::List(reader)) => {
                self.shape(&Position::repeated(at.place.elements()), written, reader);
            }
            (Shape::Map(written), Shape::Map(reader)) => {
                self.shape(&Position::repeated(at.place.keys()), &written.0, &reader.0);
                self.shape(&Position::repeated(at.place.map_values()), &written.1, &reader.1);
            }
            _ if is_sequence(written) || is_sequence(reader) => {
                self.sequence(at, &items(written, Side::Writer), &items(reader, Side::Reader));
            }
            _ => self.single(at, written, reader),
        }
    }

    /// Values without parts.
    fn single(&mut self, at: &Position, written: &Shape, reader: &Shape) {
        match (written, reader) {
            (Shape::Number(a), Shape::Number(b)) if number::are_varints_alike(*a, *b) => {
                if let Some((outcome, what)) = number::compare(*a, *b) {
                    self.add(at, outcome, what);
                }
            }
            // Text and bytes are a length and bytes. A `bool` is a byte.
            (Shape::Char | Shape::Text | Shape::TextLike(_), Shape::Text | Shape::Bytes)
            | (Shape::Bool, Shape::Number(Number::U8)) => {}
            (Shape::Text | Shape::Bytes, Shape::List(item)) | (Shape::List(item), Shape::Bytes) if is_byte(item) => {}
            (Shape::Text, Shape::TextLike(example)) => {
                self.add(at, Outcome::Some, format!("any text is written, one like `{example}` is expected"));
            }
            (Shape::Bytes, Shape::Text | Shape::TextLike(_)) | (Shape::Text | Shape::TextLike(_), Shape::Char) => {
                self.add(at, Outcome::Some, format!("not every value of {} is {}", shown(written), shown(reader)));
            }
            (Shape::List(item), Shape::Text | Shape::TextLike(_)) if is_byte(item) => {
                self.add(at, Outcome::Some, "not all bytes are text");
            }
            (Shape::TextLike(_), Shape::TextLike(_)) if written != reader => {
                let what = format!("{} is written, {} is expected", shown(written), shown(reader));
                self.add(at, Outcome::All, what);
            }
            _ if written == reader => {}
            _ => self.misread(at, written, reader),
        }
    }

    /// Compares fields by their position. Nothing after a misread is of interest.
    fn sequence(&mut self, at: &Position, written: &[Item<'_>], reader: &[Item<'_>]) {
        let count = self.findings.count();
        let len = written.len().max(reader.len());
        let has = |items: &[Item<'_>], name: &str| items.iter().any(|item| item.name == name);
        for (index, (source, target)) in written.iter().zip(reader).enumerate() {
            if source.name != target.name && (has(written, &target.name) || has(reader, &source.name)) {
                let what = format!("read as `{}`, because Postcard reads by position", target.name);
                return self.add(&at.field(&source.name, false), Outcome::Misread, what);
            }
            self.shape(&at.field(&target.name, index + 1 == len), source.shape, target.shape);
            if self.findings.since(count).iter().any(|finding| finding.outcome == Outcome::Misread) {
                return;
            }
        }
        let outcome = if at.is_last { Outcome::All } else { Outcome::Misread };
        let (missing, left) = (rest(reader, written.len()), rest(written, reader.len()));
        if !missing.is_empty() {
            self.add(
                at,
                outcome,
                format!("{} not written: Postcard has no default for missing fields", quoted(missing)),
            );
        } else if !left.is_empty() {
            self.add(at, outcome, format!("{} written, but not expected", quoted(left)));
        }
    }
}

/// A field, or an element of a tuple.
struct Item<'s> {
    name: Cow<'s, str>,
    shape: &'s Shape,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Writer,
    Reader,
}

/// The values of a sequence, one after the other. Any other shape is a sequence of itself.
fn items(shape: &Shape, side: Side) -> Vec<Item<'_>> {
    match shape {
        Shape::Unit => Vec::new(),
        Shape::Tuple(items) => {
            items.iter().enumerate().map(|(index, shape)| Item { name: index.to_string().into(), shape }).collect()
        }
        Shape::Struct(of) if side == Side::Writer => {
            written_fields(&of.fields).map(|field| Item { name: (&*field.name).into(), shape: &field.shape }).collect()
        }
        Shape::Struct(of) => {
            let read = of.fields.iter().filter(|field| field.read != Read::Never);
            read.map(|field| Item { name: (&*field.name).into(), shape: &field.shape }).collect()
        }
        shape => vec![Item { name: "".into(), shape }],
    }
}

/// The names of the values from an index on, if they take any bytes.
fn rest<'i>(items: &'i [Item<'_>], index: usize) -> Vec<&'i str> {
    let rest = items.get(index..).unwrap_or_default();
    rest.iter().filter(|item| !is_empty(item.shape)).map(|item| &*item.name).collect()
}

fn is_sequence(shape: &Shape) -> bool {
    matches!(shape, Shape::Unit | Shape::Tuple(_) | Shape::Struct(_))
}

/// Whether its values take no bytes.
fn is_empty(shape: &Shape) -> bool {
    match shape {
        Shape::Unit => true,
        Shape::Tuple(items) => items.iter().all(is_empty),
        Shape::Struct(of) => of.fields.iter().all(|field| is_empty(&field.shape)),
        Shape::Checked(inner, _) => is_empty(inner),
        _ => false,
    }
}

fn is_byte(shape: &Shape) -> bool {
    *shape == Shape::Number(Number::U8)
}

/// Whether serde reads the value without knowing its type before, which Postcard does not support.
fn is_buffered(shape: &Shape) -> bool {
    match shape {
        Shape::Any(_) | Shape::OneOf(_) | Shape::Enum(Enum { tag: Some(_), content: None, .. }) => true,
        Shape::Struct(Struct { is_partly_known, .. }) => *is_partly_known,
        _ => false,
    }
}

/// Whether a part refers to the type around it.
fn is_recursive(shape: &Shape) -> bool {
    let of_fields = |of: &Struct| of.fields.iter().any(|field| is_recursive(&field.shape));
    match shape {
        Shape::Recursive(_) => true,
        Shape::Option(inner) | Shape::List(inner) | Shape::Any(inner) | Shape::Checked(inner, _) => is_recursive(inner),
        Shape::Tuple(items) | Shape::OneOf(items) => items.iter().any(is_recursive),
        Shape::Map(pair) => is_recursive(&pair.0) || is_recursive(&pair.1),
        Shape::Struct(of) => of_fields(of),
        Shape::Enum(of) => of.variants.iter().any(|variant| match &variant.content {
            Content::Unit => false,
            Content::Newtype(shape) => is_recursive(shape),
            Content::Tuple(items) => items.iter().any(is_recursive),
            Content::Struct(of) => of_fields(of),
        }),
        _ => false,
    }
}
