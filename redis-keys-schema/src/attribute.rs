//! Attributes: their grammar, and the options of `#[redis_key(…)]` on a key.
//!
//! [`grammar`] splits the text of every attribute, and reports names that are no options. [`key_option`] has the table
//! of the options, and [`role`] reads a role with the options in its parentheses. A value is read in its subject's
//! module: [`expiry`], [`lease`], [`rate`], [`size`], [`stored_form`], [`allow`].

mod allow;
mod duration;
mod expiry;
mod foreign_option;
mod grammar;
mod key_option;
mod lease;
mod legacy;
mod misplaced;
mod rate;
mod raw_option;
mod role;
mod role_name;
mod role_suggestion;
mod size;
mod stored_form;
mod text_expression;

use std::ops::Range;
use std::time::Duration;

pub(crate) use duration::{DurationError, exceeds_longest_ttl, parse_duration, read_duration};
pub(crate) use expiry::is_renewal;
pub use expiry::{Jitter, Ttl};
pub(crate) use foreign_option::{OF_RECORD, OF_RECORD_FIELD, OF_SEGMENT, OF_VARIANT, Translation};
use grammar::unknown_option;
pub(crate) use grammar::{Grammar, duplicate, read_crate_path};
pub(crate) use key_option::{Holder, KeyOption};
pub use key_option::{OptionText, option_names, option_texts};
pub(crate) use lease::{
    DEFAULT_JOB_LEASE, DEFAULT_LEASE, DEFAULT_TRIES, USUAL_NULL_TTL, suggested_refresh, tenth, usual_null_ttl,
};
pub(crate) use misplaced::NO_COLON;
pub use rate::Rate;
pub(crate) use raw_option::RawOption;
use redis_keys_core::schema::{Keep, Renew};
pub use role::GivenRole;
pub use role_name::RoleName;
use role_suggestion::{Outside, Part, role_of_value};
pub(crate) use size::{parse_bytes, render_bytes, render_percent};
pub(crate) use stored_form::{SECRET, example as example_of_form, form_named, payload, wrapped};
pub use stored_form::{StoredForm, is_stored_form, wraps_stored_form};

use crate::bucket::Bucket;
use crate::diagnostic::{Diagnostic, Diagnostics, ReportedError};
use crate::edit::Suggestion;
use crate::item::Field;
use crate::piece::Piece;
use crate::template::missing_template;
use crate::{Kind, Rule};

/// An option that was given. `value` is `None` where it could not be read, which is reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenOption<T> {
    /// Its value.
    pub value: Option<T>,
    /// Its name's place.
    pub name: Range<usize>,
    /// The place of its value, without quotes.
    pub range: Range<usize>,
}

/// All options of a key.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the fields have the names of the options, which the guide explains")]
pub struct Options {
    pub value: Option<GivenOption<StoredForm>>,
    pub field: Option<GivenOption<StoredForm>>,
    pub ttl: Option<GivenOption<Ttl>>,
    pub jitter: Option<GivenOption<Jitter>>,
    pub renew: Option<GivenOption<Renew>>,
    pub ttl_from_end_of: Option<GivenOption<Bucket>>,
    pub role: Option<GivenRole>,
    pub null_ttl: Option<GivenOption<Duration>>,
    pub lease: Option<GivenOption<Duration>>,
    /// In percent of the ttl.
    pub refresh: Option<GivenOption<u8>>,
    pub near: Option<GivenOption<Duration>>,
    pub stale: Option<GivenOption<Duration>>,
    pub limit: Option<GivenOption<Rate>>,
    pub burst: Option<GivenOption<u64>>,
    pub tries: Option<GivenOption<u8>>,
    pub expected: Option<GivenOption<u64>>,
    /// In parts per million.
    pub false_positives: Option<GivenOption<u32>>,
    pub max_bytes: Option<GivenOption<u64>>,
    pub max_len: Option<GivenOption<u64>>,
    pub max_member_bytes: Option<GivenOption<u64>>,
    pub keep_last: Option<GivenOption<Keep>>,
    pub keep_top: Option<GivenOption<u64>>,
    pub copies: Option<GivenOption<u64>>,
    pub legacy: Option<GivenOption<String>>,
    pub formerly: Option<GivenOption<String>>,
    pub reason: Option<GivenOption<String>>,
    pub rebuild: Option<GivenOption<String>>,
    pub owner: Option<GivenOption<String>>,
    pub crate_path: Option<GivenOption<String>>,
    /// The names of the lints that the key opts out of.
    pub allow: Vec<GivenOption<String>>,
    /// The place of each lint's reason.
    pub allow_reasons: Vec<Range<usize>>,
    /// Whether an `allow` could not be read, so that it is not known which lints the key opts out of.
    pub(crate) allow_is_wrong: bool,
    /// The places of the names of the options that were given or meant.
    names: Vec<(KeyOption, Range<usize>)>,
    /// The options that were given, a bit for each.
    given: u32,
    /// The type of the key that an option of another library names.
    pub(crate) named_kind: Option<Kind>,
    /// The place of the template and of each option, with its value.
    pub(crate) places: Vec<Range<usize>>,
    /// The place of the template, without quotes.
    pub(crate) template: Option<Range<usize>>,
}

