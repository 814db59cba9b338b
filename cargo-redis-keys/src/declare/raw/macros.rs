//! The arguments of macros in the bodies of functions.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Block, Expr, Macro, Stmt, Token};

/// The arguments of a macro, as far as they parse.
pub(super) enum Contents {
    /// Expressions between commas, of which `name = value` is one.
    Exprs(Vec<Expr>),
    /// Statements, or those of the blocks in it.
    Statements(Vec<Stmt>),
}

impl Contents {
    /// Visits the arguments.
    pub(super) fn visit(&self, visitor: &mut impl for<'a> Visit<'a>) {
        match self {
            Self::Exprs(exprs) => exprs.iter().for_each(|expr| visitor.visit_expr(expr)),
            Self::Statements(statements) => statements.iter().for_each(|statement| visitor.visit_stmt(statement)),
        }
    }
}

/// The arguments of a macro.
pub(super) fn contents(call: &Macro) -> Contents {
    if let Ok(exprs) = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(call.tokens.clone()) {
        return Contents::Exprs(exprs.into_iter().collect());
    }
    Contents::Statements(statements(call.tokens.clone()))
}

/// The statements of tokens, or of the blocks in them.
fn statements(tokens: TokenStream) -> Vec<Stmt> {
    if let Ok(statements) = Block::parse_within.parse2(tokens.clone()) {
        return statements;
    }
    let blocks = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => statements(group.stream()),
        _ => Vec::new(),
    });
    blocks.flatten().collect()
}

/// The `format!` of the arguments of `write!` behind the first.
pub(super) fn format_of(exprs: &[Expr]) -> Option<Expr> {
    let arguments = exprs.get(1..).filter(|arguments| !arguments.is_empty())?;
    let arguments: Punctuated<&Expr, Token![,]> = arguments.iter().collect();
    syn::parse2(quote::quote!(format!(#arguments))).ok()
}
