//! The types that `value = …` and `field = …` name.

use proc_macro2::TokenStream;
use redis_keys_schema::{Declaration, Diagnostic, Given, StoredForm};

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
        Self { value: read(&options.value), field: read(&options.field) }
    }
}

/// Where redis-keys lives.
pub(crate) fn crate_path(input: &Input<'_>, declaration: &Declaration) -> TokenStream {
    let given = declaration.options.crate_path.as_ref().zip(input.attributes.first());
    let path = given.and_then(|(given, attribute)| parsed::<syn::Path>(&attribute.rendered, &given.range));
    path.unwrap_or_else(default_crate)
}
