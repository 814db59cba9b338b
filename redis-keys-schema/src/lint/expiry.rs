//! `unusual_ttl` and `missing_jitter`: how long keys of a module live.

use std::time::Duration;

use super::{Lint, Subject, Warning};
use crate::attribute::{Given, Ttl};
use crate::policy::Window;

const SECOND: u64 = 1;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// How long the keys of usual modules live where the project says nothing: hot and ordinary caches together, and for rates
/// whatever span one counts in.
const USUAL: [(&str, Window); 5] = [
    ("cache", window(5 * MINUTE, DAY)),
    ("session", window(DAY, 7 * DAY)),
    ("lock", window(10 * SECOND, MINUTE)),
    ("rate", window(SECOND, DAY)),
    ("tmp", window(5 * MINUTE, 30 * MINUTE)),
];

const fn window(min: u64, max: u64) -> Window {
    Window::new(Duration::from_secs(min), Duration::from_secs(max))
}

pub(super) fn check(subject: &Subject<'_>, found: &mut Vec<Warning>) {
    let options = &subject.declaration.options;
    let (Some(module), Some(Given { value: Some(ttl), range, .. })) = (subject.template.module(), &options.ttl) else {
        return;
    };
    // From the end of a month on even a day is a month at first.
    if options.ttl_from_end_of.is_none() {
        check_window(subject, module, *ttl, range, found);
    }
    if module == "cache" && options.jitter.is_none() && *ttl != Ttl::Never {
        let message = "keys of `cache` that are written together expire together, and are loaded anew together";
        found.push(Warning::at(Lint::MissingJitter, range, message, "add `jitter = 10%`"));
    }
}

fn check_window(
    subject: &Subject<'_>,
    module: &str,
    ttl: Ttl,
    range: &std::ops::Range<usize>,
    found: &mut Vec<Warning>,
) {
    let own = subject.policy.of_module(module).and_then(|policy| policy.ttl);
    let usual = || USUAL.iter().find(|(name, _)| *name == module).map(|&(_, window)| window);
    // What is usual gives way to what the project allows; its own windows agree with that.
    let allowed = |window: Window| subject.policy.limits.longest_ttl.map_or(window, |longest| window.within(longest));
    let Some(window) = own.or_else(|| usual().map(allowed)) else { return };
    let whose = if own.is_some() { " in this project" } else { "" };
    let (lives, meant) = match ttl {
        Ttl::After(ttl) if window.holds(ttl) => return,
        Ttl::After(ttl) => (render(ttl), if window.min.is_some_and(|min| ttl < min) { window.min } else { window.max }),
        // That is long enough for any shortest time.
        Ttl::Never if window.max.is_none() => return,
        Ttl::Never => ("for ever".to_owned(), window.max),
    };
    let message = format!("a key of `{module}` lives {}{whose}, and this one {lives}", in_words(window));
    let help = meant.or(window.min).map_or_else(String::new, |meant| format!("write, say, `{}`", render(meant)));
    found.push(Warning::at(Lint::UnusualTtl, range, message, help));
}

fn in_words(window: Window) -> String {
    match (window.min, window.max) {
        (Some(min), Some(max)) => format!("{} to {}", render(min), render(max)),
        (Some(min), None) => format!("{} at least", render(min)),
        (None, Some(max)) => format!("{} at most", render(max)),
        (None, None) => "as long as it likes".to_owned(),
    }
}

fn render(time: Duration) -> String {
    redis_keys_core::duration::render(time)
}
