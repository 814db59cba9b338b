//! The keys that a declaration of a draft writes.
//!
//! A key that matches a text is not always a key that the declaration writes. A value must not contain the text that
//! ends it, so `rl:{ip}:{minute}` with two texts refuses an IPv6 address. Where several values could have given a key,
//! the declaration has to write all of them.

use redis_keys_schema::legacy::Legacy;

use super::declaration::{Declaration, DeclaredField};
use super::join::has_separators;
use crate::declare::catalog::Key;
use crate::operate::infer::Class;

/// The most ways to read one key that are tried.
const MOST_STEPS: u32 = 10_000;

/// The legacy text of a declaration.
pub(super) struct WrittenKeys<'d> {
    legacy: Legacy,
    /// The field of each parameter, in the order of the text.
    fields: Vec<&'d DeclaredField>,
}

impl<'d> WrittenKeys<'d> {
    /// The keys of the legacy text. `None` without such a text.
    pub(super) fn of(key: &Key, declaration: &'d Declaration, legacy: Legacy) -> Option<Self> {
        let field = |parameter: usize| {
            let name = &key.parameters.get(parameter)?.name;
            declaration.fields.iter().find(|field| field.name == *name)
        };
        let fields = legacy.fields.iter().map(|it| field(it.parameter)).collect::<Option<_>>()?;
        Some(Self { legacy, fields })
    }

    /// Whether the declaration writes a key, whatever its values are. Otherwise the name of a field whose value it
    /// refuses.
    pub(super) fn check(&self, key: &str) -> Result<(), String> {
        for is_narrow in [true, false] {
            let mut reading =
                Reading { keys: self, is_narrow, left: MOST_STEPS, values: Vec::new(), read: 0, refused: None };
            reading.go_on(key);
            // Classes say less than types: a key without values of its classes is read by types.
            if reading.read > 0 {
                return reading.refused.map_or(Ok(()), |index| Err(self.name(index)));
            }
        }
        Err(self.name(0))
    }

    fn name(&self, index: usize) -> String {
        self.fields.get(index).map(|field| field.name.clone()).unwrap_or_default()
    }

    /// The index of the first value that the declaration refuses.
    fn refused(&self, values: &[&str]) -> Option<usize> {
        let ends = self.legacy.ends();
        values.iter().zip(ends).zip(&self.fields).position(|((value, end), field)| {
            let ends_early = !end.is_empty() && format!("{value}{end}").find(end) != Some(value.len());
            ends_early || field.no_colon && value.contains(':')
        })
    }

    /// Whether a field can have a value.
    fn can_be(&self, index: usize, value: &str, is_narrow: bool) -> bool {
        let Some(field) = self.fields.get(index) else { return false };
        match (field.found.ty, &field.found.class) {
            (Some(ty), _) => ty.writes(value),
            (None, Some(Class::Integer { .. })) if !field.ty.starts_with('&') => {
                value.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit())
            }
            (None, Some(Class::Ip)) if is_narrow => value.parse::<std::net::IpAddr>().is_ok(),
            (None, Some(class)) if is_narrow => has_separators(class) || !value.contains([':', '/', '|']),
            _ => true,
        }
    }
}

/// The ways to read a key as values.
struct Reading<'w, 'k> {
    keys: &'w WrittenKeys<'w>,
    /// Whether values have the classes that were seen.
    is_narrow: bool,
    left: u32,
    values: Vec<&'k str>,
    /// The number of ways.
    read: u32,
    /// The index of the field whose value is refused in some reading.
    refused: Option<usize>,
}

impl<'k> Reading<'_, 'k> {
    /// Reads a literal text, then a value of each length.
    fn go_on(&mut self, text: &'k str) {
        let index = self.values.len();
        let literals = &self.keys.legacy.literals;
        let Some(rest) = literals.get(index).and_then(|literal| text.strip_prefix(literal.as_str())) else { return };
        let Some(behind) = literals.get(index + 1) else {
            if rest.is_empty() {
                self.read += 1;
                self.refused = self.refused.or(self.keys.refused(&self.values));
            }
            return;
        };
        let is_last = index + 2 == literals.len();
        for (end, _) in rest.char_indices().skip(1).chain([(rest.len(), ' ')]) {
            let Some(left) = self.left.checked_sub(1) else { return };
            self.left = left;
            let Some((value, rest)) = rest.split_at_checked(end).filter(|(value, _)| !value.is_empty()) else {
                continue;
            };
            let goes_on = if is_last { rest == behind } else { rest.starts_with(behind.as_str()) };
            if goes_on && self.keys.can_be(index, value, self.is_narrow) {
                self.values.push(value);
                self.go_on(rest);
                self.values.pop();
            }
        }
    }
}
