//! Policy files that cannot be checked in.

use std::fs;
use std::path::Path;

use crate::support::must;

/// Creates the file of a case by the name of the case.
pub(crate) fn create(case: &str, path: &Path) {
    match case {
        "file_binary" => must(fs::write(path, b"[limits]\n\xff\xfe\x00"), path),
        // A link to itself.
        "file_circle" => link(path),
        "file_empty" => must(fs::write(path, ""), path),
        "file_folder" => must(fs::create_dir(path), path),
        "file_nul" => must(fs::write(path, b"[limits]\nmax_len = 1\x000\n"), path),
        // Skipped for users who can read any file.
        "file_unreadable" => {
            must(fs::write(path, "modules = [\"shop\"]"), path);
            forbid_reading(path);
        }
        // A file that exceeds the limit is not read.
        "file_large" => must(fs::write(path, "# nothing\n".repeat(1024 * 1024)), path),
        _ => {}
    }
}

/// Returns whether a case can be tested: an administrator can read every file.
pub(crate) fn is_possible(case: &str, path: &Path) -> bool {
    case != "file_unreadable" || fs::File::open(path).is_err()
}

/// Removes the file of an earlier run.
pub(crate) fn remove(path: &Path) {
    let Ok(data) = fs::symlink_metadata(path) else { return };
    must(if data.is_dir() { fs::remove_dir(path) } else { fs::remove_file(path) }, path);
}

#[cfg(unix)]
fn link(path: &Path) {
    must(std::os::unix::fs::symlink("redis-keys.toml", path), path);
}

#[cfg(not(unix))]
fn link(_: &Path) {}

#[cfg(unix)]
fn forbid_reading(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;

    must(fs::set_permissions(path, fs::Permissions::from_mode(0o000)), path);
}

#[cfg(not(unix))]
fn forbid_reading(_: &Path) {}
