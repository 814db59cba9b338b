//! A workspace's names: modules, blocks, types and imports.

use std::collections::HashMap;
use std::rc::Rc;

use syn::{DeriveInput, Generics, Type, UseTree};

use super::project::{Package, Target, TargetKind};
use crate::declare::catalog::Argument;

/// The most imports that lead to one name.
const MAX_STEPS: u8 = 32;

/// A module or a block, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ScopeId(usize);

/// The names of all targets.
#[derive(Default)]
pub(crate) struct Scopes {
    all: Vec<Scope>,
    /// Each library's root, by the crate's name.
    libraries: HashMap<String, ScopeId>,
    /// The root of each target, by the names of its package and of the target.
    roots: HashMap<(String, String), ScopeId>,
    /// Each name's types, in whichever scope.
    by_name: HashMap<String, Vec<Rc<NamedType>>>,
}

struct Scope {
    /// The scope around a block. A module sees no names of the scope around it.
    outer: Option<ScopeId>,
    /// The module that it is, or that it is in.
    module: ScopeId,
    /// The module around the module.
    parent: Option<ScopeId>,
    /// The crate's root.
    root: ScopeId,
    package: Rc<Package>,
    types: HashMap<String, Vec<Rc<NamedType>>>,
    modules: HashMap<String, ScopeId>,
    /// The paths that each imported name refers to.
    imports: HashMap<String, Vec<Path>>,
    /// The modules whose names are all imported.
    globs: Vec<Path>,
}

/// A type of the workspace.
pub(crate) struct NamedType {
    pub(crate) scope: ScopeId,
    /// The file and the offset of its name, which identify it.
    pub(crate) place: (String, usize),
    pub(crate) definition: Definition,
}

/// The definition of a type of the workspace.
pub(crate) enum Definition {
    /// It derives `KeySegment`.
    Segment(Rc<DeriveInput>),
    /// An enum that derives `KeySegment`, known from a compilation.
    Names(Argument),
    /// A newtype of this type that derives `KeySegment`, known from a compilation.
    Newtype(Box<Type>),
    /// It derives `RedisHash`.
    Record(Rc<DeriveInput>),
    /// Another name of a type.
    Alias(Box<(Generics, Type)>),
    /// A type that implements its traits by itself, or none.
    Other,
}

/// A path, and whether it starts with `::`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Path {
    is_global: bool,
    names: Vec<String>,
}

/// The target of a path.
pub(crate) enum PathTarget {
    /// Types of the workspace: several if conditions that may hold decide.
    Types(Vec<Rc<NamedType>>),
    Module(ScopeId),
    /// A path in a crate outside of the workspace.
    External(Vec<String>),
}

impl Path {
    /// The names of a path of types. Its arguments are left out.
    pub(crate) fn of(path: &syn::Path) -> Self {
        let names = path.segments.iter().map(|segment| name(&segment.ident)).collect();
        Self { is_global: path.leading_colon.is_some(), names }
    }

    fn join(&self, name: String) -> Self {
        let mut path = self.clone();
        path.names.push(name);
        path
    }

    /// The last name.
    pub(crate) fn last(&self) -> &str {
        self.names.last().map(String::as_str).unwrap_or_default()
    }
}

/// A name without `r#`.
pub(crate) fn name(ident: &syn::Ident) -> String {
    use syn::ext::IdentExt as _;
    ident.unraw().to_string()
}

impl Scopes {
    /// Adds a target's root.
    pub(super) fn add_root(&mut self, target: &Target) -> ScopeId {
        let id = ScopeId(self.all.len());
        let package = Rc::clone(&target.package);
        self.all.push(Scope::new(None, id, None, id, package));
        self.roots.entry((target.package.name.clone(), target.id())).or_insert(id);
        if target.kind == TargetKind::Lib {
            self.libraries.entry(target.name.replace('-', "_")).or_insert(id);
        }
        id
    }

    /// A target's root.
    pub(super) fn root_of(&self, package: &str, target: &str) -> Option<ScopeId> {
        self.roots.get(&(package.to_owned(), target.to_owned())).copied()
    }

