//! Records: structs whose fields are the fields of a hash, or of a stream's entry.

mod field;
mod secrets;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::time::Duration;

use crate::Rule;
use crate::attribute::{Grammar, OF_RECORD, StoredForm, Translation, is_template, read_crate_path};
use crate::diagnostic::{Diagnostics, ReportedError};
use crate::edit::Suggestion;
use crate::item::{Attribute, Field, text_of_field};
use crate::limits::MAX_RECORD_FIELDS;
use crate::piece::Piece;
use crate::place::Place;
use crate::policy::Policy;
use crate::rust_type::lifetimes;
use crate::warning::Warning;

/// The grammar of `#[redis_hash(…)]` on a struct.
const GRAMMAR: Grammar = Grammar {
    attribute: "redis_hash",
    options: &[("crate", "crate = path::to::redis_keys")],
    inner: &[],
    flags: &[],
    foreign: |word| Translation::find(OF_RECORD, word),
};

/// An item that derives `RedisHash`.
#[derive(Clone, Debug)]
pub struct RecordItem<'t> {
    /// Its shape.
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

/// A checked record.
#[derive(Clone, Debug)]
pub struct CheckedRecord {
    /// The record, as far as it could be read.
    pub record: Record,
    /// The errors, in the order of the text. Without any the record is complete.
    pub diagnostics: Diagnostics,
    /// The warnings of the lints.
    pub warnings: Vec<Warning>,
}

/// A record's declaration, as far as it could be read.
#[derive(Clone, Debug)]
pub struct Record {
    /// The place of the path to redis-keys, if renamed, in the text of the first attribute.
    pub crate_path: Option<Range<usize>>,
    /// A record field for each field of the item, in order; or the proof that an error leaves the record without
    /// fields.
    pub fields: Result<Vec<RecordField>, ReportedError>,
}

/// A field's declaration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordField {
    /// The name under which it is stored.
    pub stored: String,
    /// That name's place, if it is not the field's own.
    pub rename: Option<Place>,
    /// The name of its constant. Empty for a `PhantomData`.
    pub constant: String,
    /// Its value when nothing is stored.
    pub presence: Presence,
    /// Its stored form, with the index of the attribute that declares it.
    pub value: Option<(usize, StoredForm)>,
    /// Its time to live, if it differs from the key's.
    pub ttl: Option<Duration>,
    /// The place of `plain_secret` in an `allow`.
    pub allow: Option<Place>,
}

/// A field's value when nothing is stored under its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Presence {
    /// None: reading the record fails.
    #[default]
    Mandatory,
    /// `None`.
    Optional,
    /// Its type's default.
    Default,
    /// It is never stored: a `PhantomData`.
    Phantom,
}

impl<'t> RecordItem<'t> {
    /// The text of the attribute that a place is in.
    fn text_of(&self, place: &Place) -> Option<&'t str> {
        match place {
            Place::Attribute(_) => self.attributes.first()?.text(),
            _ => text_of_field(&self.fields, place),
        }
    }
}

