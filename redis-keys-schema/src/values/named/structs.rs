//! Structs, and what is written or read instead of them.

use redis_keys_core::value_shape::{Field, Read, Shape, Struct, Written};

use super::super::finding::{Cause, Outcome, Place, only};
use super::super::shown::written as written_fields;
use super::Named;

impl Named<'_> {
    /// A struct is written, or read, or both.
    pub(super) fn structure(&mut self, at: &Place, written: &Shape, reader: &Shape) {
        match (written, reader) {
            (Shape::Struct(written), Shape::Struct(reader)) => self.fields(at, written, reader),
            (Shape::Struct(written), Shape::Map(reader)) if reader.0 == Shape::Text => {
                for field in written_fields(&written.fields) {
                    let at = at.field(&field.name).in_some_unless(field.written == Written::Always);
                    self.shape(&at, &field.shape, &reader.1);
                }
            }
            (Shape::Map(written), Shape::Struct(reader)) if is_text(&written.0) => {
                self.map_as_struct(at, &written.1, reader);
            }
            // serde's structs also read lists.
            (Shape::Tuple(written), Shape::Struct(reader))
                if !reader.is_partly_known && written.len() == read_fields(reader).count() =>
            {
                for (written, field) in written.iter().zip(read_fields(reader)) {
                    self.shape(&at.field(&field.name), written, &field.shape);
                }
            }
            _ => self.differs(at, written, reader),
        }
    }

    fn map_as_struct(&mut self, at: &Place, values: &Shape, reader: &Struct) {
        for field in read_fields(reader) {
            let at = at.field(&field.name);
            match field.read {
                Read::Needed => self.findings.add(&at, Outcome::Some, "mandatory, and not a key of each map"),
                Read::Unknown => self.findings.add(&at, Outcome::Unsure, "not a key of each map"),
                Read::Optional | Read::Never => {}
            }
            self.shape(&at.in_some(), values, &field.shape);
        }
        if reader.rejects_others {
            self.findings.add(at, Outcome::Some, "other keys of the map are rejected as unknown fields");
        } else if reader.is_partly_known {
            self.findings.add(at, Outcome::Unsure, "not all fields of the reader are known");
        } else {
            self.findings.add(at, Outcome::Notes, "other keys of the map are dropped");
        }
    }

    /// Finds each field of the reader, and then what is written beside them.
    pub(super) fn fields(&mut self, at: &Place, written: &Struct, reader: &Struct) {
        let is_read = |name: &str| read_fields(reader).any(|field| is_name_of(field, name));
        let others: Vec<&Field> = written_fields(&written.fields).filter(|field| !is_read(&field.name)).collect();
        for field in read_fields(reader) {
            let mut sources = written_fields(&written.fields).filter(|source| is_name_of(field, &source.name));
            let at = at.field(&field.name);
            match sources.next() {
                Some(source) => self.field(&at, source, field),
                None => self.missing(&at, field, &others, written.is_partly_known),
            }
            if let Some(second) = sources.next() {
                let at = at.in_some_unless(second.written == Written::Always);
                self.findings.add(&at, Outcome::All, format!("`{}` is written too, as the same field", second.name));
            }
        }
        self.unread(at, &others, reader);
        if reader.rejects_others && written.is_partly_known {
            self.findings.add(at, Outcome::Unsure, "not all fields that are written are known");
        }
    }

    fn field(&mut self, at: &Place, source: &Field, field: &Field) {
        let is_in_each = source.written == Written::Always;
        if !is_in_each && field.read == Read::Needed {
            let cause = Cause::Missing { field: field.name.clone(), former: None, is_in_record: false };
            self.findings.add_for(cause, at, Outcome::Some, "mandatory, but not always written");
        } else if !is_in_each && field.read == Read::Unknown {
            self.findings.add(at, Outcome::Unsure, "not always written, and perhaps mandatory");
        }
        self.shape(&at.in_some_unless(is_in_each), &source.shape, &field.shape);
    }

    /// A field that is not written. `others` are the written fields that are not read.
    fn missing(&mut self, at: &Place, field: &Field, others: &[&Field], is_partly_known: bool) {
        match field.read {
            Read::Needed => {
                let similar = others.iter().filter(|other| other.shape == field.shape);
                let former = only(similar.map(|other| &*other.name));
                let cause = Cause::Missing { field: field.name.clone(), former, is_in_record: false };
                self.findings.add_for(cause, at, Outcome::All, "mandatory, but not written");
            }
            Read::Unknown => self.findings.add(at, Outcome::Unsure, "not written, and perhaps mandatory"),
            Read::Optional if is_partly_known => {
                self.findings.add(at, Outcome::Unsure, "perhaps written as another type");
            }
            Read::Optional | Read::Never => {}
        }
    }

    /// The written fields that the reader does not have.
    fn unread(&mut self, at: &Place, others: &[&Field], reader: &Struct) {
        for field in others {
            let at = at.field(&field.name);
            if reader.rejects_others {
                let at = at.in_some_unless(field.written == Written::Always);
                self.findings.add(&at, Outcome::All, "written, but rejected as an unknown field");
            } else if reader.is_partly_known {
                self.findings.add(&at, Outcome::Unsure, "not known whether it is read");
            } else {
                self.findings.add_for(
                    Cause::Dropped,
                    &at,
                    Outcome::Notes,
                    "dropped, because the reader does not have it",
                );
            }
        }
    }
}

fn read_fields(reader: &Struct) -> impl Iterator<Item = &Field> {
    reader.fields.iter().filter(|field| field.read != Read::Never)
}

fn is_name_of(field: &Field, name: &str) -> bool {
    field.name == name || field.aliases.iter().any(|alias| alias == name)
}

/// Whether keys of this shape are texts in each notation. Others could be taken for the numbers of fields.
fn is_text(key: &Shape) -> bool {
    match key {
        Shape::Text | Shape::TextLike(_) | Shape::Char => true,
        Shape::Enum(choice) => choice.tag.is_none(),
        Shape::Checked(inner, _) => is_text(inner),
        _ => false,
    }
}
