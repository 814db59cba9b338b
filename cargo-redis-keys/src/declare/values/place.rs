//! The places of findings.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::declare::catalog::Key;
use crate::render::{File, Location};

/// Finds places in the files of a workspace.
pub(super) struct Places {
    root: PathBuf,
    files: RefCell<HashMap<String, Rc<File>>>,
}

impl Places {
    pub(super) fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), files: RefCell::default() }
    }

    /// The name of a declaration.
    pub(super) fn of_key(&self, key: &Key) -> Location {
        let file = self.file(&key.file);
        let range = file.line(usize::try_from(key.line).unwrap_or(usize::MAX));
        word(file, range, &key.name)
    }

    fn file(&self, path: &str) -> Rc<File> {
        let read = || {
            let text = fs::read_to_string(self.root.join(path)).unwrap_or_default();
            Rc::new(File { path: path.to_owned(), text })
        };
        Rc::clone(self.files.borrow_mut().entry(path.to_owned()).or_insert_with(read))
    }
}

/// The file of the values.
pub(super) struct ValuesPlaces {
    file: Rc<File>,
}

impl ValuesPlaces {
    pub(super) fn new(name: &str, text: &str) -> Self {
        Self { file: Rc::new(File { path: name.to_owned(), text: text.to_owned() }) }
    }

    /// The name of the file.
    pub(super) fn name(&self) -> &str {
        &self.file.path
    }

    /// The header of a template, or the start of the file.
    pub(super) fn of_template(&self, template: &str) -> Location {
        let quoted = format!("\"{template}\"");
        let start = self.file.text.find(&quoted).unwrap_or_default();
        let end = if self.file.text.get(start..).is_some_and(|text| text.starts_with(&quoted)) {
            start + quoted.len()
        } else {
            start
        };
        Location { file: Rc::clone(&self.file), range: start..end }
    }
}

/// A word in a range, or the whole range.
fn word(file: Rc<File>, range: std::ops::Range<usize>, word: &str) -> Location {
    let line = file.text.get(range.clone()).unwrap_or_default();
    let is_word = |at: usize| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        let after = line.get(at + word.len()..).and_then(|text| text.chars().next());
        ![before, after].into_iter().flatten().any(|c| c.is_alphanumeric() || c == '_')
    };
    let at = line.match_indices(word).map(|(at, _)| at).find(|at| !word.is_empty() && is_word(*at));
    let range = if let Some(at) = at {
        range.start + at..range.start + at + word.len()
    } else {
        let indent = line.len() - line.trim_start().len();
        range.start + indent..range.start + line.trim_end().len().max(indent)
    };
    Location { file, range }
}
