//! The fields of records.

use redis_keys_core::value_shape::RecordField;

use super::super::finding::{Cause, Findings, Outcome, Place, only};

pub(super) fn compare(findings: &mut Findings, at: &Place, written: &[RecordField], reader: &[RecordField]) {
    let others: Vec<_> = written.iter().filter(|field| find(reader, &field.name).is_none()).collect();
    for field in reader {
        let at = at.field(&field.name);
        match find(written, &field.name) {
            Some(source) => {
                if source.is_optional && !field.is_optional {
                    let what = "mandatory, but not always written";
                    findings.add_for(missing(&field.name, None), &at, Outcome::Some, what);
                }
                super::compare(findings, &at.in_some_unless(!source.is_optional), &source.form, &field.form);
            }
            None if field.is_optional => {}
            None => {
                let similar = others.iter().filter(|other| other.form == field.form);
                let former = only(similar.map(|other| &*other.name));
                findings.add_for(missing(&field.name, former), &at, Outcome::All, "mandatory, but not written");
            }
        }
    }
    for field in others {
        let what = "dropped, because the reader does not have it";
        findings.add_for(Cause::Dropped, &at.field(&field.name), Outcome::Notes, what);
    }
}

fn missing(field: &str, former: Option<String>) -> Cause {
    Cause::Missing { field: field.to_owned(), former, is_in_record: true }
}

fn find<'f>(fields: &'f [RecordField], name: &str) -> Option<&'f RecordField> {
    fields.iter().find(|field| field.name == name)
}
