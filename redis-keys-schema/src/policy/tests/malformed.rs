//! Files that are no TOML: each mistake once, at its place, with what to write.

use super::tells;

const LINES: &str = "write lines of `name = value`, below a line `[table]`, and `#` before a remark";
const ENDS: &str = "save the file with line ends of LF, or of CRLF";

#[test]
fn a_text_has_two_quotes() {
    tells("[module.user]\nowner = \"web", &[(2, 9, "\"web", "write `\"web\"`")]);
    tells("[module.user]\nowner = \"web\nttl = \"5m..\"\n", &[(2, 9, "\"web", "write `\"web\"`")]);
    tells("[module.user]\nowner = 'web\nttl = '5m..'\n", &[(2, 9, "'web", "write `\"web\"`")]);
    tells("[module.user]\nowner = \"web'\n", &[(2, 9, "\"web'", "write `\"web\"`")]);
    tells("[module.user]\nowner = 'web\"\n", &[(2, 9, "'web\"", "write `\"web\"`")]);
    tells("modules = [\"user, \"shop\"]\n[lints]\nlong_key = \"warn\"\n", &[(1, 12, "\"user", "write `\"user\"`")]);
    tells("modules = [\"user\", \"shop]\n[lints]\nlong_key = \"warn\"\n", &[(1, 20, "\"shop", "write `\"shop\"`")]);
    tells("modules = ['user', 'shop]\n[lints]\nlong_key = 'warn'\n", &[(1, 20, "'shop", "write `\"shop\"`")]);
    tells("[module.user]\nowner = web\"\n", &[(2, 9, "web\"", "write `\"web\"`")]);
    tells("modules = [user\", \"shop\"]\n", &[(1, 12, "user\"", "write `\"user\"`")]);
    tells("[module.user]\nowner = \"\"\"web\nttl = '5m..'\n", &[(2, 9, "\"\"\"web", "write `\"web\"`")]);
    tells("[module.user]\nowner = \"\"web\"\"\n", &[(2, 11, "web\"\"", "write `owner = \"web\"`")]);
    tells("[module.user]\nowner = \"web # the team\n", &[(2, 9, "\"web # the team", "write `\"web\"`")]);
    tells("[module.user]\nowner = \"web \\\"x\n", &[(2, 9, "\"web \\\"x", "write `\"web \\\"x\"`")]);
    tells(
        "modules = [\n  \"user\",\n  \"shop,\n  \"cache\",\n]\n[limits]\nmax_len = 0\n",
        &[(3, 3, "\"shop", "write `\"shop\"`"), (7, 11, "0", "write `5000` or less")],
    );
    tells("modules = [\n  \"user\",\n  shop\",\n]\n", &[(3, 3, "shop\"", "write `\"shop\"`")]);
    tells("limits = { max_bytes = \"2KB }\n[lints]\nlong_key = \"wran\"\n", &[(1, 24, "\"2KB", "write `\"2KB\"`")]);
    tells(
        "[module.user]\nowner = \"bob's\" team\n",
        &[(2, 17, "team", "write `owner = \"bob's team\"`, or `# team` for a remark")],
    );
    tells(
        "[module.user]\nowner = \"bob\" team # it's\n",
        &[(2, 15, "team", "write `owner = \"bob team\"`, or `# team` for a remark")],
    );
    tells("[lints]\n\"long_key = \"warn\"\n", &[(2, 1, "\"long_key", "write `long_key`")]);
    tells("\"\n", &[(1, 1, "\"", "write `\"text\"`")]);
    tells(
        "[module.user]\nowner = \"web\nttl = \"5m..\n[lints]\nlong_key = \"warn\n",
        &[
            (2, 9, "\"web", "write `\"web\"`"),
            (3, 7, "\"5m..", "write `\"5m..\"`"),
            (5, 12, "\"warn", "write `\"warn\"`"),
        ],
    );
}

