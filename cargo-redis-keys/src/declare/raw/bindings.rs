//! The variables of a function.

use std::collections::HashMap;
use std::rc::Rc;

use proc_macro2::Span;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprClosure, ExprForLoop, ExprLet, ExprMethodCall, FnArg, Item, Local, Macro, Pat, Type};

use super::expressions::{Contents, contents, elements, format_of, is_one_of, last_name, start, variable_name};
use crate::declare::sources::{Function, name, type_name};

/// The variables of a function, by their names.
#[derive(Default)]
pub(super) struct Bindings {
    all: HashMap<String, Vec<Binding>>,
    /// The expressions that are added to a variable by `push`, `push_str`, `+=` and so on, with the place.
    additions: HashMap<String, Vec<(usize, Rc<Expr>)>>,
}

/// A variable.
#[derive(Clone)]
pub(super) struct Binding {
    /// The bytes of the file in which it is visible.
    from: usize,
    until: usize,
    pub(super) value: Value,
    /// Its type, if that is written.
    pub(super) ty: Option<Rc<Type>>,
}

impl Binding {
    /// Whether it is a list, to which elements are added.
    pub(super) fn is_list(&self) -> bool {
        let is_list = |name: String| is_one_of("Vec HashSet BTreeSet VecDeque", &name);
        let is_built = |call: &syn::ExprCall| {
            let Expr::Path(path) = &*call.func else { return false };
            path.path.segments.first().is_some_and(|first| is_list(name(&first.ident)))
        };
        let is_written = self.ty.as_deref().and_then(type_name).is_some_and(is_list);
        let Value::Expr(value) = &self.value else { return is_written };
        match &**value {
            Expr::Macro(call) => is_written || call.mac.path.is_ident("vec"),
            Expr::Call(call) => is_written || is_built(call),
            _ => is_written,
        }
    }
}

/// A variable's value.
#[derive(Clone)]
pub(super) enum Value {
    /// An expression's value, or an element of the value.
    Expr(Rc<Expr>),
    /// The value of the parameter at the index. `self` is not counted.
    Parameter(usize),
    /// Something else.
    Unknown,
}

impl Value {
    fn of(expr: &Expr) -> Self {
        Self::Expr(Rc::new(expr.clone()))
    }
}

impl Bindings {
    /// The variables of a function.
    pub(super) fn of(function: &Function) -> Self {
        let mut collector = Collector { bindings: Self::default(), until: vec![end(&function.body)] };
        let inputs = function.signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => Some(typed),
            FnArg::Receiver(_) => None,
        });
        for (index, input) in inputs.enumerate() {
            collector.bind(&input.pat, Some(Rc::new((*input.ty).clone())), &Value::Parameter(index), 0);
        }
        collector.visit_block(&function.body);
        collector.bindings
    }

    /// The variable of a name that is visible at a place.
    pub(super) fn at(&self, name: &str, offset: usize) -> Option<&Binding> {
        let visible = |binding: &&Binding| binding.from <= offset && offset < binding.until;
        self.all.get(name)?.iter().filter(visible).max_by_key(|binding| binding.from)
    }

    /// The additions to a variable that is visible at a place.
    pub(super) fn additions(&self, name: &str, binding: &Binding, offset: usize) -> impl Iterator<Item = &Rc<Expr>> {
        let range = binding.from..offset;
        let additions = self.additions.get(name).into_iter().flatten();
        additions.filter(move |(at, _)| range.contains(at)).map(|(_, added)| added)
    }
}

struct Collector {
    bindings: Bindings,
    /// The ends of the blocks around.
    until: Vec<usize>,
}

