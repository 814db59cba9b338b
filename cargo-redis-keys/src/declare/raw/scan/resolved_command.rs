//! Commands with their keys' texts, and their effects, such as whether they set an expiry.

use std::collections::BTreeSet;
use std::rc::Rc;

use quote::ToTokens as _;
use syn::Expr;

use super::Scan;
use super::built_command::{BuiltCommand, Form};
use crate::declare::raw::commands::{Command, EXPIRY_OPTIONS, Effect, Expiry, names_expiry_option};
use crate::declare::raw::expressions::unwrapped;
use crate::declare::raw::key_text::KeyText;
use crate::declare::raw::raw_use::{RawUse, SetsExpiry};
use crate::declare::raw::receivers::{Kind, MAX_STEPS};

/// A command with its keys' texts.
struct ResolvedCommand<'b> {
    built: &'b BuiltCommand,
    command: &'static Command,
    /// The keys as they are written.
    written: Vec<String>,
    keys: Vec<KeyText>,
}

impl ResolvedCommand<'_> {
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
    /// The commands that were built. A key that expires by another command gets an expiry.
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

    fn resolved<'b>(&self, built: &'b BuiltCommand) -> Option<ResolvedCommand<'b>> {
        let command = built.command?;
        let keys = built.keys(command.keys, |argument| self.constant(argument));
        let written = keys.iter().map(|key| written(key)).collect();
        let keys = keys.into_iter().flat_map(|key| self.values.keys(key, &self.frame)).collect();
        Some(ResolvedCommand { built, command, written, keys })
    }

    fn effect(&self, built: &BuiltCommand, command: &Command) -> Effect {
        if command.expiry == Expiry::ByScript {
            return self.script_of(built).map_or(Effect::Create, |text| effect_of(&text));
        }
        match command.effect_without {
            Some((option, otherwise)) if !self.has_option(built, option) => otherwise,
            _ => command.effect,
        }
    }

    /// Whether a command has an option, as an argument or in its method's name.
    fn has_option(&self, built: &BuiltCommand, option: &str) -> bool {
        let is_option = |text: String| text.eq_ignore_ascii_case(option);
        let is_in_name = matches!(&built.form, Form::Method(method) if method.to_uppercase().contains(option));
        is_in_name || built.arguments.iter().any(|argument| self.constant(argument).is_some_and(is_option))
    }

    fn expiry(&self, built: &BuiltCommand, command: &Command) -> SetsExpiry {
        match command.expiry {
            Expiry::Always => SetsExpiry::Yes,
            Expiry::None | Expiry::OfExisting => SetsExpiry::No,
            Expiry::Unknown => SetsExpiry::Unknown,
            Expiry::ByScript => self.script_of(built).map_or(SetsExpiry::Unknown, |text| expiry_of(&text)),
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

    /// The script's text at the start of a chain.
    pub(super) fn script(&self, root: &Expr) -> Option<String> {
        let mut expr = root;
        for _ in 0..MAX_STEPS {
            expr = match expr {
                Expr::Call(call) if self.receiver(expr).kind == Kind::Script => {
                    return self.constant(call.args.first()?);
                }
                Expr::MethodCall(call) => &call.receiver,
                Expr::Reference(inner) => &inner.expr,
                expr => self.frame.assigned(expr)?,
            };
        }
        None
    }

    /// The text of the script that a command runs.
    fn script_of(&self, built: &BuiltCommand) -> Option<String> {
        match &built.form {
            Form::Script(text) => text.clone(),
            Form::Arguments => self.constant(built.arguments.first()?),
            Form::Method(_) | Form::FredMethod => None,
        }
    }
}

/// An expression as it is written, without references and methods that keep its text.
fn written(expr: &Expr) -> String {
    unwrapped(expr).to_token_stream().to_string()
}

/// The effect of a script on its keys.
fn effect_of(script: &str) -> Effect {
    called(script).map(|command| command.effect).max().unwrap_or(Effect::Read)
}

/// Whether a script sets an expiry.
fn expiry_of(script: &str) -> SetsExpiry {
    let sets = |command: &Command| matches!(command.expiry, Expiry::Always | Expiry::OfExisting);
    if called(script).any(sets) || names_expiry_option(script) { SetsExpiry::Yes } else { SetsExpiry::No }
}

/// The commands that a script calls.
fn called(script: &str) -> impl Iterator<Item = &'static Command> {
    let calls = script.split("call(").skip(1);
    calls.filter_map(|call| {
        let call = call.trim_start().strip_prefix(['"', '\''])?;
        Command::of_name(call.split(['"', '\'']).next()?)
    })
}
