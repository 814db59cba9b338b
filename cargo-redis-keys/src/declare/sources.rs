//! Reads the declarations from source files.
//!
//! Cargo names the targets of the packages. From the root file of each, the walk follows `mod` and `include!`, into
//! functions and into the arguments of macros, where they parse as items. `cfg` has three values: a condition that only
//! the compiler knows may hold. A place that seems to declare keys and cannot be read becomes an [`UnreadPlace`].

mod built;
mod cfg;
mod code;
mod declaration;
mod facts;
mod file;
mod project;
mod scope;
mod stored;
#[cfg(test)]
mod tests;
mod types;
mod walk;

use std::collections::HashMap;

pub(crate) use built::BuiltSegment;
pub(crate) use code::{Code, Constant, Function, Place, first_argument, type_name};
pub(crate) use declaration::{Declaration, DeclarationKind};
pub(crate) use file::{SourceFile, range_of, shown};
pub(crate) use project::{Project, TargetKind};
use scope::Scopes;
pub(crate) use scope::name;
use walk::{Macros, Walk};

use crate::Failure;
use crate::declare::Selection;
use crate::declare::catalog::{Catalog, Key, UnreadPlace, Values};

/// The declarations in the sources of a project.
pub(crate) struct Sources {
    /// The packages and their targets.
    pub(crate) project: Project,
    /// The keys, records and parameter types of the selected targets, in the order of the targets and of their modules.
    /// A file in two targets has a declaration for each target, with the same file and offset.
    pub(crate) declarations: Vec<Declaration>,
    /// The places that may declare keys and could not be read, without duplicates.
    pub(crate) unread: Vec<UnreadPlace>,
    scopes: Scopes,
    macros: Macros,
    /// The declarations by file, line and column.
    by_place: HashMap<(String, usize, usize), Vec<usize>>,
}

/// Reads the sources of a project.
pub(crate) fn read(selection: &Selection) -> Result<Sources, Failure> {
    let project = Project::load(selection)?;
    let walk = Walk::new(&project)?;
    Ok(read_with(project, walk).0)
}

/// The code of programs, each a package with the name of its file, without the help of cargo.
#[cfg(test)]
pub(crate) fn code_of_files(folder: &std::path::Path, roots: &[std::path::PathBuf]) -> Code {
    let mut walk = Walk::of_folder(folder.to_owned(), cfg::CfgOptions::parse("unix")).keeping_code();
    for root in roots {
        let name = root.to_string_lossy().into_owned();
        walk.target(&std::rc::Rc::new(project::Target::program(&name, folder.join(root))));
    }
    walk.take_code()
}

/// The keys of a program, a package with the name of its file, without the help of cargo.
#[cfg(test)]
pub(crate) fn catalog_of_file(folder: &std::path::Path, root: &std::path::Path) -> Catalog {
    let walk = Walk::of_folder(folder.to_owned(), cfg::CfgOptions::parse("unix"));
    let targets = vec![std::rc::Rc::new(project::Target::program("shop", folder.join(root)))];
    read_with(Project { root: folder.to_owned(), packages: Vec::new(), targets }, walk).0.catalog()
}

/// Reads the sources of a project, and keeps the code.
pub(crate) fn read_with_code(selection: &Selection) -> Result<(Sources, Code), Failure> {
    let project = Project::load(selection)?;
    let walk = Walk::new(&project)?.keeping_code();
    Ok(read_with(project, walk))
}

fn read_with(project: Project, mut walk: Walk) -> (Sources, Code) {
    for target in &project.targets {
        walk.target(target);
    }
    let code = walk.take_code();
    let (declarations, unread, scopes, macros) = walk.finish();
    let mut by_place: HashMap<_, Vec<_>> = HashMap::new();
    for (index, declaration) in declarations.iter().enumerate() {
        let (line, column) = declaration.position();
        by_place.entry((declaration.file.shown.clone(), line, column)).or_default().push(index);
    }
    (Sources { project, declarations, unread, scopes, macros, by_place }, code)
}

impl Sources {
    /// The catalog. A key with errors is listed among the places that could not be read.
    pub(crate) fn catalog(&self) -> Catalog {
        let (mut keys, mut unread) = (Vec::new(), self.unread.clone());
        for declaration in self.declarations.iter().filter(|declaration| declaration.kind == DeclarationKind::Key) {
            if let Some(key) = self.key(declaration) {
                keys.push(key);
            } else {
                let (file, name) = (declaration.file.shown.clone(), declaration.item.ident.to_string());
                unread.push(UnreadPlace::with_errors(file, declaration.position().0, &name));
            }
        }
        unread.sort();
        unread.dedup();
        Catalog::new(keys, unread)
    }

    /// The texts that the field of a key can have as a parameter, or `None` if they are unknown.
    pub(crate) fn values(&self, declaration: &Declaration, field: &syn::Field) -> Option<Values> {
        let resolved = self.scopes.parameter_type(declaration.scope, &declaration.item.generics, &field.ty)?;
        resolved.argument.values()
    }

    /// The key of a declaration, or `None` if that has errors.
    fn key(&self, declaration: &Declaration) -> Option<Key> {
        let read = declaration.read_key();
        let schema = read.schema(declaration.file.shown.clone(), declaration.position().0);
        let schema = schema.ok().filter(|_| read.diagnostics.is_empty())?;
        Some(Key {
            package: declaration.package().name.clone(),
            target: declaration.target.id(),
            module: Some(declaration.module.clone()),
            condition: declaration.condition.clone(),
            ..self.key_of(schema, Some(declaration.scope), Some(&declaration.item))
        })
    }
}
