//! The commands that a function sends.

mod built_command;
mod resolved_command;

use std::collections::HashMap;

use built_command::{BuiltCommand, Form};
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, ExprMethodCall, Item, Local, Macro, Pat};

use super::commands::{Command, is_ambiguous};
use super::expressions::{contents, inner, is_self, variable_name};
use super::imports::Imports;
use super::names::{Callee, Frame};
use super::raw_use::{Guess, RawUse};
use super::receivers::{Kind, MAX_STEPS, Receiver, Receivers};
use super::values::Values;
use crate::declare::sources::{name, type_name};

/// The commands that the function of an index sends. `None` if its file does not use a client.
pub(super) fn uses(values: &Values<'_>, index: usize) -> Option<Vec<RawUse>> {
    let frame = Frame::of_function(&values.names, index)?;
    let imports = Imports::of(values.names.code, &frame.place.file)?;
    let mut scan = Scan { values, imports, frame, built: Vec::new(), variables: HashMap::new() };
    scan.visit_block(&values.names.function(index)?.body);
    Some(scan.resolve())
}

struct Scan<'v, 'c> {
    values: &'v Values<'c>,
    imports: Imports,
    frame: Frame,
    built: Vec<BuiltCommand>,
    /// The variables that are commands, by their names.
    variables: HashMap<String, usize>,
}

impl Scan<'_, '_> {
    fn receiver(&self, expr: &Expr) -> Receiver {
        match variable_name(expr).filter(|name| self.variables.contains_key(name)) {
            Some(_) => Receiver::of(Kind::Command),
            None => Receivers { names: &self.values.names, frame: &self.frame, steps: MAX_STEPS }.find(expr),
        }
    }

    fn constant(&self, expr: &Expr) -> Option<String> {
        self.values.text(expr, &self.frame).constant()
    }

    fn start(&mut self, built: BuiltCommand) -> usize {
        self.built.push(built);
        self.built.len() - 1
    }

    /// Starts a command with a name that an expression gives.
    fn start_named(&mut self, name: &Expr) -> Option<usize> {
        let command = Command::of_name(&self.constant(name)?)?;
        Some(self.start(BuiltCommand::new(Some(command), name.span(), Vec::new(), Form::Arguments)))
    }

    /// Reads an expression, and returns the command that it builds.
    fn command(&mut self, expr: &Expr) -> Option<usize> {
        match expr {
            Expr::MethodCall(call) => self.chain(call),
            Expr::Call(call) => {
                call.args.iter().for_each(|argument| self.visit_expr(argument));
                self.call(call)
            }
            expr => {
                self.visit_expr(expr);
                self.variables.get(&variable_name(expr)?).copied()
            }
        }
    }

    /// The command that a call starts: `redis::cmd`, `Cmd::set` or `AsyncCommands::set`.
    fn call(&mut self, call: &ExprCall) -> Option<usize> {
        let Expr::Path(path) = &*call.func else { return None };
        let callee = Callee::of_path(&path.path, call.args.len())?;
        let arguments: Vec<_> = call.args.iter().cloned().collect();
        let at = path.path.segments.last()?.ident.span();
        let of_method = |arguments: &[Expr]| {
            let command = Command::of_method(&callee.name, arguments.len())?;
            Some(BuiltCommand::new(Some(command), at, arguments.to_vec(), Form::Method(callee.name.clone())))
        };
        match (callee.qualifier.as_deref(), callee.name.as_str(), arguments.as_slice()) {
            (_, "cmd", [name]) => self.start_named(name),
            (Some("Cmd"), "new", []) => Some(self.start(BuiltCommand::new(None, at, Vec::new(), Form::Arguments))),
            (Some("Cmd" | "Pipeline"), _, arguments) => Some(self.start(of_method(arguments)?)),
            (Some("Commands" | "AsyncCommands" | "TypedCommands" | "AsyncTypedCommands"), _, [_, arguments @ ..]) => {
                self.start(of_method(arguments)?);
                None
            }
            _ => None,
        }
    }

    /// Reads a chain of calls, and returns the command that it builds.
    fn chain(&mut self, last: &ExprMethodCall) -> Option<usize> {
        let (root, links) = flattened(last);
        let mut current = self.command(root);
        let mut receiver = if current.is_some() { Receiver::of(Kind::Command) } else { self.receiver(root) };
        if receiver.kind == Kind::Unknown && links.iter().any(|link| name(&link.method).starts_with("invoke")) {
            receiver = Receiver::of(Kind::Script);
        }
        for link in links {
            let only = if link.args.len() == 1 { link.args.first() } else { None };
            match (name(&link.method).as_str(), only, receiver.kind) {
                ("arg", Some(argument), Kind::Command | Kind::Pipeline) => self.argument(current, argument),
                ("cmd", Some(name), Kind::Pipeline | Kind::Unknown | Kind::Connection) => {
                    current = self.start_named(name);
                    receiver = Receiver::of(Kind::Pipeline);
                }
                ("key", Some(key), Kind::Script) => {
                    let (command, script) = (Command::of_name("EVAL"), Form::Script(self.script(root)));
                    self.start(BuiltCommand::new(command, link.method.span(), vec![key.clone()], script));
                }
                (_, _, kind) => {
                    if let Some(built) = self.method(link, &receiver) {
                        current = Some(self.start(built));
                        // A connection returns a value.
                        if kind != Kind::Pipeline {
                            receiver = Receiver::of(Kind::Other);
                        }
                    } else if !matches!(kind, Kind::Pipeline | Kind::Command | Kind::Script) {
                        receiver = self.receiver(&Expr::MethodCall(link.clone()));
                    }
                }
            }
            link.args.iter().for_each(|argument| self.visit_expr(argument));
        }
        current.filter(|_| receiver.kind == Kind::Command)
    }

