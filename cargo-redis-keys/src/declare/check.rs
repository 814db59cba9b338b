//! `check`: reads each declaration as the derives do, and finds declarations of a workspace that overlap.
//!
//! Each item is read by the functions that the derives use, so both say the same. The derives compare the keys of one
//! crate; here the keys of all crates are compared. A type's texts are known if the sources show them: for all other
//! types, only the compiler knows them.

mod compared_key;
mod item;
mod overlaps;
mod project;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::rc::Rc;

pub(crate) use compared_key::ComparedKey;
use item::ReadItem;
use overlaps::{Keys, LegacyKeys};
pub(crate) use project::Project;
#[cfg(test)]
pub(crate) use project::policy_findings as findings_of_policy;
use redis_keys_schema::{Place, Policy};
use redis_keys_syntax::{Input, KeyField, Siblings, typed_fields};
use syn::DeriveInput;
use syn::ext::IdentExt as _;

use crate::declare::catalog::Values;
use crate::declare::sources::{DeclarationKind, range_of};
use crate::render::{File, Finding, Location, SourcePlace};

/// An item to check. The items come in the order of the targets and of their sources.
pub(crate) struct Subject<'s> {
    pub(crate) kind: DeclarationKind,
    /// The item.
    pub(crate) item: &'s DeriveInput,
    /// The file that it is in.
    pub(crate) file: Rc<File>,
    /// Its package's policy.
    pub(crate) policy: &'s Policy,
    /// Its package's name.
    pub(crate) package: &'s str,
    /// The path of its module inside of the crate, such as `keys::user`.
    pub(crate) module: &'s str,
    /// The index of the crate that it is in.
    pub(crate) krate: usize,
    /// Whether it is part of a library or a program, and not of a test or an example.
    pub(crate) is_deployed: bool,
    /// Whether the compiler shows no warnings about it.
    pub(crate) is_silenced: bool,
    /// The `cfg` under which it is declared, if that cannot be decided.
    pub(crate) condition: Option<&'s str>,
}

/// An item, which several crates can contain.
struct SharedItem<'s> {
    /// The index of the first subject that it is.
    index: usize,
    subject: &'s Subject<'s>,
    crates: BTreeSet<usize>,
    is_deployed: bool,
    read: ReadItem<'s>,
}

/// Checks items, and compares them with `more` keys. `values_of` knows the values of a field's type; it gets the index
/// of the item.
pub(crate) fn check(
    subjects: &[Subject<'_>],
    more: Vec<ComparedKey>,
    values_of: &dyn Fn(usize, &KeyField<'_>) -> Option<Values>,
) -> Vec<Finding> {
    let (declared, indexes) = distinct(subjects);
    let mut findings = Vec::new();
    for declared in &declared {
        findings.extend(declared.read.findings.iter().cloned());
    }
    siblings(subjects, &declared, &indexes, &mut findings);
    let mut compared: Vec<_> = declared.iter().filter_map(|declared| declared.compared_key(values_of)).collect();
    compared.extend(more);
    findings.extend(compared_key::overlaps(&compared));
    sort(&mut findings);
    findings
}

/// Sorts findings in the order of the files, and drops duplicates.
fn sort(findings: &mut Vec<Finding>) {
    findings.sort_by(|one, other| {
        let order = |finding: &Finding| {
            finding.place().map(|SourcePlace { at, .. }| (at.file.path.clone(), at.range.start, at.range.end))
        };
        order(one).cmp(&order(other))
    });
    findings.dedup();
}

/// The items without duplicates, and the index among them of each subject. One file and offset is one item.
fn distinct<'s>(subjects: &'s [Subject<'s>]) -> (Vec<SharedItem<'s>>, Vec<usize>) {
    let mut declared: Vec<SharedItem<'s>> = Vec::new();
    let mut known: HashMap<_, usize> = HashMap::new();
    let mut indexes = Vec::with_capacity(subjects.len());
    for (first, subject) in subjects.iter().enumerate() {
        // An item can have another attribute under each condition.
        let identity = (subject.file.path.as_str(), subject.offset(), subject.kind, subject.condition);
        let index = *known.entry(identity).or_insert(declared.len());
        match declared.get_mut(index) {
            Some(declared) => {
                declared.is_deployed |= subject.is_deployed;
                declared.crates.insert(subject.krate);
            }
            None => declared.push(SharedItem::new(first, subject)),
        }
        indexes.push(index);
    }
    (declared, indexes)
}

impl Subject<'_> {
    /// The offset of its name.
    fn offset(&self) -> usize {
        self.item.ident.span().byte_range().start
    }

    /// A place in the item.
    fn location(&self, input: &Input<'_>, place: &Place) -> Location {
        let range = inside(range_of(input, place, &self.file.text), &self.file.text);
        Location { file: Rc::clone(&self.file), range }
    }
}

impl<'s> SharedItem<'s> {
    fn new(index: usize, subject: &'s Subject<'s>) -> Self {
        let crates = BTreeSet::from([subject.krate]);
        Self { index, subject, crates, is_deployed: subject.is_deployed, read: item::read(subject) }
    }

    fn name(&self) -> String {
        self.subject.item.ident.unraw().to_string()
    }

    fn location(&self, place: &Place) -> Location {
        self.subject.location(&self.read.input, place)
    }

    /// The side of a comparison with other keys, of a valid key that does not allow overlaps.
    fn compared_key(&self, values_of: &dyn Fn(usize, &KeyField<'_>) -> Option<Values>) -> Option<ComparedKey> {
        let Subject { package, module, condition, .. } = self.subject;
        let (pattern, place) = self.read.pattern.as_ref()?;
        let fields = typed_fields(&self.read.input, pattern);
        let typed = fields.map(|field| field.map(|field| (field.ty.clone(), values_of(self.index, field))));
        let keys = Keys::new(pattern.clone(), &typed.collect::<Vec<_>>());
        let legacy = self.read.legacy.as_ref();
        Some(ComparedKey {
            name: self.name(),
            package: (*package).to_owned(),
            module: (*module).to_owned(),
            offset: Some(self.subject.offset()),
            at: self.location(place),
            legacy_at: legacy.map(|legacy| self.location(&Place::Attribute(legacy.range.clone()))),
            keys: Keys {
                crates: self.crates.clone(),
                is_deployed: self.is_deployed,
                is_conditional: condition.is_some(),
                legacy: legacy.map(|legacy| LegacyKeys { glob: legacy.glob(), is_in_use: legacy.in_use }),
                ..keys
            },
        })
    }
}

/// The part of a range that lies within the text.
fn inside(range: Range<usize>, text: &str) -> Range<usize> {
    let boundary =
        |byte: usize| (0..=byte.min(text.len())).rev().find(|byte| text.is_char_boundary(*byte)).unwrap_or(0);
    let start = boundary(range.start);
    start..boundary(range.end).max(start)
}

/// `sibling_fields`, in each crate.
fn siblings(subjects: &[Subject<'_>], declared: &[SharedItem<'_>], indexes: &[usize], findings: &mut Vec<Finding>) {
    let mut crates: BTreeMap<usize, Siblings> = BTreeMap::new();
    for (subject, declared) in subjects.iter().zip(indexes.iter().filter_map(|index| declared.get(*index))) {
        let Some(sibling) = &declared.read.sibling else { continue };
        let at = declared.location(&Place::Item).start();
        let identity = format!("{} {}:{}:{}", declared.name(), subject.file.path, at.line, at.column);
        let warning = crates.entry(subject.krate).or_default().check(sibling, identity);
        findings.extend(warning.and_then(|warning| subject.warning(&declared.read.input, warning)));
    }
}
