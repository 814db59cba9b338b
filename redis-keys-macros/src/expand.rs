//! What a right declaration becomes: the arguments of the `macro_rules!` macro of the `redis-keys` crate that holds the
//! implementations. rustc expands that one several times faster than it takes the same tokens from here.

mod parse;

use std::ops::Range;

use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use redis_keys_schema::{Declaration, Encoding, Kind, Part, Placeholder, Renew, Template, Ttl, limits};
use syn::{Generics, Ident, LitStr, parse_quote};

use crate::generics::{add_bound, mentions_parameter};
use crate::input::{Input, KeyField};
use crate::meeting;
use crate::rendered::respanned;
use crate::traits::KeyTrait;
use crate::types::{Types, crate_path};

pub(crate) fn expand(input: &Input<'_>, declaration: &Declaration, types: &Types) -> TokenStream {
    let Some((template, kind)) = declaration.template.as_ref().and_then(|template| Some((template, template.kind?)))
    else {
        return TokenStream::new();
    };
    let krate = crate_path(input, declaration);
    let key_trait = KeyTrait::of(kind, types.field.is_some());
    Expansion { input, declaration, template, kind, krate: &krate, types, key_trait }.key()
}

struct Expansion<'e> {
    input: &'e Input<'e>,
    declaration: &'e Declaration,
    template: &'e Template,
    kind: Kind,
    krate: &'e TokenStream,
    types: &'e Types,
    key_trait: KeyTrait,
}

