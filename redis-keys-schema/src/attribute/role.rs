//! Reading a role, with the options in its parentheses.

use std::ops::Range;

use super::grammar::{missing_comma, name_of, unknown_option};
use super::key_option::GRAMMAR;
use super::role_name::RoleName;
use super::{GivenOption, KeyOption, Options, Rate, RawOption, rate};
use crate::Rule;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::edit::Suggestion;
use crate::piece::Piece;
use crate::suggest::{list, nearest};

/// The role that a key has, or was meant to have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenRole {
    /// The role.
    pub name: RoleName,
    /// The place of its word, or of the option that stands for it.
    pub word: Range<usize>,
    /// The place of the text in its parentheses, if it has any.
    pub(crate) inside: Option<Range<usize>>,
    /// Whether it is written as a role. An option that stands for a role is reported already.
    pub(crate) is_written: bool,
}

impl GivenRole {
    /// The suggestion to add options. `text` is the attribute's.
    pub(crate) fn adding(&self, text: &str, options: &str) -> Suggestion {
        let name = self.name.name();
        let written = self.inside.clone().map(|inside| (spaced(Piece::new(text).part(inside.clone())), inside));
        match written {
            Some((others, inside)) if !others.is_empty() => {
                let help = Suggestion::from(format!("write `{name}({options}, {others})`"));
                help.with(inside.start..inside.start, format!("{options}, "))
            }
            Some((_, inside)) => Suggestion::write(format!("{name}({options})")).replacing(inside, options),
            None => Suggestion::write(format!("{name}({options})")).at(self.word.clone()),
        }
    }
}

impl Options {
    /// The name of the role that the key has, or was meant to have.
    pub fn role_name(&self) -> Option<RoleName> {
        self.role.as_ref().map(|role| role.name)
    }

    /// Whether an option of a role is given, wherever it stands.
    pub(crate) fn has_option_of(&self, role: RoleName) -> bool {
        KeyOption::all().any(|option| option.is_of(role) && self.name_of(option).is_some())
    }

    /// Reads a role. `outer` are the names of the options around it.
    pub(super) fn read_role<'t>(
        &mut self,
        name: RoleName,
        piece: Piece<'t>,
        outer: &[&'t str],
        diagnostics: &mut Diagnostics,
    ) {
        let word = name_of(piece);
        if let Some(earlier) = self.role.as_ref().map(|role| role.name) {
            let message = if earlier == name {
                format!("duplicate option `{}`", word.text)
            } else {
                format!("`{}` cannot be combined with `{}`: a key has one role", word.text, earlier.name())
            };
            let help = Suggestion::remove_listed().saying("keep one of them").at(piece.range());
            diagnostics.report(word.range(), Rule::Declaration, message, help);
            return;
        }
        let rest = piece.from(word.start + word.text.len() - piece.start).trim();
        let mut role = GivenRole { name, word: word.range(), inside: None, is_written: true };
        match rest.text.chars().next() {
            None => {}
            Some('(') => {
                let end = rest.text.rfind(')');
                let inside = rest.part(1..end.unwrap_or(rest.text.len())).trim();
                role.inside = Some(inside.range());
                let behind = end.map_or("", |end| rest.text.get(end + 1..).unwrap_or_default()).trim();
                if !behind.is_empty() {
                    let behind = rest.from(rest.text.len() - behind.len());
                    diagnostics.push(missing_comma(behind));
                }
                self.read_inside(name, inside, outer, diagnostics);
            }
            Some(sign) => {
                let message = format!("expected `,` or `(` after `{}`, found `{sign}`", word.text);
                let help = Suggestion::write(name.example()).at(piece.range());
                diagnostics.report(rest.part(0..sign.len_utf8()).range(), Rule::Declaration, message, help);
                role.is_written = false;
            }
        }
        self.role = Some(role);
    }

    /// Reads the options in the parentheses of a role.
    fn read_inside(&mut self, role: RoleName, inside: Piece<'_>, outer: &[&str], diagnostics: &mut Diagnostics) {
        let mut pieces = GRAMMAR.split(inside, true, diagnostics);
        pieces.retain(|piece| !piece.is_empty());
        // An option that is removed is one of these options, and not the whole role.
        self.places.splice(0..0, pieces.iter().map(|piece| piece.range()));
        if role == RoleName::Limit
            && let Some(rate) = take_rate(&mut pieces, inside)
        {
            let name = rate.part(0..0).range();
            self.limit =
                Some(GivenOption { value: Rate::read(rate.bare(), diagnostics), name, range: rate.bare().range() });
        }
        for piece in pieces {
            let option = KeyOption::from_name(name_of(piece).text);
            if option == Some(KeyOption::Allow) {
                // It has its own grammar.
                let written = RawOption { name: name_of(piece), value: None, whole: piece };
                diagnostics.push(outside(written, piece.text, role));
                continue;
            }
            let written = GRAMMAR.option(piece, diagnostics);
            match option {
                Some(option) if option.is_of(role) => {
                    self.read_option(option, written, false, diagnostics);
                }
                Some(option) => {
                    diagnostics.push(not_of_role(option, written, &spaced(piece), role, outer));
                    self.mark(option, written);
                }
                None => self.read_unknown_inside(role, written, outer, diagnostics),
            }
        }
    }

