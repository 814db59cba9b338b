//! A record's fields: their options, their types, and their names in Redis.

use std::time::Duration;

use super::{Presence, RecordField, RecordItem};
use crate::Rule;
use crate::attribute::{
    Grammar, OF_RECORD_FIELD, Options, RawOption, StoredForm, Translation, duplicate, exceeds_longest_ttl, form_named,
    payload, read_duration,
};
use crate::diagnostic::{AttributeId, Diagnostics};
use crate::edit::{Edit, Suggestion};
use crate::item::Field;
use crate::limits::{LONGEST_TTL, MAX_FIELD_BYTES};
use crate::piece::Piece;
use crate::place::Place;
use crate::rust_type::{lifetimes, option_inner, owned};
use crate::suggest::words;
use crate::warning::Lint;

/// The grammar of `#[redis_hash(…)]` on a field.
const GRAMMAR: Grammar = Grammar {
    attribute: "redis_hash",
    options: &[
        ("rename", "rename = \"…\""),
        ("default", "default"),
        ("value", "value = Json<Address>"),
        ("ttl", "ttl = 10m"),
        ("allow", "allow(plain_secret, reason = \"…\")"),
    ],
    inner: &[],
    flags: &["default"],
    foreign: |word| Translation::find(OF_RECORD_FIELD, word),
};

/// Reads a field and its attributes.
pub(super) fn read(index: usize, field: &Field<'_>, diagnostics: &mut Diagnostics) -> RecordField {
    let presence = match option_inner(field.ty) {
        _ if field.phantom => Presence::Phantom,
        Some(_) => Presence::Optional,
        None => Presence::Mandatory,
    };
    let constant = if field.phantom { String::new() } else { constant_of(&field.name) };
    let read = RecordField { stored: field.name.clone(), constant, presence, ..RecordField::default() };
    let mut reader = Reader { index, field, given: Vec::new(), read, ttl: None };
    for (attribute, text) in field.attributes.iter().enumerate() {
        let id = AttributeId::Field(index, attribute);
        for option in GRAMMAR.read(text, id, diagnostics) {
            let first = diagnostics.len();
            reader.option(option, id, diagnostics);
            id.relocate(diagnostics, first);
        }
    }
    if !field.phantom {
        reader.check_ttl(diagnostics);
        check_type(index, field, reader.given.contains(&"value"), diagnostics);
    }
    reader.read
}

struct Reader<'r, 't> {
    index: usize,
    field: &'r Field<'t>,
    /// The options that were given or meant.
    given: Vec<&'static str>,
    read: RecordField,
    /// The place of `ttl`.
    ttl: Option<Place>,
}

impl Reader<'_, '_> {
    fn option(&mut self, option: RawOption<'_>, id: AttributeId, diagnostics: &mut Diagnostics) {
        if self.field.phantom {
            let message = "a `PhantomData` cannot have options: it is not stored";
            let help = Suggestion::remove().saying("remove the attribute");
            diagnostics.report(id.whole(), Rule::Declaration, message, help);
            return;
        }
        let Some((name, _)) = GRAMMAR.options.iter().find(|(name, _)| *name == option.name.text) else {
            let stored = option_inner(self.field.ty).unwrap_or(self.field.ty);
            let (meant, mut diagnostic) = GRAMMAR.unknown(option, stored);
            if diagnostic.suggestion.ends_with("as the field's type") && self.read.presence != Presence::Optional {
                diagnostic.edits.push(self.optional());
            }
            diagnostics.push(diagnostic);
            if let Some(meant) = meant {
                self.mark(meant, option, id);
            }
            return;
        };
        if *name == "allow" {
            self.allow(option, id, diagnostics);
            return;
        }
        if self.given.contains(name) {
            diagnostics.push(duplicate(option));
            return;
        }
        self.mark(name, option, id);
        match (*name, option.bare_value()) {
            ("default", None) if option.value.is_none() => self.check_default(option, diagnostics),
            ("default", value) => {
                let at = value.unwrap_or(option.name);
                let message = "`default` cannot have a value: a missing field becomes its type's `Default`";
                let help = Suggestion::write("default").at(option.whole.range());
                diagnostics.report(at.range(), Rule::Declaration, message, help);
            }
            ("rename", None) if option.value.is_some_and(|value| !value.is_empty()) => {
                // An empty text in quotes.
                let empty = option.value.unwrap_or(option.name);
                self.rename("", empty, id, diagnostics);
            }
            (_, None) => {
                diagnostics.push(GRAMMAR.missing_value(option));
            }
            ("rename", Some(value)) => self.rename(value.text, value, id, diagnostics),
            ("value", Some(value)) => self.value(value, id, diagnostics),
            (_, Some(value)) => self.read_ttl(value, option, diagnostics),
        }
    }

