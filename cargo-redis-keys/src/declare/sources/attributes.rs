//! The attributes of an item, with `cfg_attr` unfolded and `cfg` decided.

use proc_macro2::TokenTree;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Path, Token};

use super::cfg::{Condition, Configuration, Truth};

/// The attributes of an item that is or may be compiled.
pub(super) struct Attributes {
    /// The attributes, each with the conditions that may hold for it.
    pub(super) all: Vec<(Attribute, Vec<String>)>,
    /// The conditions that may hold for the item.
    pub(super) conditions: Vec<String>,
}

impl Attributes {
    /// Reads the attributes of an item. `None` if the item is not compiled.
    pub(super) fn read(attributes: &[Attribute], configuration: &Configuration<'_>) -> Option<Self> {
        let mut read = Self { all: Vec::new(), conditions: Vec::new() };
        attributes.iter().all(|attribute| read.add(attribute.clone(), &[], configuration)).then_some(read)
    }

    /// Adds an attribute. Returns whether the item can be compiled with it.
    fn add(&mut self, attribute: Attribute, conditions: &[String], configuration: &Configuration<'_>) -> bool {
        if attribute.path().is_ident("cfg") {
            let Some(condition) = attribute.parse_args::<Condition>().ok() else { return true };
            match configuration.evaluate(&condition) {
                Truth::Yes => {}
                // Behind a `cfg_attr` that may not hold, the item may be compiled.
                Truth::No if conditions.is_empty() => return false,
                Truth::No | Truth::Maybe => self.conditions.push(condition.to_string()),
            }
        } else if attribute.path().is_ident("cfg_attr") {
            let Some((condition, metas)) = parsed(&attribute, unfolded) else { return true };
            let truth = configuration.evaluate(&condition);
            let mut conditions = conditions.to_vec();
            if truth == Truth::Maybe {
                conditions.push(condition.to_string());
            }
            let inner = metas.into_iter().map(|meta| Attribute { meta, ..attribute.clone() });
            return truth == Truth::No || inner.into_iter().all(|inner| self.add(inner, &conditions, configuration));
        } else {
            self.all.push((attribute, conditions.to_vec()));
        }
        true
    }

    /// The attributes of a name.
    pub(super) fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a (Attribute, Vec<String>)> {
        self.all.iter().filter(move |(attribute, _)| attribute.path().is_ident(name))
    }

    /// Whether warnings of deprecated items, as lints report theirs, are silenced. `None` if the attributes do not say.
    pub(super) fn silence(&self) -> Option<bool> {
        let levels = self.all.iter().filter_map(|(attribute, _)| {
            let silences = match attribute.path().get_ident()?.to_string().as_str() {
                "allow" | "expect" => true,
                "warn" | "deny" | "forbid" => false,
                _ => return None,
            };
            let Meta::List(list) = &attribute.meta else { return None };
            let mut names = list.tokens.clone().into_iter();
            names
                .any(|token| matches!(token, TokenTree::Ident(name) if name == "deprecated" || name == "warnings"))
                .then_some(silences)
        });
        levels.fold(None, |_, level| Some(level))
    }

    /// The derives.
    pub(super) fn derives(&self) -> impl Iterator<Item = Path> {
        let paths = |attribute| parsed(attribute, Punctuated::<Path, Token![,]>::parse_terminated);
        self.named("derive").filter_map(move |(attribute, _)| paths(attribute)).flatten()
    }
}

/// The condition of a `cfg_attr`, and its attributes.
fn unfolded(input: ParseStream<'_>) -> syn::Result<(Condition, Punctuated<Meta, Token![,]>)> {
    let condition = input.parse()?;
    if !input.is_empty() {
        input.parse::<Token![,]>()?;
    }
    Ok((condition, Punctuated::parse_terminated(input)?))
}

/// The arguments of an attribute, if they parse.
fn parsed<T>(attribute: &Attribute, parser: impl FnOnce(ParseStream<'_>) -> syn::Result<T>) -> Option<T> {
    attribute.parse_args_with(parser).ok()
}
