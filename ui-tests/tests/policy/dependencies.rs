//! The policy of a project is not that of its dependencies, and theirs is not the project's; what is doubtful in them is
//! theirs, too.

use crate::crates::{Crates, write};

/// A key that each policy here refuses, and that a lint warns of.
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
fn a_fetched_package_is_left_alone() {
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
fn a_member_beside_its_workspace_has_the_policy_of_that() {
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
    let said = crates.check();
    let told = said.get("member").cloned().unwrap_or_default();
    assert!(told.contains("unknown module `cache`"), "{said:?}");
}

#[test]
fn a_package_elsewhere_on_the_disk_has_its_own() {
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
    let said = crates.check();
    let told = said.get("library").cloned().unwrap_or_default();
    assert!(told.contains("error: `cache` keys without jitter expire at the same time"), "{said:?}");
    write(&library.join("redis-keys.toml"), "");
    let said = crates.check();
    assert!(said.get("library").is_some_and(|told| told.contains("warning: use of deprecated macro")), "{said:?}");
}
