//! Suggestions for a role whose options stand outside of its parentheses, or that is written as a value.

use std::ops::Range;

use redis_keys_core::duration::render;

use super::role::{GivenRole, spaced};
use super::role_name::RoleName;
use super::{GivenOption, KeyOption, Options, RawOption, Ttl, USUAL_NULL_TTL, usual_null_ttl};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::edit::Suggestion;
use crate::piece::Piece;
use crate::suggest::list;
use crate::{Kind, Rule};

/// A part of a role that stands outside of it.
pub(super) struct Outside<'t> {
    pub(super) part: Part<'t>,
    pub(super) written: RawOption<'t>,
}

pub(super) enum Part<'t> {
    /// An option of a role.
    Option(KeyOption),
    /// An option of another library, with the text to write in the role, and the rest of the suggestion.
    Foreign(KeyOption, String, String),
    /// The rate of a limit, or nothing where a part of another name has it.
    Rate(String),
    /// The same under another name, or of a period.
    ForeignRate(String),
    /// A value that names the role, with the type in its brackets.
    Value(RoleName, &'static str, Option<Piece<'t>>),
}

impl Outside<'_> {
    /// The roles that it can be part of.
    fn roles(&self) -> Vec<RoleName> {
        match self.part {
            Part::Option(option) | Part::Foreign(option, ..) => option.roles().collect(),
            Part::Rate(_) | Part::ForeignRate(_) => vec![RoleName::Limit],
            Part::Value(role, ..) => vec![role],
        }
    }

    /// Its text in the parentheses of the role, with its place among the others.
    fn inside(&self) -> Option<(usize, String)> {
        match &self.part {
            Part::Option(option) => {
                let value = self.written.bare_value()?;
                Some((1 + *option as usize, format!("{} = {}", option.name(), value.text)))
            }
            Part::Foreign(option, text, _) => Some((1 + *option as usize, text.clone())),
            Part::Rate(rate) | Part::ForeignRate(rate) => Some((0, rate.clone())).filter(|_| !rate.is_empty()),
            Part::Value(..) => None,
        }
    }

    fn option(&self) -> Option<KeyOption> {
        match self.part {
            Part::Option(option) | Part::Foreign(option, ..) => Some(option),
            _ => None,
        }
    }
}

/// The role that a value names, such as `Job<F>`: its exact word, and the type in its brackets.
pub(super) fn role_of_value(value: Piece<'_>) -> Option<(RoleName, &'static str, Option<Piece<'_>>)> {
    let word = value.leading_word();
    let rest = value.from(word.text.len()).trim();
    match (word.text, rest.text.chars().next()) {
        ("Lock" | "lock", None) => Some((RoleName::Lock, "Lock", None)),
        ("Job" | "job" | "Bloom" | "bloom", Some('<' | '(')) => {
            let inner = rest.part(1..rest.text.len() - 1).trim();
            let inner = Some(inner).filter(|inner| !inner.is_empty());
            let is_job = word.text.eq_ignore_ascii_case("job");
            Some(if is_job { (RoleName::Jobs, "Job", inner) } else { (RoleName::Bloom, "Bloom", inner) })
        }
        _ => None,
    }
}

impl Options {
    /// Reports everything outside of a role, in one error, with the whole role as the suggestion. `text` is the
    /// attribute's text.
    pub(super) fn report_outside(
        &mut self,
        text: Piece<'_>,
        template: Option<Piece<'_>>,
        mut parts: Vec<Outside<'_>>,
        diagnostics: &mut Diagnostics,
    ) {
        parts.sort_by_key(|part| part.written.whole.start);
        let Some(role) = self.outside_role(template, &parts) else { return };
        let (own, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| part.roles().contains(&role));
        for part in &others {
            diagnostics.push(self.of_another_role(role, part));
        }
        let Some(first) = own.first() else { return };
        let diagnostic = RoleEdits { options: self, role, text, template, own: &own }.diagnostic(first);
        diagnostics.push(diagnostic);
        let word = first.written.name.range();
        let role = GivenRole { name: role, word, inside: None, is_written: false };
        // The suggestion has all that the role lacks.
        self.role.get_or_insert(role).is_written = false;
    }

