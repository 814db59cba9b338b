//! `name = value`.

use super::{EXAMPLE, NO_LINE, PolicyFault, header, is_name, quotes, value, without_remark};
use crate::piece::Piece;
use crate::policy::read;
use crate::suggest::nearest;

/// What is wrong with a line that is no header.
pub(super) fn fault(text: &str, line: Piece<'_>) -> Option<PolicyFault> {
    let Some(sign) = line.text.find('=').filter(|sign| !line.to(*sign).text.contains(['"', '\''])) else {
        return without_sign(without_remark(line));
    };
    let (name, value) = (line.to(sign).trim(), line.from(sign + 1).trim());
    if let Some(fault) = other_sign(line, sign) {
        return Some(fault);
    }
    if let Some(fault) = check_name(line, name, sign) {
        return Some(fault);
    }
    let value = if value.text.starts_with('#') { value.to(0) } else { value };
    if value.is_empty() {
        return Some(without_value(text, line, name));
    }
    value::fault(name.text, value)
}

/// `==`, `=>`, `:=` and `+=`.
fn other_sign(line: Piece<'_>, sign: usize) -> Option<PolicyFault> {
    let is_sign = |c: char| matches!(c, '=' | '>' | '<' | ':' | '+' | '-' | '?' | '|');
    let start = line.to(sign).text.trim_end_matches(is_sign).len();
    let rest = line.from(sign + 1).text;
    let end = line.text.len() - rest.trim_start_matches(['=', '>']).len();
    let signs = line.part(start..end);
    let name = line.to(start).text.trim();
    if signs.text == "=" || name.is_empty() || name.ends_with('-') {
        return None;
    }
    let value = without_remark(line.from(end).trim()).text;
    Some(PolicyFault::at(signs.range(), other(signs.text)).help(format!("write `{name} = {}`", quotes::value(value))))
}

fn other(sign: &str) -> String {
    format!("`=` stands between a name and its value, not `{sign}`")
}

fn check_name(line: Piece<'_>, name: Piece<'_>, sign: usize) -> Option<PolicyFault> {
    if name.is_empty() {
        let fault = PolicyFault::at(line.part(sign..sign + 1).range(), "no name stands before this `=`");
        return Some(fault.help("write the name of what the value is for"));
    }
    if is_name(name.text) {
        return header::missing_name(name).map(|fault| fault.help("write the name that is missing, or remove the `.`"));
    }
    let joined: String = name.text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let known = read::names();
    let help = match nearest(&joined, known.iter().copied()) {
        Some(near) => format!("write `{near}`"),
        None if !name.text.contains(|c: char| !c.is_ascii_alphanumeric() && c != ' ') => {
            format!("write `{}`", name.text.split_whitespace().collect::<Vec<_>>().join("."))
        }
        None => format!("write `\"{}\"`, if it is meant so", name.text),
    };
    let message = format!("`{}` is no name without quotes: such has `a` to `z`, `0` to `9`, `_` and `-`", name.text);
    Some(PolicyFault::at(name.range(), message).help(help))
}

/// The value may stand on the next line, where it is read as something else.
fn without_value(text: &str, line: Piece<'_>, name: Piece<'_>) -> PolicyFault {
    let name = name.text;
    let fault = PolicyFault::at(line.range(), format!("`{name}` has no value on this line"));
    let below = text.get(line.range().end..).unwrap_or_default().trim_start();
    let below = below.lines().next().unwrap_or_default().trim();
    if below.starts_with(['"', '\'']) || below.starts_with("[\"") || below.starts_with("['") || below == "[" {
        return fault.help(format!("write `{name} = {below}`")).last();
    }
    fault.help(format!("write `{name} = …`"))
}

/// `name: value`, `name value`, and what is neither.
fn without_sign(line: Piece<'_>) -> Option<PolicyFault> {
    let end = line.text.find(|c: char| !is_name(&c.to_string())).unwrap_or(line.text.len());
    let (name, rest) = (line.to(end).text, line.from(end).trim());
    if name.is_empty() {
        return None;
    }
    let table = read::TABLES.contains(&name) && name != "modules";
    if let Some(sign) = ["->", "→", "＝"].into_iter().find(|sign| rest.text.starts_with(sign)) {
        let value = rest.from(sign.len()).trim().text;
        let fault = PolicyFault::at(rest.to(sign.len()).range(), other(sign));
        return Some(fault.help(format!("write `{name} = {}`", quotes::value(value))));
    }
    if let Some(value) = rest.text.strip_prefix(':') {
        if table && matches!(value.trim(), "" | "{") {
            let fault = PolicyFault::at(line.range(), "the name of a table stands between `[` and `]`");
            return Some(fault.help(format!("write `[{name}]`")));
        }
        let fault = PolicyFault::at(rest.to(1).range(), other(":"));
        return Some(fault.help(format!("write `{name} = {}`", quotes::value(value.trim()))));
    }
    if rest.is_empty() {
        let fault = PolicyFault::at(line.range(), format!("no `=` and no value stand behind `{name}`"));
        let help = match (table, read::names().contains(&name)) {
            (true, _) => format!("write `[{name}]`"),
            (false, true) => format!("write `{name} = …`"),
            _ => EXAMPLE.to_owned(),
        };
        return Some(fault.help(help));
    }
    let words = rest.text.split_whitespace().count();
    if words > 1 && !read::names().contains(&name) && !rest.text.starts_with(['"', '\'', '[']) {
        let fault = PolicyFault::at(line.range(), NO_LINE);
        return Some(fault.help(format!("write `# {}`, if it is a remark", line.text)));
    }
    let fault = PolicyFault::at(line.range(), format!("no `=` stands behind `{name}`"));
    Some(fault.help(format!("write `{name} = {}`", quotes::value(rest.text))))
}
