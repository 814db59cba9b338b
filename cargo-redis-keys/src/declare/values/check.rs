//! `values --check`: compares the shapes of a project's values with the file.

use redis_keys_core::value_shape::Form;
use redis_keys_schema::values::{self as rules, Outcome, Problem};

use super::accept;
use super::declared::{Declared, Project, expiry, schema};
use super::file::{Entry, Part, ValuesFile};
use super::place::{Places, ValuesPlaces};
use super::run::Known;
use crate::date::Date;
use crate::render::{Code, Detail, Finding, Level, Location, ValueCode};

/// The remedy for a file that lacks something.
const ACCEPT: &str = "run `cargo redis-keys values --accept`, and commit the file";

/// The note beside a problem that only older shapes of the file have.
const ONLY_OLDER: &str =
    "the last accepted shape is compatible, only older ones are not: accept it when their programs and values are gone";

/// The result of a comparison.
pub(crate) struct Checked {
    pub(crate) findings: Vec<Finding>,
    /// Whether the file is up to date: `--accept` would change nothing but drop shapes that have expired.
    pub(crate) is_up_to_date: bool,
}

/// Compares the values of a project with the file of this name and text.
pub(crate) fn check(project: &Project, (name, text): (&str, &str), file: &ValuesFile, today: Date) -> Checked {
    let is_up_to_date = accept::updated(file, project, today) == accept::without_expired(file.clone(), today);
    let check = Check {
        places: Places::new(&project.root),
        of_file: ValuesPlaces::new(name, text),
        today,
        findings: Vec::new(),
    };
    Checked { findings: check.run(project, file), is_up_to_date }
}

struct Check {
    places: Places,
    of_file: ValuesPlaces,
    today: Date,
    findings: Vec<Finding>,
}

impl Check {
    fn run(mut self, project: &Project, file: &ValuesFile) -> Vec<Finding> {
        let none = Entry::default();
        for (template, declared) in &project.declared {
            let entry = file.entries.get(template).unwrap_or(&none);
            if let Some((first, others)) = declared.split_first() {
                self.declared(template, first, entry);
                for other in others {
                    self.same_template(template, first, other);
                }
            }
        }
        for (template, entry) in &file.entries {
            if !project.declared.contains_key(template) && project.is_gone(template) {
                self.gone(template, entry);
            }
        }
        // The worst are the last, next to the summary.
        self.findings.sort_by_key(|finding| finding.level);
        self.findings
    }

    fn add(&mut self, level: Level, code: ValueCode, message: String, at: Location, details: Vec<Detail>) {
        let finding = Finding::new(level, Code::Value(code), message, String::new(), at);
        self.findings.push(finding.with_details(details));
    }

    fn declared(&mut self, template: &str, declared: &Declared, entry: &Entry) {
        match &declared.values {
            Ok(known) => self.known(template, declared, known, entry),
            Err(why) => self.unknown(template, declared, why, entry.current.is_some()),
        }
    }

    fn known(&mut self, template: &str, declared: &Declared, known: &Known, entry: &Entry) {
        let mut is_said = false;
        for part in Part::ALL {
            let Some(new) = known.shapes.part(part) else { continue };
            let stored = entry.current.as_ref().and_then(|current| current.shapes.part(part));
            if stored == Some(new) {
                continue;
            }
            let known = entry.stored(part, self.today);
            let compare = |known: &[&Form]| rules::compare(&schema(&declared.key), known, new);
            if let Some(problem) = compare(&known) {
                let of_current = stored.and_then(|current| compare(&[current]));
                let is_of_older = of_current.is_some_and(|of_current| of_current.level < problem.level);
                self.problem(problem, is_of_older, self.places.of_key(&declared.key));
                is_said = true;
            }
        }
        if is_said {
            return;
        }
        match &entry.current {
            Some(current) if current.shapes == known.shapes => {
                let expiry = expiry(&declared.key);
                if current.expiry != expiry {
                    let (name, before) = (self.of_file.name(), current.expiry);
                    let message =
                        format!("`expires_after` of `{template}` is `{before}` in `{name}`, and now `{expiry}`");
                    self.unlisted(message, declared);
                }
            }
            Some(_) => self.unlisted(format!("`{}` has other parts of `{template}`", self.of_file.name()), declared),
            None => self.unlisted(format!("the values of `{template}` are not in `{}`", self.of_file.name()), declared),
        }
    }