    /// The command that a method of a receiver sends.
    fn method(&self, link: &ExprMethodCall, receiver: &Receiver) -> Option<BuiltCommand> {
        let (method, count) = (name(&link.method), link.args.len());
        let may_be_client = matches!(receiver.kind, Kind::Connection | Kind::Pipeline | Kind::Unknown);
        let is_fred = self.imports.fred && count > 0 && may_be_client;
        let command = if is_fred { Command::of_fred_method(&method)? } else { Command::of_method(&method, count)? };
        let is_command = is_fred || self.imports.traits && !self.is_own_method(link);
        let is_distinct = !is_ambiguous(&method) || is_fred && count > 3;
        let sends = |kind| match kind {
            Kind::Pipeline => true,
            Kind::Connection => is_command,
            Kind::Unknown => is_command && is_distinct,
            Kind::Command | Kind::Script | Kind::Other => false,
        };
        let client = || variable_name(&link.receiver).filter(|name| is_fred && name.contains("client"));
        let guess = match (sends(receiver.kind), sends(Kind::Unknown)) {
            (false, _) => Some(Guess { name: client()?, taken_for: "client" }),
            (true, true) => None,
            (true, false) => receiver.guess.clone(),
        };
        let form = if is_fred { Form::FredMethod } else { Form::Method(method) };
        let arguments = link.args.iter().cloned().collect();
        Some(BuiltCommand { guess, ..BuiltCommand::new(Some(command), link.method.span(), arguments, form) })
    }

    /// Whether the type around has this method, or the type of a field.
    fn is_own_method(&self, link: &ExprMethodCall) -> bool {
        let names = &self.values.names;
        let owner = match &*link.receiver {
            receiver if is_self(receiver) => self.frame.self_type().map(str::to_owned),
            Expr::Field(field) => self.frame.field_type(field, names).and_then(type_name),
            _ => None,
        };
        let callee = Callee { qualifier: owner, ..Callee::of_method(link) };
        let found = names.resolve(&callee, self.frame.function(), &self.frame.place);
        let found = found.and_then(|index| names.function(index));
        callee.qualifier.is_some() && found.is_some_and(|found| found.self_type == callee.qualifier)
    }

    /// Adds an argument to a command, or the name to a command that has none.
    fn argument(&mut self, current: Option<usize>, argument: &Expr) {
        let Some(index) = current else { return };
        let is_named = self.built.get(index).is_some_and(|built| built.command.is_some());
        let name = if is_named { None } else { self.constant(argument) };
        match self.built.get_mut(index) {
            Some(built) if is_named => built.add(argument),
            Some(built) => built.name(name.and_then(|name| Command::of_name(&name)), argument.span()),
            None => {}
        }
    }
}

impl<'ast> Visit<'ast> for Scan<'_, '_> {
    fn visit_local(&mut self, local: &'ast Local) {
        let Some(init) = &local.init else { return };
        let built = self.command(&init.expr);
        if let Some((_, diverging)) = &init.diverge {
            self.visit_expr(diverging);
        }
        let pattern = match &local.pat {
            Pat::Type(typed) => &*typed.pat,
            pattern => pattern,
        };
        if let Pat::Ident(ident) = pattern {
            let name = name(&ident.ident);
            match built {
                Some(index) => drop(self.variables.insert(name, index)),
                None => drop(self.variables.remove(&name)),
            }
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.chain(call);
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        self.call(call);
        visit::visit_expr_call(self, call);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        contents(call).visit(self);
    }

    // Its functions are read by themselves.
    fn visit_item(&mut self, _: &'ast Item) {}
}

/// The value at the start of a chain, and the calls in their order.
fn flattened(last: &ExprMethodCall) -> (&Expr, Vec<&ExprMethodCall>) {
    let mut links = vec![last];
    let mut root = &*last.receiver;
    loop {
        root = match root {
            Expr::MethodCall(call) => {
                links.push(call);
                &call.receiver
            }
            expr => match inner(expr) {
                Some(inner) => inner,
                None => break,
            },
        };
    }
    links.reverse();
    (root, links)
}
