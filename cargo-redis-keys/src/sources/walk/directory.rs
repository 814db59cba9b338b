//! The folders in which modules have their files.

use std::path::{Path, PathBuf};

/// Where the files of modules are, as rustc finds them.
#[derive(Clone, Debug)]
pub(super) struct Directory {
    path: PathBuf,
    /// The folder inside of it for the modules of a file such as `keys.rs`. A `#[path]` does not count from there.
    relative: Option<String>,
}

impl Directory {
    /// That of a root file, of a `mod.rs`, and of a file that `#[path]` or `include!` names.
    pub(super) fn of_file(file: &Path) -> Self {
        Self { path: file.parent().map(Path::to_owned).unwrap_or_default(), relative: None }
    }

    /// That of an inline module.
    pub(super) fn inline(&self, module: &str, path: Option<&str>) -> Self {
        let path = match path {
            Some(path) => self.path.join(path),
            None => self.path.join(self.relative.as_deref().unwrap_or_default()).join(module),
        };
        Self { path, relative: None }
    }

    /// The file that a `#[path]` names.
    pub(super) fn named(&self, path: &str) -> PathBuf {
        self.path.join(path)
    }

    /// The file of a module without `#[path]`, and where its own modules have their files. The file need not be there.
    pub(super) fn module(&self, module: &str) -> (PathBuf, Self) {
        let folder = self.path.join(self.relative.as_deref().unwrap_or_default());
        let (file, in_folder) = (folder.join(format!("{module}.rs")), folder.join(module).join("mod.rs"));
        if !file.is_file() && in_folder.is_file() {
            let directory = Self::of_file(&in_folder);
            return (in_folder, directory);
        }
        let directory = Self { relative: Some(module.to_owned()), ..Self::of_file(&file) };
        (file, directory)
    }
}
