//! `sibling_fields`: string keys that could be the fields of one hash.

use std::ops::Range;

use redis_keys_core::schema::Role;

use super::Subject;
use crate::Kind;
use crate::item::Item;
use crate::rust_type::{is_integer, is_text};
use crate::template::{Encoding, Part, Placeholder};
use crate::warning::{Level, Lint, Warning};

/// A string key that could be one field of an object: `user:{id}:name:string`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sibling {
    /// The object without its parameters, `user:{}`: two fields of one object have it in common.
    pub shape: String,
    /// The field: `name`.
    pub field: String,
    /// The object: `user:{id}`.
    object: String,
    parameters: Vec<Parameter>,
    range: Range<usize>,
    level: Level,
}

/// A [`Sibling`] that was declared before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierSibling {
    field: String,
    parameters: Vec<Parameter>,
    /// The struct that declares it.
    name: String,
    /// File and line of the declaration, if known.
    place: String,
}

/// The field that a key could be: its last segment before the type is a literal, and there is a parameter before that.
/// A key with copies has no counterpart in a hash, nor has a lock or a rate limit.
pub(super) fn find(subject: &Subject<'_>) -> Option<Sibling> {
    let template = subject.template;
    if matches!(subject.declaration.role(), Some(Role::Lock | Role::Limit(_))) {
        return None;
    }
    let last = subject.logic().last().filter(|last| template.kind == Ok(Kind::String) && last.literal())?;
    let field = template.text.rsplit(':').nth(1)?;
    let end = format!(":{field}:string");
    let object = template.text.strip_suffix(&end)?;
    let mut shape = String::new();
    for part in &template.parts {
        match part {
            Part::Literal(text) => shape.push_str(text),
            Part::Placeholder(placeholder) => shape.push_str(&form(placeholder)?),
        }
    }
    let shape = shape.strip_suffix(&end)?;
    let words: Vec<_> = shape.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let parameter = |placeholder| Parameter::of(subject.item, placeholder, &words);
    let parameters = template.placeholders().map(parameter).collect::<Option<Vec<_>>>()?;
    (!parameters.is_empty()).then(|| Sibling {
        shape: shape.to_owned(),
        field: field.to_owned(),
        object: object.to_owned(),
        parameters,
        range: last.range.clone(),
        level: subject.policy.lints.of(Lint::SiblingFields),
    })
}

/// A placeholder without its name. `None` if a hash cannot have it.
fn form(placeholder: &Placeholder) -> Option<String> {
    if placeholder.copies.is_some() {
        return None;
    }
    let shards = placeholder.shards.map(|shards| format!("% {shards}")).unwrap_or_default();
    Some(format!("{{{shards}{}}}", placeholder.encoding.map_or("", Encoding::name)))
}

impl Sibling {
    /// Returns the part that is kept of it for later declarations. `name` is the struct that declares it, `place` its
    /// file and line, if known.
    pub fn earlier(&self, name: impl Into<String>, place: impl Into<String>) -> EarlierSibling {
        let (field, parameters) = (self.field.clone(), self.parameters.clone());
        EarlierSibling { field, parameters, name: name.into(), place: place.into() }
    }

    /// Whether both are fields of one object, given that they have the same shape.
    pub fn shares_object_with(&self, earlier: &EarlierSibling) -> bool {
        self.parameters.iter().zip(&earlier.parameters).all(|(own, other)| own.matches(other))
    }

    /// The warning for another field of the same object. The same field would be the same key, which is an error
    /// elsewhere.
    pub fn warning(&self, earlier: &EarlierSibling) -> Option<Warning> {
        let Self { field, object, range, level, .. } = self;
        if *field == earlier.field {
            return None;
        }
        let place = if earlier.place.is_empty() { String::new() } else { format!(" at {}", earlier.place) };
        let pairs = self.parameters.iter().zip(&earlier.parameters).filter(|(own, other)| own.name != other.name);
        let names: Vec<_> = pairs.map(|(own, other)| format!("`{{{}}}` is `{{{}}}`", own.name, other.name)).collect();
        let names = if names.is_empty() { String::new() } else { format!(", where {}", names.join(" and ")) };
        let message = format!(
            "`{field}` is a field of the same object as `{}` of `{}`{place}{names}",
            earlier.field, earlier.name
        );
        let help = format!("declare one key `{object}:…:hash` whose record has `{}` and `{field}`", earlier.field);
        Some(Warning { level: *level, ..Warning::at(Lint::SiblingFields, range, message, help) })
    }
}

/// Words of a parameter's name that do not say which object it identifies.
const GENERIC_WORDS: [&str; 7] = ["id", "uid", "uuid", "no", "number", "key", "of"];

/// A parameter, reduced to what distinguishes objects.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Parameter {
    name: String,
    /// The words of its name that the object does not contain: none for `user_id` in `user:{user_id}`.
    words: Vec<String>,
    ty: Type,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Type {
    Integer,
    Text,
    /// Any other type, by its text.
    Other(String),
}

impl Parameter {
    /// `object` has the words of the object's text.
    fn of(item: &Item<'_>, placeholder: &Placeholder, object: &[&str]) -> Option<Self> {
        let field = item.fields.get(placeholder.field?)?;
        let ty = match field.ty {
            ty if is_integer(ty) => Type::Integer,
            ty if is_text(ty) => Type::Text,
            ty => Type::Other(ty.to_owned()),
        };
        let is_specific = |word: &&str| {
            let number = word.bytes().all(|byte| byte.is_ascii_digit());
            !number && !GENERIC_WORDS.contains(word) && !object.contains(word)
        };
        let words = field.name.split('_').filter(is_specific).map(str::to_owned).collect();
        Some(Self { name: field.name.clone(), words, ty })
    }

    /// Whether two parameters in the same position are probably the same.
    fn matches(&self, other: &Self) -> bool {
        match (&self.ty, &other.ty) {
            // `order_id` is not `customer_id`, whatever their types are.
            (own, other_ty) if own == other_ty => {
                self.words == other.words || self.words.is_empty() || other.words.is_empty()
            }
            // Nothing is known of a user's own type.
            (Type::Other(_), _) | (_, Type::Other(_)) => self.name == other.name,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests;
