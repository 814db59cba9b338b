//! The parts of a project that are checked: its sources, its policy files, and the declarations of macros.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::ops::Range;
use std::rc::Rc;

use redis_keys_schema::{self as schema, Lint, Policy, PolicyError, Rule};
use redis_keys_syntax::policy::{Document, Unreadable};

use super::{ComparedKey, Subject};
use crate::declare::catalog::{Catalog, Key};
use crate::declare::sources::{self, Sources, TargetKind};
use crate::render::{Code, File, Finding, Level, Location};

/// A project whose sources were read.
pub(crate) struct Project<'s> {
    sources: &'s Sources,
    /// The files, by their paths.
    files: HashMap<&'s str, Rc<File>>,
    /// Each crate's index, by the names of its package and its target.
    crates: HashMap<(&'s str, String), usize>,
}

impl<'s> Project<'s> {
    /// A project whose sources were read.
    pub(crate) fn new(sources: &'s Sources) -> Self {
        let (mut files, mut crates) = (HashMap::new(), HashMap::new());
        for declaration in &sources.declarations {
            let file = &declaration.file;
            files.entry(file.shown.as_str()).or_insert_with(|| file.copy());
            let index = crates.len();
            crates.entry((declaration.package().name.as_str(), declaration.target.id())).or_insert(index);
        }
        Self { sources, files, crates }
    }

    /// The findings in the policy files and in the sources, in comparison with a compilation's keys, too.
    pub(crate) fn findings(&self, compiled: Option<&Catalog>) -> Vec<Finding> {
        let declarations = &self.sources.declarations;
        let subjects: Vec<_> = declarations.iter().map(|declaration| self.subject(declaration)).collect();
        let more = compiled.map(|catalog| self.declared_by_macros(catalog)).unwrap_or_default();
        let mut findings = self.policy_files();
        findings.extend(super::check(&subjects, more, &|index, field| {
            let declaration = declarations.get(index);
            declaration.and_then(|declaration| self.sources.values(declaration, field.field))
        }));
        findings
    }

    /// The number of declarations in the sources. A file that belongs to several targets is counted once.
    pub(crate) fn declarations(&self) -> usize {
        let declarations = self.sources.declarations.iter();
        let places: HashSet<_> =
            declarations.map(|declaration| (declaration.file.shown.as_str(), declaration.offset)).collect();
        places.len()
    }

    fn subject(&self, declaration: &'s sources::Declaration) -> Subject<'s> {
        let target = &declaration.target;
        let package = declaration.package().name.as_str();
        Subject {
            kind: declaration.kind,
            item: &declaration.item,
            file: self.files.get(declaration.file.shown.as_str()).cloned().unwrap_or_default(),
            policy: declaration.policy(),
            package,
            module: &declaration.module,
            krate: self.crates.get(&(package, target.id())).copied().unwrap_or_default(),
            is_deployed: !declaration.is_test && matches!(target.kind, TargetKind::Lib | TargetKind::Bin),
            is_silenced: declaration.is_silenced,
            condition: declaration.condition.as_deref(),
        }
    }

    /// The keys of a compilation that the sources do not show.
    fn declared_by_macros(&self, catalog: &Catalog) -> Vec<ComparedKey> {
        let shown = self.sources.declarations.iter().map(|declaration| {
            (declaration.file.shown.as_str(), declaration.position().0, declaration.item.ident.to_string())
        });
        let shown: HashSet<_> = shown.collect();
        let line = |key: &Key| usize::try_from(key.line).unwrap_or(usize::MAX);
        let keys = catalog.keys.iter().filter(|key| !shown.contains(&(&*key.file, line(key), key.name.clone())));
        // The sources of a crate may show none of its keys.
        let mut crates = self.crates.clone();
        let compared = keys.filter_map(|key| {
            let index = crates.len();
            let krate = *crates.entry((&key.package, key.target.clone())).or_insert(index);
            ComparedKey::of_key(key, krate, self.line(&key.file, line(key)))
        });
        compared.collect()
    }

    /// The names in `[legacy]` of the policy files that none of these keys of the workspace needs.
    pub(crate) fn unneeded_legacy_names<'k>(&self, keys: impl Iterator<Item = &'k Key>) -> Vec<Finding> {
        let needed: HashSet<_> = keys.filter(|key| key.legacy.is_some()).map(|key| key.name.as_str()).collect();
        let mut findings = Vec::new();
        for (document, shown) in self.selected_policies() {
            let listed = document.policy.legacy.iter().flat_map(|legacy| &legacy.keys);
            let mut unneeded =
                listed.filter(|(name, _)| name.rsplit("::").next().is_none_or(|name| !needed.contains(name)));
            let Some(first) = unneeded.next() else { continue };
            let file = Rc::new(File { path: shown, text: document.text.clone() });
            findings.extend([first].into_iter().chain(unneeded).map(|(name, range)| {
                let at = Location { file: Rc::clone(&file), range: super::inside(range.clone(), &file.text) };
                let message = format!("unneeded `{name}` in `[legacy]`: no key of that name has `legacy`");
                let help = "remove it from `keys`, so that no new key can have a legacy text under that name";
                Finding::new(Level::Warning, Code::Rule(Rule::Policy), message, help, at)
            }));
        }
        findings
    }

