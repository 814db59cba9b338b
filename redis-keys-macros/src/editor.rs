//! The words of attributes as Rust code, for rust-analyzer only: it treats a word in an attribute like the same token in
//! the expansion.
//!
//! ```text
//! #[redis_key(user:name:{user_id}:string, value = Json<Name>, ttl = 1h)]
//!
//! let _ = UserName { user_id: any(), ..any() };                 // a placeholder is a field
//! fn __type() where (): types::string {}                        // the type of a key is a trait
//! let _ = KeyOptions { value: any(), ttl: any(), ..any() };     // an option is a field with documentation
//! let _ = CacheOptions { null_ttl: any(), ..any() };            // the same for an option of a role
//! let _: (Json<Name>);                                          // the type of a value is a type
//! let _: renewals::write;                                       // another word that a value can be is a type
//! mod user {}                                                   // the first word has the summary as documentation
//! ```
//!
//! To complete a word, rust-analyzer expands the derive again with a marker inserted into the word, and compares both
//! expansions at the place of the marked word. Therefore this code comes first in the expansion, and the code in front
//! of a word does not depend on the word or on whether the item is valid.

use std::env;
use std::sync::LazyLock;

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use redis_keys_schema::{RoleName, option_names};
use redis_keys_syntax::{Input, KeyAttribute, Tokens};
use syn::ext::IdentExt;

/// The text that rust-analyzer inserts into the word that it completes.
const MARKER: &str = "raCompletionMarker";

/// Stands for a missing or unknown word, because rust-analyzer reports unknown fields. It is longer than other words,
/// because the place of the completed word must exist in the expansion without the marker.
const UNKNOWN: &str = "__a_word_that_is_missing_or_unknown";

/// The options of an attribute: the name and the fields of a struct in the module `__private::editor` of the runtime.
struct Options {
    name: &'static str,
    fields: Vec<&'static str>,
}

impl Options {
    /// The options of a key, or the options in the parentheses of a role.
    fn of_key(role: Option<RoleName>) -> Option<Self> {
        let name = match role {
            None => "KeyOptions",
            Some(RoleName::Cache) => "CacheOptions",
            Some(RoleName::Limit) => "LimitOptions",
            Some(RoleName::Jobs) => "JobsOptions",
            Some(RoleName::Bloom) => "BloomOptions",
            Some(RoleName::Lock) => return None,
        };
        Some(Self { name, fields: option_names(role) })
    }

    fn of_parameter() -> Self {
        Self { name: "ParameterOptions", fields: vec!["digest", "base32", "slug", "no_colon"] }
    }

    fn of_record_field() -> Self {
        Self { name: "RecordFieldOptions", fields: vec!["rename", "default", "value", "ttl"] }
    }

    fn of_variant() -> Self {
        Self { name: "VariantOptions", fields: vec!["rename"] }
    }
}

/// The words that the value of an option can be: types in a module of `__private::editor` of the runtime.
struct ValueWords {
    option: &'static str,
    module: &'static str,
    words: &'static [&'static str],
}

const VALUES: [ValueWords; 2] = [
    ValueWords { option: "ttl", module: "ttls", words: &["never"] },
    ValueWords { option: "renew", module: "renewals", words: &["write", "read", "below"] },
];

/// Whether rust-analyzer runs the derive: its process for macros is `rust-analyzer-proc-macro-srv`.
pub(crate) fn is_running() -> bool {
    static IS_RUNNING: LazyLock<bool> = LazyLock::new(|| {
        let program = env::current_exe().ok();
        let name = program.as_deref().and_then(|path| path.file_name()?.to_str());
        name.is_some_and(|name| name.starts_with("rust-analyzer"))
    });
    *IS_RUNNING
}

/// The code that `expand` returns, if rust-analyzer runs the derive.
pub(crate) fn code(expand: impl FnOnce() -> TokenStream) -> TokenStream {
    if is_running() { expand() } else { TokenStream::new() }
}

/// The code for a key. `summary` describes a valid declaration.
pub(crate) fn of_key(input: &Input<'_>, summary: &str, krate: &Tokens) -> TokenStream {
    let words = Words { input, krate };
    let arguments = input.attributes.first().map(|first| split(first.rendered.tokens())).unwrap_or_default();
    let Some((template, options)) = arguments.split_first() else { return TokenStream::new() };
    let mut code = words.template(template, options);
    code.extend(words.key_options(options));
    code.extend(words.of_fields(&Options::of_parameter()));
    code.extend(summary_of(template, summary));
    words.scope(&code)
}

/// The code for a record.
pub(crate) fn of_record(input: &Input<'_>, krate: &Tokens) -> TokenStream {
    let words = Words { input, krate };
    words.scope(&words.of_fields(&Options::of_record_field()))
}

