//! The commands that a function sends.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use proc_macro2::Span;
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, ExprMethodCall, Item, Local, Macro, Pat};

use super::bindings::{Value, variable_name};
use super::commands::{self, Command, EXPIRY_OPTIONS, Effect, Expiry, Keys};
use super::macros::contents;
use super::names::Callee;
use super::raw_use::{KeyText, RawUse, SetsExpiry, SourcePart};
use super::receivers::{Imports, Kind, kind};
use super::values::{Frame, Values};

/// The number of expressions that lead to the kind of one at most.
const MAX_STEPS: u8 = 24;

/// The commands that the function of an index sends.
pub(super) fn uses(values: &Values<'_>, index: usize) -> Vec<RawUse> {
    let Some(frame) = Frame::of_function(&values.names, index) else { return Vec::new() };
    let imports = Imports::of(values.names.code, &frame.place().file);
    if !imports.any {
        return Vec::new();
    }
    let mut scan = Scan { values, imports, frame, sent: Vec::new(), variables: HashMap::new() };
    if let Some(function) = values.names.function(index) {
        scan.visit_block(&function.body);
    }
    scan.finish()
}

struct Scan<'v, 'c> {
    values: &'v Values<'c>,
    imports: Imports,
    frame: Frame,
    sent: Vec<Sent>,
    /// The variables that are commands, by their names.
    variables: HashMap<String, usize>,
}

/// A command as it is being built.
struct Sent {
    /// `None` until its name is known.
    command: Option<Command>,
    /// The place of its name.
    range: Range<usize>,
    /// The arguments behind the name. Of a script, the keys.
    arguments: Vec<Expr>,
    form: Form,
}

/// The form in which a command is written.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    /// `cmd("SET").arg(…)`.
    Arguments,
    /// A method of redis-rs.
    Method(String),
    /// A method of fred.
    FredMethod,
    /// `Script::new(…).key(…)`, with what it does.
    Script(Option<String>),
}

impl Scan<'_, '_> {
    fn kind(&self, expr: &Expr) -> Kind {
        if let Some(name) = variable_name(expr)
            && self.variables.contains_key(&name)
        {
            return Kind::Command;
        }
        kind(expr, &self.frame, &self.values.names, MAX_STEPS)
    }

    fn constant(&self, expr: &Expr) -> Option<String> {
        self.values.text(expr, &self.frame).constant()
    }

    fn start(&mut self, command: Option<Command>, range: Range<usize>, arguments: Vec<Expr>, form: Form) -> usize {
        self.sent.push(Sent { command, range, arguments, form });
        self.sent.len() - 1
    }

    /// Starts a command with a name that an expression gives.
    fn start_named(&mut self, name: &Expr) -> Option<usize> {
        let command = Command::of_name(&self.constant(name)?)?;
        Some(self.start(Some(command), range_of(name.span()), Vec::new(), Form::Arguments))
    }

    /// The command that a call starts: `redis::cmd`, `Cmd::set` or `AsyncCommands::set`.
    fn call(&mut self, call: &ExprCall) -> Option<usize> {
        let Expr::Path(path) = &*call.func else { return None };
        let callee = Callee::of_path(&path.path, call.args.len())?;
        let arguments: Vec<_> = call.args.iter().cloned().collect();
        let at = range_of(path.path.segments.last()?.ident.span());
        match (callee.qualifier.as_deref(), callee.name.as_str(), arguments.as_slice()) {
            (_, "cmd", [name]) => self.start_named(name),
            (Some("Cmd"), "new", []) => Some(self.start(None, at, Vec::new(), Form::Arguments)),
            (Some("Cmd" | "Pipeline"), name, _) => {
                let command = commands::of_method(name, arguments.len())?;
                Some(self.start(Some(command), at, arguments, Form::Method(name.to_owned())))
            }
            (Some("Commands" | "AsyncCommands" | "TypedCommands" | "AsyncTypedCommands"), name, [_, rest @ ..]) => {
                let command = commands::of_method(name, rest.len())?;
                self.start(Some(command), at, rest.to_vec(), Form::Method(name.to_owned()));
                None
            }
            _ => None,
        }
    }

