//! `misused_module`: modules that mean the same in most projects.

use super::{Lint, Subject, Warning};
use crate::Kind;
use crate::rust_type::is_integer;
use crate::suggest::list;

pub(super) fn check(subject: &Subject<'_>, found: &mut Vec<Warning>) {
    let (Some(module), Some(kind)) = (subject.template.module(), subject.template.kind) else { return };
    // A project that says which types a module has knows better.
    let own = subject.policy.of_module(module).is_some_and(|policy| policy.types.is_some());
    let (what, kinds): (&str, &[Kind]) = match module {
        "lock" => ("a lock, which is a string that one owner sets", &[Kind::String]),
        "queue" => ("a queue", &[Kind::List, Kind::Stream, Kind::ZSet]),
        "counter" => ("a count", &[Kind::String, Kind::Hash, Kind::HyperLogLog]),
        _ => return,
    };
    if !kinds.contains(&kind) {
        if !own {
            let types = list(kinds.iter().map(|kind| kind.name()), "or");
            let message = format!("a key of `{module}` holds {what}, and this is a {kind}");
            let help = format!("write {types}, or another module");
            found.push(Warning::at(Lint::MisusedModule, &subject.template.suffix, message, help));
        }
    } else if module == "counter" {
        check_counter(subject, kind, found);
    }
}

/// What counts is a whole number. Of a type of the user's own nobody knows here.
fn check_counter(subject: &Subject<'_>, kind: Kind, found: &mut Vec<Warning>) {
    let options = &subject.declaration.options;
    let record = kind == Kind::Hash && options.field.is_none();
    let form = options.value.as_ref().and_then(|given| given.value.as_ref());
    let Some(form) = form.filter(|form| !record && kind != Kind::HyperLogLog && form.is_one_value()) else { return };
    let text = subject.text_at(&form.range);
    if !is_integer(text) {
        let message = format!("a key of `counter` holds a whole number, and `{text}` is none");
        let help = "write `u64`, or another module";
        found.push(Warning::at(Lint::MisusedModule, &form.range, message, help));
    }
}
