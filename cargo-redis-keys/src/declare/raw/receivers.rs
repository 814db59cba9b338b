//! The kinds of values whose methods send commands.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::{Expr, GenericArgument, Generics, Member, PathArguments, ReturnType, Type};

use super::bindings::Value;
use super::names::{Callee, Names};
use super::values::Frame;
use crate::declare::sources::{Code, Function, SourceFile, type_name};

/// The kind of a value whose method is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A connection, or something that leads to one.
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

/// The parts of clients that a file imports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Imports {
    /// The traits with the commands.
    pub(super) traits: bool,
    /// The client fred.
    pub(super) fred: bool,
    /// Anything of a client.
    pub(super) any: bool,
}

const TRAITS: [&str; 6] =
    ["Commands", "AsyncCommands", "TypedCommands", "AsyncTypedCommands", "JsonCommands", "JsonAsyncCommands"];

impl Imports {
    /// The imports of a file.
    pub(super) fn of(code: &Code, file: &SourceFile) -> Self {
        let mut imports = Self::default();
        for path in code.imports.get(&file.shown).into_iter().flatten() {
            let is_client = |name: &String| is_client(name);
            let (is_glob, names_client) = (path.last().is_some_and(|last| last == "*"), path.iter().any(is_client));
            imports.any |= names_client;
            imports.fred |= path.first().is_some_and(|first| first == "fred");
            imports.traits |= path.last().is_some_and(|last| TRAITS.contains(&last.as_str()));
            // A prelude, or the module around.
            imports.traits |= is_glob && (names_client || path.len() > 1);
        }
        // Paths such as `redis::cmd` need no import.
        imports.any |= imports.traits || file.text.contains("redis::");
        imports
    }
}

fn is_client(name: &str) -> bool {
    name.contains("redis") && !name.contains("redis_keys") || name == "fred"
}

/// The kind of an expression.
pub(super) fn kind(expr: &Expr, frame: &Frame, names: &Names<'_>, steps: u8) -> Kind {
    let Some(steps) = steps.checked_sub(1) else { return Kind::Unknown };
    match expr {
        Expr::Reference(inner) => kind(&inner.expr, frame, names, steps),
        Expr::Paren(inner) => kind(&inner.expr, frame, names, steps),
        Expr::Group(inner) => kind(&inner.expr, frame, names, steps),
        Expr::Unary(inner) => kind(&inner.expr, frame, names, steps),
        Expr::Try(inner) => kind(&inner.expr, frame, names, steps),
        Expr::Await(inner) => kind(&inner.base, frame, names, steps),
        Expr::Path(path) => of_variable(&path.path, frame, names, steps),
        Expr::Field(field) => {
            let Member::Named(member) = &field.member else { return kind(&field.base, frame, names, steps) };
            let member = member.unraw().to_string();
            let is_own = matches!(&*field.base, Expr::Path(base) if base.path.is_ident("self"));
            let owner = frame.function().and_then(|function| function.self_type.clone()).filter(|_| is_own);
            let known = owner.and_then(|owner| names.code.fields.get(&(owner, member.clone())));
            match known.map(|ty| of_type(ty, frame.function())) {
                None | Some(Kind::Unknown) => of_name(&member),
                Some(known) => known,
            }
        }
        Expr::Call(call) => {
            let Expr::Path(path) = &*call.func else { return Kind::Unknown };
            let Some(callee) = Callee::of_path(&path.path, call.args.len()) else { return Kind::Unknown };
            of_call(&callee, frame, names)
        }
        Expr::MethodCall(call) => {
            let callee = Callee::of_method(call);
            let receiver = || kind(&call.receiver, frame, names, steps);
            match callee.name.as_str() {
                "pipeline" | "pipe" => Kind::Pipeline,
                "prepare_invoke" => Kind::Script,
                "atomic" | "ignore" | "arg" | "key" | "add_command" => receiver(),
                name if is_wrapper_method(name) => receiver(),
                // A pool.
                "get" | "acquire" | "get_timeout" if call.args.is_empty() => match receiver() {
                    Kind::Pipeline | Kind::Command | Kind::Script => Kind::Unknown,
                    _ => Kind::Connection,
                },
                name if of_name(name) == Kind::Connection => Kind::Connection,
                _ => returned(&callee, frame, names).unwrap_or(Kind::Unknown),
            }
        }
        Expr::Struct(built) => {
            built.path.segments.last().map_or(Kind::Unknown, |last| of_type_name(&last.ident.unraw().to_string()))
        }
        Expr::Match(arms) => {
            let mut kinds = arms.arms.iter().map(|arm| kind(&arm.body, frame, names, steps));
            kinds.find(|kind| !matches!(kind, Kind::Unknown | Kind::Other)).unwrap_or(Kind::Unknown)
        }
        Expr::Block(block) => match block.block.stmts.last() {
            Some(syn::Stmt::Expr(last, None)) => kind(last, frame, names, steps),
            _ => Kind::Unknown,
        },
        Expr::Lit(_) | Expr::Array(_) | Expr::Macro(_) | Expr::Closure(_) | Expr::Binary(_) => Kind::Other,
        _ => Kind::Unknown,
    }
}

