//! `init`: writes a policy file.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use redis_keys_schema::POLICY_FILE;

use crate::Failure;
use crate::cli::Outcome;
use crate::init;
use crate::selection::Selection;
use crate::sources::Project;

/// Write a policy file, redis-keys.toml
///
/// It lists the modules of the keys that the project declares, and has all other settings as comments. A file that exists is not changed.
#[derive(Args)]
pub(crate) struct InitArgs {
    /// Write to stdout, even if there is a file
    #[arg(long)]
    stdout: bool,
    /// Path to Cargo.toml
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
}

pub(crate) fn run(args: &InitArgs, out: &mut dyn io::Write) -> Result<Outcome, Failure> {
    // Tests and examples do not compile either if their modules are missing.
    let selection = Selection {
        manifest_path: args.manifest_path.clone(),
        all_features: true,
        tests: true,
        examples: true,
        ..Selection::default()
    };
    let policy = init::policy(&selection.catalogue()?);
    if args.stdout {
        out.write_all(policy.as_bytes())?;
        return Ok(Outcome::Fine);
    }
    let path = Project::load(&selection)?.root.join(POLICY_FILE);
    create(&path, &policy)?;
    anstream::eprintln!("wrote `{}`", path.display());
    // Cargo tracks the files that existed at the last build.
    anstream::eprintln!("note: cargo does not notice a new policy file: touch the sources once, or run `cargo clean`");
    Ok(Outcome::Fine)
}

/// Writes a file that does not exist.
fn create(path: &Path, text: &str) -> Result<(), Failure> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::new(format!("`{}` exists already", path.display()))
            .help("edit it, or write a new one to stdout with `--stdout`"),
        _ => Failure::new(format!("cannot write `{}`: {error}", path.display())),
    })
}
