//! The text that an expression gives, as far as the sources show it.

use std::cell::Cell;
use std::rc::Rc;

use syn::ext::IdentExt as _;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, ExprCall, ExprField, ExprMacro, ExprMethodCall, Lit, Member, ReturnType, Stmt};

use super::bindings::{Bindings, Value, variable_name};
use super::format_text::{Part, parts};
use super::macros::{self, Contents, contents};
use super::names::{Callee, Names};
use super::raw_use::{KeyText, Parameter, ParameterType, SourcePart};
use crate::declare::sources::{Function, Place, type_name};

/// The number of expressions that lead to a text at most, one inside or behind another.
const MAX_DEPTH: u8 = 24;

/// The number of expressions that are read for one text at most.
const MAX_EXPRESSIONS: u32 = 2_000;

/// The number of functions through which a text is passed as an argument at most.
const MAX_CALLERS: u8 = 2;

/// The number of texts that callers pass at most. More are one that is not known.
const MAX_TEXTS: usize = 24;

/// The text that expressions of the code give.
pub(super) struct Values<'c> {
    pub(super) names: Names<'c>,
    /// The number of expressions that can still be read.
    left: Cell<u32>,
}

/// The place of an expression: the function that contains it, and what it was called with.
#[derive(Clone)]
pub(super) struct Frame {
    function: Option<(usize, Rc<Function>)>,
    place: Place,
    bindings: Rc<Bindings>,
    arguments: Option<Rc<Vec<KeyText>>>,
}

impl Frame {
    /// The frame of a function that is called with anything.
    pub(super) fn of_function(names: &Names<'_>, index: usize) -> Option<Self> {
        let function = Rc::clone(names.function(index)?);
        let (place, bindings) = (function.place.clone(), names.bindings(index));
        Some(Self { function: Some((index, function)), place, bindings, arguments: None })
    }

    fn of_constant(place: &Place) -> Self {
        Self { function: None, place: place.clone(), bindings: Rc::default(), arguments: None }
    }

    fn called(self, arguments: Vec<KeyText>) -> Self {
        Self { arguments: Some(Rc::new(arguments)), ..self }
    }

    pub(super) fn function(&self) -> Option<&Function> {
        self.function.as_ref().map(|(_, function)| &**function)
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    /// The variable of a path.
    pub(super) fn binding(&self, path: &syn::Path) -> Option<&super::bindings::Binding> {
        let ident = path.get_ident()?;
        self.bindings.at(&ident.unraw().to_string(), ident.span().byte_range().start)
    }
}

impl KeyText {
    fn unknown() -> Self {
        Self(vec![SourcePart::Unknown])
    }

    fn text(text: impl Into<String>) -> Self {
        Self(vec![SourcePart::Text(text.into())])
    }

    fn parameter(name: &str) -> Self {
        Self(vec![SourcePart::Parameter(Parameter { name: name.to_owned(), ty: None })])
    }

    /// The text with this type, if it is one parameter whose type is not known yet.
    fn typed(mut self, find: impl FnOnce() -> Option<ParameterType>) -> Self {
        if let [SourcePart::Parameter(Parameter { ty: ty @ None, .. })] = self.0.as_mut_slice() {
            *ty = find();
        }
        self
    }

    /// The type of its only part.
    fn parameter_type(&self) -> Option<ParameterType> {
        match self.0.as_slice() {
            [SourcePart::Parameter(parameter)] => parameter.ty,
            _ => None,
        }
    }

    fn untyped(mut self) -> Self {
        for part in &mut self.0 {
            if let SourcePart::Parameter(parameter) = part {
                parameter.ty = None;
            }
        }
        self
    }

    fn is_unknown(&self) -> bool {
        self.0.iter().all(|part| *part == SourcePart::Unknown)
    }

    /// Its text, if no part of it is a parameter.
    pub(super) fn constant(&self) -> Option<String> {
        let text = |part: &SourcePart| match part {
            SourcePart::Text(text) => Some(text.clone()),
            SourcePart::Parameter(_) | SourcePart::Unknown => None,
        };
        self.0.iter().map(text).collect()
    }
}

impl<'c> Values<'c> {
    pub(super) fn new(names: Names<'c>) -> Self {
        Self { names, left: Cell::new(0) }
    }

