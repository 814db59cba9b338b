//! JSON and `MessagePack`: names and types are in the value, so fields and variants are found by their names.

mod alternatives;
mod enums;
mod structs;

pub(super) use enums::as_shape;

use redis_keys_core::value_shape::{Number, Shape};

use super::finding::{Findings, Outcome, Place};
use super::number;
use super::shown::{quoted, shown, what_is_unknown};

/// Compares the shapes of a value with names.
pub(super) struct Named<'f> {
    /// In JSON, the keys of maps are texts, and bytes are a list of numbers.
    pub(super) is_json: bool,
    pub(super) findings: &'f mut Findings,
}

impl Named<'_> {
    /// Adds what differs between what is written at a place and what is read there.
    pub(super) fn shape(&mut self, at: &Place, written: &Shape, reader: &Shape) {
        match (written, reader) {
            (_, Shape::Any(read)) => self.any(at, written, read),
            (Shape::Any(known), _) => self.written_by_own_rules(at, known, reader),
            (Shape::OneOf(shapes), _) => self.written_as_one_of(at, shapes, reader),
            (_, Shape::OneOf(shapes)) => self.read_as_one_of(at, written, shapes),
            (_, Shape::Checked(inner, rejected)) => {
                rejections(self.findings, at, written, inner, rejected);
                self.shape(at, unchecked(written), inner);
            }
            (Shape::Checked(inner, _), _) => self.shape(at, inner, reader),
            (Shape::Unknown, Shape::Unknown) => self.findings.add_not_known(at),
            (Shape::Unknown, _) | (_, Shape::Unknown) => {
                self.findings.add(at, Outcome::Unsure, what_is_unknown(written, reader));
            }
            (Shape::Recursive(a), Shape::Recursive(b)) if a == b => {}
            (Shape::Recursive(_), _) | (_, Shape::Recursive(_)) => {
                self.findings.add(at, Outcome::Unsure, "the recursion of the type has changed");
            }
            (Shape::Option(_), _) | (_, Shape::Option(_)) => self.option(at, written, reader),
            (Shape::Enum(_), _) | (_, Shape::Enum(_)) => self.choice(at, written, reader),
            (Shape::Struct(_), _) | (_, Shape::Struct(_)) => self.structure(at, written, reader),
            (Shape::List(_) | Shape::Tuple(_) | Shape::Map(_) | Shape::Bytes, _) => {
                self.collection(at, written, reader);
            }
            _ => self.single(at, written, reader),
        }
    }

    fn differs(&mut self, at: &Place, written: &Shape, reader: &Shape) {
        self.findings.add(at, Outcome::All, format!("{} is written, {} is expected", shown(written), shown(reader)));
    }

    /// The reader accepts what its own rules accept, which is at least what it writes.
    fn any(&mut self, at: &Place, written: &Shape, read: &Shape) {
        let known = if let Shape::Any(known) = written { known } else { written };
        // A type that writes anything also reads anything, such as `serde_json::Value`.
        if *read == Shape::Unknown || (matches!(written, Shape::Any(_)) && known == read) {
            return;
        }
        let count = self.findings.count();
        self.shape(at, known, read);
        self.findings.limit_since(count, Outcome::Unsure);
    }

    fn written_by_own_rules(&mut self, at: &Place, known: &Shape, reader: &Shape) {
        if *known == Shape::Unknown {
            self.findings.add(at, Outcome::Some, format!("anything is written, {} is expected", shown(reader)));
        } else {
            self.shape(&at.in_some(), known, reader);
        }
    }

    fn option(&mut self, at: &Place, written: &Shape, reader: &Shape) {
        match (written, reader) {
            (Shape::Option(written), Shape::Option(reader)) => self.shape(&at.in_some(), written, reader),
            (Shape::Unit, Shape::Option(_)) => {}
            (_, Shape::Option(reader)) => self.shape(at, written, reader),
            (Shape::Option(written), _) => {
                if *reader != Shape::Unit {
                    self.findings.add(at, Outcome::Some, format!("it can be absent, {} is expected", shown(reader)));
                }
                self.shape(&at.in_some(), written, reader);
            }
            _ => {}
        }
    }

    /// Values without parts.
    fn single(&mut self, at: &Place, written: &Shape, reader: &Shape) {
        match (written, reader) {
            (Shape::Unit, Shape::Unit)
            | (Shape::Bool, Shape::Bool)
            | (Shape::Char, Shape::Char)
            | (Shape::Char | Shape::Text | Shape::TextLike(_), Shape::Text) => {}
            (Shape::TextLike(a), Shape::TextLike(b)) if a == b => {}
            (Shape::Number(written), Shape::Number(reader)) => {
                if let Some((outcome, what)) = number::compare(*written, *reader) {
                    self.findings.add(at, outcome, what);
                }
            }
            (Shape::Text, Shape::TextLike(example)) => {
                self.findings.add(at, Outcome::Some, format!("any text is written, one like `{example}` is expected"));
            }
            (Shape::Text | Shape::TextLike(_), Shape::Char) => {
                self.findings.add(at, Outcome::Some, "any text is written, one character is expected");
            }
            _ => self.differs(at, written, reader),
        }
    }

    /// Lists, tuples, maps and bytes.
    fn collection(&mut self, at: &Place, written: &Shape, reader: &Shape) {
        match (written, reader) {
            (Shape::Bytes, Shape::Bytes) => {}
            (Shape::Bytes, Shape::Text) if !self.is_json => {
                self.findings.add(at, Outcome::Some, "not all bytes are text");
            }
            (Shape::List(item), Shape::Bytes) if **item == Shape::Number(Number::U8) => {}
            (Shape::Bytes, Shape::List(reader)) if self.is_json => {
                self.shape(&at.elements(), &Shape::Number(Number::U8), reader);
            }
            (Shape::List(written), Shape::List(reader)) => self.shape(&at.elements(), written, reader),
            (Shape::Tuple(written), Shape::Tuple(reader)) if written.len() == reader.len() => {
                for (index, (written, reader)) in written.iter().zip(reader).enumerate() {
                    self.shape(&at.field(&index.to_string()), written, reader);
                }
            }
            (Shape::Tuple(written), Shape::List(reader)) => {
                for (index, written) in written.iter().enumerate() {
                    self.shape(&at.field(&index.to_string()), written, reader);
                }
            }
            (Shape::List(written), Shape::Tuple(reader)) => {
                let len = reader.len();
                self.findings.add(
                    at,
                    Outcome::Some,
                    format!("a list of any length is written, {len} elements are expected"),
                );
                for reader in reader {
                    self.shape(&at.elements(), written, reader);
                }
            }
            (Shape::Map(written), Shape::Map(reader)) => {
                self.key(at, &written.0, &reader.0);
                self.shape(&at.map_values(), &written.1, &reader.1);
            }
            _ => self.differs(at, written, reader),
        }
    }

    fn key(&mut self, at: &Place, written: &Shape, reader: &Shape) {
        match (written, reader) {
            (Shape::Number(_), Shape::Text) if self.is_json => {}
            (Shape::Text | Shape::TextLike(_), Shape::Number(_)) if self.is_json => {
                self.findings.add(&at.keys(), Outcome::Some, "keys are any text, numbers are expected");
            }
            _ => self.shape(&at.keys(), written, reader),
        }
    }
}

/// A shape without the values that its type rejects.
pub(super) fn unchecked(shape: &Shape) -> &Shape {
    if let Shape::Checked(inner, _) = shape { inner } else { shape }
}

/// Adds the values that the reader rejects, if what is written can have them.
///
/// A reader without a list of them rejects all values of its type that the tracer has tried.
pub(super) fn rejections(findings: &mut Findings, at: &Place, written: &Shape, read: &Shape, rejected: &[String]) {
    let never_written: &[String] = if let Shape::Checked(_, rejected) = written { rejected } else { &[] };
    let new: Vec<_> = rejected.iter().filter(|value| !never_written.contains(value)).map(String::as_str).collect();
    if !new.is_empty() {
        findings.add(at, Outcome::Some, format!("the type's own rules reject {}", quoted(new)));
    } else if rejected.is_empty() && matches!(read, Shape::Text | Shape::Number(_)) && written == read {
        findings.add(at, Outcome::Some, "the type's own rules reject all values that were tried");
    } else if rejected.is_empty() {
        findings.add(at, Outcome::Unsure, "the type's own rules decide");
    }
}