    /// The role that is given, or that the parts are of.
    fn outside_role(&self, template: Option<Piece<'_>>, parts: &[Outside<'_>]) -> Option<RoleName> {
        if let Some(role) = self.role_name() {
            return Some(role);
        }
        let of_value = parts.iter().find_map(|part| match part.part {
            Part::Value(role, ..) => Some(role),
            _ => None,
        });
        let certain = || {
            parts.iter().find_map(|part| match part.roles().as_slice() {
                [only] => Some(*only),
                _ => None,
            })
        };
        let likely = || {
            let is_zset =
                template.is_some_and(|template| kind_of(template).is_some_and(|(kind, _)| kind == Kind::ZSet));
            let roles = parts.first()?.roles();
            let is_likely = |role: &&RoleName| (**role == RoleName::Jobs) == is_zset;
            roles.iter().find(is_likely).or(roles.first()).copied()
        };
        of_value.or_else(certain).or_else(likely)
    }

    /// Reports an option of a role that is not the key's.
    fn of_another_role(&self, role: RoleName, part: &Outside<'_>) -> Diagnostic {
        let name = part.written.name;
        if role == RoleName::Lock && part.option() == Some(KeyOption::Lease) {
            let message = "a lock cannot have `lease`: its ttl says how long it is held";
            let help = match (&self.ttl, self.lease.as_ref().and_then(|lease| lease.value)) {
                (Some(_), _) => Suggestion::remove_option(),
                (None, lease) => {
                    Suggestion::write_option(format!("ttl = {}", lease.map_or_else(|| "30s".to_owned(), render)))
                }
            };
            return Diagnostic::new(name.range(), Rule::Expiry, message, help);
        }
        let of = list(part.roles().into_iter().map(RoleName::name), "and");
        let broken = part.option().map_or(Rule::Declaration, KeyOption::rule);
        let message = format!("{} cannot have `{}`, which is an option of {of}", role.noun(), name.text);
        Diagnostic::new(name.range(), broken, message, Suggestion::remove_option())
    }
}

/// The type that a template ends with, and its place.
fn kind_of(template: Piece<'_>) -> Option<(Kind, Range<usize>)> {
    let bare = template.bare();
    let last = bare.from(bare.text.rfind(':')? + 1).trim();
    Some((Kind::from_name(last.text)?, last.range()))
}

/// A role to suggest, for its parts that stand outside of it.
struct RoleEdits<'s, 't> {
    options: &'s Options,
    role: RoleName,
    text: Piece<'s>,
    template: Option<Piece<'s>>,
    own: &'s [Outside<'t>],
}