    /// The text of an expression.
    pub(super) fn text(&self, expr: &Expr, frame: &Frame) -> KeyText {
        self.left.set(MAX_EXPRESSIONS);
        self.evaluate(expr, frame, MAX_DEPTH)
    }

    /// The texts of an expression that is one key or several.
    pub(super) fn keys(&self, expr: &Expr, frame: &Frame) -> Vec<KeyText> {
        self.left.set(MAX_EXPRESSIONS);
        let elements: Vec<&Expr> = match unwrapped(expr) {
            Expr::Array(array) => array.elems.iter().collect(),
            Expr::Tuple(tuple) => tuple.elems.iter().collect(),
            expr => vec![expr],
        };
        let mut texts: Vec<_> = elements.into_iter().flat_map(|key| self.origins(key, frame, MAX_CALLERS)).collect();
        texts.sort();
        texts.dedup();
        texts
    }

    /// The texts of a key: of a parameter or a field of which nothing is known, those that it gets.
    fn origins(&self, expr: &Expr, frame: &Frame, callers: u8) -> Vec<KeyText> {
        let text = self.evaluate(expr, frame, MAX_DEPTH);
        if text.has_words() {
            return vec![text];
        }
        let mut texts = match callers.checked_sub(1) {
            Some(callers) => self.passed(expr, frame, callers),
            None => Vec::new(),
        };
        texts.retain(KeyText::has_words);
        texts.sort();
        texts.dedup();
        if texts.is_empty() || texts.len() > MAX_TEXTS { vec![text] } else { texts }
    }

    /// The texts that callers pass to a parameter, or that a field gets.
    fn passed(&self, expr: &Expr, frame: &Frame, callers: u8) -> Vec<KeyText> {
        let each = |values: Vec<(usize, &Expr)>| {
            let texts = values.into_iter().filter_map(|(function, value)| {
                Some(self.origins(value, &Frame::of_function(&self.names, function)?, callers))
            });
            texts.flatten().collect()
        };
        match unwrapped(expr) {
            Expr::Path(path) => match (frame.binding(&path.path).map(|binding| &binding.value), &frame.function) {
                (Some(Value::Parameter(index)), Some((function, _))) => {
                    let calls = self.names.calls(*function).into_iter();
                    each(calls.filter_map(|(caller, arguments)| Some((caller, arguments.get(*index)?))).collect())
                }
                // It was nothing more than the variable.
                (Some(Value::Expr(value)), _) => self.passed(value, frame, callers),
                _ => Vec::new(),
            },
            Expr::Field(field) => {
                let (Some(function), Member::Named(name)) = (frame.function(), &field.member) else {
                    return Vec::new();
                };
                let is_own = matches!(&*field.base, Expr::Path(base) if base.path.is_ident("self"));
                let Some(owner) = function.self_type.as_deref().filter(|_| is_own) else { return Vec::new() };
                let values = self.names.initializers(owner, &name.unraw().to_string());
                each(values.iter().map(|(function, value)| (*function, &**value)).collect())
            }
            expr => self.called(expr, frame),
        }
    }

    /// The texts of an expression with the arguments of each caller.
    fn called(&self, expr: &Expr, frame: &Frame) -> Vec<KeyText> {
        let Some((function, _)) = &frame.function else { return Vec::new() };
        let texts = self.names.calls(*function).into_iter().filter_map(|(caller, arguments)| {
            let caller = Frame::of_function(&self.names, caller)?;
            let arguments = arguments.iter().map(|argument| self.evaluate(argument, &caller, MAX_DEPTH)).collect();
            Some(self.evaluate(expr, &frame.clone().called(arguments), MAX_DEPTH))
        });
        texts.collect()
    }

    fn evaluate(&self, expr: &Expr, frame: &Frame, depth: u8) -> KeyText {
        let (Some(depth), Some(left)) = (depth.checked_sub(1), self.left.get().checked_sub(1)) else {
            return KeyText::unknown();
        };
        self.left.set(left);
        self.text_of(expr, frame, depth).typed(|| self.type_of(expr, frame, depth))
    }

