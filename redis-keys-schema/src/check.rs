//! The rules of a key's declaration, all checked in one pass.

mod expiry;
mod length;
mod options;
mod parameters;
mod policy;
mod role;

use std::borrow::Cow;

pub(crate) use parameters::check_type;

use crate::attribute::{KeyOption, Options};
use crate::declaration::Declaration;
use crate::diagnostic::{Diagnostics, Place, Reported};
use crate::item::{Attribute, Item, Shape};
use crate::lint::{self, Findings, Sibling};
use crate::piece::Piece;
use crate::policy::Policy;
use crate::template::Template;
use crate::warning::Warning;
use crate::{Kind, Rule};

/// A checked declaration.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The declaration, as far as it could be read.
    pub declaration: Declaration,
    /// The errors, in the order of the text. Without any the declaration is complete.
    pub diagnostics: Diagnostics,
    /// The warnings of the lints.
    pub warnings: Vec<Warning>,
    /// The object that the key may be one field of, for the comparison with the other keys of the crate.
    pub sibling: Option<Sibling>,
}

/// Checks an item against all rules and the project's policy.
///
/// ```
/// use redis_keys_schema::{Attribute, Field, Item, Policy, Shape, check};
///
/// let attribute = "user:basicInfo:{id}:string, value = String, ttl = 1h";
/// let field = Field { name: "id".to_owned(), ty: "u64", phantom: false, attributes: vec![] };
/// let (name, attributes) = ("BasicInfo".to_owned(), vec![Attribute::Arguments(attribute)]);
/// let item = Item { name, shape: Shape::Struct, documented: true, attributes, fields: vec![field] };
///
/// let checked = check(&item, &Policy::default());
/// assert_eq!(checked.diagnostics.len(), 1);
/// assert_eq!(checked.diagnostics[0].suggestion, "write `basic.info`");
/// ```
pub fn check(item: &Item<'_>, policy: &Policy) -> Checked {
    let mut diagnostics = Diagnostics::default();
    check_shape(item, &mut diagnostics);
    let (declaration, findings) = match attribute(item, &mut diagnostics) {
        Ok(attribute) => check_attribute(attribute, item, policy, &mut diagnostics),
        Err(reported) => (Declaration::new(Err(reported), Options::default()), Findings::default()),
    };
    diagnostics.sort();
    let Findings { warnings, sibling } = findings;
    Checked { declaration, diagnostics, warnings, sibling }
}

fn check_attribute(
    attribute: &str,
    item: &Item<'_>,
    policy: &Policy,
    diagnostics: &mut Diagnostics,
) -> (Declaration, Findings) {
    let attribute = without_comments(attribute, diagnostics);
    let mut declaration = read(&attribute, diagnostics);
    if item.shape == Shape::Struct {
        parameters::check(item, &mut declaration, diagnostics);
        parameters::check_types(item, diagnostics);
    }
    policy::inherit(policy, &mut declaration);
    length::check(item, &mut declaration, diagnostics);
    // An option that seems to be missing may be in a second attribute, which has its own message.
    let is_complete = item.attributes.len() == 1;
    options::check(&mut declaration, is_complete, diagnostics);
    expiry::check(&declaration, is_complete, diagnostics);
    role::check(&attribute, &declaration, is_complete, diagnostics);
    expiry::check_bucket(&attribute, item, &declaration, diagnostics);
    policy::check(policy, &declaration, diagnostics);
    lint::check_allow(&mut declaration, diagnostics);
    let findings = lint::check(&attribute, item, &declaration, policy, diagnostics);
    (declaration, findings)
}

/// The attribute with white space in the place of doc comments, which the compiler turns into attributes.
fn without_comments<'t>(attribute: &'t str, diagnostics: &mut Diagnostics) -> Cow<'t, str> {
    const OPEN: &str = "#[doc=\"";
    let mut attribute = Cow::Borrowed(attribute);
    while let Some(start) = attribute.find(OPEN) {
        let rest = attribute.get(start + OPEN.len()..).unwrap_or_default();
        let end = rest.find("\"]").map_or(attribute.len(), |length| start + OPEN.len() + length + 2);
        let message = "the attribute cannot contain a doc comment";
        diagnostics.report(Place::Attribute(start..end), Rule::Declaration, message, "write it above the struct");
        attribute.to_mut().replace_range(start..end, &" ".repeat(end - start));
    }
    attribute
}

fn read(attribute: &str, diagnostics: &mut Diagnostics) -> Declaration {
    let (template, options) = Options::read(Piece::new(attribute), diagnostics);
    let likely = match &options {
        Options { field: Some(_), .. } => Kind::Hash,
        Options { keep_last: Some(_), .. } => Kind::List,
        _ if [KeyOption::KeepTop, KeyOption::Tries].iter().any(|option| options.name_of(*option).is_some()) => {
            Kind::ZSet
        }
        _ => Kind::String,
    };
    let template = template.and_then(|template| Template::read(template, likely, diagnostics));
    Declaration::new(template, options)
}

fn check_shape(item: &Item<'_>, diagnostics: &mut Diagnostics) {
    let message = match item.shape {
        Shape::Struct => return,
        Shape::Enum => "`RedisKey` cannot be derived for an enum",
        Shape::Union => "`RedisKey` cannot be derived for a union",
    };
    let help = "declare a struct whose fields are the key's parameters";
    diagnostics.report(Place::Item, Rule::Declaration, message, help);
}

/// The text of the one attribute that declares the key.
fn attribute<'t>(item: &Item<'t>, diagnostics: &mut Diagnostics) -> Result<&'t str, Reported> {
    for index in 1..item.attributes.len() {
        let message = "duplicate attribute `#[redis_key(…)]`";
        let help = "move its options into the first";
        diagnostics.report(Place::WholeAttribute(index), Rule::Declaration, message, help);
    }
    let (place, message) = match item.attributes.first() {
        Some(Attribute::Arguments(text)) => return Ok(text),
        Some(Attribute::Value(text)) => {
            let template = Piece::new(text).bare().text;
            let message = "expected `#[redis_key(…)]`, found `#[redis_key = …]`";
            let help = format!("write `#[redis_key({template}, value = String, ttl = 1h)]`, for example");
            return Err(diagnostics.report(Place::WholeAttribute(0), Rule::Declaration, message, help));
        }
        Some(Attribute::Word) => (Place::WholeAttribute(0), "missing template and options"),
        None => (Place::Item, "missing attribute `#[redis_key(…)]`"),
    };
    let help = "write `#[redis_key(user:profile:{user_id}:string, value = Json<Profile>, ttl = 1h)]`, for example";
    Err(diagnostics.report(place, Rule::Declaration, message, help))
}

#[cfg(test)]
pub(crate) mod tests;
