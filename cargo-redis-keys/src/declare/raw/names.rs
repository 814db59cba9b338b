//! The functions, constants, calls and fields of the code by their names, and the names that are visible in a function.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, ExprField, ExprMethodCall, ExprStruct, FnArg, Item, Macro, Member, Token, Type};

use super::bindings::{Binding, Bindings, Value};
use super::expressions::{contents, is_self, last_name, start};
use super::key_text::KeyText;
use crate::declare::sources::{Code, Constant, Function, Place, name, type_name};

/// The code's names.
pub(super) struct Names<'c> {
    pub(super) code: &'c Code,
    functions: HashMap<String, Vec<usize>>,
    constants: HashMap<String, Vec<usize>>,
    /// The calls of each function's name.
    calls: HashMap<String, Vec<Call>>,
    /// The values that fields get where a struct is built, by the names of the struct and of the field.
    initializers: HashMap<(String, String), Vec<Initializer>>,
    bindings: RefCell<HashMap<usize, Rc<Bindings>>>,
}

/// The value of a field, with the index of the function that builds the struct.
type Initializer = (usize, Rc<Expr>);

/// A call of a function.
struct Call {
    /// The index of the function that contains it.
    caller: usize,
    callee: Callee,
    arguments: Vec<Expr>,
}

/// The name of a function as a call writes it, or of a constant.
#[derive(Clone, Debug)]
pub(super) struct Callee {
    /// The name before the last `::`, or `self` for a method of the same type.
    pub(super) qualifier: Option<String>,
    pub(super) name: String,
    pub(super) is_method: bool,
    /// The number of arguments without the receiver.
    pub(super) arguments: usize,
}

impl Callee {
    /// The function that a path names.
    pub(super) fn of_path(path: &syn::Path, arguments: usize) -> Option<Self> {
        let mut names = path.segments.iter().rev().map(|segment| name(&segment.ident));
        let name = names.next()?;
        Some(Self { qualifier: names.next(), name, is_method: false, arguments })
    }

    /// The method that is called.
    pub(super) fn of_method(call: &ExprMethodCall) -> Self {
        let qualifier = is_self(&call.receiver).then(|| "Self".to_owned());
        Self { qualifier, name: name(&call.method), is_method: true, arguments: call.args.len() }
    }

    /// A function or a constant that is named without a path.
    pub(super) fn named(name: &str) -> Self {
        Self { qualifier: None, name: name.to_owned(), is_method: false, arguments: 0 }
    }

    /// Whether a function has the same form.
    fn can_be(&self, function: &Function) -> bool {
        let inputs = &function.signature.inputs;
        let has_receiver = inputs.first().is_some_and(|first| matches!(first, FnArg::Receiver(_)));
        let parameters = inputs.len() - usize::from(has_receiver);
        has_receiver == self.is_method && parameters == self.arguments
    }
}

impl<'c> Names<'c> {
    pub(super) fn new(code: &'c Code) -> Self {
        let mut names = Self {
            code,
            functions: by_name(code.functions.iter().map(|function| name(&function.signature.ident))),
            constants: by_name(code.constants.iter().map(|constant| constant.name.clone())),
            calls: HashMap::new(),
            initializers: HashMap::new(),
            bindings: RefCell::default(),
        };
        for (caller, function) in code.functions.iter().enumerate() {
            Calls { names: &mut names, caller, function }.visit_block(&function.body);
        }
        names
    }

