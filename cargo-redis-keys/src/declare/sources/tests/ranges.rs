//! Diagnostics underline the wrong word, bare and inside of a string literal.

use super::read_text;

/// Returns the underlined texts of the errors of the declarations in a text.
fn underlined(name: &str, text: &str) -> Vec<String> {
    let read = read_text(name, text);
    assert_eq!(read.unread, []);
    let mut found = Vec::new();
    for declaration in &read.declarations {
        let text = &declaration.file.text;
        let key = declaration.read_key();
        for error in key.diagnostics.iter() {
            found.push(text[declaration.range_of(&key.input, &error.place)].to_owned());
        }
    }
    found
}

#[test]
fn the_wrong_word_is_underlined() {
    for (name, attribute, expected) in [
        ("bare", "user:Info:{id}:string, value = u64, ttl = 1h", "Info"),
        ("bare-option", "user:info:{id}:string, value = u64, tll = 1h, ttl = 1h", "tll"),
        ("bare-run", "user:info:{id}:string, value = u64, ttl = 1 h", "1 h"),
        ("quoted", r#""user:Info:{id}:string", value = u64, ttl = 1h"#, "Info"),
        ("quoted-wide", r#""käse:info:{id}:string", value = u64, ttl = 1h"#, "käse"),
        ("quoted-after-wide", r#"/* ключ */ "user:Info:{id}:string", value = u64, ttl = 1h"#, "Info"),
        ("raw", r##"r#"user:Info:{id}:string"#, value = u64, ttl = 1h"##, "Info"),
        ("quoted-option", r#"user:info:{id}:string, value = u64, ttl = "3600""#, "3600"),
        ("spaces", "user : info:{ idd } : string, value = u64, ttl = 1h", "idd"),
    ] {
        let text = format!("// ключ\n#[derive(RedisKey)]\n#[redis_key({attribute})]\nstruct Info {{ id: u64 }}\n");
        let found = underlined(name, &text);
        assert!(found.contains(&expected.to_owned()), "{attribute}: {found:?}");
    }
}

#[test]
fn offsets_count_from_the_first_byte_of_the_file() {
    const KEY: &str =
        "#[derive(RedisKey)] #[redis_key(user:Info:{id}:string, value = u64, ttl = 1h)] struct A { id: u64 }";
    for (name, text) in [
        ("mark", format!("\u{feff}{KEY}")),
        ("shebang", format!("#!/usr/bin/env run\n{KEY}")),
        ("attribute", format!("#![allow(dead_code)]\n{KEY}")),
        ("lines", format!("\r\n\r\n{KEY}\r\n")),
        ("macro", format!("mod keys {{ pass! {{ {KEY} }} }}")),
        ("cfg-attr", KEY.replace("#[redis_key(", "#[cfg_attr(unix, redis_key(").replace("1h)]", "1h))]")),
    ] {
        assert_eq!(underlined(name, &text), ["Info"], "{name}");
    }
}

#[test]
fn columns_are_those_of_the_compiler() {
    const ATTRIBUTE: &str = "#[derive(RedisKey)] #[redis_key(user:info:string, value = u64, ttl = 1h)]";
    for (name, text, expected) in [
        ("column", format!("{ATTRIBUTE} struct A;"), (1, 82)),
        ("column-mark", format!("\u{feff}{ATTRIBUTE} struct A;"), (1, 82)),
        ("column-lines", format!("\r\n{ATTRIBUTE}\r\n  struct A;"), (3, 10)),
        ("column-wide", format!("{ATTRIBUTE}\n/* é名 */ struct A;"), (2, 17)),
    ] {
        let read = read_text(name, &text);
        assert_eq!(read.declarations[0].position(), expected, "{name}");
    }
}

#[test]
fn fields_and_whole_items_are_underlined() {
    let attribute = "#[redis_key(user:info:{id}:string, value = u64, ttl = 1h)]";
    for (name, text, expected) in [
        ("field", format!("#[derive(RedisKey)] {attribute} struct A {{ id: u64, page: u8 }}"), "page"),
        ("type", format!("#[derive(RedisKey)] {attribute} struct A {{ id: Option<u8> }}"), "Option<u8>"),
        ("item", "#[derive(RedisKey)] struct Lonely { id: u64 }".to_owned(), "Lonely"),
        ("second", format!("#[derive(RedisKey)] {attribute} #[redis_key(b)] struct A {{ id: u64 }}"), "redis_key(b)"),
    ] {
        assert_eq!(underlined(name, &text), [expected], "{name}");
    }
}
