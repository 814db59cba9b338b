//! What a checked declaration says.

use std::fmt::Write as _;
use std::time::Duration;

use redis_keys_core::duration;

use crate::options::{Jitter, Options, Renew, Ttl, render_bytes};
use crate::template::Template;

/// A key's declaration, as far as it could be read.
#[derive(Clone, Debug, Default)]
pub struct Declaration {
    /// The template, if there is one.
    pub template: Option<Template>,
    /// The options.
    pub options: Options,
    /// Whether it is proved that no parameter makes the key too long.
    pub(crate) fits: bool,
    /// How many bytes the key has at most, as far as the types of its parameters say it.
    pub(crate) longest: Option<usize>,
    /// What the project's policy says where the key says nothing.
    pub(crate) inherited: Inherited,
}

/// What the project's policy says where a key says nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inherited {
    pub(crate) max_bytes: Option<u64>,
    pub(crate) max_len: Option<u64>,
    pub(crate) max_member_bytes: Option<u64>,
    pub(crate) max_key_bytes: Option<usize>,
    pub(crate) owner: Option<String>,
}

impl Declaration {
    /// Whether the types of the parameters prove that no key is too long. Otherwise the compiler has to, or the key says so
    /// when it is built.
    pub fn fits(&self) -> bool {
        self.fits
    }

    /// How many bytes a string may have, where it is declared or less than usual.
    pub fn max_bytes(&self) -> Option<u64> {
        self.options.max_bytes.as_ref().and_then(|given| given.value).or(self.inherited.max_bytes)
    }

    /// How many elements a collection may have, where it is declared or less than usual.
    pub fn max_len(&self) -> Option<u64> {
        self.options.max_len.as_ref().and_then(|given| given.value).or(self.inherited.max_len)
    }

    /// How many bytes each element may have, where it is declared or less than usual.
    pub fn max_member_bytes(&self) -> Option<u64> {
        self.options.max_member_bytes.as_ref().and_then(|given| given.value).or(self.inherited.max_member_bytes)
    }

    /// How many bytes the key may have, where it is less than usual.
    pub fn max_key_bytes(&self) -> Option<usize> {
        self.inherited.max_key_bytes
    }

    /// Who answers for the key's module, where the key names nobody.
    pub fn inherited_owner(&self) -> Option<&str> {
        self.inherited.owner.as_deref()
    }

    /// How long a key lives, if that could be read.
    pub fn ttl(&self) -> Option<Ttl> {
        self.options.ttl.as_ref().and_then(|given| given.value)
    }

    /// The most that is added to the expiry.
    pub fn jitter(&self) -> Option<Duration> {
        let Some(Ttl::After(ttl)) = self.ttl() else { return None };
        let jitter = self.options.jitter.as_ref().and_then(|given| given.value);
        jitter.map(|jitter| jitter.of(ttl))
    }

    /// The declaration in a line, as it stands in the docs of what is generated:
    /// template, type, expiry and sizes.
    pub fn summary(&self) -> String {
        let mut line = String::new();
        if let Some(template) = &self.template {
            let _ = write!(line, "`{}`", template.text);
            if let Some(kind) = template.kind {
                let _ = write!(line, ", a {kind}");
            }
        }
        match self.ttl() {
            Some(Ttl::Never) => line.push_str(" that never expires"),
            Some(Ttl::After(ttl)) => {
                let from = self.options.ttl_from_end_of.as_ref().and_then(|given| given.value);
                let _ = match from {
                    Some(span) => {
                        write!(line, " that expires {} after the end of its {}", duration::render(ttl), span.name())
                    }
                    None => write!(line, " that expires after {}", duration::render(ttl)),
                };
                if let Some(jitter) = self.options.jitter.as_ref().and_then(|given| given.value) {
                    let _ = match jitter {
                        Jitter::Time(time) => write!(line, " and up to {} more", duration::render(time)),
                        Jitter::Percent(percent) => write!(line, " and up to {percent}% more"),
                    };
                }
            }
            None => {}
        }
        match self.options.renew.as_ref().and_then(|given| given.value) {
            Some(Renew::Write) => line.push_str(", anew at each write"),
            Some(Renew::Read) => line.push_str(", anew at each read and write"),
            Some(Renew::Below(left)) => {
                let _ = write!(line, ", anew at a read that finds less than {} left", duration::render(left));
            }
            None => {}
        }
        if let Some(bytes) = self.max_bytes() {
            let _ = write!(line, ", of at most {}", render_bytes(bytes));
        }
        if let Some(count) = self.max_len() {
            let _ = write!(line, ", of at most {count} elements");
        }
        if let Some(keep) = self.options.keep_last.as_ref().and_then(|given| given.value) {
            let about = if keep.about { "about " } else { "" };
            let _ = write!(line, ", of which the last {about}{} are kept", keep.count);
        }
        if let Some(count) = self.options.keep_top.as_ref().and_then(|given| given.value) {
            let _ = write!(line, ", of which the top {count} are kept");
        }
        line.push('.');
        line
    }
}
