//! What a file says, and each of its mistakes with its place and its help.

mod malformed;

use super::*;
use proptest::prelude::*;

fn right(text: &str) -> Policy {
    let (policy, faults) = Policy::parse(text);
    assert_eq!(faults, [], "{text}");
    policy
}

/// Asserts what is told: line and column, what is underlined, and the help.
#[track_caller]
fn tells(text: &str, expected: &[(usize, usize, &str, &str)]) {
    let (_, faults) = Policy::parse(text);
    let told = faults.iter().map(|fault| {
        let (line, column) = fault.place(text);
        (line, column, text.get(fault.range.clone()).unwrap_or("no part of the file"), fault.help.as_str())
    });
    assert_eq!(told.collect::<Vec<_>>(), expected, "{text}");
}

#[test]
fn a_file_is_read_whole() {
    let policy = right(
        "modules = ['user', 'cache', \"user.admin\"] # all of them\n\
         limits = { max_bytes = '4KB', max_len = 1_000 }\n\
         [lints]\nlong_key = 'warn'\nunusual_ttl = 'deny'\nuncompressed = 'allow'\n\
         [abbreviations]\neconomic = 'ec'\nfile.path = 'fp'\n\"of.two\" = \"o2\"\n\
         [module.cache]\nttl = '5m..30m'\ntypes = ['string', 'hash']\nowner = 'web'\n\
         [module.\"user.admin\"]\nowner = 'accounts'\n",
    );
    assert_eq!(policy.modules, Some(["user", "cache", "user.admin"].map(str::to_owned).to_vec()));
    assert_eq!((policy.limits.max_bytes, policy.limits.max_len), (Some(4096), Some(1000)));
    let levels =
        [Lint::LongKey, Lint::UnusualTtl, Lint::Uncompressed, Lint::Undocumented].map(|lint| policy.lints.of(lint));
    assert_eq!(levels, [Level::Warn, Level::Deny, Level::Allow, Level::Allow]);
    let words: Vec<_> = policy.abbreviations.iter().map(|(long, short)| format!("{long} {short}")).collect();
    assert_eq!(words, ["economic ec", "file.path fp", "of.two o2"]);
    let cache = policy.of_module("cache").cloned().unwrap_or_default();
    assert_eq!(cache.ttl.map(|window| window.to_string()).as_deref(), Some("5m..30m"));
    assert_eq!(cache.types, Some(vec![Kind::String, Kind::Hash]));
    let owner = policy.of_module("user.admin").and_then(|module| module.owner.as_deref());
    assert_eq!((cache.owner.as_deref(), owner), (Some("web"), Some("accounts")));
}

#[test]
fn nothing_says_nothing() {
    for text in ["", "\n", "# nothing\n", "\u{feff}", "[limits]\n[lints]\n", "[modules.cache]"] {
        let policy = right(text);
        assert_eq!(Policy { module: vec![], ..policy }, Policy::default(), "{text:?}");
    }
}

#[test]
fn a_module_can_be_said_of_without_a_list() {
    let policy = right("[modules.cache]\nowner = 'web'");
    assert_eq!(policy, right("[module.cache]\nowner = 'web'"));
    assert_eq!(policy.modules, None);
    tells("modules = ['a']\n[modules.a]", &[(2, 2, "modules", "write `[module.a]`")]);
}

#[test]
fn a_module_that_is_nearly_a_usual_one_is_doubted() {
    let doubts = |text: &str| {
        let told = |doubt: &PolicyFault| {
            (doubt.place(text), text.get(doubt.range.clone()).unwrap_or_default().to_owned(), doubt.help.clone())
        };
        right(text).doubts.iter().map(told).collect::<Vec<_>>()
    };
    let meant = "; or, if it is called so, add `misspelt_module = \"allow\"` to `[lints]`";
    let one = |line, column, name: &str, help: &str| vec![((line, column), name.to_owned(), format!("{help}{meant}"))];
    assert_eq!(doubts("[module.cahce]\n"), one(1, 9, "cahce", "write `[module.cache]`"));
    assert_eq!(doubts("\u{feff}[modules.sesion]\nttl = '5m..'"), one(1, 11, "sesion", "write `[modules.session]`"));
    assert_eq!(doubts("module.rate.ttl = '..1h'\n[module.raet]"), one(2, 9, "raet", "put it below `[module.rate]`"));
    assert_eq!(doubts("[module.clock]\n[module.temp]\n[module.\"cahce.user\"]"), []);
    // Where modules are listed there is nothing to guess.
    assert_eq!(doubts("modules = ['cahce']\n[module.cahce]"), []);
    assert_eq!(doubts("[module.cahce]\n[lints]\nmisspelt_module = 'allow'"), []);
    let told = |text: &str| Policy::parse(text).0.doubts.len();
    assert_eq!([told("modules = 7\n[module.cahce]"), told("[module.cahce]\nowner = 7")], [0, 1]);

    let text = "[module.cahce]\n[lints]\nmisspelt_module = 'deny'";
    let policy = right(text);
    let level = policy.lints.of(Lint::MisspeltModule);
    let told = policy.doubts.iter().map(|doubt| doubt.warning(Lint::MisspeltModule, level, "redis-keys.toml", text));
    let told: Vec<_> = told.map(|told| (told.level, told.to_string())).collect();
    let expected = "redis-keys.toml:1:9: `cahce` is nearly the name of a usual module: did you mean `cache`?\n    \
                    [module.cahce]\n            ^^^^^\nhelp: write `[module.cache]`; or, if it is called so, add \
                    `misspelt_module = \"allow\"` to `[lints]`\nlint: misspelt_module";
    assert_eq!(told, [(Level::Deny, expected.to_owned())]);
}

