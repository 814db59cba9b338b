//! The commands that the text of a script calls.

use syn::Expr;

use super::Scan;
use super::built::{Built, Form};
use crate::declare::raw::commands::{Command, Effect, Expiry, names_expiry_option};
use crate::declare::raw::raw_use::SetsExpiry;
use crate::declare::raw::receivers::{Kind, MAX_STEPS};

impl Scan<'_, '_> {
    /// The text of the script at the start of a chain.
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
    pub(super) fn script_of(&self, built: &Built) -> Option<String> {
        match &built.form {
            Form::Script(text) => text.clone(),
            Form::Arguments => self.constant(built.arguments.first()?),
            Form::Method(_) | Form::FredMethod => None,
        }
    }
}

/// The effect of a script on its keys.
pub(super) fn effect_of(script: &str) -> Effect {
    called(script).map(|command| command.effect).max().unwrap_or(Effect::Read)
}

/// Whether a script sets an expiry.
pub(super) fn expiry_of(script: &str) -> SetsExpiry {
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
