//! `purge`, `expire` and `move`: the commands that change keys.
//!
//! A first run only reads: it [selects](selector) keys, counts them, and writes a [plan]. A second run [acts](act) on
//! just the plan's keys, each by one [script](calls) that does nothing unless the key is as planned. So a plan can be
//! reviewed before anything is changed, and a run that is interrupted can be repeated.

mod act;
mod calls;
mod named_keys;
mod options;
mod plan;
mod results;
mod run;
mod selection;
mod selector;
mod summary;
mod target;
mod uses;

pub(crate) use options::{ChangeArgs, ChangeCommand};
pub(crate) use plan::{Choice, fuzz as fuzz_plan};
pub(crate) use run::{ChangeOptions, run};
