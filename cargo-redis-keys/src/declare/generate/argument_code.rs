//! The code for arguments that differs only by signs between languages.

use crate::declare::catalog::{Argument, Integer};

/// The signs of a language.
pub(super) struct Syntax {
    /// The end of a large number.
    pub(super) large: &'static str,
    pub(super) yes: &'static str,
    /// Writes a literal.
    pub(super) quoted: fn(&str) -> String,
}

/// The code for the bytes of a parameter that is encoded. `named` is its name and its value.
pub(super) fn bytes(named: &str, argument: &Argument) -> String {
    match argument {
        Argument::Bytes { length: Some(length) } => format!("_bytes({named}, {length})"),
        Argument::Bytes { length: None } => format!("_bytes({named})"),
        _ => format!("_utf8({named})"),
    }
}

impl Syntax {
    /// The code for a checked number.
    pub(super) fn number(&self, named: &str, integer: Integer, is_signed: bool) -> String {
        let from = if is_signed { integer.from.to_string() } else { integer.from_in_template().to_string() };
        let (to, large) = (integer.to, self.large);
        // A smallest number of 1 says it already.
        let is_said = !(is_signed && integer.signed && integer.non_zero);
        let non_zero = if is_said { String::new() } else { format!(", {}", self.yes) };
        format!("_integer({named}, {from}{large}, {to}{large}{non_zero})")
    }

    /// The code for a text that ends before another in a legacy text.
    pub(super) fn part(&self, name: &str, text: String, ends: &str, no_colon: bool) -> String {
        if ends.is_empty() && !no_colon {
            return text;
        }
        let no_colon = if no_colon { format!(", {}", self.yes) } else { String::new() };
        format!("_part({}, {text}, {}{no_colon})", (self.quoted)(name), (self.quoted)(ends))
    }
}
