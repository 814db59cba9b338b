//! Expressions: their parts, their names, and the expressions in the arguments of macros.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Block, Expr, Macro, Path, Stmt, Token};

use crate::declare::sources::name;

/// Whether a word is among several, with white space between them.
pub(super) fn is_one_of(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}

/// The expression inside of references, parentheses, `?`, `.await`, casts and the like.
pub(super) fn inner(expr: &Expr) -> Option<&Expr> {
    Some(match expr {
        Expr::Reference(inner) => &inner.expr,
        Expr::Paren(inner) => &inner.expr,
        Expr::Group(inner) => &inner.expr,
        Expr::Unary(inner) => &inner.expr,
        Expr::Try(inner) => &inner.expr,
        Expr::Await(inner) => &inner.base,
        Expr::Cast(inner) => &inner.expr,
        _ => return None,
    })
}

/// An expression without references and methods that keep its text.
pub(super) fn unwrapped(expr: &Expr) -> &Expr {
    match expr {
        Expr::MethodCall(call) if keeps_text(&name(&call.method)) => unwrapped(&call.receiver),
        expr => inner(expr).map_or(expr, unwrapped),
    }
}

/// Whether a method keeps its receiver's text.
pub(super) fn keeps_text(method: &str) -> bool {
    const METHODS: &str = "to_string to_owned into clone as_str as_ref as_bytes to_vec into_bytes borrow \
        into_boxed_str deref as_deref unwrap expect unwrap_or_default cloned copied iter into_iter collect as_slice \
        into_string to_str leak into_owned map_err context ok with_context to_redis_args unwrap_or unwrap_or_else \
        try_into chunks iter_mut by_ref to_compact_string";
    is_one_of(METHODS, method)
}

/// The elements of an array or a tuple.
pub(super) fn elements(expr: &Expr) -> Option<&Punctuated<Expr, Token![,]>> {
    match expr {
        Expr::Array(array) => Some(&array.elems),
        Expr::Tuple(tuple) => Some(&tuple.elems),
        _ => None,
    }
}

/// A variable's name, behind references.
pub(super) fn variable_name(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Path(path) => path.path.get_ident().map(name),
        expr => variable_name(inner(expr)?),
    }
}

/// The last name of a path.
pub(super) fn last_name(path: &Path) -> String {
    path.segments.last().map(|last| name(&last.ident)).unwrap_or_default()
}

/// Whether an expression is `self`.
pub(super) fn is_self(expr: &Expr) -> bool {
    matches!(expr, Expr::Path(path) if path.path.is_ident("self"))
}

/// The offset of the first byte.
pub(super) fn start(span: Span) -> usize {
    span.byte_range().start
}

/// A macro's arguments, as far as they parse.
pub(super) enum Contents {
    /// Expressions between commas. `name = value` counts as an expression.
    Exprs(Vec<Expr>),
    /// Statements, or the statements of the blocks in the macro.
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

/// A macro's arguments.
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