impl Options {
    /// Splits an attribute into its template and its options, and reads the options.
    pub(crate) fn read<'t>(
        attribute: Piece<'t>,
        fields: &[Field<'_>],
        diagnostics: &mut Diagnostics,
    ) -> (Result<Piece<'t>, ReportedError>, Self) {
        let grammar = &key_option::GRAMMAR;
        let mut pieces = grammar.split(attribute, false, diagnostics);
        let template = take_template(&mut pieces, attribute, diagnostics)
            .map(|template| with_segments(template, &mut pieces, attribute));
        let mut options = Self { places: pieces.iter().map(|piece| piece.range()).collect(), ..Self::default() };
        if let Ok(template) = template {
            options.places.push(template.range());
            options.template = Some(template.bare().range());
        }
        let mut unknown = Vec::new();
        let mut outside = Vec::new();
        let mut stored = "";
        let mut limit = "";
        let names: Vec<_> = pieces.iter().map(|piece| grammar::name_of(*piece).text).collect();
        let has_period = names.iter().any(|name| foreign_option::PERIOD.contains(name));
        let has_reason = names.contains(&KeyOption::Reason.name());
        for piece in pieces {
            let name = grammar::name_of(piece);
            if template.is_ok() && !is_option(piece) && is_template(piece) {
                let message = "duplicate template: a key has one";
                let help = "declare another struct for another key";
                diagnostics.report(piece.range(), Rule::Declaration, message, help);
                continue;
            }
            let role = RoleName::from_name(name.text);
            if let Some(rate) = role.filter(|role| *role == RoleName::Limit).and_then(|_| assigned(piece)) {
                let is_number = has_period && !rate.text.contains('/');
                let text = if is_number { String::new() } else { rate::written_or_suggested(rate) };
                if is_number {
                    limit = rate.text;
                }
                let written = RawOption { name, value: Some(rate), whole: piece };
                outside.push(Outside { part: Part::Rate(text), written });
                continue;
            }
            if let Some(role) = role {
                options.read_role(role, piece, &names, diagnostics);
                continue;
            }
            let Some(option) = KeyOption::from_name(name.text) else {
                unknown.push(grammar.option(piece, diagnostics));
                continue;
            };
            if option == KeyOption::Allow {
                let arguments = piece.from(name.start + name.text.len() - piece.start).trim();
                options.read_allow(name, arguments, diagnostics);
                continue;
            }
            let written = grammar.option(piece, diagnostics);
            if option == KeyOption::Value {
                stored = written.bare_value().map_or("", |value| value.text);
                if let Some(part) = options.read_value_with_role(written, diagnostics) {
                    outside.push(Outside { part, written });
                    continue;
                }
            }
            let before = diagnostics.len();
            options.read_option(option, written, has_reason, diagnostics);
            if option.is_of_role() && diagnostics.len() == before {
                outside.push(Outside { part: Part::Option(option), written });
            }
        }
        options.read_unknown(&unknown, template.ok(), fields, [stored, limit], &mut outside, diagnostics);
        options.report_outside(attribute, template.ok(), outside, diagnostics);
        (template, options)
    }

