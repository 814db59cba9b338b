//! Reads a policy file.

use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;
use std::{fs, str};

use redis_keys_schema::{Lint, MAX_POLICY_BYTES, Policy, Warning};

use super::PolicyFile;

/// The time of the last change and the length, which identify a version of the file.
pub type Stamp = Option<(SystemTime, u64)>;

/// The version of a file. `None` if the file cannot be read.
pub fn stamp(path: &Path) -> Stamp {
    let data = fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}

/// A policy file that was read.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The policy, which is the default one if the file has errors.
    pub policy: Arc<Policy>,
    /// The text. Empty if the file cannot be read.
    pub text: String,
    /// The reason why the file cannot be read, whose report is the only error then.
    pub unreadable: Option<Unreadable>,
    /// The reports of the errors.
    pub errors: Vec<String>,
    /// The warnings about names in it.
    pub warnings: Vec<Warning>,
}

/// Reads a policy file.
pub fn read(found: &PolicyFile) -> Document {
    let text = match text(&found.path) {
        Ok(text) => text,
        Err(unreadable) => {
            let Unreadable { message, help } = &unreadable;
            let error = format!("{}: {message}\nhelp: {help}\nrule: policy", found.shown);
            return Document { errors: vec![error], unreadable: Some(unreadable), ..Document::default() };
        }
    };
    let (policy, errors) = Policy::parse(&text);
    let errors: Vec<_> = errors.iter().map(|error| error.report(&found.shown, &text)).collect();
    let (lint, level) = (Lint::MisspeltModule, policy.lints.of(Lint::MisspeltModule));
    let warnings = policy.misspelt.iter().map(|error| error.warning(lint, level, &found.shown, &text)).collect();
    let policy = if errors.is_empty() { Arc::new(policy) } else { Arc::default() };
    Document { policy, text, unreadable: None, errors, warnings }
}

/// The reason why a file cannot be read.
#[derive(Clone, Debug)]
pub struct Unreadable {
    /// The problem.
    pub message: String,
    /// The remedy.
    pub help: &'static str,
}

impl Unreadable {
    fn new(message: impl Into<String>, help: &'static str) -> Self {
        Self { message: message.into(), help }
    }

    fn of(error: &io::Error, path: &Path) -> Self {
        // The error for a link to itself has no stable kind.
        let is_link = fs::symlink_metadata(path).is_ok_and(|data| data.file_type().is_symlink());
        match error.kind() {
            io::ErrorKind::PermissionDenied => {
                Self::new("cannot read the policy file: permission denied", "make it readable")
            }
            _ if is_link => Self::new("the policy file is a broken link", "link it to a file, or remove it"),
            _ => Self::new(format!("cannot read the policy file: {error}"), "replace it by a text file, or remove it"),
        }
    }
}

fn text(path: &Path) -> Result<String, Unreadable> {
    const TEXT_FILE: &str = "replace it by a text file in TOML, or remove it";
    const UTF8: &str = "write it in TOML, encoded in UTF-8";
    let data = fs::metadata(path).map_err(|error| Unreadable::of(&error, path))?;
    if data.is_dir() {
        return Err(Unreadable::new("the policy file is a folder", TEXT_FILE));
    }
    if !data.is_file() {
        return Err(Unreadable::new("the policy file is not a regular file", TEXT_FILE));
    }
    let too_large = || {
        let message = format!("the policy file exceeds the limit of {}KB", MAX_POLICY_BYTES / 1024);
        Err(Unreadable::new(message, "keep only the policy in it, or remove it"))
    };
    if data.len() > MAX_POLICY_BYTES {
        return too_large();
    }
    let mut bytes = Vec::new();
    // The file can have grown since.
    let file = fs::File::open(path).map_err(|error| Unreadable::of(&error, path))?;
    file.take(MAX_POLICY_BYTES + 1).read_to_end(&mut bytes).map_err(|error| Unreadable::of(&error, path))?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > MAX_POLICY_BYTES) {
        return too_large();
    }
    let Ok(text) = String::from_utf8(bytes) else {
        return Err(Unreadable::new("the policy file is not encoded in UTF-8", UTF8));
    };
    if let Some((before, _)) = text.split_once('\0') {
        let line = before.matches('\n').count() + 1;
        return Err(Unreadable::new(format!("the policy file is not text: NUL byte in line {line}"), UTF8));
    }
    Ok(text)
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test that cannot go on")]
mod tests {
    use super::*;

    /// The errors of a file that `make` creates in a new folder.
    fn errors(name: &str, make: impl FnOnce(&Path) -> io::Result<()>) -> Vec<String> {
        let folder = std::env::temp_dir().join(format!("redis-keys-read-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        let path = folder.join("redis-keys.toml");
        make(&path).expect("a file can be made");
        let document = read(&PolicyFile { path, shown: "redis-keys.toml".to_owned() });
        fs::remove_dir_all(&folder).expect("a folder can be removed");
        document.errors
    }

    fn one(message: &str, help: &str) -> Vec<String> {
        vec![format!("redis-keys.toml: {message}\nhelp: {help}\nrule: policy")]
    }

    const TEXT_FILE: &str = "replace it by a text file in TOML, or remove it";

    #[test]
    fn a_file_that_is_not_text_is_one_error() {
        assert_eq!(errors("empty", |path| fs::write(path, "")), [""; 0]);
        assert_eq!(errors("folder", |path| fs::create_dir(path)), one("the policy file is a folder", TEXT_FILE));
        for (binary, message) in [
            (&b"\xff\0"[..], "the policy file is not encoded in UTF-8"),
            (b"\n\n\0\n\0", "the policy file is not text: NUL byte in line 3"),
            // UTF-16, as an editor may save it.
            (b"[\0l\0", "the policy file is not text: NUL byte in line 1"),
        ] {
            let expected = one(message, "write it in TOML, encoded in UTF-8");
            assert_eq!(errors("binary", |path| fs::write(path, binary)), expected);
        }
        let large = one("the policy file exceeds the limit of 64KB", "keep only the policy in it, or remove it");
        assert_eq!(errors("most", |path| fs::write(path, "\n".repeat(64 * 1024))), [""; 0]);
        assert_eq!(errors("more", |path| fs::write(path, "\n".repeat(64 * 1024 + 1))), large);
        // A sparse file of ten megabytes.
        assert_eq!(errors("sparse", |path| fs::File::create(path)?.set_len(10 << 20)), large);
    }

    #[cfg(unix)]
    #[test]
    fn broken_links_and_sockets_are_one_error() {
        use std::os::unix::fs::symlink;
        use std::os::unix::net::UnixListener;

        let broken = one("the policy file is a broken link", "link it to a file, or remove it");
        assert_eq!(errors("circle", |path| symlink(path, path)), broken);
        assert_eq!(errors("nowhere", |path| symlink("nowhere", path)), broken);
        let socket = one("the policy file is not a regular file", TEXT_FILE);
        assert_eq!(errors("socket", |path| UnixListener::bind(path).map(drop)), socket);
    }

    #[test]
    fn errors_of_the_system_are_reported() {
        let path = Path::new("/nowhere/redis-keys.toml");
        let denied = Unreadable::of(&io::ErrorKind::PermissionDenied.into(), path);
        assert_eq!(denied.message, "cannot read the policy file: permission denied");
        let other = Unreadable::of(&io::Error::other("the disk is gone"), path);
        assert_eq!(other.message, "cannot read the policy file: the disk is gone");
    }
}
