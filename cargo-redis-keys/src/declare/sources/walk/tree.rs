//! The way through items, statements and expressions.

use syn::visit::{self, Visit};
use syn::{Arm, Attribute, Block, ExprBlock, ImplItem, Item, Local, Macro, Path, Stmt, StmtMacro, TraitItem};

use super::Visitor;

impl Visitor<'_> {
    /// Visits the items of a module. Imports come first: they name what the items use.
    pub(super) fn items(&mut self, items: &[Item]) {
        for item in items {
            self.import(item);
        }
        for item in items {
            self.visit_item(item);
        }
    }

    /// Visits the statements of a block.
    pub(super) fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            if let Stmt::Item(item) = statement {
                self.import(item);
            }
        }
        for statement in statements {
            self.visit_stmt(statement);
        }
    }

    fn import(&mut self, item: &Item) {
        if let Item::Use(import) = item {
            self.guarded(&import.attrs, |visitor, _| {
                visitor.walk.scopes.add_use(visitor.scope, import);
                visitor.keep(|code, place, _| code.add_import(&place.file, import));
            });
        }
    }
}

impl<'ast> Visit<'ast> for Visitor<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        self.guarded(attributes(item), |visitor, attributes| visitor.item(item, attributes));
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let attributes = match item {
            ImplItem::Const(item) => &item.attrs,
            ImplItem::Fn(item) => &item.attrs,
            ImplItem::Macro(item) => &item.attrs,
            _ => return,
        };
        self.guarded(attributes, |visitor, _| {
            visitor.keep(|code, place, owner| match item {
                ImplItem::Const(item) => code.add_constant(place, owner, &item.ident, &item.expr),
                ImplItem::Fn(item) => code.add_function(place, owner, &item.sig, &item.block),
                _ => {}
            });
            visit::visit_impl_item(visitor, item);
        });
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        let attributes = match item {
            TraitItem::Const(item) => &item.attrs,
            TraitItem::Fn(item) => &item.attrs,
            TraitItem::Macro(item) => &item.attrs,
            _ => return,
        };
        self.guarded(attributes, |visitor, _| {
            visitor.keep(|code, place, owner| match item {
                TraitItem::Const(item) => {
                    if let Some((_, value)) = &item.default {
                        code.add_constant(place, owner, &item.ident, value);
                    }
                }
                TraitItem::Fn(item) => {
                    if let Some(body) = &item.default {
                        code.add_function(place, owner, &item.sig, body);
                    }
                }
                _ => {}
            });
            visit::visit_trait_item(visitor, item);
        });
    }

    fn visit_block(&mut self, block: &'ast Block) {
        if !block.stmts.iter().any(|statement| matches!(statement, Stmt::Item(_))) {
            return visit::visit_block(self, block);
        }
        let around = self.scope;
        self.scope = self.walk.scopes.add_block(around);
        self.statements(&block.stmts);
        self.scope = around;
    }

    fn visit_local(&mut self, local: &'ast Local) {
        self.guarded(&local.attrs, |visitor, _| visit::visit_local(visitor, local));
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        self.guarded(&arm.attrs, |visitor, _| visit::visit_arm(visitor, arm));
    }

    fn visit_expr_block(&mut self, block: &'ast ExprBlock) {
        self.guarded(&block.attrs, |visitor, _| visitor.visit_block(&block.block));
    }

    fn visit_stmt_macro(&mut self, statement: &'ast StmtMacro) {
        self.guarded(&statement.attrs, |visitor, _| visitor.macro_call(&statement.mac));
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.macro_call(call);
    }

    // Nothing is declared in these.
    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_path(&mut self, _: &'ast Path) {}
}

/// An item's attributes.
fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