    /// Reads a value that names a role, with the type in its brackets, if it names a role.
    fn read_value_with_role<'t>(&mut self, written: RawOption<'t>, diagnostics: &mut Diagnostics) -> Option<Part<'t>> {
        let (role, word, inner) = role_of_value(written.bare_value()?)?;
        let bit = 1 << KeyOption::Value as u32;
        if self.given & bit != 0 {
            return None;
        }
        self.given |= bit;
        if role.has_value() {
            self.names.insert(0, (KeyOption::Value, written.name.range()));
            let range = inner.map_or(written.name.part(0..0), |inner| inner).range();
            let form = inner.and_then(|inner| StoredForm::read(inner, diagnostics));
            self.value = Some(GivenOption::new(form, (written.name.range(), range)));
        }
        Some(Part::Value(role, word, inner))
    }

    /// Reports options that do not exist. `stored` is the stored type. `limit` is how much is allowed by a limit whose
    /// period is in a separate option.
    fn read_unknown<'t>(
        &mut self,
        unknown: &[RawOption<'t>],
        template: Option<Piece<'_>>,
        fields: &[Field<'_>],
        [stored, limit]: [&str; 2],
        outside: &mut Vec<Outside<'t>>,
        diagnostics: &mut Diagnostics,
    ) {
        let is_lock = || stored == "Lock" || self.role_name() == Some(RoleName::Lock);
        let stored = if is_lock() { "Lock" } else { stored };
        let is_hash = template.is_some_and(|template| template.bare().text.ends_with(":hash"));
        let types = unknown.iter().filter(|written| misplaced::is_type(written.whole.bare().text)).count();
        let mut empty = template.map_or(Vec::new(), empty_placeholders).into_iter();
        for written in unknown.iter().copied() {
            let is_placed =
                || template.is_some_and(|template| template.text.contains(&format!("{{{}}}", written.name.text)));
            if written.value.is_none()
                && let Some(argument) = match empty.next() {
                    Some(placeholder) => Some(positional_argument(written, placeholder)),
                    None => is_placed().then(|| placed_argument(written)),
                }
            {
                diagnostics.push(argument);
                continue;
            }
            if let Some(diagnostic) = misplaced::of_field(written, fields) {
                diagnostics.push(diagnostic);
                continue;
            }
            // Of two types, the first is the type of a hash's fields.
            let field = is_hash && types > 1 && self.field.is_none();
            let lacking = misplaced::Lacking { field, value: self.value.is_none(), ttl: self.ttl.is_none() };
            if let Some((option, diagnostic)) = misplaced::unnamed(written, &lacking) {
                diagnostics.push(diagnostic);
                self.mark(option, written);
                continue;
            }
            self.named_kind = self.named_kind.or(foreign_option::named_kind(written));
            let known = foreign_option::suggested_type(written, template)
                .or_else(|| foreign_option::suggested_length(written, template))
                .or_else(|| foreign_option::suggested_role(written, limit, stored));
            let suggested_placeholder = || {
                foreign_option::suggested_shards(written, template)
                    .or_else(|| foreign_option::suggested_tag(written, template))
            };
            let (meant, diagnostic) = match (known, suggested_placeholder()) {
                (Some((meant, option)), _) => {
                    let help = Suggestion::write(option).at(written.whole.range());
                    (Some(meant), unknown_option(written.name, help))
                }
                (None, Some(help)) => (None, unknown_option(written.name, help)),
                (None, None) => key_option::GRAMMAR.unknown(written, stored),
            };
            let role = meant.and_then(RoleName::from_name);
            let meant = meant.and_then(KeyOption::from_name);
            if let Some(part) = part_of_role(role, meant, written, &diagnostic) {
                outside.push(Outside { part, written });
                continue;
            }
            if let Some(role) = role.filter(|_| self.role.is_none()) {
                self.role = Some(GivenRole { name: role, word: written.name.range(), inside: None, is_written: false });
            }
            let earlier = meant.and_then(|meant| Some((meant, self.name_of(meant)?.clone())));
            diagnostics.push(match earlier {
                Some((meant, earlier)) => beside(meant, earlier, diagnostic, written),
                None => diagnostic,
            });
            if let Some(option) = meant {
                self.mark(option, written);
            }
            if let (Some(KeyOption::Value), Some(value)) = (meant, &mut self.value) {
                // It is the payload alone: that such a type is not a stored form must not be reported as well.
                value.value = None;
            }
        }
    }

    /// The elements that are kept of a collection that is trimmed.
    pub(crate) fn keep(&self) -> Option<Keep> {
        GivenOption::value_of(&self.keep_last).or(GivenOption::value_of(&self.keep_top).map(Keep::Top))
    }

    /// The sizes that are given, with their options' names.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = (&'static str, &GivenOption<u64>)> {
        let sizes = [(KeyOption::MaxBytes, &self.max_bytes), (KeyOption::MaxMemberBytes, &self.max_member_bytes)];
        sizes.into_iter().filter_map(|(option, given)| Some((option.name(), given.as_ref()?)))
    }

    /// The numbers of elements that are given, with their options.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (KeyOption, u64, &Range<usize>)> {
        fn count<T: Copy>(given: Option<&GivenOption<T>>, count: impl Fn(T) -> u64) -> Option<(u64, &Range<usize>)> {
            let given = given?;
            Some((count(given.value?), &given.range))
        }
        let counts = [
            (KeyOption::MaxLen, count(self.max_len.as_ref(), |count| count)),
            (KeyOption::KeepTop, count(self.keep_top.as_ref(), |count| count)),
            (KeyOption::KeepLast, count(self.keep_last.as_ref(), Keep::count)),
        ];
        counts.into_iter().filter_map(|(option, given)| given.map(|(count, range)| (option, count, range)))
    }

    /// The place of the name of an option that is given.
    pub(crate) fn name_of(&self, option: KeyOption) -> Option<&Range<usize>> {
        self.names.iter().find(|(given, _)| *given == option).map(|(_, name)| name)
    }

    /// Notes that an option was meant, so that it is not reported as missing.
    fn mark(&mut self, option: KeyOption, written: RawOption<'_>) {
        fn mark<T>(slot: &mut Option<GivenOption<T>>, (name, range): (Range<usize>, Range<usize>)) {
            slot.get_or_insert(GivenOption { value: None, name, range });
        }
        let place = places(written);
        match option {
            KeyOption::Value => mark(&mut self.value, place),
            KeyOption::Ttl => mark(&mut self.ttl, place),
            KeyOption::Reason => mark(&mut self.reason, place),
            KeyOption::Rebuild => mark(&mut self.rebuild, place),
            KeyOption::Field => mark(&mut self.field, place),
            KeyOption::NullTtl => mark(&mut self.null_ttl, place),
            KeyOption::Copies => mark(&mut self.copies, place),
            KeyOption::KeepLast => mark(&mut self.keep_last, place),
            KeyOption::KeepTop => mark(&mut self.keep_top, place),
            KeyOption::Allow => self.allow_is_wrong = true,
            // The absence of the others is no error.
            _ => return,
        }
        self.names.push((option, written.name.range()));
    }

    fn read_option(&mut self, option: KeyOption, written: RawOption<'_>, has_reason: bool, d: &mut Diagnostics) {
        let bit = 1 << option as u32;
        if self.given & bit != 0 {
            d.push(duplicate(written));
            return;
        }
        self.given |= bit;
        let given = places(written);
        let value = match option {
            KeyOption::Legacy | KeyOption::Formerly | KeyOption::Reason | KeyOption::Rebuild | KeyOption::Owner => {
                Some(written.value.unwrap_or(written.name.part(0..0)))
            }
            _ => written.bare_value(),
        };
        let Some(value) = value else {
            d.push(key_option::GRAMMAR.missing_value(written));
            self.mark(option, written);
            return;
        };
        self.names.insert(0, (option, written.name.range()));
        match option {
            KeyOption::Value => self.value = Some(GivenOption::new(StoredForm::read(value, d), given)),
            KeyOption::Field => self.field = Some(GivenOption::new(StoredForm::read(value, d), given)),
            KeyOption::Ttl => self.ttl = Some(GivenOption::new(Ttl::read(written, has_reason, d), given)),
            KeyOption::Jitter => self.jitter = Some(GivenOption::new(Jitter::read(value, d), given)),
            KeyOption::Renew => {
                // Only the duration of `below(2h)` can disagree with another option.
                let range = expiry::threshold(value).map_or(given.1, Piece::range);
                self.renew = Some(GivenOption::new(expiry::read_renewal(value, d), (given.0, range)));
            }
            KeyOption::TtlFromEndOf => {
                self.ttl_from_end_of = Some(GivenOption::new(Bucket::from_name(value.text), given));
            }
            KeyOption::NullTtl => {
                self.null_ttl = Some(GivenOption::new(read_duration(value, "5m", Rule::Expiry, d), given));
            }
            KeyOption::Lease => {
                self.lease = Some(GivenOption::new(read_duration(value, "10s", Rule::Expiry, d), given));
            }
            KeyOption::Refresh => self.refresh = Some(GivenOption::new(lease::read_refresh(value.text), given)),
            KeyOption::Near => self.near = Some(GivenOption::new(read_duration(value, "10s", Rule::Expiry, d), given)),
            KeyOption::Stale => self.stale = Some(GivenOption::new(read_duration(value, "1h", Rule::Expiry, d), given)),
            KeyOption::Burst => self.burst = Some(GivenOption::new(rate::read_burst(value, d), given)),
            KeyOption::Tries => self.tries = Some(GivenOption::new(lease::read_tries(value, d), given)),
            KeyOption::Expected => self.expected = Some(GivenOption::new(size::read_expected(value, d), given)),
            KeyOption::FalsePositives => {
                self.false_positives = Some(GivenOption::new(size::read_false_positives(value, d), given));
            }
            KeyOption::MaxBytes => self.max_bytes = Some(GivenOption::new(size::read_bytes(value, d), given)),
            KeyOption::MaxMemberBytes => {
                self.max_member_bytes = Some(GivenOption::new(size::read_bytes(value, d), given));
            }
            KeyOption::MaxLen => self.max_len = Some(GivenOption::new(size::read_count(value, d), given)),
            KeyOption::KeepLast => self.keep_last = Some(GivenOption::new(size::read_keep(value, d), given)),
            KeyOption::KeepTop => self.keep_top = Some(GivenOption::new(size::read_count(value, d), given)),
            KeyOption::Copies => self.copies = Some(GivenOption::new(size::read_copies(value, d), given)),
            KeyOption::Crate => self.crate_path = Some(GivenOption::new(Some(value.text.to_owned()), given)),
            KeyOption::Reason => self.reason = Some(GivenOption::new(read_text(written, d), given)),
            KeyOption::Rebuild => self.rebuild = Some(GivenOption::new(read_text(written, d), given)),
            KeyOption::Owner => self.owner = Some(GivenOption::new(read_text(written, d), given)),
            KeyOption::Legacy => self.legacy = Some(legacy::read(written, d)),
            KeyOption::Formerly => self.formerly = Some(legacy::read(written, d)),
            KeyOption::Allow => {}
        }
    }
}

