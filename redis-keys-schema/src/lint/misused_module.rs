//! The type or the value of the key is unusual for its module.
//!
//! `lock` keys are strings with the role `lock`; strings in `rate` have the role `limit`; `queue` keys are a list, a
//! stream or a zset; `counter` keys hold integers.
//!
//! # Why
//!
//! A string that is called a lock is not one. With `SET` and a later `DEL`, a program whose lock has expired deletes
//! the lock of the next owner, and two programs charge the same order.
//!
//! # Wrong
//!
//! ```text
//! #[derive(RedisKey)]
//! #[redis_key(lock:order:{order_id}:string, value = String, ttl = 30s)]
//! struct OrderLock {
//!     order_id: u64,
//! }
//! ```
//!
//! # Right
//!
//! ```rust
//! # use redis_keys::prelude::*;
//! #[derive(RedisKey)]
//! #[redis_key(lock:order:{order_id}:string, lock, ttl = 30s)]
//! struct OrderLock {
//!     order_id: u64,
//! }
//! ```
//!
//! # In the guide
//!
//! - flags: `lock` keys that are not a string, or a string without the role `lock`; `rate` keys that are a string
//!   without the role `limit`; `queue` keys that are not a list, stream or zset; `counter` keys that are not a string,
//!   hash or hyperloglog, or store no integers
//! - instead: use another type or module, or set `types` of the module

use super::{Entry, Subject};
use crate::Kind;
use crate::attribute::{Options, RoleName};
use crate::edit::Suggestion;
use crate::rust_type::is_integer;
use crate::suggest::list;
use crate::usual_modules::{UsualModule, usual_module};
use crate::warning::{Level, Lint, Warning};

pub(super) const LINT: Entry = Entry { level: Level::Warn, check: Some(check) };

fn check(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
    let Some(module) = subject.template.module() else { return };
    let Ok(kind) = subject.template.kind else { return };
    let Some(usual @ UsualModule { holds, types, .. }) = usual_module(module) else { return };
    if types.is_empty() || types.contains(&kind) {
        check_counter(subject, usual, kind, warnings);
        check_value(subject, usual, kind, warnings);
        return;
    }
    // The types that a project lists replace the usual types.
    if subject.policy.of_module(module).is_none_or(|policy| policy.types.is_none()) {
        let message = format!("unusual type `{kind}` for `{module}` keys, which hold {holds}");
        let lock = if module == "lock" { " with `lock`" } else { "" };
        let help = format!("write {}{lock}, or another module", list(types.iter().map(|kind| kind.name()), "or"));
        let kind = types.first().map_or("", |kind| kind.name());
        let help = with_role(&subject.declaration.options, module, Suggestion::write(kind).saying(help));
        warnings.push(Warning::at(Lint::MisusedModule, &subject.template.suffix, message, help));
    }
}

/// The suggestion with the role of a lock.
fn with_role(options: &Options, module: &str, help: Suggestion) -> Suggestion {
    match &options.value {
        Some(value) if module == "lock" => {
            let help = help.with_option(value.name.clone(), "lock");
            options.field.iter().fold(help, |help, field| help.with_option(field.name.clone(), ""))
        }
        _ => help,
    }
}

/// Counts are integers. Nothing is known of a user's own type.
fn check_counter(subject: &Subject<'_>, usual: &UsualModule, kind: Kind, warnings: &mut Vec<Warning>) {
    let options = &subject.declaration.options;
    let record = kind == Kind::Hash && options.field.is_none();
    if usual.name != "counter" || record || kind == Kind::HyperLogLog {
        return;
    }
    let form = options.value.as_ref().and_then(|given| given.value.as_ref());
    let Some(form) = form.filter(|form| form.is_one_value()) else { return };
    let text = subject.text_at(&form.range);
    if !is_integer(text) {
        let message = format!("unusual value `{text}` for `counter` keys, which hold {}", usual.holds);
        let help = Suggestion::write("u64").and(", or another module");
        warnings.push(Warning::at(Lint::MisusedModule, &form.range, message, help));
    }
}

