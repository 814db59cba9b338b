//! `long_word`, `long_key` and `undocumented`: what a key is called, and what is said of it.

use super::{Lint, Subject, Warning};
use crate::diagnostic::Place;
use crate::template::SegmentPlace;

/// How many bytes a short key has.
const SHORT: usize = 30;

pub(super) fn check(subject: &Subject<'_>, found: &mut Vec<Warning>) {
    check_words(subject, found);
    if let Some(bytes) = subject.declaration.longest.filter(|bytes| *bytes > SHORT) {
        let message = format!("this key can be {bytes} bytes long, and a short one has at most {SHORT}");
        found.push(Warning::at(Lint::LongKey, &subject.template.range, message, "shorten its words"));
    }
    if !subject.item.documented {
        let message = "nothing says what this key is for";
        found.push(Warning::new(Lint::Undocumented, Place::Item, message, "write `/// what it is` above the struct"));
    }
}

/// Words for which the project has a short form. The type is no word of the project's, nor is a module that it
/// lists, or that it says something of: to the file that is its name.
fn check_words(subject: &Subject<'_>, found: &mut Vec<Warning>) {
    let policy = subject.policy;
    if policy.abbreviations.is_empty() {
        return;
    }
    let listed = |module: &str| {
        let list = policy.modules.as_ref();
        list.is_some_and(|list| list.iter().any(|known| known == module)) || policy.of_module(module).is_some()
    };
    let module = subject.template.segments.first().filter(|_| subject.template.segments.len() > 2);
    let module = module.filter(|_| !subject.template.module().is_some_and(listed));
    for segment in module.into_iter().chain(subject.logic()) {
        for (long, short) in &policy.abbreviations {
            check_segment(subject, segment, long, short, found);
        }
    }
}

fn check_segment(subject: &Subject<'_>, segment: &SegmentPlace, long: &str, short: &str, found: &mut Vec<Warning>) {
    let count = long.split('.').count();
    for words in segment.words.windows(count) {
        let same = words.iter().zip(long.split('.')).all(|(word, long)| subject.text_at(&word.range) == long);
        if let (true, Some(first), Some(last)) = (same, words.first(), words.last()) {
            let message = format!("this project writes `{short}` for `{long}`");
            let range = first.range.start..last.range.end;
            found.push(Warning::at(Lint::LongWord, &range, message, format!("write `{short}`")));
        }
    }
}
