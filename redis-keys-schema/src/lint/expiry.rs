//! `sliding_ttl` and `no_rebuild`: keys that live for as long as they are used, or for ever.

use redis_keys_core::schema::Renew;

use super::Subject;
use crate::Kind;
use crate::attribute::{Given, KeyOption, Ttl};
use crate::edit::Suggestion;
use crate::warning::{Lint, Warning};

pub(super) fn check(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
    warnings.extend(check_renewal(subject).into_iter().chain(check_rebuild(subject)));
}

/// A collection that is renewed must lose its elements in another way: it is trimmed, or the next bucket begins.
fn check_renewal(subject: &Subject<'_>) -> Option<Warning> {
    let options = &subject.declaration.options;
    let Some(Given { value: Some(renew), name, .. }) = &options.renew else { return None };
    let kind = subject.template.kind.ok().filter(|kind| match kind {
        Kind::String => false,
        // A record has a fixed number of fields.
        Kind::Hash => options.field.is_some(),
        // A Bloom filter has a fixed size.
        Kind::Bitmap => options.role_name().is_none(),
        _ => true,
    })?;
    if options.keep().is_some() || subject.has_bucket() {
        return None;
    }
    let commands = match renew {
        Renew::Write => "each write restarts",
        Renew::Read => "each read and write restarts",
        _ => "reads restart",
    };
    let growth = if options.max_len.is_some() { "fills up to its `max_len`" } else { "only grows" };
    let message = format!("a {kind} in use never expires, and {growth}: {commands} its ttl");
    // The lowest scores of a queue are due first.
    let is_queue = kind == Kind::ZSet && subject.template.module() == Some("queue");
    let keep = [KeyOption::KeepLast, KeyOption::KeepTop];
    let keep = keep.into_iter().find(|option| option.applies_to(kind) && !is_queue);
    let keep = keep.map(|option| format!(", or add `{}`", option.example())).unwrap_or_default();
    let help = format!("remove it, or divide the {kind} by time with a bucket, as in `{{month}}`{keep}");
    Some(Warning::at(Lint::SlidingTtl, name, message, Suggestion::remove_option().saying(help)))
}

fn check_rebuild(subject: &Subject<'_>) -> Option<Warning> {
    let options = &subject.declaration.options;
    let ttl = options.ttl.as_ref().filter(|ttl| ttl.value == Some(Ttl::Never) && options.rebuild.is_none())?;
    let message = "missing `rebuild`: nothing says how this key is restored if Redis loses it";
    Some(Warning::at(Lint::NoRebuild, &ttl.range, message, Suggestion::add("rebuild = \"…\"")))
}
