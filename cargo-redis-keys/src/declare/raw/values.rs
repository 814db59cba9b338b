//! The text that an expression gives, as far as the sources show it.

mod calls;
mod formatted;
mod variables;

use std::cell::Cell;
use std::collections::BTreeSet;

use syn::{BinOp, Block, Expr, Lit, Stmt};
use variables::named;

use super::expressions::{elements, inner, is_one_of, last_name, unwrapped};
use super::key_text::KeyText;
use super::names::{Frame, Names};

/// The most expressions that lead to a text, one inside or behind another.
const MAX_DEPTH: u8 = 24;

/// The most expressions that are read for one text.
const MAX_EXPRESSIONS: u32 = 2_000;

/// The number of functions through which a text is passed as an argument at most.
const MAX_CALLERS: u8 = 2;

/// The text that expressions of the code give.
pub(super) struct Values<'c> {
    pub(super) names: Names<'c>,
    /// The number of expressions that can still be read.
    left: Cell<u32>,
}

impl<'c> Values<'c> {
    pub(super) fn new(names: Names<'c>) -> Self {
        Self { names, left: Cell::new(0) }
    }

    /// An expression's text.
    pub(super) fn text(&self, expr: &Expr, frame: &Frame) -> KeyText {
        self.left.set(MAX_EXPRESSIONS);
        self.evaluate(expr, frame)
    }

    /// The texts of an expression that is a single key or several keys.
    pub(super) fn keys(&self, expr: &Expr, frame: &Frame) -> BTreeSet<KeyText> {
        self.left.set(MAX_EXPRESSIONS);
        match elements(unwrapped(expr)) {
            Some(keys) => keys.iter().flat_map(|key| self.origins(key, frame, MAX_CALLERS)).collect(),
            None => self.origins(unwrapped(expr), frame, MAX_CALLERS),
        }
    }

    fn evaluate(&self, expr: &Expr, frame: &Frame) -> KeyText {
        Evaluation { values: self, frame, depth: MAX_DEPTH }.evaluate(expr)
    }
}

/// An evaluation of expressions in a frame.
#[derive(Clone, Copy)]
struct Evaluation<'v, 'c> {
    values: &'v Values<'c>,
    frame: &'v Frame,
    /// The number of expressions that can still lead to the text.
    depth: u8,
}

impl Evaluation<'_, '_> {
    /// An expression's text.
    fn evaluate(self, expr: &Expr) -> KeyText {
        let (Some(deeper), Some(left)) = (self.deeper(), self.values.left.get().checked_sub(1)) else {
            return KeyText::unknown();
        };
        self.values.left.set(left);
        deeper.text_of(expr).typed(|| deeper.type_of(expr))
    }

    /// The evaluation of an expression that leads to the text of another.
    fn deeper(self) -> Option<Self> {
        Some(Self { depth: self.depth.checked_sub(1)?, ..self })
    }

    fn text_of(self, expr: &Expr) -> KeyText {
        match expr {
            Expr::Lit(literal) => text_of_literal(&literal.lit),
            Expr::Macro(call) => self.text_of_macro(&call.mac),
            Expr::Path(path) => self.text_of_path(&path.path),
            Expr::MethodCall(call) => self.text_of_method(call).unwrap_or_else(|| named(expr)),
            Expr::Call(call) => self.text_of_call(call),
            Expr::Binary(binary) if matches!(binary.op, BinOp::Add(_)) && !is_number(&binary.right) => {
                let text = self.joined([&*binary.left, &*binary.right], "");
                if text.has_words() { text } else { named(expr) }
            }
            Expr::Block(block) => self.text_of_block(&block.block),
            Expr::Unsafe(block) => self.text_of_block(&block.block),
            Expr::Closure(closure) => self.evaluate(&closure.body),
            // An argument with a name.
            Expr::Assign(assign) => self.evaluate(&assign.right),
            Expr::If(condition) => {
                let other = condition.else_branch.iter().map(|(_, other)| self.evaluate(other));
                KeyText::merged([self.text_of_block(&condition.then_branch)].into_iter().chain(other))
            }
            Expr::Match(arms) => {
                let bodies = arms.arms.iter().map(|arm| &*arm.body).filter(|body| !leaves(body));
                KeyText::merged(bodies.map(|body| self.evaluate(body)))
            }
            Expr::Index(index) if matches!(&*index.index, Expr::Range(_)) => self.evaluate(&index.expr),
            Expr::Array(array) => self.text_of_element(array.elems.iter()),
            expr => inner(expr).map_or_else(|| named(expr), |inner| self.evaluate(inner)),
        }
    }

    /// The text of a list with one element.
    fn text_of_element<'e>(self, mut elements: impl ExactSizeIterator<Item = &'e Expr>) -> KeyText {
        let only = if elements.len() == 1 { elements.next() } else { None };
        only.map_or_else(KeyText::unknown, |only| self.evaluate(only))
    }

    fn text_of_block(self, block: &Block) -> KeyText {
        match block.stmts.last() {
            Some(Stmt::Expr(expr, None)) => self.evaluate(expr),
            Some(Stmt::Macro(last)) if last.semi_token.is_none() => self.text_of_macro(&last.mac),
            _ => KeyText::unknown(),
        }
    }
}

fn text_of_literal(literal: &Lit) -> KeyText {
    match literal {
        Lit::Str(text) => KeyText::text(text.value()),
        Lit::ByteStr(bytes) => String::from_utf8(bytes.value()).map_or_else(|_| KeyText::unknown(), KeyText::text),
        Lit::Char(sign) => KeyText::text(sign.value()),
        Lit::Byte(byte) if byte.value().is_ascii() => KeyText::text(char::from(byte.value())),
        Lit::Int(number) => KeyText::text(number.base10_digits()),
        Lit::Bool(value) => KeyText::text(value.value.to_string()),
        _ => KeyText::unknown(),
    }
}

/// Whether this is a number, so that `+` adds numbers and not texts.
fn is_number(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(literal) if matches!(literal.lit, Lit::Int(_) | Lit::Float(_)))
}

/// Whether an expression gives no text: an error, `None`, or the end of the function or of a loop.
fn leaves(expr: &Expr) -> bool {
    match expr {
        Expr::Call(call) => matches!(&*call.func, Expr::Path(path) if path.path.is_ident("Err")),
        Expr::Path(path) => path.path.is_ident("None"),
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Macro(call) => is_one_of("panic unreachable bail todo unimplemented", &last_name(&call.mac.path)),
        _ => false,
    }
}
