//! Numbers, `bool`, text and bytes as they are, and JSON, which writes numbers in the same way.

use redis_keys_core::value_shape::{Codec, Form, Number, Shape};

use super::super::finding::{Findings, Outcome, Place};
use super::super::named::Named;
use super::super::number;
use super::super::shown::form_name;

/// Compares forms without a marker of their own, and returns whether both are.
pub(super) fn compare(findings: &mut Findings, at: &Place, written: &Form, reader: &Form) -> bool {
    match (written, reader) {
        (Form::Serde(Codec::Json, shape), _) => return json_as_verbatim(findings, at, shape, reader),
        (_, Form::Serde(Codec::Json, shape)) => return verbatim_as_json(findings, at, written, shape),
        (Form::Number(from), Form::Number(to)) => numbers(findings, at, *from, *to),
        (Form::Text(Some(a)), Form::Text(Some(b))) if a == b => {}
        (Form::Number(_) | Form::Bool | Form::Text(_), Form::Text(None) | Form::Bytes)
        | (Form::Bytes, Form::Bytes)
        // `true` is stored as `1`.
        | (Form::Bool, Form::Bool | Form::Number(_)) => {}
        (Form::Number(_) | Form::Bool | Form::Text(Some(_)), Form::Text(Some(rules))) => {
            findings.add(at, Outcome::Unsure, format!("the rules of `{rules}` decide"));
        }
        (Form::Text(_) | Form::Bytes | Form::Number(_), Form::Number(_) | Form::Bool | Form::Text(_)) => {
            let what = format!("not all of {} can be read as {}", form_name(written), form_name(reader));
            findings.add(at, Outcome::Some, what);
        }
        _ => return false,
    }
    true
}

fn numbers(findings: &mut Findings, at: &Place, from: Number, to: Number) {
    match number::compare(from, to) {
        // A whole number has no fraction in its text.
        Some((Outcome::All, _)) => {
            findings.add(at, Outcome::Some, format!("numbers with a fraction are no `{}`", to.name()));
        }
        Some((outcome, what)) => findings.add(at, outcome, what),
        None => {}
    }
}

fn json_as_verbatim(findings: &mut Findings, at: &Place, written: &Shape, reader: &Form) -> bool {
    match (written, reader) {
        (_, Form::Number(number)) => json(findings).shape(at, written, &Shape::Number(*number)),
        (Shape::Number(_), Form::Text(None) | Form::Bytes) => {}
        (Shape::Number(_), Form::Bool) => findings.add(at, Outcome::Some, "only 0 and 1 can be read as `bool`"),
        (_, Form::Bool) => json(findings).shape(at, written, &Shape::Number(Number::U8)),
        (_, Form::Text(Some(rules))) => {
            findings.add(at, Outcome::Some, format!("not all JSON follows the rules of `{rules}`"));
        }
        (_, Form::Text(None) | Form::Bytes) => {
            findings.add(at, Outcome::Misread, format!("JSON is read as {}", form_name(reader)));
        }
        _ => return false,
    }
    true
}

fn verbatim_as_json(findings: &mut Findings, at: &Place, written: &Form, reader: &Shape) -> bool {
    match written {
        Form::Number(number) => json(findings).shape(at, &Shape::Number(*number), reader),
        Form::Bool => json(findings).shape(at, &Shape::Number(Number::U8), reader),
        Form::Text(_) | Form::Bytes => {
            let written = form_name(written);
            findings.add(at, Outcome::Some, format!("{written} is read only if it is JSON of this type"));
        }
        _ => return false,
    }
    true
}

fn json(findings: &mut Findings) -> Named<'_> {
    Named { is_json: true, findings }
}
