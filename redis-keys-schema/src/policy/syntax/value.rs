//! What stands behind a `=`.

use super::{PolicyFault, assignment, is_name, quotes, signs, without_remark};
use crate::piece::Piece;

const OWN_LINE: &str = "write a new line before it";

/// What is wrong with a value, or with what stands behind it.
pub(super) fn fault(name: &str, value: Piece<'_>) -> Option<PolicyFault> {
    let braced = value.text.strip_prefix('{').map(|inner| inner.trim_end_matches([' ', '}']).trim());
    if let Some(values) = braced.filter(|inner| inner.starts_with(['"', '\'']) && !inner.contains('=')) {
        let fault = PolicyFault::at(without_remark(value).range(), "a list stands between `[` and `]`");
        return Some(fault.help(format!("write `{name} = [{values}]`")));
    }
    match end(value.text) {
        End::At(end) => {
            let whole = value.to(end);
            in_braces(whole).or_else(|| behind(name, whole, without_remark(value.from(end).trim())))
        }
        End::Wrong(at, open) => {
            let sign = value.part(at..at + 1);
            let fault = PolicyFault::at(sign.range(), format!("`{}` doesn't close what `{open}` opens", sign.text));
            Some(fault.help(format!("write `{}`", if open == '[' { ']' } else { '}' })).last())
        }
        End::Nowhere => quotes::half(value),
        End::Unknown => bare(name, without_remark(value)),
    }
}

/// Whether a text is `name = value`.
pub(super) fn assigns(text: Piece<'_>) -> bool {
    text.text.split_once('=').is_some_and(|(name, _)| is_name(name.trim()))
}

/// Where a value ends.
enum End {
    At(usize),
    /// A bracket is closed by another one, there.
    Wrong(usize, char),
    /// It is not closed on its line.
    Nowhere,
    /// It is none of a text, a list and a table.
    Unknown,
}

fn end(value: &str) -> End {
    let mut quote = None;
    let mut open = Vec::new();
    let mut escaped = false;
    if !value.starts_with(['"', '\'', '[', '{']) {
        return End::Unknown;
    }
    for (at, c) in value.char_indices() {
        match (quote, c) {
            (Some('"'), _) if escaped => escaped = false,
            (Some('"'), '\\') => escaped = true,
            (Some(open), c) if open == c => quote = None,
            (Some(_), _) => continue,
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '{') => open.push(c),
            (None, ']' | '}') => match open.pop() {
                Some(open) if (open == '[') != (c == ']') => return End::Wrong(at, open),
                _ => {}
            },
            _ => {}
        }
        if quote.is_none() && open.is_empty() {
            return End::At(at + c.len_utf8());
        }
    }
    End::Nowhere
}

/// What stands in the braces of a table.
fn in_braces(table: Piece<'_>) -> Option<PolicyFault> {
    let inner = table.text.strip_prefix('{')?.strip_suffix('}')?;
    let inner = table.part(1..1 + inner.len());
    let items = inner.split_at_commas(false).into_iter().map(Piece::trim).filter(|item| !item.is_empty());
    items.filter(|item| !item.text.contains(['{', '[', '\n'])).find_map(|item| assignment::fault("", item)).map(
        |fault| {
            let name =
                inner.text.get(fault.range.start - inner.start..fault.range.end - inner.start).unwrap_or_default();
            if fault.help != OWN_LINE {
                return fault;
            }
            PolicyFault::at(fault.range, "a comma is missing before this name").help(format!("write `, {name}`"))
        },
    )
}

/// What stands behind a whole value.
fn behind(name: &str, value: Piece<'_>, rest: Piece<'_>) -> Option<PolicyFault> {
    if rest.is_empty() {
        return None;
    }
    let written = value.text;
    if matches!(rest.text, "," | ";") {
        let message = format!("a line ends without `{}`", rest.text);
        return Some(PolicyFault::at(rest.range(), message).help("remove it"));
    }
    if let Some(length) = signs::remark_of_another_language(rest) {
        return Some(signs::remark(rest, length));
    }
    if assigns(rest) {
        return Some(own_line(rest));
    }
    if rest.text.starts_with([']', '}', ')']) {
        let message = format!("nothing opens this `{}`", rest.to(1).text);
        return Some(PolicyFault::at(rest.to(1).range(), message).help(format!("write `{name} = {written}`")));
    }
    let more = rest.from(rest.text.len() - rest.text.trim_start_matches([',', ' ']).len());
    let (what, help) = if written.starts_with('[') {
        ("the list", more_of_a_list(name, written, more.text))
    } else if written.starts_with('{') {
        ("the table", None)
    } else {
        ("the text", more_of_a_text(name, written, more.text, rest.text.starts_with(',')))
    };
    let message = format!("`{}` stands behind the end of {what}", more.text);
    let help = help.unwrap_or_else(|| format!("write `# {}`, if it is a remark", more.text));
    Some(PolicyFault::at(more.range(), message).help(help))
}

