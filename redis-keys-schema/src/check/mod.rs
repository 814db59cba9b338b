//! Everything that is checked of an item, all of it at once.

mod availability;
mod bucket;
mod encoding;
mod field_types;
mod fields;
mod fit;
mod length;
mod lifetime;
mod project;
mod shards;

use std::borrow::Cow;

use crate::Rule;
use crate::declaration::Declaration;
use crate::diagnostic::{Diagnostic, Place};
use crate::item::{Attribute, Item, Shape};
use crate::lint::{self, Reported, Sibling};
use crate::options::Options;
use crate::piece::Piece;
use crate::policy::Policy;
use crate::template::{KindHints, Template};
use crate::warning::Warning;

pub(crate) use field_types::check_type as check_parameter_type;

/// An item's declaration and what is wrong with it.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What it declares, as far as it could be read.
    pub declaration: Declaration,
    /// Everything that is wrong with it, in the order of the text. If there is nothing, the declaration is whole.
    pub diagnostics: Vec<Diagnostic>,
    /// What no rule is against, and a lint of the project is.
    pub warnings: Vec<Warning>,
    /// Whether it may be one field of an object. Whoever knows the other keys can tell.
    pub sibling: Option<Sibling>,
}

/// Checks an item against all rules, and against what the project's policy says.
///
/// ```
/// use redis_keys_schema::{Attribute, Field, Item, Policy, Shape, check};
///
/// let attribute = "user:basicInfo:{id}:string, value = String, ttl = 1h";
/// let field = Field { name: "id".to_owned(), ty: "u64", phantom: false, attributes: vec![] };
/// let item = Item { shape: Shape::Struct, documented: true, attributes: vec![Attribute::Arguments(attribute)], fields: vec![field] };
///
/// let checked = check(&item, &Policy::default());
/// assert_eq!(checked.diagnostics.len(), 1);
/// assert_eq!(checked.diagnostics[0].help.as_deref(), Some("write `basic.info`"));
/// ```
pub fn check(item: &Item<'_>, policy: &Policy) -> Checked {
    let mut diagnostics = Vec::new();
    check_shape(item, &mut diagnostics);
    let mut declaration = Declaration::default();
    let mut reported = Reported::default();
    if let Some(attribute) = attribute(item, &mut diagnostics) {
        let attribute = without_comments(attribute, &mut diagnostics);
        declaration = read(&attribute, &mut diagnostics);
        if item.shape == Shape::Struct {
            fields::check(item, &mut declaration, &mut diagnostics);
            field_types::check(item, &mut diagnostics);
        }
        project::inherit(policy, &mut declaration);
        length::check(item, &mut declaration, &mut diagnostics);
        // What seems to be missing may stand in a second attribute, which is reported by itself.
        let whole = item.attributes.len() == 1;
        fit::check(&declaration, whole, &mut diagnostics);
        lifetime::check(&declaration, whole, &mut diagnostics);
        bucket::check(&attribute, item, &declaration, &mut diagnostics);
        project::check(policy, &declaration, &mut diagnostics);
        lint::check_allow(&mut declaration, &mut diagnostics);
        availability::check(&declaration, &mut diagnostics);
        reported = lint::check(&attribute, item, &declaration, policy, &diagnostics);
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.place.position());
    diagnostics.dedup();
    let Reported { warnings, sibling } = reported;
    Checked { declaration, diagnostics, warnings, sibling }
}

/// The attribute with white space in the place of doc comments, which are attributes of their own to the compiler.
fn without_comments<'t>(attribute: &'t str, diagnostics: &mut Vec<Diagnostic>) -> Cow<'t, str> {
    const OPEN: &str = "#[doc=\"";
    let mut attribute = Cow::Borrowed(attribute);
    while let Some(start) = attribute.find(OPEN) {
        let rest = attribute.get(start + OPEN.len()..).unwrap_or_default();
        let end = rest.find("\"]").map_or(attribute.len(), |length| start + OPEN.len() + length + 2);
        let message = "a doc comment can't stand in the attribute";
        let diagnostic = Diagnostic::new(Place::Attribute(start..end), Rule::Declaration, message);
        diagnostics.push(diagnostic.help("write it above the struct"));
        attribute.to_mut().replace_range(start..end, &" ".repeat(end - start));
    }
    attribute
}

fn read(attribute: &str, diagnostics: &mut Vec<Diagnostic>) -> Declaration {
    let (template, options) = Options::parse(Piece::new(attribute), diagnostics);
    let hints = KindHints {
        field: options.field.is_some(),
        keep_last: options.keep_last.is_some(),
        keep_top: options.keep_top.is_some(),
    };
    let template = template.map(|template| Template::parse(template, hints, diagnostics));
    Declaration { template, options, ..Declaration::default() }
}

fn check_shape(item: &Item<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let shape = match item.shape {
        Shape::Struct => return,
        Shape::Enum => "an enum",
        Shape::Union => "a union",
    };
    let message = format!("`RedisKey` is for structs, and this is {shape}");
    let help = "declare a struct whose fields are the key's parameters";
    diagnostics.push(Diagnostic::new(Place::Item, Rule::Declaration, message).help(help));
}

/// The text of the one attribute that declares the key.
fn attribute<'t>(item: &Item<'t>, diagnostics: &mut Vec<Diagnostic>) -> Option<&'t str> {
    const EXAMPLE: &str = "write, say, `#[redis_key(user:profile:{user_id}:string, value = Json<Profile>, ttl = 1h)]`";
    for number in 1..item.attributes.len() {
        let message = "a second `#[redis_key(…)]`: one holds the template and all options";
        let diagnostic = Diagnostic::new(Place::WholeAttribute(number), Rule::Declaration, message);
        diagnostics.push(diagnostic.help("move its options into the first"));
    }
    let (place, message) = match item.attributes.first() {
        Some(Attribute::Arguments(text)) => return Some(text),
        Some(Attribute::Value(text)) => {
            let template = Piece::new(text).bare().text.to_owned();
            let diagnostic = Diagnostic::new(
                Place::WholeAttribute(0),
                Rule::Declaration,
                "the declaration stands in brackets, not behind `=`",
            );
            diagnostics
                .push(diagnostic.help(format!("write, say, `#[redis_key({template}, value = String, ttl = 1h)]`")));
            return None;
        }
        Some(Attribute::Word) => (Place::WholeAttribute(0), "`#[redis_key]` declares nothing"),
        None => (Place::Item, "`RedisKey` needs `#[redis_key(…)]` with the key's template and its options"),
    };
    diagnostics.push(Diagnostic::new(place, Rule::Declaration, message).help(EXAMPLE));
    None
}

#[cfg(test)]
pub(crate) mod tests;
