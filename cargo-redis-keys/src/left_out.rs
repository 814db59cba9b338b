//! The commands of a feature that is off: each says how to get it.

/// Declares a module with the interface of the command's own.
macro_rules! left_out {
    ($command:ident, $Args:ident, $name:literal, $feature:literal) => {
        pub(crate) mod $command {
            use std::ffi::OsString;
            use std::io;

            use clap::Args;

            use crate::Failure;
            use crate::outcome::Outcome;

            /// Any arguments of the command.
            #[derive(Args)]
            #[command(about = concat!("Not in this build, which is without the feature `", $feature, "`"), long_about = None)]
            pub(crate) struct $Args {
                #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
                _arguments: Vec<OsString>,
            }

            pub(crate) fn run(_: impl Sized, _: &mut dyn io::Write) -> Result<Outcome, Failure> {
                let message = concat!("this build has no `", $name, "`: it is without the feature `", $feature, "`");
                Err(Failure::new(message).help(concat!(
                    "`cargo install cargo-redis-keys --no-default-features --features ",
                    $feature,
                    "`, or without both options for all commands"
                )))
            }
        }
    };
}

#[cfg(not(feature = "adopt"))]
left_out!(adopt, AdoptArgs, "adopt", "adopt");
#[cfg(not(feature = "audit"))]
left_out!(audit, AuditArgs, "audit", "audit");
#[cfg(not(feature = "completions"))]
left_out!(completions, CompletionsArgs, "completions", "completions");
#[cfg(not(feature = "audit"))]
left_out!(expire, ExpireArgs, "expire", "audit");
#[cfg(not(feature = "generate"))]
left_out!(generate, GenerateArgs, "generate", "generate");
#[cfg(not(feature = "audit"))]
left_out!(move_keys, MoveArgs, "move", "audit");
#[cfg(not(feature = "audit"))]
left_out!(purge, PurgeArgs, "purge", "audit");
