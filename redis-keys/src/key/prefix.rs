//! What stands in front of every key.

use crate::key::namespace;
#[cfg(any(test, feature = "testing"))]
use crate::{testing, testing::Prefix};

/// What stands in front of the keys of this process, and in tests of this thread.
#[derive(Clone, Copy)]
pub(crate) struct Front {
    #[cfg(any(test, feature = "testing"))]
    prefix: Option<Prefix>,
    pub(super) namespace: Option<&'static str>,
}

impl Front {
    /// As keys have it that are built now.
    pub(crate) fn now() -> Self {
        Self {
            #[cfg(any(test, feature = "testing"))]
            prefix: testing::prefix(),
            namespace: namespace::of_keys(),
        }
    }

    /// It as text.
    pub(crate) fn text(self) -> String {
        let mut text = String::new();
        #[cfg(any(test, feature = "testing"))]
        if let Some(prefix) = self.prefix {
            text.push_str(&prefix);
        }
        if let Some(namespace) = self.namespace {
            text.push_str(namespace);
            text.push(':');
        }
        text
    }

    /// A key without the prefix of a test.
    #[cfg_attr(not(any(test, feature = "testing")), allow(clippy::unused_self, clippy::unnecessary_wraps))]
    pub(super) fn strip(self, key: &[u8]) -> Option<&[u8]> {
        #[cfg(any(test, feature = "testing"))]
        if let Some(prefix) = self.prefix {
            return key.strip_prefix(prefix.as_bytes());
        }
        Some(key)
    }
}