    fn unlisted(&mut self, message: String, declared: &Declared) {
        let at = self.places.of_key(&declared.key);
        self.add(Level::Note, ValueCode::Unlisted, message, at, vec![Detail::help(ACCEPT)]);
    }

    fn problem(&mut self, problem: Problem, is_of_older: bool, at: Location) {
        let code = if problem.is_misread { ValueCode::Misread } else { ValueCode::Changed };
        let level = match problem.level {
            rules::Level::Error => Level::Error,
            rules::Level::Warning => Level::Warning,
            rules::Level::Note => Level::Note,
        };
        let effects = problem.effects.into_iter().map(|effect| Detail::new("effect", effect));
        // The second of two releases, which the first has made possible.
        let note = is_of_older.then(|| Detail::new("note", ONLY_OLDER));
        let helps = problem.helps.into_iter().map(Detail::help);
        let details = problem.lines.into_iter().map(Detail::of_line).chain(effects).chain(note).chain(helps).collect();
        self.add(level, code, problem.title, at, details);
    }

    fn unknown(&mut self, template: &str, declared: &Declared, why: &str, was_known: bool) {
        let reason = Detail::new("reason", why);
        let at = self.places.of_key(&declared.key);
        if was_known {
            let message = format!("the values of `{template}` are not known any more");
            let help = "correct this, or stop comparing them: `cargo redis-keys values --accept`";
            self.add(Level::Error, ValueCode::Unknown, message, at, vec![reason, Detail::help(help)]);
        } else {
            let message = format!("the values of `{template}` are not known: changes of them are not found");
            self.add(Level::Note, ValueCode::Unknown, message, at, vec![reason]);
        }
    }

    /// Another declaration with the same template.
    fn same_template(&mut self, template: &str, first: &Declared, other: &Declared) {
        let (known, other_known) = match (&first.values, &other.values) {
            (Ok(known), Ok(other)) => (known, other),
            (_, Err(why)) => return self.unknown(template, other, why, false),
            (Err(_), Ok(_)) => return,
        };
        let parts = Part::ALL.into_iter();
        let forms = parts.filter_map(|part| known.shapes.part(part).zip(other_known.shapes.part(part)));
        let details: Vec<_> = forms.flat_map(|(form, other_form)| mismatches(first, form, other, other_form)).collect();
        if details.is_empty() {
            return;
        }
        let message = format!("two declarations of `{template}` store different values");
        let (at, first) = (self.places.of_key(&other.key), self.places.of_key(&first.key));
        let finding = Finding::new(Level::Warning, Code::Value(ValueCode::Different), message, String::new(), at);
        let finding = finding.with_other(first, "the other declaration".to_owned());
        self.findings.push(finding.with_details(details));
    }

    fn gone(&mut self, template: &str, entry: &Entry) {
        let Some(current) = &entry.current else { return };
        let message = format!("`{template}` is not declared any more");
        let effect = match current.expiry.last_day(self.today) {
            Some(day) => format!("its values have expired after {day}, when `--accept` removes it from the file"),
            None => "its values do not expire: delete its entry when no program reads them any more".to_owned(),
        };
        let details = vec![Detail::new("effect", effect), Detail::help(ACCEPT)];
        self.add(Level::Note, ValueCode::Gone, message, self.of_file.of_template(template), details);
    }
}

/// The values of each of two declarations that the other cannot read.
fn mismatches(one: &Declared, form: &Form, other: &Declared, other_form: &Form) -> Vec<Detail> {
    let (one, other) = (&one.key.name, &other.key.name);
    let ways = [(one, form, other, other_form), (other, other_form, one, form)];
    let mismatches = ways.into_iter().flat_map(|(writer, written, reader, form)| {
        let findings = rules::read(written, form).into_iter();
        findings.filter(|finding| finding.outcome > Outcome::Unsure).map(move |finding| {
            let place = finding.place.trim_start_matches('.');
            let what = if place.is_empty() { finding.what } else { format!("`{place}`: {}", finding.what) };
            Detail::new(format!("value of `{writer}`, read as `{reader}`"), what)
        })
    });
    mismatches.collect()
}
