//! The kinds of values whose methods send commands.

mod types;

use syn::{Expr, ExprField, ExprMethodCall, Member, ReturnType, Stmt, Type};
use types::{of_type, of_type_name};

use super::bindings::Value;
use super::expressions::{inner, is_one_of, last_name};
use super::names::{Callee, Frame, Names};
use super::raw_use::Guess;
use crate::declare::sources::name;

/// The most expressions that lead to a receiver's kind.
pub(super) const MAX_STEPS: u8 = 24;

/// The kind of a value whose method is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A connection, or something that leads to a connection.
    Connection,
    /// A pipeline or a transaction.
    Pipeline,
    /// A command that is being built.
    Command,
    Script,
    /// Nothing of Redis.
    Other,
    Unknown,
}

/// A value whose method is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Receiver {
    pub(super) kind: Kind,
    /// The name of a variable, a field or a function, if nothing else tells the kind.
    pub(super) guess: Option<Guess>,
}

impl Receiver {
    const UNKNOWN: Self = Self { kind: Kind::Unknown, guess: None };

    /// A value of a kind that a type, a function of a client or the form of the code tells.
    pub(super) fn of(kind: Kind) -> Self {
        Self { kind, guess: None }
    }

    /// A value with only a known name.
    fn named(name: String) -> Self {
        let kind = kind_of_name(&name);
        let taken_for = if kind == Kind::Pipeline { "pipeline" } else { "connection" };
        Self { kind, guess: (kind != Kind::Unknown).then_some(Guess { name, taken_for }) }
    }

    /// The value, or the kind that its name suggests if its kind is unknown.
    fn or_named(self, name: String) -> Self {
        if self.kind == Kind::Unknown { Self::named(name) } else { self }
    }
}

/// The kind of a variable, a field, a function or a type by its name.
fn kind_of_name(name: &str) -> Kind {
    let name = name.to_lowercase();
    if name.contains("pipe") {
        Kind::Pipeline
    } else if name == "con" || name.contains("conn") || name.contains("redis") {
        Kind::Connection
    } else {
        Kind::Unknown
    }
}

/// A search for the kind of an expression in a frame.
#[derive(Clone, Copy)]
pub(super) struct Receivers<'v, 'c> {
    pub(super) names: &'v Names<'c>,
    pub(super) frame: &'v Frame,
    /// The number of expressions that can still lead to the kind.
    pub(super) steps: u8,
}

impl Receivers<'_, '_> {
    /// An expression's value.
    pub(super) fn find(mut self, expr: &Expr) -> Receiver {
        let Some(steps) = self.steps.checked_sub(1) else { return Receiver::UNKNOWN };
        self.steps = steps;
        match expr {
            Expr::Path(path) => self.of_path(&path.path),
            Expr::Field(field) => self.of_field(field),
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) => self.of_call(&path.path, call.args.len()),
                _ => Receiver::UNKNOWN,
            },
            Expr::MethodCall(call) => self.of_method(call),
            Expr::Struct(built) => Receiver::of(of_type_name(&last_name(&built.path))),
            Expr::Match(arms) => {
                let mut found = arms.arms.iter().map(|arm| self.find(&arm.body));
                found.find(|found| !matches!(found.kind, Kind::Unknown | Kind::Other)).unwrap_or(Receiver::UNKNOWN)
            }
            Expr::Block(block) => match block.block.stmts.last() {
                Some(Stmt::Expr(last, None)) => self.find(last),
                _ => Receiver::UNKNOWN,
            },
            Expr::Lit(_) | Expr::Array(_) | Expr::Macro(_) | Expr::Closure(_) | Expr::Binary(_) => {
                Receiver::of(Kind::Other)
            }
            expr => inner(expr).map_or(Receiver::UNKNOWN, |inner| self.find(inner)),
        }
    }

    fn of_path(self, path: &syn::Path) -> Receiver {
        let known = match self.frame.binding(path).map(|binding| (&binding.ty, &binding.value)) {
            Some((Some(ty), _)) => Receiver::of(of_type(ty, self.frame.function())),
            Some((None, Value::Expr(value))) => self.find(value),
            _ => Receiver::UNKNOWN,
        };
        known.or_named(last_name(path))
    }

    fn of_field(self, field: &ExprField) -> Receiver {
        let Member::Named(member) = &field.member else { return self.find(&field.base) };
        let ty = self.frame.field_type(field, self.names);
        let kind = ty.map_or(Kind::Unknown, |ty| of_type(ty, self.frame.function()));
        Receiver::of(kind).or_named(name(member))
    }

    fn of_call(self, path: &syn::Path, arguments: usize) -> Receiver {
        let Some(callee) = Callee::of_path(path, arguments) else { return Receiver::UNKNOWN };
        let qualifier = callee.qualifier.as_deref().unwrap_or_default();
        match (qualifier, callee.name.as_str()) {
            ("Cmd", _) | (_, "cmd") => Receiver::of(Kind::Command),
            ("Script" | "ScriptInvocation", _) => Receiver::of(Kind::Script),
            (_, "pipe") => Receiver::of(Kind::Pipeline),
            _ => match (self.returned(&callee), of_type_name(qualifier)) {
                (Some(known), _) if known != Kind::Unknown => Receiver::of(known),
                // The function of a module.
                (_, Kind::Other) if qualifier.starts_with(char::is_lowercase) => Receiver::named(callee.name),
                (_, kind) => Receiver::of(kind),
            },
        }
    }

    fn of_method(self, call: &ExprMethodCall) -> Receiver {
        /// The methods that return the receiver itself, or something in it.
        const WRAPPERS: &str = "clone lock as_mut as_ref write read unwrap expect borrow_mut map_err context \
            with_context deref_mut to_owned ok_or ok_or_else by_ref get_mut wrap_err as_deref_mut \
            atomic ignore arg key add_command";
        let callee = Callee::of_method(call);
        match callee.name.as_str() {
            "pipeline" | "pipe" => Receiver::of(Kind::Pipeline),
            "prepare_invoke" => Receiver::of(Kind::Script),
            name if is_one_of(WRAPPERS, name) => self.find(&call.receiver),
            // A pool.
            "get" | "acquire" | "get_timeout" if call.args.is_empty() => match self.find(&call.receiver).kind {
                Kind::Pipeline | Kind::Command | Kind::Script => Receiver::UNKNOWN,
                _ => Receiver::of(Kind::Connection),
            },
            name => match (self.returned(&callee).unwrap_or(Kind::Unknown), kind_of_name(name)) {
                (Kind::Connection, _) => Receiver::of(Kind::Connection),
                // Clients call it so, as in `get_multiplexed_async_connection`.
                (_, kind @ Kind::Connection) if name.starts_with("get_") && name.contains("connection") => {
                    Receiver::of(kind)
                }
                (_, Kind::Connection) => Receiver::named(callee.name),
                (known, _) => Receiver::of(known),
            },
        }
    }

    /// The kind of the value that a function of the workspace returns.
    fn returned(self, callee: &Callee) -> Option<Kind> {
        let index = self.names.resolve(callee, self.frame.function(), &self.frame.place)?;
        let function = self.names.function(index)?;
        let ReturnType::Type(_, ty) = &function.signature.output else { return Some(Kind::Other) };
        Some(match (&**ty, function.self_type.as_deref()) {
            (Type::Path(path), owner) if path.path.is_ident("Self") => of_type_name(owner.unwrap_or_default()),
            (ty, _) => of_type(ty, Some(function)),
        })
    }
}