#[test]
fn each_mistake_has_its_place() {
    tells("[limits]\nmax_byte = 3", &[(2, 1, "max_byte", "write `max_bytes`")]);
    tells(
        "# é\n[limits]\n\"é\" = 1\nmax_len = 'x'",
        &[
            (
                3,
                1,
                "\"é\"",
                "`[limits]` has `max_bytes`, `max_len`, `max_member_bytes`, `max_key_bytes` and `longest_ttl`",
            ),
            (4, 11, "'x'", "write `max_len = 5000` or less"),
        ],
    );
    tells("\u{feff}limit = 1", &[(1, 2, "limit", "write `limits`")]);
    tells("[limits]\r\nmax_len = 0\r\n", &[(2, 11, "0", "write `5000` or less")]);
    tells("[limits]\nmax_len = 1\nmax_len = 2", &[(3, 1, "max_len", "keep one of them")]);
    tells("[limits]\n[limits]", &[(2, 2, "limits", "put the two together")]);
    let tables = "the file has `modules`, `module`, `limits`, `lints` and `abbreviations`";
    tells("[\"\"]\nmax_len = 0", &[(1, 2, "\"\"", tables)]);
    tells("[[limits]]\nmax_len = 'x'", &[(1, 1, "[[limits]]", "write `[limits]`")]);
    tells(
        "[limits]\nmax_len.of = 3\nmax_len = 4",
        &[(2, 1, "max_len", "write `max_len = 5000` or less"), (3, 1, "max_len", "keep one of them")],
    );
}

#[test]
fn what_is_no_toml_is_told_in_our_words() {
    tells("modules = [user]", &[(1, 12, "user", "write `\"user\"`")]);
    tells("modules = ['user' 'shop']", &[(1, 19, "'shop'", "write `, 'shop'`")]);
    tells("modules = [\n  'user'\n  'shop'\n]", &[(3, 3, "'shop'", "write `, 'shop'`")]);
    tells("modules = ['user'\n[lints]\nlong_kye = 3", &[(1, 11, "[", "write `]` behind its last value")]);
    tells("[lints\nlong_key = 'warn'", &[(1, 1, "[", "write `[lints]`")]);
    tells("[lints]\nlong_key: warn", &[(2, 9, ":", "write `long_key = \"warn\"`")]);
    tells("[lints]\nlong_key warn", &[(2, 1, "long_key warn", "write `long_key = \"warn\"`")]);
    tells("[lints]\nlong_key =\n", &[(2, 1, "long_key =", "write `long_key = …`")]);
    tells("[lints]\nlong_key = \"warn", &[(2, 12, "\"warn", "write `\"warn\"`")]);
    tells("[lints]\nlong_key = 'warn' long_word = 'warn'", &[(2, 19, "long_word", "write a new line before it")]);
    let lines = "write lines of `name = value`, below a line `[table]`, and `#` before a remark";
    tells("{\"modules\": []}", &[(1, 1, "{", lines)]);
}

#[test]
fn a_fault_is_told_with_its_line() {
    let text = "[limits]\n\tmax_len = \"é…\" # so many";
    let (_, faults) = Policy::parse(text);
    assert_eq!(
        faults.first().map(|fault| fault.told("redis-keys.toml", text).to_string()).as_deref(),
        Some(
            "redis-keys.toml:2:12: `max_len` is a whole number, and this is a text\n    \tmax_len = \"é…\" # so many\n    \
             \t          ^^^^\nhelp: write `max_len = 5000` or less\nrule: policy"
        )
    );
}