#[test]
fn texts_are_in_quotes_of_toml() {
    tells("modules = [user, shop]\n", &[(1, 12, "user", "write `\"user\"`")]);
    tells("[module.user]\nowner = \"C:\\users\"\n", &[(2, 12, "\\u", "write `'C:\\users'`, where it is as any other")]);
    tells("[module.user]\nowner = \"\\u12\"\n", &[(2, 10, "\\u", "write `'\\u12'`, where it is as any other")]);
    tells("[module.user]\nowner = “web”\n", &[(2, 9, "“web”", "write `\"web\"`")]);
    tells("modules = [“user”, “shop”]\n", &[(1, 12, "“user”", "write `\"user\"`")]);
    tells("[module.user]\nowner = `web`\n", &[(2, 9, "`web`", "write `\"web\"`")]);
    tells("[limits]\nmax_bytes = 4 KB\n", &[(2, 13, "4 KB", "write `\"4 KB\"`")]);
    tells("[limits]\nlongest_ttl = 30d\n", &[(2, 15, "30d", "write `\"30d\"`")]);
    tells("[module.cache]\nttl = 5m..30m\n", &[(2, 7, "5m..30m", "write `\"5m..30m\"`")]);
    tells("[lints]\nlong_key = [warn]\n", &[(2, 13, "warn", "write `\"warn\"`")]);
    tells(
        "modules = [\n  \"user\",\n  shop,\n  \"cache\"\n]\n[limits]\nmax_len = 0\n",
        &[(3, 3, "shop", "write `\"shop\"`"), (7, 11, "0", "write `5000` or less")],
    );
    tells("[module.cache]\nttl = 5m .. 30m\n", &[(2, 7, "5m .. 30m", "write `\"5m .. 30m\"`")]);
    tells("[module.cache]\ntypes = string\n", &[(2, 9, "string", "write `types = [\"string\"]`")]);
    tells(
        "[module.cache]\ntypes = string, hash\n",
        &[(2, 9, "string, hash", "write `types = [\"string\", \"hash\"]`")],
    );
    tells("modules=user,shop\n", &[(1, 9, "user,shop", "write `modules = [\"user\", \"shop\"]`")]);
    tells("#!/usr/bin/toml\nmodules = [user]\n", &[(2, 12, "user", "write `\"user\"`")]);
}

#[test]
fn nothing_but_a_remark_stands_behind_a_value() {
    tells("modules = [\"user\"] shop\n", &[(1, 20, "shop", "write `modules = [\"user\", \"shop\"]`")]);
    tells(
        "modules = [\"user\"] and shop\n[lints]\nlong_key=\"warn\"",
        &[(1, 20, "and shop", "write `# and shop`, if it is a remark")],
    );
    tells("modules = [\"user\"] \"shop\"\n", &[(1, 20, "\"shop\"", "write `modules = [\"user\", \"shop\"]`")]);
    tells(
        "[module.user]\nowner = \"web\" team\n",
        &[(2, 15, "team", "write `owner = \"web team\"`, or `# team` for a remark")],
    );
    tells("[module.user]\nowner = \"web\", \"team\"\n", &[(2, 16, "\"team\"", "write `owner = \"web, team\"`")]);
    tells("modules = [\"user\"],\n", &[(1, 19, ",", "remove it")]);
    tells("[limits]\nmax_len = 100,\nmax_bytes = \"4KB\"\n", &[(2, 14, ",", "remove it")]);
    tells("[limits]\nmax_len = 100;\n", &[(2, 14, ";", "remove it")]);
    tells("modules = [\"user\"]]\n", &[(1, 19, "]", "write `modules = [\"user\"]`")]);
    tells("modules = [\"user\"] [\"shop\"]\n", &[(1, 20, "[\"shop\"]", "write `modules = [\"user\", \"shop\"]`")]);
    tells("limits = { max_len = 1 } x\n", &[(1, 26, "x", "write `# x`, if it is a remark")]);
    tells(
        "modules = [\n  \"user\",\n] shop\n[limits]\nmax_len = 0\n",
        &[(3, 3, "shop", "write it before the `]`, or `# shop` for a remark"), (5, 11, "0", "write `5000` or less")],
    );
    tells(
        "[module.user]\nowner = \"#web\" team\n",
        &[(2, 16, "team", "write `owner = \"#web team\"`, or `# team` for a remark")],
    );
    tells(
        "[module.cache]\ntypes = \"string\", \"hash\"\n",
        &[(2, 19, "\"hash\"", "write `types = [\"string\", \"hash\"]`")],
    );
}

