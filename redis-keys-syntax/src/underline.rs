//! The tokens to underline for a diagnostic.

use std::ops::Range;

use proc_macro2::TokenStream;
use quote::ToTokens;
use redis_keys_schema::Place;

use crate::input::{Input, KeyAttribute};

/// The tokens of a place.
pub struct Underline<'r> {
    /// The first and the last token to underline, or all tokens.
    pub tokens: TokenStream,
    /// The attribute's text, and the range of the string literal that contains the place. The tokens are the whole
    /// literal.
    pub literal: Option<(&'r str, Range<usize>)>,
}

impl Input<'_> {
    /// Maps the place of a diagnostic to tokens.
    pub fn underline(&self, place: &Place) -> Underline<'_> {
        let found = match place {
            Place::Attribute(range) => self.attributes.first().map(|attribute| (attribute, range)),
            Place::FieldAttribute(field, index, range) => {
                self.field_attribute(*field, *index).map(|attribute| (attribute, range))
            }
            Place::VariantAttribute(variant, index, range) => {
                self.variant_attribute(*variant, *index).map(|attribute| (attribute, range))
            }
            _ => None,
        };
        let Some((attribute, range)) = found else { return Underline { tokens: self.whole(place), literal: None } };
        let rendered = &attribute.rendered;
        let tokens = rendered.run(range).unwrap_or_else(|| whole_attribute(attribute));
        Underline { tokens, literal: rendered.literal_around(range).map(|literal| (rendered.text.as_str(), literal)) }
    }

    /// The tokens of a place that is not a range of an attribute's text.
    fn whole(&self, place: &Place) -> TokenStream {
        let tokens = match place {
            Place::WholeAttribute(index) => self.attributes.get(*index).map(whole_attribute),
            Place::WholeFieldAttribute(field, index) => self.field_attribute(*field, *index).map(whole_attribute),
            Place::WholeVariantAttribute(variant, index) => {
                self.variant_attribute(*variant, *index).map(whole_attribute)
            }
            Place::Variant(index) => self.variants.get(*index).map(|variant| variant.variant.ident.to_token_stream()),
            Place::Field(index) => self.fields.get(*index).map(|field| match &field.field.ident {
                Some(ident) => ident.to_token_stream(),
                None => field.field.ty.to_token_stream(),
            }),
            Place::Lifetime(index) => {
                self.item.generics.lifetimes().nth(*index).map(|parameter| parameter.lifetime.to_token_stream())
            }
            Place::FieldType(index) => self.fields.get(*index).map(|field| field.field.ty.to_token_stream()),
            _ => None,
        };
        tokens.unwrap_or_else(|| self.item.ident.to_token_stream())
    }
}

/// `redis_key(…)` without the `#[…]` around it.
fn whole_attribute(attribute: &KeyAttribute<'_>) -> TokenStream {
    attribute.attribute.meta.to_token_stream()
}