    fn read_unknown_inside(
        &mut self,
        role: RoleName,
        written: RawOption<'_>,
        outer: &[&str],
        diagnostics: &mut Diagnostics,
    ) {
        let names = || KeyOption::all().filter(|option| option.is_of(role)).map(KeyOption::name);
        let word = written.name.text;
        let (meant, diagnostic) = GRAMMAR.unknown(written, "");
        let meant = meant.and_then(KeyOption::from_name);
        let diagnostic = match meant {
            Some(option) if option.is_of(role) => diagnostic,
            _ if nearest(word, names()).is_some() => {
                let near = nearest(word, names()).unwrap_or_default();
                unknown_option(written.name, Suggestion::did_you_mean(near))
            }
            Some(option) if diagnostic.suggestion.starts_with("write `") => {
                let text = diagnostic.suggestion.split('`').nth(1).unwrap_or_default();
                let help = not_of_role(option, written, text, role, outer);
                Diagnostic { message: diagnostic.message, ..help }
            }
            _ if role == RoleName::Limit && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_') => {
                let help = Suggestion::write(format!("burst = {word}")).at(written.whole.range());
                unknown_option(written.name, help)
            }
            _ => {
                let names: Vec<_> = names().collect();
                let help = match names.as_slice() {
                    [] => Suggestion::remove_listed()
                        .saying(format!("remove it: `{}` has no options", role.name()))
                        .at(written.whole.range()),
                    [only] => format!("the only option of `{}` is `{only}`", role.name()).into(),
                    _ => format!("the options of `{}` are {}", role.name(), list(names, "and")).into(),
                };
                unknown_option(written.name, help)
            }
        };
        diagnostics.push(diagnostic);
        if let Some(option) = meant {
            self.mark(option, written);
        }
    }
}

/// Options with the spaces that a suggestion has: the text from the compiler has none.
pub(super) fn spaced(options: Piece<'_>) -> String {
    let pieces = GRAMMAR.split(options, true, &mut Diagnostics::default()).into_iter().map(|piece| {
        let value = piece.assignment().map(|sign| piece.from(sign + 1).trim().text);
        value.map_or_else(|| rate::spaced(piece.text), |value| format!("{} = {value}", name_of(piece).text))
    });
    pieces.collect::<Vec<_>>().join(", ")
}

/// Takes the rate of a limit out of its options: all before the first that has a name, unless the first is complete.
fn take_rate<'t>(pieces: &mut Vec<Piece<'t>>, inside: Piece<'t>) -> Option<Piece<'t>> {
    let is_named =
        |piece: &&Piece<'_>| piece.assignment().is_some() || KeyOption::from_name(name_of(**piece).text).is_some();
    let first = *pieces.first().filter(|first| !is_named(first))?;
    let is_complete = first.text.contains('/') || first.text.contains(' ');
    let count = if is_complete { 1 } else { pieces.iter().take_while(|piece| !is_named(piece)).count() };
    let end = pieces.get(count - 1)?.range().end;
    pieces.drain(..count);
    Some(inside.part(first.start - inside.start..end - inside.start))
}

/// Reports an option inside of a role that has another place: `text` is how it is written there.
fn not_of_role(option: KeyOption, written: RawOption<'_>, text: &str, role: RoleName, outer: &[&str]) -> Diagnostic {
    let others: Vec<_> = option.roles().map(RoleName::name).collect();
    if others.is_empty() && !outer.contains(&option.name()) {
        return outside(written, text, role);
    }
    let of = if others.is_empty() { "the key".to_owned() } else { list(others, "and") };
    let message = format!("`{}` cannot have `{}`, which is an option of {of}", role.name(), written.name.text);
    let help = Suggestion::remove_listed().at(written.whole.range());
    Diagnostic::new(written.name.range(), option.rule(), message, help)
}

/// Reports an option of the key inside of a role.
fn outside(written: RawOption<'_>, text: &str, role: RoleName) -> Diagnostic {
    let message = format!("`{}` cannot have `{}`, which is an option of the key", role.name(), written.name.text);
    let help = Suggestion::add(text)
        .saying(format!("write `{text}` outside of the parentheses"))
        .without_listed(written.whole.range());
    Diagnostic::new(written.name.range(), Rule::Declaration, message, help)
}
