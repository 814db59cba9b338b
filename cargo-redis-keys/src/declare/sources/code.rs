//! The code of a workspace: functions, constants, fields and imports, for the search of commands outside of
//! declarations.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use syn::{Block, Expr, Field, GenericArgument, Generics, Item, ItemUse, PathArguments, Signature, Type, UseTree};

use super::file::SourceFile;
use super::project::Target;
use super::scope::name;
use crate::declare::catalog::UnreadPlace;

/// The code of the walked targets. A file that belongs to several targets is there once.
#[derive(Default)]
pub(crate) struct Code {
    pub(crate) functions: Vec<Rc<Function>>,
    pub(crate) constants: Vec<Constant>,
    /// The types of fields, by the names of the struct and of the field.
    pub(crate) fields: HashMap<(String, String), Type>,
    /// The paths that each file imports. An import of all names ends with `*`.
    pub(crate) imports: HashMap<String, Vec<Vec<String>>>,
    /// The files that do not parse.
    pub(crate) unparsable: Vec<UnreadPlace>,
    files: HashSet<String>,
    known: HashSet<(String, usize)>,
}

/// A function or a method with a body.
pub(crate) struct Function {
    pub(crate) place: Place,
    /// The type or the trait that it belongs to.
    pub(crate) self_type: Option<String>,
    /// The parameters of the type around it.
    pub(crate) outer_generics: Option<Generics>,
    pub(crate) signature: Signature,
    pub(crate) body: Block,
}

/// A constant or a static.
pub(crate) struct Constant {
    pub(crate) place: Place,
    pub(crate) name: String,
    /// The type or the trait that it belongs to.
    pub(crate) self_type: Option<String>,
    pub(crate) value: Expr,
}

/// The file and the target of some code.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) file: Rc<SourceFile>,
    pub(crate) target: Rc<Target>,
}

impl Place {
    /// The package's name.
    pub(crate) fn package(&self) -> &str {
        &self.target.package.name
    }
}

/// The type whose members are being read.
#[derive(Clone, Default)]
pub(super) struct Owner {
    name: Option<String>,
    generics: Option<Generics>,
}

impl Owner {
    /// The owner of an item's members.
    pub(super) fn of(item: &Item) -> Self {
        match item {
            Item::Impl(item) => Self { name: type_name(&item.self_ty), generics: Some(item.generics.clone()) },
            Item::Trait(item) => Self { name: Some(name(&item.ident)), generics: Some(item.generics.clone()) },
            _ => Self::default(),
        }
    }
}

/// The last name of a type's path.
pub(crate) fn type_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| name(&last.ident)),
        Type::Reference(reference) => type_name(&reference.elem),
        Type::Paren(inner) => type_name(&inner.elem),
        Type::Group(inner) => type_name(&inner.elem),
        _ => None,
    }
}

pub(crate) fn first_argument(arguments: &PathArguments) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

impl Code {
    /// Whether a file was read.
    pub(crate) fn has_file(&self, file: &str) -> bool {
        self.files.contains(file)
    }

    /// Adds an item of a module or of a block. The members of types are added one by one.
    pub(super) fn add_item(&mut self, place: Place, item: &Item) {
        match item {
            Item::Fn(item) => self.add_function(place, &Owner::default(), &item.sig, &item.block),
            Item::Const(item) => self.add_constant(place, &Owner::default(), &item.ident, &item.expr),
            Item::Static(item) => self.add_constant(place, &Owner::default(), &item.ident, &item.expr),
            Item::Struct(item) => {
                let owner = name(&item.ident);
                item.fields.iter().for_each(|field| self.add_field(&owner, field));
            }
            _ => {}
        }
    }

    /// Adds a constant.
    pub(super) fn add_constant(&mut self, place: Place, owner: &Owner, ident: &syn::Ident, value: &Expr) {
        if self.is_new(&place, ident) {
            let (name, value) = (name(ident), value.clone());
            self.constants.push(Constant { place, name, self_type: owner.name.clone(), value });
        }
    }

    pub(super) fn add_function(&mut self, place: Place, owner: &Owner, signature: &Signature, body: &Block) {
        if self.is_new(&place, &signature.ident) {
            self.functions.push(Rc::new(Function {
                place,
                self_type: owner.name.clone(),
                outer_generics: owner.generics.clone(),
                signature: signature.clone(),
                body: body.clone(),
            }));
        }
    }

    fn add_field(&mut self, owner: &str, field: &Field) {
        if let Some(ident) = &field.ident {
            self.fields.entry((owner.to_owned(), name(ident))).or_insert_with(|| field.ty.clone());
        }
    }

    /// Adds the imports of an item.
    pub(super) fn add_import(&mut self, file: &SourceFile, import: &ItemUse) {
        let paths = self.imports.entry(file.shown.clone()).or_default();
        add_paths(&mut Vec::new(), &import.tree, paths);
    }

    /// Adds a file that was read.
    pub(super) fn add_file(&mut self, file: &SourceFile) {
        self.files.insert(file.shown.clone());
    }

    /// Adds a file that does not parse.
    pub(super) fn add_unparsable(&mut self, file: &SourceFile, offset: usize, error: &str) {
        let (file, line) = (file.shown.clone(), file.position(offset).0);
        let unread = UnreadPlace { file, line, why: format!("cannot parse the file: {error}") };
        if !self.unparsable.contains(&unread) {
            self.unparsable.push(unread);
        }
    }

    /// Whether a name of a file is seen for the first time.
    fn is_new(&mut self, place: &Place, ident: &syn::Ident) -> bool {
        self.known.insert((place.file.shown.clone(), ident.span().byte_range().start))
    }
}

fn add_paths(before: &mut Vec<String>, tree: &UseTree, paths: &mut Vec<Vec<String>>) {
    let mut add = |last: String| paths.push(before.iter().cloned().chain([last]).collect());
    match tree {
        UseTree::Path(path) => {
            before.push(name(&path.ident));
            add_paths(before, &path.tree, paths);
            before.pop();
        }
        UseTree::Name(last) => add(name(&last.ident)),
        UseTree::Rename(last) => add(name(&last.ident)),
        UseTree::Glob(_) => add("*".to_owned()),
        UseTree::Group(group) => group.items.iter().for_each(|tree| add_paths(before, tree, paths)),
    }
}
