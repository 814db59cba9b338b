//! `modules`, `[module.NAME]`, `[lints]` and `[abbreviations]`.

use super::fault::PolicyFault;
use super::read::{table, text, texts, unknown, words};
use super::table::{Name, Node, Table, Value};
use super::window::Window;
use super::{ModulePolicy, Policy};
use crate::Kind;
use crate::lint::{Level, Levels, Lint, OVERLAP};
use crate::suggest::{list, nearest};
use crate::template::kind_meant;

pub(super) const OF_A_MODULE: [&str; 3] = ["ttl", "types", "owner"];

/// `modules = ["user", "shop"]`. Where there is no list, `[modules.NAME]` is what `[module.NAME]` is.
pub(super) fn modules(name: &Name, node: &Node, policy: &mut Policy, faults: &mut Vec<PolicyFault>) {
    if matches!(node.value, Value::Table(_)) {
        return each_module(name, node, policy, faults);
    }
    let Some(modules) = texts(name, node, "user", faults) else { return };
    let mut listed: Vec<String> = Vec::with_capacity(modules.len());
    for (module, node) in modules {
        if !words(module, node, true, faults) {
            continue;
        }
        if listed.iter().any(|other| other == module) {
            faults.push(listed_twice(module, node));
        } else {
            listed.push(module.to_owned());
        }
    }
    policy.modules = Some(listed);
}

fn listed_twice(text: &str, node: &Node) -> PolicyFault {
    PolicyFault::at(node.range.clone(), format!("`{text}` is listed twice")).help("keep one of them")
}

/// The tables `[module.NAME]`.
pub(super) fn each_module(name: &Name, node: &Node, policy: &mut Policy, faults: &mut Vec<PolicyFault>) {
    if name.text == "module"
        && let Some(list) = list_meant(&node.value)
    {
        let fault = PolicyFault::at(name.range.clone(), "the list of the modules is called `modules`");
        return faults.push(fault.help(format!("write `modules = [{list}]`")));
    }
    let example = format!("[{}.cache]", name.text);
    let Some(modules) = table(name, node, &example, faults) else { return };
    for entry in &modules.entries {
        let (module, node) = (&entry.name, &entry.node);
        if OF_A_MODULE.contains(&module.text.as_str()) && !matches!(node.value, Value::Table(_)) {
            let message = format!("`{}` is said of one module, and the name of the module is missing", module.text);
            faults.push(PolicyFault::at(module.range.clone(), message).help(format!("write it below `{example}`")));
            continue;
        }
        let place = Node { range: module.range.clone(), value: Value::Other("a name") };
        let right = words(&module.text, &place, true, faults);
        let Some(table) = table(module, node, &format!("[{}.{}]", name.text, module.text), faults) else { continue };
        let read = one_module(&module.text, table, faults);
        if right {
            policy.module.push((module.text.clone(), read));
        }
    }
}

/// What stands between the brackets of the list that a value of `module` is, or was meant as.
fn list_meant(value: &Value) -> Option<String> {
    let quoted = |value: &Value| if let Value::Text(text) = value { Some(format!("\"{text}\"")) } else { None };
    match value {
        Value::List(nodes) => {
            let texts: Vec<_> = nodes.iter().filter_map(|node| quoted(&node.value)).collect();
            Some(if texts.is_empty() { "\"user\"".to_owned() } else { texts.join(", ") })
        }
        value => quoted(value),
    }
}

fn one_module(module: &str, table: &Table, faults: &mut Vec<PolicyFault>) -> ModulePolicy {
    let mut read = ModulePolicy::default();
    for entry in &table.entries {
        let (name, node) = (&entry.name, &entry.node);
        match name.text.as_str() {
            "ttl" => read.ttl = window(node, faults),
            "types" => read.types = types(name, node, faults),
            "owner" => read.owner = owner(node, faults),
            inner if matches!(node.value, Value::Table(_)) => {
                let message =
                    format!("`{inner}` is no part of the module `{module}`: TOML takes `.` for a table in a table");
                let help = format!("write `[module.\"{module}.{inner}\"]` for the module `{module}.{inner}`");
                faults.push(PolicyFault::at(name.range.clone(), message).help(help));
            }
            _ => faults.push(unknown(name, &format!("the module `{module}`"), &OF_A_MODULE)),
        }
    }
    read
}

fn window(node: &Node, faults: &mut Vec<PolicyFault>) -> Option<Window> {
    let example = window_of_table(node).unwrap_or_else(|| "5m..30m".to_owned());
    let written = text(node, "`ttl`", &format!("ttl = \"{example}\""), faults)?;
    match Window::parse(written) {
        Ok(window) => Some(window),
        Err((message, help)) => {
            faults.push(PolicyFault::at(node.range.clone(), message).help(help));
            None
        }
    }
}

/// The window that `{ min = "5m", max = "30m" }` means.
fn window_of_table(node: &Node) -> Option<String> {
    let Value::Table(table) = &node.value else { return None };
    let half = |name: &str| {
        let entry = table.entries.iter().find(|entry| entry.name.text == name)?;
        if let Value::Text(text) = &entry.node.value { Some(text.as_str()) } else { None }
    };
    let window = format!("{}..{}", half("min").unwrap_or_default(), half("max").unwrap_or_default());
    Window::parse(&window).ok().map(|window| window.to_string())
}