/// The list with the one value that was forgotten. A few words are likely a remark.
fn more_of_a_list(name: &str, list: &str, more: &str) -> Option<String> {
    if more.split_whitespace().count() != 1 && !more.starts_with(['"', '\'', '[']) {
        return None;
    }
    let more = more.trim_start_matches('[').trim_end_matches(']');
    let inner = list.trim_matches(['[', ']', ' ', ',']);
    let and = if inner.is_empty() { "" } else { ", " };
    Some(format!("write `{name} = [{inner}{and}{}]`", quotes::value(more)))
}

/// The text with what belongs to it, or the list that it was meant to be.
fn more_of_a_text(name: &str, text: &str, more: &str, comma: bool) -> Option<String> {
    if matches!(name, "modules" | "types") {
        return Some(format!("write `{name} = [{text}, {}]`", quotes::value(more)));
    }
    let quotes_in_it = more.contains(['"', '\'']);
    if name != "owner" && !quotes_in_it {
        return None;
    }
    let between = match (comma, text.len()) {
        (true, _) => ", ",
        // `""web""`
        (false, 2) => "",
        (false, _) => " ",
    };
    let quote = |c| matches!(c, '"' | '\'');
    let whole = format!("{}{between}{}", text.trim_matches(quote), more.trim_matches(quote));
    let remark = if quotes_in_it { String::new() } else { format!(", or `# {more}` for a remark") };
    Some(format!("write `{name} = {}`{remark}", quotes::quoted(whole.trim())))
}

fn own_line(rest: Piece<'_>) -> PolicyFault {
    let name = rest.to(rest.text.find('=').unwrap_or(rest.text.len())).trim();
    let message = format!("`{}` stands on a line of its own", name.text);
    PolicyFault::at(name.range(), message).help(OWN_LINE)
}

/// What has neither quotes nor brackets.
fn bare(name: &str, written: Piece<'_>) -> Option<PolicyFault> {
    let text = written.text;
    if let Some(at) = text.find(" //").or_else(|| text.find(" ;")).or_else(|| text.find(" --")) {
        let remark = written.from(at + 1);
        return signs::remark_of_another_language(remark).map(|length| signs::remark(remark, length));
    }
    if let Some(sign) = text.find('=') {
        let before = written.to(sign).text.trim_end();
        let start = before.rfind(char::is_whitespace).map_or(0, |space| space + 1);
        return (start > 0).then(|| own_line(written.from(start)));
    }
    if text.ends_with([',', ';']) {
        let sign = written.from(text.len() - 1);
        let message = format!("a line ends without `{}`", sign.text);
        return Some(PolicyFault::at(sign.range(), message).help("remove it"));
    }
    if let Some(inner) = text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        let fault = PolicyFault::at(written.range(), "a list stands between `[` and `]`");
        return Some(fault.help(format!("write `{name} = [{inner}]`")));
    }
    if let Some(fault) = quotes::half(written) {
        return Some(fault);
    }
    if let Some(digits) = number(text) {
        let fault = || PolicyFault::at(written.range(), format!("`{text}` is no number as TOML writes it"));
        return (digits != text).then(|| fault().help(format!("write `{digits}`")));
    }
    if matches!(name, "modules" | "types") {
        let values: Vec<_> = text.split([',', ' ']).filter(|value| !value.is_empty()).map(quotes::value).collect();
        let fault = PolicyFault::at(written.range(), format!("`{name}` is a list of texts in quotes"));
        return Some(fault.help(format!("write `{name} = [{}]`", values.join(", "))));
    }
    if matches!(name, "max_len" | "max_key_bytes") {
        let fault = PolicyFault::at(written.range(), format!("`{text}` is no whole number"));
        return Some(fault.help("write, say, `100`"));
    }
    Some(quotes::bare(written))
}

/// A number as TOML writes it, if it is one in whatever way it is written.
fn number(text: &str) -> Option<String> {
    let right = |c: char| c.is_ascii_digit() || matches!(c, '_' | ',' | ' ' | '\'');
    if !text.starts_with(|c: char| c.is_ascii_digit()) || !text.chars().all(right) {
        return None;
    }
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_start_matches('0');
    Some(if digits.is_empty() { "0".to_owned() } else { digits.to_owned() })
}
