//! Writing files that are always whole.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::Failure;

/// Fails if a file cannot be written, and does not change it.
pub(crate) fn must_be_writable(file: &Path) -> Result<(), Failure> {
    let is_new = !file.exists();
    OpenOptions::new().append(true).create(true).open(file).map_err(Failure::writing(file))?;
    if is_new {
        fs::remove_file(file).map_err(Failure::writing(file))?;
    }
    Ok(())
}

/// Fails if a file cannot be replaced, and does not change it.
pub(crate) fn must_be_replaceable(file: &Path) -> Result<(), Failure> {
    if fs::exists(file).unwrap_or_default() {
        must_be_writable(file)?;
    }
    let check = || match Target::of(file)? {
        Target::Device => Ok(()),
        Target::Regular(target) => {
            create(&target.partial)?;
            fs::remove_file(&target.partial)
        }
    };
    check().map_err(Failure::writing(file))
}

/// Replaces the content of a file, so that other programs read the old content or the new one, and nothing between.
///
/// The content is written to another file in the same folder, which then gets the name.
pub(crate) fn replace(file: &Path, content: &str) -> Result<(), Failure> {
    let write = || match Target::of(file)? {
        Target::Device => fs::write(file, content),
        Target::Regular(target) => target.replace(content),
    };
    write().map_err(Failure::writing(file))
}

/// A place to write to.
enum Target {
    /// A file that cannot be replaced, such as `/dev/stdout`.
    Device,
    Regular(Regular),
}

/// A file that may not exist yet.
struct Regular {
    file: PathBuf,
    /// The file that is written in its place.
    partial: PathBuf,
    /// The permissions of a file that exists.
    permissions: Option<Permissions>,
}

impl Target {
    fn of(file: &Path) -> io::Result<Self> {
        let (file, permissions) = match fs::metadata(file) {
            Ok(old) if !old.is_file() => return Ok(Self::Device),
            // Behind a symbolic link is the file that is replaced.
            Ok(old) => (fs::canonicalize(file)?, Some(old.permissions())),
            Err(_) => (file.to_owned(), None),
        };
        let mut partial = file.clone().into_os_string();
        partial.push(format!(".{}.part", std::process::id()));
        Ok(Self::Regular(Regular { file, partial: partial.into(), permissions }))
    }
}

impl Regular {
    fn replace(&self, content: &str) -> io::Result<()> {
        let result = self.write(content);
        if result.is_err() {
            let _ = fs::remove_file(&self.partial);
        }
        result
    }

    fn write(&self, content: &str) -> io::Result<()> {
        let mut partial = create(&self.partial)?;
        if let Some(permissions) = &self.permissions {
            partial.set_permissions(permissions.clone())?;
        }
        partial.write_all(content.as_bytes())?;
        partial.sync_all()?;
        fs::rename(&self.partial, &self.file)
    }
}

/// Creates a file, in place of one that an earlier process with the same number has left.
fn create(partial: &Path) -> io::Result<File> {
    let _ = fs::remove_file(partial);
    File::create_new(partial)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on")]
mod tests {
    use super::*;

    /// A folder of a test's own, and the names in it.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("redis-keys-file-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        entries.collect()
    }

    #[test]
    fn a_file_is_replaced_whole() {
        let folder = folder("replaced");
        let file = folder.join("report.prom");
        for content in ["one\n", "another one\n"] {
            replace(&file, content).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), content);
            assert_eq!(names(&folder), ["report.prom"]);
        }
        must_be_replaceable(&file).unwrap();
        must_be_replaceable(&folder.join("new")).unwrap();
        assert_eq!(names(&folder), ["report.prom"]);
        for wrong in [&folder, &folder.join("missing/file")] {
            assert!(must_be_replaceable(wrong).is_err() && replace(wrong, "x").is_err());
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_are_kept() {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

        let folder = folder("kept");
        let (file, link, usual) = (folder.join("private"), folder.join("link"), folder.join("usual"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&file, &link).unwrap();
        let before = fs::metadata(&file).unwrap().ino();
        replace(&link, "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_ne!(fs::metadata(&file).unwrap().ino(), before);
        // A new file has the permissions that the process gives to all of its files.
        replace(&usual, "new").unwrap();
        fs::write(folder.join("other"), "").unwrap();
        let mode = |file: &Path| fs::metadata(file).unwrap().mode() & 0o777;
        assert_eq!([mode(&file), mode(&usual)], [0o600, mode(&folder.join("other"))]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_not_replaced() {
        must_be_replaceable(Path::new("/dev/null")).unwrap();
        replace(Path::new("/dev/null"), "x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