    fn text_of(&self, expr: &Expr, frame: &Frame, depth: u8) -> KeyText {
        match expr {
            Expr::Lit(literal) => text_of_literal(&literal.lit),
            Expr::Macro(call) => self.text_of_macro(call, frame, depth),
            Expr::Path(path) => self.text_of_path(&path.path, frame, depth),
            Expr::MethodCall(call) => self.text_of_method(call, frame, depth),
            Expr::Call(call) => self.text_of_call(call, frame, depth),
            Expr::Binary(binary) if matches!(binary.op, BinOp::Add(_)) && !is_number(&binary.right) => {
                let mut text = self.evaluate(&binary.left, frame, depth);
                text.extend(self.evaluate(&binary.right, frame, depth));
                if text.has_words() { text } else { named(expr) }
            }
            Expr::Block(block) => self.text_of_block(&block.block, frame, depth),
            Expr::Unsafe(block) => self.text_of_block(&block.block, frame, depth),
            Expr::Closure(closure) => self.evaluate(&closure.body, frame, depth),
            Expr::If(condition) => {
                let mut texts = vec![self.text_of_block(&condition.then_branch, frame, depth)];
                texts.extend(condition.else_branch.as_ref().map(|(_, other)| self.evaluate(other, frame, depth)));
                merged(texts)
            }
            Expr::Match(arms) => {
                let bodies = arms.arms.iter().filter(|arm| !leaves(&arm.body));
                merged(bodies.map(|arm| self.evaluate(&arm.body, frame, depth)).collect())
            }
            Expr::Index(index) if matches!(&*index.index, Expr::Range(_)) => self.evaluate(&index.expr, frame, depth),
            Expr::Array(array) => match array.elems.first() {
                Some(first) if array.elems.len() == 1 => self.evaluate(first, frame, depth),
                _ => KeyText::unknown(),
            },
            expr => match inner(expr) {
                Some(inner) => self.evaluate(inner, frame, depth),
                None => named(expr),
            },
        }
    }

    fn text_of_block(&self, block: &Block, frame: &Frame, depth: u8) -> KeyText {
        match block.stmts.last() {
            Some(Stmt::Expr(expr, None)) => self.evaluate(expr, frame, depth),
            Some(Stmt::Macro(last)) if last.semi_token.is_none() => {
                let call = ExprMacro { attrs: Vec::new(), mac: last.mac.clone() };
                self.text_of_macro(&call, frame, depth)
            }
            _ => KeyText::unknown(),
        }
    }

    fn text_of_macro(&self, call: &ExprMacro, frame: &Frame, depth: u8) -> KeyText {
        let Contents::Exprs(exprs) = contents(&call.mac) else { return KeyText::unknown() };
        match macros::name(&call.mac).as_str() {
            "format" | "format_args" | "formatcp" | "const_format" | "format_compact" | "eco_format" => {
                self.formatted(&exprs, frame, depth)
            }
            "concat" | "concatcp" => self.joined(exprs.iter(), "", frame, depth),
            "vec" => match exprs.as_slice() {
                [] => KeyText(Vec::new()),
                [only] => self.evaluate(only, frame, depth),
                _ => KeyText::unknown(),
            },
            _ => KeyText::unknown(),
        }
    }

    fn formatted(&self, exprs: &[Expr], frame: &Frame, depth: u8) -> KeyText {
        let Some((format, arguments)) = exprs.split_first() else { return KeyText::unknown() };
        let Some(format_text) = self.evaluate(format, frame, depth).constant() else { return KeyText::unknown() };
        let at = offset(format);
        let named_argument = |name: &str| {
            arguments.iter().find_map(|argument| match argument {
                Expr::Assign(assign) if variable_name(&assign.left).as_deref() == Some(name) => Some(&*assign.right),
                _ => None,
            })
        };
        let mut text = KeyText(Vec::new());
        let text_of = |part: Part| match part {
            Part::Text(literal) => KeyText::text(literal),
            Part::Index(index) => match arguments.get(index) {
                Some(Expr::Assign(assign)) => self.evaluate(&assign.right, frame, depth),
                Some(argument) => self.evaluate(argument, frame, depth),
                None => KeyText::unknown(),
            },
            Part::Name(name) => match named_argument(&name) {
                Some(argument) => self.argument_of_name(&name, argument, frame, depth),
                None => self.text_of_variable(&name, at, frame, depth),
            },
            Part::Formatted(_) => KeyText::unknown(),
        };
        for part in parts(&format_text) {
            text.extend(match part {
                // A declaration of this type would write it in another way.
                Part::Formatted(part) => text_of(*part).untyped(),
                part => text_of(part),
            });
        }
        text
    }