    /// The function of an index.
    pub(super) fn function(&self, index: usize) -> Option<&'c Rc<Function>> {
        self.code.functions.get(index)
    }

    /// The variables of a function.
    pub(super) fn bindings(&self, index: usize) -> Rc<Bindings> {
        if let Some(known) = self.bindings.borrow().get(&index) {
            return Rc::clone(known);
        }
        let bindings = Rc::new(self.function(index).map(|function| Bindings::of(function)).unwrap_or_default());
        self.bindings.borrow_mut().insert(index, Rc::clone(&bindings));
        bindings
    }

    /// The function that is called from a place.
    pub(super) fn resolve(&self, callee: &Callee, from: Option<&Function>, place: &Place) -> Option<usize> {
        let is_callable = |index: &usize| self.function(*index).is_some_and(|function| callee.can_be(function));
        let candidates: Vec<_> = self.functions.get(&callee.name)?.iter().copied().filter(is_callable).collect();
        let nearest = |is_meant: &dyn Fn(&Function) -> bool| {
            let is_meant = |index: &usize| self.function(*index).is_some_and(|function| is_meant(function));
            let meant: Vec<_> = candidates.iter().copied().filter(is_meant).collect();
            nearest(&meant, place, |index| self.function(index).map(|function| &function.place))
        };
        let owner = owner(callee.qualifier.as_deref(), from);
        let of_owner = || nearest(&|function| function.self_type.as_deref() == owner);
        let in_module = || nearest(&|function| owner.is_some_and(|module| is_in_module(function, module)));
        let is_qualified = owner.is_some() || !callee.is_method;
        is_qualified.then(|| of_owner().or_else(in_module)).flatten().or_else(|| nearest(&|_| true))
    }

    /// The constant that is named at a place.
    pub(super) fn constant(&self, path: &Callee, from: Option<&Function>, place: &Place) -> Option<&'c Constant> {
        let all = self.constants.get(&path.name)?;
        let constant = |index: usize| self.code.constants.get(index);
        let place_of = |index: usize| constant(index).map(|constant| &constant.place);
        let owner = owner(path.qualifier.as_deref(), from);
        let is_of = |index: &usize| constant(*index).is_some_and(|constant| constant.self_type.as_deref() == owner);
        let of_owner: Vec<_> = all.iter().copied().filter(is_of).collect();
        constant(nearest(&of_owner, place, place_of).or_else(|| nearest(all, place, place_of))?)
    }

    /// The arguments that callers pass to a function, with each caller's index.
    pub(super) fn calls(&self, index: usize) -> Vec<(usize, &[Expr])> {
        let Some(function) = self.function(index) else { return Vec::new() };
        let name = name(&function.signature.ident);
        let calls = self.calls.get(&name).into_iter().flatten();
        let calls = calls.filter(|call| {
            let caller = self.function(call.caller);
            caller.is_some_and(|from| self.resolve(&call.callee, Some(from), &from.place) == Some(index))
        });
        calls.map(|call| (call.caller, call.arguments.as_slice())).collect()
    }

    /// The values that a field gets, with the index of the function that builds the struct.
    pub(super) fn initializers(&self, owner: &str, field: &str) -> &[Initializer] {
        self.initializers.get(&(owner.to_owned(), field.to_owned())).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Each name's indexes.
fn by_name(names: impl Iterator<Item = String>) -> HashMap<String, Vec<usize>> {
    let mut indexes = HashMap::<_, Vec<_>>::new();
    for (index, name) in names.enumerate() {
        indexes.entry(name).or_default().push(index);
    }
    indexes
}

/// The type or the module that a qualifier names in a function.
fn owner<'n>(qualifier: Option<&'n str>, from: Option<&'n Function>) -> Option<&'n str> {
    match qualifier {
        Some("Self") => from?.self_type.as_deref(),
        qualifier => qualifier,
    }
}

/// The only candidate, or the only candidate of the same file, or of the same package.
fn nearest<'p>(candidates: &[usize], place: &Place, place_of: impl Fn(usize) -> Option<&'p Place>) -> Option<usize> {
    if let [only] = candidates {
        return Some(*only);
    }
    let only = |is_near: &dyn Fn(&Place) -> bool| {
        let mut near = candidates.iter().copied().filter(|index| place_of(*index).is_some_and(is_near));
        near.next().filter(|_| near.next().is_none())
    };
    only(&|other| other.file.shown == place.file.shown).or_else(|| only(&|other| other.package() == place.package()))
}

/// Whether a function is in a file that has a module's name.
fn is_in_module(function: &Function, module: &str) -> bool {
    let path = &function.place.file.path;
    let name = path.file_stem().filter(|stem| *stem != "mod").or_else(|| path.parent()?.file_name());
    function.self_type.is_none() && name.is_some_and(|name| name == module)
}

