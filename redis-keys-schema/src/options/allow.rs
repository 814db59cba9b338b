//! `allow(lint, reason = "…")`: what a key opts out of, and why.

use super::assignment::Assignment;
use super::name::Name;
use super::{Given, Options, text};
use crate::Rule;
use crate::diagnostic::Diagnostic;
use crate::piece::Piece;
use crate::warning::{Lint, OVERLAP};

/// What stands between the brackets.
#[derive(Default)]
struct Arguments<'t> {
    lints: Vec<Piece<'t>>,
    /// Where the reason stands, in whatever form it is given.
    reason: Option<Piece<'t>>,
}

impl Options {
    pub(super) fn read_allow(&mut self, given: Assignment<'_>, diagnostics: &mut Vec<Diagnostic>) {
        let told = diagnostics.len();
        if given.value.is_empty() || given.value.text.starts_with('(') {
            let arguments = Arguments::read(between_brackets(given.value, diagnostics), diagnostics);
            diagnostics.extend(arguments.missing(given.name));
            let reason = arguments.reason.map(|reason| reason.bare().range()).unwrap_or_default();
            for lint in arguments.lints {
                self.allow_reasons.push(reason.clone());
                let (value, name) = (Some(lint.text.to_owned()), given.name.range());
                self.allow.push(Given { value, name, range: lint.range() });
            }
        } else {
            diagnostics.push(without_brackets(given));
        }
        self.allow_is_wrong |= diagnostics.len() > told;
    }
}

/// What stands between the brackets, behind which nothing stands.
fn between_brackets<'t>(value: Piece<'t>, diagnostics: &mut Vec<Diagnostic>) -> Piece<'t> {
    let Some(end) = value.text.rfind(')') else { return value };
    let behind = value.from(end + 1).trim();
    if !behind.is_empty() {
        let message = format!("a comma is missing before `{}`", behind.text);
        let help = format!("write `, {}`", behind.text);
        diagnostics.push(Diagnostic::at(behind.range(), Rule::Declaration, message).help(help));
    }
    value.part(1..end)
}

/// `allow = lint`, `allow: lint`, `allow[lint]`.
fn without_brackets(given: Assignment<'_>) -> Diagnostic {
    let range = given.name.range().start..given.value.range().end;
    let value = given.value.text.trim_start_matches(['=', ':', '>', ' ']);
    let bare = Piece::new(value).bare().text.trim_matches(['(', ')', '[', ']', ' ']);
    let inner = if bare.is_empty() { "lint" } else { bare };
    let reason = if inner.contains("reason") { "" } else { ", reason = \"…\"" };
    Diagnostic::at(range, Rule::Declaration, "`allow` takes its lints in brackets")
        .help(format!("write `allow({inner}{reason})`"))
}

impl<'t> Arguments<'t> {
    fn read(inner: Piece<'t>, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let pieces = inner.split_at_commas(true).into_iter().map(Piece::trim).filter(|piece| !piece.is_empty());
        let mut arguments = Self::default();
        // What has the right name counts, wherever it stands.
        let (reasons, others): (Vec<_>, Vec<_>) = pieces.partition(|piece| piece.leading_word().text == "reason");
        for piece in reasons {
            arguments.take_reason(piece, diagnostics);
        }
        for piece in others {
            match piece.assignment() {
                Some(sign) => arguments.take_named(piece, sign, diagnostics),
                None if arguments.reason.is_none() && is_sentence(piece) => {
                    let help = format!("write `reason = {}`", piece.text);
                    let message = "the reason stands behind its name";
                    diagnostics.push(Diagnostic::at(piece.range(), Rule::Declaration, message).help(help));
                    arguments.reason = Some(piece);
                }
                None => arguments.lints.push(piece.bare()),
            }
        }
        arguments
    }

    /// `reason = "…"`
    fn take_reason(&mut self, piece: Piece<'t>, diagnostics: &mut Vec<Diagnostic>) {
        let name = piece.leading_word();
        if self.reason.is_some() {
            let message = "`reason` is given twice";
            diagnostics.push(Diagnostic::at(name.range(), Rule::Declaration, message).help("keep one of them"));
            return;
        }
        let rest = piece.from(name.text.len()).trim();
        let bare = rest.from(rest.text.find(|c| c != ':').unwrap_or(rest.text.len())).trim();
        let assigned = piece.assignment().map(|sign| piece.from(sign + 1).trim());
        let value = assigned.unwrap_or(bare);
        self.reason = Some(value);
        if assigned.is_none() && !bare.is_empty() {
            let help = format!("write `reason = {}`", quoted(bare));
            let message = "the reason stands behind `=`";
            diagnostics.push(Diagnostic::at(piece.range(), Rule::Declaration, message).help(help));
            return;
        }
        let _ = text(Name::Reason, Assignment { name, value }, value.unquoted(), diagnostics);
    }

    /// `name = "…"` where the name is another one than `reason`, or stands behind a lint.
    fn take_named(&mut self, piece: Piece<'t>, sign: usize, diagnostics: &mut Vec<Diagnostic>) {
        let (before, value) = (piece.to(sign).trim(), piece.from(sign + 1).trim());
        let name = before.from(before.text.rfind(char::is_whitespace).map_or(0, |space| space + 1));
        let lint = before.to(before.text.len() - name.text.len()).trim();
        let given = self.reason.replace(value).is_some();
        let (range, message, help) = if !lint.is_empty() {
            self.lints.push(lint.bare());
            let message = format!("a comma is missing before `{}`", name.text);
            (name.range(), message, format!("write `, reason = {}`", quoted(value)))
        } else if is_lint(name.text) {
            self.lints.push(name);
            let message = "the reason stands behind its name".to_owned();
            (piece.range(), message, format!("write `{}, reason = {}`", name.text, quoted(value)))
        } else if given {
            let message = format!("`allow` takes lints and a `reason`, and no `{}`", name.text);
            (name.range(), message, "remove it".to_owned())
        } else {
            let message = format!("`allow` takes no `{}`: did you mean `reason`?", name.text);
            (name.range(), message, format!("write `reason = {}`", quoted(value)))
        };
        diagnostics.push(Diagnostic::at(range, Rule::Declaration, message).help(help));
    }

    /// Says what is not there at all.
    fn missing(&self, allow: Piece<'_>) -> Option<Diagnostic> {
        let reason = self.reason.map_or_else(|| "\"…\"".to_owned(), quoted);
        let (message, lints) = match (self.lints.as_slice(), self.reason) {
            ([], _) => ("`allow` names no lint", "lint".to_owned()),
            (lints, None) => {
                let names = lints.iter().map(|lint| lint.text).collect::<Vec<_>>().join(", ");
                ("opting out of a lint takes a reason", names)
            }
            _ => return None,
        };
        let help = format!("write `allow({lints}, reason = {reason})`");
        Some(Diagnostic::at(allow.range(), Rule::Declaration, message).help(help))
    }
}

/// Whether it is a text of several words, which is the name of no lint.
fn is_sentence(piece: Piece<'_>) -> bool {
    piece.unquoted().is_some_and(|text| text.trim().text.contains(char::is_whitespace))
}

fn is_lint(name: &str) -> bool {
    name == OVERLAP || Lint::from_name(name).is_some()
}

/// A reason as it is written.
fn quoted(value: Piece<'_>) -> String {
    match value.text {
        "" => "\"…\"".to_owned(),
        text if value.unquoted().is_some() => text.to_owned(),
        text => format!("\"{text}\""),
    }
}