/// Checks an item against the rules of records and the project's policy.
///
/// ```
/// use redis_keys_schema::{Attribute, Field, Policy, RecordItem, RecordShape, check_record};
///
/// let field = Field { name: "name".to_owned(), ty: "Option<String>", phantom: false, attributes: vec![] };
/// let item =
///     RecordItem { shape: RecordShape::Named, lifetimes: vec![], attributes: vec![], fields: vec![field] };
///
/// let checked = check_record(&item, &Policy::default());
/// assert_eq!(checked.diagnostics.len(), 1);
/// assert_eq!(checked.diagnostics[0].suggestion, "make one field mandatory: neither an `Option` nor `default`");
/// ```
pub fn check_record(item: &RecordItem<'_>, policy: &Policy) -> CheckedRecord {
    let mut diagnostics = Diagnostics::default();
    let crate_path = match template(item) {
        Some(template) => {
            let message = "a record cannot have a template";
            let help = "declare the key as another struct with `#[derive(RedisKey)]`, and this record as its `value`";
            diagnostics.report(template.range(), Rule::Declaration, message, help);
            None
        }
        None => read_crate_path(&item.attributes, &GRAMMAR, &mut diagnostics),
    };
    let fields = check_shape(item, &mut diagnostics).map(|()| {
        let fields = item.fields.iter().enumerate();
        let fields: Vec<_> = fields.map(|(index, field)| field::read(index, field, &mut diagnostics)).collect();
        check_fields(item, &fields, &mut diagnostics);
        field::check_names(item, &fields, &mut diagnostics);
        fields
    });
    let mut warnings = Vec::new();
    if let (Ok(fields), true) = (&fields, diagnostics.is_empty()) {
        warnings = secrets::check(item, fields, policy);
    }
    diagnostics.resolve_edits(|place| item.text_of(place), &[]);
    diagnostics.sort();
    CheckedRecord { record: Record { crate_path, fields }, diagnostics, warnings }
}

/// A key's template, where the attribute starts with a template.
fn template<'t>(item: &RecordItem<'t>) -> Option<Piece<'t>> {
    let Attribute::Arguments(text) = item.attributes.first()? else { return None };
    let first = *Piece::new(text).split_at_commas(false).first()?;
    Some(first.trim()).filter(|first| is_template(*first))
}

/// Reports any shape other than a struct with named fields.
fn check_shape(item: &RecordItem<'_>, diagnostics: &mut Diagnostics) -> Result<(), ReportedError> {
    let (message, help) = match item.shape {
        RecordShape::Named if item.fields.iter().any(|field| !field.phantom) => return Ok(()),
        RecordShape::Named => ("a record cannot be empty", "add a field, as in `name: String`"),
        RecordShape::Unit => ("a record cannot be empty", "write fields, as in `{ name: String }`"),
        RecordShape::Tuple => {
            ("a record cannot be a tuple struct: its fields need names", "write names, as in `{ name: String }`")
        }
        RecordShape::Enum => {
            ("`RedisHash` cannot be derived for an enum", "declare a struct whose fields are the record's")
        }
        RecordShape::Union => {
            ("`RedisHash` cannot be derived for a union", "declare a struct whose fields are the record's")
        }
    };
    Err(diagnostics.report(Place::Item, Rule::Record, message, help))
}

fn check_fields(item: &RecordItem<'_>, read: &[RecordField], diagnostics: &mut Diagnostics) {
    let stored = read.iter().enumerate().filter(|(_, field)| field.presence != Presence::Phantom);
    if let Some((index, _)) = stored.clone().nth(MAX_RECORD_FIELDS) {
        let message =
            format!("this field exceeds the limit of {MAX_RECORD_FIELDS} fields: a record is read as a whole");
        let help = "move some fields to another record, or into one field with `#[redis_hash(value = Json<…>)]`";
        diagnostics.report(Place::Field(index), Rule::Record, message, help);
    }
    if !stored.clone().any(|(_, field)| field.presence == Presence::Mandatory) {
        let message = "missing mandatory field: a record without stored fields cannot be told apart from a missing one";
        let help = "make one field mandatory: neither an `Option` nor `default`";
        diagnostics.report(Place::Item, Rule::Record, message, help);
    }
    // A field that borrows has a separate message.
    let fields = || item.fields.iter().filter(|field| !field.phantom);
    let is_used = |lifetime: &str| fields().any(|field| lifetimes(field.ty).any(|used| used == lifetime));
    for (index, lifetime) in item.lifetimes.iter().enumerate().filter(|(_, lifetime)| !is_used(lifetime)) {
        let message = "a record cannot have lifetimes: it owns its values";
        diagnostics.report(
            Place::Lifetime(index),
            Rule::Record,
            message,
            Suggestion::remove().saying(format!("remove `{lifetime}`")),
        );
    }
}
