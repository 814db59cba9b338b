//! A command as the code builds it.

use std::ops::Range;

use proc_macro2::Span;
use syn::Expr;

use crate::declare::raw::commands::{Command, Keys};
use crate::declare::raw::expressions::elements;
use crate::declare::raw::raw_use::Guess;

/// A command as the code builds it.
pub(super) struct BuiltCommand {
    /// `None` until its name is known.
    pub(super) command: Option<&'static Command>,
    /// Its name's place.
    pub(super) range: Range<usize>,
    /// The arguments behind the name. Of a script, the keys.
    pub(super) arguments: Vec<Expr>,
    pub(super) form: Form,
    /// The receiver, if only its name says that this is a command.
    pub(super) guess: Option<Guess>,
}

/// The form in which a command is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `cmd("SET").arg(…)`.
    Arguments,
    /// A method of redis-rs.
    Method(String),
    /// A method of fred.
    FredMethod,
    /// `Script::new(…).key(…)`, with the script's text.
    Script(Option<String>),
}

impl BuiltCommand {
    pub(super) fn new(command: Option<&'static Command>, name: Span, arguments: Vec<Expr>, form: Form) -> Self {
        Self { command, range: name.byte_range(), arguments, form, guess: None }
    }

    /// Names a command that has no name.
    pub(super) fn name(&mut self, command: Option<&'static Command>, name: Span) {
        (self.command, self.range) = (command, name.byte_range());
    }

    /// Adds an argument. A list's elements are separate arguments.
    pub(super) fn add(&mut self, argument: &Expr) {
        let argument = without_references(argument);
        match elements(argument) {
            Some(elements) => self.arguments.extend(elements.iter().cloned()),
            None => self.arguments.push(argument.clone()),
        }
    }

    /// The arguments that are keys. `constant` evaluates an argument.
    pub(super) fn keys(&self, keys: Keys, constant: impl Fn(&Expr) -> Option<String>) -> Vec<&Expr> {
        let arguments = || self.arguments.iter();
        if self.form != Form::Arguments {
            let pairs = self.arguments.first().filter(|_| keys == Keys::Pairs);
            let count = if keys == Keys::FirstTwo { 2 } else { 1 };
            return pairs.and_then(first_of_pairs).unwrap_or_else(|| arguments().take(count).collect());
        }
        match keys {
            Keys::First => arguments().take(1).collect(),
            Keys::FirstTwo => arguments().take(2).collect(),
            Keys::Second => arguments().skip(1).take(1).collect(),
            Keys::All => arguments().collect(),
            Keys::Pairs => arguments().step_by(2).collect(),
            Keys::AfterStreams => {
                let is_keyword =
                    |argument: &&Expr| constant(argument).is_some_and(|text| text.eq_ignore_ascii_case("STREAMS"));
                let behind: Vec<_> = arguments().skip_while(|argument| !is_keyword(argument)).skip(1).collect();
                let count = behind.len().div_ceil(2);
                behind.into_iter().take(count).collect()
            }
            Keys::Counted => {
                let count = self.arguments.get(1).and_then(|count| constant(count)?.parse().ok());
                arguments().skip(2).take(count.unwrap_or(1)).collect()
            }
        }
    }
}

/// The first element of each pair of an array.
fn first_of_pairs(pairs: &Expr) -> Option<Vec<&Expr>> {
    let Expr::Array(pairs) = without_references(pairs) else { return None };
    let firsts = pairs.elems.iter().map(|pair| match pair {
        Expr::Tuple(pair) => pair.elems.first(),
        _ => None,
    });
    firsts.collect()
}

fn without_references(expr: &Expr) -> &Expr {
    match expr {
        Expr::Reference(inner) => without_references(&inner.expr),
        expr => expr,
    }
}
