//! A browser without scripts: it keeps cookies and follows redirections.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Longer than anything takes on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub(crate) struct Browser {
    address: SocketAddr,
    cookies: HashMap<String, String>,
    /// The header that says whose form or link the browser follows.
    pub(crate) site: &'static str,
}

#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Page {
    pub(crate) fn has(&self, text: &str) -> bool {
        self.body.contains(text)
    }

    pub(crate) fn count(&self, text: &str) -> usize {
        self.body.matches(text).count()
    }

    pub(crate) fn between(&self, start: &str, end: &str) -> String {
        let rest = self.body.split_once(start).unwrap_or_else(|| panic!("no `{start}` in {self:?}")).1;
        rest.split_once(end).expect("it ends").0.to_owned()
    }

    fn headers<'p>(&'p self, name: &'p str) -> impl Iterator<Item = &'p str> {
        self.head.lines().filter_map(|line| line.split_once(": ")).filter(move |it| it.0 == name).map(|it| it.1)
    }
}

impl Browser {
    pub(crate) fn new(address: SocketAddr) -> Self {
        Self { address, cookies: HashMap::new(), site: "Sec-Fetch-Site: same-origin" }
    }

    pub(crate) fn cookies(&self) -> impl Iterator<Item = &str> {
        self.cookies.values().map(String::as_str)
    }

    pub(crate) fn get(&mut self, path: &str) -> Page {
        self.send("GET", path, "")
    }

    pub(crate) fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        let fields: Vec<_> = fields.iter().map(|(name, value)| format!("{name}={}", encode(value))).collect();
        self.send("POST", path, &fields.join("&"))
    }

    /// Signs in with the first account that the page shows.
    pub(crate) fn sign_in(&mut self) {
        self.sign_in_as("ada@");
    }

    /// Signs in with an account that the page shows.
    pub(crate) fn sign_in_as(&mut self, start: &str) {
        let page = self.get("/sign-in");
        let email = start.to_owned() + &page.between(&format!("<code>{start}"), "</code>");
        let password = page.between(&format!("{email}</code> with the password <code>"), "</code>");
        let page = self.post("/sign-in", &[("email", &email), ("password", "wrong")]);
        assert!(page.status == 403 && page.has("is wrong"), "{page:?}");
        let page = self.post("/sign-in", &[("email", &email), ("password", &password)]);
        assert!(page.status == 200 && page.has("Your cart"), "{page:?}");
    }

    /// Opens a page again until it is as expected.
    pub(crate) fn wait_for(&mut self, path: &str, is_expected: impl Fn(&Page) -> bool) {
        let started = Instant::now();
        loop {
            let page = self.get(path);
            if is_expected(&page) {
                return;
            }
            assert!(started.elapsed() < PATIENCE, "{path} remains {page:?}");
            sleep(Duration::from_millis(20));
        }
    }

    /// Sends a request and follows its redirections.
    fn send(&mut self, method: &str, path: &str, body: &str) -> Page {
        let mut stream = self.request(method, path, body);
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("the shop answers");
        let (head, body) = text.split_once("\r\n\r\n").expect("a head and a body");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        let page = Page { status, head: head.to_owned(), body: body.to_owned() };
        for cookie in page.headers("set-cookie") {
            assert!(cookie.contains("HttpOnly; SameSite=Lax"), "{cookie}");
            let (name, value) = cookie.split(';').next().and_then(|it| it.split_once('=')).expect("a name and a value");
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        let location = page.headers("location").next().map(str::to_owned);
        location.map_or(page, |location| self.get(&location))
    }

    /// Sends a request, whose response is read from the stream.
    fn request(&self, method: &str, path: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).expect("the shop is open");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time-out");
        // HTTP/1.0, so that bodies are not chunked.
        let mut request = format!("{method} {path} HTTP/1.0\r\nHost: shop\r\n{}\r\n", self.site);
        let _ = write!(request, "Content-Length: {}\r\n", body.len());
        if method == "POST" {
            request.push_str("Content-Type: application/x-www-form-urlencoded\r\n");
        }
        let cookies: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let _ = write!(request, "Cookie: {}\r\n\r\n{body}", cookies.join("; "));
        stream.write_all(request.as_bytes()).expect("the shop reads");
        stream
    }

    /// Opens a page that does not end.
    pub(crate) fn open(&self, path: &str) -> Events {
        Events { stream: self.request("GET", path, ""), read: String::new() }
    }
}

/// A response that goes on.
pub(crate) struct Events {
    stream: TcpStream,
    read: String,
}

impl Events {
    pub(crate) fn has(&self, text: &str) -> bool {
        self.read.contains(text)
    }

    pub(crate) fn wait_for(&mut self, text: &str) {
        let started = Instant::now();
        while !self.read.contains(text) {
            assert!(started.elapsed() < PATIENCE, "no `{text}` in {}", self.read);
            let mut bytes = [0; 1024];
            let count = self.stream.read(&mut bytes).expect("it goes on");
            assert!(count > 0, "it ends after {}", self.read);
            self.read.push_str(&String::from_utf8_lossy(bytes.get(..count).unwrap_or_default()));
        }
    }
}

fn encode(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        let _ = write!(encoded, "%{byte:02X}");
        encoded
    })
}
