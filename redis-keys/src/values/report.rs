//! The report of a declaration to `cargo redis-keys values`.

use std::env;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use redis_keys_core::record;

use super::forms::{Form, Notes};

/// The file to which the program appends.
const FILE: &str = "REDIS_KEYS_VALUES_FILE";

/// A part of a declaration, `value` or `field`, and the function that returns its form.
pub type Part = (&'static str, fn(&mut Notes) -> Form);

/// The place of the last panic.
static PANICKED_AT: Mutex<Option<String>> = Mutex::new(None);

/// Writes the forms of a declaration to the file that the tool names: a record for each part.
///
/// Without that file it does nothing: then `cargo test` runs it as one of the program's tests.
///
/// # Panics
///
/// If the file cannot be written: so the test fails.
#[allow(clippy::panic, reason = "the test must fail")]
pub fn report(template: &str, name: &str, parts: &[Part]) {
    let Some(path) = env::var_os(FILE) else { return };
    // Each failed pass of the tracer would print one. The messages can contain values.
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string);
        *PANICKED_AT.lock().unwrap_or_else(PoisonError::into_inner) = place;
    }));
    let records: String = parts.iter().map(|part| record_of(template, name, *part)).collect();
    let _ours = panic::take_hook();
    let written = OpenOptions::new().append(true).create(true).open(&path);
    if let Err(error) = written.and_then(|mut file| file.write_all(records.as_bytes())) {
        panic!("cannot write `{}`: {error}", path.to_string_lossy());
    }
}

/// Returns the record of a part: its form, or what has happened instead.
fn record_of(template: &str, name: &str, (part, form): Part) -> String {
    let mut notes = Notes::new();
    let form = catch_unwind(AssertUnwindSafe(|| form(&mut notes)));
    let (part, text) = match form {
        Ok(form) => (part, form.to_string()),
        Err(_) => ("failed", failure(part)),
    };
    record::write([template, name, part, &text].into_iter().map(str::to_owned).chain(notes))
}

fn failure(part: &str) -> String {
    let place = PANICKED_AT.lock().unwrap_or_else(PoisonError::into_inner).take();
    let place = place.map_or_else(String::new, |place| format!(" at {place}"));
    format!("the program panicked{place} while the form of `{part}` was asked for")
}
