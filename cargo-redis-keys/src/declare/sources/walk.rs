//! Walks through the modules of a target.

mod items;
mod macros;
mod tree;

use std::collections::HashSet;
use std::path::PathBuf;
use std::rc::Rc;

pub(super) use macros::Macros;
use proc_macro2::Span;
use syn::Attribute;

use super::cfg::{Attributes, CfgOptions, Configuration};
use super::code::{Code, Owner, Place};
use super::declaration::{Declaration, DeclarationKind};
use super::file::{Directory, Files, SourceFile, Syntax};
use super::project::{Project, Target};
use super::scope::{ScopeId, Scopes};
use crate::Failure;
use crate::declare::catalog::UnreadPlace;

/// A walk through targets.
pub(super) struct Walk {
    printed: CfgOptions,
    files: Files,
    scopes: Scopes,
    declarations: Vec<Declaration>,
    unread: Vec<UnreadPlace>,
    macros: Macros,
    /// The code, if it is kept.
    code: Option<Code>,
    /// The declared items: the target, the file, the offset, the kind and the condition. Targets are walked twice, for
    /// their unit tests.
    declared: HashSet<(usize, String, usize, DeclarationKind, Option<String>)>,
}

/// The place in a walk.
struct Visitor<'w> {
    walk: &'w mut Walk,
    target: &'w Rc<Target>,
    /// Whether the target is built as a test.
    is_test: bool,
    file: Rc<SourceFile>,
    directory: Directory,
    module: Vec<String>,
    scope: ScopeId,
    /// The conditions of the items around.
    conditions: Vec<String>,
    /// Whether the warnings of lints are silenced.
    is_silenced: bool,
    /// The files that lead here, to find circles.
    stack: Vec<PathBuf>,
    /// The type whose members are visited.
    owner: Owner,
}

impl Walk {
    pub(super) fn new(project: &Project) -> Result<Self, Failure> {
        Ok(Self::of_folder(project.root.clone(), CfgOptions::load(&project.root)?))
    }

    /// A walk in a folder.
    pub(super) fn of_folder(root: PathBuf, printed: CfgOptions) -> Self {
        Self {
            printed,
            files: Files::new(root),
            scopes: Scopes::default(),
            declarations: Vec::new(),
            unread: Vec::new(),
            macros: Macros::default(),
            code: None,
            declared: HashSet::new(),
        }
    }

    /// A walk that keeps the code.
    pub(super) fn keeping_code(self) -> Self {
        Self { code: Some(Code::default()), ..self }
    }

    /// The code that was kept.
    pub(super) fn take_code(&mut self) -> Code {
        self.code.take().unwrap_or_default()
    }

    /// Walks through a target, and once more for its unit tests: new declarations are only compiled for the tests.
    pub(super) fn target(&mut self, target: &Rc<Target>) {
        let is_test = matches!(target.kind, super::TargetKind::Test | super::TargetKind::Bench);
        self.target_as(target, is_test);
        if target.has_tests && !is_test {
            self.target_as(target, true);
        }
    }

    fn target_as(&mut self, target: &Rc<Target>, is_test: bool) {
        let scope = self.scopes.add_root(target);
        let file = match self.files.read(&target.root) {
            Ok(file) => file,
            Err(error) => {
                let file = self.files.shown(&target.root);
                return self.unread.push(UnreadPlace { file, line: 1, why: format!("cannot read the file: {error}") });
            }
        };
        Visitor {
            walk: self,
            target,
            is_test,
            file: Rc::clone(&file),
            directory: Directory::of_file(&target.root),
            module: Vec::new(),
            scope,
            conditions: Vec::new(),
            is_silenced: false,
            stack: vec![file.path.clone()],
            owner: Owner::default(),
        }
        .file(&file);
    }

    fn declare(&mut self, declaration: Declaration) {
        let Declaration { kind, target, file, offset, condition, .. } = &declaration;
        let target = Rc::as_ptr(target) as usize;
        if self.declared.insert((target, file.shown.clone(), *offset, *kind, condition.clone())) {
            self.declarations.push(declaration);
        }
    }

