//! The grammar and the rules of redis-keys as a plain library: text in, byte ranges and messages out.
//!
//! This crate knows nothing of tokens, and does no input or output. The derive macro of [`redis-keys`] renders an
//! attribute as text, asks [`check`] what is wrong with it, and maps the byte ranges of the answer back to the tokens
//! to underline. A tool that reads source files prints the same messages.
//!
//! Its interface follows the needs of those two, and is not covered by semantic versioning. Depend on [`redis-keys`].
//!
//! [`redis-keys`]: https://docs.rs/redis-keys

mod check;
mod declaration;
mod diagnostic;
mod item;
mod known_types;
mod lint;
mod options;
pub mod overlap;
mod piece;
mod policy;
mod record;
mod segment;
mod shown;
mod suggest;
mod template;
mod usual_modules;
mod warning;

pub use redis_keys_core::{Kind, Rule, alphabet, limits};

pub use check::{Checked, check};
pub use declaration::Declaration;
pub use diagnostic::{Diagnostic, Place};
pub use item::{Attribute, Field, Item, Shape};
pub use lint::{EarlierSibling, Sibling};
pub use options::{Bucket, Given, Jitter, Keep, Name, Options, Renew, StoredForm, Ttl};
pub use policy::{MAX_POLICY_BYTES, ModulePolicy, POLICY_FILE, Policy, PolicyError, PolicyLimits, Window, Workspace};
pub use record::{CheckedRecord, Presence, Record, RecordField, RecordItem, RecordShape, check_record};
pub use segment::{CheckedSegment, Name as SegmentName, Segment, SegmentItem, Variant, check_segment};
pub use shown::shown_type;
pub use template::{Encoding, Part, Placeholder, Template};
pub use warning::{Level, Levels, Lint, Warning};