impl<T: Copy> GivenOption<T> {
    /// The value of an option that was given and could be read.
    #[allow(clippy::ref_option, reason = "it is called with the fields of `Options`")]
    pub(crate) fn value_of(given: &Option<Self>) -> Option<T> {
        given.as_ref()?.value
    }
}

impl<T> GivenOption<T> {
    fn new(value: Option<T>, (name, range): (Range<usize>, Range<usize>)) -> Self {
        Self { value, name, range }
    }
}

/// The places of an option's name and of its value, without quotes.
fn places(written: RawOption<'_>) -> (Range<usize>, Range<usize>) {
    (written.name.range(), written.value.map_or(written.name.part(0..0), Piece::bare).range())
}

/// Translates an unknown option into a part of a role, if it means one.
fn part_of_role<'t>(
    role: Option<RoleName>,
    meant: Option<KeyOption>,
    written: RawOption<'t>,
    diagnostic: &Diagnostic,
) -> Option<Part<'t>> {
    let quoted = |start: &str| diagnostic.suggestion.strip_prefix(start)?.split_once('`');
    if role == Some(RoleName::Limit) {
        let (rate, _) = quoted("write `limit(")?;
        return Some(Part::ForeignRate(rate.trim_end_matches(')').to_owned()));
    }
    let option = meant.filter(|option| option.is_of_role())?;
    let (text, note) = match quoted("write `") {
        Some((text, note)) => (text.to_owned(), note.to_owned()),
        None => match written.bare_value() {
            Some(value) => (format!("{} = {}", option.name(), value.text), String::new()),
            None => (option.example().to_owned(), String::new()),
        },
    };
    Some(Part::Foreign(option, text, note))
}

