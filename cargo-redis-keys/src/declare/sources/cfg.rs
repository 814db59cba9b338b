//! Attributes, and `cfg` in three values: a condition that only the compiler knows may hold.

use std::collections::HashSet;
use std::env;
use std::path::Path;
use std::process::Command;

use proc_macro2::TokenTree;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, LitBool, LitStr, Meta, Token, parenthesized};

use super::project::Package;
use crate::Failure;

/// Whether a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Truth {
    No,
    Maybe,
    Yes,
}

impl From<bool> for Truth {
    fn from(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }
}

/// The names that the compiler sets. A condition with such a name is false unless the compiler prints the name.
const KNOWN: &str = "clippy debug_assertions doc doctest fmt_debug miri overflow_checks panic proc_macro \
    relocation_model sanitize target_abi target_arch target_endian target_env target_family target_feature \
    target_has_atomic target_os target_pointer_width target_thread_local target_vendor ub_checks unix windows";

/// The options that the compiler sets for every target.
#[derive(Clone, Debug, Default)]
pub(super) struct CfgOptions(HashSet<(String, Option<String>)>);

impl CfgOptions {
    /// Asks the compiler. The folder decides which compiler it is, where there are several.
    pub(super) fn load(folder: &Path) -> Result<Self, Failure> {
        let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let mut command = Command::new(&compiler);
        command.args(["--print", "cfg"]).current_dir(folder);
        if let Ok(target) = env::var("CARGO_BUILD_TARGET") {
            command.args(["--target", &target]);
        }
        if let Ok(flags) = env::var("RUSTFLAGS") {
            command.args(flags.split_whitespace());
        }
        let output = command.output();
        let cannot = |why: &dyn std::fmt::Display| {
            let message = format!("cannot run `{} --print cfg`: {why}", compiler.to_string_lossy());
            Failure::new(message).help("install Rust, or set `RUSTC` to the compiler")
        };
        let output = output.map_err(|error| cannot(&error))?;
        if !output.status.success() {
            return Err(cannot(&String::from_utf8_lossy(&output.stderr).trim_end()));
        }
        Ok(Self::parse(&String::from_utf8_lossy(&output.stdout)))
    }

    /// Reads the compiler's output.
    pub(super) fn parse(text: &str) -> Self {
        let option = |line: &str| match line.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.trim_matches('"').to_owned())),
            None => (line.to_owned(), None),
        };
        Self(text.lines().map(|line| option(line.trim())).collect())
    }
}

/// The options that are set for a target.
#[derive(Clone, Copy)]
pub(super) struct Configuration<'p> {
    pub(super) printed: &'p CfgOptions,
    pub(super) package: &'p Package,
    /// Whether it is built as a test.
    pub(super) is_test: bool,
}

impl Configuration<'_> {
    /// Whether a condition holds.
    pub(super) fn evaluate(&self, condition: &Condition) -> Truth {
        match condition {
            Condition::Literal(holds) => (*holds).into(),
            Condition::Option(name, value) => self.option(name, value.as_ref()),
            Condition::All(all) => all.iter().map(|one| self.evaluate(one)).min().unwrap_or(Truth::Yes),
            Condition::Any(any) => any.iter().map(|one| self.evaluate(one)).max().unwrap_or(Truth::No),
            Condition::Not(inner) => match self.evaluate(inner) {
                Truth::No => Truth::Yes,
                Truth::Maybe => Truth::Maybe,
                Truth::Yes => Truth::No,
            },
            Condition::Other(_) => Truth::Maybe,
        }
    }

    fn option(&self, name: &str, value: Option<&String>) -> Truth {
        match (name, value) {
            ("test", None) => self.is_test.into(),
            _ if self.package.any_condition => Truth::Maybe,
            ("feature", Some(feature)) => self.package.features.contains(feature).into(),
            _ if self.printed.0.contains(&(name.to_owned(), value.cloned())) => Truth::Yes,
            _ if KNOWN.split(' ').any(|known| known == name) => Truth::No,
            // A build script or a flag can set it.
            _ => Truth::Maybe,
        }
    }
}

/// The condition of a `cfg`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    Literal(bool),
    Option(String, Option<String>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    /// Something that the compiler may know, by its text.
    Other(String),
}

