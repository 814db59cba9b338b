//! The project abbreviates this word.
//!
//! `[abbreviations]` of the policy file lists the words.
//!
//! # Why
//!
//! A word that some keys abbreviate and others do not is a second convention: a search for `user:prefs` does not find
//! `user:preferences`. In millions of keys the longer word also takes memory.
//!
//! # Wrong
//!
//! ```toml
//! [abbreviations]
//! preferences = "prefs"
//! ```
//!
//! ```text
//! #[derive(RedisKey)]
//! #[redis_key(user:preferences:{user_id}:string, value = String, ttl = 1d)]
//! struct Preferences {
//!     user_id: u64,
//! }
//! ```
//!
//! # Right
//!
//! ```toml
//! [abbreviations]
//! preferences = "prefs"
//! ```
//!
//! ```rust
//! # use redis_keys::prelude::*;
//! #[derive(RedisKey)]
//! #[redis_key(user:prefs:{user_id}:string, value = String, ttl = 1d)]
//! struct Preferences {
//!     user_id: u64,
//! }
//! ```
//!
//! # In the guide
//!
//! - flags: a word with an abbreviation
//! - instead: the abbreviation

use super::{Entry, Subject};
use crate::edit::Suggestion;
use crate::template::SegmentPlace;
use crate::warning::{Level, Lint, Warning};

pub(super) const LINT: Entry = Entry { level: Level::Warn, check: Some(check) };

/// Reports words that the project abbreviates, except for the type and for modules that the policy file names.
fn check(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
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

#[cfg(test)]
mod tests {
    use crate::Lint;
    use crate::lint::tests::warns;

    #[test]
    fn abbreviated_words_are_reported() {
        let policy =
            "abbreviations = { economic = 'ec', file.path = 'fp', string = 'str', user = 'u' }\nmodules = ['user']";
        let ec = (Lint::LongWord, "economic", "write `ec`");
        let fp = (Lint::LongWord, "file . path", "write `fp`");
        warns(policy, "user:economic:{id}:of.economic.file . path:string, value = u64, ttl = 1h", &[ec, ec, fp]);
        warns(policy, "user:economics:{id}:path.file:string, value = u64, ttl = 1h", &[]);
        warns(
            "abbreviations.user = 'u'",
            "user:name:string, value = u64, ttl = 1h",
            &[(Lint::LongWord, "user", "write `u`")],
        );
        // A module with a table keeps its name. Elsewhere in a key the same word is abbreviated.
        let named = "abbreviations.user = 'u'\nmodule.user.owner = 'web'";
        warns(named, "user:name:string, value = u64, ttl = 1h", &[]);
        let both = format!("{named}\nmodules = ['user', 'shop']");
        warns(&both, "shop:user:string, value = u64, ttl = 1h", &[(Lint::LongWord, "user", "write `u`")]);
    }
}
