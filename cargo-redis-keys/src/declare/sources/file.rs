//! Source files, each read and parsed once, the folders of modules, and places in files.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::fs;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use proc_macro2::TokenStream;
use redis_keys_schema::Place;
use redis_keys_syntax::{Input, Underline};
use syn::{Block, Stmt};

use crate::render::File;

/// A source file.
pub(crate) struct SourceFile {
    /// The path to it.
    pub(crate) path: PathBuf,
    /// The path as rustc shows it: relative to the workspace, with `/`.
    pub(crate) shown: String,
    /// Its text, without a byte order mark. Ranges count this text's bytes.
    pub(crate) text: String,
    /// The offset of each line but the first.
    lines: OnceCell<Vec<usize>>,
    pub(super) syntax: Syntax,
}

/// The parsed content of a file.
pub(super) enum Syntax {
    Items(syn::File),
    /// Statements or an expression, for `include!`.
    Statements(Vec<Stmt>),
    Unparsable {
        error: String,
        /// The error's place.
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

    /// Its path and its text, for findings.
    pub(crate) fn copy(&self) -> Rc<File> {
        Rc::new(File { path: self.shown.clone(), text: self.text.clone() })
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
        // It can also be the file's attribute.
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

/// The folder of the files of modules, as rustc finds them.
#[derive(Clone, Debug)]
pub(super) struct Directory {
    path: PathBuf,
    /// The folder inside of it for the modules of a file such as `keys.rs`. A `#[path]` does not count from there.
    relative: Option<String>,
}

impl Directory {
    /// Returns the folder of a root file, of a `mod.rs`, and of a file that `#[path]` or `include!` names.
    pub(super) fn of_file(file: &Path) -> Self {
        Self { path: file.parent().map(Path::to_owned).unwrap_or_default(), relative: None }
    }

    /// Returns the folder of an inline module.
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

/// The bytes of a place in the text of the item's file: the tokens' bytes, or a part of a string literal.
pub(crate) fn range_of(input: &Input<'_>, place: &Place, text: &str) -> Range<usize> {
    let Underline { tokens, literal } = input.underline(place);
    let mut ranges = tokens.into_iter().map(|token| token.span().byte_range());
    let first = ranges.next().unwrap_or_default();
    let whole = first.start..ranges.last().map_or(first.end, |last| last.end).max(first.start);
    let (Some((rendered, literal)), Some(part)) = (literal, part(place)) else { return whole };
    // A literal's text is the same in both, with its quotes and its escapes.
    let inside = whole.start + (part.start - literal.start)..whole.start + (part.end - literal.start);
    let is_same = rendered.get(literal).is_some_and(|written| text.get(whole.clone()) == Some(written));
    if is_same && text.get(inside.clone()).is_some() { inside } else { whole }
}

/// The part of an attribute's text.
fn part(place: &Place) -> Option<&Range<usize>> {
    match place {
        Place::Attribute(range) | Place::FieldAttribute(.., range) | Place::VariantAttribute(.., range) => Some(range),
        _ => None,
    }
}
