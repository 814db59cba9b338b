//! Findings for other programs.

use serde_json::Value;

use super::WRONG;
use crate::workspace::Workspace;

/// The output in a format for a project with a file of a strange name.
fn checked(format: &str) -> String {
    let workspace = Workspace::new(
        &format!("format-{format}"),
        &[("shop", &[("src/lib.rs", "#[path = \"ke ys,%:é.rs\"]\nmod keys;"), ("src/ke ys,%:é.rs", WRONG)])],
    );
    workspace.run(&["check", "--format", format]).findings()
}

const FILE: &str = "packages/shop/src/ke ys,%:é.rs";

/// The texts that must be underlined, in order.
const UNDERLINED: [&str; 12] =
    ["basicInfo", "nam\\u{65}s", "65", "user_idd", "3600", "Page", "1h", "é", "30d", "30d", "Profile", "basic.info"];

#[test]
fn json_is_that_of_rustc() {
    let output = checked("json");
    let lines: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut underlined = Vec::new();
    for line in &lines {
        assert_eq!(line["$message_type"], "diagnostic");
        assert!(["error", "warning"].contains(&line["level"].as_str().unwrap()), "{line}");
        assert!(line["message"].is_string() && line["code"]["code"].is_string(), "{line}");
        assert_eq!(line["children"][0]["level"], "help");
        let rendered = line["rendered"].as_str().unwrap();
        assert!(rendered.contains("\n  = help: ") || rendered.contains("\n   = help: "), "{rendered}");
        assert!(!rendered.contains('\x1b'), "{rendered}");
        let span = &line["spans"][0];
        assert_eq!((&span["is_primary"], &span["file_name"]), (&Value::from(true), &Value::from(FILE)));
        let number = |name: &str| usize::try_from(span[name].as_u64().unwrap()).unwrap();
        let text = &WRONG[number("byte_start")..number("byte_end")];
        assert_eq!(slice(number("line_start"), number("column_start"), number("column_end")), text);
        let shown = &span["text"][0];
        assert_eq!(shown["text"], WRONG.lines().nth(number("line_start") - 1).unwrap());
        let highlight = [&shown["highlight_start"], &shown["highlight_end"]];
        assert_eq!(highlight, [&span["column_start"], &span["column_end"]]);
        underlined.push(text);
    }
    assert_eq!(underlined, UNDERLINED);
}

/// The text between two columns of a line, in characters.
fn slice(line: usize, from: usize, to: usize) -> String {
    WRONG.lines().nth(line - 1).unwrap().chars().skip(from - 1).take(to - from).collect()
}

#[test]
fn sarif_has_what_it_must_have() {
    let log: Value = serde_json::from_str(&checked("sarif")).unwrap();
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(log["$schema"], "https://json.schemastore.org/sarif-2.1.0.json");
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "cargo-redis-keys");
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let rules = driver["rules"].as_array().unwrap();
    for rule in rules {
        assert!(rule["id"].is_string() && rule["shortDescription"]["text"].is_string(), "{rule}");
        assert!(rule["help"]["text"].is_string(), "{rule}");
    }
    let results = run["results"].as_array().unwrap();
    let mut underlined = Vec::new();
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "warning"].contains(&result["level"].as_str().unwrap()), "{result}");
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "packages/shop/src/ke%20ys%2C%25%3A%C3%A9.rs");
        let number = |name: &str| usize::try_from(place["region"][name].as_u64().unwrap()).unwrap();
        assert_eq!(number("startLine"), number("endLine"));
        underlined.push(slice(number("startLine"), number("startColumn"), number("endColumn")));
    }
    assert_eq!(underlined, UNDERLINED);
}

#[test]
fn sarif_without_findings_is_valid() {
    let workspace = Workspace::new("format-none", &[("shop", &[("src/lib.rs", "")])]);
    let ran = workspace.run(&["check", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(log["runs"][0]["results"], Value::Array(Vec::new()));
    assert_eq!(
        (ran.status, &*ran.stderr),
        (Some(0), "checked what the sources say of 0 declarations; cargo check proves the rest\n")
    );
}

#[test]
fn related_places_are_in_every_format() {
    let key = |name: &str, template: &str| {
        format!("#[derive(RedisKey)]\n#[redis_key({template}, value = String, ttl = 1h)]\nstruct {name};")
    };
    let files = [("shop", key("One", "user:me:string")), ("user", key("Other", "user:me:string"))];
    let [shop, user] = files.each_ref().map(|(_, text)| [("src/lib.rs", text.as_str())]);
    let workspace = Workspace::new("format-related", &[("shop", &shop), ("user", &user)]);
    let found = |format| workspace.run(&["check", "--format", format]).findings();
    let json: Value = serde_json::from_str(&found("json")).unwrap();
    assert_eq!(json["spans"][1]["file_name"], "packages/shop/src/lib.rs");
    assert_eq!(json["spans"][1]["is_primary"], false);
    let sarif: Value = serde_json::from_str(&found("sarif")).unwrap();
    let related = &sarif["runs"][0]["results"][0]["relatedLocations"][0];
    assert_eq!(related["physicalLocation"]["artifactLocation"]["uri"], "packages/shop/src/lib.rs");
    assert_eq!(related["message"]["text"], "`One` of package `shop` is declared here");
    assert!(found("github").contains("%0Apackages/shop/src/lib.rs:2:13: `One` of package `shop` is declared here%0A"));
}

#[test]
fn annotations_of_github_are_escaped() {
    let output = checked("github");
    let first = output.lines().next().unwrap();
    assert_eq!(
        first,
        "::error file=packages/shop/src/ke ys%2C%25%3Aé.rs,line=5,endLine=5,col=18,endColumn=27,title=lower-case::\
         `basicInfo` is not lower case%0Ahelp: write `basic.info`"
    );
    assert!(
        output.lines().all(|line| line.starts_with("::error file=") || line.starts_with("::warning file=")),
        "{output}"
    );
}