    /// Adds a module.
    pub(super) fn add_module(&mut self, within: ScopeId, name: String) -> ScopeId {
        let id = ScopeId(self.all.len());
        let Some(around) = self.get(within) else { return within };
        let scope = Scope::new(None, id, Some(around.module), around.root, Rc::clone(&around.package));
        self.all.push(scope);
        self.change(within, |scope| {
            scope.modules.insert(name, id);
        });
        id
    }

    /// Adds a block.
    pub(super) fn add_block(&mut self, within: ScopeId) -> ScopeId {
        let id = ScopeId(self.all.len());
        let Some(around) = self.get(within) else { return within };
        let scope = Scope::new(Some(within), around.module, around.parent, around.root, Rc::clone(&around.package));
        self.all.push(scope);
        id
    }

    /// Adds a type.
    pub(super) fn add_type(&mut self, name: String, named: NamedType) {
        let (scope, named) = (named.scope, Rc::new(named));
        let types = self.by_name.entry(name.clone()).or_default();
        if !types.iter().any(|known| known.place == named.place) {
            types.push(Rc::clone(&named));
        }
        self.change(scope, |scope| {
            let types = scope.types.entry(name).or_default();
            if !types.iter().any(|known| known.place == named.place) {
                types.push(named);
            }
        });
    }

    /// Adds an import.
    pub(super) fn add_use(&mut self, scope: ScopeId, item: &syn::ItemUse) {
        let start = Path { is_global: item.leading_colon.is_some(), names: Vec::new() };
        self.change(scope, |scope| scope.import(&start, &item.tree));
    }

    /// Adds a name for a path.
    pub(super) fn add_import(&mut self, scope: ScopeId, name: String, path: Vec<String>) {
        let path = Path { is_global: true, names: path };
        self.change(scope, |scope| scope.imports.entry(name).or_default().push(path));
    }

    /// The name under which something is defined that an import may rename.
    pub(super) fn original_name(&self, scope: ScopeId, path: &syn::Path) -> String {
        let path = Path::of(path);
        let mut at = Some(scope).filter(|_| path.names.len() == 1);
        let mut module = self.get(scope).map(|scope| scope.module);
        while let Some(scope) = at.and_then(|id| self.get(id)) {
            if let Some(import) = scope.imports.get(path.last()).and_then(|paths| paths.first()) {
                return import.last().to_owned();
            }
            at = scope.outer.or_else(|| module.take());
        }
        path.last().to_owned()
    }

    fn get(&self, id: ScopeId) -> Option<&Scope> {
        self.all.get(id.0)
    }

    fn change(&mut self, id: ScopeId, change: impl FnOnce(&mut Scope)) {
        if let Some(scope) = self.all.get_mut(id.0) {
            change(scope);
        }
    }

    /// The only type of a name in the workspace.
    pub(crate) fn only(&self, name: &str) -> Option<&Rc<NamedType>> {
        match self.by_name.get(name).map(Vec::as_slice) {
            Some([only]) => Some(only),
            _ => None,
        }
    }

    /// Resolves a path, as far as it is known.
    pub(crate) fn resolve(&self, scope: ScopeId, path: &Path) -> Option<PathTarget> {
        self.resolve_in(scope, path, MAX_STEPS)
    }

    fn resolve_in(&self, scope: ScopeId, path: &Path, steps: u8) -> Option<PathTarget> {
        let steps = steps.checked_sub(1)?;
        let (first, mut rest) = path.names.split_first()?;
        let at = self.get(scope)?;
        let mut found = match first.as_str() {
            _ if path.is_global => self.dependency(scope, first)?,
            "crate" => PathTarget::Module(at.root),
            "self" => PathTarget::Module(at.module),
            "super" => PathTarget::Module(at.parent?),
            first => self.visible(scope, first, steps)?,
        };
        let mut module = at.parent;
        while let Some((name, next)) = rest.split_first() {
            found = match found {
                PathTarget::Module(_) if name == "super" => {
                    module = self.get(module?)?.parent;
                    PathTarget::Module(module?)
                }
                PathTarget::Module(id) => self.member(id, name, steps)?,
                PathTarget::External(mut names) => {
                    names.extend(rest.iter().cloned());
                    return Some(PathTarget::External(names));
                }
                // The associated type of such a type.
                PathTarget::Types(_) => return None,
            };
            rest = next;
        }
        Some(found)
    }

