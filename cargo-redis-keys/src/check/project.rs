//! What is checked of a project: its sources, its policy files, and what macros declare.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::rc::Rc;

use redis_keys_schema::catalogue::Values;

use super::finding::{Code, File, Finding, Level, Location};
use super::{Party, Subject, policy_file};
use crate::catalogue::Catalogue;
use crate::sources::{self, Sources, TargetKind};

/// A project whose sources were read.
pub(crate) struct Project<'s> {
    sources: &'s Sources,
    /// The files, by their paths.
    files: HashMap<&'s str, Rc<File>>,
    /// The number of each crate, by the names of its package and its target.
    crates: HashMap<(&'s str, String), usize>,
}

impl<'s> Project<'s> {
    /// A project whose sources were read.
    pub(crate) fn new(sources: &'s Sources) -> Self {
        let (mut files, mut crates) = (HashMap::new(), HashMap::new());
        for declaration in &sources.declarations {
            let file = &declaration.file;
            let copy = || Rc::new(File { path: file.shown.clone(), text: file.text.clone() });
            files.entry(file.shown.as_str()).or_insert_with(copy);
            let number = crates.len();
            crates.entry((declaration.package().name.as_str(), declaration.target.id())).or_insert(number);
        }
        Self { sources, files, crates }
    }

    /// What is found in the policy files and in the sources, in comparison with the keys of a compilation, too.
    pub(crate) fn findings(&self, compiled: Option<&Catalogue>) -> Vec<Finding> {
        let declarations = &self.sources.declarations;
        let subjects: Vec<_> = declarations.iter().map(|declaration| self.subject(declaration)).collect();
        let more = compiled.map(|catalogue| self.declared_by_macros(catalogue)).unwrap_or_default();
        let mut findings = self.policy_files();
        findings.extend(super::check(&subjects, more, &|number, field| {
            let declaration = declarations.get(number);
            declaration.map_or(Values::Unknown, |declaration| self.sources.values(declaration, field.field))
        }));
        findings
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
            krate: self.krate(package, target.id()),
            is_deployed: !declaration.is_test && matches!(target.kind, TargetKind::Lib | TargetKind::Bin),
            is_silenced: declaration.is_silenced,
            condition: declaration.condition.as_deref(),
        }
    }

    /// The number of a crate. One without declarations in its sources is none of the others.
    fn krate(&self, package: &str, target: String) -> usize {
        self.crates.get(&(package, target)).copied().unwrap_or(usize::MAX)
    }

    /// The keys of a compilation that the sources do not show.
    fn declared_by_macros(&self, catalogue: &Catalogue) -> Vec<Party> {
        let shown = self.sources.declarations.iter().map(|declaration| {
            (declaration.file.shown.as_str(), declaration.position().0, declaration.item.ident.to_string())
        });
        let shown: HashSet<_> = shown.collect();
        let keys = catalogue.keys.iter().filter(|key| !shown.contains(&(&*key.file, key.line, key.name.clone())));
        let parties = keys.filter_map(|key| {
            let krate = self.krate(&key.package, key.target.clone());
            Party::of_key(key, krate, self.line(&key.file, key.line))
        });
        parties.collect()
    }

    /// What is found in the policy files of the selected packages.
    fn policy_files(&self) -> Vec<Finding> {
        let mut checked = HashSet::new();
        let mut findings = Vec::new();
        for package in self.sources.project.packages.iter().filter(|package| package.is_selected) {
            if let Some(file) = package.policy_file.as_ref().filter(|file| checked.insert(&file.path)) {
                let shown = sources::shown(&self.sources.project.root, &file.path);
                findings.extend(policy_file::check(file, &package.policy, &shown));
            }
        }
        findings
    }

    /// The places that may declare keys and were not read.
    pub(crate) fn unread(&self) -> impl Iterator<Item = Finding> {
        self.sources.unread.iter().map(|place| Finding {
            level: Level::Error,
            code: Code::Unread,
            message: format!("keys that the sources do not show: {}", place.why),
            help: "read what the compiler makes of it with `--built`, or run without `--strict`".to_owned(),
            at: self.line(&place.file, place.line),
            label: None,
            other: None,
        })
    }

    /// A line of a file, without the white space around it.
    fn line(&self, path: &str, line: usize) -> Location {
        let file = self.files.get(path).cloned().unwrap_or_else(|| {
            let text = fs::read_to_string(self.sources.project.root.join(path)).unwrap_or_default();
            Rc::new(File { path: path.to_owned(), text })
        });
        let start: usize = file.text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
        let text = file.text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let indent = text.len() - text.trim_start().len();
        let range = start + indent..start + text.trim_end().len().max(indent);
        Location { file, range }
    }
}
