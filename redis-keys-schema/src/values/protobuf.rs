//! Protobuf: fields are found by their numbers, which are their names here. A field that is not written has its default,
//! and one that the reader does not have is dropped.

use redis_keys_core::value_shape::{Field, Number, Shape};

use super::finding::{Cause, Findings, Outcome, Place};
use super::shown::shown;

/// What a field of a signed type rejects that writes zigzag: `sint32` and `sint64`.
const ZIGZAG: &str = "plain integers";

/// What an integer of a fixed length rejects: `fixed32` and its like.
const FIXED: &str = "integers of variable length";

/// How a field is encoded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WireType {
    Varint,
    Bytes4,
    Bytes8,
    /// A length, and that many bytes.
    Length,
}

/// Compares two messages.
pub(super) fn compare(findings: &mut Findings, at: &Place, written: &Shape, reader: &Shape) {
    match (written, reader) {
        (Shape::Struct(written), Shape::Struct(reader)) => {
            for source in &written.fields {
                // Values that are the default of their type are not written.
                let at = at.field(&source.name).in_some();
                match reader.fields.iter().find(|field| field.name == source.name) {
                    Some(field) => value(findings, &at, &source.shape, &field.shape),
                    None if reader.is_partly_known => {
                        findings.add(&at, Outcome::Unsure, "not known whether it is read");
                    }
                    None => {
                        let what = "dropped, because the reader does not have it";
                        findings.add_for(Cause::Dropped, &at, Outcome::Notes, what);
                    }
                }
            }
            let is_new = |field: &&Field| !written.fields.iter().any(|source| source.name == field.name);
            for field in reader.fields.iter().filter(is_new).filter(|_| written.is_partly_known) {
                findings.add(&at.field(&field.name), Outcome::Unsure, "perhaps written as another type");
            }
        }
        _ if written == reader => findings.add_not_known(at),
        _ => findings.add(at, Outcome::Unsure, "the message is not known"),
    }
}

fn value(findings: &mut Findings, at: &Place, written: &Shape, reader: &Shape) {
    let (Some(from), Some(to)) = (wire_type(written), wire_type(reader)) else {
        if written == reader {
            findings.add_not_known(at);
        } else {
            findings.add(at, Outcome::Unsure, "the type is not known");
        }
        return;
    };
    match (written, reader) {
        (Shape::Option(written), _) => value(findings, at, written, reader),
        (Shape::List(written), Shape::List(reader)) => value(findings, &at.elements(), written, reader),
        // prost reads a single value as a list of one, packed or not.
        (_, Shape::Option(reader) | Shape::List(reader)) => value(findings, at, written, reader),
        (Shape::Struct(_), Shape::Struct(_)) => compare(findings, at, written, reader),
        _ if written == reader => {}
        (Shape::List(_), _) => findings.add(at, Outcome::Misread, "only the last of several values is read"),
        _ if from != to => {
            findings.add(at, Outcome::All, format!("{} is written, {} is expected", shown(written), shown(reader)));
        }
        (Shape::Text | Shape::Struct(_), Shape::Bytes) | (Shape::Bool, Shape::Number(_)) => {}
        (Shape::Bytes, Shape::Text) => findings.add(at, Outcome::Some, "not all bytes are text"),
        (Shape::Number(written), Shape::Number(reader)) if is_wider(*written, *reader) => {}
        (Shape::Checked(inner, written), Shape::Checked(reader, rules))
            if written == rules && from == WireType::Varint && is_wider_shape(inner, reader) => {}
        _ => {
            let what = format!("the bytes of {} are read as {}", shown(written), shown(reader));
            findings.add(at, Outcome::Misread, what);
        }
    }
}

/// Whether varints of one type mean the same in the other. Negative numbers are written with 64 bits.
fn is_wider(written: Number, reader: Number) -> bool {
    matches!((written, reader), (Number::U32, Number::U64 | Number::I64) | (Number::I32, Number::I64))
}

fn is_wider_shape(written: &Shape, reader: &Shape) -> bool {
    matches!((written, reader), (Shape::Number(written), Shape::Number(reader)) if is_wider(*written, *reader))
}

/// `None` if it is not known.
fn wire_type(shape: &Shape) -> Option<WireType> {
    Some(match shape {
        Shape::Bool | Shape::Number(Number::U32 | Number::U64 | Number::I32 | Number::I64) | Shape::Enum(_) => {
            WireType::Varint
        }
        Shape::Number(Number::F32) => WireType::Bytes4,
        Shape::Number(Number::F64) => WireType::Bytes8,
        Shape::Text | Shape::TextLike(_) | Shape::Bytes | Shape::Struct(_) | Shape::Map(_) => WireType::Length,
        Shape::Option(inner) | Shape::List(inner) => wire_type(inner)?,
        Shape::Checked(inner, rules) => match (&**inner, rules.first().map(String::as_str)) {
            (Shape::Number(_), Some(ZIGZAG)) => WireType::Varint,
            (Shape::Number(Number::U32 | Number::I32), Some(FIXED)) => WireType::Bytes4,
            (Shape::Number(Number::U64 | Number::I64), Some(FIXED)) => WireType::Bytes8,
            _ => return None,
        },
        _ => return None,
    })
}
