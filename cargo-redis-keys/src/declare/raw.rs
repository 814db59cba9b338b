//! Commands on Redis outside of declarations.
//!
//! A [scan](scan) of each function finds the commands that redis-rs, its pools and fred send: `redis::cmd`, `Cmd`,
//! pipelines, scripts, and the methods of connections, which are known by name, number of arguments, imports and
//! receiver. The text of a key is [evaluated](values) as far as the sources show it: through `format!`, constants,
//! variables, small functions and the arguments of callers.

mod baseline;
mod bindings;
mod bypassed;
mod commands;
mod expressions;
mod findings;
mod imports;
mod key_text;
mod names;
mod raw_use;
mod receivers;
mod scan;
#[cfg(test)]
mod tests;
mod values;

pub(crate) use baseline::Baseline;
pub(crate) use bypassed::DeclaredTexts;
pub(crate) use commands::Effect;
pub(crate) use findings::{findings, unneeded};
pub(crate) use key_text::{KeyText, Parameter, ParameterType, SourcePart};
use names::Names;
pub(crate) use raw_use::{RawUse, SetsExpiry};
use values::Values;

use crate::declare::sources::Code;

/// The commands that the code of the selected packages sends, in the order of files and places.
pub(crate) fn uses(code: &Code) -> Vec<RawUse> {
    let values = Values::new(Names::new(code));
    let selected = code.functions.iter().enumerate().filter(|(_, function)| function.place.target.package.is_selected);
    let mut uses: Vec<_> = selected.filter_map(|(index, _)| scan::uses(&values, index)).flatten().collect();
    uses.sort_by_cached_key(|used| (used.file.shown.clone(), used.range.start, used.key.clone()));
    uses
}
