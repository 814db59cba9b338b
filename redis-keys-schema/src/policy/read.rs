//! What the values of the file say.

use super::fault::PolicyFault;
use super::table::{Name, Node, Table, Value};
use super::{Policy, agreement, limits, slip, tables};
use crate::alphabet::is_word_byte;
use crate::lint::Lint;
use crate::suggest::{dotted, list, nearest};

pub(super) const TABLES: [&str; 5] = ["modules", "module", "limits", "lints", "abbreviations"];

/// All names that say something in some place.
pub(super) fn names() -> Vec<&'static str> {
    [&TABLES[..], &limits::NAMES, &tables::OF_A_MODULE, &Lint::ALL.map(Lint::name)].concat()
}

/// Reads all of it.
pub(super) fn policy(table: &Table) -> (Policy, Vec<PolicyFault>) {
    let mut policy = Policy::default();
    let mut faults = Vec::new();
    for entry in &table.entries {
        let (name, node) = (&entry.name, &entry.node);
        match name.text.as_str() {
            "modules" => tables::modules(name, node, &mut policy, &mut faults),
            "module" => tables::each_module(name, node, &mut policy, &mut faults),
            "limits" => limits::read(name, node, &mut policy.limits, &mut faults),
            "lints" => tables::lints(name, node, &mut policy.lints, &mut faults),
            "abbreviations" => tables::abbreviations(name, node, &mut policy, &mut faults),
            quoted if quoted.starts_with("module.") || quoted.starts_with("modules.") => {
                let message = format!("in quotes `{quoted}` is one name, and no table in a table");
                faults.push(PolicyFault::at(name.range.clone(), message).help(format!("write `[{quoted}]`")));
            }
            _ => faults.push(unknown(name, "the file", &TABLES)),
        }
    }
    agreement::check(table, &policy, &mut faults);
    policy.doubts = slip::doubts(table, &policy);
    (policy, faults)
}

/// A name that says nothing: what it is like, or which there are.
pub(super) fn unknown(name: &Name, place: &str, known: &[&str]) -> PolicyFault {
    let message = format!("{place} has no `{}`", name.text);
    let (message, help) = match nearest(&name.text, known.iter().copied()) {
        Some(near) => (format!("{message}: did you mean `{near}`?"), format!("write `{near}`")),
        None => (message, format!("{place} has {}", list(known.iter().copied(), "and"))),
    };
    PolicyFault::at(name.range.clone(), message).help(help)
}

/// A table's entries, or a fault that says how it is written.
pub(super) fn table<'n>(
    name: &Name,
    node: &'n Node,
    example: &str,
    faults: &mut Vec<PolicyFault>,
) -> Option<&'n Table> {
    if let Value::Table(table) = &node.value {
        return Some(table);
    }
    let message = format!("`{}` is a table, and this is {}", name.text, node.value.what());
    faults.push(PolicyFault::at(node.range.clone(), message).help(format!("write `{example}`")));
    None
}

/// A text, or a fault.
pub(super) fn text<'n>(node: &'n Node, what: &str, example: &str, faults: &mut Vec<PolicyFault>) -> Option<&'n str> {
    if let Value::Text(text) = &node.value {
        return Some(text);
    }
    let message = format!("{what} is a text in quotes, and this is {}", node.value.what());
    faults.push(PolicyFault::at(node.range.clone(), message).help(format!("write `{example}`")));
    None
}

/// The texts of a list, each with its place.
pub(super) fn texts<'n>(
    name: &Name,
    node: &'n Node,
    example: &str,
    faults: &mut Vec<PolicyFault>,
) -> Option<Vec<(&'n str, &'n Node)>> {
    let Value::List(nodes) = &node.value else {
        let help = match &node.value {
            Value::Text(text) => format!("write `{} = [\"{text}\"]`", name.text),
            _ => format!("write `{} = [\"{example}\"]`", name.text),
        };
        let message = format!("`{}` is a list of texts, and this is {}", name.text, node.value.what());
        faults.push(PolicyFault::at(node.range.clone(), message).help(help));
        return None;
    };
    if nodes.is_empty() {
        let message = format!("`{}` lists nothing, so that there could be no key", name.text);
        faults.push(PolicyFault::at(node.range.clone(), message).help(format!("write, say, `[\"{example}\"]`")));
        return None;
    }
    let what = format!("each of `{}`", name.text);
    let read = |node: &'n Node, faults: &mut Vec<PolicyFault>| {
        text(node, &what, &format!("\"{example}\""), faults).map(|text| (text, node))
    };
    Some(nodes.iter().filter_map(|node| read(node, faults)).collect())
}

/// Whether a text is words of a key: `a` to `z` and `0` to `9`, separated by `.`. `leading` where it starts a key.
pub(super) fn words(text: &str, node: &Node, leading: bool, faults: &mut Vec<PolicyFault>) -> bool {
    let right = text.split('.').all(|word| !word.is_empty() && word.bytes().all(is_word_byte));
    let starts = !leading || text.starts_with(|c: char| c.is_ascii_lowercase());
    if right && starts {
        return true;
    }
    let message = if text.trim().is_empty() {
        "words of a key stand here, and nothing is written".to_owned()
    } else if right {
        format!("`{text}`: a key starts with an English letter")
    } else {
        format!("`{text}` can't stand in a key: it has `a` to `z` and `0` to `9`, and `.` between words")
    };
    let instead = dotted(text).filter(|_| text.is_ascii() && !right);
    let help = instead.map_or_else(|| "write, say, `user`".to_owned(), |instead| format!("write `{instead}`"));
    faults.push(PolicyFault::at(node.range.clone(), message).help(help));
    false
}