/// The value of a word that `=` follows.
fn assigned(piece: Piece<'_>) -> Option<Piece<'_>> {
    let sign = piece.assignment()?;
    Some(piece.from(sign + 1).trim().bare())
}

/// The suggestion for an option of another library whose meaning another option of the key has: one of them stays.
fn beside(meant: KeyOption, earlier: Range<usize>, diagnostic: Diagnostic, written: RawOption<'_>) -> Diagnostic {
    let option = diagnostic.suggestion.strip_prefix("write `").and_then(|text| text.strip_suffix('`'));
    let help = match option.filter(|_| meant == KeyOption::Value) {
        // Both options have the same value.
        Some(option) => Suggestion::remove_listed()
            .saying(diagnostic.suggestion.as_str())
            .at(written.whole.range())
            .with_option(earlier, option),
        None if diagnostic.edits.is_empty() || diagnostic.suggestion.starts_with("remove") => return diagnostic,
        None => Suggestion::remove_listed().and(&format!(": `{}` is given", meant.name())).at(written.whole.range()),
    };
    Diagnostic::new(diagnostic.place, diagnostic.rule, diagnostic.message, help)
}

/// Reads a text in quotes that is not empty, or reports the problem.
fn read_text(option: RawOption<'_>, diagnostics: &mut Diagnostics) -> Option<String> {
    let name = option.name;
    let value = option.value.unwrap_or(name.part(0..0));
    let diagnostic = match value.unquoted() {
        Some(text) if !text.trim().is_empty() => return Some(text.text.to_owned()),
        Some(_) => Diagnostic::new(
            value.range(),
            Rule::Declaration,
            format!("`{}` cannot be empty", name.text),
            "write a few words",
        ),
        None => {
            let (at, literal) = if value.is_empty() {
                (name, Some("\"…\"".to_owned()))
            } else {
                (value, text_expression::literal(value))
            };
            let message = if value.is_empty() {
                format!("missing value for `{}`", name.text)
            } else {
                text_expression::found(value)
            };
            let help = match literal {
                Some(literal) => Suggestion::write(format!("{} = {literal}", name.text)).at(option.whole.range()),
                None => text_expression::help(&format!("{} = \"…\"", name.text)).into(),
            };
            Diagnostic::new(at.range(), Rule::Declaration, message, help)
        }
    };
    diagnostics.push(diagnostic);
    None
}

/// Takes the template out of the pieces: the first piece, or the piece that is meant as the template.
fn take_template<'t>(
    pieces: &mut Vec<Piece<'t>>,
    attribute: Piece<'t>,
    diagnostics: &mut Diagnostics,
) -> Result<Piece<'t>, ReportedError> {
    if pieces.first().is_some_and(|first| !first.is_empty() && !is_option(*first)) {
        return Ok(pieces.remove(0));
    }
    if let Some(named) = pieces.iter().position(|piece| foreign_option::TEMPLATE.contains(&piece.leading_word().text)) {
        let piece = pieces.remove(named);
        let name = piece.leading_word();
        let template = piece.from(piece.assignment().map_or(0, |sign| sign + 1)).trim();
        let message = format!("unknown option `{}`: the template has no name", name.text);
        let help = Suggestion::write(template.bare().text);
        let help = if named == 0 {
            help.at(piece.range()).replacing(piece.range(), template.text)
        } else {
            first(help, piece, template)
        };
        diagnostics.report(name.range(), Rule::Declaration, message, help);
        return Ok(template);
    }
    if let Some(later) = pieces.iter().position(|piece| !is_option(*piece) && is_template(*piece)) {
        let piece = pieces.remove(later);
        let help = first(Suggestion::write(piece.text).and(" first"), piece, piece);
        let message = "expected the template before the options";
        diagnostics.report(piece.range(), Rule::Declaration, message, help);
        return Ok(piece);
    }
    let range = pieces.first().map_or(attribute.range(), |first| first.leading_word().range());
    pieces.retain(|piece| !piece.is_empty());
    Err(diagnostics.push(missing_template(range)))
}