#[test]
fn remarks_start_with_a_hash() {
    tells("// policy\n[limits]\nmax_len = 1\n", &[(1, 1, "//", "write `# policy`")]);
    tells("[limits]\nmax_len = 1 // most\n", &[(2, 13, "//", "write `# most`")]);
    tells("; policy\n[limits]\nmax_len = 1\n", &[(1, 1, ";", "write `# policy`")]);
    tells("/* policy */\n[limits]\nmax_len = 1\n", &[(1, 1, "/*", "write `# policy`")]);
    tells("modules = [\n  \"user\", // the users\n  \"shop\",\n]\n", &[(2, 11, "//", "write `# the users`")]);
    tells("[limits] // most\n", &[(1, 10, "//", "write `# most`")]);
}

#[test]
fn lines_end_in_one_of_two_ways() {
    tells("[limits]\rmax_len = 1\r", &[(1, 9, "\r", ENDS)]);
    tells("[limits]\nmax_len = 1\rmax_bytes = \"4KB\"\n", &[(2, 12, "\r", ENDS)]);
    tells("[module.user]\nowner = \"web\rteam\"\n", &[(2, 13, "\r", ENDS)]);
    tells("# a\rb\n[limits]\nmax_len = 1\n", &[(1, 4, "\r", ENDS)]);
    tells("[limits]\r\r\nmax_len = 1\r\n", &[(1, 9, "\r", ENDS)]);
    tells("modules = [\"user\"]\r[limits]\rmax_len = 1\r[lints]\rlong_key = \"warn\"\r", &[(1, 19, "\r", ENDS)]);
}

#[test]
fn what_can_not_be_seen_is_named() {
    tells("[module.user]\nowner = \"a\u{1}b\"\n", &[(2, 11, "\u{1}", "remove it")]);
    tells("[lim\u{1}its]\n", &[(1, 5, "\u{1}", "remove it")]);
    tells("[limits]\nmax_len =\u{a0}1\n", &[(2, 10, "\u{a0}", "write a space in its place")]);
    tells("[limits]\n\u{a0}max_len = 1\n", &[(2, 1, "\u{a0}", "write a space in its place")]);
    tells("\u{200b}[limits]\nmax_len = 1\n", &[(1, 1, "\u{200b}", "remove it")]);
    tells("\u{c}[limits]\n", &[(1, 1, "\u{c}", "remove it")]);
    tells("[limits]\u{2028}max_len = 1\n", &[(1, 9, "\u{2028}", "write a space in its place")]);
}

#[test]
fn one_sign_stands_between_a_name_and_its_value() {
    tells("[limits]\nmax_len == 1\n", &[(2, 9, "==", "write `max_len = 1`")]);
    tells("[limits]\nmax_len => 1\n", &[(2, 9, "=>", "write `max_len = 1`")]);
    tells("[limits]\nmax_len := 1\n", &[(2, 9, ":=", "write `max_len = 1`")]);
    tells("limits:\n  max_len: 100\n", &[(1, 1, "limits:", "write `[limits]`"), (2, 10, ":", "write `max_len = 100`")]);
    tells("[limits]\n= 3\n", &[(2, 1, "=", "write the name of what the value is for")]);
    tells("[limits]\n3\n", &[(2, 1, "3", LINES)]);
    tells("hello\n", &[(1, 1, "hello", LINES)]);
    tells("this is my policy\n", &[(1, 1, "this is my policy", "write `# this is my policy`, if it is a remark")]);
    tells("limits. = 1\n", &[(1, 7, ".", "write the name that is missing, or remove the `.`")]);
    tells("[limits]\nmax len = 1\n", &[(2, 1, "max len", "write `max_len`")]);
    tells("modules =\n  [\"user\"]\n", &[(1, 1, "modules =", "write `modules = [\"user\"]`")]);
    tells("[lints]\nlong_key : \"warn\"\n", &[(2, 10, ":", "write `long_key = \"warn\"`")]);
    tells("limits = { max_len: 1 }\n", &[(1, 19, ":", "write `max_len = 1`")]);
    tells("limits = { max_len = }\n", &[(1, 12, "max_len =", "write `max_len = …`")]);
    tells("limits = { max_len }\n", &[(1, 12, "max_len", "write `max_len = …`")]);
    tells("[abbreviations]\nfile path = \"fp\"\n", &[(2, 1, "file path", "write `file.path`")]);
    tells("[abbreviations]\neconomic ec\n", &[(2, 1, "economic ec", "write `economic = \"ec\"`")]);
    tells("[abbreviations]\neconomic → ec\n", &[(2, 10, "→", "write `economic = \"ec\"`")]);
    tells("[abbreviations]\neconomic -> \"ec\"\n", &[(2, 10, "->", "write `economic = \"ec\"`")]);
    tells("[limits]\nmax_len ＝ 1\n", &[(2, 9, "＝", "write `max_len = 1`")]);
    tells("=\n", &[(1, 1, "=", "write the name of what the value is for")]);
    tells(",\n", &[(1, 1, ",", LINES)]);
}

