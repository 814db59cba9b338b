//! Several string keys are fields of one object, and could be one hash.
//!
//! Compared are the keys of one crate. Two parameters are the same if both are integers, both are text, or both have
//! the same type, unless they name different things.
//!
//! # Why
//!
//! Each key costs 60 to 90 bytes beside its name and its value, and each has an expiry of its own. Five keys for a user
//! take five reads, and the user is half there when one of the keys has expired and the others have not.
//!
//! # Wrong
//!
//! ```text
//! #[derive(RedisKey)]
//! #[redis_key(user:{user_id}:name:string, value = String, ttl = 1h)]
//! struct Name {
//!     user_id: u64,
//! }
//!
//! #[derive(RedisKey)]
//! #[redis_key(user:{user_id}:age:string, value = u8, ttl = 1h)]
//! struct Age {
//!     user_id: u64,
//! }
//! ```
//!
//! # Right
//!
//! ```rust
//! # use redis_keys::prelude::*;
//! #[derive(RedisHash)]
//! struct Profile {
//!     name: String,
//!     age: Option<u8>,
//! }
//!
//! #[derive(RedisKey)]
//! #[redis_key(user:{user_id}:profile:hash, value = Profile, ttl = 1h)]
//! struct ProfileOf {
//!     user_id: u64,
//! }
//! ```
//!
//! # In the guide
//!
//! - flags: a string key that is a field of the same object as an earlier key of the crate: `user:{id}:name:string` and
//!   `user:{user_id}:age:string`
//! - instead: one hash with a record: `user:{id}:profile:hash`

use std::ops::Range;

use redis_keys_core::schema::Role;

use super::{Entry, Subject};
use crate::Kind;
use crate::item::Item;
use crate::rust_type::{is_integer, is_text};
use crate::template::{Encoding, Part, Placeholder};
use crate::warning::{Level, Lint, Warning};

// Needs the other keys of the crate: [`find`] returns the data for their comparison.
pub(super) const LINT: Entry = Entry { level: Level::Warn, check: None };

/// A string key that could be a field of an object: `user:{id}:name:string`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sibling {
    /// The object without its parameters, `user:{}`, which two fields of one object have in common.
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
/// Keys with copies, locks and rate limits have no counterpart in a hash.
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
    /// Returns the part that is kept for later declarations. `name` is the struct that declares it, `place` its file
    /// and line, if known.
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

/// A parameter, reduced to the parts that distinguish objects.
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
mod tests {
    use super::*;
    use crate::lint::tests::checked;
    use crate::{Attribute, Encoding, Field, Item, Policy, Shape, check};

    /// Returns the field that a key with these parameters may be.
    fn sibling(template: &str, parameters: &[(&str, &str)]) -> Option<Sibling> {
        encoded(template, parameters, None)
    }

    fn encoded(template: &str, parameters: &[(&str, &str)], encoding: Option<Encoding>) -> Option<Sibling> {
        let attribute = format!("{template}, value = u64, ttl = 1h");
        let attributes: Vec<_> = encoding.iter().map(|encoding| Attribute::Arguments(encoding.name())).collect();
        let field = |&(name, ty): &(&str, _)| Field {
            name: name.to_owned(),
            ty,
            phantom: false,
            attributes: attributes.clone(),
        };
        let fields = parameters.iter().map(field).collect();
        let attributes = vec![Attribute::Arguments(&attribute)];
        let item = Item { name: "Case".to_owned(), shape: Shape::Struct, documented: true, attributes, fields };
        let checked = check(&item, &Policy::default());
        assert_eq!(*checked.diagnostics, [], "{template}");
        checked.sibling
    }

    /// Whether two parameters, name and type each, make keys that are fields of one object.
    fn alike(one: (&str, &str), other: (&str, &str)) -> bool {
        let key = |field: &str, parameter: (&str, &str)| {
            sibling(&format!("user:{{{}}}:{field}:string", parameter.0), &[parameter])
        };
        let (Some(one), Some(other)) = (key("name", one), key("age", other)) else { return false };
        assert_eq!(one.shape, other.shape);
        let earlier = |sibling: &Sibling| sibling.earlier("Earlier", "");
        let alike = one.shares_object_with(&earlier(&other));
        assert_eq!(alike, other.shares_object_with(&earlier(&one)));
        alike
    }