    /// The declarations, the places that were not read, and the names.
    pub(super) fn finish(mut self) -> (Vec<Declaration>, Vec<UnreadPlace>, Scopes, Macros) {
        self.unread.extend(self.macros.unread());
        self.unread.sort();
        self.unread.dedup();
        (self.declarations, self.unread, self.scopes, self.macros)
    }
}

impl Visitor<'_> {
    fn configuration(&self) -> Configuration<'_> {
        Configuration { printed: &self.walk.printed, package: &self.target.package, is_test: self.is_test }
    }

    /// Visits the items of a file.
    fn file(&mut self, file: &SourceFile) {
        self.keep(|code, _, _| code.add_file(file));
        match &file.syntax {
            Syntax::Items(syntax) => self.guarded(&syntax.attrs, |visitor, _| visitor.items(&syntax.items)),
            Syntax::Statements(statements) => self.statements(statements),
            Syntax::Unparsable { error, offset } => {
                self.unread_at(*offset, format!("cannot parse the file: {error}"));
                if let Some(code) = &mut self.walk.code {
                    code.add_unparsable(file, *offset, error);
                }
            }
        }
    }

    /// Adds something to the code, if that is kept.
    fn keep(&mut self, add: impl FnOnce(&mut Code, Place, &Owner)) {
        if let Some(code) = &mut self.walk.code {
            let place = Place { file: Rc::clone(&self.file), target: Rc::clone(self.target) };
            add(code, place, &self.owner);
        }
    }

    /// Visits something with attributes, if it is or may be compiled.
    fn guarded(&mut self, attributes: &[Attribute], visit: impl FnOnce(&mut Self, &Attributes)) {
        let Some(attributes) = Attributes::read(attributes, &self.configuration()) else { return };
        let around = (self.conditions.len(), self.is_silenced);
        self.conditions.extend(attributes.conditions.iter().cloned());
        self.is_silenced = attributes.silence().unwrap_or(self.is_silenced);
        visit(self, &attributes);
        self.conditions.truncate(around.0);
        self.is_silenced = around.1;
    }

    /// Visits another file, which a module or `include!` names at a place.
    fn other_file(&mut self, path: &std::path::Path, directory: Directory, named_at: usize) {
        let file = match self.walk.files.read(path) {
            Ok(file) => file,
            Err(error) => {
                let path = self.walk.files.shown(path);
                return self.unread_at(named_at, format!("cannot read `{path}`: {error}"));
            }
        };
        if self.stack.contains(&file.path) {
            return self.unread_at(named_at, format!("`{}` leads to itself", file.shown));
        }
        self.stack.push(file.path.clone());
        let around = (std::mem::replace(&mut self.file, Rc::clone(&file)), self.directory.clone());
        self.directory = directory;
        self.file(&file);
        (self.file, self.directory) = around;
        self.stack.pop();
    }

    /// Whether the target's places are listed: it is selected, and can declare keys.
    fn is_listed(&self) -> bool {
        self.target.package.is_selected && self.target.package.uses_redis_keys
    }

    fn unread_at(&mut self, offset: usize, why: String) {
        if self.is_listed() {
            let line = self.file.position(offset).0;
            self.walk.unread.push(UnreadPlace { file: self.file.shown.clone(), line, why });
        }
    }

    /// The module's path.
    fn module_path(&self) -> String {
        self.module.join("::")
    }

    /// The conditions of an item, with its additional conditions.
    fn condition(&self, own: &[String]) -> Option<String> {
        let mut all: Vec<&String> = Vec::new();
        for condition in self.conditions.iter().chain(own) {
            if !all.contains(&condition) {
                all.push(condition);
            }
        }
        match all.as_slice() {
            [] => None,
            [one] => Some((*one).clone()),
            all => Some(format!("all({})", all.iter().map(|one| one.as_str()).collect::<Vec<_>>().join(", "))),
        }
    }
}

/// The offset of a token in its file.
fn offset(span: Span) -> usize {
    span.byte_range().start
}