    /// Resolves a name in a scope: something of a block or of the module, or a dependency.
    fn visible(&self, scope: ScopeId, name: &str, steps: u8) -> Option<PathTarget> {
        let mut at = Some(scope);
        while let Some(id) = at {
            if let Some(found) = self.member(id, name, steps) {
                return Some(found);
            }
            at = self.get(id)?.outer;
        }
        let block = self.get(scope)?;
        let in_module = if block.module == scope { None } else { self.member(block.module, name, steps) };
        in_module.or_else(|| self.dependency(scope, name))
    }

    /// Resolves a name in a module or a block.
    fn member(&self, id: ScopeId, name: &str, steps: u8) -> Option<PathTarget> {
        let scope = self.get(id)?;
        if let Some(types) = scope.types.get(name) {
            return Some(PathTarget::Types(types.clone()));
        }
        if let Some(module) = scope.modules.get(name) {
            return Some(PathTarget::Module(*module));
        }
        let steps = steps.checked_sub(1)?;
        // An import of several kinds of names under conditions that may hold.
        if let Some(paths) = scope.imports.get(name) {
            let mut resolved = paths.iter().filter_map(|path| self.import(id, name, path, steps));
            let first = resolved.next();
            return if resolved.next().is_some() { Some(PathTarget::Types(Vec::new())) } else { first };
        }
        scope.globs.iter().find_map(|path| match self.resolve_in(id, path, steps)? {
            PathTarget::Module(module) if module != id => self.member(module, name, steps),
            _ => None,
        })
    }

    /// Resolves an import. Its first name can be a dependency of the same name, as in `use uuid::uuid`.
    fn import(&self, id: ScopeId, name: &str, path: &Path, steps: u8) -> Option<PathTarget> {
        let leads_to_itself = path.names.first().is_some_and(|first| first == name);
        let path = Path { is_global: path.is_global || leads_to_itself, names: path.names.clone() };
        self.resolve_in(id, &path, steps)
    }

    /// A crate that the package depends on: a crate of the workspace, or another.
    fn dependency(&self, scope: ScopeId, name: &str) -> Option<PathTarget> {
        let package = &self.get(scope)?.package;
        let own = || (name == package.name.replace('-', "_")).then_some(name);
        let krate = match name {
            "std" | "core" | "alloc" => name,
            name => package.dependencies.get(name).map(String::as_str).or_else(own)?,
        };
        Some(match self.libraries.get(krate) {
            // Its types are known by their paths.
            Some(root) if krate != "redis_keys" => PathTarget::Module(*root),
            _ => PathTarget::External(vec![krate.to_owned()]),
        })
    }
}

impl Scope {
    fn new(
        outer: Option<ScopeId>,
        module: ScopeId,
        parent: Option<ScopeId>,
        root: ScopeId,
        package: Rc<Package>,
    ) -> Self {
        let (types, modules, imports) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { outer, module, parent, root, package, types, modules, imports, globs: Vec::new() }
    }

    fn import(&mut self, before: &Path, tree: &UseTree) {
        let named = |last: &syn::Ident| if last == "self" { before.clone() } else { before.join(name(last)) };
        let mut add = |name: String, path| self.imports.entry(name).or_default().push(path);
        match tree {
            UseTree::Path(path) => self.import(&before.join(name(&path.ident)), &path.tree),
            UseTree::Name(last) => {
                let path = named(&last.ident);
                add(path.last().to_owned(), path);
            }
            UseTree::Rename(last) => add(name(&last.rename), named(&last.ident)),
            UseTree::Glob(_) => self.globs.push(before.clone()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(before, tree)),
        }
    }
}
