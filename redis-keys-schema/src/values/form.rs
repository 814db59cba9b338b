//! Changes of the stored form itself, and what is inside of a form that stays.

mod first_byte;
mod record;
mod verbatim;

use redis_keys_core::value_shape::{Codec, Compression, Form, Shape};

use super::finding::{Findings, Outcome, Place};
use super::named::Named;
use super::shown::form_name;
use super::{positional, protobuf};

/// Adds what differs between the form that is written at a place and the one that is read there.
pub(super) fn compare(findings: &mut Findings, at: &Place, written: &Form, reader: &Form) {
    match (written, reader) {
        (Form::Secret(written), Form::Secret(reader)) => compare(findings, at, written, reader),
        (Form::Own(a), Form::Own(b)) if a == b => {}
        (Form::Own(name), _) | (_, Form::Own(name)) => {
            findings.add(at, Outcome::Unsure, format!("the bytes of the program's own form `{name}` are not known"));
        }
        (Form::Secret(_), _) => differs(findings, at, written, reader, Outcome::All),
        (_, Form::Secret(_)) => {
            findings.add(at, Outcome::All, "values that are not encrypted are rejected by `Secret`");
        }
        (Form::Record(written), Form::Record(reader)) => record::compare(findings, at, written, reader),
        (Form::Compressed(from, written), Form::Compressed(to, reader)) => {
            other_compression(findings, at, *from, *to);
            compare(findings, at, written, reader);
        }
        (Form::Serde(from, written_shape), Form::Serde(to, reader_shape)) => {
            if !codecs(findings, at, (*from, written_shape), (*to, reader_shape)) {
                other_bytes(findings, at, written, reader);
            }
        }
        (Form::Protobuf(written), Form::Protobuf(reader)) => protobuf::compare(findings, at, written, reader),
        _ => {
            if !verbatim::compare(findings, at, written, reader) {
                other_bytes(findings, at, written, reader);
            }
        }
    }
}

/// Compares what two codecs have in common, and returns whether there is anything.
fn codecs(findings: &mut Findings, at: &Place, written: (Codec, &Shape), reader: (Codec, &Shape)) -> bool {
    match (written.0, reader.0) {
        (Codec::Json, Codec::Json) | (Codec::MessagePack, Codec::MessagePack) => {
            let is_json = written.0 == Codec::Json;
            Named { is_json, findings }.shape(at, written.1, reader.1);
        }
        (Codec::Postcard(from), Codec::Postcard(to)) if from == to => {
            positional::compare(findings, at, written.1, reader.1);
        }
        (Codec::Postcard(from), Codec::Postcard(to)) => {
            findings.add(at, Outcome::All, format!("version {from} is written, version {to} is expected"));
        }
        _ => return false,
    }
    true
}

fn other_compression(findings: &mut Findings, at: &Place, from: Compression, to: Compression) {
    if from != to {
        let (from, to) = (from.name(), to.name());
        // These have the same first byte in all formats.
        let what =
            format!("`{from}` is written, `{to}` is expected: only values that are stored uncompressed are read");
        findings.add(at, Outcome::Some, what);
    }
}

/// Bytes of another form are an error if no value of one form begins as one of the other.
fn other_bytes(findings: &mut Findings, at: &Place, written: &Form, reader: &Form) {
    let outcome = if first_byte::is_shared(written, reader) { Outcome::Misread } else { Outcome::All };
    differs(findings, at, written, reader, outcome);
}

fn differs(findings: &mut Findings, at: &Place, written: &Form, reader: &Form, outcome: Outcome) {
    findings.add(at, outcome, format!("{} is written, {} is expected", form_name(written), form_name(reader)));
}