fn types(name: &Name, node: &Node, faults: &mut Vec<PolicyFault>) -> Option<Vec<Kind>> {
    let mut kinds = Vec::new();
    for (word, node) in texts(name, node, "string", faults)? {
        if let Some(kind) = Kind::from_name(word) {
            if kinds.contains(&kind) {
                faults.push(listed_twice(word, node));
            } else {
                kinds.push(kind);
            }
            continue;
        }
        let message = format!("`{word}` is not the name of a type");
        let (message, help) = match kind_meant(word) {
            Some(kind) => (format!("{message}: did you mean `{kind}`?"), format!("write `\"{kind}\"`")),
            None => (message, format!("the types are {}", list(Kind::ALL.map(Kind::name), "and"))),
        };
        faults.push(PolicyFault::at(node.range.clone(), message).help(help));
    }
    Some(kinds)
}

fn owner(node: &Node, faults: &mut Vec<PolicyFault>) -> Option<String> {
    let owner = text(node, "`owner`", "owner = \"web team\"", faults)?;
    if owner.trim().is_empty() {
        let fault = PolicyFault::at(node.range.clone(), "`owner` says nothing");
        faults.push(fault.help("write `owner = \"web team\"`"));
        return None;
    }
    Some(owner.to_owned())
}

/// `[lints]`: `unusual_ttl = "deny"`.
pub(super) fn lints(name: &Name, node: &Node, levels: &mut Levels, faults: &mut Vec<PolicyFault>) {
    let Some(table) = table(name, node, "[lints]", faults) else { return };
    for entry in &table.entries {
        let (name, node) = (&entry.name, &entry.node);
        let Some(lint) = Lint::from_name(&name.text) else {
            faults.push(unknown_lint(name));
            continue;
        };
        let Some(word) = text(node, "the level of a lint", &format!("{lint} = \"warn\""), faults) else { continue };
        match word {
            "allow" => levels.set(lint, Level::Allow),
            "warn" => levels.set(lint, Level::Warn),
            "deny" => levels.set(lint, Level::Deny),
            _ => {
                let help = match level_meant(word) {
                    Some(level) => format!("write `\"{level}\"`"),
                    None => "write `\"allow\"`, `\"warn\"` or `\"deny\"`".to_owned(),
                };
                faults.push(PolicyFault::at(node.range.clone(), format!("`{word}` is no level of a lint")).help(help));
            }
        }
    }
}

fn unknown_lint(name: &Name) -> PolicyFault {
    if name.text == OVERLAP {
        let message = "two keys that can be the same are an error, whatever a project says";
        let help = "remove it, and write `allow(overlap, reason = \"…\")` at the key that is meant so";
        return PolicyFault::at(name.range.clone(), message).help(help);
    }
    let message = format!("there is no lint `{}`", name.text);
    let (message, help) = match nearest(&name.text, Lint::ALL.map(Lint::name)) {
        Some(near) => (format!("{message}: did you mean `{near}`?"), format!("write `{near}`")),
        None => (message, format!("the lints are {}", list(Lint::ALL.map(Lint::name), "and"))),
    };
    PolicyFault::at(name.range.clone(), message).help(help)
}

/// The level that other tools call so.
fn level_meant(word: &str) -> Option<&'static str> {
    match word.to_lowercase().as_str() {
        "off" | "none" | "ignore" | "silent" | "disable" | "disabled" => Some("allow"),
        "on" | "warning" | "info" | "hint" | "note" => Some("warn"),
        "error" | "err" | "forbid" | "fail" => Some("deny"),
        other => nearest(other, ["allow", "warn", "deny"]),
    }
}

/// `[abbreviations]`: `economic = "ec"`, and `file.path = "fp"` for several words.
pub(super) fn abbreviations(name: &Name, node: &Node, policy: &mut Policy, faults: &mut Vec<PolicyFault>) {
    let Some(table) = table(name, node, "[abbreviations]", faults) else { return };
    let mut path = Vec::new();
    abbreviated(table, &mut path, policy, faults);
}

fn abbreviated<'n>(table: &'n Table, path: &mut Vec<&'n str>, policy: &mut Policy, faults: &mut Vec<PolicyFault>) {
    for entry in &table.entries {
        let (name, node) = (&entry.name, &entry.node);
        path.push(&name.text);
        if let Value::Table(inner) = &node.value {
            abbreviated(inner, path, policy, faults);
        } else {
            let long = path.join(".");
            if let Some(short) = abbreviation(name, &long, node, faults) {
                policy.abbreviations.push((long, short.to_owned()));
            }
        }
        path.pop();
    }
}

fn abbreviation<'n>(name: &Name, long: &str, node: &'n Node, faults: &mut Vec<PolicyFault>) -> Option<&'n str> {
    let example = format!("{long} = \"{}\"", long.get(..1).unwrap_or("x"));
    let short = text(node, "an abbreviation", &example, faults)?;
    if short.trim().is_empty() {
        let fault = PolicyFault::at(node.range.clone(), format!("nothing is written for `{long}`"));
        let help = if long.len() > 1 { format!("write, say, `{example}`, or remove") } else { "remove".to_owned() };
        faults.push(fault.help(format!("{help} the line")));
        return None;
    }
    let place = Node { range: name.range.clone(), value: Value::Other("a name") };
    let right = words(long, &place, false, faults);
    if !words(short, node, false, faults) || !right {
        return None;
    }
    if short.len() >= long.len() {
        let message = format!("`{short}` is no shorter than `{long}`");
        faults.push(PolicyFault::at(node.range.clone(), message).help("write something shorter, or remove the line"));
        return None;
    }
    Some(short)
}
