//! What the language knows already and this version can't run yet. It is refused, never silently ignored.

use std::ops::Range;

use crate::Rule;
use crate::declaration::Declaration;
use crate::diagnostic::Diagnostic;

pub(super) fn check(declaration: &Declaration, diagnostics: &mut Vec<Diagnostic>) {
    let told: Vec<_> = diagnostics.iter().filter_map(|diagnostic| diagnostic.place.attribute().cloned()).collect();
    let mut missing = Vec::new();
    collect(declaration, &mut missing);
    // What is misspelt is put right first.
    let covers = |range: &Range<usize>| told.iter().any(|told| range.start <= told.start && told.end <= range.end);
    diagnostics.extend(missing.into_iter().filter(|missing| !missing.place.attribute().is_some_and(covers)));
}

fn collect(declaration: &Declaration, diagnostics: &mut Vec<Diagnostic>) {
    let options = &declaration.options;
    let named = [("null_ttl", options.null_ttl.as_ref().map(|given| &given.name))];
    for (name, range) in named {
        if let Some(range) = range {
            diagnostics.push(not_yet(range.clone(), &format!("`{name}`"), "remove it for now"));
        }
    }
}

fn not_yet(range: Range<usize>, what: &str, help: &str) -> Diagnostic {
    Diagnostic::at(range, Rule::Available, format!("{what} is not in this version of redis-keys yet")).help(help)
}