#[test]
fn headers_have_a_name_and_two_brackets() {
    tells("[limits] here\nmax_len = 1\n", &[(1, 10, "here", "write `# here`")]);
    tells("[limits] max_len = 1\n", &[(1, 10, "max_len = 1", "write it on a line of its own")]);
    tells("[]\nmax_len = 1\n", &[(1, 1, "[]", "write, say, `[limits]`")]);
    tells("[module.]\nowner = \"x\"\n", &[(1, 8, ".", "write, say, `[module.user]`")]);
    tells("[module..user]\nowner = \"x\"\n", &[(1, 8, ".", "write, say, `[module.user]`")]);
    tells("[module user]\nowner = \"x\"\n", &[(1, 2, "module user", "write `[module.user]`")]);
    tells("[limits}\nmax_len = 1\n", &[(1, 8, "}", "write `[limits]`")]);
    tells("(limits)\nmax_len = 1\n", &[(1, 1, "(limits)", "write `[limits]`")]);
    tells("limits]\nmax_len = 1\n", &[(1, 1, "limits]", "write `[limits]`")]);
    tells("[limits\n]\nmax_len = 1\n", &[(1, 1, "[", "write `[limits]`"), (2, 1, "]", "remove it")]);
    tells("[module.\"user]\nowner = \"x\"\n", &[(1, 9, "\"user", "write `[module.user]`")]);
    tells("[module:user]\nowner = \"x\"\n", &[(1, 8, ":", "write `[module.user]`")]);
    tells("[[limits]\nmax_len = 1\n", &[(1, 1, "[[limits", "write `[limits]`")]);
    tells("[limits]]\nmax_len = 1\n", &[(1, 9, "]", "write `[limits]`")]);
    tells("modules = [\"user\"}\n[limits]\nmax_len = 1\n", &[(1, 18, "}", "write `]`")]);
    tells("[limits # most\nmax_len = 1\n", &[(1, 1, "[", "write `[limits]`")]);
    tells("[limits] [lints]\n", &[(1, 10, "[lints]", "write it on a line of its own")]);
    tells("[\"limits\"\nmax_len = 1\n", &[(1, 1, "[", "write `[\"limits\"]`")]);
    tells("['module.user']\nowner = \"x\"\n", &[(1, 2, "'module.user'", "write `[module.user]`")]);
    tells("[limits, lints]\nmax_len = 1\n", &[(1, 8, ",", "write `[limits]` and `[lints]`")]);
    tells("[limits] = 3\n", &[(1, 10, "= 3", "write lines of `name = value` below it")]);
    tells(
        "[[limits]]\nmax_len = 1\n[[lints]]\nmax_len = 1\n",
        &[(1, 1, "[[limits]]", "write `[limits]`"), (3, 1, "[[lints]]", "write `[lints]`")],
    );
    tells("[\n", &[(1, 1, "[", "write `[limits]`")]);
    tells("]\n", &[(1, 1, "]", "remove it")]);
    tells("]]\n", &[(1, 1, "]]", "remove it")]);
}

