//! The text that a call gives, of a conversion or of a function of the workspace, and the texts that callers pass.

use std::collections::BTreeSet;

use quote::ToTokens as _;
use syn::visit::{self, Visit};
use syn::{Expr, ExprAsync, ExprCall, ExprClosure, ExprMethodCall, ExprReturn, Item, Member, ReturnType, Stmt};

use super::variables::named;
use super::{Evaluation, Values, leaves};
use crate::declare::raw::bindings::Value;
use crate::declare::raw::expressions::{is_one_of, is_self, keeps_text, unwrapped};
use crate::declare::raw::key_text::KeyText;
use crate::declare::raw::names::{Callee, Frame};
use crate::declare::sources::name;

impl Evaluation<'_, '_> {
    pub(super) fn text_of_method(self, call: &ExprMethodCall) -> Option<KeyText> {
        let method = name(&call.method);
        match (method.as_str(), call.args.first()) {
            ("map" | "flat_map" | "filter_map", Some(closure)) => {
                let text = self.evaluate(closure);
                return Some(if text.has_words() { text } else { self.evaluate(&call.receiver) });
            }
            ("join" | "concat", separator) => {
                let separator = separator.and_then(|separator| self.evaluate(separator).constant());
                if let Some(text) = self.joined_elements(&call.receiver, &separator.unwrap_or_default()) {
                    return Some(text);
                }
            }
            _ if keeps_text(&method) => return Some(self.evaluate(&call.receiver)),
            _ => {}
        }
        self.returned(&Callee::of_method(call), call.args.iter())
    }

    pub(super) fn text_of_call(self, call: &ExprCall) -> KeyText {
        if let Some(closure) = self.frame.assigned(&call.func) {
            return self.evaluate(closure);
        }
        let Expr::Path(function) = &*call.func else { return KeyText::unknown() };
        let Some(callee) = Callee::of_path(&function.path, call.args.len()) else { return KeyText::unknown() };
        let returned = self.returned(&callee, call.args.iter());
        returned.unwrap_or_else(|| self.text_of_conversion(&callee, call).unwrap_or_else(|| named(&call.func)))
    }

    /// The text of an empty buffer, of a conversion, or of a tuple struct around a text.
    fn text_of_conversion(self, callee: &Callee, call: &ExprCall) -> Option<KeyText> {
        const CONVERSIONS: &str = "from new from_static from_str copy_from_slice try_from from_utf8 into";
        let is_of = |types: &str| is_one_of(types, callee.qualifier.as_deref().unwrap_or_default());
        match (callee.name.as_str(), call.args.first()) {
            ("new" | "with_capacity", _) if is_of("String Vec PathBuf BytesMut") => Some(KeyText::default()),
            // It gets its text later.
            ("new", Some(_)) if is_of("RwLock Mutex OnceLock OnceCell RefCell") => Some(KeyText::unknown()),
            (name, Some(argument)) if call.args.len() == 1 => {
                let keeps_text = is_one_of(CONVERSIONS, name) || name.starts_with(char::is_uppercase);
                keeps_text.then(|| self.evaluate(argument))
            }
            _ => None,
        }
    }

    /// The text that a function of the workspace returns.
    fn returned<'e>(self, callee: &Callee, arguments: impl Iterator<Item = &'e Expr>) -> Option<KeyText> {
        let names = &self.values.names;
        let index = names.resolve(callee, self.frame.function(), &self.frame.place)?;
        let function = names.function(index).filter(|function| returns_text(&function.signature.output))?;
        let arguments = arguments.map(|argument| self.evaluate(argument)).collect();
        let frame = Frame::of_function(names, index)?.called(arguments);
        let inside = Evaluation { frame: &frame, ..self };
        let mut returns = Returns(Vec::new());
        returns.visit_block(&function.body);
        let early = returns.0.iter().filter(|expr| !leaves(expr)).map(|expr| inside.evaluate(expr));
        let mut texts: Vec<_> = early.collect();
        if let Some(Stmt::Expr(_, None) | Stmt::Macro(_)) = function.body.stmts.last() {
            texts.push(inside.text_of_block(&function.body));
        }
        Some(KeyText::merged(texts)).filter(KeyText::has_text)
    }
}

/// Whether a function can return a key.
fn returns_text(output: &ReturnType) -> bool {
    let ReturnType::Type(_, ty) = output else { return false };
    let is_text = |word: &str| is_one_of("str String Cow Vec Self impl Bytes u8", word) || word.contains("Key");
    let text = ty.to_token_stream().to_string();
    text.split(|sign: char| !sign.is_alphanumeric() && sign != '_').any(is_text)
}

/// The expressions that a function returns early.
struct Returns(Vec<Expr>);

impl<'ast> Visit<'ast> for Returns {
    fn visit_expr_return(&mut self, returned: &'ast ExprReturn) {
        self.0.extend(returned.expr.as_deref().cloned());
        visit::visit_expr_return(self, returned);
    }

    fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}

    fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}

    fn visit_item(&mut self, _: &'ast Item) {}
}

/// The most texts that callers pass. More texts count as a single unknown text.
const MAX_TEXTS: usize = 24;

impl Values<'_> {
    /// A key's texts: for an unknown parameter or field, the texts that it gets.
    pub(super) fn origins(&self, expr: &Expr, frame: &Frame, callers: u8) -> BTreeSet<KeyText> {
        let text = self.evaluate(expr, frame);
        let passed = match callers.checked_sub(1) {
            Some(callers) if !text.has_words() => self.passed(expr, frame, callers),
            _ => Vec::new(),
        };
        let texts: BTreeSet<_> = passed.into_iter().filter(KeyText::has_words).collect();
        if (1..=MAX_TEXTS).contains(&texts.len()) { texts } else { BTreeSet::from([text]) }
    }

    /// The texts that callers pass to a parameter, or that a field gets.
    fn passed(&self, expr: &Expr, frame: &Frame, callers: u8) -> Vec<KeyText> {
        let origins = |(function, value): (usize, &Expr)| {
            let frame = Frame::of_function(&self.names, function)?;
            Some(self.origins(value, &frame, callers))
        };
        let Some((function, _)) = frame.function else { return Vec::new() };
        match unwrapped(expr) {
            Expr::Path(path) => match frame.binding(&path.path).map(|binding| &binding.value) {
                Some(Value::Parameter(index)) => {
                    let calls = self.names.calls(function).into_iter();
                    let values = calls.filter_map(|(caller, arguments)| Some((caller, arguments.get(*index)?)));
                    values.filter_map(origins).flatten().collect()
                }
                // It was nothing more than the variable.
                Some(Value::Expr(value)) => self.passed(value, frame, callers),
                _ => Vec::new(),
            },
            Expr::Field(field) => {
                let owner = frame.self_type().filter(|_| is_self(&field.base));
                let (Some(owner), Member::Named(member)) = (owner, &field.member) else { return Vec::new() };
                let values = self.names.initializers(owner, &name(member)).iter();
                values.filter_map(|(function, value)| origins((*function, value))).flatten().collect()
            }
            expr => self.with_arguments(expr, frame, function),
        }
    }

    /// The texts of an expression with each caller's arguments.
    fn with_arguments(&self, expr: &Expr, frame: &Frame, function: usize) -> Vec<KeyText> {
        let texts = self.names.calls(function).into_iter().filter_map(|(caller, arguments)| {
            let caller = Frame::of_function(&self.names, caller)?;
            let arguments = arguments.iter().map(|argument| self.evaluate(argument, &caller)).collect();
            Some(self.evaluate(expr, &frame.clone().called(arguments)))
        });
        texts.collect()
    }
}
