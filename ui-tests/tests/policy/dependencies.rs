//! Policies of a project and of its dependencies.

use crate::crates::{Crates, write};

/// A key that the policies here reject, and that a lint warns about.
const LIBRARY: &str = "\
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(cache:page:{id}:string, value = u64, ttl = 1h)]
pub struct Page {
    pub id: u64,
}
";

const APP: &str = "\
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(app:page:{id}:string, value = u64, ttl = 1h)]
struct Page {
    id: u64,
}

fn main() {
    let _ = (Page { id: 1 }.get(), library::Page { id: 1 }.get());
}
";

fn with_library(name: &str, dependency: &str) -> Crates {
    let crates = Crates::new(name);
    let app = crates.add("app");
    write(&app.join("main.rs"), APP);
    write(&crates.folder.join("redis-keys.toml"), "modules = ['app']");
    crates.append("app/Cargo.toml", dependency);
    crates
}

#[test]
fn a_downloaded_package_has_no_policy() {
    let crates = with_library("fetched", "library = { version = '1', registry = 'elsewhere' }\n");
    let vendored = crates.folder.join(".vendor").join("library");
    write(
        &vendored.join("Cargo.toml"),
        "[package]\nname = 'library'\nversion = '1.0.0'\nedition = '2024'\n[lib]\npath = 'lib.rs'\n[dependencies]\n\
         redis-keys = { version = '0.1', default-features = false, features = ['json'], registry-index = \
         'https://github.com/rust-lang/crates.io-index' }\n",
    );
    write(&vendored.join(".cargo-checksum.json"), "{\"files\":{}}");
    write(&vendored.join("lib.rs"), LIBRARY);
    write(&vendored.join("redis-keys.toml"), "modules = ['nothing'");
    write(
        &crates.folder.join(".cargo").join("config.toml"),
        "[registries.elsewhere]\nindex = 'https://elsewhere.example/index'\n\
         [source.elsewhere]\nregistry = 'https://elsewhere.example/index'\nreplace-with = 'vendored'\n\
         [source.vendored]\ndirectory = '.vendor'\n",
    );
    let library = crates.library.display();
    crates.append("Cargo.toml", &format!("[patch.crates-io.redis-keys]\npath = '{library}'\n"));
    assert_eq!(crates.check(), [].into());
}

#[test]
fn a_member_beside_its_workspace_has_the_policy_of_the_workspace() {
    let crates = Crates::new("beside");
    let file = |path: &str| std::fs::read_to_string(crates.folder.join(path)).unwrap_or_default();
    let member = crates.folder.with_file_name("beside-member");
    crates.add("member");
    let manifest = file("member/Cargo.toml").replacen("name = 'member'", "name = 'member'\nworkspace = '../beside'", 1);
    write(&member.join("Cargo.toml"), &manifest);
    write(&member.join("main.rs"), &format!("{LIBRARY}\nfn main() {{\n    let _ = Page {{ id: 1 }}.get();\n}}\n"));
    let members = file("Cargo.toml").replace("['[a-z]*']", "['../beside-member']");
    write(&crates.folder.join("Cargo.toml"), &members);
    write(&crates.folder.join("redis-keys.toml"), "modules = ['app']");
    let texts = crates.check();
    let messages = texts.get("member").cloned().unwrap_or_default();
    assert!(messages.contains("unknown module `cache`"), "{texts:?}");
}

#[test]
fn a_path_dependency_has_its_own_policy() {
    let crates = with_library("elsewhere", "library = { path = '../../elsewhere-library' }\n");
    let library = crates.folder.with_file_name("elsewhere-library");
    write(
        &library.join("Cargo.toml"),
        &format!(
            "[package]\nname = 'library'\nversion = '1.0.0'\nedition = '2024'\n[lib]\npath = 'lib.rs'\n[dependencies]\n\
             redis-keys = {{ path = '{}', default-features = false, features = ['json'] }}\n",
            crates.library.display()
        ),
    );
    write(&library.join("lib.rs"), LIBRARY);
    write(&library.join("redis-keys.toml"), "modules = ['cache']\n[lints]\nmissing_jitter = 'deny'");
    let texts = crates.check();
    let messages = texts.get("library").cloned().unwrap_or_default();
    assert!(messages.contains("error: `cache` keys without jitter expire at the same time"), "{texts:?}");
    write(&library.join("redis-keys.toml"), "");
    let texts = crates.check();
    assert!(
        texts.get("library").is_some_and(|messages| messages.contains("warning: use of deprecated macro")),
        "{texts:?}"
    );
}