/// The template with the pieces after it that are its segments: `user, name, {id}, string`.
fn with_segments<'t>(template: Piece<'t>, pieces: &mut Vec<Piece<'t>>, attribute: Piece<'t>) -> Piece<'t> {
    let is_segment = |piece: &&Piece<'_>| !is_option(**piece) && KeyOption::from_name(piece.text).is_none();
    let count = pieces.iter().take_while(is_segment).count();
    let last = pieces.get(..count).and_then(<[_]>::last).filter(|last| Kind::from_name(last.text).is_some());
    let Some(last) = last.filter(|last| template.start < last.start && !template.text.contains(':')) else {
        return template;
    };
    let whole = attribute.part(template.start - attribute.start..last.range().end - attribute.start);
    pieces.drain(..count);
    whole
}

/// The suggestion with edits that move a template, which an option may hold, before all options.
fn first(help: Suggestion, option: Piece<'_>, template: Piece<'_>) -> Suggestion {
    help.replacing(0..0, format!("{}, ", template.text)).with_option(option.range(), "")
}

/// The places of each `{}` in a template.
fn empty_placeholders(template: Piece<'_>) -> Vec<Range<usize>> {
    template.text.match_indices("{}").map(|(at, _)| template.start + at..template.start + at + 2).collect()
}

