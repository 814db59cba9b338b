//! `misused_module`: key types and values that are unusual for a module.

use super::Subject;
use crate::Kind;
use crate::rust_type::is_integer;
use crate::suggest::list;
use crate::usual_modules::{UsualModule, usual_module};
use crate::warning::{Lint, Warning};

pub(super) fn check(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
    let (Some(module), Ok(kind)) = (subject.template.module(), subject.template.kind) else { return };
    let Some(usual @ UsualModule { holds, types, .. }) = usual_module(module) else { return };
    if types.is_empty() || types.contains(&kind) {
        return check_counter(subject, usual, kind, warnings);
    }
    // The types that a project lists replace the usual ones.
    if subject.policy.of_module(module).is_none_or(|policy| policy.types.is_none()) {
        let message = format!("unusual type `{kind}` for `{module}` keys, which hold {holds}");
        let help = format!("write {}, or another module", list(types.iter().map(|kind| kind.name()), "or"));
        warnings.push(Warning::at(Lint::MisusedModule, &subject.template.suffix, message, help));
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
        let help = "write `u64`, or another module";
        warnings.push(Warning::at(Lint::MisusedModule, &form.range, message, help));
    }
}