/// The code for a parameter type.
pub(crate) fn of_segment(input: &Input<'_>, krate: &Tokens) -> TokenStream {
    let words = Words { input, krate };
    let attributes = input.variants.iter().flat_map(|variant| &variant.attributes);
    let options = Options::of_variant();
    words.scope(&attributes.map(|attribute| words.of_attribute(&options, attribute)).collect())
}

struct Words<'w> {
    input: &'w Input<'w>,
    krate: &'w Tokens,
}

impl Words<'_> {
    /// A function with the generic parameters of the item.
    fn scope(&self, code: &TokenStream) -> TokenStream {
        let (params, _, bounds) = self.input.item.generics.split_for_impl();
        quote!(const _: () = { fn __declaration #params () #bounds { #code } };)
    }

    /// The placeholders as fields, and the last word as a trait.
    fn template(&self, template: &[TokenTree], options: &[Vec<TokenTree>]) -> TokenStream {
        let groups = template.iter().filter_map(|token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group.stream()),
            _ => None,
        });
        let is_word = |token: &TokenTree| matches!(token, TokenTree::Ident(_) | TokenTree::Literal(_));
        let mut code: TokenStream = groups.map(|group| self.field(group.into_iter().find(is_word).as_ref())).collect();
        if let Some(TokenTree::Ident(word)) = template.last() {
            let has = |name| options.iter().any(|option| is_option(option, name));
            let types = match RoleName::ALL.into_iter().find(|role| has(role.name())) {
                _ if has("field") => "types_with_field",
                Some(RoleName::Cache) => "types_of_cached_keys",
                Some(RoleName::Lock) => "types_of_locks",
                Some(RoleName::Limit) => "types_of_limits",
                Some(RoleName::Jobs) => "types_of_queues",
                Some(RoleName::Bloom) => "types_of_filters",
                None => "types",
            };
            let types = Ident::new(types, Span::call_site());
            let (word, krate) = (usable(word), self.krate);
            code.extend(quote!(fn __type() where (): #krate::__private::editor::#types::#word {}));
        }
        code
    }

    /// A word as a field of the struct.
    fn field(&self, word: Option<&TokenTree>) -> TokenStream {
        let is_field = |text: &str| self.input.fields.iter().any(|field| field.name == text);
        let ((name, is_known), krate) = (known_or_marked(word, is_field), self.krate);
        if is_known {
            let key = &self.input.item.ident;
            return quote!(let _ = #key { #name: #krate::__private::editor::any(), ..#krate::__private::editor::any() };);
        }
        if self.input.fields.iter().any(|field| field.field.ident.is_none()) {
            // The fields of a tuple struct have no names to complete.
            return TokenStream::new();
        }
        let fields = self.fields();
        quote!({
            let _ = __Fields { #name: #krate::__private::editor::any(), ..#krate::__private::editor::any() };
            #fields
        })
    }

    /// A struct with the fields that an unknown placeholder can be.
    fn fields(&self) -> TokenStream {
        let (params, _, bounds) = self.input.item.generics.split_for_impl();
        let fields = self.input.fields.iter().map(|field| {
            let (name, ty) = (written(&field.name, Span::call_site()), &field.field.ty);
            let docs = field.field.attrs.iter().filter(|attribute| attribute.path().is_ident("doc"));
            quote!(#(#docs)* #name: #ty,)
        });
        let unknown = Ident::new(UNKNOWN, Span::call_site());
        quote!(struct __Fields #params #bounds { #(#fields)* #unknown: () })
    }

    /// The options in the attributes of fields.
    fn of_fields(&self, options: &Options) -> TokenStream {
        let attributes = self.input.fields.iter().flat_map(|field| &field.attributes);
        attributes.map(|attribute| self.of_attribute(options, attribute)).collect()
    }

    fn of_attribute(&self, options: &Options, attribute: &KeyAttribute<'_>) -> TokenStream {
        self.options(options, &split(attribute.rendered.tokens()))
    }

    /// The options of a key, then the options of its roles.
    fn key_options(&self, given: &[Vec<TokenTree>]) -> TokenStream {
        let mut code = TokenStream::new();
        code.extend(Options::of_key(None).map(|options| self.options(&options, given)));
        for option in given {
            let [TokenTree::Ident(role), TokenTree::Group(inside), ..] = option.as_slice() else { continue };
            let role = RoleName::from_name(&role.to_string());
            if let Some(options) = role.and_then(|role| Options::of_key(Some(role))) {
                let inside: Vec<_> = inside.stream().into_iter().collect();
                code.extend(self.options(&options, &split(inside.iter())));
            }
        }
        code
    }

    /// The names of options as fields, then the values that are types, fields or certain words.
    fn options(&self, options: &Options, given: &[Vec<TokenTree>]) -> TokenStream {
        let Self { krate, .. } = self;
        let names = given.iter().map(|option| known_or_marked(option.first(), |text| options.fields.contains(&text)).0);
        let name = Ident::new(options.name, Span::call_site());
        let mut code = quote! {
            let _ = #krate::__private::editor::#name {
                #(#names: #krate::__private::editor::any(),)*
                ..#krate::__private::editor::any()
            };
        };
        for option in given {
            let [_, TokenTree::Punct(_), value @ ..] = option.as_slice() else { continue };
            if is_option(option, "value") || is_option(option, "field") {
                code.extend(self.value_type(value));
            } else if is_option(option, "ttl_from_end_of") {
                code.extend(self.field(value.first()));
            } else if let Some(words) = VALUES.iter().find(|words| is_option(option, words.option)) {
                code.extend(self.value_word(words, value));
            }
        }
        code
    }

    /// A value that is a known word, or begins with one. A number is not a word.
    fn value_word(&self, words: &ValueWords, value: &[TokenTree]) -> Option<TokenStream> {
        if let Some(TokenTree::Literal(_)) = value.first() {
            return None;
        }
        let (krate, module) = (self.krate, Ident::new(words.module, Span::call_site()));
        let (word, _) = known_or_marked(value.first(), |text| words.words.contains(&text));
        Some(quote!({ let _: #krate::__private::editor::#module::#word; }))
    }

    /// The type of a value, if it is one, or nothing yet.
    fn value_type(&self, value: &[TokenTree]) -> Option<TokenStream> {
        let (ty, krate) = (value.iter().cloned().collect::<TokenStream>(), self.krate);
        let is_type = value.is_empty() || syn::parse2::<syn::Type>(ty.clone()).is_ok();
        is_type.then(|| quote!({ use #krate::__private::editor::forms::*; let _: (#ty); }))
    }
}

/// The first word of the template, which names the module of the key.
fn summary_of(template: &[TokenTree], summary: &str) -> Option<TokenStream> {
    match template.first()? {
        TokenTree::Ident(word) if !summary.is_empty() => {
            let word = usable(word);
            Some(quote!({ #[doc = #summary] mod #word {} }))
        }
        _ => None,
    }
}

/// Whether the tokens start with the name of an option.
fn is_option(tokens: &[TokenTree], name: &str) -> bool {
    matches!(tokens.first(), Some(TokenTree::Ident(given)) if given == name)
}

/// Returns the word as the name of a field, and whether that field exists. A word with the marker is not changed.
fn known_or_marked(word: Option<&TokenTree>, is_field: impl Fn(&str) -> bool) -> (TokenTree, bool) {
    let text = word.map(ToString::to_string).unwrap_or_default();
    let is_known = is_field(text.replace(MARKER, "").trim_start_matches("r#"));
    match word {
        Some(TokenTree::Ident(word)) if is_known || text.contains(MARKER) => (usable(word).into(), is_known),
        Some(TokenTree::Literal(number)) if is_known => (number.clone().into(), is_known),
        _ => (Ident::new(UNKNOWN, Span::call_site()).into(), false),
    }
}

/// The word as a name in code: a keyword becomes a raw name.
fn usable(word: &Ident) -> Ident {
    written(&word.unraw().to_string(), word.span())
}

fn written(name: &str, span: Span) -> Ident {
    match syn::parse_str::<Ident>(name) {
        Ok(_) => Ident::new(name, span),
        Err(_) if ["self", "Self", "super", "crate", "_"].contains(&name) => Ident::new(UNKNOWN, span),
        Err(_) => Ident::new_raw(name, span),
    }
}

/// Tokens split at the commas outside of `<…>`.
fn split<'t>(tokens: impl Iterator<Item = &'t TokenTree>) -> Vec<Vec<TokenTree>> {
    let mut arguments = vec![Vec::new()];
    let (mut depth, mut before) = (0_usize, ' ');
    for token in tokens {
        let character = match token {
            TokenTree::Punct(punct) => punct.as_char(),
            _ => ' ',
        };
        match character {
            '<' => depth += 1,
            '>' if before != '-' && before != '=' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = character;
        match arguments.last_mut() {
            Some(last) if character != ',' || depth > 0 => last.push(token.clone()),
            _ => arguments.push(Vec::new()),
        }
    }
    arguments
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use redis_keys_schema::{Policy, check};

    use super::*;
    use crate::tests::{lexed, random_tokens};
    use crate::tokens::crate_path;

    /// The code for an item with this attribute.
    fn code(attribute: &TokenStream, summary: &str) -> TokenStream {
        let item = syn::parse_quote! {
            #[redis_key(#attribute)]
            struct Case<'a, T> {
                #[redis_key(#attribute)]
                #[redis_hash(#attribute)]
                id: &'a str,
                r#type: T,
            }
        };
        let krate = crate_path(None);
        let key = of_key(&Input::new(&item), summary, &krate);
        let tuple = syn::parse_quote!(
            #[redis_key(#attribute)]
            struct Tuple(u64);
        );
        let tuple = of_key(&Input::new(&tuple), summary, &krate);
        let record = of_record(&Input::of_record(&item), &krate);
        quote!(#key #record #tuple)
    }

    fn is_rust(code: &TokenStream) -> bool {
        syn::parse2::<syn::File>(code.clone()).is_ok()
    }

    proptest! {
        #[test]
        fn the_code_for_random_tokens_is_rust(first in random_tokens(), second in random_tokens()) {
            for attribute in [
                quote!(#first, value = #second, #first),
                quote!(user:{#first}:string, #first = #second),
                quote!(user:#first, ttl_from_end_of = #second, field = #second),
            ] {
                let code = code(&attribute, "summary");
                prop_assert!(is_rust(&code), "{attribute}\n{code}");
            }
        }
    }

    #[test]
    fn keywords_are_raw_names() {
        let code = code(&lexed("type:{type}:{self}:crate, self = u64, value = Self, match = 5"), "summary");
        assert!(is_rust(&code), "{code}");
        assert!(code.to_string().contains("Case { r#type :"), "{code}");
    }

    /// In front of a word, the code is the same with the marker in the word and without.
    #[test]
    fn the_code_before_a_marked_word_is_the_same() {
        let attribute = "user:{id%5}:{ty}:str, value = Json<Pro>, ttl_from_end_of = mo, renew = wr, ttl =, ma = 5, cache(le = 1s), ";
        let mut completed = 0;
        for (end, _) in attribute.match_indices(['%', '}', ',', '>', ')']) {
            let before = |marker: &str| {
                let (before, after) = attribute.split_at(end);
                code(&lexed(&format!("{before}{marker}{after}")), "").to_string()
            };
            let (marked, plain) = (before(MARKER), before(""));
            // No code is generated for a number.
            let Some(at) = marked.find(MARKER) else { continue };
            completed += 1;
            let word = marked[..at].rfind(' ').map_or(0, |space| space + 1);
            assert_eq!(marked[..word], plain[..word], "{}", &attribute[..end]);
        }
        assert_eq!(completed, 7);
    }

    #[test]
    fn all_options_are_listed() {
        let item = syn::parse_quote!(
            #[redis_key(user:name:string, nothing = 5)]
            struct Case;
        );
        let diagnostics = check(&Input::new(&item).item(), &Policy::default()).diagnostics;
        let listed = diagnostics.iter().map(ToString::to_string).find(|text| text.contains("the options"));
        let listed = listed.unwrap_or_default();
        let fields = option_names(None);
        let words: Vec<_> = listed.split('`').skip(1).step_by(2).filter(|word| fields.contains(word)).collect();
        assert_eq!(words, fields, "{listed}");
    }

    #[test]
    fn all_words_of_values_are_documented() {
        let runtime = include_str!("../../redis-keys/src/__private/editor.rs");
        for words in VALUES {
            let start = format!("pub mod {} {{", words.module);
            let module = runtime.split(&start).nth(1).and_then(|rest| rest.split("\n}").next()).unwrap_or_default();
            let name = |line: &'static str| line.trim().strip_prefix("pub struct ")?.strip_suffix(';');
            let names: Vec<_> = module.lines().filter_map(name).collect();
            let expected: Vec<_> = words.words.iter().copied().chain([UNKNOWN]).collect();
            assert_eq!(names, expected, "{}", words.module);
        }
    }

    #[test]
    fn all_options_are_documented() {
        let runtime = include_str!("../../redis-keys/src/__private/editor.rs");
        let of_keys = [None].into_iter().chain(RoleName::ALL.map(Some)).filter_map(Options::of_key);
        let others = [Options::of_parameter(), Options::of_record_field(), Options::of_variant()];
        for options in of_keys.chain(others) {
            let start = format!("pub struct {} {{", options.name);
            let fields = runtime.split(&start).nth(1).and_then(|rest| rest.split("\n}").next()).unwrap_or_default();
            let name = |line: &'static str| line.trim().strip_prefix("pub ")?.split(':').next();
            let names: Vec<_> = fields.lines().filter_map(name).collect();
            let expected: Vec<_> = options.fields.iter().copied().chain([UNKNOWN]).collect();
            assert_eq!(names, expected, "{}", options.name);
        }
    }
}
