//! The kinds of values by their types.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Type, WherePredicate};

use super::{Kind, kind_of_name};
use crate::declare::raw::expressions::is_one_of;
use crate::declare::raw::imports::is_command_trait;
use crate::declare::sources::{Function, first_argument, name, type_name};

/// The kind of values of a type. A function knows its generic parameters.
pub(super) fn of_type(ty: &Type, function: Option<&Function>) -> Kind {
    match ty {
        Type::Reference(inner) => of_type(&inner.elem, function),
        Type::Paren(inner) => of_type(&inner.elem, function),
        Type::Group(inner) => of_type(&inner.elem, function),
        Type::Ptr(inner) => of_type(&inner.elem, function),
        Type::ImplTrait(bounds) => of_bounds(bounds.bounds.to_token_stream()),
        Type::TraitObject(bounds) => of_bounds(bounds.bounds.to_token_stream()),
        Type::Path(path) => of_path(&path.path, function),
        Type::Infer(_) => Kind::Unknown,
        _ => Kind::Other,
    }
}

fn of_path(path: &syn::Path, function: Option<&Function>) -> Kind {
    const WRAPPERS: &str = "Arc Rc Box Mutex RwLock RefCell Option Result MutexGuard Pin Data State Extension RefMut \
        RwLockWriteGuard RwLockReadGuard LazyLock OnceCell OnceLock Cow";
    let Some(last) = path.segments.last() else { return Kind::Unknown };
    let name = name(&last.ident);
    if let (true, Some(inner)) = (is_one_of(WRAPPERS, &name), first_argument(&last.arguments)) {
        return of_type(inner, function);
    }
    let bounds = path.get_ident().and_then(|_| bounds_of(&name, function?));
    bounds.map_or_else(|| of_type_name(&name), of_bounds)
}

/// The bounds of a generic parameter.
fn bounds_of(name: &str, function: &Function) -> Option<TokenStream> {
    let mut bounds = TokenStream::new();
    let mut is_parameter = false;
    for generics in [&function.signature.generics].into_iter().chain(&function.outer_generics) {
        for parameter in generics.type_params().filter(|parameter| parameter.ident == name) {
            is_parameter = true;
            parameter.bounds.to_tokens(&mut bounds);
        }
        for condition in generics.where_clause.iter().flat_map(|conditions| &conditions.predicates) {
            match condition {
                WherePredicate::Type(condition) if type_name(&condition.bounded_ty).as_deref() == Some(name) => {
                    condition.bounds.to_tokens(&mut bounds);
                }
                _ => {}
            }
        }
    }
    is_parameter.then_some(bounds)
}

fn of_bounds(bounds: TokenStream) -> Kind {
    if names_connection(bounds) { Kind::Connection } else { Kind::Other }
}

fn names_connection(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => {
            let name = name(&ident);
            is_command_trait(&name) || of_type_name(&name) == Kind::Connection
        }
        TokenTree::Group(group) => names_connection(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// The kind of values of a type or a trait of this name.
pub(super) fn of_type_name(name: &str) -> Kind {
    match name {
        "Pipeline" | "ClusterPipeline" => Kind::Pipeline,
        "Cmd" => Kind::Command,
        "Script" | "ScriptInvocation" => Kind::Script,
        "" | "Client" | "Pool" | "Object" | "ClientLike" | "KeysInterface" | "HashesInterface" | "Transaction" => {
            Kind::Unknown
        }
        name => match kind_of_name(name) {
            Kind::Unknown => Kind::Other,
            kind => kind,
        },
    }
}
