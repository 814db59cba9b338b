//! What a key's declaration has as text.

use std::ops::Range;

use redis_keys_schema::catalogue::{Allowed, Entry, Texts};
use redis_keys_schema::{Declaration, Reported, shown_type};
use syn::LitStr;

use crate::input::Input;
use crate::key::ReadKey;
use crate::rendered::Rendered;

impl ReadKey<'_> {
    /// The entry in the catalogue, for a declaration in this file and line.
    ///
    /// # Errors
    ///
    /// If the declaration has no template or no type, which is reported.
    pub fn entry(&self, file: String, line: usize) -> Result<Entry, Reported> {
        let texts = texts(&self.input, &self.declaration, file, line);
        Entry::new(&self.input.item(), &self.declaration, texts)
    }
}

/// The texts of a declaration in this file and line.
pub fn texts(input: &Input<'_>, declaration: &Declaration, file: String, line: usize) -> Texts {
    let (name, docs) = (input.item.ident.to_string(), input.docs());
    let Some(attribute) = input.attributes.first() else {
        return Texts { name, docs, file, line, ..Texts::default() };
    };
    let (text, options) = (&attribute.rendered, &declaration.options);
    let form = |range: &Range<usize>| shown_type(text.text_at(range));
    let owner = options.owner.as_ref().map(|given| unescaped(text, &given.range));
    let owner = owner.or_else(|| declaration.inherited_owner().map(str::to_owned));
    Texts {
        name,
        value: options.value.as_ref().map(|given| form(&given.range)).unwrap_or_default(),
        field: options.field.as_ref().map(|given| form(&given.range)).unwrap_or_default(),
        reason: options.reason.as_ref().map(|given| unescaped(text, &given.range)).unwrap_or_default(),
        owner: owner.unwrap_or_default(),
        docs,
        allowed: allowed(text, declaration),
        file,
        line,
    }
}

/// The lints that the declaration opts out of, each with its reason in one line.
fn allowed(text: &Rendered, declaration: &Declaration) -> Vec<Allowed> {
    let options = &declaration.options;
    let lints = options.allow.iter().zip(&options.allow_reasons).filter_map(|(lint, reason)| {
        let reason = unescaped(text, reason).split_whitespace().collect::<Vec<_>>().join(" ");
        Some(Allowed { lint: lint.value.clone()?, reason })
    });
    lints.collect()
}

/// The value of the string literal around a range: its text with the escapes resolved.
fn unescaped(text: &Rendered, range: &Range<usize>) -> String {
    let literal = text.literal_around(range).and_then(|literal| syn::parse_str::<LitStr>(text.text_at(&literal)).ok());
    literal.map_or_else(|| text.text_at(range).to_owned(), |literal| literal.value())
}
