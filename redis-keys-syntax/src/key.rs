//! Keys: items that derive `RedisKey`, and their schemas.

use std::ops::Range;

use redis_keys_schema::schema::{Allowance, Allowances, Schema};
use redis_keys_schema::{
    CheckedDeclaration, Declaration, Diagnostics, GivenOption, Policy, ReportedError, RoleName, Sibling, StoredForm,
    Warning, check, shown_type,
};
use syn::{DeriveInput, LitStr};

use crate::code;
use crate::input::Input;
use crate::rendered_tokens::RenderedTokens;
use crate::tokens::Tokens;

/// A key as it was read.
pub struct ReadKey<'i> {
    /// The item.
    pub input: Input<'i>,
    /// Its declaration, as far as it could be read.
    pub declaration: Declaration,
    /// The Rust code in the declaration.
    pub code: KeyCode,
    /// The errors, which `finish` sorts. Without any the declaration is complete.
    pub diagnostics: Diagnostics,
    /// The warnings of the lints.
    pub warnings: Vec<Warning>,
    /// The object that the key may be one field of, for the comparison with the other keys of the crate.
    pub sibling: Option<Sibling>,
}

/// The Rust code in a key's declaration, each part as far as it is given and parses.
#[derive(Clone, Default)]
pub struct KeyCode {
    /// The path to redis-keys.
    pub krate: Option<Tokens>,
    /// The stored form of the value.
    pub value: Option<Tokens>,
    /// The stored form of a hash's field names.
    pub field: Option<Tokens>,
}

/// Reads an item that derives `RedisKey`.
pub fn read_key<'i>(item: &'i DeriveInput, policy: &Policy) -> ReadKey<'i> {
    let input = Input::new(item);
    let CheckedDeclaration { declaration, mut diagnostics, warnings, sibling } = check(&input.item(), policy);
    let code = KeyCode::read(&input, &declaration, &mut diagnostics);
    ReadKey { input, declaration, code, diagnostics, warnings, sibling }
}

impl KeyCode {
    /// Parses the code. Reports values that are not types, and a `crate` that is not a path.
    fn read(input: &Input<'_>, declaration: &Declaration, diagnostics: &mut Diagnostics) -> Self {
        let options = &declaration.options;
        let Some(attribute) = input.attributes.first() else { return Self::default() };
        let path = options.crate_path.as_ref().filter(|given| given.value.is_some());
        let krate = code::crate_path(input, path.map(|given| &given.range), diagnostics);
        let mut form = |given: &Option<GivenOption<StoredForm>>| {
            let form = given.as_ref()?.value.as_ref()?;
            code::form(&attribute.rendered, form).map_err(|error| diagnostics.push(error)).ok()
        };
        Self { krate, value: form(&options.value), field: form(&options.field) }
    }
}

impl ReadKey<'_> {
    /// The schema of a valid declaration in this file and line.
    ///
    /// # Errors
    ///
    /// If the declaration has no template or no type, which is reported.
    pub fn schema(&self, file: String, line: usize) -> Result<Schema<String>, ReportedError> {
        schema(&self.input, &self.declaration, file, line)
    }
}

/// The schema of a valid declaration in this file and line.
///
/// # Errors
///
/// If the declaration has no template or no type, which is reported.
pub fn schema(
    input: &Input<'_>,
    declaration: &Declaration,
    file: String,
    line: usize,
) -> Result<Schema<String>, ReportedError> {
    let mut schema = declaration.schema(&input.item())?;
    // With `r#`, if it has that.
    schema.name = input.item.ident.to_string();
    schema.docs = Some(input.docs()).filter(|docs| !docs.is_empty());
    schema.owner = declaration.inherited_owner().map(str::to_owned);
    (schema.file, schema.line) = (file, u32::try_from(line).unwrap_or_default());
    let Some(attribute) = input.attributes.first() else { return Ok(schema) };
    let (text, options) = (&attribute.rendered, &declaration.options);
    let form = |range: &Range<usize>| shown_type(text.text_at(range));
    let unescaped = |given: &GivenOption<String>| unescaped(text, &given.range);
    schema.value = value_text(declaration.options.role_name(), options.value.as_ref().map(|given| form(&given.range)));
    schema.field = options.field.as_ref().map(|given| form(&given.range));
    schema.reason = options.reason.as_ref().map(unescaped);
    schema.rebuild = options.rebuild.as_ref().map(unescaped);
    schema.owner = options.owner.as_ref().map(unescaped).or(schema.owner);
    schema.allowed = allowed(text, declaration);
    Ok(schema)
}

/// The value as the catalogue has it: with the role that decides how it is stored.
fn value_text(role: Option<RoleName>, value: Option<String>) -> Option<String> {
    match role {
        Some(RoleName::Lock) => Some("Lock".to_owned()),
        Some(RoleName::Jobs) => value.map(|value| format!("Job<{value}>")),
        Some(RoleName::Bloom) => value.map(|value| format!("Bloom<{value}>")),
        _ => value,
    }
}

/// The lints that the declaration opts out of.
fn allowed(text: &RenderedTokens, declaration: &Declaration) -> Allowances<String> {
    let options = &declaration.options;
    let lints = options.allow.iter().zip(&options.allow_reasons);
    lints.filter_map(|(lint, reason)| Some(Allowance::new(lint.value.clone()?, unescaped(text, reason)))).collect()
}

/// The value of the string literal around a range: its text with the escapes resolved.
fn unescaped(text: &RenderedTokens, range: &Range<usize>) -> String {
    let literal = text.literal_around(range).and_then(|literal| syn::parse_str::<LitStr>(text.text_at(&literal)).ok());
    literal.map_or_else(|| text.text_at(range).to_owned(), |literal| literal.value())
}
