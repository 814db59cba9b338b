//! Places that cannot be read are listed, and stop nothing.

use super::{read_files, read_text};

const KEY: &str = "#[derive(RedisKey)] #[redis_key(a:b:string, value = u64, ttl = 1h)] struct A;";

/// The names of what was declared, and the places that were not read.
fn read(name: &str, files: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let read = read_files(name, files);
    let names = read.declarations.iter().map(|declaration| declaration.item.ident.to_string()).collect();
    let place = |place: &crate::declare::catalog::UnreadPlace| {
        // The messages of the system differ.
        let why = place.why.split(": ").next().unwrap_or_default();
        format!("{}:{} {why}", place.file, place.line)
    };
    (names, read.unread.iter().map(place).collect())
}

#[test]
fn files_that_are_missing_or_broken_are_listed() {
    let main = format!("mod missing;\nmod broken;\nmod unfinished;\nmod binary;\n{KEY}\n");
    let files = [
        ("main.rs", main.as_str()),
        ("broken.rs", "\n\nstruct A { b: }"),
        ("unfinished.rs", "\nfn a( {"),
        ("binary.rs", "\u{0}\u{1}"),
    ];
    let (names, unread) = read("broken", &files);
    assert_eq!(names, ["A"]);
    let expected = [
        "binary.rs:1 cannot parse the file",
        "broken.rs:3 cannot parse the file",
        "main.rs:1 cannot read `missing.rs`",
        "unfinished.rs:2 cannot parse the file",
    ];
    assert_eq!(unread, expected);
}

#[test]
fn files_that_lead_to_themselves_are_listed() {
    let circle = "#[path = \"main.rs\"] mod again;\ninclude!(\"other.rs\");\nmod empty {}\n";
    let (names, unread) = read("circle", &[("main.rs", circle), ("other.rs", "include!(\"main.rs\");")]);
    assert_eq!(names, [""; 0]);
    assert_eq!(unread, ["main.rs:1 `main.rs` leads to itself", "other.rs:1 `main.rs` leads to itself"]);
}

#[test]
fn macros_that_may_declare_keys_are_listed() {
    for (text, expected) in [
        ("macro_rules! m { () => { #[redis_key(a)] struct A; } }", vec!["`macro_rules! m` declares keys"]),
        (
            "macro_rules! m { () => { #[derive(RedisKey)] struct A; } } m!();",
            vec!["`m!` declares keys", "`macro_rules! m` declares keys"],
        ),
        (
            "n!(); macro_rules! n { () => { m!(); } } macro_rules! m { () => { redis_key } }",
            vec!["`macro_rules! m` declares keys", "`n!` declares keys"],
        ),
        (
            "macro_rules! m { () => { redis_key } } fn f() { assert!(a, m!()) }",
            vec!["`m!` declares keys", "`macro_rules! m` declares keys"],
        ),
        (
            "macro_rules! m { ($a:tt) => { include!(concat!(\"a\", $a)); } } fn f() { m!(1); }",
            vec!["`m!` declares keys", "`macro_rules! m` declares keys"],
        ),
        ("cfg_if! { if #[cfg(a)] { #[redis_key(a)] } }", vec!["`cfg_if!` declares keys"]),
        ("fn f() { quote! { #[derive(K)] #[redis_key(a)] struct A; }; }", vec!["`quote!` declares keys"]),
        ("fn f() { include!(concat!(\"a\", \"b\")); }", vec!["`include!` of a computed path"]),
        ("#[redis_key(a:b:string)] struct A;", vec!["`redis_key` without a derive"]),
        ("fn f() { stringify!(#[redis_key(a)] struct A;); println!(\"redis_key\"); }", vec![]),
        ("macro_rules! m { ($t:tt) => { $t } } m!(redis); fn f() { vec![1]; }", vec![]),
        ("#[cfg(any())] mod missing; #[cfg(any())] macro_rules! m { () => { redis_key } }", vec![]),
    ] {
        let read = read_text("macros", text);
        let unread: Vec<_> = read.unread.iter().map(|place| place.why.as_str()).collect();
        assert_eq!(unread, expected, "{text}");
        assert!(read.declarations.is_empty(), "{text}");
    }
}

#[test]
fn one_place_is_one_declaration_for_each_condition() {
    let text = format!("{KEY} mod a {{ {KEY} }} {KEY}\n");
    let offsets: Vec<_> = read_text("line", &text).declarations.iter().map(|declared| declared.offset).collect();
    assert_eq!(offsets.len(), 3, "{offsets:?}");
    let either =
        "#[derive(RedisKey)] #[cfg_attr(x, redis_key(a:b:string))] #[cfg_attr(y, redis_key(c:d:string))] struct A;";
    let conditions: Vec<_> =
        read_text("either", either).declarations.into_iter().map(|declared| declared.condition).collect();
    assert_eq!(conditions, [Some("x".to_owned()), Some("y".to_owned())]);
}
