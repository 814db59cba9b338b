//! Findings and other results as text for terminals, Markdown, HTML and JSON.

mod finding;
pub(crate) mod github;
pub(crate) mod html;
pub(crate) mod markdown;
pub(crate) mod prometheus;
pub(crate) mod rustc;
pub(crate) mod sarif;
pub(crate) mod table;
mod text;
pub(crate) mod units;

pub(crate) use finding::{Code, File, Finding, Level, Location};
pub(crate) use text::{BOLD, WIDTH, base64, from_base64, one_line, printable, visible_json, wrapped};