impl Parse for Condition {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitBool) {
            return Ok(Self::Literal(input.parse::<LitBool>()?.value));
        }
        let name = input.call(Ident::parse_any)?.unraw().to_string();
        if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            return Ok(Self::Option(name, Some(input.parse::<LitStr>()?.value())));
        }
        if !input.peek(syn::token::Paren) {
            return Ok(Self::Option(name, None));
        }
        let inside;
        parenthesized!(inside in input);
        if !matches!(&*name, "all" | "any" | "not") {
            return Ok(Self::Other(format!("{name}({})", inside.parse::<proc_macro2::TokenStream>()?)));
        }
        let mut parts: Vec<_> = Punctuated::<Self, Token![,]>::parse_terminated(&inside)?.into_iter().collect();
        Ok(match &*name {
            "all" => Self::All(parts),
            "any" => Self::Any(parts),
            _ => match parts.pop() {
                Some(part) if parts.is_empty() => Self::Not(Box::new(part)),
                _ => return Err(inside.error("expected one condition")),
            },
        })
    }
}

impl std::fmt::Display for Condition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |parts: &[Self]| parts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Self::Literal(holds) => write!(f, "{holds}"),
            Self::Option(name, None) | Self::Other(name) => f.write_str(name),
            Self::Option(name, Some(value)) => write!(f, "{name} = {value:?}"),
            Self::All(parts) => write!(f, "all({})", list(parts)),
            Self::Any(parts) => write!(f, "any({})", list(parts)),
            Self::Not(part) => write!(f, "not({part})"),
        }
    }
}

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

    /// A name's attributes.
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
    pub(super) fn derives(&self) -> impl Iterator<Item = syn::Path> {
        let paths = |attribute| parsed(attribute, Punctuated::<syn::Path, Token![,]>::parse_terminated);
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

/// An attribute's arguments, if they parse.
fn parsed<T>(attribute: &Attribute, parser: impl FnOnce(ParseStream<'_>) -> syn::Result<T>) -> Option<T> {
    attribute.parse_args_with(parser).ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on")]
mod tests {
    use super::*;

    #[test]
    fn conditions_have_three_values() {
        let printed = CfgOptions::parse("unix\ntarget_os=\"linux\"\nfrom_flags\n");
        let package = Package::named("shop", ["cache"]);
        for (condition, expected) in [
            ("unix", Truth::Yes),
            ("windows", Truth::No),
            ("target_os = \"linux\"", Truth::Yes),
            ("target_os = \"macos\"", Truth::No),
            ("from_flags", Truth::Yes),
            ("loom", Truth::Maybe),
            ("not(loom)", Truth::Maybe),
            ("feature = \"cache\"", Truth::Yes),
            ("feature = \"other\"", Truth::No),
            ("test", Truth::No),
            ("all()", Truth::Yes),
            ("any()", Truth::No),
            ("all(unix, loom)", Truth::Maybe),
            ("all(windows, loom)", Truth::No),
            ("any(unix, loom,)", Truth::Yes),
            ("not(any(windows, test))", Truth::Yes),
            ("true", Truth::Yes),
            ("not(true)", Truth::No),
            ("version(\"1.90\")", Truth::Maybe),
            ("r#unix", Truth::Yes),
        ] {
            let parsed: Condition = syn::parse_str(condition).unwrap();
            let configuration = Configuration { printed: &printed, package: &package, is_test: false };
            assert_eq!(configuration.evaluate(&parsed), expected, "{condition}");
        }
    }

    #[test]
    fn any_feature_and_platform_may_be_meant() {
        let printed = CfgOptions::parse("unix\n");
        let package = Package { any_condition: true, ..Package::named("shop", ["cache"]) };
        let configuration = Configuration { printed: &printed, package: &package, is_test: false };
        for condition in ["unix", "windows", "feature = \"cache\"", "feature = \"other\"", "not(unix)"] {
            let parsed: Condition = syn::parse_str(condition).unwrap();
            assert_eq!(configuration.evaluate(&parsed), Truth::Maybe, "{condition}");
        }
        assert_eq!(configuration.evaluate(&syn::parse_str("test").unwrap()), Truth::No);
    }

    #[test]
    fn a_condition_is_shown_as_it_is_written() {
        for text in ["loom", "all(unix, not(feature = \"a\"))", "any(loom, test)", "true"] {
            assert_eq!(syn::parse_str::<Condition>(text).unwrap().to_string(), text);
        }
        for text in ["", "not(a, b)", "all(a b)", "5", "a = b"] {
            assert!(syn::parse_str::<Condition>(text).is_err(), "{text}");
        }
    }
}