    /// Reads a chain of calls, and returns the command that it builds.
    fn chain(&mut self, last: &ExprMethodCall) -> Option<usize> {
        let (root, links) = flattened(last);
        let mut current = match root {
            Expr::Call(call) => {
                call.args.iter().for_each(|argument| self.visit_expr(argument));
                self.call(call)
            }
            root => {
                self.visit_expr(root);
                variable_name(root).and_then(|name| self.variables.get(&name).copied())
            }
        };
        let mut kind = if current.is_some() { Kind::Command } else { self.kind(root) };
        if kind == Kind::Unknown && links.iter().any(|link| link.method.to_string().starts_with("invoke")) {
            kind = Kind::Script;
        }
        for link in links {
            let arguments: Vec<_> = link.args.iter().cloned().collect();
            let method = link.method.unraw().to_string();
            match (method.as_str(), arguments.as_slice(), kind) {
                ("arg", [argument], Kind::Command | Kind::Pipeline) => self.argument(current, argument),
                ("cmd", [name], Kind::Pipeline | Kind::Unknown | Kind::Connection) => {
                    current = self.start_named(name);
                    kind = Kind::Pipeline;
                }
                ("key", [key], Kind::Script) => {
                    let script = Form::Script(self.script(root));
                    let at = range_of(link.method.span());
                    self.start(Command::of_name("EVAL"), at, vec![key.clone()], script);
                }
                _ => {
                    if let Some((command, form)) = self.method(link, kind) {
                        let at = range_of(link.method.span());
                        current = Some(self.start(Some(command), at, arguments.clone(), form));
                        // What a connection returns is a value.
                        kind = if kind == Kind::Pipeline { kind } else { Kind::Other };
                    } else if !matches!(kind, Kind::Pipeline | Kind::Command | Kind::Script) {
                        kind = self.kind(&Expr::MethodCall(link.clone()));
                    }
                }
            }
            for argument in &arguments {
                self.visit_expr(argument);
            }
        }
        current.filter(|_| kind == Kind::Command)
    }

    /// The command that a method of a value of that kind sends.
    fn method(&self, link: &ExprMethodCall, kind: Kind) -> Option<(Command, Form)> {
        let method = link.method.unraw().to_string();
        let arguments = link.args.len();
        if self.imports.fred && matches!(kind, Kind::Connection | Kind::Pipeline | Kind::Unknown) && arguments > 0 {
            let command = commands::of_fred_method(&method)?;
            let is_client = kind != Kind::Unknown || !commands::is_ambiguous(&method) || arguments > 3;
            let is_client = is_client || variable_name(&link.receiver).is_some_and(|name| name.contains("client"));
            return is_client.then_some((command, Form::FredMethod));
        }
        let command = commands::of_method(&method, arguments)?;
        let is_sent = match kind {
            Kind::Pipeline => true,
            Kind::Connection => self.imports.traits && !self.is_own_method(link),
            Kind::Unknown => self.imports.traits && !commands::is_ambiguous(&method) && !self.is_own_method(link),
            Kind::Command | Kind::Script | Kind::Other => false,
        };
        is_sent.then_some((command, Form::Method(method)))
    }

    /// Whether a method is one of the type around, or of the type of a field.
    fn is_own_method(&self, link: &ExprMethodCall) -> bool {
        let names = &self.values.names;
        let Some(function) = self.frame.function() else { return false };
        let owner = match &*link.receiver {
            Expr::Path(path) if path.path.is_ident("self") => function.self_type.clone(),
            Expr::Field(field) => match (&field.member, &function.self_type) {
                (syn::Member::Named(member), Some(owner)) => {
                    let field = (owner.clone(), member.unraw().to_string());
                    names.code.fields.get(&field).and_then(crate::declare::sources::type_name)
                }
                _ => None,
            },
            _ => None,
        };
        let callee = Callee { qualifier: owner, ..Callee::of_method(link) };
        let found = names.resolve(&callee, Some(function), self.frame.place()).and_then(|index| names.function(index));
        callee.qualifier.is_some() && found.is_some_and(|found| found.self_type == callee.qualifier)
    }