/// The calls and the values of fields in a function, which are added to the names.
struct Calls<'n, 'c> {
    names: &'n mut Names<'c>,
    caller: usize,
    function: &'n Function,
}

impl Calls<'_, '_> {
    fn add(&mut self, callee: Callee, arguments: &Punctuated<Expr, Token![,]>) {
        if self.names.functions.contains_key(&callee.name) {
            let arguments = arguments.iter().cloned().collect();
            let call = Call { caller: self.caller, callee, arguments };
            self.names.calls.entry(call.callee.name.clone()).or_default().push(call);
        }
    }
}

impl<'ast> Visit<'ast> for Calls<'_, '_> {
    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if let Expr::Path(path) = &*call.func
            && let Some(callee) = Callee::of_path(&path.path, call.args.len())
        {
            self.add(callee, &call.args);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.add(Callee::of_method(call), &call.args);
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_struct(&mut self, built: &'ast ExprStruct) {
        let last = last_name(&built.path);
        let owner = if last == "Self" { self.function.self_type.clone() } else { Some(last) };
        for field in &built.fields {
            if let (Some(owner), Member::Named(member)) = (&owner, &field.member) {
                let place = (owner.clone(), name(member));
                let value = (self.caller, Rc::new(field.expr.clone()));
                self.names.initializers.entry(place).or_default().push(value);
            }
        }
        visit::visit_expr_struct(self, built);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        contents(call).visit(self);
    }

    // Its functions are visited by themselves.
    fn visit_item(&mut self, _: &'ast Item) {}
}

/// An expression's place: the function that contains it, and the arguments of its call.
#[derive(Clone)]
pub(super) struct Frame {
    pub(super) place: Place,
    /// The function with its index.
    pub(super) function: Option<(usize, Rc<Function>)>,
    pub(super) bindings: Rc<Bindings>,
    pub(super) arguments: Rc<Vec<KeyText>>,
}

impl Frame {
    /// The frame of a function that is called with anything.
    pub(super) fn of_function(names: &Names<'_>, index: usize) -> Option<Self> {
        let function = Rc::clone(names.function(index)?);
        let (place, bindings) = (function.place.clone(), names.bindings(index));
        Some(Self { place, function: Some((index, function)), bindings, arguments: Rc::default() })
    }

    pub(super) fn of_constant(place: &Place) -> Self {
        Self { place: place.clone(), function: None, bindings: Rc::default(), arguments: Rc::default() }
    }

    /// The same function, called with these arguments.
    pub(super) fn called(self, arguments: Vec<KeyText>) -> Self {
        Self { arguments: Rc::new(arguments), ..self }
    }

    pub(super) fn function(&self) -> Option<&Function> {
        self.function.as_ref().map(|(_, function)| &**function)
    }

    /// The type or the trait that the function belongs to.
    pub(super) fn self_type(&self) -> Option<&str> {
        self.function()?.self_type.as_deref()
    }

    /// The variable of a path.
    pub(super) fn binding(&self, path: &syn::Path) -> Option<&Binding> {
        let ident = path.get_ident()?;
        self.bindings.at(&name(ident), start(ident.span()))
    }

    /// The expression that a variable gets.
    pub(super) fn assigned(&self, variable: &Expr) -> Option<&Expr> {
        let Expr::Path(path) = variable else { return None };
        match &self.binding(&path.path)?.value {
            Value::Expr(value) => Some(value),
            Value::Parameter(_) | Value::Unknown => None,
        }
    }

    /// The type of a field, of a value whose type is written.
    pub(super) fn field_type<'c>(&self, field: &ExprField, names: &Names<'c>) -> Option<&'c Type> {
        let Member::Named(member) = &field.member else { return None };
        names.code.fields.get(&(self.owner(&field.base, names)?, name(member)))
    }

    /// The name of the type of a value with fields.
    fn owner(&self, base: &Expr, names: &Names<'_>) -> Option<String> {
        match base {
            base if is_self(base) => self.self_type().map(str::to_owned),
            Expr::Path(path) => type_name(self.binding(&path.path)?.ty.as_deref()?),
            Expr::Field(field) => type_name(self.field_type(field, names)?),
            _ => None,
        }
    }
}
