//! The argument of a parameter, by its type.

use std::rc::Rc;

use quote::ToTokens;
use redis_keys_core::NamedText;
use redis_keys_schema::{Segment, argument_of_type};
use redis_keys_syntax::{RenderedTokens, mentions_any, read_segment};
use syn::{DeriveInput, Expr, ExprLit, Generics, Lit, PathSegment, Type, TypePath};

use super::code::first_argument;
use super::scope::{Definition, NamedType, Path, PathTarget, ScopeId, Scopes, name};
use crate::declare::catalog::Argument;

/// The most types that lead to a type: aliases and newtypes.
const MAX_STEPS: u8 = 32;

/// A parameter's type behind aliases, newtypes and pointers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResolvedType {
    /// The argument.
    pub(crate) argument: Argument,
    /// Whether a newtype or an enum is on the way, which has its own `Display`.
    pub(crate) own_display: bool,
}

impl Scopes {
    /// Resolves the type of a parameter that is named in a scope. Types of the workspace that derive `KeySegment` are
    /// found by their paths, or else by their names if only one type has that name.
    pub(crate) fn parameter_type(&self, scope: ScopeId, generics: &Generics, ty: &Type) -> Option<ResolvedType> {
        self.type_in(scope, generics, ty, MAX_STEPS)
    }

    fn type_in(&self, scope: ScopeId, generics: &Generics, ty: &Type, steps: u8) -> Option<ResolvedType> {
        let steps = steps.checked_sub(1)?;
        match ty {
            Type::Reference(reference) => self.type_in(scope, generics, &reference.elem, steps),
            Type::Group(group) => self.type_in(scope, generics, &group.elem, steps),
            Type::Paren(paren) => self.type_in(scope, generics, &paren.elem, steps),
            // Its values depend on the use of the key.
            _ if mentions_any(generics, ty) => None,
            Type::Path(path) if path.qself.is_none() => self.type_of_path(scope, generics, path, steps),
            Type::Slice(_) => built_in(&rendered(ty)),
            Type::Array(array) => match &array.len {
                Expr::Lit(ExprLit { lit: Lit::Int(length), .. }) => {
                    built_in(&format!("[{};{}]", rendered(&array.elem), length.base10_digits()))
                }
                // The sources do not show the value of a constant.
                _ => None,
            },
            _ => None,
        }
    }

    fn type_of_path(&self, scope: ScopeId, generics: &Generics, ty: &TypePath, steps: u8) -> Option<ResolvedType> {
        let path = Path::of(&ty.path);
        let last = ty.path.segments.last()?;
        match self.resolve(scope, &path) {
            Some(PathTarget::Types(types)) => self.type_of_types(&types, steps),
            Some(PathTarget::Module(_)) => None,
            found => {
                if let Some(inner) = behind_pointer(last) {
                    return self.type_in(scope, generics, inner, steps);
                }
                if let Some(PathTarget::External(names)) = found {
                    return built_in(&format!("{}{}", shortened(&names), rendered(&last.arguments)));
                }
                if let Some(known) = built_in(&rendered(&ty.path)) {
                    return Some(known);
                }
                self.type_of_types(std::slice::from_ref(self.only(path.last())?), steps)
            }
        }
    }

    fn type_of_types(&self, types: &[Rc<NamedType>], steps: u8) -> Option<ResolvedType> {
        // Of several types only the compiler knows which is meant.
        let [only] = types else { return None };
        let own = |argument| ResolvedType { argument, own_display: true };
        match &only.definition {
            Definition::Alias(alias) => self.type_in(only.scope, &alias.0, &alias.1, steps),
            Definition::Newtype(field) => {
                let field = self.type_in(only.scope, &Generics::default(), field, steps)?;
                Some(own(field.argument))
            }
            Definition::Names(argument) => Some(own(argument.clone())),
            Definition::Record(_) | Definition::Other => None,
            Definition::Segment(item) => self.type_of_segment(only.scope, item, steps).map(own),
        }
    }

    /// The argument of an item that derives `KeySegment`.
    fn type_of_segment(&self, scope: ScopeId, item: &DeriveInput, steps: u8) -> Option<Argument> {
        let read = read_segment(item);
        if !read.diagnostics.is_empty() {
            return None;
        }
        match read.segment.ok()? {
            Segment::Names(names) => {
                let variants = read.input.variants.iter().zip(names.variants);
                let variants = variants
                    .map(|(variant, text)| NamedText { name: Some(name(&variant.variant.ident)), text: text.text });
                Some(Argument::Names { type_name: name(&item.ident), variants: variants.collect() })
            }
            Segment::Newtype(index) => {
                let field = read.input.fields.get(index)?;
                Some(self.type_in(scope, &item.generics, &field.field.ty, steps)?.argument)
            }
        }
    }
}

/// A type of Rust or of a supported crate.
fn built_in(ty: &str) -> Option<ResolvedType> {
    argument_of_type(ty).map(|argument| ResolvedType { argument, own_display: false })
}

/// A path, and of the types of the standard library that need none the name alone.
pub(super) fn shortened(names: &[String]) -> String {
    match names {
        [krate, module, name]
            if ["std", "core", "alloc"].contains(&krate.as_str())
                && ["primitive", "string", "vec"].contains(&module.as_str()) =>
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

pub(super) fn rendered(tokens: &impl ToTokens) -> String {
    RenderedTokens::new(tokens.to_token_stream()).text
}
