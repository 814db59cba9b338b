//! `allow(lint, reason = "…")`: the lints that a key opts out of.

use crate::Rule;
use crate::attribute::GivenOption;
use crate::declaration::Declaration;
use crate::diagnostic::Diagnostics;
use crate::edit::Suggestion;
use crate::policy::POLICY_FILE;
use crate::suggest::{list, nearest};
use crate::warning::{AMBIGUOUS_TEXT, Lint, OVERLAP};

/// Returns the names that a key can opt out of.
fn names() -> impl Iterator<Item = &'static str> {
    let of_keys = Lint::ALL.into_iter().filter(|lint| *lint != Lint::MisspeltModule);
    of_keys.map(Lint::name).chain([OVERLAP, AMBIGUOUS_TEXT])
}

/// Checks that each name is a lint's name, and is given once.
pub(crate) fn check(declaration: &mut Declaration, diagnostics: &mut Diagnostics) {
    let reported = diagnostics.len();
    let allow = &declaration.options.allow;
    for (index, given) in allow.iter().enumerate() {
        let name = given.value.as_deref().unwrap_or_default();
        let (message, help) = if names().any(|known| known == name) {
            let Some(first) = allow.iter().take(index).find(|first| first.value == given.value) else { continue };
            // Each `allow` has a separate reason.
            let help = if first.name == given.name {
                Suggestion::remove_listed()
            } else {
                Suggestion::remove_option().saying("remove one of the two, with its reason")
            };
            (format!("duplicate `allow({name})`"), help)
        } else if name == Lint::MisspeltModule.name() {
            let help = format!("remove it, and write `{name} = \"allow\"` below `[lints]` in {POLICY_FILE}");
            let remove = without_lint(declaration, given);
            (format!("`{name}` is a lint for {POLICY_FILE}, not for keys"), remove.saying(help))
        } else {
            // The path that a warning shows.
            let last = name.rsplit("::").next().unwrap_or(name).trim();
            let help = match nearest(last, names()) {
                Some(near) if near == last => Suggestion::write(near),
                Some(near) => Suggestion::did_you_mean(near),
                None => format!("the lints are {}", list(names(), "and")).into(),
            };
            (format!("unknown lint `{name}`"), help)
        };
        diagnostics.report(given.range.clone(), Rule::Declaration, message, help);
    }
    declaration.options.allow_is_wrong |= diagnostics.len() > reported;
}

/// The suggestion to remove a lint from an `allow`. An `allow` without lints is removed as a whole.
pub(super) fn without_lint(declaration: &Declaration, lint: &GivenOption<String>) -> Suggestion {
    let alone = declaration.options.allow.iter().filter(|other| other.name == lint.name).count() == 1;
    if alone { Suggestion::remove_option() } else { Suggestion::remove_listed() }
}

/// The lints that the key opts out of.
pub(super) fn allowed(declaration: &Declaration) -> Vec<Lint> {
    let names = declaration.options.allow.iter().filter_map(|given| given.value.as_deref());
    names.filter_map(Lint::from_name).collect()
}
