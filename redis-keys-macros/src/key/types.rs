//! The types of `value = …` and `field = …`, and the trait of the key's type.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use redis_keys_schema::{Declaration, GivenOption, Kind, Options, RoleName, StoredForm};
use redis_keys_syntax::{KeyCode, Tokens};

use crate::tokens::{crate_path, with_our_forms};

/// The types that a key stores, with the names of our stored forms resolved. A type is missing if it is not given or
/// does not parse.
pub(crate) struct Types {
    /// The path to redis-keys.
    pub(crate) krate: Tokens,
    pub(crate) value: Option<Tokens>,
    /// The type of a hash's field names.
    pub(crate) field: Option<Tokens>,
}

impl Types {
    /// Resolves them.
    pub(super) fn new(code: KeyCode, declaration: &Declaration) -> Self {
        let krate = crate_path(code.krate);
        let resolved = |given: &Option<GivenOption<StoredForm>>, tokens: Option<Tokens>| {
            let form = given.as_ref()?.value.as_ref()?;
            Some(with_our_forms(tokens?, form, &krate))
        };
        // The rules have reported a missing record, so the compiler need not.
        let value = code.value.filter(|_| !lacks_record(declaration));
        let value = resolved(&declaration.options.value, value);
        let field = resolved(&declaration.options.field, code.field);
        Self { krate, value, field }
    }
}

/// Whether a single value is declared for a key that stores records.
fn lacks_record(declaration: &Declaration) -> bool {
    let kind = declaration.guessed_kind();
    let open = declaration.options.field.is_some();
    let form = declaration.options.value.as_ref().and_then(|given| given.value.as_ref());
    let record = kind == Some(Kind::Stream) || kind == Some(Kind::Hash) && !open;
    record && form.is_some_and(StoredForm::is_one_value)
}

/// A trait such as `ListKey`.
pub(crate) struct KeyTrait {
    name: &'static str,
    has_field: bool,
    pub(crate) has_value: bool,
    /// Whether the value is a record instead of a stored form.
    holds_records: bool,
}

/// Stands in for a missing type. Next to a `compile_error!`, rustc does not report an unresolved path or its uses.
const MISSING: &str = "__ValueIsMissing";

impl KeyTrait {
    /// The trait of a key of this type with these options.
    pub(crate) fn of(kind: Kind, options: &Options) -> Self {
        let open = options.field.is_some();
        let role = options.role_name();
        let (name, holds_records) = match kind {
            Kind::String if role == Some(RoleName::Limit) => ("LimitKey", false),
            Kind::String if role == Some(RoleName::Lock) => ("LockKey", false),
            Kind::String if role == Some(RoleName::Cache) => ("CachedKey", false),
            Kind::ZSet if role == Some(RoleName::Jobs) => ("JobKey", false),
            Kind::Bitmap if role == Some(RoleName::Bloom) => ("BloomKey", false),
            Kind::Hash if open => ("HashKey", false),
            Kind::Hash => ("RecordKey", true),
            Kind::List => ("ListKey", false),
            Kind::Set => ("SetKey", false),
            Kind::ZSet => ("ZSetKey", false),
            Kind::Bitmap => ("BitmapKey", false),
            Kind::HyperLogLog => ("HyperLogLogKey", false),
            Kind::Geo => ("GeoKey", false),
            Kind::Stream => ("StreamKey", true),
            Kind::Channel => ("ChannelKey", false),
            _ => ("StringKey", false),
        };
        let has_field = open && matches!(kind, Kind::Hash);
        let has_value = !["BitmapKey", "LimitKey", "LockKey"].contains(&name);
        Self { name, has_field, has_value, holds_records }
    }

    pub(crate) fn name(&self) -> Ident {
        Ident::new(self.name, Span::call_site())
    }

    /// The associated types.
    pub(crate) fn types(&self, types: &Types) -> TokenStream {
        let given = [(self.has_field, "Field", &types.field), (self.has_value, "Value", &types.value)];
        let mut tokens = TokenStream::new();
        for (_, name, given) in given.into_iter().filter(|(has_type, ..)| *has_type) {
            let name = Ident::new(name, Span::call_site());
            let missing = given.is_none().then(|| Ident::new(MISSING, Span::call_site()));
            tokens.extend([quote!(type #name = #given #missing;)]);
        }
        tokens
    }

    /// The associated types, each with the name of the trait that it must implement.
    pub(crate) fn bounds<'t>(&self, types: &'t Types) -> impl Iterator<Item = (&'t Tokens, Ident)> {
        self.parts(types).map(|(_, ty, bound)| (ty, bound))
    }

    /// The associated types, each after its option's name and before the name of the trait that it must implement.
    pub(super) fn parts<'t>(&self, types: &'t Types) -> impl Iterator<Item = (&'static str, &'t Tokens, Ident)> {
        let value = if self.holds_records { "RedisHash" } else { "Stored" };
        let value = ("value", types.value.as_ref(), self.has_value.then_some(value));
        let field = ("field", types.field.as_ref(), self.has_field.then_some("Stored"));
        let given = [field, value].into_iter();
        given.filter_map(|(part, ty, bound)| Some((part, ty?, Ident::new(bound?, Span::call_site()))))
    }
}
