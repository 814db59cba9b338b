//! A client of the language server protocol: messages in JSON, each after a header with its length.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::run::{Failure, Outcome, program};

/// The server's answer to a question that a change of its own has made void. The client asks again.
const CONTENT_MODIFIED: i64 = -32801;

/// A running rust-analyzer.
pub(super) struct Client {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    requests: u64,
    /// Whether the server has loaded everything.
    ready: bool,
    /// The names of the types of tokens.
    pub(super) token_types: Vec<String>,
}

impl Client {
    /// Starts the server in the folder of a crate and waits until it has loaded it. It builds and logs into another
    /// folder.
    pub(super) fn start(folder: &Path, work: &Path) -> Outcome<Self> {
        let mut process = program("rust-analyzer")
            .current_dir(folder)
            .env("CARGO_TARGET_DIR", std::path::absolute(work.join("target"))?)
            .env("CARGO_INCREMENTAL", "0")
            .env_remove("RUSTFLAGS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(work.join("rust-analyzer.log"))?)
            .spawn()?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(Failure::new("rust-analyzer has no input or output"));
        };
        let output = BufReader::new(output);
        let mut client = Self { process, input, output, requests: 0, ready: false, token_types: Vec::new() };
        let answer = client.request("initialize", &initialize(folder))?;
        let types = answer["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"].as_array();
        client.token_types = types.into_iter().flatten().filter_map(|name| Some(name.as_str()?.to_owned())).collect();
        client.notify("initialized", &json!({}))?;
        client.wait_until_ready()?;
        Ok(client)
    }

    pub(super) fn stop(mut self) -> Outcome {
        self.request("shutdown", &Value::Null)?;
        self.notify("exit", &Value::Null)?;
        self.process.wait()?;
        Ok(())
    }

    pub(super) fn notify(&mut self, method: &str, params: &Value) -> Outcome {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    /// Sends a request and returns the result.
    pub(super) fn request(&mut self, method: &str, params: &Value) -> Outcome<Value> {
        loop {
            self.requests += 1;
            self.send(&json!({ "jsonrpc": "2.0", "id": self.requests, "method": method, "params": params }))?;
            let mut answer = self.answer()?;
            match answer["error"]["code"].as_i64() {
                None => return Ok(answer["result"].take()),
                Some(CONTENT_MODIFIED) => self.wait_until_ready()?,
                Some(_) => return Err(Failure::new(format!("{method} {params}: {}", answer["error"]))),
            }
        }
    }

    /// Reads until the answer to the last request.
    fn answer(&mut self) -> Outcome<Value> {
        loop {
            let message = self.read()?;
            if message["id"] == self.requests && message["method"].is_null() {
                return Ok(message);
            }
            self.handle(&message)?;
        }
    }

    fn wait_until_ready(&mut self) -> Outcome {
        while !self.ready {
            let message = self.read()?;
            self.handle(&message)?;
        }
        Ok(())
    }

    /// Handles what the server sends without being asked.
    fn handle(&mut self, message: &Value) -> Outcome {
        if message["method"] == "experimental/serverStatus" {
            let status = &message["params"];
            self.ready = status["quiescent"] == true;
            if self.ready && status["health"] != "ok" {
                return Err(Failure::new(format!("rust-analyzer: {}", status["message"])));
            }
        }
        // A request, such as for a window with the progress. None of them matters here.
        if !message["method"].is_null() && !message["id"].is_null() {
            self.send(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": null }))?;
        }
        Ok(())
    }

    fn send(&mut self, message: &Value) -> Outcome {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        Ok(self.input.flush()?)
    }

    fn read(&mut self) -> Outcome<Value> {
        let mut length = None;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err(Failure::new("rust-analyzer ended"));
            }
            if line.trim().is_empty() {
                break;
            }
            length = line.strip_prefix("Content-Length: ").and_then(|length| length.trim().parse().ok()).or(length);
        }
        let mut body = vec![0; length.ok_or_else(|| Failure::new("a message without a length"))?];
        self.output.read_exact(&mut body)?;
        serde_json::from_slice(&body).map_err(|error| Failure::new(error.to_string()))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The place of a file, as the protocol writes it.
pub(super) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// Returns the description of the client, and the settings of the server.
fn initialize(folder: &Path) -> Value {
    json!({
        "processId": std::process::id(),
        "rootUri": uri(folder),
        "capabilities": {
            // Columns are counted in characters.
            "general": { "positionEncodings": ["utf-32"] },
            "experimental": { "serverStatusNotification": true },
            "textDocument": {
                "definition": { "linkSupport": true },
                "diagnostic": {},
                "hover": { "contentFormat": ["markdown"] },
                "semanticTokens": { "requests": { "full": true }, "formats": ["relative"], "tokenTypes": [], "tokenModifiers": [] },
            },
        },
        "initializationOptions": {
            "checkOnSave": false,
            "cachePriming": { "enable": false },
        },
    })
}
