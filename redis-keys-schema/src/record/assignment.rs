//! How a `redis_hash` attribute is cut into its options.

use super::AttributeOf;
use super::field::Name;
use crate::Rule;
use crate::diagnostic::Diagnostic;
use crate::item::Attribute;
use crate::piece::{Outline, Piece, is_name_char};

/// `name` or `name = value`, as written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assignment<'t> {
    pub(super) name: Piece<'t>,
    /// What stands behind the `=`, if there is one.
    pub(super) value: Option<Piece<'t>>,
}

/// Cuts an attribute into its options. `examples` says what could stand in it.
pub(super) fn split<'t>(
    attribute: &Attribute<'t>,
    of: AttributeOf,
    examples: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Assignment<'t>> {
    let text = match attribute {
        Attribute::Arguments(text) => Piece::new(text),
        Attribute::Value(_) => {
            let message = "options stand in brackets, not behind `=`";
            diagnostics.push(
                Diagnostic::new(of.whole(), Rule::Declaration, message)
                    .help(format!("write, say, `redis_hash({examples})`")),
            );
            return Vec::new();
        }
        Attribute::Word => Piece::new(""),
    };
    if text.trim().is_empty() {
        let message = "this attribute says nothing";
        diagnostics.push(
            Diagnostic::new(of.whole(), Rule::Declaration, message)
                .help(format!("write, say, `redis_hash({examples})`, or remove it")),
        );
        return Vec::new();
    }
    let pieces = pieces(text, of, diagnostics);
    pieces.into_iter().map(|piece| assignment(piece, of, diagnostics)).collect()
}

/// The pieces between commas. A trailing comma is fine; a missing one is reported, and taken as if it were there.
fn pieces<'t>(text: Piece<'t>, of: AttributeOf, diagnostics: &mut Vec<Diagnostic>) -> Vec<Piece<'t>> {
    let outline = Outline::of(text.text, true);
    // A `<` that nothing closes must not swallow the options behind it.
    let mut cut = if outline.balanced { text.split_at(&outline.commas) } else { text.split_at_commas(false) };
    if cut.len() > 1 && cut.last().is_some_and(|last| last.trim().is_empty()) {
        cut.pop();
    }
    let mut pieces = Vec::with_capacity(cut.len());
    for piece in cut {
        if piece.trim().is_empty() {
            let end = piece.start + piece.text.len();
            let message = "nothing stands before this comma";
            diagnostics.push(Diagnostic::new(of.place(end..end + 1), Rule::Declaration, message).help("remove it"));
            continue;
        }
        split_run_on(piece.trim(), &mut pieces, of, diagnostics);
    }
    pieces
}

/// Cuts where two options follow each other without a comma.
fn split_run_on<'t>(piece: Piece<'t>, pieces: &mut Vec<Piece<'t>>, of: AttributeOf, diagnostics: &mut Vec<Diagnostic>) {
    let mut names: Vec<_> = Name::ALL.iter().flat_map(|name| run_ons(piece.text, name.text())).collect();
    names.sort_unstable_by_key(|(at, _)| *at);
    let mut start = 0;
    for (at, name) in names {
        let range = piece.start + at..piece.start + at + name.len();
        diagnostics.push(
            Diagnostic::new(of.place(range), Rule::Declaration, format!("a comma is missing before `{name}`"))
                .help(format!("write `, {name}`")),
        );
        pieces.push(piece.part(start..at).trim());
        start = at;
    }
    pieces.push(piece.from(start).trim());
}

/// Where the name of an option stands that is neither the first word nor a value.
fn run_ons<'n>(text: &str, name: &'n str) -> Vec<(usize, &'n str)> {
    let is_run_on = |at: usize| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + name.len()..).unwrap_or_default();
        // Behind `=` and `::` it is the value, or a part of it.
        before.ends_with([' ', '"', '>', ')', ']'])
            && before.trim_end().ends_with(|c: char| is_name_char(c) || "\">)]".contains(c))
            && !after.starts_with(|c: char| is_name_char(c))
            && before.matches('"').count() % 2 == 0
            && Outline::of(before, true).balanced
    };
    text.match_indices(name).map(|(at, _)| (at, name)).filter(|(at, _)| is_run_on(*at)).collect()
}

fn assignment<'t>(piece: Piece<'t>, of: AttributeOf, diagnostics: &mut Vec<Diagnostic>) -> Assignment<'t> {
    // `r#default` is as good as `default`.
    let name = if piece.text.starts_with("r#") { piece.from(2).leading_word() } else { piece.leading_word() };
    if name.is_empty() {
        return Assignment { name: piece, value: None };
    }
    let rest = piece.from(name.start + name.text.len() - piece.start).trim();
    let value = match rest.text.chars().next() {
        None => return Assignment { name, value: None },
        Some('=') => return Assignment { name, value: Some(rest.from(1).trim()) },
        Some('(') if rest.text.ends_with(')') => rest.part(1..rest.text.len() - 1).trim(),
        Some(sign) if !is_name_char(sign) && sign != '"' => rest.from(sign.len_utf8()).trim(),
        Some(_) => rest,
    };
    if Name::from_text(name.text).is_some_and(|name| name != Name::Default) {
        let message = format!("an option is `name = value`, and `{}` has no `=`", name.text);
        diagnostics.push(
            Diagnostic::new(of.place(piece.range()), Rule::Declaration, message)
                .help(format!("write `{} = {}`", name.text, value.text)),
        );
    }
    Assignment { name, value: Some(value) }
}
