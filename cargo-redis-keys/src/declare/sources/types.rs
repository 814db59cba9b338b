//! The texts that a parameter can have, by its type.

use std::rc::Rc;

use quote::ToTokens;
use redis_keys_schema::{Segment, values_of_type};
use redis_keys_syntax::{RenderedTokens, mentions_any, read_segment};
use syn::{Generics, PathSegment, Type, TypePath};

use super::code::first_argument;
use super::scope::{Definition, NamedType, Path, PathTarget, ScopeId, Scopes};
use crate::declare::catalog::Values;

/// The most types that lead to a type: aliases and newtypes.
const MAX_STEPS: u8 = 32;

impl Scopes {
    /// The texts of a parameter with a type that is named in a scope. Types of the workspace that derive `KeySegment`
    /// are found by their paths, or else by their names if only one type has that name.
    pub(crate) fn values(&self, scope: ScopeId, generics: &Generics, ty: &Type) -> Option<Values> {
        self.values_in(scope, generics, ty, MAX_STEPS)
    }

    fn values_in(&self, scope: ScopeId, generics: &Generics, ty: &Type, steps: u8) -> Option<Values> {
        let steps = steps.checked_sub(1)?;
        match ty {
            Type::Reference(reference) => self.values_in(scope, generics, &reference.elem, steps),
            Type::Group(group) => self.values_in(scope, generics, &group.elem, steps),
            Type::Paren(paren) => self.values_in(scope, generics, &paren.elem, steps),
            // Its values depend on the use of the key.
            _ if mentions_any(generics, ty) => None,
            Type::Path(path) if path.qself.is_none() => self.values_of_path(scope, generics, path, steps),
            _ => None,
        }
    }

    fn values_of_path(&self, scope: ScopeId, generics: &Generics, ty: &TypePath, steps: u8) -> Option<Values> {
        let path = Path::of(&ty.path);
        let last = ty.path.segments.last()?;
        let written = |path: &str| values_of_type(&format!("{path}{}", rendered(&last.arguments))).map(Values::from);
        match self.resolve(scope, &path) {
            Some(PathTarget::Types(types)) => self.values_of_types(&types, steps),
            Some(PathTarget::Module(_)) => None,
            found => {
                if let Some(inner) = behind_pointer(last) {
                    return self.values_in(scope, generics, inner, steps);
                }
                if let Some(PathTarget::External(names)) = found {
                    return written(&shortened(&names));
                }
                if let Some(known) = values_of_type(&rendered(&ty.path)) {
                    return Some(known.into());
                }
                self.values_of_types(std::slice::from_ref(self.only(path.last())?), steps)
            }
        }
    }

    fn values_of_types(&self, types: &[Rc<NamedType>], steps: u8) -> Option<Values> {
        // Of several types only the compiler knows which is meant.
        let [only] = types else { return None };
        match &only.definition {
            Definition::Alias(alias) => self.values_in(only.scope, &alias.0, &alias.1, steps),
            Definition::Names(texts) => Some(Values::OneOf(texts.clone())),
            Definition::Other => None,
            Definition::Segment(item) => {
                let read = read_segment(item);
                if !read.diagnostics.is_empty() {
                    return None;
                }
                match read.segment.ok()? {
                    Segment::Names(names) => {
                        Some(Values::OneOf(names.variants.into_iter().map(|variant| variant.text).collect()))
                    }
                    Segment::Newtype(index) => {
                        let field = read.input.fields.get(index)?;
                        self.values_in(only.scope, &item.generics, &field.field.ty, steps)
                    }
                }
            }
        }
    }
}

/// A path, and of the types of the standard library that need none the name alone.
fn shortened(names: &[String]) -> String {
    match names {
        [krate, module, name]
            if ["std", "core", "alloc"].contains(&krate.as_str())
                && ["primitive", "string"].contains(&module.as_str()) =>
        {
            name.clone()
        }
        names => names.join("::"),
    }
}

/// The type that a smart pointer leads to, which renders as it does.
fn behind_pointer(segment: &PathSegment) -> Option<&Type> {
    let is_pointer = ["Box", "Arc", "Cow"].iter().any(|pointer| segment.ident == pointer);
    first_argument(&segment.arguments).filter(|_| is_pointer)
}

fn rendered(tokens: &impl ToTokens) -> String {
    RenderedTokens::new(tokens.to_token_stream()).text
}