    /// Notes that an option was given or meant.
    fn mark(&mut self, name: &'static str, option: RawOption<'_>, id: AttributeId) {
        if name == "default" && self.read.presence == Presence::Mandatory {
            self.read.presence = Presence::Default;
        }
        if name == "ttl" {
            self.ttl.get_or_insert_with(|| id.bytes(option.name.range()));
        }
        self.given.push(name);
    }

    /// Reads the lint that the field opts out of: fields have one lint.
    fn allow(&mut self, option: RawOption<'_>, id: AttributeId, diagnostics: &mut Diagnostics) {
        let mut options = Options::default();
        options.read_allow(option.name, option.value.unwrap_or(Piece::new("")), diagnostics);
        for given in options.allow {
            let name = given.value.unwrap_or_default();
            if name == Lint::PlainSecret.name() {
                self.read.allow = Some(id.bytes(given.range));
            } else {
                let message = format!("`{name}` is not a lint for the fields of records");
                let help = Suggestion::write(Lint::PlainSecret.name()).and(", the only one, or remove it");
                diagnostics.report(given.range, Rule::Declaration, message, help);
            }
        }
    }

    fn check_default(&self, option: RawOption<'_>, diagnostics: &mut Diagnostics) {
        if self.read.presence == Presence::Optional {
            let message = "unneeded `default`: a missing `Option` is `None`";
            let help = Suggestion::remove_listed().at(option.whole.range());
            diagnostics.report(option.name.range(), Rule::Declaration, message, help);
        }
    }

    fn rename(&mut self, name: &str, at: Piece<'_>, id: AttributeId, diagnostics: &mut Diagnostics) {
        if let Some((message, help)) = explain_name(name) {
            diagnostics.report(at.range(), Rule::Record, message, help);
        } else {
            name.clone_into(&mut self.read.stored);
            self.read.rename = Some(id.bytes(at.range()));
        }
    }

    fn value(&mut self, value: Piece<'_>, id: AttributeId, diagnostics: &mut Diagnostics) {
        let Some(form) = StoredForm::read(value, diagnostics) else { return };
        // The form of an `Option` field is the form of its inner type, because `None` is not stored.
        let stored = payload(value);
        if let Some(inner) = option_inner(self.field.ty)
            && !form.ours.is_empty()
            && option_inner(stored.text).is_some()
            && without_space(stored.text) == without_space(self.field.ty)
        {
            let message = "the stored form cannot contain the field's `Option`: `None` is not stored";
            diagnostics.report(stored.range(), Rule::StoredForm, message, Suggestion::write(inner));
        }
        let (AttributeId::Item(index) | AttributeId::Field(_, index) | AttributeId::Variant(_, index)) = id;
        self.read.value = Some((index, form));
    }

    fn read_ttl(&mut self, value: Piece<'_>, option: RawOption<'_>, diagnostics: &mut Diagnostics) {
        let message = if value.text == "never" {
            "unneeded `ttl`: a field without one lives as long as its key".to_owned()
        } else {
            let Some(ttl) = read_duration(value, "1h", Rule::Expiry, diagnostics) else { return };
            if ttl <= LONGEST_TTL {
                self.read.ttl = Some(ttl).filter(|ttl| *ttl > Duration::ZERO);
                return;
            }
            exceeds_longest_ttl(value.text)
        };
        let help = Suggestion::remove_listed().saying("remove the `ttl`").at(option.whole.range());
        diagnostics.report(value.range(), Rule::Expiry, message, help);
    }

    /// A field that expires must be allowed to be missing.
    fn check_ttl(&mut self, diagnostics: &mut Diagnostics) {
        if let Some(place) = self.ttl.take()
            && self.read.presence == Presence::Mandatory
        {
            let Field { name, ty, .. } = self.field;
            let message = format!("the mandatory field `{name}` cannot expire");
            let help = Suggestion::from(format!("write `{name}: Option<{ty}>`, or add `default`"));
            let Edit { place: of_type, text, .. } = self.optional();
            diagnostics.report(place, Rule::Expiry, message, help.with(of_type, text));
        }
    }

    /// Makes the field's type an `Option`.
    fn optional(&self) -> Edit {
        Edit::new(Place::FieldType(self.index), format!("Option<{}>", self.field.ty))
    }
}

