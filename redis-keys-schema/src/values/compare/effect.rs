//! What users and operators will see.

use super::super::finding::{Cause, Finding, Outcome};
use super::super::lifetime::Lifetime;
use super::super::outcome;
use super::Differences;

/// `is_rewritten`: programs read values, change them and store them again.
pub(super) fn effects(lifetime: &Lifetime, differences: &Differences, is_rewritten: bool) -> Vec<String> {
    let (stored, rolling) = (outcome(&differences.stored), outcome(&differences.rolling));
    if stored == Outcome::Misread || rolling == Outcome::Misread {
        return vec!["no error: programs continue with wrong values".to_owned()];
    }
    let mut effects = Vec::new();
    if stored > Outcome::Unsure {
        effects.push(of_stored_values(lifetime, stored == Outcome::Some));
    }
    if rolling > Outcome::Unsure {
        effects.push(of_new_values(lifetime, rolling == Outcome::Some));
    }
    if differences.worst() == Outcome::Notes && is_rewritten && differences.rolling.iter().any(is_dropped) {
        effects.push("an old program that changes a value stores it without what it drops".to_owned());
    }
    effects
}

fn is_dropped(finding: &Finding) -> bool {
    finding.cause == Cause::Dropped
}

/// New programs cannot read stored values, all or some.
fn of_stored_values(lifetime: &Lifetime, is_some: bool) -> String {
    let some = if is_some { "some " } else { "" };
    match lifetime {
        Lifetime::Message => {
            format!(
                "while old programs run, new ones cannot read {}their messages",
                if is_some { "some of " } else { "" }
            )
        }
        Lifetime::Cached(until) => {
            let each = if is_some { "some cached values" } else { "each cached value" };
            format!("a miss and a load for {each}, once, {until}")
        }
        Lifetime::Job => {
            format!(
                "{some}waiting jobs are buried when a worker takes them, until a program that reads them revives them"
            )
        }
        Lifetime::Endless => format!("{some}stored values stay unreadable, because the key never expires"),
        Lifetime::RenewedByReads(option) => {
            format!("{some}reads fail for as long as they are tried, because each restarts the expiry: `{option}`")
        }
        Lifetime::RenewedByWrites => {
            format!("{some}reads fail until the elements are removed: each write restarts the expiry, `renew = write`")
        }
        Lifetime::Limited(until) => format!("{some}reads fail {until}"),
    }
}

/// Old programs cannot read the values of new ones, all or some.
fn of_new_values(lifetime: &Lifetime, is_some: bool) -> String {
    let some = if is_some { "some " } else { "" };
    match lifetime {
        Lifetime::Message => format!("while old programs run, they cannot read {some}messages of new ones"),
        Lifetime::Cached(_) => {
            let what = "while old and new programs run, each replaces what the other has cached";
            let many = if is_some { "more loads" } else { "loads as without a cache" };
            format!("{what}: expect {many}")
        }
        Lifetime::Job => format!("while old workers run, they bury {some}new jobs"),
        _ => format!("while old programs run, and after a rollback, they cannot read {some}values of new ones"),
    }
}
