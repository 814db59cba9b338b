//! Source files, each read and parsed once.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use proc_macro2::TokenStream;
use syn::{Block, Stmt};

/// A source file.
pub(crate) struct SourceFile {
    /// The path to it.
    pub(crate) path: PathBuf,
    /// The path as rustc shows it: relative to the workspace, with `/`.
    pub(crate) shown: String,
    /// Its text, without a byte order mark. Ranges count the bytes of this text.
    pub(crate) text: String,
    /// The offset of each line but the first.
    lines: OnceCell<Vec<usize>>,
    /// What is in it.
    pub(super) syntax: Syntax,
}

/// What is in a file.
pub(super) enum Syntax {
    Items(syn::File),
    /// Statements or an expression, for `include!`.
    Statements(Vec<Stmt>),
    Unparsable {
        /// Why.
        error: String,
        /// The place of the error.
        offset: usize,
    },
}

impl SourceFile {
    /// The line and the column of an offset, from 1. The column counts characters.
    pub(crate) fn position(&self, offset: usize) -> (usize, usize) {
        let starts = self.lines.get_or_init(|| self.text.match_indices('\n').map(|(at, _)| at + 1).collect());
        let line = starts.partition_point(|start| *start <= offset);
        let start = line.checked_sub(1).and_then(|before| starts.get(before)).copied().unwrap_or_default();
        let column = self.text.get(start..offset).map_or(0, |before| before.chars().count());
        (line + 1, column + 1)
    }

    pub(super) fn new(path: PathBuf, shown: String, text: String) -> Self {
        let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
        let syntax = parse(&text);
        Self { path, shown, text, lines: OnceCell::new(), syntax }
    }
}

fn parse(text: &str) -> Syntax {
    let unparsable = |error: syn::Error| {
        let offset = error.span().byte_range().start;
        Syntax::Unparsable { error: error.to_string(), offset }
    };
    let tokens = match without_shebang(text).parse::<TokenStream>() {
        Ok(tokens) => tokens,
        Err(error) => return unparsable(error.into()),
    };
    match syn::parse2(tokens.clone()) {
        Ok(file) => Syntax::Items(file),
        Err(error) => match syn::parse::Parser::parse2(Block::parse_within, tokens) {
            Ok(statements) => Syntax::Statements(statements),
            Err(_) => unparsable(error),
        },
    }
}

/// The text with the first line made a comment if it is a shebang, so that all offsets stay.
fn without_shebang(text: &str) -> std::borrow::Cow<'_, str> {
    match text.strip_prefix("#!") {
        // It can also be the attribute of the file.
        Some(rest) if !rest.trim_start().starts_with('[') => format!("//{rest}").into(),
        _ => text.into(),
    }
}

/// The files that were read.
pub(super) struct Files {
    root: PathBuf,
    read: HashMap<PathBuf, Result<Rc<SourceFile>, String>>,
}

impl Files {
    /// The files of a workspace in that folder.
    pub(super) fn new(root: PathBuf) -> Self {
        Self { root, read: HashMap::new() }
    }

    /// Reads a file, or returns why it cannot be read.
    pub(super) fn read(&mut self, path: &Path) -> Result<Rc<SourceFile>, String> {
        let path = normalized(path);
        if let Some(known) = self.read.get(&path) {
            return known.clone();
        }
        let text = fs::read_to_string(&path).map_err(|error| error.to_string());
        let file = text.map(|text| Rc::new(SourceFile::new(path.clone(), self.shown(&path), text)));
        self.read.insert(path, file.clone());
        file
    }

    /// A path as rustc shows it.
    pub(super) fn shown(&self, path: &Path) -> String {
        shown(&self.root, path)
    }
}

/// A path relative to the workspace, with `/`.
pub(crate) fn shown(root: &Path, path: &Path) -> String {
    let path = normalized(path);
    let shown = path.strip_prefix(root).unwrap_or(&path).to_string_lossy();
    if cfg!(windows) { shown.replace('\\', "/") } else { shown.into_owned() }
}

/// A path without `.` and `..`, so that paths can be compared. Links are not followed.
fn normalized(path: &Path) -> PathBuf {
    let mut folders = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if folders.file_name().is_some() => drop(folders.pop()),
            part => folders.push(part),
        }
    }
    folders
}
