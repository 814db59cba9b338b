//! The declaration as constants, from which the runtime builds `SCHEMA`.

use proc_macro2::{Group, Literal, TokenStream};
use quote::quote;
use redis_keys_schema::catalogue::{Parameter, ParameterForm, Pattern};
use redis_keys_schema::{Renew, Ttl};

use super::expand::Expansion;
use crate::tokens::parenthesized;

impl Expansion<'_> {
    /// The `Declaration` of the runtime.
    pub(super) fn declaration(&self) -> Group {
        let (template, texts, item) = (&self.template.text, &self.texts, self.input.item());
        let parameters = self.template.placeholders().filter_map(|one| Parameter::of(one, &item));
        let parameters = parameters.map(|parameter| line(&parameter)).collect::<Vec<_>>().join("\n");
        let kind = Literal::u8_unsuffixed(self.kind.number());
        let (ttl, jitter) = match self.declaration.ttl() {
            Some(Ttl::After(ttl)) => (ttl, self.declaration.jitter().unwrap_or_default()),
            _ => Default::default(),
        };
        let (ttl, jitter) = (Literal::u128_unsuffixed(ttl.as_millis()), Literal::u128_unsuffixed(jitter.as_millis()));
        let (name, value, docs, file) = (&texts.name, &texts.value, &texts.docs, &texts.file);
        let line = Literal::usize_unsuffixed(texts.line);
        parenthesized(quote!(#name, #template, #kind, #parameters, #value, #file, #docs, #ttl, #jitter, #line))
    }

    /// The `RareOptions` of the runtime, if one of its options is given.
    pub(super) fn rare_options(&self) -> Option<Group> {
        let (reason, owner, field) = (&self.texts.reason, &self.texts.owner, &self.texts.field);
        let max_bytes = self.declaration.max_bytes();
        let renew = self.declaration.options.renew.as_ref().and_then(|given| given.value);
        let caps = self.caps();
        let has_texts = [reason, owner, field].into_iter().any(|text| !text.is_empty());
        if !has_texts && max_bytes.is_none() && renew.is_none() && caps.is_none() {
            return None;
        }
        let max_bytes = Literal::u64_unsuffixed(max_bytes.unwrap_or_default());
        let (renew, below) = renewal(renew);
        let caps = caps.unwrap_or_else(|| parenthesized(quote!(0, 0, 0, false, 0)));
        Some(parenthesized(quote!(#reason, #owner, #field, #max_bytes, #renew, #below, #caps)))
    }

    /// `allowed "lint: reason"` with a line for each lint that the declaration opts out of.
    pub(super) fn allowed(&self) -> Option<TokenStream> {
        let lines = self.texts.allowed.iter().map(|allowed| format!("{}: {}", allowed.lint, allowed.reason));
        let lines = lines.collect::<Vec<_>>().join("\n");
        (!lines.is_empty()).then(|| quote!(allowed #lines))
    }

    /// `pattern (number of the pattern, its options)`, the `PatternNumbers` of the runtime, if the key follows one.
    pub(super) fn pattern(&self) -> Option<TokenStream> {
        let (pattern, options) = match Pattern::of(self.declaration)? {
            Pattern::Cache(cache) => {
                (1, [cache.null_ttl.as_millis(), cache.lease.as_millis(), cache.refresh.unwrap_or_default().into()])
            }
            Pattern::Lock => (2, [0; 3]),
            Pattern::Limit(limit) => (3, [limit.rate.count.into(), limit.rate.per.as_millis(), limit.burst.into()]),
            Pattern::Jobs(jobs) => (4, [jobs.lease.as_millis(), jobs.tries.into(), 0]),
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
}

/// `name: type` with the encoding from the template, which the runtime's `Parameters` parses.
fn line(parameter: &Parameter) -> String {
    let Parameter { name, type_name, hash_tag, form, .. } = parameter;
    let tag = if *hash_tag { "#" } else { "" };
    match form {
        ParameterForm::Plain => format!("{tag}{name}: {type_name}"),
        ParameterForm::Shard(shards) => format!("{tag}{name} % {shards}: {type_name}"),
        ParameterForm::Copy(copies) => format!("{tag}{name} of {copies}: {type_name}"),
        ParameterForm::Encoded(encoding) => format!("{tag}{name} {}: {type_name}", encoding.name()),
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