fn without_space(ty: &str) -> String {
    ty.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Reports a type that cannot be stored, as far as its text shows that. `has_form` says whether the field has a stored
/// form.
fn check_type(index: usize, field: &Field<'_>, has_form: bool, diagnostics: &mut Diagnostics) {
    const BORROWS: &str = "a record cannot borrow: it owns the values that are read";
    let ty = option_inner(field.ty).unwrap_or(field.ty);
    let mut report = |rule, message: String, help| {
        diagnostics.report(Place::FieldType(index), rule, message, help);
    };
    if let Some(owned) = owned(ty) {
        let owned = if ty.len() < field.ty.len() { format!("Option<{owned}>") } else { owned };
        report(Rule::Record, BORROWS.to_owned(), Suggestion::write(owned));
    } else if lifetimes(ty).any(|lifetime| lifetime != "'static") {
        report(Rule::Record, BORROWS.to_owned(), "write an owned type, as in `String`".into());
    } else if has_form {
    } else if option_inner(ty).is_some() {
        report(Rule::Record, "nested `Option` cannot be represented".to_owned(), Suggestion::write(ty));
    } else if let Some((head, _)) = ty.split_once('<') {
        let stored = payload(Piece::new(ty)).text;
        if stored != ty && form_named(head).is_some() {
            let help = format!("write `#[redis_hash(value = {ty})]`, and `{stored}` as the field's type");
            // The type of an `Option` field stays an `Option`.
            let own = if ty.len() < field.ty.len() { format!("Option<{stored}>") } else { stored.to_owned() };
            let attribute = Place::WholeFieldAttribute(index, field.attributes.len());
            let help = Suggestion::from(help).with(Place::FieldType(index), own);
            let help = help.with(attribute, format!("redis_hash(value = {ty})"));
            report(Rule::StoredForm, format!("`{ty}` is a stored form, and not the type of a value"), help);
        }
    }
}

/// The name of a field's constant: `user_id` is `USER_ID`.
pub(super) fn constant_of(field: &str) -> String {
    let words = words(field).join("_").to_uppercase();
    // Only underscores are no words, and the constant of `_1` must not start with a digit.
    if words.is_empty() || words.starts_with(|c: char| !c.is_alphabetic()) { field.to_uppercase() } else { words }
}

/// Explains the problem with a stored name, and the remedy.
fn explain_name(name: &str) -> Option<(String, Suggestion)> {
    let is_forbidden = |c: char| c.is_whitespace() || c.is_control() || c == '\\';
    if name.is_empty() {
        return Some(("a stored name cannot be empty".to_owned(), "write a name, or remove `rename`".into()));
    }
    if let Some(sign) = name.chars().find(|c| is_forbidden(*c)) {
        let what = match sign {
            ' ' => "a space",
            '\\' => "`\\`",
            sign if sign.is_whitespace() => "white space",
            _ => "control characters",
        };
        let joined: Vec<_> = name.split(is_forbidden).filter(|word| !word.is_empty()).collect();
        let help =
            if joined.is_empty() { "write a name of letters".into() } else { Suggestion::write(joined.join("_")) };
        return Some((format!("a stored name cannot contain {what}"), help));
    }
    too_long(name).map(|message| (message, "write a shorter name: each stored record repeats it".into()))
}

fn too_long(name: &str) -> Option<String> {
    let bytes = name.len();
    (bytes > MAX_FIELD_BYTES).then(|| format!("a stored name of {bytes} bytes exceeds the limit of {MAX_FIELD_BYTES}"))
}

/// No two fields have the same stored name or the same constant.
pub(super) fn check_names(item: &RecordItem<'_>, read: &[RecordField], diagnostics: &mut Diagnostics) {
    let fields = || read.iter().zip(&item.fields).enumerate().filter(|(_, (_, field))| !field.phantom);
    for (index, (field, declared)) in fields() {
        let name = declared.name.as_str();
        let own_place = Place::Field(index);
        let mut report = |place, message, help: &str| {
            diagnostics.report(place, Rule::Record, message, help);
        };
        let mut earlier = fields().take_while(|(earlier, _)| *earlier < index);
        if let Some((_, (_, first))) = earlier.find(|(_, (first, _))| first.stored == field.stored) {
            let message = format!("duplicate stored name `{}`: the field `{}` has it", field.stored, first.name);
            let help = if field.stored == name {
                "add `#[redis_hash(rename = \"…\")]` to one of them"
            } else {
                "write another name"
            };
            report(field.rename.clone().unwrap_or(own_place.clone()), message, help);
        }
        let mut earlier = fields().take_while(|(earlier, _)| *earlier < index);
        if let Some((_, (_, first))) = earlier.find(|(_, (first, _))| first.constant == field.constant) {
            let message = format!("duplicate constant `{}`: the field `{}` has it", field.constant, first.name);
            report(own_place.clone(), message, "rename one of the fields");
        }
        if field.stored == name
            && let Some(message) = too_long(name)
        {
            report(own_place, message, "add `#[redis_hash(rename = \"…\")]` with a shorter name");
        }
    }
}
