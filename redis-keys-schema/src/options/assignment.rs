//! How the attribute is cut into its template and its options.

use super::habit;
use super::name::Name;
use crate::Rule;
use crate::diagnostic::Diagnostic;
use crate::piece::{Outline, Piece, is_name_char, name_end};

/// `name = value` or `name(arguments)`, as written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assignment<'t> {
    pub(super) name: Piece<'t>,
    pub(super) value: Piece<'t>,
}

/// Cuts the attribute into its template, if it has one, and its options.
pub(super) fn split<'t>(
    attribute: Piece<'t>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Option<Piece<'t>>, Vec<Assignment<'t>>) {
    let mut pieces = pieces(attribute, diagnostics);
    let template = take_template(&mut pieces, attribute, diagnostics);
    let known = template.is_some();
    let assignments = pieces.into_iter().filter_map(|piece| assignment(piece, known, diagnostics)).collect();
    (template, assignments)
}

/// Takes the template out of the pieces: the first, or the one that it was meant to be.
fn take_template<'t>(
    pieces: &mut Vec<Piece<'t>>,
    attribute: Piece<'t>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Piece<'t>> {
    if let [first, _, ..] = pieces.as_slice()
        && first.is_empty()
    {
        let comma = first.start..first.start + 1;
        diagnostics
            .push(Diagnostic::at(comma, Rule::Declaration, "nothing stands before this comma").help("remove it"));
        pieces.remove(0);
    }
    if pieces.first().is_some_and(|first| !first.is_empty() && !is_option(*first)) {
        return Some(pieces.remove(0));
    }
    if let Some(named) = pieces.iter().position(|piece| habit::names_template(piece.leading_word().text)) {
        let piece = pieces.remove(named);
        let template = piece.from(piece.assignment().map_or(0, |sign| sign + 1)).trim();
        let message = "the template stands first, without a name";
        let help = format!("write `{}`", template.bare().text);
        diagnostics.push(Diagnostic::at(piece.leading_word().range(), Rule::Declaration, message).help(help));
        return Some(template);
    }
    if let Some(later) = pieces.iter().position(|piece| !is_option(*piece) && looks_like_template(*piece)) {
        let piece = pieces.remove(later);
        let message = "the template stands first, before the options";
        let help = format!("write `{}` first", piece.text);
        diagnostics.push(Diagnostic::at(piece.range(), Rule::Declaration, message).help(help));
        return Some(piece);
    }
    let range = pieces.first().map_or(attribute.range(), |first| first.leading_word().range());
    diagnostics.push(
        Diagnostic::at(range, Rule::Declaration, "the key's template is missing: it stands first, by itself")
            .help("write, say, `user:profile:{user_id}:string, value = Json<Profile>, ttl = 1h`"),
    );
    pieces.retain(|piece| !piece.is_empty());
    None
}

/// The pieces between commas. A trailing comma is fine; a missing one is reported, and taken as if it were there.
fn pieces<'t>(attribute: Piece<'t>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Piece<'t>> {
    let first_end = Outline::of(attribute.text, false).commas.first().copied().unwrap_or(attribute.text.len());
    let mut cut = vec![attribute.to(first_end)];
    if first_end < attribute.text.len() {
        let rest = attribute.from(first_end + 1);
        let outline = Outline::of(rest.text, true);
        // A `<` that nothing closes must not swallow the options behind it.
        cut.extend(if outline.balanced { rest.split_at(&outline.commas) } else { rest.split_at_commas(false) });
    }
    if cut.len() > 1 && cut.last().is_some_and(|last| last.trim().is_empty()) {
        cut.pop();
    }
    let mut pieces = Vec::with_capacity(cut.len());
    for piece in cut {
        split_run_on(piece.trim(), &mut pieces, diagnostics);
    }
    pieces
}

