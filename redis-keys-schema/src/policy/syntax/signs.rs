//! Signs that mean nothing in a policy file, and files in another language.

use std::collections::BTreeSet;

use super::{EXAMPLE, Lines, PolicyFault, is_unseen};
use crate::piece::Piece;

const LEFT_OF_A_MERGE: &str = "this is left of a merge of two versions";

pub(super) const NO_REMARK: &str = "a remark starts with `#`";

const YAML: &str = "a list stands in brackets, its values one behind the other";

/// A whole file in JSON: of each of its lines there would be something to say.
pub(super) fn other_language(text: &str) -> Option<PolicyFault> {
    let start = text.len() - text.trim_start().len();
    text.get(start..)?.starts_with('{').then(|| {
        PolicyFault::at(start..start + 1, "this is JSON, and a policy is written in TOML").help(EXAMPLE).last()
    })
}

/// A carriage return alone ends no line, whatever an editor shows. One such is told, and of the lines that have one nothing
/// else is.
pub(super) fn lone_returns(text: &str, lines: &Lines, faults: &mut Vec<PolicyFault>) {
    let is_lone = |&(at, _): &(usize, &str)| !text.get(at + 1..).is_some_and(|rest| rest.starts_with('\n'));
    let mut returns = text.match_indices('\r').filter(is_lone).map(|(at, _)| at);
    let Some(first) = returns.next() else { return };
    let told: BTreeSet<_> = std::iter::once(first).chain(returns).map(|at| lines.of_place(at)).collect();
    faults.retain(|fault| !told.contains(&lines.of_fault(fault)));
    let message = "a carriage return without a line feed ends no line in TOML";
    faults.push(PolicyFault::at(first..first + 1, message).help("save the file with line ends of LF, or of CRLF"));
}

/// A sign that can't be seen and that means something else than what is seen.
pub(super) fn unseen(line: Piece<'_>) -> Option<PolicyFault> {
    let mut quote = None;
    for (at, c) in line.text.char_indices() {
        let range = line.start + at..line.start + at + c.len_utf8();
        if c.is_control() && c != '\t' {
            let message = format!("a control character, U+{:04X}, stands here", u32::from(c));
            return Some(PolicyFault::at(range, message).help("remove it"));
        }
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None, c) if !c.is_ascii() && c.is_whitespace() => {
                let message = format!("this looks like a space and is none: U+{:04X}", u32::from(c));
                return Some(PolicyFault::at(range, message).help("write a space in its place"));
            }
            (None, c) if is_unseen(c) => {
                let message = format!("a character that can't be seen, U+{:04X}, stands here", u32::from(c));
                return Some(PolicyFault::at(range, message).help("remove it"));
            }
            _ => {}
        }
    }
    None
}

/// A line that is a remark, a list, or what is left of a merge, to other languages.
pub(super) fn other_line(line: Piece<'_>) -> Option<PolicyFault> {
    if let Some(mark) = ["<<<<<<<", "=======", ">>>>>>>"].iter().find(|mark| line.text.starts_with(**mark)) {
        let range = line.to(mark.len()).range();
        return Some(PolicyFault::at(range, LEFT_OF_A_MERGE).help("keep one of the two, and remove the marks"));
    }
    if line.text.starts_with("- ") {
        return Some(dash(line.to(1)));
    }
    remark_of_another_language(line).map(|length| remark(line, length))
}

/// A value of a list in YAML.
pub(super) fn dash(sign: Piece<'_>) -> PolicyFault {
    PolicyFault::at(sign.range(), YAML).help("write, say, `modules = [\"user\", \"shop\"]`")
}

/// How long the signs are that start a remark elsewhere, if there are any.
pub(super) fn remark_of_another_language(text: Piece<'_>) -> Option<usize> {
    ["//", "/*", ";", "-- ", "<!--", "%"]
        .iter()
        .find(|sign| text.text.starts_with(**sign))
        .map(|sign| sign.trim_end().len())
}

/// A remark that starts with signs of another language, so many bytes of them.
pub(super) fn remark(remark: Piece<'_>, length: usize) -> PolicyFault {
    let text = remark.text.get(length..).unwrap_or_default().trim();
    let text = ["*/", "-->"].iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text).trim();
    let message = format!("{NO_REMARK}, not with `{}`", remark.to(length).text);
    PolicyFault::at(remark.to(length).range(), message).help(format!("write `{}`", format!("# {text}").trim()))
}

/// What comes in several lines is told at the first of them.
pub(in crate::policy) fn once(faults: &mut Vec<PolicyFault>) {
    for message in [LEFT_OF_A_MERGE, YAML] {
        let mut told = false;
        faults.retain(|fault| fault.message != message || !std::mem::replace(&mut told, true));
    }
}