    /// Adds an argument to a command, or the name to one that has none.
    fn argument(&mut self, current: Option<usize>, argument: &Expr) {
        let Some(index) = current else { return };
        if self.sent.get(index).is_some_and(|sent| sent.command.is_none()) {
            let command = self.constant(argument).and_then(|name| Command::of_name(&name));
            if let Some(sent) = self.sent.get_mut(index) {
                (sent.command, sent.range) = (command, range_of(argument.span()));
            }
        } else if let Some(sent) = self.sent.get_mut(index) {
            // The elements of a list are arguments of their own.
            sent.arguments.extend(elements(argument));
        }
    }

    /// The text of a script.
    fn script(&self, root: &Expr) -> Option<String> {
        let mut expr = root.clone();
        for _ in 0..MAX_STEPS {
            expr = match &expr {
                Expr::Call(call) if kind(&expr, &self.frame, &self.values.names, MAX_STEPS) == Kind::Script => {
                    return self.constant(call.args.first()?);
                }
                Expr::MethodCall(call) => (*call.receiver).clone(),
                Expr::Reference(inner) => (*inner.expr).clone(),
                Expr::Path(path) => match self.frame.binding(&path.path).map(|binding| &binding.value) {
                    Some(Value::Expr(value)) => (**value).clone(),
                    _ => return None,
                },
                _ => return None,
            };
        }
        None
    }

    fn finish(self) -> Vec<RawUse> {
        let resolved: Vec<_> = self.sent.iter().filter_map(|sent| self.resolved(sent)).collect();
        let sets_expiry = |used: &Resolved| {
            resolved.iter().any(|other| other.command.expiry == Expiry::OfExisting && other.has_key_of(used))
        };
        let mut uses = Vec::new();
        for used in &resolved {
            let expiry =
                if used.expiry != SetsExpiry::Yes && sets_expiry(used) { SetsExpiry::Yes } else { used.expiry };
            let known = |key: &KeyText| key.0.iter().any(|part| *part != SourcePart::Unknown);
            let mut keys: Vec<_> = used.keys.iter().map(|key| Some(key.clone()).filter(known)).collect();
            if keys.is_empty() {
                keys.push(None);
            }
            uses.extend(keys.into_iter().map(|key| RawUse {
                file: Rc::clone(&self.frame.place().file),
                range: used.range.clone(),
                command: used.command.name,
                key,
                effect: used.effect,
                expiry,
                redis_type: used.command.redis_type,
            }));
        }
        uses
    }

    fn resolved(&self, sent: &Sent) -> Option<Resolved> {
        let command = sent.command?;
        let keys = self.keys(sent, command);
        let texts = keys.iter().flat_map(|key| self.values.keys(key, &self.frame)).collect();
        Some(Resolved {
            command,
            range: sent.range.clone(),
            written: keys.iter().map(written).collect(),
            keys: texts,
            effect: self.effect(sent, command),
            expiry: self.expiry(sent, command),
        })
    }

    /// The arguments that are keys.
    fn keys(&self, sent: &Sent, command: Command) -> Vec<Expr> {
        let first = |count: usize| sent.arguments.iter().take(count).cloned().collect();
        if sent.form != Form::Arguments {
            return match (command.keys, sent.arguments.first()) {
                (Keys::FirstTwo, _) => first(2),
                (Keys::Pairs, Some(pairs)) => first_of_pairs(pairs).unwrap_or_else(|| vec![pairs.clone()]),
                _ => first(1),
            };
        }
        match command.keys {
            Keys::First => first(1),
            Keys::FirstTwo => first(2),
            Keys::Second => sent.arguments.get(1).cloned().into_iter().collect(),
            Keys::All => sent.arguments.clone(),
            Keys::Pairs => sent.arguments.iter().step_by(2).cloned().collect(),
            Keys::AfterStreams => {
                let is_keyword =
                    |argument: &Expr| self.constant(argument).is_some_and(|text| text.eq_ignore_ascii_case("STREAMS"));
                let behind: Vec<_> =
                    sent.arguments.iter().skip_while(|argument| !is_keyword(argument)).skip(1).cloned().collect();
                let count = behind.len().div_ceil(2);
                behind.into_iter().take(count).collect()
            }
            Keys::Counted => {
                let count = sent.arguments.get(1).and_then(|count| self.constant(count)?.parse().ok()).unwrap_or(1);
                sent.arguments.iter().skip(2).take(count).cloned().collect()
            }
        }
    }

