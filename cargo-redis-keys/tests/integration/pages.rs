//! The HTML pages in a browser: `$REDIS_KEYS_BROWSER`, or a Chromium on the `PATH`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use crate::audit::run::{Folder, audit, fill, run, start};
use crate::catalog::{EVERY_FIELD, HOSTILE};
use crate::command;

/// Sorts each table by each column, both ways, and searches. Says in the page how much of that it did.
const DRIVER: &str = r#"
const done = { sorted: 0, hidden: 0, shown: 0, requests: 0 };
const fail = why => { throw new Error(why); };
for (const table of document.querySelectorAll("table")) {
  [...table.querySelectorAll("th button")].forEach((button, column) => {
    const isNumber = button.closest("th").classList.contains("number");
    const before = table.tBodies[0].rows.length;
    for (const down of isNumber ? [true, false] : [false, true]) {
      button.click();
      const rows = [...table.tBodies[0].rows];
      if (rows.length !== before) fail("rows are lost");
      for (let row = 1; row < rows.length; row += 1) {
        const [one, other] = [rows[row - 1], rows[row]].map(row => row.cells[column]);
        const isRight = isNumber
          ? (down ? Number(one.dataset.value) >= Number(other.dataset.value) : Number(one.dataset.value) <= Number(other.dataset.value))
          : (down ? one.textContent >= other.textContent : one.textContent <= other.textContent);
        if (!isRight) fail(`column ${column} is not sorted`);
      }
      done.sorted += 1;
    }
  });
}
const input = document.querySelector(".search input");
const word = SEARCHED;
input.value = word;
input.dispatchEvent(new Event("input"));
for (const row of document.querySelectorAll("tbody tr")) {
  if (row.hidden === row.textContent.toLowerCase().includes(word)) fail("the search is wrong");
  done[row.hidden ? "hidden" : "shown"] += 1;
}
done.requests = performance.getEntriesByType("resource").length;
document.title = JSON.stringify(done);
"#;

/// Opens the page on a phone, with all details, and says in its own title what does not fit.
const PHONE: &str = r#"
const phone = document.createElement("iframe"), wrong = [];
[phone.width, phone.height, phone.srcdoc] = [360, 740, PAGE];
phone.addEventListener("load", () => {
  const page = phone.contentDocument, height = element => element.getBoundingClientRect().height;
  for (const details of page.querySelectorAll("details")) details.open = true;
  if (page.documentElement.scrollWidth > 360) wrong.push("the page is too wide");
  for (const card of page.querySelectorAll("tbody tr, details")) {
    if (height(card) > 740) wrong.push(`a card of ${height(card)} pixels: ${card.textContent.slice(0, 40)}`);
  }
  for (const cell of page.querySelectorAll("td")) {
    if (cell.scrollHeight > Math.ceil(height(cell)) + 1) wrong.push(`the label ${cell.dataset.label} overflows`);
  }
  document.title = wrong.join("; ") || "it fits";
});
document.body.append(phone);
"#;

