//! Macros that declare keys, and calls of macros.

use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::Parser as _;
use syn::spanned::Spanned as _;
use syn::{Block, ItemMacro, LitStr, Macro};

use super::super::file::{Directory, SourceFile};
use super::super::project::{Target, with_dependents};
use super::super::scope::{ScopeId, name};
use super::{Visitor, offset};
use crate::declare::catalog::UnreadPlace;

/// Macros whose arguments are tokens, not items.
const QUOTES: [&str; 4] = ["quote", "quote_spanned", "parse_quote", "parse_quote_spanned"];

/// The macros of the workspace, and their calls.
#[derive(Default)]
pub(crate) struct Macros {
    definitions: Vec<Definition>,
    calls: Vec<Call>,
}

/// A `macro_rules!`.
struct Definition {
    name: String,
    file: Rc<SourceFile>,
    range: Range<usize>,
    /// Whether it names `redis_key`.
    declares: bool,
    /// The macros that it calls.
    calls: Vec<String>,
    is_listed: bool,
}

/// A call of a macro.
pub(crate) struct Call {
    pub(crate) name: String,
    /// The call's file.
    pub(crate) file: Rc<SourceFile>,
    /// The call's bytes.
    pub(crate) range: Range<usize>,
    pub(crate) module: String,
    /// The scope of the names in it.
    pub(crate) scope: ScopeId,
    pub(crate) target: Rc<Target>,
    is_listed: bool,
}

impl Macros {
    /// The macros that declare keys, themselves or through others.
    fn makers(&self) -> HashSet<&str> {
        let declares = |definition: &&Definition| definition.declares;
        let makers = self.definitions.iter().filter(declares).map(|made| &*made.name).collect();
        with_dependents(makers, &self.definitions.iter().map(|made| (&*made.name, &*made.calls)))
    }

    /// The smallest call at a line and a column of a file, with the macro's name.
    pub(crate) fn call_at(
        &self,
        is_in_target: &impl Fn(&Target) -> bool,
        file: &str,
        at: (usize, usize),
    ) -> Option<(String, Option<&Call>)> {
        let calls = self.calls.iter().filter(|call| call.file.shown == file && contains(&call.file, &call.range, at));
        let call = calls.filter(|call| is_in_target(&call.target)).min_by_key(|call| call.range.len())?;
        Some((call.name.clone(), Some(call)))
    }

    /// The name of the macro that is defined at a line and a column of a file.
    pub(crate) fn definition_at(&self, file: &str, at: (usize, usize)) -> Option<&str> {
        let mut definitions = self.definitions.iter().filter(|made| made.file.shown == file);
        definitions.find(|made| contains(&made.file, &made.range, at)).map(|made| made.name.as_str())
    }

    /// The only call of a macro in a target.
    pub(crate) fn only_call(&self, is_in_target: &impl Fn(&Target) -> bool, name: &str) -> Option<&Call> {
        let mut calls = self.calls.iter().filter(|call| call.name == name && is_in_target(&call.target));
        let first = calls.next()?;
        // The walk for the unit tests finds it again.
        calls.all(|call| call.file.shown == first.file.shown && call.range == first.range).then_some(first)
    }

    /// The definitions that declare keys, and the calls that do.
    pub(super) fn unread(&self) -> Vec<UnreadPlace> {
        let makers = self.makers();
        let place = |file: &SourceFile, at: usize, why: String| UnreadPlace {
            file: file.shown.clone(),
            line: file.position(at).0,
            why,
        };
        let definitions = self.definitions.iter().filter(|definition| definition.declares && definition.is_listed);
        let definitions = definitions
            .map(|made| place(&made.file, made.range.start, format!("`macro_rules! {}` declares keys", made.name)));
        let calls = self.calls.iter().filter(|call| call.is_listed && makers.contains(&*call.name));
        let calls = calls.map(|call| place(&call.file, call.range.start, format!("`{}!` declares keys", call.name)));
        definitions.chain(calls).collect()
    }
}

/// Whether a range of a file contains a line and a column.
fn contains(file: &SourceFile, range: &Range<usize>, at: (usize, usize)) -> bool {
    file.position(range.start) <= at && at < file.position(range.end)
}

