//! The items of a module.

use std::rc::Rc;

use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, Expr, ExprLit, Fields, Item, ItemMod, Lit, Meta, visit};

use super::super::cfg::Attributes;
use super::super::code::Owner;
use super::super::declaration::{Declaration, DeclarationKind};
use super::super::file::Directory;
use super::super::scope::{Definition, NamedType, name};
use super::{Visitor, offset};

impl Visitor<'_> {
    /// Visits an item that is or may be compiled.
    pub(super) fn item(&mut self, item: &Item, attributes: &Attributes) {
        self.keep(|code, place, _| code.add_item(place, item));
        match item {
            Item::Mod(module) => self.module(module, attributes),
            Item::Struct(item) => self.data(DeriveInput::from(item.clone()), attributes),
            Item::Enum(item) => self.data(DeriveInput::from(item.clone()), attributes),
            Item::Union(item) => self.data(DeriveInput::from(item.clone()), attributes),
            Item::Type(item) => {
                self.named(&item.ident, Definition::Alias(Box::new((item.generics.clone(), (*item.ty).clone()))));
            }
            // Read before the other items.
            Item::Use(_) => {}
            Item::ExternCrate(item) => {
                if let Some((_, rename)) = &item.rename {
                    self.walk.scopes.add_import(self.scope, name(rename), vec![name(&item.ident)]);
                }
            }
            Item::Macro(item) if item.mac.path.is_ident("macro_rules") => self.macro_rules(item),
            Item::Verbatim(tokens) => self.unknown_syntax(tokens),
            item => {
                let around = std::mem::replace(&mut self.owner, Owner::of(item));
                visit::visit_item(self, item);
                self.owner = around;
            }
        }
    }

    fn module(&mut self, module: &ItemMod, attributes: &Attributes) {
        let name = name(&module.ident);
        let paths = attributes.named("path").filter_map(|(path, conditions)| Some((text(path)?, conditions.clone())));
        let mut paths: Vec<_> = paths.collect();
        // rustc takes the first path.
        if let Some(certain) = paths.iter().position(|(_, conditions)| conditions.is_empty()) {
            paths.truncate(certain + 1);
        }
        let may_be_elsewhere = paths.last().is_some_and(|(_, conditions)| !conditions.is_empty());
        let around = (self.scope, self.directory.clone(), self.conditions.len());
        self.scope = self.walk.scopes.add_module(self.scope, name.clone());
        self.module.push(name.clone());
        if let Some((_, items)) = &module.content {
            let path = paths.first().map(|(path, _)| path.as_str());
            self.directory = self.directory.inline(&name, path);
            self.items(items);
        } else {
            let named_at = offset(module.ident.span());
            for (path, conditions) in &paths {
                self.conditions.extend(conditions.iter().cloned());
                let file = self.directory.named(path);
                self.other_file(&file, Directory::of_file(&file), named_at);
                self.conditions.truncate(around.2);
            }
            let (file, directory) = self.directory.module(&name);
            if paths.is_empty() || may_be_elsewhere && file.is_file() {
                self.other_file(&file, directory, named_at);
            }
        }
        self.module.pop();
        (self.scope, self.directory) = (around.0, around.1);
    }

    /// Registers a type, and its declaration.
    fn data(&mut self, mut item: DeriveInput, attributes: &Attributes) {
        self.remove_what_is_not_compiled(&mut item);
        let derives: Vec<_> = attributes.derives().map(|path| self.derived(&path)).collect();
        let is_derived = |name: &str| derives.iter().any(|derived| derived == name);
        let keys: Vec<_> = attributes.named("redis_key").collect();
        let is_segment = is_derived("KeySegment");
        // A derive can have any name.
        let is_key = is_derived("RedisKey") || !is_segment && !keys.is_empty() && !derives.is_empty();
        let is_record =
            is_derived("RedisHash") || attributes.named("redis_hash").next().is_some() && !derives.is_empty();
        if !keys.is_empty() && derives.is_empty() {
            self.unread_at(offset(item.ident.span()), "`redis_key` without a derive".to_owned());
        }
        item.attrs = attributes.all.iter().map(|(attribute, _)| attribute.clone()).collect();
        let conditions: Vec<_> = attributes.named("derive").flat_map(|(_, conditions)| conditions.clone()).collect();
        if is_key && keys.len() > 1 && keys.iter().any(|(_, conditions)| !conditions.is_empty()) {
            // One of these conditions holds.
            for (index, (_, own)) in keys.iter().enumerate() {
                let mut item = item.clone();
                let mut at = 0..;
                item.attrs.retain(|attribute| !attribute.path().is_ident("redis_key") || at.next() == Some(index));
                self.declare(DeclarationKind::Key, Rc::new(item), &[&conditions[..], own].concat());
            }
        } else if is_key {
            let own: Vec<_> = keys.iter().flat_map(|(_, conditions)| conditions.clone()).collect();
            self.declare(DeclarationKind::Key, Rc::new(item.clone()), &[conditions.clone(), own].concat());
        }
        let item = Rc::new(item);
        if is_record {
            self.declare(DeclarationKind::Record, Rc::clone(&item), &conditions);
        }
        if is_segment {
            self.declare(DeclarationKind::Segment, Rc::clone(&item), &conditions);
        }
        let definition = match () {
            () if is_segment => Definition::Segment(Rc::clone(&item)),
            () if is_record => Definition::Record(Rc::clone(&item)),
            () => Definition::Other,
        };
        self.named(&item.ident, definition);
    }

    fn declare(&mut self, kind: DeclarationKind, item: Rc<DeriveInput>, conditions: &[String]) {
        let package = &self.target.package;
        // Targets are walked twice, for their unit tests.
        if !package.is_selected {
            return;
        }
        let declaration = Declaration {
            kind,
            target: Rc::clone(self.target),
            file: Rc::clone(&self.file),
            offset: offset(item.ident.span()),
            module: self.module_path(),
            condition: self.condition(conditions),
            is_silenced: self.is_silenced,
            is_test: self.is_test,
            scope: self.scope,
            item,
        };
        self.walk.declare(declaration);
    }

    fn named(&mut self, ident: &syn::Ident, definition: Definition) {
        let place = (self.file.shown.clone(), offset(ident.span()));
        self.walk.scopes.add_type(name(ident), NamedType { scope: self.scope, place, definition });
    }

    /// The name under which a derive is defined, if an import renames it.
    fn derived(&self, path: &syn::Path) -> String {
        self.walk.scopes.original_name(self.scope, path)
    }

    /// Removes fields and variants that are not compiled, and unfolds `cfg_attr` of the others.
    fn remove_what_is_not_compiled(&self, item: &mut DeriveInput) {
        let configuration = self.configuration();
        let attributes = |attributes: &mut Vec<Attribute>| {
            let Some(read) = Attributes::read(attributes, &configuration) else { return false };
            *attributes = read.all.into_iter().map(|(attribute, _)| attribute).collect();
            true
        };
        let fields = |fields: &mut Fields| match fields {
            Fields::Named(named) => named.named = retained(&named.named, |field| attributes(&mut field.attrs)),
            Fields::Unnamed(unnamed) => {
                unnamed.unnamed = retained(&unnamed.unnamed, |field| attributes(&mut field.attrs));
            }
            Fields::Unit => {}
        };
        match &mut item.data {
            Data::Struct(data) => fields(&mut data.fields),
            Data::Enum(data) => {
                data.variants = retained(&data.variants, |variant| attributes(&mut variant.attrs));
            }
            Data::Union(_) => {}
        }
    }
}

/// Returns the items of a list that are kept.
fn retained<T: Clone, P: Default>(list: &Punctuated<T, P>, keep: impl Fn(&mut T) -> bool) -> Punctuated<T, P> {
    let kept = list.iter().cloned().filter_map(|mut one| keep(&mut one).then_some(one));
    kept.collect()
}

/// The text of `name = "text"`.
fn text(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(value) = &attribute.meta else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &value.value else { return None };
    Some(text.value())
}