impl Collector {
    fn bind(&mut self, pattern: &Pat, ty: Option<Rc<Type>>, value: &Value, from: usize) {
        match pattern {
            Pat::Ident(ident) => {
                let until = self.until.last().copied().unwrap_or(usize::MAX);
                let binding = Binding { from, until, value: value.clone(), ty };
                self.bindings.all.entry(name(&ident.ident)).or_default().push(binding);
            }
            Pat::Type(typed) => self.bind(&typed.pat, Some(Rc::new((*typed.ty).clone())), value, from),
            Pat::Reference(inner) => self.bind(&inner.pat, ty, value, from),
            Pat::Paren(inner) => self.bind(&inner.pat, ty, value, from),
            Pat::TupleStruct(wrapper) if wrapper.elems.len() == 1 => {
                wrapper.elems.iter().for_each(|pattern| self.bind(pattern, None, value, from));
            }
            Pat::Tuple(tuple) => self.bind_each(tuple.elems.iter(), value, from),
            Pat::TupleStruct(tuple) => self.bind_each(tuple.elems.iter(), &Value::Unknown, from),
            Pat::Slice(slice) => self.bind_each(slice.elems.iter(), value, from),
            Pat::Struct(of) => self.bind_each(of.fields.iter().map(|field| &*field.pat), &Value::Unknown, from),
            _ => {}
        }
    }

    fn bind_each<'p>(&mut self, patterns: impl Iterator<Item = &'p Pat>, value: &Value, from: usize) {
        let parts = match value {
            Value::Expr(value) => elements(value),
            Value::Parameter(_) | Value::Unknown => None,
        };
        for (index, pattern) in patterns.enumerate() {
            let part = parts.and_then(|parts| parts.get(index)).map_or(Value::Unknown, Value::of);
            self.bind(pattern, None, &part, from);
        }
    }

    fn add(&mut self, variable: &Expr, added: &Expr, at: Span) {
        if let Some(name) = variable_name(variable) {
            let addition = (start(at), Rc::new(added.clone()));
            self.bindings.additions.entry(name).or_default().push(addition);
        }
    }
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_block(&mut self, block: &'ast Block) {
        self.until.push(end(block));
        visit::visit_block(self, block);
        self.until.pop();
    }

    fn visit_local(&mut self, local: &'ast Local) {
        visit::visit_local(self, local);
        let value = local.init.as_ref().map_or(Value::Unknown, |init| Value::of(&init.expr));
        self.bind(&local.pat, None, &value, start(local.semi_token.span()));
    }

    fn visit_expr_for_loop(&mut self, repeated: &'ast ExprForLoop) {
        self.visit_expr(&repeated.expr);
        self.until.push(end(&repeated.body));
        self.bind(&repeated.pat, None, &Value::of(&repeated.expr), start(repeated.body.brace_token.span.open()));
        self.visit_block(&repeated.body);
        self.until.pop();
    }

    fn visit_expr_let(&mut self, condition: &'ast ExprLet) {
        visit::visit_expr_let(self, condition);
        self.bind(&condition.pat, None, &Value::of(&condition.expr), condition.expr.span().byte_range().end);
    }

    fn visit_expr_closure(&mut self, closure: &'ast ExprClosure) {
        let from = start(closure.span());
        closure.inputs.iter().for_each(|input| self.bind(input, None, &Value::Unknown, from));
        visit::visit_expr_closure(self, closure);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.bind(&arm.pat, None, &Value::Unknown, start(arm.fat_arrow_token.span()));
        visit::visit_arm(self, arm);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        if let (true, Some(added)) = (is_one_of("push push_str extend", &name(&call.method)), call.args.first()) {
            self.add(&call.receiver, added, call.method.span());
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if let syn::BinOp::AddAssign(sign) = &binary.op {
            self.add(&binary.left, &binary.right, sign.spans[0]);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        let contents = contents(call);
        if let (Contents::Exprs(exprs), "write") = (&contents, last_name(&call.path).as_str())
            && let (Some(variable), Some(formatted)) = (exprs.first(), format_of(exprs))
        {
            self.add(variable, &formatted, call.path.span());
        }
        contents.visit(self);
    }

    // Its functions have separate variables.
    fn visit_item(&mut self, _: &'ast Item) {}
}

fn end(block: &Block) -> usize {
    block.brace_token.span.close().byte_range().end
}