impl Visitor<'_> {
    /// Registers a `macro_rules!`.
    pub(super) fn macro_rules(&mut self, item: &ItemMacro) {
        let Some(ident) = &item.ident else { return };
        let scan = Scan::of(item.mac.tokens.clone());
        let definition = Definition {
            name: name(ident),
            file: Rc::clone(&self.file),
            range: offset(item.mac.path.span())..item.mac.delimiter.span().close().byte_range().end,
            declares: scan.declares,
            calls: scan.calls.into_iter().map(|(name, _)| name).collect(),
            is_listed: self.is_listed(),
        };
        self.walk.macros.definitions.push(definition);
    }

    /// Visits a call: the file that it includes, or its arguments if they are items or statements.
    pub(super) fn macro_call(&mut self, call: &Macro) {
        let Some(last) = call.path.segments.last() else { return };
        let name = name(&last.ident);
        let range = offset(call.path.span())..call.delimiter.span().close().byte_range().end;
        if name == "include" {
            return self.include(call, range.start);
        }
        self.called(name.clone(), range.clone());
        let scan = Scan::of(call.tokens.clone());
        if QUOTES.contains(&name.as_str()) {
            if scan.declares {
                self.unread_at(range.start, format!("`{name}!` declares keys"));
            }
            return;
        }
        if name == "stringify" {
            return;
        }
        if scan.has_items {
            if let Ok(file) = syn::parse2::<syn::File>(call.tokens.clone()) {
                return self.items(&file.items);
            }
            if let Ok(statements) = Block::parse_within.parse2(call.tokens.clone()) {
                return self.statements(&statements);
            }
        }
        self.tokens(scan, range.start, &format!("`{name}!`"));
    }

    /// Notes an item that the parser does not know.
    pub(super) fn unknown_syntax(&mut self, tokens: &TokenStream) {
        let at = tokens.clone().into_iter().next().map_or(0, |token| offset(token.span()));
        self.tokens(Scan::of(tokens.clone()), at, "unknown syntax");
    }

    /// Notes tokens that could not be read.
    fn tokens(&mut self, scan: Scan, at: usize, what: &str) {
        if scan.declares {
            self.unread_at(at, format!("{what} declares keys"));
        }
        for (name, range) in scan.calls {
            self.called(name, range);
        }
    }

    fn called(&mut self, name: String, range: Range<usize>) {
        let (file, target) = (Rc::clone(&self.file), Rc::clone(self.target));
        let call = Call {
            name,
            file,
            range,
            module: self.module_path(),
            scope: self.scope,
            target,
            is_listed: self.is_listed(),
        };
        self.walk.macros.calls.push(call);
    }

    /// Visits an included file.
    fn include(&mut self, call: &Macro, at: usize) {
        let Ok(path) = call.parse_body::<LitStr>() else {
            return self.unread_at(at, "`include!` of a computed path".to_owned());
        };
        let folder = self.file.path.parent().map(std::path::Path::to_owned).unwrap_or_default();
        let path = folder.join(path.value());
        self.other_file(&path, Directory::of_file(&path), at);
    }
}

/// The relevant contents of tokens.
#[derive(Default)]
struct Scan {
    /// Whether they name `redis_key`, derive `RedisKey` or include a file.
    declares: bool,
    /// Whether they can contain items that matter.
    has_items: bool,
    /// The calls of macros.
    calls: Vec<(String, Range<usize>)>,
}

impl Scan {
    fn of(tokens: TokenStream) -> Self {
        let mut scan = Self::default();
        scan.add(tokens);
        scan
    }

    fn add(&mut self, tokens: TokenStream) {
        const ITEMS: [&str; 8] =
            ["redis_key", "redis_hash", "RedisKey", "RedisHash", "KeySegment", "mod", "include", "macro_rules"];
        // The last name, and whether a `!` follows it.
        let mut before: Option<(String, usize, bool)> = None;
        for token in tokens {
            before = match token {
                TokenTree::Ident(ident) => {
                    let name = name(&ident);
                    self.declares |= name == "redis_key";
                    self.has_items |= ITEMS.contains(&name.as_str());
                    Some((name, offset(ident.span()), false))
                }
                TokenTree::Punct(sign) if sign.as_char() == '!' => before.map(|(name, at, _)| (name, at, true)),
                TokenTree::Group(group) => {
                    match before {
                        Some((name, at, true)) if group.delimiter() != Delimiter::None => {
                            // The file's content is unknown.
                            self.declares |= name == "include";
                            self.calls.push((name, at..group.span_close().byte_range().end));
                        }
                        Some((name, ..)) if name == "derive" => self.declares |= names_key(group.stream()),
                        _ => {}
                    }
                    self.add(group.stream());
                    None
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => None,
            };
        }
    }
}

/// Whether derives include the derive of a key.
fn names_key(derives: TokenStream) -> bool {
    derives.into_iter().any(|token| matches!(token, TokenTree::Ident(name) if name == "RedisKey"))
}
