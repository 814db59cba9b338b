//! The modules of a crate, and the ones that paths lead to.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Ident;
use quote::ToTokens as _;
use syn::{Attribute, Item};

use super::paths::{self, Mention};

/// The path of a module from the root of its crate, which is empty.
type Path = Vec<String>;

/// A module without those below it.
#[derive(Default)]
pub(super) struct Module {
    /// The file in `src`.
    pub(super) file: String,
    /// Names of the items that it defines.
    items: BTreeSet<String>,
    /// The paths that its imports name.
    imports: Vec<Mention>,
    /// The other paths in its code.
    mentions: Vec<Mention>,
}

impl Module {
    /// The paths in its code.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Mention> {
        self.imports.iter().chain(&self.mentions)
    }
}

/// The modules of a crate without its tests, by their paths.
pub(super) struct Modules(BTreeMap<Path, Module>);

/// An upper bound for re-exports of re-exports, since they can be circular.
const MAX_IMPORTS: usize = 16;

impl Modules {
    /// Reads the modules from `lib.rs` on. `read` returns the text of a file in `src`.
    pub(super) fn read(read: &dyn Fn(&str) -> Option<String>) -> Result<Self, String> {
        let mut modules = Self(BTreeMap::new());
        modules.add_file(&[], &["lib.rs".to_owned()], read)?;
        Ok(modules)
    }

    /// All modules whose arrows count.
    pub(super) fn all(&self) -> impl Iterator<Item = (&Path, &Module)> {
        self.0.iter().filter(|(path, _)| !path.iter().any(|name| is_private(name)))
    }

    fn add_file(
        &mut self,
        path: &[String],
        candidates: &[String],
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Result<(), String> {
        let found = candidates.iter().find_map(|file| Some((file, read(file)?)));
        let (file, text) = found.ok_or_else(|| format!("{}: the file of a module is missing", candidates[0]))?;
        let parsed = syn::parse_file(&text).map_err(|error| format!("{file}: {error}"))?;
        self.add(path, file, &parsed.items, read)
    }

    fn add(
        &mut self,
        path: &[String],
        file: &str,
        items: &[Item],
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Result<(), String> {
        let mut module = Module { file: file.to_owned(), ..Module::default() };
        for item in items {
            match item {
                Item::Mod(child) if is_test(&child.attrs) => {}
                Item::Mod(child) => {
                    let path = [path, &[paths::name(&child.ident)]].concat();
                    match &child.content {
                        Some((_, items)) => self.add(&path, file, items, read)?,
                        None => self.add_file(&path, &[".rs", "/mod.rs"].map(|end| path.join("/") + end), read)?,
                    }
                }
                Item::Use(import) if is_test(&import.attrs) => {}
                Item::Use(import) => module.imports.extend(paths::of_import(import.tree.to_token_stream())),
                _ => {
                    module.items.extend(defined(item).map(paths::name));
                    let is_macro = matches!(item, Item::Macro(item) if item.ident.is_some());
                    paths::add_mentions(item.to_token_stream(), is_macro, &mut module.mentions);
                }
            }
        }
        self.0.insert(path.to_vec(), module);
        Ok(())
    }

    /// The modules that define what a path in a module names. It is empty for other crates, for the values and types of
    /// a function, and for `__private`.
    pub(super) fn resolve(&self, from: &[String], path: &[String]) -> BTreeSet<Path> {
        let mut found = BTreeSet::new();
        self.follow(from, path, MAX_IMPORTS, &mut found);
        found
    }

    fn follow(&self, from: &[String], path: &[String], depth: usize, found: &mut BTreeSet<Path>) {
        let (mut from, mut rest) = (from, path);
        while let [first, after @ ..] = rest {
            from = match first.as_str() {
                "crate" => &[],
                "self" => from,
                "super" => from.split_last().map_or(from, |(_, parent)| parent),
                _ => break,
            };
            rest = after;
        }
        let is_relative = rest.len() == path.len();
        if self.descend(from, rest, depth, found) || is_relative {
            return;
        }
        // The name of an item that a macro defines.
        found.insert(from.to_vec());
    }

    /// Follows names from a module, and returns whether the first one is known there.
    fn descend(&self, from: &[String], names: &[String], depth: usize, found: &mut BTreeSet<Path>) -> bool {
        let ([first, rest @ ..], Some(module)) = (names, self.0.get(from)) else {
            found.extend(self.0.contains_key(from).then(|| from.to_vec()));
            return true;
        };
        if is_private(first) || depth == 0 {
            return true;
        }
        if rest.is_empty() && module.items.contains(first) {
            found.insert(from.to_vec());
            return true;
        }
        let mut is_known = false;
        let child = [from, std::slice::from_ref(first)].concat();
        if self.0.contains_key(&child) {
            is_known = true;
            if !self.descend(&child, rest, depth, found) {
                found.insert(child);
            }
        }
        let imports = module.imports.iter().filter(|import| import.name.as_ref() == Some(first));
        // `use name;` makes a macro or another crate known.
        for import in imports.filter(|import| import.path.len() > 1 || import.path.first() != Some(first)) {
            is_known = true;
            self.follow(from, &[&import.path, rest].concat(), depth - 1, found);
        }
        if is_known {
            return true;
        }
        if module.items.contains(first) {
            found.insert(from.to_vec());
            return true;
        }
        let globs = module.imports.iter().filter(|import| import.name.is_none());
        globs.map(|import| &import.path).any(|path| {
            let mut targets = BTreeSet::new();
            self.follow(from, path, depth - 1, &mut targets);
            targets.iter().any(|target| target != from && self.descend(target, names, depth - 1, found))
        })
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| paths::is_test(attribute.meta.to_token_stream()))
}

fn is_private(name: &str) -> bool {
    name == "__private"
}

/// The name that an item defines.
fn defined(item: &Item) -> Option<&Ident> {
    match item {
        Item::Const(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        Item::Fn(item) => Some(&item.sig.ident),
        Item::Macro(item) => item.ident.as_ref(),
        Item::Static(item) => Some(&item.ident),
        Item::Struct(item) => Some(&item.ident),
        Item::Trait(item) => Some(&item.ident),
        Item::TraitAlias(item) => Some(&item.ident),
        Item::Type(item) => Some(&item.ident),
        Item::Union(item) => Some(&item.ident),
        _ => None,
    }
    .filter(|ident| *ident != "_")
}
