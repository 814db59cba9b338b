//! `allow(lint, reason = "…")`: the lints that a key opts out of.

use super::{Lint, OVERLAP, Warning};
use crate::Rule;
use crate::attribute::Given;
use crate::declaration::Declaration;
use crate::diagnostic::Diagnostic;
use crate::policy::POLICY_FILE;
use crate::suggest::{list, nearest};

/// What a key can opt out of.
fn names() -> impl Iterator<Item = &'static str> {
    let of_keys = Lint::ALL.into_iter().filter(|lint| *lint != Lint::MisspeltModule);
    of_keys.map(Lint::name).chain([OVERLAP])
}

/// Each name is that of a lint, and stands there once.
pub(crate) fn check(declaration: &mut Declaration, diagnostics: &mut Vec<Diagnostic>) {
    let told = diagnostics.len();
    check_names(&declaration.options.allow, diagnostics);
    declaration.options.allow_is_wrong |= diagnostics.len() > told;
}

fn check_names(allow: &[Given<String>], diagnostics: &mut Vec<Diagnostic>) {
    for (number, given) in allow.iter().enumerate() {
        let name = given.value.as_deref().unwrap_or_default();
        if names().any(|known| known == name) {
            let first = allow.iter().take(number).find(|first| first.value == given.value);
            diagnostics.extend(first.map(|first| twice(name, first, given)));
            continue;
        }
        if name == Lint::MisspeltModule.name() {
            let message = format!("`{name}` speaks of {POLICY_FILE}, and of no key");
            let help = format!("remove it, and write `{name} = \"allow\"` below `[lints]` in {POLICY_FILE}");
            diagnostics.push(Diagnostic::at(given.range.clone(), Rule::Declaration, message).help(help));
            continue;
        }
        let message = format!("there is no lint `{name}`");
        let (message, help) = match nearest(name, names()) {
            Some(near) => (format!("{message}: did you mean `{near}`?"), format!("write `{near}`")),
            None => (message, format!("the lints are {}", list(names(), "and"))),
        };
        diagnostics.push(Diagnostic::at(given.range.clone(), Rule::Declaration, message).help(help));
    }
}

fn twice(name: &str, first: &Given<String>, given: &Given<String>) -> Diagnostic {
    // Another `allow` has a reason of its own.
    let help = if first.name == given.name { "remove it" } else { "keep one of the two, with its reason" };
    let message = format!("this key opts out of `{name}` already");
    Diagnostic::at(given.range.clone(), Rule::Declaration, message).help(help)
}

/// The lints that the key opts out of.
pub(super) fn allowed(declaration: &Declaration) -> Vec<Lint> {
    let names = declaration.options.allow.iter().filter_map(|given| given.value.as_deref());
    names.filter_map(Lint::from_name).collect()
}

/// An opt-out of what would not be told anyhow. What hangs on other keys, `overlap` and `sibling_fields`, is not known here.
pub(super) fn check_unneeded(declaration: &Declaration, found: &mut Vec<Warning>) {
    for given in &declaration.options.allow {
        let lint = given.value.as_deref().and_then(Lint::from_name);
        let Some(lint) = lint.filter(|lint| !matches!(lint, Lint::SiblingFields | Lint::UnneededAllow)) else {
            continue;
        };
        if !found.iter().any(|warning| warning.lint == lint) {
            let message = format!("`{lint}` has nothing against this key");
            found.push(Warning::at(Lint::UnneededAllow, &given.range, message, "remove it"));
        }
    }
}
