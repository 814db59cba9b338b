//! What a policy file says, and what is wrong with it.

use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;
use std::{fs, str};

use redis_keys_schema::{Lint, MAX_POLICY_BYTES, Policy, Warning};

use super::find::Found;

/// What tells a file from what it was: the time of its last change and its length.
pub(super) type Stamp = Option<(SystemTime, u64)>;

pub(super) fn stamp(path: &Path) -> Stamp {
    let data = fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}

/// A policy file that was read.
#[derive(Clone, Debug, Default)]
pub(super) struct Document {
    /// What it says. One with mistakes says nothing.
    pub(super) policy: Arc<Policy>,
    /// What is wrong with it.
    pub(super) faults: Vec<String>,
    /// What is doubted of it.
    pub(super) warnings: Vec<Warning>,
}

pub(super) fn read(found: &Found) -> Document {
    let text = match text(&found.path) {
        Ok(text) => text,
        Err(Fault { message, help }) => {
            let fault = format!("{}: {message}\nhelp: {help}\nrule: policy", found.shown);
            return Document { faults: vec![fault], ..Document::default() };
        }
    };
    let (policy, faults) = Policy::parse(&text);
    let faults: Vec<_> = faults.iter().map(|fault| fault.told(&found.shown, &text).to_string()).collect();
    let (lint, level) = (Lint::MisspeltModule, policy.lints.of(Lint::MisspeltModule));
    let warnings = policy.doubts.iter().map(|doubt| doubt.warning(lint, level, &found.shown, &text)).collect();
    // Half of a policy would say what nobody has meant.
    let policy = if faults.is_empty() { Arc::new(policy) } else { Arc::default() };
    Document { policy, faults, warnings }
}

/// Why a file can't be read.
struct Fault {
    message: String,
    help: &'static str,
}

impl Fault {
    fn new(message: impl Into<String>, help: &'static str) -> Self {
        Self { message: message.into(), help }
    }

    fn of(error: &io::Error, path: &Path) -> Self {
        // What the system says of a link in a circle has no stable name.
        let link = fs::symlink_metadata(path).is_ok_and(|data| data.file_type().is_symlink());
        match error.kind() {
            io::ErrorKind::PermissionDenied => {
                Self::new("the policy file can't be read: permission denied", "let it be read by whoever builds")
            }
            _ if link => {
                Self::new("the policy file is a link that leads to no file", "let it lead to one, or remove it")
            }
            _ => Self::new(format!("the policy file can't be read: {error}"), "let it be a text file, or remove it"),
        }
    }
}

fn text(path: &Path) -> Result<String, Fault> {
    const A_FILE: &str = "let it be a text file in TOML, or remove it";
    const IN_UTF8: &str = "write it in TOML, in UTF-8";
    let data = fs::metadata(path).map_err(|error| Fault::of(&error, path))?;
    if data.is_dir() {
        return Err(Fault::new("the policy file is a folder", A_FILE));
    }
    if !data.is_file() {
        return Err(Fault::new("the policy file is no file that can be read", A_FILE));
    }
    let too_large = || {
        let message = format!("a policy file has at most {} KB, and this is larger", MAX_POLICY_BYTES / 1024);
        Err(Fault::new(message, "let it be the policy alone, or remove it"))
    };
    if data.len() > MAX_POLICY_BYTES {
        return too_large();
    }
    let mut bytes = Vec::new();
    // It may have grown since.
    let file = fs::File::open(path).map_err(|error| Fault::of(&error, path))?;
    file.take(MAX_POLICY_BYTES + 1).read_to_end(&mut bytes).map_err(|error| Fault::of(&error, path))?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > MAX_POLICY_BYTES) {
        return too_large();
    }
    let Ok(text) = String::from_utf8(bytes) else {
        return Err(Fault::new("the policy file is no text in UTF-8", IN_UTF8));
    };
    if let Some((before, _)) = text.split_once('\0') {
        let line = before.matches('\n').count() + 1;
        return Err(Fault::new(format!("the policy file is no text: line {line} has a NUL byte"), IN_UTF8));
    }
    Ok(text)
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test that cannot go on")]
mod tests {
    use super::*;

    /// What is told of a file that is made in a folder of this test's own.
    fn told(name: &str, make: impl FnOnce(&Path) -> io::Result<()>) -> Vec<String> {
        let folder = std::env::temp_dir().join(format!("redis-keys-read-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        let path = folder.join("redis-keys.toml");
        make(&path).expect("a file can be made");
        let document = read(&Found { path, shown: "redis-keys.toml".to_owned() });
        fs::remove_dir_all(&folder).expect("a folder can be removed");
        document.faults
    }

    fn one(message: &str, help: &str) -> Vec<String> {
        vec![format!("redis-keys.toml: {message}\nhelp: {help}\nrule: policy")]
    }

    #[test]
    fn each_file_that_is_none_is_told_once() {
        let a_file = "let it be a text file in TOML, or remove it";
        assert_eq!(told("empty", |path| fs::write(path, "")), [""; 0]);
        assert_eq!(told("folder", |path| fs::create_dir(path)), one("the policy file is a folder", a_file));
        for (binary, message) in [
            (&b"\xff\0"[..], "the policy file is no text in UTF-8"),
            (b"modules\0", "the policy file is no text: line 1 has a NUL byte"),
            (b"\n\n\0\n\0", "the policy file is no text: line 3 has a NUL byte"),
            // UTF-16, as an editor may save it.
            (b"[\0l\0", "the policy file is no text: line 1 has a NUL byte"),
        ] {
            let expected = one(message, "write it in TOML, in UTF-8");
            assert_eq!(told("binary", |path| fs::write(path, binary)), expected);
        }
        let large =
            one("a policy file has at most 64 KB, and this is larger", "let it be the policy alone, or remove it");
        assert_eq!(told("most", |path| fs::write(path, "\n".repeat(64 * 1024))), [""; 0]);
        assert_eq!(told("more", |path| fs::write(path, "\n".repeat(64 * 1024 + 1))), large);
        // One that says it is ten megabytes long and has no bytes on the disk.
        assert_eq!(told("sparse", |path| fs::File::create(path)?.set_len(10 << 20)), large);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_pipes_are_told_once() {
        use std::os::unix::fs::symlink;
        use std::os::unix::net::UnixListener;

        let nowhere = one("the policy file is a link that leads to no file", "let it lead to one, or remove it");
        assert_eq!(told("circle", |path| symlink(path, path)), nowhere);
        assert_eq!(told("nowhere", |path| symlink("nowhere", path)), nowhere);
        let none = one("the policy file is no file that can be read", "let it be a text file in TOML, or remove it");
        assert_eq!(told("socket", |path| UnixListener::bind(path).map(drop)), none);
    }

    #[test]
    fn what_the_system_refuses_is_told() {
        let path = Path::new("/nowhere/redis-keys.toml");
        let denied = Fault::of(&io::ErrorKind::PermissionDenied.into(), path);
        assert_eq!(denied.message, "the policy file can't be read: permission denied");
        let other = Fault::of(&io::Error::other("the disk is gone"), path);
        assert_eq!(other.message, "the policy file can't be read: the disk is gone");
    }
}
