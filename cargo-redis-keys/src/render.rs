//! Findings and reports, and their forms: text for terminals, Markdown, HTML, and files for other programs.

mod finding;
mod finding_id;
pub(crate) mod github;
pub(crate) mod html;
mod key_text;
mod level;
pub(crate) mod markdown;
pub(crate) mod report;
pub(crate) mod rustc;
pub(crate) mod sarif;
pub(crate) mod server_user;
pub(crate) mod table;
pub(crate) mod terminal;
mod text;
pub(crate) mod units;

pub(crate) use finding::{
    Code, Detail, Example, Figures, File, Finding, Location, SourcePlace, StoredSubject, ValueCode,
};
pub(crate) use finding_id::FindingId;
pub(crate) use key_text::KeyText;
pub(crate) use level::Level;
pub(crate) use text::{
    BOLD, WIDTH, base64, from_base64, is_visible, json_bytes, json_lines, one_line, printable, visible_json, wrapped,
};