#[test]
fn lists_and_tables_are_closed_and_have_commas() {
    tells("limits = { max_len = 1\n[lints]\n", &[(1, 10, "{", "write `}` behind its last value")]);
    tells("modules = [\"user\",, \"shop\"]\n", &[(1, 19, ",", "remove it")]);
    tells("modules = [, \"user\"]\n", &[(1, 12, ",", "remove it")]);
    tells("modules = [\"user\"; \"shop\"]\n", &[(1, 18, ";", "write `,`")]);
    tells("modules = [user = 1]\n", &[(1, 12, "user", "write `\"user\"`")]);
    tells("modules = (\"user\")\n", &[(1, 11, "(\"user\")", "write `modules = [\"user\"]`")]);
    tells("modules = {\"user\"}\n", &[(1, 11, "{\"user\"}", "write `modules = [\"user\"]`")]);
    tells("modules = \"user\", \"shop\"\n", &[(1, 19, "\"shop\"", "write `modules = [\"user\", \"shop\"]`")]);
    tells("modules = [\"user\", \"shop\"\n", &[(1, 11, "[", "write `]` behind its last value")]);
    tells(
        "modules = [\n  \"user\",\n  \"shop\"\n[limits]\nmax_len = 0\n",
        &[(1, 11, "[", "write `]` behind its last value")],
    );
    tells("modules = [\n  \"user\",\n[limits]\nmax_len = 0\n", &[(1, 11, "[", "write `]` behind its last value")]);
    tells("modules = [\"user\", [\n", &[(1, 11, "[", "write `]` behind its last value")]);
    tells("modules = [\"user\" # first\n  \"shop\"]\n", &[(2, 3, "\"shop\"", "write `, \"shop\"`")]);
    tells("modules = [\n  \"user\";\n  \"shop\";\n]\n", &[(2, 9, ";", "write `,`"), (3, 9, ";", "write `,`")]);
    tells("modules = [\n  \"user\",\n}\n[limits]\nmax_len = 0\n", &[(1, 11, "[", "write `]` behind its last value")]);
    tells(
        "modules = [\n  - \"user\"\n  - \"shop\"\n]\n",
        &[(2, 3, "-", "write, say, `modules = [\"user\", \"shop\"]`")],
    );
    tells("modules = [\n  \"user\",\n  name = \"shop\",\n]\n", &[(3, 8, "=", "write, say, `[\"user\", \"shop\"]`")]);
    tells("limits = { max_len = 1 max_bytes = \"2KB\" }\n", &[(1, 24, "max_bytes", "write `, max_bytes`")]);
    tells("limits = { max_len = 1,, max_bytes = \"2KB\" }\n", &[(1, 24, ",", "remove it")]);
    tells("limits = { max_bytes = 2KB }\n", &[(1, 24, "2KB", "write `\"2KB\"`")]);
    tells(
        "limits = { max_len = 1 ]\n[lints]\nlong_key = \"wran\"\n",
        &[(1, 10, "{", "write `}` behind its last value")],
    );
    tells("limits = { max_len = 1", &[(1, 10, "{", "write `}` behind its last value")]);
    tells("modules = [\"\"\"user\", \"shop\"]\n", &[(1, 11, "[", "write `]` behind its last value")]);
}

#[test]
fn numbers_are_digits_alone() {
    tells("[limits]\nmax_len = 0100\n", &[(2, 11, "0100", "write `100`")]);
    tells("[limits]\nmax_len = 1,000\n", &[(2, 11, "1,000", "write `1000`")]);
    tells("[limits]\nmax_len = 1 000\n", &[(2, 11, "1 000", "write `1000`")]);
    tells("[limits]\nmax_len = 1__000\n", &[(2, 11, "1__000", "write `1000`")]);
    tells("[lints]\nlong_key = True\n", &[(2, 12, "True", "write `long_key = \"warn\"`")]);
    tells("[limits]\nmax_len = 10%\n", &[(2, 11, "10%", "write, say, `100`")]);
}

#[test]
fn files_of_other_languages_are_told_once() {
    tells("{\n  \"modules\": [\"user\"]\n}\n", &[(1, 1, "{", LINES)]);
    tells("- user\n- shop\n", &[(1, 1, "-", "write, say, `modules = [\"user\", \"shop\"]`")]);
    tells(
        "<<<<<<< HEAD\nmodules = [\"user\"]\n=======\nmodules = [\"shop\"]\n>>>>>>> other\n",
        &[(1, 1, "<<<<<<<", "keep one of the two, and remove the marks")],
    );
    tells(
        "---\nmodules:\n  - user\n  - shop\n",
        &[
            (1, 1, "---", LINES),
            (2, 8, ":", "write `modules = …`"),
            (3, 3, "-", "write, say, `modules = [\"user\", \"shop\"]`"),
        ],
    );
}
