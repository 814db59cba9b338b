//! The options that follow the template.

mod allow;
mod assignment;
mod duration;
mod expiry;
mod form;
mod habit;
mod name;
mod size;

use std::ops::Range;
use std::time::Duration;

use crate::Rule;
use crate::diagnostic::Diagnostic;
use crate::piece::Piece;
use crate::suggest::{list, nearest};

pub(crate) use duration::parse as parse_duration;
pub(crate) use expiry::length as read_length;
pub use expiry::{Bucket, Jitter, Renew, Ttl};
pub use form::StoredForm;
pub(crate) use form::{example as form_example, is_integer, ours as form_named};
pub(crate) use habit::ttl as ttl_meant;
pub use name::Name;
pub(crate) use size::{parse_bytes, render_bytes};

use assignment::Assignment;

/// An option that was given, and what it says. `value` is `None` where it could not be read, which is reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given<T> {
    /// What it says.
    pub value: Option<T>,
    /// Its name.
    pub name: Range<usize>,
    /// What stands behind its name, without quotes.
    pub range: Range<usize>,
}

/// How many of the newest elements are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// So many.
    pub count: u64,
    /// A few more may stay, since the server then trims a stream with less work: `~1000`.
    pub about: bool,
}

/// All options of an attribute.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the fields bear the names of the options, which the guide explains")]
pub struct Options {
    pub value: Option<Given<StoredForm>>,
    pub field: Option<Given<StoredForm>>,
    pub ttl: Option<Given<Ttl>>,
    pub jitter: Option<Given<Jitter>>,
    pub renew: Option<Given<Renew>>,
    pub ttl_from_end_of: Option<Given<Bucket>>,
    pub null_ttl: Option<Given<Duration>>,
    pub max_bytes: Option<Given<u64>>,
    pub max_len: Option<Given<u64>>,
    pub max_member_bytes: Option<Given<u64>>,
    pub keep_last: Option<Given<Keep>>,
    pub keep_top: Option<Given<u64>>,
    pub copies: Option<Given<u64>>,
    pub reason: Option<Given<String>>,
    pub owner: Option<Given<String>>,
    pub crate_path: Option<Given<String>>,
    /// The names of the lints that the key opts out of.
    pub allow: Vec<Given<String>>,
    /// Where the reason of each of them stands.
    pub allow_reasons: Vec<Range<usize>>,
    /// Whether something is wrong with what the key says of lints: it opts out of one then, and nobody knows of which.
    pub(crate) allow_is_wrong: bool,
}

impl Options {
    /// Cuts an attribute into its template and its options, and reads the options.
    pub(crate) fn parse<'t>(attribute: Piece<'t>, diagnostics: &mut Vec<Diagnostic>) -> (Option<Piece<'t>>, Self) {
        let (template, assignments) = assignment::split(attribute, diagnostics);
        let mut options = Self::default();
        let mut others = Vec::new();
        for &given in &assignments {
            match Name::from_text(given.name.text) {
                Some(name) => options.read(name, given, diagnostics),
                None => others.push(given),
            }
        }
        let payload =
            || assignments.iter().find(|given| given.name.text == "value").map(|given| given.value.bare().text);
        for given in others {
            let (meant, diagnostic) = habit::translate(given, payload()).unwrap_or_else(|| unknown(given));
            diagnostics.push(diagnostic);
            if let Some(name) = meant {
                options.mark(name, given);
            }
            if meant == Some(Name::Value)
                && let Some(value) = &mut options.value
            {
                // It is the payload alone, and a type that stores nothing by itself must not be told as well.
                value.value = None;
            }
        }
        (template, options)
    }

    /// Takes note that an option was meant, so that nobody is told that it is missing.
    fn mark(&mut self, name: Name, given: Assignment<'_>) {
        let place = (given.name.range(), given.value.range());
        match name {
            Name::Value => unread(&mut self.value, place),
            Name::Ttl => unread(&mut self.ttl, place),
            Name::Reason => unread(&mut self.reason, place),
            Name::Field => unread(&mut self.field, place),
            Name::Copies => unread(&mut self.copies, place),
            Name::KeepLast => unread(&mut self.keep_last, place),
            Name::KeepTop => unread(&mut self.keep_top, place),
            Name::Allow => self.allow_is_wrong = true,
            _ => {}
        }
    }

    fn read(&mut self, name: Name, given: Assignment<'_>, diagnostics: &mut Vec<Diagnostic>) {
        let value = given.value.bare();
        if value.is_empty() && !matches!(name, Name::Reason | Name::Owner | Name::Allow) {
            let message = format!("`{}` has no value", name.text());
            diagnostics.push(
                Diagnostic::at(given.name.range(), Rule::Declaration, message)
                    .help(format!("write `{}`", name.example())),
            );
            self.mark(name, given);
            return;
        }
        let d = diagnostics;
        match name {
            Name::Value => store(&mut self.value, name, given, StoredForm::parse, d),
            Name::Field => store(&mut self.field, name, given, StoredForm::parse, d),
            Name::Ttl => store(&mut self.ttl, name, given, Ttl::parse, d),
            Name::Jitter => store(&mut self.jitter, name, given, Jitter::parse, d),
            Name::Renew => store(&mut self.renew, name, given, Renew::parse, d),
            Name::TtlFromEndOf => store(&mut self.ttl_from_end_of, name, given, |span, _| Bucket::parse(span), d),
            Name::NullTtl => store(&mut self.null_ttl, name, given, expiry::null_ttl, d),
            Name::MaxBytes => store(&mut self.max_bytes, name, given, bytes, d),
            Name::MaxMemberBytes => store(&mut self.max_member_bytes, name, given, bytes, d),
            Name::MaxLen => store(&mut self.max_len, name, given, count, d),
            Name::KeepLast => store(&mut self.keep_last, name, given, keep, d),
            Name::KeepTop => store(&mut self.keep_top, name, given, count, d),
            Name::Copies => store(&mut self.copies, name, given, copies, d),
            Name::Reason | Name::Owner => self.read_text(name, given, d),
            Name::Crate => store(&mut self.crate_path, name, given, |path, _| Some(path.text.to_owned()), d),
            Name::Allow => self.read_allow(given, d),
        }
    }

    fn read_text(&mut self, name: Name, given: Assignment<'_>, diagnostics: &mut Vec<Diagnostic>) {
        let slot = if name == Name::Owner { &mut self.owner } else { &mut self.reason };
        let quoted = given.value.unquoted();
        store(slot, name, given, |_, diagnostics| text(name, given, quoted, diagnostics), diagnostics);
    }
}

