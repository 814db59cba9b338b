//! The whole template as one suggestion, where the suggestion for one error leaves another error.

use std::ops::Range;

use super::{CheckedDeclaration, check_parts};
use crate::Rule;
use crate::diagnostic::Diagnostic;
use crate::edit::{Edit, apply};
use crate::item::{Attribute, Item};
use crate::place::Place;
use crate::policy::Policy;

/// A template is corrected after so many steps, or not at all: a suggestion can uncover another error.
const STEPS: usize = 5;

/// Lets the first error of a template suggest the whole template, unless its own suggestion corrects it.
pub(super) fn suggest(item: &Item<'_>, policy: &Policy, checked: &mut CheckedDeclaration) {
    let Some(range) = template(checked) else { return };
    let errors = checked.diagnostics.iter().filter(|diagnostic| is_of_template(diagnostic, &range)).count();
    let Some((whole, _)) = corrected(item, policy, checked).filter(|(_, steps)| errors > 1 || *steps > 1) else {
        return;
    };
    let Some(first) = checked.diagnostics.find_mut(|diagnostic| is_of_template(diagnostic, &range)) else {
        return;
    };
    // The explanation of the suggestion, and its alternative, stay.
    let rest = ["; ", ", or "].iter().filter_map(|sign| first.suggestion.find(sign)).min();
    let rest = rest.map(|at| first.suggestion.split_off(at)).unwrap_or_default();
    first.suggestion = format!("write `{whole}`{rest}");
    first.edits = vec![Edit::new(range, whole)];
}

/// The template's place. For a template that could not be read, the piece that its error is in.
fn template(checked: &CheckedDeclaration) -> Option<Range<usize>> {
    if let Ok(template) = &checked.declaration.template {
        return Some(template.range.clone());
    }
    checked.declaration.options.template.clone()
}

/// The template without errors, and the number of steps to it.
fn corrected(item: &Item<'_>, policy: &Policy, checked: &CheckedDeclaration) -> Option<(String, usize)> {
    let mut text = item.attributes.first()?.text()?.to_owned();
    let mut step = None;
    for steps in 0..=STEPS {
        let checked = step.as_ref().unwrap_or(checked);
        let range = template(checked)?;
        let edits = checked.diagnostics.iter().filter(|diagnostic| is_of_template(diagnostic, &range));
        let edits: Vec<_> = edits.flat_map(|diagnostic| &diagnostic.edits).collect();
        if edits.is_empty() {
            let is_right = !checked.diagnostics.iter().any(|diagnostic| is_left(diagnostic, &range));
            return is_right.then(|| (text.get(range).unwrap_or_default().to_owned(), steps));
        }
        let edits = edits.into_iter().filter_map(|edit| Some((edit.within(&range)?, edit.text.as_str())));
        text = apply(&text, edits);
        let attributes = vec![Attribute::Arguments(&text)];
        step = Some(check_parts(&Item { attributes, ..item.clone() }, policy));
    }
    None
}

/// Whether the edits of an error are all in the template. Which module is meant is another question.
fn is_of_template(diagnostic: &Diagnostic, template: &Range<usize>) -> bool {
    diagnostic.rule != Rule::Modules
        && !diagnostic.edits.is_empty()
        && diagnostic.edits.iter().all(|edit| edit.within(template).is_some())
}

/// Whether an error of the template is left for which there is no edit.
fn is_left(diagnostic: &Diagnostic, template: &Range<usize>) -> bool {
    let is_of_options = matches!(diagnostic.rule, Rule::KeyLength | Rule::Expiry | Rule::StoredForm | Rule::Modules);
    match &diagnostic.place {
        Place::Attribute(range) => template.start <= range.start && range.end <= template.end && !is_of_options,
        _ => false,
    }
}
