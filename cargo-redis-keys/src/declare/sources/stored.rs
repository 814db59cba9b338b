//! The stored form of a value, and the fields of a record, by their types.

use std::rc::Rc;

use redis_keys_schema::{Policy, Presence, is_stored_form, shown_type, wraps_stored_form};
use redis_keys_syntax::{mentions_any, read_record, value_type};
use syn::{DeriveInput, Generics, Type};

use super::code::first_argument;
use super::scope::{Definition, Path, PathTarget, ScopeId, Scopes};
use super::types::{rendered, shortened};
use crate::declare::catalog::{RecordField, StoredForm};
use crate::render::units;

/// The most forms and aliases that lead to a type.
const MAX_STEPS: u8 = 32;

/// The type inside all stored forms.
enum Inner {
    /// A type of Rust, of another crate, or inside a form that encodes any type.
    BuiltIn(String),
    /// A record of the workspace.
    Record(String, ScopeId, Rc<DeriveInput>),
    /// A type that the sources do not explain.
    Unknown(String),
}

impl Scopes {
    /// Resolves the type of a value that is named in a scope. Returns also the fields of a record.
    pub(crate) fn stored(
        &self,
        scope: ScopeId,
        generics: &Generics,
        ty: &Type,
    ) -> (StoredForm, Option<Vec<RecordField>>) {
        let mut forms = Vec::new();
        let (forms, type_name, record) = match self.stored_in(scope, generics, ty, &mut forms, MAX_STEPS) {
            Inner::BuiltIn(name) => (Some(forms), name, None),
            Inner::Record(name, scope, item) => (Some(forms), name, self.record(scope, &item)),
            Inner::Unknown(name) => (None, name, None),
        };
        (StoredForm { forms, type_name }, record)
    }

    /// Follows aliases and forms, which are collected.
    fn stored_in(&self, scope: ScopeId, generics: &Generics, ty: &Type, forms: &mut Vec<String>, steps: u8) -> Inner {
        let shown = shown_type(&rendered(ty));
        let Some(steps) = steps.checked_sub(1) else { return Inner::Unknown(shown) };
        let path = match ty {
            Type::Group(group) => return self.stored_in(scope, generics, &group.elem, forms, steps),
            Type::Paren(paren) => return self.stored_in(scope, generics, &paren.elem, forms, steps),
            Type::Path(path) if path.qself.is_none() => &path.path,
            _ if mentions_any(generics, ty) => return Inner::Unknown(shown),
            _ => return Inner::BuiltIn(shown),
        };
        let found = self.resolve(scope, &Path::of(path));
        if let Some((form, inner)) = form_of(path, found.as_ref()) {
            forms.push(form.to_lowercase());
            if wraps_stored_form(&form) {
                return self.stored_in(scope, generics, inner, forms, steps);
            }
            return Inner::BuiltIn(shown_type(&rendered(inner)));
        }
        let types = match found {
            Some(PathTarget::Types(types)) => types,
            Some(PathTarget::Module(_)) => return Inner::Unknown(shown),
            None => self.only(Path::of(path).last()).map(Rc::clone).into_iter().collect(),
            Some(PathTarget::External(_)) => Vec::new(),
        };
        match types.as_slice() {
            [] if mentions_any(generics, ty) => Inner::Unknown(shown),
            [] => Inner::BuiltIn(shown),
            [only] => match &only.definition {
                // The arguments of a generic alias are not followed.
                Definition::Alias(alias) if alias.0.params.is_empty() => {
                    self.stored_in(only.scope, &alias.0, &alias.1, forms, steps)
                }
                Definition::Record(item) => Inner::Record(shown, only.scope, Rc::clone(item)),
                _ => Inner::Unknown(shown),
            },
            _ => Inner::Unknown(shown),
        }
    }

    /// The fields of a record, or `None` if its declaration has errors.
    fn record(&self, scope: ScopeId, item: &DeriveInput) -> Option<Vec<RecordField>> {
        // A policy decides about warnings only.
        let read = read_record(item, &Policy::default());
        if !read.diagnostics.is_empty() {
            return None;
        }
        let fields = read.record.fields.as_ref().ok()?.iter().zip(&read.input.fields).zip(&read.forms);
        let stored = fields.filter(|((field, _), _)| field.presence != Presence::Phantom);
        let fields = stored.map(|((field, declared), form)| {
            let ty = match form {
                Some(form) => syn::parse_str(&form.text),
                None => syn::parse_str(&rendered(&value_type(declared, field.presence))),
            };
            Some(RecordField {
                name: field.stored.clone(),
                stored: self.stored(scope, &item.generics, &ty.ok()?).0,
                ttl_ms: field.ttl.map(units::millis),
                optional: field.presence != Presence::Mandatory,
            })
        });
        fields.collect()
    }
}

/// The name and the argument of a built-in stored form, such as `Json<Profile>`. A type of the workspace is none,
/// whatever its name.
fn form_of<'p>(path: &'p syn::Path, found: Option<&PathTarget>) -> Option<(String, &'p Type)> {
    let last = path.segments.last()?;
    let name = match found {
        None => last.ident.to_string(),
        Some(PathTarget::External(names)) => {
            names.last().filter(|_| shortened(names).starts_with("redis_keys::"))?.clone()
        }
        Some(_) => return None,
    };
    Some((name, first_argument(&last.arguments)?)).filter(|(name, _)| is_stored_form(name))
}
