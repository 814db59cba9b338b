//! `[table]` and `[module.NAME]`.

use super::{PolicyFault, is_name, quotes, signs, value, without_remark};
use crate::piece::Piece;

/// What is wrong with a line that is the header of a table, or was meant as one.
pub(super) fn fault(line: Piece<'_>) -> Option<PolicyFault> {
    let line = without_remark(line);
    if line.text.starts_with([']', '}']) && line.text.chars().all(|c| matches!(c, ']' | '}' | ',')) {
        let message = format!("nothing opens this `{}`", line.text.trim_end_matches(','));
        return Some(PolicyFault::at(line.range(), message).help("remove it"));
    }
    let Some(inner) = line.text.strip_prefix('[') else { return other_brackets(line) };
    let inner = line.part(1..1 + inner.len());
    // Of `[[table]]` another check speaks.
    if inner.text.starts_with('[') {
        return None;
    }
    let Some(close) = inner.text.find(']') else { return Some(unclosed(line, inner)) };
    let (name, rest) = (inner.to(close).trim(), inner.from(close + 1).trim());
    if let Some(fault) = check_name(name) {
        return Some(fault);
    }
    (!rest.is_empty()).then(|| behind(line.to(close + 2), rest))
}

fn unclosed(line: Piece<'_>, inner: Piece<'_>) -> PolicyFault {
    let name = inner.text.trim_end_matches(['}', ')', '>', '[', ' ']);
    let named = if name.trim().is_empty() { "limits" } else { name.trim() };
    let help = format!("write `[{named}]`");
    if name.len() < inner.text.len() {
        let close = inner.from(name.len()).trim();
        let message = format!("`{}` doesn't close what `[` opens", close.text);
        return PolicyFault::at(close.range(), message).help(help);
    }
    PolicyFault::at(line.to(1).range(), "this `[` is never closed").help(help)
}

fn check_name(name: Piece<'_>) -> Option<PolicyFault> {
    if name.is_empty() {
        let range = name.start.saturating_sub(1)..name.start + 1;
        return Some(PolicyFault::at(range, "this table has no name").help("write, say, `[limits]`"));
    }
    if name.text.contains(['"', '\'']) {
        let part = name.text.find(['"', '\'']).map(|start| name.from(start))?;
        let inner = part.text.trim_matches(['"', '\'']);
        let inner = if is_name(inner) && !inner.contains('.') { inner.to_owned() } else { quotes::quoted(inner) };
        let before = name.to(name.text.len() - part.text.len()).text;
        let fault = || PolicyFault::at(part.range(), "this text is never closed");
        return quotes::is_open(name.text).then(|| fault().help(format!("write `[{before}{inner}]`")));
    }
    if !is_name(name.text) {
        let words: Vec<_> =
            name.text.split(|c: char| !is_name(&c.to_string())).filter(|word| !word.is_empty()).collect();
        let signs = name.text.find(|c: char| !is_name(&c.to_string()))?;
        let sign = name.from(signs).text.chars().next()?;
        let place = name.part(signs..signs + sign.len_utf8());
        let message = if sign.is_whitespace() {
            "a space can't stand in the name of a table".to_owned()
        } else {
            format!("`{sign}` can't stand in the name of a table")
        };
        let range = if sign.is_whitespace() { name.range() } else { place.range() };
        let help = if sign == ',' { words.join("]` and `[") } else { words.join(".") };
        return Some(PolicyFault::at(range, message).help(format!("write `[{help}]`")));
    }
    missing_name(name).map(|fault| {
        let names: Vec<_> = name.text.split('.').filter(|name| !name.is_empty()).collect();
        let names = if names.len() < 2 { format!("{}.user", names.join("")) } else { names.join(".") };
        fault.help(format!("write, say, `[{}]`", names.trim_start_matches('.')))
    })
}

/// A `.` that stands between nothing.
pub(super) fn missing_name(names: Piece<'_>) -> Option<PolicyFault> {
    let dot = if names.text.starts_with('.') {
        0
    } else if names.text.ends_with('.') {
        names.text.len() - 1
    } else {
        names.text.find("..")?
    };
    Some(PolicyFault::at(names.part(dot..dot + 1).range(), "a `.` stands between two names, and one is missing"))
}

/// What stands behind a header.
fn behind(header: Piece<'_>, rest: Piece<'_>) -> PolicyFault {
    let header = header.text;
    if rest.text.starts_with(']') {
        return PolicyFault::at(rest.range(), "nothing opens this `]`").help(format!("write `{header}`"));
    }
    if let Some(length) = signs::remark_of_another_language(rest) {
        return signs::remark(rest, length);
    }
    let message = format!("nothing but a remark stands behind `{header}`");
    let help = if value::assigns(rest) || rest.text.starts_with('[') {
        "write it on a line of its own".to_owned()
    } else if rest.text.starts_with('=') {
        "write lines of `name = value` below it".to_owned()
    } else {
        format!("write `# {}`", rest.text)
    };
    PolicyFault::at(rest.range(), message).help(help)
}

/// `(table)`, `{table}`, `<table>` and `table]`.
fn other_brackets(line: Piece<'_>) -> Option<PolicyFault> {
    let name = line.text.trim_matches(['(', ')', '{', '}', ']', ' ']);
    if let Some(rest) = line.text.strip_prefix(']').map(str::trim_start) {
        let rest = line.from(line.text.len() - rest.len());
        let fault = PolicyFault::at(rest.range(), format!("`{}` stands behind the end of the list", rest.text));
        return Some(fault.help(format!("write it before the `]`, or `# {}` for a remark", rest.text)));
    }
    if name.len() == line.text.len() || !is_name(name) {
        return None;
    }
    let fault = PolicyFault::at(line.range(), "the name of a table stands between `[` and `]`");
    Some(fault.help(format!("write `[{name}]`")))
}
