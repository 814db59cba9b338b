//! The types that `value = …` and `field = …` name.

use proc_macro2::TokenStream;
use redis_keys_schema::{Declaration, Diagnostic, Given, Kind, StoredForm};

use crate::code::{default_crate, parsed, with_our_forms};
use crate::input::Input;

/// The types of what a key holds, with the names of our stored forms meaning ours. One that is not given, or can't be read,
/// is missing.
pub(crate) struct Types {
    pub(crate) value: Option<TokenStream>,
    /// The names of open fields.
    pub(crate) field: Option<TokenStream>,
}

impl Types {
    /// Reads them. What is no type is reported, and so is a `crate` that is no path.
    pub(crate) fn read(input: &Input<'_>, declaration: &Declaration, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let options = &declaration.options;
        let Some(attribute) = input.attributes.first().map(|first| &first.rendered) else {
            return Self { value: None, field: None };
        };
        if let Some(given) = options.crate_path.as_ref().filter(|given| given.value.is_some())
            && parsed::<syn::Path>(attribute, &given.range).is_none()
        {
            diagnostics.push(Diagnostic::no_path(given.range.clone(), attribute.text_at(&given.range)));
        }
        let krate = crate_path(input, declaration);
        let mut read = |given: &Option<Given<StoredForm>>| {
            let form = given.as_ref()?.value.as_ref()?;
            let tokens = parsed::<syn::Type>(attribute, &form.range);
            if tokens.is_none() {
                diagnostics.push(Diagnostic::no_type(form.range.clone(), attribute.text_at(&form.range)));
            }
            tokens.map(|tokens| with_our_forms(tokens, form, &krate))
        };
        let mut types = Self { value: read(&options.value), field: read(&options.field) };
        if holds_no_record(declaration) {
            // That is told already, and must not be told once more by the compiler.
            types.value = None;
        }
        types
    }
}

/// Whether one value stands where a record is wanted.
fn holds_no_record(declaration: &Declaration) -> bool {
    let kind = declaration.template.as_ref().and_then(|template| template.kind);
    let open = declaration.options.field.is_some();
    let form = declaration.options.value.as_ref().and_then(|given| given.value.as_ref());
    let record = matches!(kind, Some(Kind::Stream)) || matches!(kind, Some(Kind::Hash)) && !open;
    record && form.is_some_and(StoredForm::is_one_value)
}

/// Where redis-keys lives.
pub(crate) fn crate_path(input: &Input<'_>, declaration: &Declaration) -> TokenStream {
    let given = declaration.options.crate_path.as_ref().zip(input.attributes.first());
    let path = given.and_then(|(given, attribute)| parsed::<syn::Path>(&attribute.rendered, &given.range));
    path.unwrap_or_else(default_crate)
}
