//! The texts of a key that the callers of a function, or the places that build a struct, pass to it.

use std::collections::BTreeSet;

use syn::{Expr, Member};

use super::Values;
use crate::declare::raw::bindings::Value;
use crate::declare::raw::expressions::{is_self, unwrapped};
use crate::declare::raw::frame::Frame;
use crate::declare::raw::key_text::KeyText;
use crate::declare::sources::name;

/// The number of texts that callers pass at most. More are one that is not known.
const MAX_TEXTS: usize = 24;

impl Values<'_> {
    /// The texts of a key: of a parameter or a field of which nothing is known, those that it gets.
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

    /// The texts of an expression with the arguments of each caller.
    fn with_arguments(&self, expr: &Expr, frame: &Frame, function: usize) -> Vec<KeyText> {
        let texts = self.names.calls(function).into_iter().filter_map(|(caller, arguments)| {
            let caller = Frame::of_function(&self.names, caller)?;
            let arguments = arguments.iter().map(|argument| self.evaluate(argument, &caller)).collect();
            Some(self.evaluate(expr, &frame.clone().called(arguments)))
        });
        texts.collect()
    }
}
