//! Writing files that are always whole.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use crate::Failure;

/// Fails if a file cannot be written, and does not change it.
fn must_be_writable(file: &Path) -> Result<(), Failure> {
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
            create(&target.partial, Access::Usual)?;
            fs::remove_file(&target.partial)
        }
    };
    check().map_err(Failure::writing(file))
}

/// The users that may read a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// The users that may read the old content. For a new file, the users that the process lets read all of its files.
    Usual,
    /// Only the owner: the file contains real keys.
    Owner,
}

impl Access {
    /// The access to a file with the text of keys.
    pub(crate) fn to_keys(shows_keys: bool) -> Self {
        if shows_keys { Self::Owner } else { Self::Usual }
    }
}

/// Replaces a file's content, so that other programs read the old content or the new content, and nothing between.
///
/// The content is written to another file in the same folder, which then gets the name.
pub(crate) fn replace(file: &Path, content: &[u8], access: Access) -> Result<(), Failure> {
    replace_with(file, access, |out| out.write_all(content))
}

/// Replaces a file's content by the written text.
pub(crate) fn replace_with(
    file: &Path,
    access: Access,
    write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let replace = || match Target::of(file)? {
        Target::Device => {
            let mut out = BufWriter::new(OpenOptions::new().write(true).open(file)?);
            write(&mut out).and_then(|()| out.flush())
        }
        Target::Regular(target) => {
            let mut partial = PartialFile::create(target.partial, access)?;
            if let Some(permissions) = target.permissions.filter(|_| access == Access::Usual) {
                partial.out.get_ref().set_permissions(permissions)?;
            }
            write(&mut partial.out)?;
            partial.sync()?;
            fs::rename(&partial.path, &target.file)?;
            partial.has_moved = true;
            Ok(())
        }
    };
    replace().map_err(Failure::writing(file))
}

/// A file that does not exist before it is [finished](Self::finish). Until then its content has another name.
pub(crate) struct NewFile {
    path: PathBuf,
    partial: PartialFile,
}

impl NewFile {
    /// Begins a file. Fails if it exists.
    pub(crate) fn create(path: &Path, access: Access) -> io::Result<Self> {
        if fs::symlink_metadata(path).is_ok() {
            return Err(ErrorKind::AlreadyExists.into());
        }
        Ok(Self { path: path.to_owned(), partial: PartialFile::create(partial_name(path), access)? })
    }

    /// Writes a whole file. If it exists, the help says how to go on.
    pub(crate) fn write(path: &Path, content: &[u8], access: Access, help: &'static str) -> Result<(), Failure> {
        let write = || {
            let mut file = Self::create(path, access)?;
            file.out().write_all(content)?;
            file.finish()
        };
        write().map_err(Self::failed(path, help))
    }

    /// The failure to write it. If it exists, the help says how to go on.
    pub(crate) fn failed(path: &Path, help: &'static str) -> impl FnOnce(io::Error) -> Failure {
        move |error| match error.kind() {
            ErrorKind::AlreadyExists => Failure::new(format!("`{}` exists already", path.display())).help(help),
            _ => Failure::writing(path)(error),
        }
    }

    pub(crate) fn out(&mut self) -> &mut dyn io::Write {
        &mut self.partial.out
    }

    /// Gives the file its name, unless another program has created a file of this name meanwhile.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.partial.sync()?;
        match fs::hard_link(&self.partial.path, &self.path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(error),
            // The partial file is removed.
            Ok(()) => return Ok(()),
            // Not every file system has links.
            Err(_) => {}
        }
        if fs::symlink_metadata(&self.path).is_ok() {
            return Err(ErrorKind::AlreadyExists.into());
        }
        fs::rename(&self.partial.path, &self.path)?;
        self.partial.has_moved = true;
        Ok(())
    }
}

/// A file that is removed unless it has moved.
struct PartialFile {
    path: PathBuf,
    out: BufWriter<File>,
    has_moved: bool,
}

impl PartialFile {
    fn create(path: PathBuf, access: Access) -> io::Result<Self> {
        let out = BufWriter::new(create(&path, access)?);
        Ok(Self { path, out, has_moved: false })
    }

    /// Waits until the content is on the disk.
    fn sync(&mut self) -> io::Result<()> {
        self.out.flush()?;
        self.out.get_ref().sync_all()
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        if !self.has_moved {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A place to write to.
enum Target {
    /// A file that cannot be replaced, such as `/dev/stdout`.
    Device,
    Regular(RegularFile),
}

/// A file that may not exist yet.
struct RegularFile {
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
        let partial = partial_name(&file);
        Ok(Self::Regular(RegularFile { file, partial, permissions }))
    }
}

/// The name of the file that is written in place of another file.
fn partial_name(file: &Path) -> PathBuf {
    let mut partial = file.to_owned().into_os_string();
    partial.push(format!(".{}.part", std::process::id()));
    partial.into()
}

/// Creates a file, in place of a file that an earlier process with the same number has left.
fn create(partial: &Path, access: Access) -> io::Result<File> {
    let _ = fs::remove_file(partial);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if access == Access::Owner {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = access;
    options.open(partial)
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
            replace(&file, content.as_bytes(), Access::Usual).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), content);
            assert_eq!(names(&folder), ["report.prom"]);
        }
        must_be_replaceable(&file).unwrap();
        must_be_replaceable(&folder.join("new")).unwrap();
        assert_eq!(names(&folder), ["report.prom"]);
        for wrong in [&folder, &folder.join("missing/file")] {
            assert!(must_be_replaceable(wrong).is_err() && replace(wrong, b"x", Access::Usual).is_err());
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
        replace(&link, b"new", Access::Usual).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_ne!(fs::metadata(&file).unwrap().ino(), before);
        // A new file has the permissions that the process gives to all of its files.
        replace(&usual, b"new", Access::Usual).unwrap();
        fs::write(folder.join("other"), "").unwrap();
        let mode = |file: &Path| fs::metadata(file).unwrap().mode() & 0o777;
        assert_eq!([mode(&file), mode(&usual)], [0o600, mode(&folder.join("other"))]);
        // One with real keys is for its owner only, also where others could read the old one.
        let secret = folder.join("secret");
        fs::set_permissions(&usual, fs::Permissions::from_mode(0o666)).unwrap();
        replace(&usual, b"key", Access::Owner).unwrap();
        NewFile::write(&secret, b"key", Access::Owner, "").unwrap();
        assert_eq!([mode(&usual), mode(&secret)], [0o600; 2]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_new_file_is_whole_or_absent() {
        let folder = folder("new");
        let file = folder.join("plan");
        let mut begun = NewFile::create(&file, Access::Owner).unwrap();
        begun.out().write_all(b"half").unwrap();
        assert!(!file.exists());
        drop(begun);
        assert_eq!(names(&folder), [""; 0]);
        let late = NewFile::create(&file, Access::Usual).unwrap();
        NewFile::write(&file, b"first", Access::Usual, "").unwrap();
        let second = NewFile::write(&file, b"second", Access::Usual, "name another one");
        let exists = Failure::new(format!("`{}` exists already", file.display())).help("name another one");
        assert_eq!(late.finish().unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(second, Err(exists));
        assert_eq!((fs::read_to_string(&file).unwrap(), names(&folder)), ("first".to_owned(), vec!["plan".to_owned()]));
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_not_replaced() {
        must_be_replaceable(Path::new("/dev/null")).unwrap();
        replace(Path::new("/dev/null"), b"x", Access::Usual).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