    #[test]
    fn a_field_is_the_last_segment_of_a_string_key() {
        let id = [("id", "u64")];
        let found =
            |template: &str, parameters: &[_]| sibling(template, parameters).map(|found| (found.shape, found.field));
        let field = |shape: &str, field: &str| Some((shape.to_owned(), field.to_owned()));
        assert_eq!(found("user:{id}:name:string", &id), field("user:{}", "name"));
        assert_eq!(found("\" user : {id} : home.town : string \"", &id), field("user:{}", "home.town"));
        assert_eq!(found("user:{#id}:name:string", &id), field("user:{{}}", "name"));
        assert_eq!(found("user:v.{id % 10}:name:string", &id), field("user:v.{% 10}", "name"));
        let both = [("id", "u64"), ("page", "u64")];
        assert_eq!(found("user:{id}:of:{page}:name:string", &both), field("user:{}:of:{}", "name"));
        let digest = encoded("user:{id}:name:string", &id, Some(Encoding::Digest)).map(|found| found.shape);
        assert_eq!(digest.as_deref(), Some("user:{digest}"));
        for other in [
            "user:{id}:name:set",
            "user:name:{id}:string",
            "user:{id}:name:string, allow(sibling_fields, reason = \"x\")",
            // A hash has no copies.
            "user:{id}:{copy}:name:string, copies = 8",
        ] {
            assert_eq!(sibling(other, &id), None, "{other}");
        }
        assert_eq!(sibling("user:{id}:name.{page}:string", &both), None);
        assert_eq!(sibling("user:app:name:string", &[]), None);
    }

    #[test]
    fn parameters_of_one_type_match_whatever_their_names_are() {
        for (one, other) in [
            (("id", "u64"), ("user_id", "u64")),
            (("id", "u64"), ("uid", "i32")),
            (("id", "u64"), ("owner", "u64")),
            // Both identify a user.
            (("user_id", "u64"), ("owner", "u64")),
            (("0", "u64"), ("user", "u64")),
            (("owner_id", "Uuid"), ("owner", "Uuid")),
            (("name", "String"), ("name", "&'a str")),
            (("id", "Cow<'a,str>"), ("user_id", "Box<str>")),
            (("id", "UserId"), ("id", "u64")),
            (("id", "UserId"), ("user", "UserId")),
        ] {
            assert!(alike(one, other), "{one:?} {other:?}");
        }
    }

    #[test]
    fn parameters_of_other_types_or_for_other_things_differ() {
        for (one, other) in [
            (("name", "String"), ("id", "u64")),
            (("id", "String"), ("id", "u64")),
            (("id", "u64"), ("user_id", "UserId")),
            (("id", "UserId"), ("id_of", "TeamId")),
            (("order_id", "u64"), ("customer_id", "u64")),
            (("year", "u16"), ("month", "u16")),
            (("email", "String"), ("phone", "String")),
        ] {
            assert!(!alike(one, other), "{one:?} {other:?}");
        }
        let both = |names: [&'static str; 2], field: &str| {
            let template = format!("shop:{{{}}}:{{{}}}:{field}:string", names[0], names[1]);
            sibling(&template, &names.map(|name| (name, "u64")))
        };
        let swapped = both(["seller", "item"], "name").zip(both(["item", "seller"], "age"));
        assert_eq!(swapped.map(|(one, other)| one.shares_object_with(&other.earlier("Other", ""))), Some(false));
    }

    #[test]
    fn the_later_key_is_reported() {
        let name = sibling("user:{id}:name:string", &[("id", "u64")]).map(|name| name.earlier("Name", "src/main.rs:4"));
        let warning = |template: &str, parameter: &str| {
            sibling(template, &[(parameter, "u64")])?
                .warning(name.as_ref()?)
                .map(|warning| (warning.message, warning.suggestion))
        };
        let expected = |message: &str, help: &str| Some((message.to_owned(), help.to_owned()));
        assert_eq!(
            warning("user:{id}:age:string", "id"),
            expected(
                "`age` is a field of the same object as `name` of `Name` at src/main.rs:4",
                "declare one key `user:{id}:…:hash` whose record has `name` and `age`"
            )
        );
        assert_eq!(
            warning("user:{user_id}:age:string", "user_id"),
            expected(
                "`age` is a field of the same object as `name` of `Name` at src/main.rs:4, where `{user_id}` is `{id}`",
                "declare one key `user:{user_id}:…:hash` whose record has `name` and `age`"
            )
        );
        // The same field is the same key, which is an error elsewhere.
        assert_eq!(warning("user:{user_id}:name:string", "user_id"), None);
    }

    #[test]
    fn a_lock_and_a_limit_are_no_fields_of_an_object() {
        let has_sibling = |options: &str| checked("", &format!("user:{{id}}:name:string, {options}")).sibling.is_some();
        assert!(has_sibling("value = u64, ttl = 1h") && has_sibling("value = Lock<u64>, ttl = 1h"));
        assert!(!has_sibling("lock, ttl = 30s") && !has_sibling("limit(5 / 1m)"));
    }
}
