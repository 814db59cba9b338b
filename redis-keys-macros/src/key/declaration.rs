//! The declaration as constants, from which the runtime builds `SCHEMA`.

use std::ops::Range;

use proc_macro2::{Group, Literal, TokenStream};
use quote::quote;
use redis_keys_schema::{Placeholder, Renew, Ttl, shown_type};
use syn::LitStr;

use super::expand::Expansion;
use crate::position::position;
use crate::tokens::parenthesized;

impl Expansion<'_> {
    /// The `Declaration` of the runtime.
    pub(super) fn declaration(&self) -> Group {
        let name = self.input.item.ident.to_string();
        let template = &self.template.text;
        let parameters: Vec<_> = self.template.placeholders().filter_map(|one| self.parameter(one)).collect();
        let parameters = parameters.join("\n");
        let kind = Literal::u8_unsuffixed(self.kind.number());
        let value = self.declaration.options.value.as_ref().map(|given| self.type_at(&given.range)).unwrap_or_default();
        let (ttl, jitter) = match self.declaration.ttl() {
            Some(Ttl::After(ttl)) => (ttl, self.declaration.jitter().unwrap_or_default()),
            _ => Default::default(),
        };
        let (ttl, jitter) = (Literal::u128_unsuffixed(ttl.as_millis()), Literal::u128_unsuffixed(jitter.as_millis()));
        let (file, line, _) = position(self.input.item.ident.span()).unwrap_or_default();
        let line = Literal::usize_unsuffixed(line);
        let docs = self.input.docs();
        parenthesized(quote!(#name, #template, #kind, #parameters, #value, #file, #docs, #ttl, #jitter, #line))
    }

    /// The `RareOptions` of the runtime, if one of its options is given.
    pub(super) fn rare_options(&self) -> Option<Group> {
        let options = &self.declaration.options;
        let reason = options.reason.as_ref().map(|given| self.unescaped(&given.range));
        let owner = options.owner.as_ref().map(|given| self.unescaped(&given.range));
        let owner = owner.or_else(|| self.declaration.inherited_owner().map(str::to_owned));
        let max_bytes = self.declaration.max_bytes();
        let renew = options.renew.as_ref().and_then(|given| given.value);
        let field = options.field.as_ref().map(|given| self.type_at(&given.range));
        let caps = self.caps();
        let texts = [&reason, &owner].into_iter().any(Option::is_some) || field.is_some();
        if !texts && max_bytes.is_none() && renew.is_none() && caps.is_none() {
            return None;
        }
        let (reason, owner) = (reason.unwrap_or_default(), owner.unwrap_or_default());
        let field = field.unwrap_or_default();
        let max_bytes = Literal::u64_unsuffixed(max_bytes.unwrap_or_default());
        let (renew, below) = renewal(renew);
        let caps = caps.unwrap_or_else(|| parenthesized(quote!(0, 0, 0, false, 0)));
        Some(parenthesized(quote!(#reason, #owner, #field, #max_bytes, #renew, #below, #caps)))
    }

    /// `allowed "lint: reason"` with a line for each lint that the declaration opts out of.
    pub(super) fn allowed(&self) -> Option<TokenStream> {
        let options = &self.declaration.options;
        let lines = options.allow.iter().zip(&options.allow_reasons).filter_map(|(lint, reason)| {
            // One line for each, also if the reason has several.
            let reason = self.unescaped(reason).split_whitespace().collect::<Vec<_>>().join(" ");
            Some(format!("{}: {reason}", lint.value.as_ref()?))
        });
        let lines = lines.collect::<Vec<_>>().join("\n");
        (!lines.is_empty()).then(|| quote!(allowed #lines))
    }

    /// `pattern (number of the pattern, its options)`, the `PatternNumbers` of the runtime, if the key follows one.
    pub(super) fn pattern(&self) -> Option<TokenStream> {
        let declaration = self.declaration;
        let (pattern, options) = if let Some(cache) = declaration.cache() {
            (1, [cache.null_ttl.as_millis(), cache.lease.as_millis(), cache.refresh.unwrap_or_default().into()])
        } else if declaration.is_lock() {
            (2, [0; 3])
        } else if let Some(limit) = declaration.limit() {
            (3, [limit.rate.count.into(), limit.rate.per.as_millis(), limit.burst.into()])
        } else {
            let jobs = declaration.jobs()?;
            (4, [jobs.lease.as_millis(), jobs.tries.into(), 0])
        };
        let (pattern, [first, second, third]) =
            (Literal::u8_unsuffixed(pattern), options.map(Literal::u128_unsuffixed));
        Some(quote!(pattern (#pattern, #first, #second, #third)))
    }

    /// `(max_len, max_member_bytes, elements to keep, whether approximately, max_key_bytes)`, if one is given.
    fn caps(&self) -> Option<Group> {
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
        Some(parenthesized(quote!(#max_len, #member_bytes, #kept, #about, #key_bytes)))
    }

    /// `name: type` with the encoding from the template, which the runtime's `Parameters` parses.
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
        Some(format!("{tag}{}{form}: {}", field.name, shown_type(&field.ty)))
    }

    /// The value of the string literal around a range: its text with the escapes resolved.
    fn unescaped(&self, range: &Range<usize>) -> String {
        let literal = self.input.attributes.first().and_then(|first| first.rendered.literal_around(range));
        let literal = literal.and_then(|literal| syn::parse_str::<LitStr>(self.text_at(&literal)).ok());
        literal.map_or_else(|| self.text_at(range).to_owned(), |literal| literal.value())
    }

    fn type_at(&self, range: &Range<usize>) -> String {
        shown_type(self.text_at(range))
    }

    fn text_at(&self, range: &Range<usize>) -> &str {
        self.input.attributes.first().and_then(|first| first.rendered.text.get(range.clone())).unwrap_or_default()
    }
}

/// When the expiry is renewed, as a number, and the threshold in milliseconds.
fn renewal(renew: Option<Renew>) -> (Literal, Literal) {
    let (number, below) = match renew {
        None => (0, 0),
        Some(Renew::Write) => (1, 0),
        Some(Renew::Read) => (2, 0),
        Some(Renew::Below(left)) => (3, left.as_millis()),
    };
    (Literal::u8_unsuffixed(number), Literal::u128_unsuffixed(below))
}
