//! Keys: items that derive `RedisKey`.

use redis_keys_schema::{
    Checked, Declaration, Diagnostics, Given, Policy, Sibling, StoredForm, ValuePattern, Warning, check,
};
use syn::DeriveInput;

use crate::code;
use crate::input::Input;
use crate::tokens::Tokens;

/// A key as it was read.
pub struct ReadKey<'i> {
    /// The item.
    pub input: Input<'i>,
    /// Its declaration, as far as it could be read.
    pub declaration: Declaration,
    /// The Rust code in the declaration.
    pub code: KeyCode,
    /// The errors, which `finish` sorts. Without any the declaration is complete.
    pub diagnostics: Diagnostics,
    /// The warnings of the lints.
    pub warnings: Vec<Warning>,
    /// The object that the key may be one field of, for the comparison with the other keys of the crate.
    pub sibling: Option<Sibling>,
}

/// The Rust code in a key's declaration, each part as far as it is given and parses.
#[derive(Clone, Default)]
pub struct KeyCode {
    /// The path to redis-keys.
    pub krate: Option<Tokens>,
    /// The stored form of the value: for a queue of jobs that of a job, none for a lock.
    pub value: Option<Tokens>,
    /// The stored form of a hash's field names.
    pub field: Option<Tokens>,
}

/// Reads an item that derives `RedisKey`.
pub fn read_key<'i>(item: &'i DeriveInput, policy: &Policy) -> ReadKey<'i> {
    let input = Input::new(item);
    let Checked { declaration, mut diagnostics, warnings, sibling } = check(&input.item(), policy);
    let code = KeyCode::read(&input, &declaration, &mut diagnostics);
    ReadKey { input, declaration, code, diagnostics, warnings, sibling }
}

impl KeyCode {
    /// Parses the code. Reports values that are not types, and a `crate` that is not a path.
    fn read(input: &Input<'_>, declaration: &Declaration, diagnostics: &mut Diagnostics) -> Self {
        let options = &declaration.options;
        let Some(attribute) = input.attributes.first() else { return Self::default() };
        let path = options.crate_path.as_ref().filter(|given| given.value.is_some());
        let krate = code::crate_path(input, path.map(|given| &given.range), diagnostics);
        let mut form = |given: &Option<Given<StoredForm>>| {
            let form = given.as_ref()?.value.as_ref().filter(|form| form.pattern != Some(ValuePattern::Lock))?;
            code::form(&attribute.rendered, form).map_err(|error| diagnostics.push(error)).ok()
        };
        Self { krate, value: form(&options.value), field: form(&options.field) }
    }
}
