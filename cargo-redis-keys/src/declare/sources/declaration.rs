//! An item that declares a key, a record or a parameter type.

use std::rc::Rc;

use redis_keys_schema::Policy;
use redis_keys_syntax::{ReadKey, read_key};
use syn::DeriveInput;

use super::file::SourceFile;
use super::project::{Package, Target};
use super::scope::ScopeId;

/// An item that declares a key, a record or a parameter type.
#[derive(Clone)]
pub(crate) struct Declaration {
    pub(crate) kind: DeclarationKind,
    /// The target that it belongs to.
    pub(crate) target: Rc<Target>,
    /// The file that it is in.
    pub(crate) file: Rc<SourceFile>,
    /// The offset of its name in the file, in bytes, which identifies it there.
    pub(crate) offset: usize,
    /// The item, with the attributes behind `cfg_attr` and without the fields that are not compiled.
    pub(crate) item: Rc<DeriveInput>,
    /// The path of its module inside of the target, such as `keys::user`. Empty for the root.
    pub(crate) module: String,
    /// The `cfg` under which it is declared, if it cannot be decided.
    pub(crate) condition: Option<String>,
    /// Whether `#[allow(deprecated)]` or `#[allow(warnings)]` silences the warnings of its lints, except lints that a
    /// policy denies.
    pub(crate) is_silenced: bool,
    /// Whether it is only compiled for tests.
    pub(crate) is_test: bool,
    /// The scope of the names in it.
    pub(super) scope: ScopeId,
}

/// A declaration's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum DeclarationKind {
    /// A key: the item derives `RedisKey`.
    Key,
    /// A record: the item derives `RedisHash`.
    Record,
    /// A parameter type: the item derives `KeySegment`.
    Segment,
}

impl Declaration {
    /// The package that declares it.
    pub(crate) fn package(&self) -> &Package {
        &self.target.package
    }

    /// The package's policy, which is the default policy if its file has errors.
    pub(crate) fn policy(&self) -> &Policy {
        &self.package().policy.policy
    }

    /// Reads the key as the derive does.
    pub(crate) fn read_key(&self) -> ReadKey<'_> {
        read_key(&self.item, self.policy())
    }

    /// The line and the column of its name, from 1.
    pub(crate) fn position(&self) -> (usize, usize) {
        self.file.position(self.offset)
    }
}