/// Whether a method returns what its receiver is, or something in it.
fn is_wrapper_method(name: &str) -> bool {
    const METHODS: [&str; 20] = [
        "clone",
        "lock",
        "as_mut",
        "as_ref",
        "write",
        "read",
        "unwrap",
        "expect",
        "borrow_mut",
        "map_err",
        "context",
        "with_context",
        "deref_mut",
        "to_owned",
        "ok_or",
        "ok_or_else",
        "by_ref",
        "get_mut",
        "wrap_err",
        "as_deref_mut",
    ];
    METHODS.contains(&name)
}

fn of_variable(path: &syn::Path, frame: &Frame, names: &Names<'_>, steps: u8) -> Kind {
    let Some(ident) = path.get_ident() else {
        return path.segments.last().map_or(Kind::Unknown, |last| of_name(&last.ident.unraw().to_string()));
    };
    let by_name = of_name(&ident.unraw().to_string());
    let Some(binding) = frame.binding(path) else { return by_name };
    let known = match (&binding.ty, &binding.value) {
        (Some(ty), _) => of_type(ty, frame.function()),
        (None, Value::Expr(value)) => kind(value, frame, names, steps),
        _ => Kind::Unknown,
    };
    if known == Kind::Unknown { by_name } else { known }
}

fn of_call(callee: &Callee, frame: &Frame, names: &Names<'_>) -> Kind {
    let qualifier = callee.qualifier.as_deref().unwrap_or_default();
    match (qualifier, callee.name.as_str()) {
        ("Cmd", _) | (_, "cmd") => return Kind::Command,
        ("Script" | "ScriptInvocation", _) => return Kind::Script,
        (_, "pipe") => return Kind::Pipeline,
        _ => {}
    }
    let returned = returned(callee, frame, names).filter(|kind| *kind != Kind::Unknown);
    returned.unwrap_or_else(|| match of_type_name(qualifier) {
        Kind::Other if qualifier.starts_with(char::is_lowercase) || qualifier.is_empty() => of_name(&callee.name),
        kind => kind,
    })
}

/// The kind of what a function of the workspace returns.
fn returned(callee: &Callee, frame: &Frame, names: &Names<'_>) -> Option<Kind> {
    let function = names.function(names.resolve(callee, frame.function(), frame.place())?)?;
    match &function.signature.output {
        ReturnType::Type(_, ty) => Some(match &**ty {
            Type::Path(path) if path.path.is_ident("Self") => {
                function.self_type.as_deref().map_or(Kind::Unknown, of_type_name)
            }
            ty => of_type(ty, Some(function)),
        }),
        ReturnType::Default => Some(Kind::Other),
    }
}

