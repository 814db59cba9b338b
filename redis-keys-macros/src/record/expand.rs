//! The expansion of a valid record: a call of the `macro_rules!` macro of `redis-keys` with the implementation.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};
use redis_keys_schema::{Presence, RecordField, shown_type};
use redis_keys_syntax::{FieldForm, Input, KeyField, RenderedTokens, Tokens, mentions_parameter, value_type};
use syn::{Generics, parse_quote};

use super::Forms;
use crate::item::{add_bound, is_deprecated};

pub(crate) fn expand(input: &Input<'_>, read: &[RecordField], forms: &Forms) -> TokenStream {
    let krate = &forms.krate;
    let name = &input.item.ident;
    let allow = is_deprecated(input).then(|| quote!(#[allow(deprecated)]));
    let fields = StoredField::all(input, read, forms);
    let generics = generics(input, krate, &fields).map(|generics| {
        let (params, arguments, bounds) = generics.split_for_impl();
        quote!(generics (#params) (#arguments) (#bounds))
    });
    let phantoms = input.fields.iter().zip(read).filter(|(_, read)| read.presence == Presence::Phantom);
    let phantoms = phantoms.filter_map(|(field, _)| field.field.ident.as_ref());
    let fields = fields.iter().enumerate().map(|(number, field)| field.arguments(number, krate));
    quote! { #krate::__record! { #allow #name #generics #(phantom #phantoms)* #(#fields)* } }
}

/// A field that is stored.
pub(crate) struct StoredField<'e> {
    /// Its number among all fields of the struct.
    pub(crate) number: usize,
    pub(crate) field: &'e KeyField<'e>,
    pub(crate) read: &'e RecordField,
    /// The type of its value.
    ty: Tokens,
    form: Option<&'e FieldForm>,
}

impl<'e> StoredField<'e> {
    pub(crate) fn all(input: &'e Input<'e>, read: &'e [RecordField], forms: &'e Forms) -> Vec<Self> {
        let fields = input.fields.iter().zip(read).zip(&forms.declared).enumerate();
        let stored = fields.filter(|(_, ((_, read), _))| read.presence != Presence::Phantom);
        let stored = stored.map(|(number, ((field, read), form))| {
            let ty = value_type(field, read.presence);
            Self { number, field, read, ty, form: form.as_ref() }
        });
        stored.collect()
    }

    fn arguments(&self, number: usize, krate: &Tokens) -> TokenStream {
        let Self { field, read, .. } = self;
        let ident = &field.field.ident;
        let (reader, writer) = self.methods();
        let trait_ = self.value_trait();
        let declared = self.declared();
        let number = Literal::usize_unsuffixed(number);
        let (visibility, constant, docs) = (&field.field.vis, self.constant(), self.docs());
        let constant_type = self.constant_type(krate);
        let (form, argument) = self.form_of();
        let argument = argument.map(|argument| quote!(<(#argument)>));
        let read_ttl = read.ttl.map(|ttl| {
            let ms = Literal::u128_unsuffixed(ttl.as_millis());
            quote!(.expiring(#ms))
        });
        quote! {
            [
                #number #ident #reader #writer (#form) #trait_ #argument (#declared #read_ttl)
                (#visibility) #constant #docs (#constant_type)
            ]
        }
    }

    /// The methods that read and write it.
    fn methods(&self) -> (Ident, Ident) {
        let (read, write) = match self.read.presence {
            Presence::Optional => ("read_option", "write_option"),
            Presence::Default => ("read_or_default", "write"),
            Presence::Mandatory | Presence::Phantom => ("read", "write"),
        };
        (Ident::new(read, Span::call_site()), Ident::new(write, Span::call_site()))
    }

    /// The trait that it must implement to be stored.
    fn value_trait(&self) -> Ident {
        Ident::new(if self.form.is_some() { "FormOf" } else { "OwnForm" }, Span::call_site())
    }

    /// The type that implements the trait, and the trait's argument.
    fn form_of(&self) -> (&Tokens, Option<&Tokens>) {
        match self.form {
            Some(form) => (&form.tokens, Some(&self.ty)),
            None => (&self.ty, None),
        }
    }

    /// A call of `<Type as Trait>::write`.
    pub(crate) fn write(&self, krate: &Tokens) -> TokenStream {
        let (trait_, ident) = (self.value_trait(), &self.field.field.ident);
        let (form, argument) = self.form_of();
        let argument = argument.map(|argument| quote!(<#argument>));
        let (_, write) = self.methods();
        quote!(<#form as #krate::__private::#trait_ #argument>::#write(&self.#ident, __fields);)
    }

    /// The `RecordField` of the runtime.
    fn declared(&self) -> TokenStream {
        let (name, form) = (&self.read.stored, self.form_text());
        let presence = match self.read.presence {
            Presence::Optional => "optional",
            Presence::Default => "defaulted",
            Presence::Mandatory | Presence::Phantom => "mandatory",
        };
        let presence = Ident::new(presence, Span::call_site());
        quote!(#presence(#name, #form))
    }

    fn form_text(&self) -> String {
        match self.form {
            Some(form) => shown_type(&form.text),
            None => shown_type(&RenderedTokens::new(self.ty.to_token_stream()).text),
        }
    }

    pub(crate) fn docs(&self) -> String {
        format!("The field `{}`, stored as `{}`.", self.read.stored, self.form_text())
    }

    pub(crate) fn constant(&self) -> Ident {
        let span = self.field.field.ident.as_ref().map_or_else(Span::call_site, Ident::span);
        // The upper case of some letters cannot be part of a name.
        let mut constant = syn::parse_str::<Ident>(&self.read.constant)
            .or_else(|_| syn::parse_str(&format!("{}_FIELD", self.field.name)))
            .unwrap_or_else(|_| Ident::new("FIELD", span));
        constant.set_span(span);
        constant
    }

    /// The stored form, and a marker unless the field is mandatory.
    pub(crate) fn constant_type(&self, krate: &Tokens) -> TokenStream {
        let form = self.form.map_or_else(|| self.ty.clone(), |form| form.tokens.clone());
        let marker = self.marker(krate);
        quote!(#form #marker)
    }

    pub(crate) fn marker(&self, krate: &Tokens) -> Option<TokenStream> {
        let RecordField { presence, ttl, .. } = self.read;
        let marker = match presence {
            Presence::Mandatory | Presence::Phantom => return None,
            Presence::Optional | Presence::Default if ttl.is_some() => "Expiring",
            Presence::Optional | Presence::Default => "Optional",
        };
        let marker = Ident::new(marker, Span::call_site());
        Some(quote!(, #krate::types::record::#marker))
    }
}

/// The struct's generic parameters, with the bounds of fields with generic types.
pub(crate) fn generics(input: &Input<'_>, krate: &Tokens, fields: &[StoredField<'_>]) -> Option<Generics> {
    let own = &input.item.generics;
    if own.params.is_empty() && own.where_clause.is_none() {
        return None;
    }
    let mut generics = own.clone();
    for field in fields {
        let ty = &field.ty;
        let form = field.form.map(|form| &form.tokens);
        if !mentions_parameter(own, &field.field.field.ty) && !form.is_some_and(|form| mentions_parameter(own, form)) {
            continue;
        }
        add_bound(
            &mut generics,
            match form {
                Some(form) => parse_quote!(#form: #krate::__private::FormOf<#ty>),
                None => parse_quote!(#ty: #krate::__private::OwnForm),
            },
        );
        if field.read.presence == Presence::Default {
            add_bound(&mut generics, parse_quote!(#ty: ::core::default::Default));
        }
    }
    Some(generics)
}