    /// The text of `name = expression`: the name, if nothing more is known.
    fn argument_of_name(&self, name: &str, argument: &Expr, frame: &Frame, depth: u8) -> KeyText {
        let text = self.evaluate(argument, frame, depth);
        let ty = text.parameter_type();
        if text.has_words() { text } else { KeyText::parameter(name).typed(|| ty) }
    }

    fn joined<'e>(&self, exprs: impl Iterator<Item = &'e Expr>, separator: &str, frame: &Frame, depth: u8) -> KeyText {
        let mut text = KeyText(Vec::new());
        for (index, expr) in exprs.enumerate() {
            if index > 0 {
                text.extend(KeyText::text(separator));
            }
            text.extend(self.evaluate(expr, frame, depth));
        }
        text
    }

    fn text_of_path(&self, path: &syn::Path, frame: &Frame, depth: u8) -> KeyText {
        if let Some(ident) = path.get_ident() {
            let (name, at) = (ident.unraw().to_string(), ident.span().byte_range().start);
            return self.text_of_variable(&name, at, frame, depth);
        }
        let mut names = path.segments.iter().rev().map(|segment| segment.ident.unraw().to_string());
        let name = names.next().unwrap_or_default();
        self.text_of_constant(names.next().as_deref(), &name, frame, depth)
    }

    /// The text of a variable or a constant that is named at a place.
    fn text_of_variable(&self, name: &str, at: usize, frame: &Frame, depth: u8) -> KeyText {
        let Some(binding) = frame.bindings.at(name, at) else {
            return self.text_of_constant(None, name, frame, depth);
        };
        let Some(depth) = depth.checked_sub(1) else { return KeyText::parameter(name) };
        let mut ty = binding.ty.as_deref().and_then(parameter_type);
        let mut text = match &binding.value {
            Value::Expr(value) => self.evaluate(value, frame, depth),
            Value::Parameter(index) => {
                let argument = frame.arguments.as_ref().and_then(|arguments| arguments.get(*index));
                ty = ty.or_else(|| argument?.parameter_type());
                argument.filter(|text| text.has_words()).cloned().unwrap_or_else(|| KeyText::parameter(name))
            }
            Value::Unknown => KeyText::parameter(name),
        };
        let additions = frame.bindings.additions(name, binding, at).map(|added| self.evaluate(added, frame, depth));
        if binding.is_list() {
            let elements = [text.clone()].into_iter().chain(additions).filter(|element| !element.0.is_empty());
            text = merged(elements.collect());
        } else {
            additions.for_each(|added| text.extend(added));
        }
        let ty = ty.or_else(|| text.parameter_type());
        let text = match text.0.as_slice() {
            [] => KeyText::parameter(name),
            [SourcePart::Parameter(_) | SourcePart::Unknown] if name.len() > 1 && name != "key" => {
                KeyText::parameter(name)
            }
            _ => text,
        };
        text.typed(|| ty)
    }