#[test]
fn what_can_not_be_printed_is_shown_by_a_sign() {
    let shown = |text: &str| {
        let told = Policy::parse(text).1.first().map(|fault| fault.told("f", text).to_string()).unwrap_or_default();
        told.lines().skip(1).take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(shown("[limits]\r\nmax_len = 0\r\n"), ["    max_len = 0", "              ^"]);
    assert_eq!(shown("a = 1\rb\u{1b}[31m\u{7f}\u{85}\u{200b}\n"), ["    a = 1␍b␛[31m␡\u{fffd}\u{fffd}", "         ^"]);
    // Of a long line only the part is shown that is at fault.
    let many = "\"user\", ".repeat(100);
    let shown = shown(&format!("modules = [{many}é, {many}]"));
    let lengths: Vec<_> = shown.iter().map(|line| line.chars().count()).collect();
    assert_eq!(lengths, [126, 66]);
    let at = shown.first().map(|line| line.chars().skip(65).take(1).collect::<String>());
    assert_eq!(at.as_deref(), Some("é"));
}

#[test]
fn of_a_file_that_is_something_else_not_all_is_told() {
    for line in ["x y z\n", "\"\n", "[x\n", "= \n", "a.b = 1\n", "], ", "a\r"] {
        let text = line.repeat(64 * 1024 / line.len());
        let (_, faults) = Policy::parse(&text);
        assert!((1..=MOST_FAULTS + 1).contains(&faults.len()), "{line}");
        let longest = faults.iter().map(|fault| fault.told("f", &text).to_string().len()).max();
        assert!(longest.is_some_and(|longest| longest < 2000), "{line}");
    }
}

#[test]
fn of_many_mistakes_the_first_are_told_and_the_others_counted() {
    let file = |mistakes: usize| {
        let names: Vec<_> = (100..100 + mistakes).map(|number| format!("\"Ab{number}\"")).collect();
        format!("modules = [{}]\n", names.join(","))
    };
    let told = |text: &str| {
        let (_, faults) = Policy::parse(text);
        let last = faults.last().map(|last| {
            let part = text.get(last.range.clone()).unwrap_or_default();
            (last.place(text), part.to_owned(), last.message.clone(), last.help.clone())
        });
        (faults.len(), last)
    };
    let rest = |column, part: &str, message: &str| {
        let help = "put right what is told, and see what is left";
        (21, Some(((1, column), part.to_owned(), message.to_owned(), help.to_owned())))
    };
    assert_eq!(told(&file(20)).0, 20);
    assert!(
        told(&file(20))
            .1
            .is_some_and(|(_, part, _, help)| (part, help) == ("\"Ab119\"".into(), "write `ab119`".into()))
    );
    assert_eq!(told(&file(21)), rest(172, "\"Ab120\"", "and 1 more mistake, from here on"));
    assert_eq!(told(&file(3000)), rest(172, "\"Ab120\"", "and 2980 more mistakes, from here on"));
    // However long its one line is.
    let text = file(3000);
    let all: usize = Policy::parse(&text).1.iter().map(|fault| fault.told("f", &text).to_string().len()).sum();
    assert!(all < 10_000, "{all} bytes are told");
    // Where not all were looked at, none can be counted.
    let (count, last) = told(&"x y z\n".repeat(1000));
    let message = last.map(|(place, _, message, _)| (place, message));
    assert_eq!((count, message), (21, Some(((21, 1), "and 80 more mistakes at least, from here on".to_owned()))));
}

/// Words and signs that mean something to some part of the file.
const CRUMBS: [&str; 49] = [
    "\r",
    "“",
    "//",
    "->",
    "=>",
    "\u{a0}",
    "- ",
    " ",
    "<<<<<<<",
    "modules",
    "module",
    "limits",
    "lints",
    "abbreviations",
    "max_len",
    "max_bytes",
    "long_key",
    "user",
    "cache",
    "ttl",
    "types",
    "owner",
    " = ",
    "=",
    ".",
    ",",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "\n",
    "\r\n",
    "\"",
    "'",
    "'''",
    "\"\"\"",
    "#",
    "\\",
    ":",
    "5m..30m",
    "'string'",
    "\"deny\"",
    "1000",
    "-1",
    "0x10",
    "é",
    "\u{0}",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn any_text_is_told_well(text in prop_oneof![
        any::<String>(),
        prop::collection::vec(prop::sample::select(&CRUMBS[..]), 0..40).prop_map(|crumbs| crumbs.concat()),
    ]) {
        let (_, faults) = Policy::parse(&text);
        for fault in faults {
            prop_assert!(text.get(fault.range.clone()).is_some(), "{:?} is no part of {text:?}", fault.range);
            prop_assert!(!fault.help.is_empty() && !fault.message.is_empty(), "{fault:?}");
            prop_assert!(fault.told("redis-keys.toml", &text).to_string().contains('^'));
        }
    }
}
