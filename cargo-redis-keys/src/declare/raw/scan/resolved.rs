//! The commands of a function with the texts of their keys.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::Scan;
use super::built::{Built, Form};
use super::expiry::written;
use super::script;
use crate::declare::raw::commands::{Command, Effect, Expiry};
use crate::declare::raw::key_text::KeyText;
use crate::declare::raw::raw_use::{RawUse, SetsExpiry};

/// A command with the texts of its keys.
struct Resolved<'b> {
    built: &'b Built,
    command: &'static Command,
    /// The keys as they are written.
    written: Vec<String>,
    keys: Vec<KeyText>,
}

impl Resolved<'_> {
    /// Whether both have a key in common.
    fn has_key_of(&self, other: &Self) -> bool {
        let words = |keys: &[KeyText]| keys.iter().filter(|key| key.has_words()).cloned().collect::<BTreeSet<_>>();
        let (words, others) = (words(&self.keys), words(&other.keys));
        if words.is_empty() && others.is_empty() {
            return self.written.iter().any(|key| other.written.contains(key));
        }
        !words.is_disjoint(&others)
    }
}

impl Scan<'_, '_> {
    /// The commands that were built. What expires by another one gets an expiry.
    pub(super) fn resolve(&self) -> Vec<RawUse> {
        let resolved: Vec<_> = self.built.iter().filter_map(|built| self.resolved(built)).collect();
        let expiring = || resolved.iter().filter(|other| other.command.expiry == Expiry::OfExisting);
        let uses = resolved.iter().flat_map(|used| {
            let expires = expiring().any(|other| other.has_key_of(used));
            let expiry = if expires { SetsExpiry::Yes } else { self.expiry(used.built, used.command) };
            let unknown = used.keys.is_empty().then_some(None);
            let keys = used.keys.iter().map(|key| Some(key.clone()).filter(KeyText::is_known)).chain(unknown);
            keys.map(move |key| RawUse {
                file: Rc::clone(&self.frame.place.file),
                range: used.built.range.clone(),
                command: used.command.name,
                key,
                effect: self.effect(used.built, used.command),
                expiry,
                redis_type: used.command.redis_type,
                guess: used.built.guess.clone(),
            })
        });
        uses.collect()
    }

    fn resolved<'b>(&self, built: &'b Built) -> Option<Resolved<'b>> {
        let command = built.command?;
        let keys = built.keys(command.keys, |argument| self.constant(argument));
        let written = keys.iter().map(|key| written(key)).collect();
        let keys = keys.into_iter().flat_map(|key| self.values.keys(key, &self.frame)).collect();
        Some(Resolved { built, command, written, keys })
    }

    fn effect(&self, built: &Built, command: &Command) -> Effect {
        if command.expiry == Expiry::ByScript {
            return self.script_of(built).map_or(Effect::Create, |text| script::effect_of(&text));
        }
        match command.effect_without {
            Some((option, otherwise)) if !self.has_option(built, option) => otherwise,
            _ => command.effect,
        }
    }

    /// Whether a command has an option, as an argument or in the name of its method.
    fn has_option(&self, built: &Built, option: &str) -> bool {
        let is_option = |text: String| text.eq_ignore_ascii_case(option);
        let is_in_name = matches!(&built.form, Form::Method(method) if method.to_uppercase().contains(option));
        is_in_name || built.arguments.iter().any(|argument| self.constant(argument).is_some_and(is_option))
    }
}
