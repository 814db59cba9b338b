//! What the rules report: findings at places of a value.

/// What happens to the values that one program writes and another reads, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// All are read, and mean the same.
    Reads,
    /// All are read, with a loss that is usually intended: a field that is dropped, a number that is rounded.
    Notes,
    /// Not known: code of the program decides.
    Unsure,
    /// Some cannot be read.
    Some,
    /// None can be read.
    All,
    /// They can be read as other values, without an error.
    Misread,
}

/// A difference between what is written and what is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What happens to the values.
    pub outcome: Outcome,
    /// The part of the value, such as `.plan::Pro.seats`. Empty for the whole value.
    pub place: String,
    /// The difference.
    pub what: String,
    /// The kind of difference, as far as a help depends on it.
    pub(super) cause: Cause,
}

/// A kind of difference for which there is a help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    Other,
    /// A mandatory field is not written.
    Missing {
        field: String,
        /// The only field of the same shape that is written and not read.
        former: Option<String>,
        /// Whether it is a field of a record, and not of a serde type.
        is_in_record: bool,
    },
    /// A field is written, and the reader does not have it.
    Dropped,
    /// The type is not known on both sides: it can have changed without a trace.
    NotKnown,
    /// The reader does not have this variant.
    UnknownVariant(String),
}

/// The worst outcome.
pub fn outcome(findings: &[Finding]) -> Outcome {
    findings.iter().map(|finding| finding.outcome).max().unwrap_or(Outcome::Reads)
}

/// The name, if there is exactly one.
pub(super) fn only<'n>(mut names: impl Iterator<Item = &'n str>) -> Option<String> {
    let first = names.next()?;
    names.next().is_none().then(|| first.to_owned())
}

/// A place in a value.
#[derive(Clone, Debug)]
pub(super) struct Place {
    path: String,
    /// Whether each value has this place. If not, values without it are read although all with it fail.
    is_in_each: bool,
}

impl Place {
    pub(super) fn root() -> Self {
        Self { path: String::new(), is_in_each: true }
    }

    /// A field, or an element of a tuple.
    pub(super) fn field(&self, name: &str) -> Self {
        self.child(&format!(".{name}"))
    }

    /// The elements of a list, of which there can be none.
    pub(super) fn elements(&self) -> Self {
        self.child("[]").in_some()
    }

    /// The keys of a map, of which there can be none.
    pub(super) fn keys(&self) -> Self {
        self.child("{key}").in_some()
    }

    /// The values of a map, of which there can be none.
    pub(super) fn map_values(&self) -> Self {
        self.child("{}").in_some()
    }

    pub(super) fn variant(&self, name: &str) -> Self {
        self.child(&format!("::{name}"))
    }

    fn child(&self, step: &str) -> Self {
        Self { path: self.path.clone() + step, is_in_each: self.is_in_each }
    }

    /// The same place, as if each value had it.
    pub(super) fn in_each(&self) -> Self {
        Self { is_in_each: true, ..self.clone() }
    }

    /// The same place, which only some values have.
    pub(super) fn in_some(&self) -> Self {
        Self { is_in_each: false, ..self.clone() }
    }

    /// The same place, which only some values have unless `is_in_each`.
    pub(super) fn in_some_unless(&self, is_in_each: bool) -> Self {
        if is_in_each { self.clone() } else { self.in_some() }
    }
}

/// The findings so far.
#[derive(Debug, Default)]
pub(super) struct Findings(pub(super) Vec<Finding>);

impl Findings {
    pub(super) fn add(&mut self, at: &Place, outcome: Outcome, what: impl Into<String>) {
        self.add_for(Cause::Other, at, outcome, what);
    }

    pub(super) fn add_for(&mut self, cause: Cause, at: &Place, outcome: Outcome, what: impl Into<String>) {
        self.push(at, Finding { outcome, place: at.path.clone(), what: what.into(), cause });
    }

    /// Adds a finding at a place, or inside it. Values without the place are read although all with it fail.
    pub(super) fn push(&mut self, at: &Place, finding: Finding) {
        let is_some = finding.outcome == Outcome::All && !at.is_in_each;
        self.0.push(Finding { outcome: if is_some { Outcome::Some } else { finding.outcome }, ..finding });
    }

    /// Adds that a type is not known on both sides.
    pub(super) fn add_not_known(&mut self, at: &Place) {
        self.add_for(Cause::NotKnown, at, Outcome::Unsure, "the type is not known");
    }

    /// The findings since there were `count`.
    pub(super) fn since(&self, count: usize) -> &[Finding] {
        self.0.get(count..).unwrap_or_default()
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Limits the outcome of the findings since there were `count`.
    pub(super) fn limit_since(&mut self, count: usize, most: Outcome) {
        for finding in self.0.iter_mut().skip(count) {
            finding.outcome = finding.outcome.min(most);
        }
    }
}
