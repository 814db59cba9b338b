//! Reads the declarations from source files.
//!
//! Cargo names the targets of the packages. From the root file of each, the walk follows `mod` and `include!`, into functions
//! and into the arguments of macros, where they parse as items. `cfg` has three values: what nobody but the compiler knows may
//! hold. A place that seems to declare keys and cannot be read becomes an [`Unread`].

mod attributes;
mod built;
mod catalogue;
mod cfg;
mod declaration;
mod file;
mod project;
mod range;
mod scope;
#[cfg(test)]
mod tests;
mod types;
mod values;
mod walk;

use std::collections::HashMap;

pub(crate) use built::{BuiltSegment, DeclarationPlace};
pub(crate) use declaration::{Declaration, DeclarationKind};
pub(crate) use file::shown;
pub(crate) use project::{Project, TargetKind};
pub(crate) use range::range_of;

use crate::Failure;
use crate::catalogue::Unread;
use crate::selection::Selection;
use scope::Scopes;
use walk::{Macros, Walk};

/// What the sources of a project declare.
pub(crate) struct Sources {
    /// The packages and their targets.
    pub(crate) project: Project,
    /// The keys, records and parameter types of the selected targets, in the order of the targets and of their modules. A file
    /// in two targets has a declaration for each of them, with the same file and offset.
    pub(crate) declarations: Vec<Declaration>,
    /// The places that may declare keys and could not be read, without duplicates.
    pub(crate) unread: Vec<Unread>,
    scopes: Scopes,
    macros: Macros,
    /// The declarations by file, line and column.
    by_place: HashMap<(String, usize, usize), Vec<usize>>,
}

/// Reads the sources of a project.
pub(crate) fn read(selection: &Selection) -> Result<Sources, Failure> {
    let project = Project::load(selection)?;
    let mut walk = Walk::new(&project)?;
    for target in &project.targets {
        walk.target(target);
    }
    let (declarations, unread, scopes, macros) = walk.finish();
    let mut by_place: HashMap<_, Vec<_>> = HashMap::new();
    for (number, declaration) in declarations.iter().enumerate() {
        let (line, column) = declaration.position();
        by_place.entry((declaration.file.shown.clone(), line, column)).or_default().push(number);
    }
    Ok(Sources { project, declarations, unread, scopes, macros, by_place })
}
