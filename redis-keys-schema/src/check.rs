//! The rules of a key's declaration, all checked in one pass.

mod expiry;
mod legacy;
mod length;
mod options;
mod parameters;
mod policy;
mod role;
mod suffix_word;
mod whole;

use std::borrow::Cow;

pub(crate) use parameters::check_type;

use crate::attribute::Options;
use crate::declaration::Declaration;
use crate::diagnostic::{Diagnostics, ReportedError};
use crate::edit::Suggestion;
use crate::item::{Attribute, Item, Shape};
use crate::lint::{self, Findings, Sibling};
use crate::piece::Piece;
use crate::place::Place;
use crate::policy::Policy;
use crate::suggest::dotted;
use crate::template::Template;
use crate::warning::Warning;
use crate::{Kind, Rule};

/// A checked declaration.
#[derive(Clone, Debug)]
pub struct CheckedDeclaration {
    /// The declaration, as far as it could be read.
    pub declaration: Declaration,
    /// The errors, in the order of the text. Without any the declaration is complete.
    pub diagnostics: Diagnostics,
    /// The warnings of the lints.
    pub warnings: Vec<Warning>,
    /// The object that the key may be a field of, for the comparison with the other keys of the crate.
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
pub fn check(item: &Item<'_>, policy: &Policy) -> CheckedDeclaration {
    let mut checked = check_parts(item, policy);
    whole::suggest(item, policy, &mut checked);
    checked
}

/// Checks an item, with a separate suggestion for each error.
fn check_parts(item: &Item<'_>, policy: &Policy) -> CheckedDeclaration {
    let mut diagnostics = Diagnostics::default();
    check_shape(item, &mut diagnostics);
    let (declaration, findings) = match attribute(item, &mut diagnostics) {
        Ok(attribute) => check_attribute(attribute, item, policy, &mut diagnostics),
        Err(reported) => (Declaration::new(Err(reported), Options::default()), Findings::default()),
    };
    diagnostics.resolve_edits(|place| item.text_of(place), &declaration.options.places);
    diagnostics.sort();
    let Findings { warnings, sibling } = findings;
    CheckedDeclaration { declaration, diagnostics, warnings, sibling }
}

fn check_attribute(
    attribute: &str,
    item: &Item<'_>,
    policy: &Policy,
    diagnostics: &mut Diagnostics,
) -> (Declaration, Findings) {
    let attribute = without_comments(attribute, diagnostics);
    let mut declaration = read(&attribute, item, diagnostics);
    if item.shape == Shape::Struct {
        parameters::check(item, &mut declaration, diagnostics);
        parameters::check_types(item, diagnostics);
        legacy::check(item, &mut declaration, diagnostics);
    }
    policy::inherit(policy, &mut declaration);
    length::check(item, &mut declaration, diagnostics);
    // An option that seems to be missing may be in a second attribute, which has a separate message.
    let is_complete = item.attributes.len() == 1;
    options::check(&mut declaration, is_complete, diagnostics);
    expiry::check(&declaration, is_complete, diagnostics);
    role::check(&attribute, &declaration, is_complete, diagnostics);
    expiry::check_bucket(&attribute, item, &declaration, diagnostics);
    policy::check(policy, item, &declaration, diagnostics);
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
        let help = Suggestion::remove().saying("write it above the struct");
        diagnostics.report(Place::Attribute(start..end), Rule::Declaration, message, help);
        attribute.to_mut().replace_range(start..end, &" ".repeat(end - start));
    }
    attribute
}

fn read(attribute: &str, item: &Item<'_>, diagnostics: &mut Diagnostics) -> Declaration {
    let (template, options) = Options::read(Piece::new(attribute), &item.fields, diagnostics);
    let likely = match &options {
        Options { named_kind: Some(kind), .. } => *kind,
        Options { field: Some(_), .. } => Kind::Hash,
        Options { keep_last: Some(_), .. } => Kind::List,
        Options { keep_top: Some(_), .. } => Kind::ZSet,
        Options { role: Some(role), .. } => role.name.kind(),
        _ => Kind::String,
    };
    let fields: Vec<_> = item.parameters().collect();
    let template = template.and_then(|template| {
        let meant = suffix_word::meant(template, attribute, &options);
        let (likely, instead) = meant.map_or((likely, None), |(kind, help)| (kind, Some(help)));
        Template::read(template, &fields, likely, instead, diagnostics)
    });
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
fn attribute<'t>(item: &Item<'t>, diagnostics: &mut Diagnostics) -> Result<&'t str, ReportedError> {
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
            let help = example(&format!("{template}, value = String, ttl = 1h"));
            return Err(diagnostics.report(Place::WholeAttribute(0), Rule::Declaration, message, help));
        }
        Some(Attribute::Word) => (Place::WholeAttribute(0), "missing template and options"),
        None => (Place::Item, "missing attribute `#[redis_key(…)]`"),
    };
    let words = dotted(&item.name).unwrap_or_else(|| "user".to_owned());
    let (module, name) = words.split_once('.').unwrap_or((&words, "profile"));
    let placeholders = item.parameters().map(|field| format!("{{{field}}}"));
    let segments: Vec<_> = [module.to_owned(), name.to_owned()].into_iter().chain(placeholders).collect();
    let help = example(&format!("{}:string, value = String, ttl = 1h", segments.join(":")));
    Err(diagnostics.report(place, Rule::Declaration, message, help))
}

/// The suggestion of a whole attribute.
fn example(arguments: &str) -> Suggestion {
    let attribute = format!("redis_key({arguments})");
    Suggestion::write(attribute.as_str()).saying(format!("write `#[{attribute}]`, for example"))
}

#[cfg(test)]
pub(crate) mod tests;