fn unread<T>(slot: &mut Option<Given<T>>, (name, range): (Range<usize>, Range<usize>)) {
    slot.get_or_insert(Given { value: None, name, range });
}

fn store<T>(
    slot: &mut Option<Given<T>>,
    name: Name,
    given: Assignment<'_>,
    read: impl FnOnce(Piece<'_>, &mut Vec<Diagnostic>) -> Option<T>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if slot.is_some() {
        let message = format!("`{}` is given twice", name.text());
        diagnostics.push(Diagnostic::at(given.name.range(), Rule::Declaration, message).help("keep one of them"));
        return;
    }
    let value = given.value.bare();
    *slot = Some(Given { value: read(value, diagnostics), name: given.name.range(), range: value.range() });
}

/// A text in quotes that says something.
fn text(
    name: Name,
    given: Assignment<'_>,
    quoted: Option<Piece<'_>>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<String> {
    let name = name.text();
    let diagnostic = match quoted {
        Some(text) if !text.trim().is_empty() => return Some(text.text.to_owned()),
        Some(_) => Diagnostic::at(given.value.range(), Rule::Declaration, format!("`{name}` says nothing"))
            .help("say it in a few words"),
        None => {
            let range = if given.value.is_empty() { given.name.range() } else { given.value.range() };
            let text = if given.value.is_empty() { "…" } else { given.value.text };
            Diagnostic::at(range, Rule::Declaration, format!("`{name}` takes a text in quotes"))
                .help(format!("write `{name} = \"{text}\"`"))
        }
    };
    diagnostics.push(diagnostic);
    None
}

fn bytes(value: Piece<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<u64> {
    let fault = match size::parse_bytes(value.text) {
        Ok(bytes) => return Some(bytes),
        Err(fault) => fault,
    };
    let help = fault.instead.map_or_else(
        || "sizes are whole numbers of `B`, `KB` or `MB`, as in `64KB`".to_owned(),
        |instead| format!("write `{instead}`{}", if fault.too_much { " or less" } else { "" }),
    );
    diagnostics.push(
        Diagnostic::at(value.range(), Rule::ValueSize, format!("`{}` is {}", value.text, fault.message)).help(help),
    );
    None
}

fn count(value: Piece<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<u64> {
    let fault = match size::parse_count(value.text) {
        Ok(count) => return Some(count),
        Err(fault) => fault,
    };
    let help = fault
        .instead
        .map_or_else(|| "write a whole number, as in `1000`".to_owned(), |instead| format!("write `{instead}`"));
    diagnostics.push(
        Diagnostic::at(value.range(), Rule::CollectionSize, format!("`{}` is {}", value.text, fault.message))
            .help(help),
    );
    None
}

/// How many copies there are. Whether there can be so many is checked with all else that has to fit.
fn copies(value: Piece<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<u64> {
    let number = value.text.replace('_', "").parse().ok();
    if number.is_none() {
        let message = format!("`{}` is no number of copies: a hot key has 2 to 1000", value.text);
        diagnostics.push(Diagnostic::at(value.range(), Rule::Copies, message).help("write `8`"));
    }
    number
}

/// `1000`, or `~1000` where a few more may stay.
fn keep(value: Piece<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Keep> {
    let about = value.text.starts_with('~');
    let number = if about { value.from(1).trim() } else { value };
    count(number, diagnostics).map(|count| Keep { count, about })
}

/// Nobody's name for an option: what it is like, and which there are.
fn unknown(given: Assignment<'_>) -> (Option<Name>, Diagnostic) {
    let word = given.name.text;
    let meant = nearest(word, Name::ALL.map(Name::text));
    let diagnostic = match meant {
        Some(meant) => Diagnostic::at(
            given.name.range(),
            Rule::Declaration,
            format!("there is no option `{word}`: did you mean `{meant}`?"),
        )
        .help(format!("write `{meant}`")),
        None => Diagnostic::at(given.name.range(), Rule::Declaration, format!("there is no option `{word}`"))
            .help(format!("the options are {}", list(Name::ALL.map(Name::text), "and"))),
    };
    (meant.and_then(Name::from_text), diagnostic)
}