    /// The type of an expression, if the sources write it.
    fn type_of(&self, expr: &Expr, frame: &Frame, depth: u8) -> Option<ParameterType> {
        let depth = depth.checked_sub(1)?;
        match expr {
            Expr::Path(path) => {
                let binding = frame.binding(&path.path)?;
                let written = binding.ty.as_deref().and_then(parameter_type);
                written.or_else(|| match &binding.value {
                    Value::Expr(value) => self.type_of(value, frame, depth),
                    Value::Parameter(_) | Value::Unknown => None,
                })
            }
            Expr::Field(field) => {
                let Member::Named(member) = &field.member else { return None };
                let place = (self.owner(&field.base, frame)?, member.unraw().to_string());
                parameter_type(self.names.code.fields.get(&place)?)
            }
            Expr::Cast(cast) => parameter_type(&cast.ty),
            Expr::Binary(binary) => {
                let either =
                    self.type_of(&binary.left, frame, depth).or_else(|| self.type_of(&binary.right, frame, depth));
                either.filter(|ty| matches!(ty, ParameterType::Integer(_)))
            }
            Expr::MethodCall(call) => match call.method.unraw().to_string().as_str() {
                "to_string" | "to_owned" | "clone" | "as_ref" | "borrow" | "as_str" => {
                    self.type_of(&call.receiver, frame, depth)
                }
                // Of chrono, jiff and `std::time`.
                "timestamp" | "timestamp_millis" | "as_second" | "as_millisecond" if call.args.is_empty() => {
                    Some(ParameterType::Integer("i64"))
                }
                "as_secs" => Some(ParameterType::Integer("u64")),
                _ => None,
            },
            expr => self.type_of(inner(expr)?, frame, depth),
        }
    }

    /// The name of the type of a value with fields.
    fn owner(&self, base: &Expr, frame: &Frame) -> Option<String> {
        match base {
            Expr::Path(path) if path.path.is_ident("self") => frame.function()?.self_type.clone(),
            Expr::Path(path) => type_name(frame.binding(&path.path)?.ty.as_deref()?),
            Expr::Field(field) => {
                let Member::Named(member) = &field.member else { return None };
                let place = (self.owner(&field.base, frame)?, member.unraw().to_string());
                type_name(self.names.code.fields.get(&place)?)
            }
            _ => None,
        }
    }

    fn text_of_constant(&self, qualifier: Option<&str>, name: &str, frame: &Frame, depth: u8) -> KeyText {
        let value = self.names.constant(qualifier, name, frame.function(), &frame.place);
        let text = value.map(|(value, place)| self.evaluate(value, &Frame::of_constant(place), depth));
        text.filter(KeyText::has_words_or_signs).unwrap_or_else(|| KeyText::parameter(&name.to_lowercase()))
    }

    fn text_of_method(&self, call: &ExprMethodCall, frame: &Frame, depth: u8) -> KeyText {
        let method = call.method.unraw().to_string();
        let first = call.args.first();
        match (method.as_str(), first) {
            ("map" | "flat_map" | "filter_map", Some(closure)) => {
                let text = self.evaluate(closure, frame, depth);
                return if text.has_words() { text } else { self.evaluate(&call.receiver, frame, depth) };
            }
            ("join" | "concat", separator) => {
                let separator = separator.and_then(|separator| self.evaluate(separator, frame, depth).constant());
                if let Some(elements) = elements(&call.receiver) {
                    return self.joined(elements.iter(), &separator.unwrap_or_default(), frame, depth);
                }
            }
            _ => {}
        }
        if keeps_text(&method) {
            return self.evaluate(&call.receiver, frame, depth);
        }
        let text = self.returned(&Callee::of_method(call), call.args.iter(), frame, depth);
        text.unwrap_or_else(|| named(&Expr::MethodCall(call.clone())))
    }

    fn text_of_call(&self, call: &ExprCall, frame: &Frame, depth: u8) -> KeyText {
        let Expr::Path(function) = &*call.func else { return KeyText::unknown() };
        if let Some(Value::Expr(value)) = frame.binding(&function.path).map(|binding| &binding.value) {
            return self.evaluate(value, frame, depth);
        }
        let Some(callee) = Callee::of_path(&function.path, call.args.len()) else { return KeyText::unknown() };
        if let Some(text) = self.returned(&callee, call.args.iter(), frame, depth) {
            return text;
        }
        let qualifier = callee.qualifier.as_deref().unwrap_or_default();
        let is_builder = ["String", "Vec", "PathBuf", "BytesMut"].contains(&qualifier);
        match (callee.name.as_str(), call.args.first()) {
            ("new" | "with_capacity", _) if is_builder => KeyText(Vec::new()),
            ("new", Some(_)) if ["RwLock", "Mutex", "OnceLock", "OnceCell", "RefCell"].contains(&qualifier) => {
                KeyText::unknown()
            }
            // A conversion, or a tuple struct around the text.
            (name, Some(argument))
                if call.args.len() == 1 && (CONVERSIONS.contains(&name) || name.starts_with(char::is_uppercase)) =>
            {
                self.evaluate(argument, frame, depth)
            }
            _ => named(&Expr::Call(call.clone())),
        }
    }

