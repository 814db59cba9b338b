//! The catalogue of what the sources declare.

use redis_keys_schema::catalogue::{Json as _, Values};

use super::{Declaration, DeclarationKind, Sources};
use crate::Failure;
use crate::catalogue::{Catalogue, Key, Unread};

impl Sources {
    /// The catalogue. A key with errors is one of the places that could not be read.
    pub(crate) fn catalogue(&self) -> Result<Catalogue, Failure> {
        let (mut keys, mut unread) = (Vec::new(), self.unread.clone());
        for declaration in &self.declarations {
            if declaration.kind == DeclarationKind::Key {
                if let Some(key) = self.key(declaration)? {
                    keys.push(key);
                } else {
                    let (file, name) = (declaration.file.shown.clone(), declaration.item.ident.to_string());
                    unread.push(Unread::with_errors(file, declaration.position().0, &name));
                }
            }
        }
        unread.sort();
        unread.dedup();
        Ok(Catalogue::new(keys, unread))
    }

    /// The texts that the field of a key can have as a parameter.
    pub(crate) fn values(&self, declaration: &Declaration, field: &syn::Field) -> Values {
        self.scopes.values(declaration.scope, &declaration.item.generics, &field.ty)
    }

    /// The key of a declaration, or `None` if that has errors.
    fn key(&self, declaration: &Declaration) -> Result<Option<Key>, Failure> {
        let read = declaration.read_key();
        let entry = read.entry(declaration.file.shown.clone(), declaration.position().0);
        let Some(entry) = entry.ok().filter(|_| read.diagnostics.is_empty()) else { return Ok(None) };
        let object = entry
            .object()
            .field("package", &declaration.package().name)
            .field("target", &declaration.target.id())
            .field("module", &Some(declaration.module.as_str()))
            .field("condition", &declaration.condition)
            .field("made_by", &None::<&str>);
        let mut key: Key = serde_json::from_str(&object.to_json())
            .map_err(|error| Failure::new(format!("cannot list `{}`: {error}", declaration.item.ident)))?;
        key.set_values(|parameter| {
            let field = read.input.fields.iter().find(|field| field.name == parameter.name)?;
            Some(self.values(declaration, field.field))
        });
        Ok(Some(key))
    }
}
