//! The arguments of macros in the bodies of functions.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Block, Expr, Macro, Stmt, Token};

/// The arguments of a macro, as far as they parse.
pub(super) enum Contents {
    /// Expressions between commas.
    Exprs(Vec<Expr>),
    /// Statements, or those of the blocks in it.
    Statements(Vec<Vec<Stmt>>),
}

impl Contents {
    /// Visits the arguments.
    pub(super) fn visit(&self, visitor: &mut impl for<'a> Visit<'a>) {
        match self {
            Self::Exprs(exprs) => {
                for expr in exprs {
                    visitor.visit_expr(expr);
                }
            }
            Self::Statements(blocks) => {
                for statement in blocks.iter().flatten() {
                    visitor.visit_stmt(statement);
                }
            }
        }
    }
}

/// The name of a macro.
pub(super) fn name(call: &Macro) -> String {
    call.path.segments.last().map(|last| last.ident.unraw().to_string()).unwrap_or_default()
}

/// The arguments of a macro.
pub(super) fn contents(call: &Macro) -> Contents {
    if let Some(exprs) = exprs(call.tokens.clone()) {
        return Contents::Exprs(exprs);
    }
    let mut blocks = Vec::new();
    add_blocks(call.tokens.clone(), &mut blocks);
    Contents::Statements(blocks)
}

/// Expressions between commas, of which `name = value` is a value.
fn exprs(tokens: TokenStream) -> Option<Vec<Expr>> {
    let exprs = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(tokens).ok()?;
    Some(exprs.into_iter().collect())
}

fn add_blocks(tokens: TokenStream, blocks: &mut Vec<Vec<Stmt>>) {
    if let Ok(statements) = Block::parse_within.parse2(tokens.clone()) {
        return blocks.push(statements);
    }
    for token in tokens {
        if let TokenTree::Group(group) = token
            && group.delimiter() == Delimiter::Brace
        {
            add_blocks(group.stream(), blocks);
        }
    }
}

/// The `format!` of what stands behind the first argument of `write!`.
pub(super) fn format_of(exprs: &[Expr]) -> Option<Expr> {
    exprs.get(1)?;
    let arguments: Punctuated<&Expr, Token![,]> = exprs.get(1..)?.iter().collect();
    syn::parse2(quote::quote!(format!(#arguments))).ok()
}
