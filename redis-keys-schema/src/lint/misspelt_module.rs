//! A table of the policy file is for a module whose name is probably a typo.
//!
//! Only in a file without the list `modules`, which checks all names. Keys cannot opt out.
//!
//! # Why
//!
//! The settings below `[module.cahce]` apply to no key. The range of the expiry that the team agreed on for its cache
//! is never checked, which goes unnoticed until the cache is full.
//!
//! # Wrong
//!
//! ```toml
//! [module.cahce]
//! ttl = "5m..1h"
//! ```
//!
//! # Right
//!
//! ```toml
//! [module.cache]
//! ttl = "5m..1h"
//! ```
//!
//! # In the guide
//!
//! - flags: a table such as `[module.cahce]`, whose name is probably a typo of `cache`, `session`, `lock`, `queue`,
//!   `counter`, `rate` or `tmp`; only in a file without `modules`
//! - instead: correct the name, or list `modules`, which checks all names; keys cannot opt out

use super::Entry;
use crate::warning::Level;

// The check reads the policy file: `policy/modules.rs`.
pub(super) const LINT: Entry = Entry { level: Level::Warn, check: None };

#[cfg(test)]
mod tests {
    use crate::lint::tests::parsed;
    use crate::{Level, Lint};

    #[test]
    fn misspelt_usual_modules_are_found() {
        let found = |text: &str| {
            let found = parsed(text).misspelt.into_iter().map(|error| (error.position(text), error.suggestion));
            found.collect::<Vec<_>>()
        };
        let or_allow = ", or add `misspelt_module = \"allow\"` to `[lints]`";
        let one = |line, column, help: &str| vec![((line, column), format!("{help}{or_allow}"))];
        assert_eq!(found("[module.cahce]\n"), one(1, 9, "write `[module.cache]`"));
        assert_eq!(found("\u{feff}[modules.sesion]\nttl = '5m..'"), one(1, 11, "write `[modules.session]`"));
        assert_eq!(
            found("module.rate.ttl = '..1h'\n[module.raet]"),
            one(2, 9, "write `[module.rate]` and merge the two")
        );
        assert_eq!(found("[module.clock]\n[module.temp]\n[module.\"cahce.user\"]"), []);
        let many = ('a'..='z').map(|c| format!("[module.s{c}ession]")).collect::<Vec<_>>().join("\n");
        assert_eq!(found(&many).len(), 20);
        // Names are checked against a list of modules, if there is one.
        assert_eq!(found("modules = ['cahce']\n[module.cahce]"), []);
        assert_eq!(found("[module.cahce]\n[lints]\nmisspelt_module = 'allow'"), []);

        let text = "[module.cahce]\n[lints]\nmisspelt_module = 'deny'";
        let policy = parsed(text);
        let level = policy.lints.of(Lint::MisspeltModule);
        let warnings =
            policy.misspelt.iter().map(|error| error.warning(Lint::MisspeltModule, level, "redis-keys.toml", text));
        let warnings: Vec<_> = warnings.map(|warning| (warning.level, warning.to_string())).collect();
        let expected = "redis-keys.toml:1:9: module `cahce` is probably a typo of `cache`\n    [module.cahce]\n            \
                        ^^^^^\nhelp: write `[module.cache]`, or add `misspelt_module = \"allow\"` to `[lints]`\nlint: \
                        misspelt_module";
        assert_eq!(warnings, [(Level::Deny, expected.to_owned())]);
    }
}