    fn effect(&self, sent: &Sent, command: Command) -> Effect {
        let has_option = |option: &str| {
            let is_option = |text: String| text.eq_ignore_ascii_case(option);
            sent.arguments.iter().any(|argument| self.constant(argument).is_some_and(is_option))
        };
        match (command.name, &sent.form) {
            ("XGROUP", Form::Method(method)) if method != "xgroup_create_mkstream" => Effect::Change,
            ("XGROUP", Form::Arguments) if !has_option("MKSTREAM") => Effect::Change,
            ("SORT", _) if !has_option("STORE") => Effect::Read,
            ("EVAL" | "EVALSHA", _) => match self.script_text(sent) {
                Some(script) => effect_of_script(&script),
                None => Effect::Create,
            },
            _ => command.effect,
        }
    }

    /// The text of the script that a command runs.
    fn script_text(&self, sent: &Sent) -> Option<String> {
        match &sent.form {
            Form::Script(text) => text.clone(),
            Form::Arguments => self.constant(sent.arguments.first()?),
            Form::Method(_) | Form::FredMethod => None,
        }
    }

    fn expiry(&self, sent: &Sent, command: Command) -> SetsExpiry {
        match (command.name, command.expiry) {
            ("EVAL" | "EVALSHA", _) => {
                self.script_text(sent).map_or(SetsExpiry::Unknown, |text| expiry_of_script(&text))
            }
            // It keeps that of the other key.
            ("RENAME" | "RENAMENX" | "COPY" | "FCALL", _) => SetsExpiry::Unknown,
            (_, Expiry::Always) => SetsExpiry::Yes,
            (_, Expiry::None | Expiry::OfExisting) => SetsExpiry::No,
            (_, Expiry::Option) => match &sent.form {
                Form::Arguments => self.expiry_of_options(sent.arguments.get(2..).unwrap_or_default()),
                Form::Method(_) => match sent.arguments.get(2) {
                    None => self.expiry_of_options(&[]),
                    Some(options) => self.expiry_of_object(options),
                },
                Form::FredMethod => match sent.arguments.get(2) {
                    Some(Expr::Path(path)) if path.path.is_ident("None") => SetsExpiry::No,
                    Some(options) => self.expiry_of_object(options),
                    None => SetsExpiry::Unknown,
                },
                Form::Script(_) => SetsExpiry::Unknown,
            },
        }
    }

    /// Whether arguments such as `"EX"` set an expiry. `Cmd::set` has them behind its own.
    fn expiry_of_options(&self, options: &[Expr]) -> SetsExpiry {
        let mut is_known = true;
        for option in options {
            match self.constant(option) {
                Some(text) if EXPIRY_OPTIONS.iter().any(|name| text.eq_ignore_ascii_case(name)) => {
                    return SetsExpiry::Yes;
                }
                Some(_) => {}
                None if names_option(&written(option)) => return SetsExpiry::Yes,
                None => is_known = false,
            }
        }
        if is_known { SetsExpiry::No } else { SetsExpiry::Unknown }
    }

    /// Whether options such as `SetOptions::default().with_expiration(…)` set an expiry.
    fn expiry_of_object(&self, options: &Expr) -> SetsExpiry {
        let mut text = written(options);
        if let Some(binding) = variable_name(options).and_then(|_| match options {
            Expr::Path(path) => self.frame.binding(&path.path),
            Expr::Reference(inner) => match &*inner.expr {
                Expr::Path(path) => self.frame.binding(&path.path),
                _ => None,
            },
            _ => None,
        }) && let Value::Expr(value) = &binding.value
        {
            text = written(value);
        }
        if ["expiration", "Expiration", "Expiry"].iter().any(|word| text.contains(word)) || names_option(&text) {
            SetsExpiry::Yes
        } else if text.contains("default ()") || text.contains("new ()") {
            SetsExpiry::No
        } else {
            SetsExpiry::Unknown
        }
    }
}

