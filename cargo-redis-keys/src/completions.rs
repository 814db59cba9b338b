//! `completions`: completions of the command line for a shell.

use std::io;

use clap::Args;
use clap_complete::Shell;

use crate::Failure;
use crate::outcome::Outcome;

/// Write completions for a shell
///
/// For example: `cargo redis-keys completions bash > ~/.local/share/bash-completion/completions/cargo-redis-keys`. They
/// complete the command `cargo-redis-keys`; shells complete `cargo` by its own completions.
#[derive(Args)]
pub(crate) struct CompletionsArgs {
    /// Shell to write for
    shell: Shell,
}

/// Writes the completions of this command line.
pub(crate) fn run(
    (args, mut command): (CompletionsArgs, clap::Command),
    out: &mut dyn io::Write,
) -> Result<Outcome, Failure> {
    // The generator panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "cargo-redis-keys", &mut script);
    out.write_all(&script)?;
    Ok(Outcome::Fine)
}
