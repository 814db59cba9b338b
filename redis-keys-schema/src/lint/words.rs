//! `long_word`, `long_key` and `undocumented`: the name and the documentation of a key.

use super::Subject;
use crate::edit::Suggestion;
use crate::place::Place;
use crate::template::SegmentPlace;
use crate::warning::{Lint, Warning};

/// The bytes of a short key.
const SHORT: usize = 30;

pub(super) fn check(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
    check_words(subject, warnings);
    if let Some(bytes) = subject.declaration.longest.filter(|bytes| *bytes > SHORT) {
        let message = format!("a key of up to {bytes} bytes exceeds the recommended {SHORT}");
        warnings.push(Warning::at(Lint::LongKey, &subject.template.range, message, "shorten its words"));
    }
    if !subject.item.documented {
        let help = "write a doc comment above the struct";
        warnings.push(Warning::new(Lint::Undocumented, Place::Item, "missing documentation", help));
    }
}

/// Reports words that the project abbreviates, except for the type and for modules that the policy file names.
fn check_words(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
    let policy = subject.policy;
    if policy.abbreviations.is_empty() {
        return;
    }
    let is_named = |module: &str| {
        let listed = policy.modules.iter().flatten().any(|known| known == module);
        listed || policy.of_module(module).is_some()
    };
    let module = subject.template.segments.first().filter(|_| subject.template.segments.len() > 2);
    let module = module.filter(|_| !subject.template.module().is_some_and(is_named));
    for segment in module.into_iter().chain(subject.logic()) {
        for (long, short) in &policy.abbreviations {
            check_segment(subject, segment, long, short, warnings);
        }
    }
}

fn check_segment(subject: &Subject<'_>, segment: &SegmentPlace, long: &str, short: &str, warnings: &mut Vec<Warning>) {
    let count = long.split('.').count();
    for words in segment.words.windows(count) {
        let same = words.iter().zip(long.split('.')).all(|(word, long)| subject.text_at(&word.range) == long);
        if let (true, Some(first), Some(last)) = (same, words.first(), words.last()) {
            let message = format!("`{long}` is abbreviated to `{short}` in this project");
            let range = first.range.start..last.range.end;
            warnings.push(Warning::at(Lint::LongWord, &range, message, Suggestion::write(short)));
        }
    }
}
