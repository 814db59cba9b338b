//! Facts about a key that its declaration lacks: the arguments of its parameters, and how its values are stored.

use redis_keys_core::schema::{self, Role, Schema};
use redis_keys_syntax::{docs, mentions_any};
use syn::ext::IdentExt as _;
use syn::{Data, DeriveInput, Field, Generics, Type};

use super::Sources;
use super::scope::ScopeId;
use crate::declare::catalog::{Key, ParameterFacts, RecordField, StoredForm};

impl Sources {
    /// The key of a schema, with what its scope and its item show, as far as they are known.
    pub(crate) fn key_of(&self, schema: Schema<String>, scope: Option<ScopeId>, item: Option<&DeriveInput>) -> Key {
        let generics = item.map(|item| item.generics.clone()).unwrap_or_default();
        let key = Key::new(schema, |parameter| self.facts(scope, &generics, item, parameter));
        let stored = |text: Option<&str>| self.stored(scope?, &generics, text?);
        let (value_form, record) = stored(value_type(&key)).unzip();
        let field_form = stored(key.field.as_deref()).map(|(form, _)| form);
        Key { value_form, field_form, record: record.flatten(), ..key }
    }

    fn facts(
        &self,
        scope: Option<ScopeId>,
        generics: &Generics,
        item: Option<&DeriveInput>,
        parameter: &schema::Parameter<String>,
    ) -> ParameterFacts {
        let field = item.and_then(|item| field_named(item, &parameter.name));
        // A compilation shows the type as text only.
        let parsed = if field.is_none() { syn::parse_str(&parameter.type_name).ok() } else { None };
        let ty = field.map(|field| &field.ty).or(parsed.as_ref());
        let resolved = scope.zip(ty).and_then(|(scope, ty)| self.scopes.parameter_type(scope, generics, ty));
        let docs = field.map(|field| docs(&field.attrs)).filter(|docs| !docs.is_empty());
        let Some(resolved) = resolved else {
            let depends_on_use = ty.is_some_and(|ty| mentions_any(generics, ty));
            let why = if depends_on_use { "depends on the use of the key" } else { "is not known from the sources" };
            let why = Some(format!("the type `{}` {why}", parameter.type_name));
            return ParameterFacts { why, docs, ..ParameterFacts::default() };
        };
        let (argument, own_display) = (Some(resolved.argument), resolved.own_display);
        ParameterFacts { argument, own_display, docs, why: None }
    }

    fn stored(&self, scope: ScopeId, generics: &Generics, ty: &str) -> Option<(StoredForm, Option<Vec<RecordField>>)> {
        Some(self.scopes.stored(scope, generics, &syn::parse_str::<Type>(ty).ok()?))
    }
}

/// The type of a key's values, without the wrapper that shows a role. `None` if only the library reads and writes them.
fn value_type(key: &Key) -> Option<&str> {
    let value = key.value.as_deref()?;
    match key.role {
        Some(Role::Lock | Role::Bloom(_)) => None,
        Some(Role::Jobs(_)) => value.strip_prefix("Job<")?.strip_suffix('>'),
        _ => Some(value),
    }
}

/// The field of a struct with this name or index.
fn field_named<'i>(item: &'i DeriveInput, name: &str) -> Option<&'i Field> {
    let Data::Struct(data) = &item.data else { return None };
    data.fields.iter().enumerate().find_map(|(index, field)| {
        let is_it = match &field.ident {
            Some(ident) => ident.unraw() == name,
            None => index.to_string() == name,
        };
        is_it.then_some(field)
    })
}
