//! The project's policy: found beside the package, read once, and told of once.

mod find;
mod read;

use std::collections::HashMap;
use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use proc_macro2::{Span, TokenStream};
use quote::quote;
use redis_keys_schema::{Policy, Warning};

use find::Found;
use read::{Document, Stamp};

/// How long what was seen of the file counts as seen. One compilation is over by then, or looks again; the process that
/// expands macros for an editor lives on.
const FRESH: Duration = Duration::from_millis(200);

/// What is known of each package, by its folder.
static PACKAGES: LazyLock<Mutex<HashMap<OsString, Package>>> = LazyLock::new(Mutex::default);

struct Package {
    seen: Instant,
    found: Option<Found>,
    stamp: Stamp,
    document: Document,
    /// The derive that tells of the file.
    teller: Option<String>,
}

/// The policy, and what one derive of a compilation has to tell of its file.
pub(crate) struct Known {
    pub(crate) policy: Arc<Policy>,
    told: Option<Told>,
}

struct Told {
    path: Option<String>,
    faults: Vec<String>,
    warnings: Vec<Warning>,
}

/// The policy of the package that is compiled. `derive` tells one derive from another.
pub(crate) fn known(derive: impl FnOnce() -> String) -> Known {
    let nothing = || Known { policy: Arc::default(), told: None };
    let Some(folder) = env::var_os("CARGO_MANIFEST_DIR") else { return nothing() };
    let mut packages = PACKAGES.lock().unwrap_or_else(PoisonError::into_inner);
    let package = match packages.get_mut(&folder) {
        Some(package) => package,
        None => packages.entry(folder.clone()).or_insert_with(|| Package::look(Path::new(&folder))),
    };
    if package.seen.elapsed() > FRESH {
        package.look_again(Path::new(&folder));
    }
    let Some(found) = &package.found else { return nothing() };
    let derive = derive();
    let tells = *package.teller.get_or_insert_with(|| derive.clone()) == derive;
    let told = tells.then(|| {
        let readable = package.document.faults.is_empty() && package.stamp.is_some();
        let path = readable.then(|| found.path.to_str().map(str::to_owned)).flatten();
        let Document { faults, warnings, .. } = package.document.clone();
        Told { path, faults, warnings }
    });
    Known { policy: Arc::clone(&package.document.policy), told }
}

impl Package {
    fn look(folder: &Path) -> Self {
        let found = find::find(folder);
        let stamp = found.as_ref().and_then(|found| read::stamp(&found.path));
        let document = match &found {
            Some(found) => read::read(found),
            None => Document::default(),
        };
        Self { seen: Instant::now(), found, stamp, document, teller: None }
    }

    /// Reads the file anew if it is another one, or has changed.
    fn look_again(&mut self, folder: &Path) {
        let found = find::find(folder);
        let stamp = found.as_ref().and_then(|found| read::stamp(&found.path));
        if found == self.found && stamp == self.stamp {
            self.seen = Instant::now();
        } else {
            *self = Self::look(folder);
        }
    }
}

impl Known {
    /// What is doubted of the file.
    pub(crate) fn warnings(&mut self) -> Vec<Warning> {
        self.told.as_mut().map(|told| std::mem::take(&mut told.warnings)).unwrap_or_default()
    }

    /// The mistakes in the file as errors at the derive; and the file as one that the crate is made of, so that cargo looks
    /// at the crate again when it is changed or removed.
    pub(crate) fn told(&self, krate: &TokenStream) -> TokenStream {
        let Some(told) = &self.told else { return TokenStream::new() };
        let errors = told.faults.iter().map(|fault| syn::Error::new(Span::call_site(), fault).into_compile_error());
        let track = told.path.iter().map(|path| quote!(#krate::__track! { #path }));
        quote!(#(#errors)* #(#track)*)
    }
}
