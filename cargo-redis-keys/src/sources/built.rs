//! What the sources say of declarations that the derives have written.

use serde::Deserialize;
use syn::{Generics, Type};

use super::file::shown;
use super::scope::{Definition, NamedType, ScopeId};
use super::{DeclarationKind, Sources};

/// The place of a declaration.
#[derive(Default)]
pub(crate) struct DeclarationPlace {
    /// The file, relative to the workspace.
    pub(crate) file: String,
    /// The path of the module, if it is known.
    pub(crate) module: Option<String>,
    /// The macro that declares it, if it is known.
    pub(crate) made_by: Option<String>,
    /// The scope of its names.
    pub(crate) scope: Option<ScopeId>,
    /// Its generic parameters.
    pub(crate) generics: Generics,
}

/// A parameter type that a derive has written.
#[derive(Deserialize)]
pub(crate) struct BuiltSegment {
    #[serde(rename = "segment")]
    name: String,
    /// The texts of an enum.
    texts: Option<Vec<String>>,
    /// The type of a newtype's field.
    field: Option<String>,
    file: String,
    line: usize,
    column: usize,
}

impl Sources {
    /// Finds a declaration of a target by the file, the line and the column of its name: in the sources, in the call of a macro,
    /// or in the definition of one.
    pub(crate) fn place(
        &self,
        package: &str,
        target: &str,
        file: &str,
        line: usize,
        column: usize,
    ) -> DeclarationPlace {
        self.place_of(DeclarationKind::Key, package, target, file, line, column)
    }

    fn place_of(
        &self,
        kind: DeclarationKind,
        package: &str,
        target: &str,
        file: &str,
        line: usize,
        column: usize,
    ) -> DeclarationPlace {
        let file = shown(&self.project.root, &self.project.root.join(file));
        let is_in_target = |of: &super::project::Target| of.package.name == package && of.id() == target;
        let read = self.by_place.get(&(file.clone(), line, column)).into_iter().flatten();
        let read = read.filter_map(|number| self.declarations.get(*number));
        let mut read = read.filter(|declared| declared.kind == kind && is_in_target(&declared.target));
        if let Some(declared) = read.next() {
            return DeclarationPlace {
                file,
                module: Some(declared.module.clone()),
                made_by: None,
                scope: Some(declared.scope),
                generics: declared.item.generics.clone(),
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
            generics: Generics::default(),
        }
    }

    /// Adds a parameter type that is not in the sources.
    pub(crate) fn add_segment(&mut self, package: &str, target: &str, segment: BuiltSegment) {
        let BuiltSegment { name, texts, field, file, line, column } = segment;
        let kind = DeclarationKind::Segment;
        let place = self.place_of(kind, package, target, &file, line, column);
        let (Some(scope), true) = (place.scope, place.made_by.is_some() || place.module.is_none()) else { return };
        let field = field.and_then(|field| syn::parse_str(&field).ok());
        let definition = match (texts, field) {
            (Some(texts), _) => Definition::Names(texts),
            // It has the texts of its field.
            (None, Some(field)) => Definition::Alias(Box::new((Generics::default(), field))),
            (None, None) => Definition::Other,
        };
        self.scopes.add_type(name, NamedType { scope, place: (format!("{file}:{line}"), column), definition });
    }

    /// The texts of a parameter of a type that is named in a scope.
    pub(crate) fn values_of(
        &self,
        scope: ScopeId,
        generics: &Generics,
        ty: &Type,
    ) -> redis_keys_schema::catalogue::Values {
        self.scopes.values(scope, generics, ty)
    }
}
