//! Parameter types: items that derive `KeySegment`.

use redis_keys_schema::{CheckedSegment, Diagnostics, ReportedError, Segment, check_segment};
use syn::DeriveInput;

use crate::code;
use crate::input::Input;
use crate::tokens::Tokens;

/// A parameter type as it was read.
pub struct ReadSegment<'i> {
    /// The item.
    pub input: Input<'i>,
    /// Its declaration, or the proof that an error leaves it without a text.
    pub segment: Result<Segment, ReportedError>,
    /// The path to redis-keys, if it is given and parses.
    pub krate: Option<Tokens>,
    /// The errors, which `finish` sorts. Without any the declaration is complete.
    pub diagnostics: Diagnostics,
}

/// Reads an item that derives `KeySegment`.
pub fn read_segment(item: &DeriveInput) -> ReadSegment<'_> {
    let input = Input::of_segment(item);
    let CheckedSegment { crate_path, segment, mut diagnostics } = check_segment(&input.segment());
    let krate = code::crate_path(&input, crate_path.as_ref(), &mut diagnostics);
    ReadSegment { input, segment, krate, diagnostics }
}