/// The browser, if there is one.
fn browser() -> Option<PathBuf> {
    if let Some(browser) = env::var_os("REDIS_KEYS_BROWSER") {
        return Some(browser.into());
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let named = |folder: PathBuf| ["chromium", "chromium-browser", "google-chrome"].map(|name| folder.join(name));
    env::split_paths(&path).flat_map(named).find(|browser| browser.is_file())
}

/// Opens a page without a network. Returns what became of it, if nothing was written to the console.
fn open(browser: &Path, folder: &Folder, name: &str, page: &str) -> String {
    let file = folder.write(name, page);
    let mut command = Command::new(browser);
    command
        // The page has no rights, and a sandbox is not available everywhere.
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"])
        .args(["--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND"])
        .args(["--enable-logging=stderr", "--virtual-time-budget=2000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.file("profile")))
        .arg(format!("file://{file}"))
        .stdin(Stdio::null());
    let output = command.output().unwrap();
    let (dom, log) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr));
    let console: Vec<_> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(output.status.success() && dom.contains("</html>"), "{log}");
    assert!(console.is_empty(), "{name}: {console:?}");
    dom
}

/// The title of a page.
fn title(dom: &str) -> &str {
    dom.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>")).unwrap().0
}

/// Opens a page as it is, and a copy that sorts and searches itself.
fn assert_works(browser: &Path, page: &str, searched: &str) {
    let folder = Folder::new();
    assert!(page.contains(r#"<div class="search" role="search" hidden>"#));
    let dom = open(browser, &folder, "page.html", page);
    // Its policy admits its own script, which shows the search, and nothing of a text is a script.
    assert!(dom.contains(r#"<div class="search" role="search">"#), "{dom}");
    assert_eq!(title(&dom), title(page));

    let driver = DRIVER.replace("SEARCHED", &format!("{searched:?}"));
    let copy = page.replace("Content-Security-Policy", "x-no-policy");
    let copy = copy.replace("</body>", &format!("<script>{driver}</script></body>"));
    let dom = open(browser, &folder, "copy.html", &copy);
    let done: serde_json::Value = serde_json::from_str(title(&dom)).unwrap();
    assert_eq!(done["requests"], 0, "{done}");
    for what in ["sorted", "hidden", "shown"] {
        assert!(done[what].as_u64() > Some(0), "{what}: {done}");
    }
}

/// Opens a page as on a phone.
fn assert_fits_a_phone(browser: &Path, page: &str) {
    let page = serde_json::to_string(&page.replace("Content-Security-Policy", "x-no-policy")).unwrap();
    let driver = PHONE.replace("PAGE", &page.replace("</", "<\\/"));
    let page = format!("<!doctype html><html><title></title><body><script>{driver}</script></body></html>");
    let dom = open(browser, &Folder::new(), "phone.html", &page);
    assert_eq!(title(&dom), "it fits");
}

/// Says that a test has not run.
fn say_that_there_is_no_browser() {
    println!("not run: there is no Chromium on the PATH, and REDIS_KEYS_BROWSER is not set");
}

#[test]
fn pages_fit_a_phone() {
    let Some(browser) = browser() else { return say_that_there_is_no_browser() };
    assert_fits_a_phone(&browser, &command::run(&["catalog", "--catalog", EVERY_FIELD, "--format", "html"]).stdout);

    let (server, mut con) = start();
    fill(&mut con, 500);
    for (index, word) in ["a-long-word", "another", "one-more-of-them"].iter().enumerate() {
        for id in 0..10 {
            let _: u64 = run(&mut con, &["SADD", &format!("{word}:of:a:long:pattern{index}:{id}:ROW"), "x"]);
        }
    }
    let folder = Folder::new();
    let file = folder.file("report.html");
    assert_eq!(audit(&[&server.url(), "--full-speed", "--html", &file]).keys(), 530);
    assert_fits_a_phone(&browser, &fs::read_to_string(file).unwrap());
}

#[test]
fn pages_are_sorted_and_searched_without_requests() {
    let Some(browser) = browser() else { return say_that_there_is_no_browser() };
    let catalog = |file: &str| command::run(&["catalog", "--catalog", file, "--format", "html"]).stdout;
    assert_works(&browser, &catalog(EVERY_FIELD), "cart");
    let hostile = catalog(HOSTILE);
    let dom = open(&browser, &Folder::new(), "hostile.html", &hostile);
    assert_eq!(title(&dom), title(&hostile));

    let (server, mut con) = start();
    fill(&mut con, 500);
    for name in [
        "<script>document.title='harmed'</script>:a:string",
        "\"><img src=http://127.0.0.1:9/x onerror=document.title='harmed'>:b:string",
        "'><svg onload=document.title='harmed'>",
        "</title></script><style>*{display:none}</style>",
        "<link rel=stylesheet href=http://127.0.0.1:9/y>:c",
        "javascript:document.title='harmed'",
    ] {
        let _: String = run(&mut con, &["SET", name, "x"]);
    }
    let folder = Folder::new();
    let file = folder.file("report.html");
    assert_eq!(audit(&[&server.url(), "--full-speed", "--show-keys", "--html", &file]).keys(), 506);
    assert_works(&browser, &fs::read_to_string(file).unwrap(), "harmed");
}