/// Reports an argument for a `{}` of the template, as in `format!`.
fn positional_argument(argument: RawOption<'_>, placeholder: Range<usize>) -> Diagnostic {
    let name = argument.name;
    let message = format!("unexpected argument `{}`", name.text);
    let placed = format!("{{{}}}", name.text);
    let help = Suggestion::remove_listed().saying(format!("write `{placed}` in the template"));
    let help = help.at(argument.whole.range()).with(placeholder, placed);
    Diagnostic::new(name.range(), Rule::Declaration, message, help)
}

/// Reports an argument for a placeholder that has its name already.
fn placed_argument(argument: RawOption<'_>) -> Diagnostic {
    let name = argument.name;
    let message = format!("unexpected argument `{}`", name.text);
    let help = Suggestion::remove_listed().and(&format!(": `{{{}}}` is in the template", name.text));
    Diagnostic::new(name.range(), Rule::Declaration, message, help.at(argument.whole.range()))
}

/// Whether a piece is an option: it is a role, or starts with a name that `=` follows, or parentheses where that is an
/// option's name.
fn is_option(piece: Piece<'_>) -> bool {
    let name = piece.leading_word();
    let rest = piece.from(name.text.len()).trim();
    if rest.is_empty() && RoleName::from_name(name.text).is_some() {
        return true;
    }
    !name.is_empty()
        && (rest.text.starts_with('=') || rest.text.starts_with('(') && key_option::GRAMMAR.knows(name.text))
}

/// Whether a piece is like a template: text with a `:` that is not part of a path.
pub(crate) fn is_template(piece: Piece<'_>) -> bool {
    let text = piece.bare().text;
    let first = text.find(':').and_then(|colon| text.get(..colon)).unwrap_or("");
    !first.is_empty() && !first.contains('(') && KeyOption::from_name(first.trim()).is_none() && !text.contains("::")
}
