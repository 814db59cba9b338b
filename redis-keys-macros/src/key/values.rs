//! The test that reports the shapes of a key's values to `cargo redis-keys values`, if the tool compiles the crate.

use std::env;
use std::sync::LazyLock;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use redis_keys_syntax::mentions_generics;
use syn::ext::IdentExt as _;

use super::expand::Expansion;
use crate::item::is_deprecated;

/// The tool sets this variable for the compiler. Ordinary builds do not pay for the tests.
static ARE_ASKED_FOR: LazyLock<bool> = LazyLock::new(|| env::var_os("REDIS_KEYS_VALUES").is_some());

/// Whether the tool asks for the shapes.
pub(super) fn are_asked_for() -> bool {
    *ARE_ASKED_FOR
}

impl Expansion<'_> {
    /// The test. `None` if the key has no values, or only those of a type that depends on its generic parameters.
    ///
    /// The tool finds it by its name, and runs it alone. Nothing else knows private types, and the types of programs.
    pub(super) fn values_test(&self) -> Option<TokenStream> {
        let krate = self.krate;
        let generics = &self.input.item.generics;
        let parts = self.key_trait.parts(self.types).filter(|(_, ty, _)| !mentions_generics(generics, ty));
        let parts: Vec<_> = parts.map(|(part, ty, bound)| quote!((#part, <#ty as #krate::#bound>::form))).collect();
        if parts.is_empty() {
            return None;
        }
        let allow = is_deprecated(self.input).then(|| quote!(#[allow(deprecated)]));
        let ident = &self.input.item.ident;
        let test = Ident::new(&format!("__redis_keys_values_{}", ident.unraw()), Span::call_site());
        let (template, name) = (&self.schema.template, &self.schema.name);
        // A crate can have another attribute `test` in scope.
        Some(quote! {
            #[cfg(test)]
            #[::core::prelude::v1::test]

            #allow
            fn #test() {
                #krate::values::report(#template, #name, &[#(#parts),*]);
            }
        })
    }
}
