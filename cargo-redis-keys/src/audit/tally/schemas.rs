//! The declarations, as an audit uses them.

use super::limits::Limits;
use crate::audit::look::RedisType;
use crate::catalogue::{Catalogue, Matcher};

/// The declarations, as an audit uses them.
pub(crate) struct Schemas {
    /// The declarations.
    pub(crate) catalogue: Catalogue,
    /// The namespace before all keys.
    pub(crate) namespace: Option<String>,
    matcher: Matcher,
    limits: Vec<Limits>,
}

impl Schemas {
    /// The declarations of a catalogue, and the namespace before their keys.
    pub(crate) fn new(catalogue: Catalogue, namespace: Option<&str>) -> Self {
        let matcher = Matcher::new(&catalogue, namespace);
        let limits = catalogue.keys.iter().map(Limits::of).collect();
        Self { catalogue, namespace: namespace.map(str::to_owned), matcher, limits }
    }

    /// The number of the declaration that can produce this key.
    pub(crate) fn find(&self, key: &[u8]) -> Option<usize> {
        self.matcher.find(key)
    }

    /// What the declaration of a key allows. For a key of another type, and without a declaration, the default limits apply.
    pub(super) fn limits(&self, declaration: Option<usize>, redis_type: RedisType) -> Limits {
        let declared = declaration.and_then(|number| self.limits.get(number));
        let default = Limits::default_of(redis_type);
        match declared {
            Some(limits) if limits.redis_type == redis_type => *limits,
            Some(limits) => Limits { lifetime_ms: limits.lifetime_ms, bucket: limits.bucket, ..default },
            None => default,
        }
    }

    /// What the declaration allows.
    pub(crate) fn declared(&self, declaration: usize) -> Option<&Limits> {
        self.limits.get(declaration)
    }

    /// A key without the namespace.
    pub(crate) fn without_namespace<'k>(&self, key: &'k [u8]) -> &'k [u8] {
        let namespace = self.namespace.as_deref().map(str::as_bytes);
        namespace.and_then(|namespace| key.strip_prefix(namespace)?.strip_prefix(b":")).unwrap_or(key)
    }
}
