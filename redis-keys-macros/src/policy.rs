//! The project's policy: found next to the package, read once, and its errors reported once.

use std::collections::HashMap;
use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use proc_macro2::{Span, TokenStream};
use quote::quote;
use redis_keys_schema::{Policy, Warning};
use redis_keys_syntax::Tokens;
use redis_keys_syntax::policy::{Document, PolicyFile, Stamp, find, read, stamp};

/// The time for which the state of the file is cached. A compilation has finished by then or checks the file again. An
/// editor's process for macros lives longer.
const MAX_AGE: Duration = Duration::from_millis(200);

/// The policy of each package, by its folder.
static PACKAGES: LazyLock<Mutex<HashMap<OsString, Package>>> = LazyLock::new(Mutex::default);

struct Package {
    checked: Instant,
    found: Option<PolicyFile>,
    stamp: Stamp,
    document: Document,
    /// The derive that reports the errors of the file.
    reporter: Option<String>,
}

/// The policy of a package, and the report on its file if this derive reports it.
pub(crate) struct PackagePolicy {
    pub(crate) policy: Arc<Policy>,
    report: Option<Report>,
}

struct Report {
    path: Option<String>,
    errors: Vec<String>,
    warnings: Vec<Warning>,
}

/// The policy of the package that is being compiled. `derive` identifies the derive.
pub(crate) fn of_package(derive: impl FnOnce() -> String) -> PackagePolicy {
    let none = || PackagePolicy { policy: Arc::default(), report: None };
    let Some(folder) = env::var_os("CARGO_MANIFEST_DIR") else { return none() };
    let mut packages = PACKAGES.lock().unwrap_or_else(PoisonError::into_inner);
    let package = match packages.get_mut(&folder) {
        Some(package) => package,
        None => packages.entry(folder.clone()).or_insert_with(|| Package::read(Path::new(&folder))),
    };
    if package.checked.elapsed() > MAX_AGE {
        package.refresh(Path::new(&folder));
    }
    let Some(found) = &package.found else { return none() };
    let derive = derive();
    let reports = *package.reporter.get_or_insert_with(|| derive.clone()) == derive;
    let report = reports.then(|| {
        let readable = package.document.errors.is_empty() && package.stamp.is_some();
        let path = readable.then(|| found.path.to_str().map(str::to_owned)).flatten();
        let Document { errors, warnings, .. } = package.document.clone();
        Report { path, errors, warnings }
    });
    PackagePolicy { policy: Arc::clone(&package.document.policy), report }
}

impl Package {
    fn read(folder: &Path) -> Self {
        let found = find(folder);
        let stamp = found.as_ref().and_then(|found| stamp(&found.path));
        let document = found.as_ref().map(read).unwrap_or_default();
        Self { checked: Instant::now(), found, stamp, document, reporter: None }
    }

    /// Reads the file again if it has changed or moved.
    fn refresh(&mut self, folder: &Path) {
        let found = find(folder);
        let stamp = found.as_ref().and_then(|found| stamp(&found.path));
        if found == self.found && stamp == self.stamp {
            self.checked = Instant::now();
        } else {
            *self = Self::read(folder);
        }
    }
}

impl PackagePolicy {
    /// Takes the warnings about the file.
    pub(crate) fn warnings(&mut self) -> Vec<Warning> {
        self.report.as_mut().map(|report| std::mem::take(&mut report.warnings)).unwrap_or_default()
    }

    /// The errors of the file; and the file as a dependency of the crate, so that cargo rebuilds the crate when it
    /// changes.
    pub(crate) fn tokens(&self, krate: &Tokens) -> TokenStream {
        let Some(report) = &self.report else { return TokenStream::new() };
        let errors = report.errors.iter().map(|error| syn::Error::new(Span::call_site(), error).into_compile_error());
        let track = report.path.iter().map(|path| quote!(#krate::__track! { #path }));
        quote!(#(#errors)* #(#track)*)
    }
}
