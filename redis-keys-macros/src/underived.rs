//! The attribute of a derive without that derive.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use redis_keys_schema::Rule;
use syn::{Attribute, Data, DeriveInput, Fields, parse_quote};

use crate::item::parse;
use crate::key;

/// Reports that `#[derive(RedisKey)]` is missing, and expands the item as if the derive were there, so that no other
/// line has an error.
pub(crate) fn redis_key(arguments: &TokenStream, item: &TokenStream) -> TokenStream {
    let Ok(mut parsed) = parse(item.clone()) else {
        let error = error(arguments, "`#[redis_key(…)]` applies to a struct", "write it below `#[derive(RedisKey)]`");
        return quote!(#error #item);
    };
    if let Data::Enum(_) = parsed.data {
        let error = error(arguments, "missing `#[derive(KeySegment)]`", "write it above `#[redis_key(…)]`");
        remove_attributes(&mut parsed);
        return quote!(#error #parsed);
    }
    let error = error(arguments, "missing `#[derive(RedisKey)]`", "write it above `#[redis_key(…)]`");
    parsed.attrs.push(parse_quote!(#[redis_key(#arguments)]));
    let expanded = key::redis_key(parsed.to_token_stream());
    remove_attributes(&mut parsed);
    quote!(#error #parsed #expanded)
}

/// An error that underlines the content of the attribute.
fn error(arguments: &TokenStream, message: &str, help: &str) -> TokenStream {
    let message = format!("{message}\nhelp: {help}\nrule: {}", Rule::Declaration);
    syn::Error::new_spanned(arguments, message).into_compile_error()
}

/// Removes the attributes that no derive reads.
fn remove_attributes(item: &mut DeriveInput) {
    fn remove(attributes: &mut Vec<Attribute>) {
        attributes.retain(|attribute| !attribute.path().is_ident("redis_key"));
    }
    fn remove_of_fields(fields: &mut Fields) {
        fields.iter_mut().for_each(|field| remove(&mut field.attrs));
    }
    remove(&mut item.attrs);
    match &mut item.data {
        Data::Struct(data) => remove_of_fields(&mut data.fields),
        Data::Enum(data) => {
            for variant in &mut data.variants {
                remove(&mut variant.attrs);
                remove_of_fields(&mut variant.fields);
            }
        }
        Data::Union(_) => {}
    }
}
