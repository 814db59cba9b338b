//! The functions, constants, calls and fields of the code, by their names.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use syn::ext::IdentExt as _;
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, ExprMethodCall, ExprStruct, FnArg, Item, Macro, Member};

use super::bindings::Bindings;
use super::macros::contents;
use crate::declare::sources::{Code, Function, Place};

/// The names of the code.
pub(super) struct Names<'c> {
    pub(super) code: &'c Code,
    functions: HashMap<String, Vec<usize>>,
    constants: HashMap<&'c str, Vec<usize>>,
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
    arguments: Rc<Vec<Expr>>,
}

/// The name of a function as a call writes it.
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
        let mut names = path.segments.iter().rev().map(|segment| segment.ident.unraw().to_string());
        let name = names.next()?;
        Some(Self { qualifier: names.next(), name, is_method: false, arguments })
    }

    /// The method that is called.
    pub(super) fn of_method(call: &ExprMethodCall) -> Self {
        let is_own = matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self"));
        let qualifier = is_own.then(|| "Self".to_owned());
        Self { qualifier, name: call.method.unraw().to_string(), is_method: true, arguments: call.args.len() }
    }
}

impl<'c> Names<'c> {
    pub(super) fn new(code: &'c Code) -> Self {
        let (mut functions, mut constants): (HashMap<_, Vec<_>>, HashMap<_, Vec<_>>) = Default::default();
        for (index, function) in code.functions.iter().enumerate() {
            functions.entry(function.signature.ident.unraw().to_string()).or_default().push(index);
        }
        for (index, constant) in code.constants.iter().enumerate() {
            constants.entry(constant.name.as_str()).or_default().push(index);
        }
        let mut names = Self {
            code,
            functions,
            constants,
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
        let named = self.functions.get(&callee.name)?;
        let candidates = named
            .iter()
            .copied()
            .filter(|index| self.function(*index).is_some_and(|function| is_callable(callee, function)));
        let candidates: Vec<_> = candidates.collect();
        let qualifier = match callee.qualifier.as_deref() {
            Some("Self") => from.and_then(|from| from.self_type.as_deref()),
            qualifier => qualifier,
        };
        let is_of = |index: &&usize| {
            let function = self.function(**index);
            function.is_some_and(|function| function.self_type.as_deref() == qualifier)
        };
        let of_type: Vec<_> = candidates.iter().filter(is_of).copied().collect();
        if qualifier.is_some() || !callee.is_method {
            if let Some(index) = self.nearest(&of_type, place) {
                return Some(index);
            }
            if let Some(module) = qualifier {
                let in_module = |index: &&usize| self.function(**index).is_some_and(|found| is_module(found, module));
                let in_module: Vec<_> = candidates.iter().filter(in_module).copied().collect();
                if let Some(index) = self.nearest(&in_module, place) {
                    return Some(index);
                }
            }
        }
        self.nearest(&candidates, place)
    }

    /// The only one of some functions, or the only one of the same file, or of the same package.
    fn nearest(&self, candidates: &[usize], place: &Place) -> Option<usize> {
        nearest(candidates, place, |index| self.function(index).map(|function| &function.place))
    }

    /// The value of a constant that is named at a place.
    pub(super) fn constant(
        &self,
        qualifier: Option<&str>,
        name: &str,
        from: Option<&Function>,
        place: &Place,
    ) -> Option<(&'c Expr, &'c Place)> {
        let all = self.constants.get(name)?;
        let owner = match qualifier {
            Some("Self") => from.and_then(|from| from.self_type.as_deref()),
            qualifier => qualifier,
        };
        let place_of = |index: usize| self.code.constants.get(index).map(|constant| &constant.place);
        let is_of = |index: &&usize| {
            self.code.constants.get(**index).is_some_and(|constant| constant.self_type.as_deref() == owner)
        };
        let of_owner: Vec<_> = all.iter().filter(is_of).copied().collect();
        let index = nearest(&of_owner, place, place_of).or_else(|| nearest(all, place, place_of))?;
        self.code.constants.get(index).map(|constant| (&constant.value, &constant.place))
    }

    /// The arguments that callers pass to a function, with the index of each caller.
    pub(super) fn calls(&self, index: usize) -> Vec<(usize, &[Expr])> {
        let Some(function) = self.function(index) else { return Vec::new() };
        let name = function.signature.ident.unraw().to_string();
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

fn is_callable(callee: &Callee, function: &Function) -> bool {
    let inputs = &function.signature.inputs;
    let has_receiver = inputs.first().is_some_and(|first| matches!(first, FnArg::Receiver(_)));
    let parameters = inputs.len() - usize::from(has_receiver);
    has_receiver == callee.is_method && parameters == callee.arguments
}

/// Whether a function is in a file that has the name of a module.
fn is_module(function: &Function, module: &str) -> bool {
    let path = &function.place.file.path;
    let name = path.file_stem().filter(|stem| *stem != "mod").or_else(|| path.parent()?.file_name());
    function.self_type.is_none() && name.is_some_and(|name| name == module)
}

/// Collects calls and values of fields.
struct Calls<'n, 'c> {
    names: &'n mut Names<'c>,
    caller: usize,
    function: &'n Function,
}

impl Calls<'_, '_> {
    fn add<'a>(&mut self, callee: Callee, arguments: impl Iterator<Item = &'a Expr>) {
        if self.names.functions.contains_key(&callee.name) {
            let arguments = Rc::new(arguments.cloned().collect());
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
            self.add(callee, call.args.iter());
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.add(Callee::of_method(call), call.args.iter());
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_struct(&mut self, built: &'ast ExprStruct) {
        let last = built.path.segments.last().map(|last| last.ident.unraw().to_string());
        let owner = match last.as_deref() {
            Some("Self") => self.function.self_type.clone(),
            _ => last,
        };
        for field in &built.fields {
            if let (Some(owner), Member::Named(name)) = (&owner, &field.member) {
                let place = (owner.clone(), name.unraw().to_string());
                let value = (self.caller, Rc::new(field.expr.clone()));
                self.names.initializers.entry(place).or_default().push(value);
            }
        }
        visit::visit_expr_struct(self, built);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        contents(call).visit(self);
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}
