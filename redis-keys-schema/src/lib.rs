//! The grammar and the rules of redis-keys as a plain library: text in, byte ranges and messages out.
//!
//! This crate does not depend on tokens, and performs no I/O. The derive macro of [`redis-keys`] renders an attribute
//! as text, passes it to [`check`], and maps the byte ranges of the diagnostics back to the tokens to underline. A tool
//! that reads source files prints the same messages.
//!
//! Its interface follows the needs of the macro and the tool, and is not covered by semantic versioning. Depend on
//! [`redis-keys`].
//!
//! [`redis-keys`]: https://docs.rs/redis-keys

mod attribute;
mod bucket;
mod check;
mod declaration;
mod diagnostic;
mod edit;
mod item;
pub mod legacy;
mod lint;
pub mod overlap;
mod piece;
mod place;
mod policy;
mod record;
mod rust_type;
mod secret_name;
mod segment;
mod suggest;
mod template;
#[cfg(test)]
mod tests;
mod usual_modules;
#[cfg(feature = "values")]
pub mod values;
mod warning;

pub use attribute::{
    GivenOption, GivenRole, Jitter, OptionText, Options, Rate, RoleName, StoredForm, Ttl, is_stored_form, option_names,
    option_texts, wraps_stored_form,
};
pub use bucket::Bucket;
pub use check::{CheckedDeclaration, check};
pub use declaration::Declaration;
pub use diagnostic::{Diagnostic, Diagnostics, ReportedError};
pub use edit::Edit;
pub use item::{Attribute, Field, Item, Shape};
#[cfg(feature = "pages")]
pub use lint::LintPage;
pub use lint::{EarlierSibling, Sibling};
pub use place::Place;
pub use policy::{
    FOREIGN_SYSTEMS, ForeignPolicy, LegacyPolicy, MAX_POLICY_BYTES, ModulePolicy, POLICY_FILE, Policy, PolicyError,
    PolicyLimits, Window, Workspace,
};
pub use record::{CheckedRecord, Presence, Record, RecordField, RecordItem, RecordShape, check_record};
pub use redis_keys_core::{Kind, Rule, limits, schema};
pub use rust_type::{argument_of_type, feature_of_parameter, shown_type, values_of_type};
pub use segment::{CheckedSegment, Names, Segment, SegmentItem, Variant, VariantText, check_segment};
pub use suggest::{joined, nearest};
pub use template::{Encoding, Part, Placeholder, Template};
pub use warning::{Level, Levels, Lint, Warning};