    /// The text that a function of the workspace returns.
    fn returned<'e>(
        &self,
        callee: &Callee,
        arguments: impl Iterator<Item = &'e Expr>,
        frame: &Frame,
        depth: u8,
    ) -> Option<KeyText> {
        let index = self.names.resolve(callee, frame.function(), &frame.place)?;
        let function = self.names.function(index)?;
        if !returns_text(&function.signature.output) {
            return None;
        }
        let arguments = arguments.map(|argument| self.evaluate(argument, frame, depth)).collect();
        let inside = Frame::of_function(&self.names, index)?.called(arguments);
        let mut returns = Returns::default();
        returns.visit_block(&function.body);
        let early = returns.exprs.iter().filter(|expr| !leaves(expr)).map(|expr| self.evaluate(expr, &inside, depth));
        let mut texts: Vec<_> = early.collect();
        if let Some(Stmt::Expr(_, None) | Stmt::Macro(_)) = function.body.stmts.last() {
            texts.push(self.text_of_block(&function.body, &inside, depth));
        }
        let text = merged(texts);
        (!text.is_unknown() && text.has_words_or_signs()).then_some(text)
    }
}

impl KeyText {
    /// Whether some of its text is known.
    fn has_words_or_signs(&self) -> bool {
        self.0.iter().any(|part| matches!(part, SourcePart::Text(_)))
    }
}

/// Functions of a type that keep the text of their argument.
const CONVERSIONS: [&str; 8] =
    ["from", "new", "from_static", "from_str", "copy_from_slice", "try_from", "from_utf8", "into"];

/// Whether a method keeps the text of its receiver.
fn keeps_text(method: &str) -> bool {
    const METHODS: [&str; 38] = [
        "to_string",
        "to_owned",
        "into",
        "clone",
        "as_str",
        "as_ref",
        "as_bytes",
        "to_vec",
        "into_bytes",
        "borrow",
        "into_boxed_str",
        "deref",
        "as_deref",
        "unwrap",
        "expect",
        "unwrap_or_default",
        "cloned",
        "copied",
        "iter",
        "into_iter",
        "collect",
        "as_slice",
        "into_string",
        "to_str",
        "leak",
        "into_owned",
        "map_err",
        "context",
        "ok",
        "with_context",
        "to_redis_args",
        "unwrap_or",
        "unwrap_or_else",
        "try_into",
        "chunks",
        "iter_mut",
        "by_ref",
        "to_compact_string",
    ];
    METHODS.contains(&method)
}

/// Whether a function can return a key.
fn returns_text(output: &ReturnType) -> bool {
    let ReturnType::Type(_, ty) = output else { return false };
    let text = quote::ToTokens::to_token_stream(ty).to_string();
    let is_text = |word: &str| {
        ["str", "String", "Cow", "Vec", "Self", "impl", "Bytes", "u8"].contains(&word) || word.contains("Key")
    };
    text.split(|sign: char| !sign.is_alphanumeric() && sign != '_').any(is_text)
}

