//! Runs `values` on a day that does not change.

use crate::command::Ran;
use crate::fixture::Fixture;

/// A copy of the workspace with values of all kinds.
pub(crate) fn fixture(test: &str) -> Fixture {
    Fixture::new("values", test)
}

/// Runs the command on the first of December.
pub(crate) fn values(fixture: &Fixture, arguments: &[&str]) -> Ran {
    values_on("2026-12-01", fixture, arguments)
}

/// Runs the command on a day.
pub(crate) fn values_on(day: &str, fixture: &Fixture, arguments: &[&str]) -> Ran {
    let arguments = [&["values"], arguments].concat();
    Ran::of(fixture.command(&arguments).env("CARGO_REDIS_KEYS_TODAY", day))
}