/// The kind of values of a type. A function knows its generic parameters.
pub(super) fn of_type(ty: &Type, function: Option<&Function>) -> Kind {
    match ty {
        Type::Reference(inner) => of_type(&inner.elem, function),
        Type::Paren(inner) => of_type(&inner.elem, function),
        Type::Group(inner) => of_type(&inner.elem, function),
        Type::Ptr(inner) => of_type(&inner.elem, function),
        Type::ImplTrait(bounds) => of_bounds(bounds.bounds.to_token_stream()),
        Type::TraitObject(bounds) => of_bounds(bounds.bounds.to_token_stream()),
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return Kind::Unknown };
            let name = last.ident.unraw().to_string();
            if let (true, Some(inner)) = (is_wrapper(&name), first_argument(&last.arguments)) {
                return of_type(inner, function);
            }
            if let Some(bounds) = path.path.get_ident().and_then(|_| bounds_of(&name, function?)) {
                return of_bounds(bounds);
            }
            of_type_name(&name)
        }
        Type::Infer(_) => Kind::Unknown,
        _ => Kind::Other,
    }
}

fn is_wrapper(name: &str) -> bool {
    const NAMES: [&str; 20] = [
        "Arc",
        "Rc",
        "Box",
        "Mutex",
        "RwLock",
        "RefCell",
        "Option",
        "Result",
        "MutexGuard",
        "Pin",
        "Data",
        "State",
        "Extension",
        "RefMut",
        "RwLockWriteGuard",
        "RwLockReadGuard",
        "LazyLock",
        "OnceCell",
        "OnceLock",
        "Cow",
    ];
    NAMES.contains(&name)
}

fn first_argument(arguments: &PathArguments) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// The bounds of a generic parameter.
fn bounds_of(name: &str, function: &Function) -> Option<TokenStream> {
    let all: Vec<&Generics> = [&function.signature.generics].into_iter().chain(&function.outer_generics).collect();
    let mut bounds = TokenStream::new();
    let mut is_parameter = false;
    for generics in all {
        for parameter in generics.type_params().filter(|parameter| parameter.ident == name) {
            is_parameter = true;
            parameter.bounds.to_tokens(&mut bounds);
        }
        let conditions = generics.where_clause.iter().flat_map(|conditions| &conditions.predicates);
        for condition in conditions {
            if let syn::WherePredicate::Type(condition) = condition
                && type_name(&condition.bounded_ty).as_deref() == Some(name)
            {
                condition.bounds.to_tokens(&mut bounds);
            }
        }
    }
    is_parameter.then_some(bounds)
}

fn of_bounds(bounds: TokenStream) -> Kind {
    let mut names = Vec::new();
    add_names(bounds, &mut names);
    let is_connection = |name: &String| TRAITS.contains(&name.as_str()) || of_type_name(name) == Kind::Connection;
    if names.iter().any(is_connection) { Kind::Connection } else { Kind::Other }
}

fn add_names(tokens: TokenStream, names: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => names.push(ident.unraw().to_string()),
            TokenTree::Group(group) => add_names(group.stream(), names),
            _ => {}
        }
    }
}

fn of_type_name(name: &str) -> Kind {
    match name {
        "Pipeline" | "ClusterPipeline" => Kind::Pipeline,
        "Cmd" => Kind::Command,
        "Script" | "ScriptInvocation" => Kind::Script,
        "Client" | "Pool" | "Object" | "ClientLike" | "KeysInterface" | "HashesInterface" | "Transaction" => {
            Kind::Unknown
        }
        "" => Kind::Unknown,
        name => match of_name(&name.to_lowercase()) {
            Kind::Unknown => Kind::Other,
            kind => kind,
        },
    }
}

/// The kind of a variable, a field or a function by its name.
fn of_name(name: &str) -> Kind {
    let name = name.to_lowercase();
    if name.contains("pipe") {
        Kind::Pipeline
    } else if name == "con" || name.contains("conn") || name.contains("redis") {
        Kind::Connection
    } else {
        Kind::Unknown
    }
}
