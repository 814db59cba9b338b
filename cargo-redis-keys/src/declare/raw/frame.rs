//! The place of an expression: the function that contains it, and what it was called with.

use std::rc::Rc;

use syn::{Expr, ExprField, Member, Type};

use super::bindings::{Binding, Bindings, Value};
use super::expressions::{is_self, start};
use super::key_text::KeyText;
use super::names::Names;
use crate::declare::sources::{Function, Place, name, type_name};

/// The place of an expression: the function that contains it, and what it was called with.
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
