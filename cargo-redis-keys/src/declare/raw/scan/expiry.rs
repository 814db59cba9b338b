//! Whether a command sets the expiry of the key that it creates.

use quote::ToTokens as _;
use syn::Expr;

use super::Scan;
use super::built::{Built, Form};
use super::script;
use crate::declare::raw::commands::{Command, EXPIRY_OPTIONS, Expiry, names_expiry_option};
use crate::declare::raw::expressions::unwrapped;
use crate::declare::raw::raw_use::SetsExpiry;

impl Scan<'_, '_> {
    pub(super) fn expiry(&self, built: &Built, command: &Command) -> SetsExpiry {
        match command.expiry {
            Expiry::Always => SetsExpiry::Yes,
            Expiry::None | Expiry::OfExisting => SetsExpiry::No,
            Expiry::Unknown => SetsExpiry::Unknown,
            Expiry::ByScript => self.script_of(built).map_or(SetsExpiry::Unknown, |text| script::expiry_of(&text)),
            Expiry::ByOption => self.expiry_of_options(&built.form, built.arguments.get(2..).unwrap_or_default()),
        }
    }

    /// Whether the arguments behind the key and the value set an expiry.
    fn expiry_of_options(&self, form: &Form, options: &[Expr]) -> SetsExpiry {
        match (form, options.first()) {
            (Form::Arguments, _) | (Form::Method(_), None) => self.expiry_of_words(options),
            (Form::FredMethod, Some(Expr::Path(path))) if path.path.is_ident("None") => SetsExpiry::No,
            (Form::Method(_) | Form::FredMethod, Some(options)) => self.expiry_of_object(options),
            (Form::FredMethod, None) | (Form::Script(_), _) => SetsExpiry::Unknown,
        }
    }

    /// Whether arguments such as `"EX"` set an expiry.
    fn expiry_of_words(&self, options: &[Expr]) -> SetsExpiry {
        let sets_expiry = |option: &Expr| match self.constant(option) {
            Some(text) if EXPIRY_OPTIONS.iter().any(|name| text.eq_ignore_ascii_case(name)) => SetsExpiry::Yes,
            Some(_) => SetsExpiry::No,
            None if names_expiry_option(&written(option)) => SetsExpiry::Yes,
            None => SetsExpiry::Unknown,
        };
        options.iter().map(sets_expiry).max().unwrap_or(SetsExpiry::No)
    }

    /// Whether options such as `SetOptions::default().with_expiration(…)` set an expiry.
    fn expiry_of_object(&self, options: &Expr) -> SetsExpiry {
        let text = written(self.frame.assigned(unwrapped(options)).unwrap_or(options));
        if ["expiration", "Expiration", "Expiry"].iter().any(|word| text.contains(word)) || names_expiry_option(&text) {
            SetsExpiry::Yes
        } else if text.contains("default ()") || text.contains("new ()") {
            SetsExpiry::No
        } else {
            SetsExpiry::Unknown
        }
    }
}

/// An expression as it is written, without references and methods that keep its text.
pub(super) fn written(expr: &Expr) -> String {
    unwrapped(expr).to_token_stream().to_string()
}
