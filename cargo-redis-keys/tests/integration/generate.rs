//! `generate`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::catalog::HOSTILE;
use crate::command::{Ran, run};

const CATALOG: &str = "tests/generated/catalog.json";

/// A file that is gone after the test.
struct Output(PathBuf);

impl Output {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("redis-keys-generate-{}-{name}", std::process::id())))
    }

    fn generate(&self, form: &str, arguments: &[&str]) -> Ran {
        run(&[&["generate", form, "--out", self.0.to_str().unwrap()], arguments].concat())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn each_form_is_written_and_compared() {
    for (form, name) in [("vectors", "vectors.json"), ("typescript", "keys.ts"), ("python", "keys.py")] {
        let out = Output::new(name);
        let ran = out.generate(form, &["--catalog", CATALOG]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let written = "wrote 51 keys\nleft out 3 keys\n  keys::Notes: `version` is unknown: the type `Version`";
        assert!(ran.stderr.starts_with(written), "{ran:?}");
        let text = fs::read_to_string(&out.0).unwrap();
        assert_eq!(text, fs::read_to_string(Path::new("tests/generated").join(name)).unwrap(), "{form}");

        // The line ends of Windows are no difference, and a changed key is named.
        fs::write(&out.0, text.replace('\n', "\r\n")).unwrap();
        let check = ["--catalog", CATALOG, "--check"];
        assert_eq!(out.generate(form, &check).status, Some(0), "{form}");
        assert_eq!(out.generate(form, &[&check[..], &["--strict"]].concat()).status, Some(1), "{form}");
        fs::write(&out.0, text.replace("user:card:", "user:cards:")).unwrap();
        let ran = out.generate(form, &check);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), "~ Card\n"), "{form}");
        assert!(ran.stderr.contains(" is out of date\nhelp: write it"), "{ran:?}");
    }
}

#[test]
fn only_the_parts_that_differ_are_named() {
    let module = |names| ["--catalog", CATALOG, "--module", names];
    for (form, name, other) in [("typescript", "other.ts", "// Left"), ("python", "other.py", "# Left")] {
        let out = Output::new(name);
        out.generate(form, &module("rate"));
        let ran = out.generate(form, &[&module("rate,shop")[..], &["--check"]].concat());
        assert_eq!(ran.stdout, "+ Page\n+ Post\n+ Stock\n~ The checks that the keys share.\n", "{form}");

        out.generate(form, &["--catalog", CATALOG]);
        let text = fs::read_to_string(&out.0).unwrap();
        fs::write(&out.0, text.replacen(other, &other.replace("Left", "left"), 1)).unwrap();
        let ran = out.generate(form, &["--catalog", CATALOG, "--check"]);
        assert!(ran.stdout.starts_with("+ Left out: keys::Notes, because"), "{ran:?}");
        assert_eq!(ran.stdout.lines().count(), 2, "{ran:?}");
    }
}

#[test]
fn only_the_keys_of_a_module_are_written() {
    let out = Output::new("module.py");
    let ran = out.generate("python", &["--catalog", CATALOG, "--module", "shop,int"]);
    assert!(ran.stderr.starts_with("wrote 7 keys\n"), "{ran:?}");
    let text = fs::read_to_string(&out.0).unwrap();
    assert!(text.contains("\nclass Stock:") && !text.contains("\nclass Card:"), "{text}");
    // No key of these has a digest or a script.
    assert!(!text.contains("hashlib") && !text.contains("ScriptCall") && !text.contains("redis.call"), "{text}");
    let error = out.generate("python", &["--catalog", CATALOG, "--module", "shp"]).failure();
    assert!(
        error.starts_with("error: no key is of the module `shp`\nhelp: the modules are app, cal, cart,"),
        "{error}"
    );
}

#[test]
fn a_catalogue_of_an_earlier_version_is_rejected() {
    let error = Output::new("hostile.ts").generate("typescript", &["--catalog", HOSTILE]).failure();
    assert!(
        error.contains(
            "was written by an older version, and lacks what `generate` needs\nhelp: write the catalogue again"
        ),
        "{error}"
    );
}

#[test]
fn without_declarations_nothing_is_written() {
    let (catalog, out) = (Output::new("empty.json"), Output::new("empty.ts"));
    let text = fs::read_to_string(CATALOG).unwrap();
    let (head, keys) = text.split_once("\"keys\":[").unwrap();
    let (_, tail) = keys.rsplit_once("\n]").unwrap();
    fs::write(&catalog.0, format!("{head}\"keys\":[\n]{tail}")).unwrap();
    let error = out.generate("typescript", &["--catalog", catalog.0.to_str().unwrap()]).failure();
    assert!(error.starts_with("error: there are no declarations\nhelp: `-p` and `--features`"), "{error}");
    assert!(!out.0.exists());
}
