//! Chromium without a window, through its debugging protocol: messages of JSON over two pipes.

use std::env;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::browser::PATIENCE;

/// A function for the scripts of the tests.
const FIND: &str = "
    const find = (selector, text) => [...document.querySelectorAll(selector)]
        .find((element) => element.innerText.trim().startsWith(text));
";

/// A subset of `DejaVu` Sans Bold, which is wider than the fonts of most systems. `wide.LICENSE` is its license.
const WIDE_FONT: &[u8] = include_bytes!("wide.ttf");

/// A tab. The browser ends with this value.
pub(crate) struct Chromium {
    process: Child,
    requests: ChildStdin,
    messages: Receiver<Value>,
    session: Value,
    count: u64,
    /// The width of the screen in pixels.
    width: u32,
    /// The errors that pages have reported, without those of the network.
    errors: Vec<String>,
}

impl Chromium {
    /// Starts the browser, or says that it is not installed.
    pub(crate) fn start(folder: &Path) -> Option<Self> {
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let folders: Vec<_> = env::split_paths(&env::var_os("PATH").unwrap_or_default()).collect();
        let Some(program) =
            names.iter().flat_map(|name| folders.iter().map(move |it| it.join(name))).find(|it| it.is_file())
        else {
            // The harness hides what `println!` prints.
            let _ = writeln!(io::stderr(), "not run: no Chromium on the PATH");
            return None;
        };
        // It reads from file 3 and writes to file 4.
        let mut process = Command::new("/bin/sh")
            .args(["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "sh"])
            .arg(program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .arg(format!("--user-data-dir={}", folder.join("chromium").display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Chromium starts");
        let requests = process.stdin.take().expect("a pipe");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        spawn(move || {
            for message in output.split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&message).expect("a message is JSON");
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut tab =
            Self { process, requests, messages, session: Value::Null, count: 0, width: 0, errors: Vec::new() };
        let target = tab.call("Target.createTarget", &json!({"url": "about:blank"}))["targetId"].take();
        let session = tab.call("Target.attachToTarget", &json!({"targetId": target, "flatten": true}));
        tab.session = session["sessionId"].clone();
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            tab.call(domain, &json!({}));
        }
        tab.use_wide_font();
        Some(tab)
    }

    /// Shows all pages in the font of this folder, since the fonts of machines differ in their width.
    fn use_wide_font(&mut self) {
        // Neither is a style or a font in the sense of the pages' policy.
        let script = format!(
            "document.fonts.add(new FontFace('wide', new Uint8Array({WIDE_FONT:?})));
            const sheet = new CSSStyleSheet();
            sheet.replaceSync('* {{ font-family: wide !important; }}');
            document.adoptedStyleSheets = [sheet];"
        );
        self.call("Page.addScriptToEvaluateOnNewDocument", &json!({"source": script}));
    }

    fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.count += 1;
        let mut request = json!({"id": self.count, "method": method, "params": parameters});
        if self.session.is_string() {
            request["sessionId"] = self.session.clone();
        }
        self.requests.write_all(format!("{request}\0").as_bytes()).expect("Chromium reads");
        loop {
            let mut message = self.messages.recv_timeout(PATIENCE).expect("Chromium answers");
            if message["id"] == self.count {
                return message["result"].take();
            }
            let entry = &message["params"]["entry"];
            let is_error = message["method"] == "Log.entryAdded" && entry["level"] == "error";
            // The pages of 503 are errors of the network.
            if message["method"] == "Runtime.exceptionThrown" || (is_error && entry["source"] != "network") {
                self.errors.push(message["params"].to_string());
            }
        }
    }

    /// Runs a script in the page, and returns its value: `null` while the page is being replaced.
    fn run(&mut self, script: &str) -> Value {
        let script = format!("{{ {FIND} {script} }}");
        self.call("Runtime.evaluate", &json!({"expression": script, "returnByValue": true}))["result"]["value"].take()
    }

    /// Waits until the value of a script is neither `null` nor false.
    fn wait_for(&mut self, script: &str) -> Value {
        let started = Instant::now();
        loop {
            let value = self.run(script);
            if !value.is_null() && value != false {
                return value;
            }
            assert!(
                started.elapsed() < PATIENCE,
                "`{script}` remains {value} in {}",
                self.run("document.body.innerText")
            );
            sleep(Duration::from_millis(20));
        }
    }

    /// Sets the size of the screen: that of a phone, or of a desktop.
    pub(crate) fn set_size(&mut self, width: u32, height: u32) {
        let is_phone = width < 500;
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_phone});
        self.width = width;
        self.call("Emulation.setDeviceMetricsOverride", &size);
    }

    pub(crate) fn open(&mut self, url: &str) {
        self.call("Page.navigate", &json!({"url": url}));
    }

    /// Waits for a page with this heading, which must not be wider than the screen.
    pub(crate) fn wait_for_page(&mut self, heading: &str) {
        self.wait_for(&format!("document.readyState === 'complete' && !!find('h1', {})", json!(heading)));
        self.wait_for(
            "document.fonts.status === 'loaded' && [...document.fonts].every(font => font.status === 'loaded')",
        );
        let width = self.run("document.documentElement.scrollWidth").as_u64().expect("a width");
        assert!(width <= self.width.into(), "“{heading}” is wider than the screen: {width} pixels");
    }

    pub(crate) fn wait_for_text(&mut self, text: &str) {
        self.wait_for(&format!("document.body.innerText.includes({})", json!(text)));
    }

    /// Waits until the first element of a class shows a text.
    pub(crate) fn wait_for_first(&mut self, class: &str, text: &str) {
        self.wait_for(&format!("document.querySelector('.{class}')?.innerText === {}", json!(text)));
    }

    /// Notes the page, to ask later whether it is still the same.
    pub(crate) fn mark_page(&mut self) {
        self.run("window.isMarked = true");
    }

    pub(crate) fn is_marked(&mut self) -> bool {
        self.run("window.isMarked === true") == true
    }

    pub(crate) fn go_back(&mut self) {
        self.run("history.back()");
    }

    /// Clicks on the link or button that begins with this text, which nothing may cover.
    pub(crate) fn click(&mut self, text: &str) {
        self.click_on("a, button", text);
    }

    /// Clicks on the button of a form, where a link has the same text.
    pub(crate) fn click_submit(&mut self, text: &str) {
        self.click_on("main button", text);
    }

    /// Types into the field with this id.
    pub(crate) fn fill(&mut self, id: &str, text: &str) {
        self.click_on(&format!("#{id}"), "");
        self.run("document.activeElement.select()");
        self.call("Input.insertText", &json!({"text": text}));
    }

    fn click_on(&mut self, selector: &str, text: &str) {
        let place = self.wait_for(&format!(
            "const element = find({}, {}); element?.scrollIntoView({{ block: 'center' }});
            const area = element?.getBoundingClientRect();
            const [x, y] = [area?.x + area?.width / 2, area?.y + area?.height / 2];
            document.readyState === 'complete' && element?.contains(document.elementFromPoint(x, y)) && {{ x, y }}",
            json!(selector),
            json!(text)
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({"type": kind, "x": place["x"], "y": place["y"], "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", &event);
        }
    }

    /// The errors of the pages so far, such as what their policy for scripts forbids.
    pub(crate) fn errors(&self) -> &[String] {
        &self.errors
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // Its own processes write to its folder until they have ended, and the pipe with them.
        let _ = self.requests.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        while self.messages.recv_timeout(PATIENCE).is_ok() {}
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
