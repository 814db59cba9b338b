//! `allow(lint, reason = "…")`: the lints that a key opts out of, and why.

use super::grammar::{duplicate, first_literal, missing_comma};
use super::raw_option::RawOption;
use super::{GivenOption, Options, read_text};
use crate::Rule;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::edit::Suggestion;
use crate::piece::Piece;
use crate::warning::{Lint, OVERLAP};

/// The arguments of an `allow`.
#[derive(Default)]
struct Arguments<'t> {
    lints: Vec<Piece<'t>>,
    /// The reason's value, in whatever form it is given.
    reason: Option<Piece<'t>>,
}

impl Options {
    pub(crate) fn read_allow(&mut self, name: Piece<'_>, value: Piece<'_>, diagnostics: &mut Diagnostics) {
        let reported = diagnostics.len();
        if value.is_empty() || value.text.starts_with('(') {
            let arguments = Arguments::read(parenthesized(value, diagnostics), diagnostics);
            arguments.report_missing(name, diagnostics);
            let reason = arguments.reason.map(|reason| reason.bare().range()).unwrap_or_default();
            for lint in arguments.lints {
                self.allow_reasons.push(reason.clone());
                self.allow.push(GivenOption {
                    value: Some(lint.text.to_owned()),
                    name: name.range(),
                    range: lint.range(),
                });
            }
        } else {
            diagnostics.push(without_parentheses(name, value));
        }
        self.allow_is_wrong |= diagnostics.len() > reported;
    }
}

/// The text in parentheses. Text after it is reported.
fn parenthesized<'t>(value: Piece<'t>, diagnostics: &mut Diagnostics) -> Piece<'t> {
    let Some(end) = value.text.rfind(')') else { return value };
    let after = value.from(end + 1).trim();
    if !after.is_empty() {
        diagnostics.push(missing_comma(after.leading_word()));
    }
    value.part(1..end)
}

/// `allow = lint`, `allow: lint`, `allow[lint]`.
fn without_parentheses(name: Piece<'_>, value: Piece<'_>) -> Diagnostic {
    let range = name.range().start..value.range().end;
    let bare = Piece::new(value.text.trim_start_matches(['=', ':', '>', ' '])).bare();
    let bare = bare.text.trim_matches(['(', ')', '[', ']', ' ']);
    let reason = if bare.contains("reason") { "" } else { ", reason = \"…\"" };
    let help = match bare {
        "" => name_a_lint("\"…\""),
        lints => Suggestion::write(format!("allow({lints}{reason})")),
    };
    Diagnostic::new(range, Rule::Declaration, "expected `(` after `allow`", help)
}

impl<'t> Arguments<'t> {
    fn read(inner: Piece<'t>, diagnostics: &mut Diagnostics) -> Self {
        let pieces = inner.split_at_commas(true).into_iter().map(Piece::trim).filter(|piece| !piece.is_empty());
        let mut arguments = Self::default();
        // Pieces with the right name count, in any order.
        let (reasons, others): (Vec<_>, Vec<_>) = pieces.partition(|piece| piece.leading_word().text == "reason");
        for piece in reasons {
            arguments.take_reason(piece, diagnostics);
        }
        for piece in others {
            match piece.assignment() {
                Some(sign) => arguments.take_named(piece, sign, diagnostics),
                None if arguments.reason.is_none() && is_sentence(piece) => {
                    report(
                        piece,
                        "missing `reason =` before the text",
                        Suggestion::write(format!("reason = {}", piece.text)),
                        diagnostics,
                    );
                    arguments.reason = Some(piece);
                }
                None => arguments.lints.push(piece.bare()),
            }
        }
        arguments
    }

    /// `reason = "…"`
    fn take_reason(&mut self, piece: Piece<'t>, diagnostics: &mut Diagnostics) {
        let name = piece.leading_word();
        if self.reason.is_some() {
            diagnostics.push(duplicate(RawOption { name, value: None, whole: piece }));
            return;
        }
        let rest = piece.from(name.text.len()).trim();
        let bare = rest.from(rest.text.find(|c| c != ':').unwrap_or(rest.text.len())).trim();
        let assigned = piece.assignment().map(|sign| first_literal(piece.from(sign + 1).trim(), diagnostics));
        self.reason = Some(assigned.unwrap_or(bare));
        if assigned.is_none() && !bare.is_empty() {
            let help = Suggestion::write(format!("reason = {}", quoted(bare)));
            report(piece, "expected `=` after `reason`", help, diagnostics);
        } else {
            let value = Some(assigned.unwrap_or(bare));
            let _ = read_text(RawOption { name, value, whole: piece }, diagnostics);
        }
    }

    /// `name = "…"` where the name is not `reason`, or a lint precedes it.
    fn take_named(&mut self, piece: Piece<'t>, sign: usize, diagnostics: &mut Diagnostics) {
        let (before, value) = (piece.to(sign).trim(), piece.from(sign + 1).trim());
        let name = before.from(before.text.rfind(char::is_whitespace).map_or(0, |space| space + 1));
        let lint = before.to(before.text.len() - name.text.len()).trim();
        let given = self.reason.replace(value).is_some();
        let value = quoted(value);
        if !lint.is_empty() {
            self.lints.push(lint.bare());
            let message = format!("expected `,` before `{}`", name.text);
            let help = Suggestion::write(format!(", reason = {value}")).at(name.start..piece.range().end);
            report(name, message, help, diagnostics);
        } else if is_lint(name.text) {
            self.lints.push(name);
            let help = Suggestion::write(format!("{}, reason = {value}", name.text));
            report(piece, "missing `reason =` before the text", help, diagnostics);
        } else {
            let help = if given { Suggestion::remove_listed() } else { Suggestion::write(format!("reason = {value}")) };
            let message = format!("unknown argument `{}` of `allow`", name.text);
            report(name, message, help.at(piece.range()), diagnostics);
        }
    }

    fn report_missing(&self, allow: Piece<'_>, diagnostics: &mut Diagnostics) {
        let reason = self.reason.map_or_else(|| "\"…\"".to_owned(), quoted);
        let (message, help) = match (self.lints.as_slice(), self.reason) {
            ([], _) => ("missing lint in `allow`", name_a_lint(&reason)),
            (lints, None) => {
                let lints = lints.iter().map(|lint| lint.text).collect::<Vec<_>>().join(", ");
                let help = Suggestion::write_option(format!("allow({lints}, reason = {reason})"));
                ("missing `reason` in `allow`", help)
            }
            _ => return,
        };
        report(allow, message, help, diagnostics);
    }
}

fn report(at: Piece<'_>, message: impl Into<String>, help: Suggestion, diagnostics: &mut Diagnostics) {
    diagnostics.report(at.range(), Rule::Declaration, message, help);
}

/// Nothing says which lint is meant.
fn name_a_lint(reason: &str) -> Suggestion {
    let help = format!("name a lint, as in `allow({}, reason = {reason})`, or remove it", Lint::LongKey);
    Suggestion::remove_option().saying(help)
}

/// Whether it is a text of several words, which is not a lint's name.
fn is_sentence(piece: Piece<'_>) -> bool {
    piece.unquoted().is_some_and(|text| text.trim().text.contains(char::is_whitespace))
}

fn is_lint(name: &str) -> bool {
    name == OVERLAP || Lint::from_name(name).is_some()
}

/// A reason in quotes.
fn quoted(value: Piece<'_>) -> String {
    match value.text {
        "" => "\"…\"".to_owned(),
        text if value.unquoted().is_some() => text.to_owned(),
        text => format!("\"{text}\""),
    }
}