impl RoleEdits<'_, '_> {
    fn diagnostic(&self, first: &Outside<'_>) -> Diagnostic {
        let (message, rule) = self.message(first);
        let whole = self.whole();
        let written = self.options.role.as_ref().filter(|role| role.is_written);
        let word = self.own.iter().find_map(|part| match part.part {
            Part::Value(_, word, _) => Some(word),
            _ => None,
        });
        // The role replaces the value that names it, or else the first part.
        let is_replaced = |part: &Outside<'_>| match word {
            Some(_) => matches!(part.part, Part::Value(..)),
            None => part.written.whole.range() == first.written.whole.range(),
        };
        let mut help = format!("write `{whole}`");
        let mut edits: Vec<_> = written.map(|role| (role.word.clone(), whole.clone())).into_iter().collect();
        for part in self.own {
            let in_place = Some(whole.clone()).filter(|_| written.is_none() && is_replaced(part));
            let texts: Vec<_> = self.value_of(part).into_iter().chain(in_place.clone()).collect();
            if in_place.is_some() {
                help = format!("write `{}`", texts.join(", "));
            }
            edits.push((part.written.whole.range(), texts.join(", ")));
        }
        if let Part::Foreign(_, _, note) = &first.part {
            help += note;
        }
        let (replaced, names) = self.replaced();
        edits.extend(replaced.into_iter().map(|place| (place, String::new())));
        let wrong = self.template.and_then(kind_of).filter(|(kind, _)| *kind != self.role.kind());
        let in_place_of = names.map(|names| format!(" in place of {names}"));
        let ending = wrong.as_ref().map(|_| format!(" and end the template with `:{}`", self.role.kind()));
        let own_type = word.map(|word| format!(", or `self::{word}` for a type of your own"));
        help.extend([in_place_of, ending, own_type].into_iter().flatten());
        let help = edits.into_iter().fold(Suggestion::from(help), |help, (place, text)| help.with_option(place, text));
        let help = match wrong {
            Some((_, suffix)) => help.with(suffix, self.role.kind().name()),
            None => help,
        };
        let place = match first.part {
            Part::Value(..) => first.written.bare_value().map_or(first.written.name, Piece::leading_word),
            _ => first.written.name,
        };
        Diagnostic::new(place.range(), rule, message, help)
    }

    /// The value that stays of an option that names the role.
    fn value_of(&self, part: &Outside<'_>) -> Option<String> {
        let Part::Value(_, _, inner) = part.part else { return None };
        let example = if self.role == RoleName::Jobs { "Json<Mail>" } else { "u64" };
        self.role.has_value().then(|| format!("value = {}", inner.map_or(example, |inner| inner.text)))
    }

    /// The problem of the first part, and of the parts with the same problem.
    fn message(&self, first: &Outside<'_>) -> (String, Rule) {
        let role = self.role.name();
        match &first.part {
            Part::Foreign(..) | Part::ForeignRate(_) => {
                (format!("unknown option `{}`", first.written.name.text), Rule::Declaration)
            }
            Part::Rate(_) => ("expected `limit(…)`, found `limit = …`".to_owned(), Rule::RateLimit),
            Part::Value(_, word, _) => {
                let shown = if self.role.has_value() { format!("{word}<…>") } else { (*word).to_owned() };
                (format!("`{shown}` is not a stored form: `{role}` is a role of the key"), Rule::StoredForm)
            }
            Part::Option(option) => {
                let names = self.own.iter().filter_map(|part| match part.part {
                    Part::Option(option) => Some(option.name()),
                    _ => None,
                });
                let names: Vec<_> = names.collect();
                let what = if names.len() == 1 { "is an option" } else { "are options" };
                (format!("{} {what} of the role `{role}`", list(names, "and")), option.rule())
            }
        }
    }

    /// The role with all of its options.
    fn whole(&self) -> String {
        let name = self.role.name();
        let mut parts: Vec<(usize, String)> = self.own.iter().filter_map(Outside::inside).collect();
        let given = self.options.role.as_ref().and_then(|role| role.inside.clone());
        let given = given.map(|inside| spaced(self.text.part(inside))).unwrap_or_default();
        let lacks = |option: KeyOption| {
            self.options.name_of(option).is_none() && !self.own.iter().any(|part| part.option() == Some(option))
        };
        let needed: &[(KeyOption, &str)] = match self.role {
            RoleName::Cache => &[(KeyOption::NullTtl, "")],
            RoleName::Bloom => &[(KeyOption::Expected, "100_000"), (KeyOption::FalsePositives, "1%")],
            RoleName::Limit if self.options.limit.is_none() && !parts.iter().any(|(index, _)| *index == 0) => {
                parts.push((0, "100 / 1m".to_owned()));
                &[]
            }
            RoleName::Limit | RoleName::Lock | RoleName::Jobs => &[],
        };
        for (option, usual) in needed.iter().filter(|(option, _)| lacks(*option)) {
            let usual = if usual.is_empty() { self.null_ttl() } else { (*usual).to_owned() };
            parts.push((1 + *option as usize, format!("{} = {usual}", option.name())));
        }
        parts.sort_by_key(|(index, _)| *index);
        parts.dedup_by_key(|(index, _)| *index);
        // Given options stay first, but for an option that comes before all others.
        let first = parts.first().is_some_and(|(index, _)| *index <= 1 + KeyOption::NullTtl as usize);
        let mut texts: Vec<_> = parts.into_iter().map(|(_, text)| text).collect();
        if !given.is_empty() {
            texts.insert(usize::from(first), given);
        }
        if texts.is_empty() { name.to_owned() } else { format!("{name}({})", texts.join(", ")) }
    }

    fn null_ttl(&self) -> String {
        render(match GivenOption::value_of(&self.options.ttl) {
            Some(Ttl::After(ttl)) => usual_null_ttl(ttl),
            _ => USUAL_NULL_TTL,
        })
    }

    /// The places of the options that a limit replaces, and their names.
    fn replaced(&self) -> (Vec<Range<usize>>, Option<String>) {
        if self.role != RoleName::Limit || self.options.role.is_some() {
            return (Vec::new(), None);
        }
        let given = [KeyOption::Value, KeyOption::Ttl]
            .into_iter()
            .filter_map(|option| Some((option.name(), self.options.name_of(option)?.clone())));
        let (names, places): (Vec<_>, Vec<_>) = given.unzip();
        let names = (!names.is_empty()).then(|| list(names, "and"));
        (places, names)
    }
}
