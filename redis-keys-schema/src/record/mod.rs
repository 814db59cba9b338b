//! Records: structs whose fields are the fields of a hash, or of a stream's entry.

mod assignment;
mod field;
mod field_type;
mod habit;
mod item;
mod names;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::time::Duration;

use crate::StoredForm;
use crate::diagnostic::{Diagnostic, Place};
use crate::item::{Attribute, Field};

/// An item that derives `RedisHash`.
#[derive(Clone, Debug)]
pub struct RecordItem<'t> {
    /// What it is.
    pub shape: RecordShape,
    /// Its lifetime parameters, as they are written.
    pub lifetimes: Vec<String>,
    /// Its `redis_hash` attributes.
    pub attributes: Vec<Attribute<'t>>,
    /// Its fields, in order, with their `redis_hash` attributes.
    pub fields: Vec<Field<'t>>,
}

/// The shape of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordShape {
    /// A struct with named fields.
    Named,
    /// A tuple struct.
    Tuple,
    /// A struct without fields.
    Unit,
    /// An enum.
    Enum,
    /// A union.
    Union,
}

/// A record and what is wrong with it.
#[derive(Clone, Debug)]
pub struct CheckedRecord {
    /// What it declares, as far as it could be read.
    pub record: Record,
    /// Everything that is wrong with it, in the order of the text. If there is nothing, the record is whole.
    pub diagnostics: Vec<Diagnostic>,
}

/// A record's declaration, as far as it could be read.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// Where redis-keys lives, in the text of the first attribute.
    pub crate_path: Option<Range<usize>>,
    /// One for each field of the item, in order.
    pub fields: Vec<RecordField>,
}

/// What is declared of a field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordField {
    /// The name under which it is stored.
    pub stored: String,
    /// Where that name is declared, if it is not the field's own.
    pub rename: Option<Place>,
    /// The name of its constant. Empty for a `PhantomData`.
    pub constant: String,
    /// What it is when nothing is stored.
    pub presence: Presence,
    /// The stored form that is declared, and the number of the attribute that declares it.
    pub value: Option<(usize, StoredForm)>,
    /// How long it lives by itself, if it does.
    pub ttl: Option<Duration>,
}

/// What a field is when nothing is stored under its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Presence {
    /// An error: a record has it.
    #[default]
    Mandatory,
    /// `None`.
    Optional,
    /// Its type's default.
    Default,
    /// It is never stored: a `PhantomData`.
    Phantom,
}

/// Checks an item against the rules of records.
///
/// ```
/// use redis_keys_schema::{Attribute, Field, RecordItem, RecordShape, check_record};
///
/// let field = Field { name: "name".to_owned(), ty: "Option<String>", phantom: false, attributes: vec![] };
/// let item =
///     RecordItem { shape: RecordShape::Named, lifetimes: vec![], attributes: vec![], fields: vec![field] };
///
/// let checked = check_record(&item);
/// assert_eq!(checked.diagnostics.len(), 1);
/// assert_eq!(checked.diagnostics[0].help.as_deref(), Some("make one field mandatory: neither an `Option` nor `default`"));
/// ```
pub fn check_record(item: &RecordItem<'_>) -> CheckedRecord {
    let mut diagnostics = Vec::new();
    let crate_path = item::check_attributes(item, &mut diagnostics);
    let mut record = Record { crate_path, fields: Vec::new() };
    if item::check_shape(item, &mut diagnostics) {
        let fields = item.fields.iter().enumerate();
        record.fields = fields.map(|(number, field)| field::read(number, field, &mut diagnostics)).collect();
        item::check_fields(item, &record, &mut diagnostics);
        names::check(item, &record, &mut diagnostics);
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.place.position());
    diagnostics.dedup();
    CheckedRecord { record, diagnostics }
}

/// Where an attribute stands: at which field, if at any, and its number there.
#[derive(Clone, Copy)]
struct AttributeOf {
    field: Option<usize>,
    number: usize,
}

impl AttributeOf {
    /// Bytes of the attribute's text.
    fn place(self, range: Range<usize>) -> Place {
        match self.field {
            Some(field) => Place::FieldAttribute(field, self.number, range),
            None => Place::Attribute(range),
        }
    }

    fn whole(self) -> Place {
        match self.field {
            Some(field) => Place::WholeFieldAttribute(field, self.number),
            None => Place::WholeAttribute(self.number),
        }
    }

    /// Moves what was told of the text to the attribute that has it.
    fn placed(self, mut diagnostic: Diagnostic) -> Diagnostic {
        if let Place::Attribute(range) = diagnostic.place {
            diagnostic.place = self.place(range);
        }
        diagnostic
    }
}
