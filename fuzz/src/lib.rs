//! The bodies of the fuzz targets: each takes any bytes, and panics if a promise is broken.
//!
//! The tests of the workspace include this file and run the bodies on the committed inputs.

mod declarations;
mod keys;
mod legacy;
mod policies;
mod replies;
mod stored_forms;
mod tool;

pub use declarations::{attribute, template};
pub use keys::key;
pub use legacy::legacy;
pub use policies::policy;
pub use replies::replies;
pub use stored_forms::stored;
pub use tool::{catalogue, plan, tool_reply};

use peak_alloc::PeakAlloc;

/// Counts the memory that decoding takes.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The body of a target.
pub type Body = fn(&[u8]);

/// The targets by name.
pub const TARGETS: [(&str, Body); 10] = [
    ("attribute", attribute),
    ("template", template),
    ("legacy", legacy),
    ("stored", stored),
    ("key", key),
    ("replies", replies),
    ("tool_reply", tool_reply),
    ("plan", plan),
    ("catalogue", catalogue),
    ("policy", policy),
];

/// A text that no error may contain.
const MARKER: &str = "Vq7#Zk2~Wx9!";
