//! Facts from the sources about declarations that the derives have written.

use std::rc::Rc;

use redis_keys_core::NamedText;
use syn::DeriveInput;

use super::file::shown;
use super::scope::{Definition, NamedType, ScopeId};
use super::{DeclarationKind, Sources};
use crate::declare::catalog::Argument;

/// A declaration's place.
#[derive(Default)]
pub(crate) struct DeclarationPlace {
    /// The file, relative to the workspace.
    pub(crate) file: String,
    /// The module's path, if it is known.
    pub(crate) module: Option<String>,
    /// The macro that declares it, if it is known.
    pub(crate) made_by: Option<String>,
    /// The scope of its names.
    pub(crate) scope: Option<ScopeId>,
    /// The item, if it is in the sources.
    pub(crate) item: Option<Rc<DeriveInput>>,
}

/// A parameter type that a derive has written.
pub(crate) struct BuiltSegment {
    /// The type's name.
    pub(crate) name: String,
    /// Whether it is an enum, and not a newtype.
    pub(crate) is_enum: bool,
    /// An enum's texts, or the type of a newtype's field.
    pub(crate) texts: Vec<String>,
    /// The file, as the compiler names it.
    pub(crate) file: String,
    /// The line of the name.
    pub(crate) line: usize,
    /// The name's column.
    pub(crate) column: usize,
}

impl Sources {
    /// Finds a declaration of a package's target by the file, the line and the column of its name: in the sources, in
    /// the call of a macro, or in the definition of a macro.
    pub(crate) fn place(
        &self,
        kind: DeclarationKind,
        (package, target): (&str, &str),
        (file, line, column): (&str, usize, usize),
    ) -> DeclarationPlace {
        let file = shown(&self.project.root, &self.project.root.join(file));
        let is_in_target = |of: &super::project::Target| of.package.name == package && of.id() == target;
        let read = self.by_place.get(&(file.clone(), line, column)).into_iter().flatten();
        let read = read.filter_map(|index| self.declarations.get(*index));
        let mut read = read.filter(|declared| declared.kind == kind && is_in_target(&declared.target));
        if let Some(declared) = read.next() {
            return DeclarationPlace {
                file,
                module: Some(declared.module.clone()),
                made_by: None,
                scope: Some(declared.scope),
                item: Some(Rc::clone(&declared.item)),
            };
        }
        let call = self.macros.call_at(&is_in_target, &file, (line, column));
        let call = call.or_else(|| {
            let made_by = self.macros.definition_at(&file, (line, column))?;
            Some((made_by.to_owned(), self.macros.only_call(&is_in_target, made_by)))
        });
        let Some((made_by, call)) = call else {
            let scope = self.scopes.root_of(package, target);
            return DeclarationPlace { file, scope, ..DeclarationPlace::default() };
        };
        DeclarationPlace {
            file,
            module: call.map(|call| call.module.clone()),
            made_by: Some(made_by),
            scope: call.map(|call| call.scope).or_else(|| self.scopes.root_of(package, target)),
            item: None,
        }
    }

    /// Adds a parameter type that is not in the sources.
    pub(crate) fn add_segment(&mut self, package: &str, target: &str, segment: BuiltSegment) {
        let BuiltSegment { name, is_enum, texts, file, line, column } = segment;
        let place = self.place(DeclarationKind::Segment, (package, target), (&file, line, column));
        let (Some(scope), true) = (place.scope, place.made_by.is_some() || place.module.is_none()) else { return };
        let definition = match texts.first().map(|field| syn::parse_str(field)) {
            _ if is_enum => {
                let variants = texts.into_iter().map(|text| NamedText { name: None, text });
                Definition::Names(Argument::Names { type_name: name.clone(), variants: variants.collect() })
            }
            Some(Ok(field)) => Definition::Newtype(Box::new(field)),
            _ => Definition::Other,
        };
        self.scopes.add_type(name, NamedType { scope, place: (format!("{file}:{line}"), column), definition });
    }
}
