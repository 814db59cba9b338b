//! The consequences of a change for a key: one problem with all that differs.

mod effect;
mod help;

use redis_keys_core::Kind;
use redis_keys_core::schema::{Role, Schema};
use redis_keys_core::value_shape::{Codec, Form};

use self::help::Postcard;
use super::finding::{Cause, Finding, Outcome};
use super::lifetime::Lifetime;
use super::{outcome, read};

/// How serious a problem is. All of them end when the new form is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing fails.
    Note,
    /// Only a cache has more to do, or it is not known whether anything fails.
    Warning,
    /// Values are lost or misread.
    Error,
}

/// What is wrong between the forms that may be stored and the new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// How serious it is.
    pub level: Level,
    /// Whether values can be read as other values, without an error.
    pub is_misread: bool,
    /// The problem, with the template.
    pub title: String,
    /// The differences, such as ``stored value, new program: `mail`: mandatory, but not written``.
    pub lines: Vec<String>,
    /// What users and operators will see.
    pub effects: Vec<String>,
    /// The remedies.
    pub helps: Vec<String>,
}

/// The differences in both directions.
struct Differences {
    /// What the new program does with stored values.
    stored: Vec<Finding>,
    /// What old programs do with values of the new one.
    rolling: Vec<Finding>,
}

/// Compares the new form with those that may still be stored or read, the one of the file first. `None` if the form of
/// the file is the new one.
pub fn compare(schema: &Schema<String>, known: &[&Form], new: &Form) -> Option<Problem> {
    let current = *known.first()?;
    if current == new {
        return None;
    }
    let differences = Differences::between(current, known, new);
    let unnumbered = unnumbered_change(current, new);
    let worst = differences.worst();
    let lifetime = Lifetime::of(schema);
    let is_cached = matches!(schema.role, Some(Role::Cache(_)));
    let level = match worst {
        Outcome::Some | Outcome::All if is_cached && unnumbered.is_none() => Level::Warning,
        Outcome::Some | Outcome::All | Outcome::Misread => Level::Error,
        _ if unnumbered.is_some() => Level::Error,
        Outcome::Unsure => Level::Warning,
        Outcome::Reads | Outcome::Notes => Level::Note,
    };
    let postcard = unnumbered.map(|version| Postcard { version });
    Some(Problem {
        level,
        is_misread: worst == Outcome::Misread,
        title: title(schema, &differences, postcard),
        lines: differences.lines(),
        effects: effect::effects(&lifetime, &differences, is_rewritten(schema, &lifetime, new)),
        helps: help::helps(schema, &lifetime, &differences, postcard),
    })
}

/// Whether programs read values, change them and store them again. The fields of a record are stored one by one.
fn is_rewritten(schema: &Schema<String>, lifetime: &Lifetime, new: &Form) -> bool {
    matches!(schema.kind, Kind::String | Kind::Hash)
        && !matches!(new, Form::Record(_))
        && !matches!(lifetime, Lifetime::Cached(_))
}

impl Differences {
    /// What already happens between a known form and the current one was accepted with it, so only the rest is new.
    fn between(current: &Form, known: &[&Form], new: &Form) -> Self {
        let mut differences = Self { stored: Vec::new(), rolling: Vec::new() };
        for known in known {
            add_new(&mut differences.stored, read(known, new), &read(known, current));
            add_new(&mut differences.rolling, read(new, known), &read(current, known));
        }
        differences
    }

    fn worst(&self) -> Outcome {
        outcome(&self.stored).max(outcome(&self.rolling))
    }

    /// The differences that explain the worst outcome: where values are lost, a dropped field is of no interest.
    fn lines(&self) -> Vec<String> {
        let least = self.worst().min(Outcome::Unsure);
        let lines = |prefix: &str, findings: &[Finding]| -> Vec<String> {
            let findings = findings.iter().filter(|finding| finding.outcome >= least);
            findings.map(|finding| format!("{prefix}: {}", line(finding))).collect()
        };
        let mut stored = lines("stored value, new program", &self.stored);
        stored.extend(lines("new value, old program", &self.rolling));
        stored
    }
}

/// Adds each finding once, unless it was accepted. A type that is not known can have changed since it was accepted.
fn add_new(findings: &mut Vec<Finding>, found: Vec<Finding>, accepted: &[Finding]) {
    for finding in found {
        let is_accepted = finding.cause != Cause::NotKnown && accepted.contains(&finding);
        if !is_accepted && !findings.contains(&finding) {
            findings.push(finding);
        }
    }
}

fn line(finding: &Finding) -> String {
    match finding.place.trim_start_matches('.') {
        "" => finding.what.clone(),
        place => format!("`{place}`: {}", finding.what),
    }
}

fn title(schema: &Schema<String>, differences: &Differences, postcard: Option<Postcard>) -> String {
    let problem = match (differences.worst(), outcome(&differences.stored), outcome(&differences.rolling)) {
        _ if postcard.is_some() => {
            let version = postcard.map_or(0, |postcard| postcard.version);
            format!("the shape of `Postcard<T, {version}>` has changed, and its number has not")
        }
        (_, Outcome::Misread, _) => "stored values are misread".to_owned(),
        (Outcome::Misread, ..) => "old programs misread new values".to_owned(),
        (_, Outcome::Some | Outcome::All, _) if Lifetime::of(schema) == Lifetime::Message => {
            "new programs cannot read messages of old programs".to_owned()
        }
        (_, Outcome::All, _) => "stored values cannot be read".to_owned(),
        (_, Outcome::Some, _) => "some stored values cannot be read".to_owned(),
        (_, _, Outcome::All) => "old programs cannot read new values".to_owned(),
        (_, _, Outcome::Some) => "old programs cannot read some new values".to_owned(),
        (Outcome::Unsure, ..) => "it is not known whether all values can be read".to_owned(),
        (Outcome::Notes, ..) => "the values have changed, and all can be read".to_owned(),
        _ => "the file does not have the values' new shape yet".to_owned(),
    };
    format!("{problem}: `{}`", schema.template)
}

/// The number of a `Postcard` form whose bytes have changed although its number has not.
fn unnumbered_change(current: &Form, new: &Form) -> Option<u8> {
    match (current, new) {
        (Form::Serde(Codec::Postcard(from), _), Form::Serde(Codec::Postcard(to), _)) if from == to => {
            let worst = outcome(&read(current, new)).max(outcome(&read(new, current)));
            (worst > Outcome::Notes).then_some(*from)
        }
        (Form::Secret(current), Form::Secret(new)) | (Form::Compressed(_, current), Form::Compressed(_, new)) => {
            unnumbered_change(current, new)
        }
        (Form::Record(current), Form::Record(new)) => current.iter().find_map(|field| {
            let new = new.iter().find(|new| new.name == field.name)?;
            unnumbered_change(&field.form, &new.form)
        }),
        _ => None,
    }
}
