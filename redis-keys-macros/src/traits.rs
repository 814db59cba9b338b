//! The trait of a key's type, and what it says of the key.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use redis_keys_schema::Kind;

use crate::types::Types;

/// A trait such as `ListKey`.
pub(crate) struct KeyTrait {
    name: &'static str,
    has_field: bool,
    has_value: bool,
    /// Whether the value is a record, and not one stored form.
    holds_records: bool,
}

/// What stands where a type could not be read. rustc says nothing of a path that is not there beside a `compile_error!`, and
/// nothing of its uses.
const MISSING: &str = "__ValueIsMissing";

impl KeyTrait {
    /// The trait for keys of that type, with open fields or without.
    pub(crate) fn of(kind: Kind, open: bool) -> Self {
        let (name, holds_records) = match kind {
            Kind::Hash if open => ("HashKey", false),
            Kind::Hash => ("RecordKey", true),
            Kind::List => ("ListKey", false),
            Kind::Set => ("SetKey", false),
            Kind::ZSet => ("ZSetKey", false),
            Kind::Bitmap => ("BitmapKey", false),
            Kind::HyperLogLog => ("HyperLogLogKey", false),
            Kind::Geo => ("GeoKey", false),
            Kind::Stream => ("StreamKey", true),
            _ => ("StringKey", false),
        };
        let has_field = open && matches!(kind, Kind::Hash);
        Self { name, has_field, has_value: !matches!(kind, Kind::Bitmap), holds_records }
    }

    pub(crate) fn name(&self) -> Ident {
        Ident::new(self.name, Span::call_site())
    }

    /// The associated types.
    pub(crate) fn types(&self, types: &Types) -> TokenStream {
        let missing = Ident::new(MISSING, Span::call_site());
        let or_missing = |given: &Option<TokenStream>| given.clone().unwrap_or_else(|| quote!(#missing));
        let field = self.has_field.then(|| or_missing(&types.field));
        let field = field.map(|field| quote!(type Field = #field;));
        let value = self.has_value.then(|| or_missing(&types.value));
        let value = value.map(|value| quote!(type Value = #value;));
        quote!(#field #value)
    }

    /// What the associated types have to be: each with the name of its trait.
    pub(crate) fn bounds<'t>(&self, types: &'t Types) -> impl Iterator<Item = (&'t TokenStream, Ident)> {
        let value = if self.holds_records { "RedisHash" } else { "Stored" };
        let value = self.has_value.then_some(value);
        let given = [(types.field.as_ref(), self.has_field.then_some("Stored")), (types.value.as_ref(), value)];
        given.into_iter().filter_map(|(ty, name)| Some((ty?, Ident::new(name?, Span::call_site()))))
    }
}