/// A command with the texts of its keys.
struct Resolved {
    command: Command,
    range: Range<usize>,
    /// The keys as they are written.
    written: Vec<String>,
    keys: Vec<KeyText>,
    effect: Effect,
    expiry: SetsExpiry,
}

impl Resolved {
    /// Whether both have a key in common.
    fn has_key_of(&self, other: &Self) -> bool {
        let has_words = |keys: &[KeyText]| keys.iter().any(KeyText::has_words);
        if has_words(&self.keys) || has_words(&other.keys) {
            return self.keys.iter().any(|key| key.has_words() && other.keys.contains(key));
        }
        self.written.iter().any(|key| other.written.contains(key))
    }
}

impl<'ast> Visit<'ast> for Scan<'_, '_> {
    fn visit_local(&mut self, local: &'ast Local) {
        let Some(init) = &local.init else { return };
        let built = match &*init.expr {
            Expr::MethodCall(call) => self.chain(call),
            Expr::Call(call) => {
                call.args.iter().for_each(|argument| self.visit_expr(argument));
                self.call(call)
            }
            expr => {
                self.visit_expr(expr);
                None
            }
        };
        if let Some((_, diverging)) = &init.diverge {
            self.visit_expr(diverging);
        }
        let mut pattern = &local.pat;
        while let Pat::Type(typed) = pattern {
            pattern = &typed.pat;
        }
        if let Pat::Ident(ident) = pattern {
            let name = ident.ident.unraw().to_string();
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
            Expr::Await(inner) => &inner.base,
            Expr::Try(inner) => &inner.expr,
            Expr::Paren(inner) => &inner.expr,
            _ => break,
        };
    }
    links.reverse();
    (root, links)
}

/// The elements of an array or a tuple, or the expression itself.
fn elements(expr: &Expr) -> Vec<Expr> {
    match expr {
        Expr::Reference(inner) => elements(&inner.expr),
        Expr::Array(array) => array.elems.iter().cloned().collect(),
        Expr::Tuple(tuple) => tuple.elems.iter().cloned().collect(),
        expr => vec![expr.clone()],
    }
}

/// The first element of each pair.
fn first_of_pairs(pairs: &Expr) -> Option<Vec<Expr>> {
    let array = match pairs {
        Expr::Reference(inner) => return first_of_pairs(&inner.expr),
        Expr::Array(array) => array,
        _ => return None,
    };
    array
        .elems
        .iter()
        .map(|pair| match pair {
            Expr::Tuple(pair) => pair.elems.first().cloned(),
            _ => None,
        })
        .collect()
}

/// An expression as it is written, without references and copies.
fn written(expr: &Expr) -> String {
    match expr {
        Expr::Reference(inner) => written(&inner.expr),
        Expr::Paren(inner) => written(&inner.expr),
        Expr::MethodCall(call) if ["clone", "as_str", "as_ref"].contains(&call.method.to_string().as_str()) => {
            written(&call.receiver)
        }
        expr => expr.to_token_stream().to_string(),
    }
}

/// Whether code or a script names an option such as `"EX"`.
fn names_option(text: &str) -> bool {
    EXPIRY_OPTIONS.iter().any(|option| {
        let option = option.to_lowercase();
        let text = text.to_lowercase();
        text.contains(&format!("\"{option}\"")) || text.contains(&format!("'{option}'"))
    })
}

/// The commands that a script calls.
fn called(script: &str) -> impl Iterator<Item = Command> {
    let calls = script.split("call(").skip(1);
    calls.filter_map(|call| {
        let call = call.trim_start().strip_prefix(['"', '\''])?;
        Command::of_name(call.split(['"', '\'']).next()?)
    })
}

fn effect_of_script(script: &str) -> Effect {
    called(script).map(|command| command.effect).max().unwrap_or(Effect::Read)
}

fn expiry_of_script(script: &str) -> SetsExpiry {
    let sets = |command: Command| matches!(command.expiry, Expiry::Always | Expiry::OfExisting);
    if called(script).any(sets) || names_option(script) { SetsExpiry::Yes } else { SetsExpiry::No }
}

fn range_of(span: Span) -> Range<usize> {
    span.byte_range()
}