/// Whether a piece is an option and not a template: it starts with a name that is followed by `=`.
fn is_option(piece: Piece<'_>) -> bool {
    let name = piece.leading_word();
    let rest = piece.from(name.text.len()).trim();
    let named = || Name::from_text(name.text).is_some() || habit::is_known(name.text);
    !name.is_empty() && (rest.text.starts_with('=') || (rest.text.starts_with('(') && named()))
}

/// Cuts where two options follow each other without a comma.
fn split_run_on<'t>(piece: Piece<'t>, pieces: &mut Vec<Piece<'t>>, diagnostics: &mut Vec<Diagnostic>) {
    let mut start = 0;
    for sign in Outline::of(piece.text, true).assignments {
        let before = piece.part(start..sign).trim();
        if name_end(before.text) == before.text.len() {
            continue;
        }
        let name_start = before
            .text
            .rfind(|c: char| !is_name_char(c))
            .map_or(0, |at| at + before.text[at..].chars().next().map_or(1, char::len_utf8));
        let name = before.from(name_start);
        let known = Name::from_text(name.text).is_some() || habit::is_known(name.text);
        let value_before = before.to(name_start).trim();
        if known && !value_before.is_empty() && !value_before.text.ends_with("r#") {
            diagnostics.push(
                Diagnostic::at(name.range(), Rule::Declaration, format!("a comma is missing before `{}`", name.text))
                    .help(format!("write `, {}`", name.text)),
            );
            pieces.push(value_before);
            start = name.start - piece.start;
        }
    }
    pieces.push(piece.from(start));
}

fn assignment<'t>(piece: Piece<'t>, template_known: bool, diagnostics: &mut Vec<Diagnostic>) -> Option<Assignment<'t>> {
    let name = raw_name(piece);
    let rest = piece.from(name.start + name.text.len() - piece.start).trim();
    let named = Name::from_text(name.text);
    let nothing = name.part(0..0);
    match rest.text.chars().next() {
        // Where it has no brackets the sign is part of what is told.
        Some(sign) if named == Some(Name::Allow) && !sign.is_alphanumeric() => Some(Assignment { name, value: rest }),
        Some('=') if !name.is_empty() => {
            let value = rest.from(1).trim();
            Some(Assignment { name, value: if value.is_empty() { nothing } else { value } })
        }
        _ if piece.is_empty() => {
            let comma = piece.start.saturating_sub(1)..piece.start;
            let message = "nothing stands before this comma";
            diagnostics.push(Diagnostic::at(comma, Rule::Declaration, message).help("remove it"));
            None
        }
        Some(sign) if named.is_some() && !sign.is_alphanumeric() => {
            let value = rest.from(sign.len_utf8()).trim();
            let value = value.to(value.text.trim_end_matches(')').len());
            let message = format!("an option is `name = value`, and `{}` has no `=`", name.text);
            let help = format!("write `{} = {}`", name.text, value.text);
            diagnostics.push(Diagnostic::at(piece.range(), Rule::Declaration, message).help(help));
            Some(Assignment { name, value })
        }
        _ if template_known && looks_like_template(piece) => {
            let message = "a second template: a key has one";
            let help = "declare another struct for another key";
            diagnostics.push(Diagnostic::at(piece.range(), Rule::Declaration, message).help(help));
            None
        }
        _ => Some(Assignment { name: if name.is_empty() { piece } else { name }, value: nothing }),
    }
}

/// The name that an option starts with. `r#crate` is as good as `crate`.
fn raw_name(piece: Piece<'_>) -> Piece<'_> {
    if piece.text.starts_with("r#") { piece.from(2).leading_word() } else { piece.leading_word() }
}

fn looks_like_template(piece: Piece<'_>) -> bool {
    let text = piece.bare().text;
    let first = text.find(':').and_then(|colon| text.get(..colon)).unwrap_or("");
    !first.is_empty() && !first.contains('(') && Name::from_text(first.trim()).is_none() && !text.contains("::")
}