impl Expansion<'_> {
    fn key(&self) -> TokenStream {
        let Self { krate, .. } = self;
        let (key_trait, types) = (self.key_trait.name(), self.key_trait.types(self.types));
        let name = &self.input.item.ident;
        let summary = self.declaration.summary();
        let (declared, rare) = (self.declared(), self.rare());
        let (steps, end) = self.steps();
        // What depends on generic parameters can be known only where the key is used.
        let fits = self.assert_fits();
        let (early, late) = if self.input.item.generics.params.is_empty() { (fits, None) } else { (None, fits) };
        let early = early.map(|early| quote!(const _: () = #early;));
        let late = late.map(|late| quote!(late (const #late)));
        let (generics, ends) = (self.generics(), self.ends());
        let (expansion, of) = match self.copies().map(Literal::u32_unsuffixed) {
            Some(copies) => ("__copied_key", copies.to_token_stream()),
            None => ("__key", key_trait.to_token_stream()),
        };
        let expansion = Ident::new(expansion, Span::call_site());
        let meeting = meeting::expand(self.input, self.declaration, krate);
        let allow = self.input.is_deprecated().then(|| quote!(#[allow(deprecated)]));
        // A hot key is several keys, of which none gives it back.
        let (fields, read) = self.copies().is_none().then(|| self.fields(allow.as_ref())).unzip();
        let read = read.flatten();
        let allowed = self.allowed();
        quote! {
            #krate::#expansion! { #allow #summary #declared #name #generics #rare #late #allowed #ends #fields of #of (#types) #steps #end }
            #read
            #early
            #meeting
        }
    }

    /// `generics (parameters) (arguments) (bounds)`, where the struct has any.
    fn generics(&self) -> Option<TokenStream> {
        let generics = self.bound_generics()?;
        let (params, arguments, bounds) = generics.split_for_impl();
        Some(quote!(generics (#params) (#arguments) (#bounds)))
    }

    /// The generic parameters, and what has to be true of them so that there is a key.
    fn bound_generics(&self) -> Option<Generics> {
        let krate = self.krate;
        let own = &self.input.item.generics;
        if own.params.is_empty() && own.where_clause.is_none() {
            return None;
        }
        let mut generics = own.clone();
        self.bind_parameters(&mut generics);
        for (ty, bound) in self.key_trait.bounds(self.types) {
            if mentions_parameter(own, ty) {
                add_bound(&mut generics, parse_quote!(#ty: #krate::#bound));
            }
        }
        Some(generics)
    }

    /// Asks of each parameter whose type is left open what it is used for.
    fn bind_parameters(&self, generics: &mut Generics) {
        let krate = self.krate;
        for placeholder in self.template.placeholders() {
            let Some((field, _)) = self.field(placeholder) else { continue };
            let ty = &field.field.ty;
            if !mentions_parameter(&self.input.item.generics, &ty.to_token_stream()) {
                continue;
            }
            let segment = segment_trait(placeholder, krate);
            add_bound(generics, parse_quote!(#ty: #segment));
        }
        if let Some((span, (field, _))) = self.span() {
            let ty = &field.field.ty;
            if mentions_parameter(&self.input.item.generics, &ty.to_token_stream()) {
                add_bound(generics, parse_quote!(#ty: #krate::__private::Ends<#krate::bucket::#span>));
            }
        }
    }

    /// How many copies there are, if it is a hot key.
    fn copies(&self) -> Option<u32> {
        self.template.placeholders().find_map(|placeholder| placeholder.copies)
    }

    /// `ends Month field (Type) "field"` where the expiry counts from the end of a parameter.
    fn ends(&self) -> Option<TokenStream> {
        let (span, (field, number)) = self.span()?;
        let (member, ty, name) = (field.member(number), &field.field.ty, &field.name);
        Some(quote!(ends #span #member (#ty) #name))
    }

    /// The span of the calendar from whose end the expiry counts, and its field.
    fn span(&self) -> Option<(Ident, (&KeyField<'_>, usize))> {
        let bucket = self.declaration.options.ttl_from_end_of.as_ref()?.value?;
        let placeholder = self.template.placeholders().find(|placeholder| placeholder.name == bucket.name())?;
        Some((Ident::new(bucket.type_name(), Span::call_site()), self.field(placeholder)?))
    }

    /// `"text before" field (Type) segment` for each parameter, and the text behind the last one.
    fn steps(&self) -> (TokenStream, &str) {
        let mut steps = TokenStream::new();
        let mut before = "";
        for part in &self.template.parts {
            match part {
                Part::Literal(text) => before = text,
                Part::Placeholder(placeholder) if placeholder.copies.is_some() => {
                    steps.extend(quote!(copy #before));
                    before = "";
                }
                Part::Placeholder(placeholder) => {
                    let Some((field, number)) = self.field(placeholder) else { continue };
                    let (member, ty) = (field.member(number), &field.field.ty);
                    let place = if placeholder.whole_segment { quote!(segment) } else { quote!(word) };
                    let by = form(placeholder).map(|form| {
                        let shards = placeholder.shards.map(Literal::u32_unsuffixed);
                        quote!(by #form #shards)
                    });
                    steps.extend(quote!((#before #member (#ty) #place #by)));
                    before = "";
                }
            }
        }
        (steps, before)
    }

    fn field(&self, placeholder: &Placeholder) -> Option<(&KeyField<'_>, usize)> {
        let number = placeholder.field?;
        self.input.fields.get(number).map(|field| (field, number))
    }

    /// `name: type` as `Parameters` of the `redis-keys` crate reads it, with what the template says of the parameter.
    fn parameter(&self, placeholder: &Placeholder) -> Option<String> {
        if let Some(copies) = placeholder.copies {
            return Some(format!("{} of {copies}: u32", placeholder.name));
        }
        let (field, _) = self.field(placeholder)?;
        let tag = if placeholder.hash_tag { "#" } else { "" };
        let form = match (placeholder.shards, placeholder.encoding) {
            (Some(shards), _) => format!(" % {shards}"),
            (None, Some(encoding)) => format!(" {}", encoding.name()),
            (None, None) => String::new(),
        };
        Some(format!("{tag}{}{form}: {}", field.name, field.ty))
    }

    /// What each key declares: a `Declared` of the `redis-keys` crate.
    fn declared(&self) -> TokenStream {
        let name = self.input.item.ident.to_string();
        let template = &self.template.text;
        let parameters: Vec<_> = self.template.placeholders().filter_map(|one| self.parameter(one)).collect();
        let parameters = parameters.join("\n");
        let kind = Literal::u8_unsuffixed(self.kind.number());
        let value = self.declaration.options.value.as_ref().map(|given| self.text_at(&given.range)).unwrap_or_default();
        let (ttl, jitter) = match self.declaration.ttl() {
            Some(Ttl::After(ttl)) => (ttl, self.declaration.jitter().unwrap_or_default()),
            _ => Default::default(),
        };
        let (ttl, jitter) = (Literal::u128_unsuffixed(ttl.as_millis()), Literal::u128_unsuffixed(jitter.as_millis()));
        let (file, line) = place(self.input.item.ident.span());
        let line = Literal::usize_unsuffixed(line);
        let docs = self.input.docs();
        quote!((#name, #template, #kind, #parameters, #value, #file, #docs, #ttl, #jitter, #line))
    }

    /// `rare (…)` with what `Schema::declared` reads of the rarer options, where one is given.
    fn rare(&self) -> Option<TokenStream> {
        let options = &self.declaration.options;
        let reason = options.reason.as_ref().map(|given| self.meaning(&given.range));
        let owner = options.owner.as_ref().map(|given| self.meaning(&given.range));
        let owner = owner.or_else(|| self.declaration.inherited_owner().map(str::to_owned));
        let max_bytes = self.declaration.max_bytes();
        let renew = options.renew.as_ref().and_then(|given| given.value);
        let field = options.field.as_ref().map(|given| self.text_at(&given.range));
        let caps = self.caps();
        let texts = [&reason, &owner].into_iter().any(Option::is_some) || field.is_some();
        if !texts && max_bytes.is_none() && renew.is_none() && caps.is_none() {
            return None;
        }
        let (reason, owner) = (reason.unwrap_or_default(), owner.unwrap_or_default());
        let field = field.unwrap_or_default();
        let max_bytes = Literal::u64_unsuffixed(max_bytes.unwrap_or_default());
        let (renew, below) = renewal(renew);
        let caps = caps.unwrap_or_else(|| quote!((0, 0, 0, false, 0)));
        Some(quote!(rare (#reason, #owner, #field, #max_bytes, #renew, #below, #caps)))
    }

    /// `allowed "lint: reason"` with a line for each lint that the declaration opts out of.
    fn allowed(&self) -> Option<TokenStream> {
        let options = &self.declaration.options;
        let lines = options.allow.iter().zip(&options.allow_reasons).filter_map(|(lint, reason)| {
            // A line for each, whatever the reason is.
            let reason = self.meaning(reason).split_whitespace().collect::<Vec<_>>().join(" ");
            Some(format!("{}: {reason}", lint.value.as_ref()?))
        });
        let lines = lines.collect::<Vec<_>>().join("\n");
        (!lines.is_empty()).then(|| quote!(allowed #lines))
    }

    /// `(most elements, most bytes of each, how many are kept, whether about so many, most bytes of the key)`, where one is
    /// given.
    fn caps(&self) -> Option<TokenStream> {
        let options = &self.declaration.options;
        let (max_len, member_bytes) = (self.declaration.max_len(), self.declaration.max_member_bytes());
        let key_bytes = self.declaration.max_key_bytes();
        let last = options.keep_last.as_ref().and_then(|given| given.value);
        let top = options.keep_top.as_ref().and_then(|given| given.value);
        let kept = last.map(|keep| keep.count).or(top);
        if max_len.is_none() && member_bytes.is_none() && kept.is_none() && key_bytes.is_none() {
            return None;
        }
        let about = last.is_some_and(|keep| keep.about);
        let [max_len, member_bytes, kept] =
            [max_len, member_bytes, kept].map(|number| Literal::u64_unsuffixed(number.unwrap_or_default()));
        let key_bytes = Literal::usize_unsuffixed(key_bytes.unwrap_or_default());
        Some(quote!((#max_len, #member_bytes, #kept, #about, #key_bytes)))
    }

    /// Proves that no parameter value makes the key too long, underlining the template where one can. `None` where the
    /// rules have proved it already.
    fn assert_fits(&self) -> Option<TokenStream> {
        let Self { krate, .. } = self;
        if self.declaration.fits() {
            return None;
        }
        let mut words = TokenStream::new();
        let mut lengths = Vec::new();
        for placeholder in self.template.placeholders() {
            if let Some(longest) = placeholder.longest_number() {
                let (name, longest) = (&placeholder.name, Literal::usize_unsuffixed(longest));
                lengths.push(quote!((#name, ::core::option::Option::Some(#longest))));
                continue;
            }
            let Some((field, _)) = self.field(placeholder) else { continue };
            let (name, ty) = (&field.name, &field.field.ty);
            let segment = segment_trait(placeholder, krate);
            lengths.push(quote!((#name, <#ty as #segment>::LONGEST)));
            if !placeholder.whole_segment && placeholder.encoding.is_none() {
                let types = quote!(::<#ty>);
                words.extend(self.underlined(&placeholder.range, "assert_whole_segment", &types, &quote!(#name)));
            }
        }
        let literal = Literal::usize_unsuffixed(self.template.literal_bytes());
        let most = Literal::usize_unsuffixed(self.declaration.max_key_bytes().unwrap_or(limits::MAX_KEY_BYTES));
        let arguments = quote!(#most, #literal, &[#(#lengths),*]);
        let fits = self.underlined(&self.template.range, "assert_key_fits", &TokenStream::new(), &arguments);
        Some(quote!({ #words #fits }))
    }

    /// A call of ours that rustc underlines as the given part of the attribute, should it fail.
    fn underlined(
        &self,
        range: &Range<usize>,
        name: &str,
        types: &TokenStream,
        arguments: &TokenStream,
    ) -> TokenStream {
        let edges = self.input.attributes.first().and_then(|first| first.rendered.run(range));
        let mut edges = edges.into_iter().flatten().map(|edge| edge.span());
        let start = edges.next().unwrap_or_else(Span::call_site);
        let end = edges.next().unwrap_or(start);
        // The path bears the first token's span and the brackets the last one's: rustc draws what is between. What
        // stands in the brackets keeps its own, so that a type in it is underlined itself.
        let krate = respanned(self.krate.clone(), start);
        let name = Ident::new(name, start);
        let path = quote_spanned!(start=> #krate::__private::#name);
        let mut arguments = Group::new(Delimiter::Parenthesis, arguments.clone());
        arguments.set_span(end);
        quote_spanned!(end=> #path #types #arguments;)
    }

    /// What the string literal around a range means: its text with the escapes resolved.
    fn meaning(&self, range: &Range<usize>) -> String {
        let literal = self.input.attributes.first().and_then(|first| first.rendered.literal_around(range));
        let literal = literal.and_then(|literal| syn::parse_str::<LitStr>(self.text_at(&literal)).ok());
        literal.map_or_else(|| self.text_at(range).to_owned(), |literal| literal.value())
    }

    fn text_at(&self, range: &Range<usize>) -> &str {
        self.input.attributes.first().and_then(|first| first.rendered.text.get(range.clone())).unwrap_or_default()
    }
}

/// How a parameter is printed, if not as it is: a module of `__private`.
fn form(placeholder: &Placeholder) -> Option<Ident> {
    let shard = placeholder.shards.map(|_| "shard");
    let name = shard.or(placeholder.encoding.map(Encoding::name))?;
    Some(Ident::new(name, Span::call_site()))
}

/// The trait that prints a parameter.
fn segment_trait(placeholder: &Placeholder, krate: &TokenStream) -> TokenStream {
    let form = form(placeholder).map(|form| quote!(__private::#form::));
    quote!(#krate::#form KeySegment)
}

/// The file and the line of a token.
fn place(span: Span) -> (String, usize) {
    // Outside a macro, in tests of this crate, a span knows nothing.
    if !proc_macro::is_available() {
        return (String::new(), 0);
    }
    let span = span.unwrap();
    (span.file(), span.line())
}

/// When the expiry starts anew, as a number, and the threshold in milliseconds.
fn renewal(renew: Option<Renew>) -> (Literal, Literal) {
    let (number, below) = match renew {
        None => (0, 0),
        Some(Renew::Write) => (1, 0),
        Some(Renew::Read) => (2, 0),
        Some(Renew::Below(left)) => (3, left.as_millis()),
    };
    (Literal::u8_unsuffixed(number), Literal::u128_unsuffixed(below))
}