    /// Whether a policy file lists keys with legacy texts.
    pub(crate) fn lists_legacy_names(&self) -> bool {
        let mut policies = self.sources.project.packages.iter().map(|package| &package.policy.policy);
        policies.any(|policy| policy.legacy.as_ref().is_some_and(|legacy| !legacy.keys.is_empty()))
    }

    /// The findings in the policy files of the selected packages.
    fn policy_files(&self) -> Vec<Finding> {
        self.selected_policies().flat_map(|(document, shown)| findings_of_policy(document, &shown)).collect()
    }

    /// The policy files of the selected packages, without repetitions, with the paths to show.
    fn selected_policies(&self) -> impl Iterator<Item = (&Document, String)> {
        let project = &self.sources.project;
        let mut known = HashSet::new();
        project.packages.iter().filter(|package| package.is_selected).filter_map(move |package| {
            let file = package.policy_file.as_ref().filter(|file| known.insert(&file.path))?;
            Some((&package.policy, sources::shown(&project.root, &file.path)))
        })
    }

    /// The places that may declare keys and were not read.
    pub(crate) fn unread(&self) -> impl Iterator<Item = Finding> {
        self.sources.unread.iter().map(|place| {
            let message = format!("keys that the sources do not show: {}", place.why);
            let help = "read what the compiler makes of it with `--built`, or run without `--strict`";
            Finding::new(Level::Error, Code::Unread, message, help, self.line(&place.file, place.line))
        })
    }

    /// A line of a file, without the white space around it.
    fn line(&self, path: &str, line: usize) -> Location {
        let file = self.files.get(path).cloned().unwrap_or_else(|| {
            let text = fs::read_to_string(self.sources.project.root.join(path)).unwrap_or_default();
            Rc::new(File { path: path.to_owned(), text })
        });
        let Range { start, end } = file.line(line);
        let text = file.text.get(start..end).unwrap_or_default();
        let indent = text.len() - text.trim_start().len();
        let range = start + indent..start + text.trim_end().len().max(indent);
        Location { file, range }
    }
}

/// The findings of a policy file that was read. Its path is shown as `shown`.
fn findings_of_policy(document: &Document, shown: &str) -> Vec<Finding> {
    let Some(Unreadable { message, help }) = &document.unreadable else {
        return policy_findings(document.text.clone(), shown);
    };
    // The place is the file as a whole.
    let file = Rc::new(File { path: shown.to_owned(), text: String::new() });
    vec![Finding::new(Level::Error, Code::Rule(Rule::Policy), message, *help, Location { file, range: 0..0 })]
}

/// The findings with their places in the text.
pub(crate) fn policy_findings(text: String, shown: &str) -> Vec<Finding> {
    let (policy, errors) = Policy::parse(&text);
    let file = Rc::new(File { path: shown.to_owned(), text });
    let finding = |level, code, error: &PolicyError| {
        let at = Location { file: Rc::clone(&file), range: super::inside(error.range.clone(), &file.text) };
        Finding::new(level, code, &error.message, &error.suggestion, at)
    };
    let errors = errors.iter().map(|error| finding(Level::Error, Code::Rule(Rule::Policy), error));
    let lint = Lint::MisspeltModule;
    let level = match policy.lints.of(lint) {
        schema::Level::Deny => Level::Error,
        schema::Level::Warn | schema::Level::Allow => Level::Warning,
    };
    errors.chain(policy.misspelt.iter().map(|error| finding(level, Code::Lint(lint), error))).collect()
}
