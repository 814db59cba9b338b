//! What a checked declaration says.

use std::fmt::Write as _;
use std::time::Duration;

use crate::options::{Jitter, Options, Renew, Ttl, render_bytes, render_duration};
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
}

impl Declaration {
    /// Whether the types of the parameters prove that no key is too long. Otherwise the compiler has to, or the key says so
    /// when it is built.
    pub fn fits(&self) -> bool {
        self.fits
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
                let _ = write!(line, " that expires after {}", render(ttl));
                if let Some(jitter) = self.options.jitter.as_ref().and_then(|given| given.value) {
                    let _ = match jitter {
                        Jitter::Time(time) => write!(line, " and up to {} more", render(time)),
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
                let _ = write!(line, ", anew at a read that finds less than {} left", render(left));
            }
            None => {}
        }
        if let Some(bytes) = self.options.max_bytes.as_ref().and_then(|given| given.value) {
            let _ = write!(line, ", of at most {}", render_bytes(bytes));
        }
        if let Some(count) = self.options.max_len.as_ref().and_then(|given| given.value) {
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

fn render(time: Duration) -> String {
    render_duration(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}