/// The expression inside of references, `?`, `.await` and the like.
fn inner(expr: &Expr) -> Option<&Expr> {
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
fn unwrapped(expr: &Expr) -> &Expr {
    match expr {
        Expr::MethodCall(call) if keeps_text(&call.method.unraw().to_string()) => unwrapped(&call.receiver),
        expr => inner(expr).map_or(expr, unwrapped),
    }
}

/// The elements of an array or of `vec!`.
fn elements(expr: &Expr) -> Option<Vec<Expr>> {
    match unwrapped(expr) {
        Expr::Array(array) => Some(array.elems.iter().cloned().collect()),
        Expr::Macro(call) if call.mac.path.is_ident("vec") => match contents(&call.mac) {
            Contents::Exprs(exprs) => Some(exprs),
            Contents::Statements(_) => None,
        },
        _ => None,
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

/// One text for several: what they begin with, and anything behind it.
fn merged(texts: Vec<KeyText>) -> KeyText {
    let mut texts = texts.into_iter();
    let Some(mut merged) = texts.next() else { return KeyText::unknown() };
    for text in texts {
        if text != merged {
            merged = common_start(&merged, &text);
            merged.extend(KeyText::unknown());
        }
    }
    merged
}

/// The parts with which two texts begin.
fn common_start(one: &KeyText, other: &KeyText) -> KeyText {
    let mut start = KeyText(Vec::new());
    for (one, other) in one.0.iter().zip(&other.0) {
        match (one, other) {
            (one, other) if one == other => start.0.push(one.clone()),
            (SourcePart::Text(one), SourcePart::Text(other)) => {
                let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other);
                start.extend(KeyText::text(same.map(|(sign, _)| sign).collect::<String>()));
                break;
            }
            _ => break,
        }
    }
    start
}

/// Whether an expression gives no text: an error, `None`, or the end of the function or of a loop.
fn leaves(expr: &Expr) -> bool {
    match expr {
        Expr::Call(call) => matches!(&*call.func, Expr::Path(path) if path.path.is_ident("Err")),
        Expr::Path(path) => path.path.is_ident("None"),
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Macro(call) => {
            ["panic", "unreachable", "bail", "todo", "unimplemented"].contains(&macros::name(&call.mac).as_str())
        }
        _ => false,
    }
}

/// A parameter with the name of an expression.
fn named(expr: &Expr) -> KeyText {
    name_of(expr).map_or_else(KeyText::unknown, |name| KeyText::parameter(&name))
}

/// The name of a value: `user_id` for `user.id`, `self.user.id` and `user.id()`.
fn name_of(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Path(path) => {
            let last = path.path.segments.last()?.ident.unraw().to_string();
            Some(last.to_lowercase()).filter(|name| name != "self")
        }
        Expr::Field(field) => Some(name_of_field(field)?.trim_start_matches("r#").to_owned()),
        Expr::MethodCall(call) if keeps_text(&call.method.unraw().to_string()) => name_of(&call.receiver),
        Expr::MethodCall(call) if call.args.is_empty() => {
            let method = call.method.unraw().to_string();
            Some(qualified(&call.receiver, method))
        }
        Expr::MethodCall(call) => name_of(&call.receiver),
        Expr::Call(call) => name_of(&call.func),
        Expr::Index(index) => name_of(&index.expr),
        Expr::Binary(binary) => name_of(&binary.left),
        expr => name_of(inner(expr)?),
    }
}

/// Whether this is a number, so that `+` adds numbers and not texts.
fn is_number(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(literal) if matches!(literal.lit, Lit::Int(_) | Lit::Float(_)))
}

fn name_of_field(field: &ExprField) -> Option<String> {
    match &field.member {
        Member::Named(name) => Some(qualified(&field.base, name.unraw().to_string())),
        Member::Unnamed(_) => name_of(&field.base),
    }
}

/// A name with that of the value that it belongs to, if it says little by itself.
fn qualified(base: &Expr, name: String) -> String {
    const SHORT: [&str; 10] = ["id", "uuid", "name", "key", "slug", "hash", "code", "value", "kind", "as_u64"];
    match name_of(base).filter(|_| SHORT.contains(&name.as_str())) {
        Some(base) => format!("{base}_{name}"),
        None => name,
    }
}

/// The type that a parameter of a key has, without references.
fn parameter_type(ty: &syn::Type) -> Option<ParameterType> {
    ParameterType::named(&type_name(ty)?)
}

/// The offset of an expression's first token.
fn offset(expr: &Expr) -> usize {
    syn::spanned::Spanned::span(expr).byte_range().start
}

/// Collects what a function returns early.
#[derive(Default)]
struct Returns {
    exprs: Vec<Expr>,
}

impl<'ast> Visit<'ast> for Returns {
    fn visit_expr_return(&mut self, returned: &'ast syn::ExprReturn) {
        self.exprs.extend(returned.expr.as_deref().cloned());
        visit::visit_expr_return(self, returned);
    }

    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

    fn visit_expr_async(&mut self, _: &'ast syn::ExprAsync) {}

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