/// Checks that a string for a lock or a rate limit is a lock or a limit of this crate. Records, sets and the like work
/// differently.
fn check_value(subject: &Subject<'_>, usual: &UsualModule, kind: Kind, warnings: &mut Vec<Warning>) {
    let options = &subject.declaration.options;
    let Some(value) = options.value.as_ref().filter(|given| given.value.is_some() && kind == Kind::String) else {
        return;
    };
    let help = match usual.name {
        "lock" if !subject.declaration.is_lock() => {
            let help = Suggestion::from("write `lock` in place of `value`, or another module");
            help.with_option(value.name.clone(), "lock")
        }
        "rate" if options.role_name() != Some(RoleName::Limit) => {
            let help = "write `limit(100 / 1m)` in place of `value` and `ttl`, or another module";
            let help = Suggestion::from(help).with_option(value.name.clone(), "limit(100 / 1m)");
            options.ttl.iter().fold(help, |help, ttl| help.with_option(ttl.name.clone(), ""))
        }
        _ => return,
    };
    let message = format!(
        "unusual value `{}` for `{}` keys, which hold {}",
        subject.text_at(&value.range),
        usual.name,
        usual.holds
    );
    warnings.push(Warning::at(Lint::MisusedModule, &value.range, message, help));
}

#[cfg(test)]
mod tests {
    use crate::Lint;
    use crate::lint::tests::warns;

    #[test]
    fn usual_modules_have_their_usual_types() {
        let warns = |key: &str, options: &str, expected: &[(&str, &str)]| {
            let expected: Vec<_> = expected.iter().map(|&(what, help)| (Lint::MisusedModule, what, help)).collect();
            warns("", &format!("{key}, {options}, ttl = 30s"), &expected);
        };
        warns("lock:order:{id}:string", "lock", &[]);
        let lock = "write `string` with `lock`, or another module";
        warns("lock:order:{id}:hash", "value = Order", &[("hash", lock)]);
        for own in ["String", "Json<Lock>", "Lock<u64>"] {
            warns(
                "lock:order:{id}:string",
                &format!("value = {own}"),
                &[(own, "write `lock` in place of `value`, or another module")],
            );
        }
        warns("queue:mail:{id}:list", "value = String", &[]);
        warns("queue:mail:{id}:stream", "value = Mail", &[]);
        warns(
            "queue:mail:{id}:string",
            "value = String",
            &[("string", "write `list`, `stream` or `zset`, or another module")],
        );
        warns("counter:mail:{id}:string", "value = u64", &[]);
        warns("counter:mail:{id}:string", "value = Count", &[]);
        warns("counter:mail:{id}:hash", "field = String, value = i64", &[]);
        warns("counter:mail:{id}:hash", "value = Counts", &[]);
        warns("counter:mail:{id}:hyperloglog", "value = String", &[]);
        warns("counter:mail:{id}:string", "value = f64", &[("f64", "write `u64`, or another module")]);
        warns("counter:mail:{id}:string", "value = \"Json<u64>\"", &[("Json<u64>", "write `u64`, or another module")]);
        warns("counters:mail:{id}:string", "value = String", &[]);
    }

    #[test]
    fn types_of_the_policy_replace_the_usual_ones() {
        warns("module.lock.types = ['hash']", "lock:order:{id}:hash, value = Order, ttl = 30s", &[]);
    }

    #[test]
    fn a_limit_is_no_count() {
        let help = "write `limit(100 / 1m)` in place of `value` and `ttl`, or another module";
        warns("", "rate:api:{id}:string, value = u64, ttl = 1m", &[(Lint::MisusedModule, "u64", help)]);
        // A window that slides, and several windows.
        warns("", "rate:api:{id}:zset, value = u64, ttl = 1m", &[]);
        warns("", "rate:api:{id}:hash, field = String, value = u64, ttl = 1m", &[]);
        warns("", "rate:api:{id}:string, limit(100 / 1m)", &[]);
    }
}
