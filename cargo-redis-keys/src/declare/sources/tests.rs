//! Declarations that are read from source files.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on")]

mod random;
mod ranges;
mod stored;
mod types;
mod ui_cases;
mod unread;

use std::ops::Range;
use std::path::Path;
use std::rc::Rc;

use redis_keys_schema::Place;
use redis_keys_syntax::policy::{self, PolicyFile};
use redis_keys_syntax::{Input, ReadRecord, ReadSegment, read_record, read_segment};

use super::cfg::CfgOptions;
use super::declaration::Declaration;
use super::file::range_of;
use super::project::{Package, Target, TargetKind};
use super::scope::Scopes;
use super::walk::Walk;
use crate::declare::catalog::UnreadPlace;

/// The result of reading a file.
struct Sources {
    declarations: Vec<Declaration>,
    unread: Vec<UnreadPlace>,
    scopes: Scopes,
}

/// Reads a file as a program in a workspace in that folder, with the policy file beside it.
fn read_file(root: &Path, file: &str) -> Sources {
    let path = root.join(file).with_file_name("redis-keys.toml");
    let mut package = Package::named("shop", ["enabled"]);
    if path.exists() {
        package.policy = policy::read(&PolicyFile { path, shown: "redis-keys.toml".to_owned() });
    }
    let target = Target {
        package: Rc::new(package),
        kind: TargetKind::Bin,
        name: "shop".to_owned(),
        root: root.join(file),
        has_tests: false,
    };
    let mut walk = Walk::of_folder(root.to_owned(), CfgOptions::parse("unix\ntarget_os=\"linux\""));
    walk.target(&Rc::new(target));
    let (declarations, unread, scopes, _) = walk.finish();
    Sources { declarations, unread, scopes }
}

/// Reads the text of a file.
fn read_text(name: &str, text: &str) -> Sources {
    read_files(name, &[("main.rs", text)])
}

/// Reads files in a folder of the test's own, from `main.rs` on.
fn read_files(name: &str, files: &[(&str, &str)]) -> Sources {
    let folder = std::env::temp_dir().join(format!("redis-keys-sources-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (file, text) in files {
        std::fs::write(folder.join(file), text).unwrap();
    }
    let read = read_file(&folder, "main.rs");
    std::fs::remove_dir_all(&folder).unwrap();
    read
}

impl Declaration {
    /// Reads the record as the derive does.
    fn read_record(&self) -> ReadRecord<'_> {
        read_record(&self.item, self.policy())
    }

    /// Reads the parameter type as the derive does.
    fn read_segment(&self) -> ReadSegment<'_> {
        read_segment(&self.item)
    }

    /// The bytes of the file to underline for a diagnostic. `input` is of the same item.
    fn range_of(&self, input: &Input<'_>, place: &Place) -> Range<usize> {
        range_of(input, place, &self.file.text)
    }

    /// Its name, file, line and column, which identify it for `Siblings`.
    fn identity(&self) -> String {
        let (line, column) = self.position();
        format!("{} {}:{line}:{column}", self.item.ident, self.file.shown)
    }
}
