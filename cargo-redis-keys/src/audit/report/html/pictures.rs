//! Pictures in SVG.

use maud::{Markup, html};

use crate::audit::report::document::Document;
use crate::audit::report::treemap::{Rect, squarified};
use crate::output::printable;
use crate::output::units::{bytes, percent, shortened};

/// The most modules of the treemap, and of the table beside it.
pub(super) const MODULES: usize = 30;

/// The most cells of a module.
const CELLS: usize = 30;

/// The most cells of the picture.
const ALL_CELLS: usize = 300;

const AREA: Rect = Rect { x: 0.0, y: 0.0, width: 1_000.0, height: 480.0 };

/// The height of the name of a module.
const HEAD: f64 = 16.0;

/// The width of a character.
const CHARACTER: f64 = 7.3;

/// The colors of modules.
const COLORS: usize = 8;

struct Module<'a> {
    name: &'a str,
    bytes: u64,
    /// The name, the memory, and whether it is declared.
    cells: Vec<(String, u64)>,
}

/// The memory of modules, and in each of them of its declarations and of unknown keys.
pub(super) fn treemap(document: &Document) -> Markup {
    let modules = modules(document);
    let sizes: Vec<_> = modules.iter().map(|module| module.bytes).collect();
    let rects = squarified(&sizes, AREA);
    html! {
        div.wide role="region" aria-label="Treemap of the memory by module" tabindex="0" {
            svg viewBox="0 0 1000 480" role="img" aria-label="Memory by module and declaration; the tables below have the numbers" {
                @for (number, (module, rect)) in modules.iter().zip(rects).enumerate() {
                    (module_cells(module, rect, number % COLORS, document.total.bytes))
                }
            }
        }
    }
}

fn module_cells(module: &Module<'_>, rect: Rect, color: usize, total: u64) -> Markup {
    let has_head = rect.height > 3.0 * HEAD && rect.width > 4.0 * CHARACTER;
    let head = if has_head { HEAD } else { 0.0 };
    let inner = Rect { y: rect.y + head, height: rect.height - head, ..rect };
    let sizes: Vec<_> = module.cells.iter().map(|(_, size)| *size).collect();
    let class = format!("c{color}");
    let about = format!("{}: {}, {}", module.name, bytes(module.bytes), percent(module.bytes, total));
    html! {
        g {
            @if has_head {
                (cell(Rect { height: head, ..rect }, &class, module.name, &about))
            }
            @for ((name, size), rect) in module.cells.iter().zip(squarified(&sizes, inner)) {
                (cell(rect, &class, name, &format!("{name}: {}, {}", bytes(*size), percent(*size, total))))
            }
        }
    }
}

/// A rectangle with as much of its name as fits.
fn cell(rect: Rect, class: &str, name: &str, about: &str) -> Markup {
    // What is smaller is not visible.
    if rect.width < 0.5 || rect.height < 0.5 {
        return html! {};
    }
    let fitting = characters(rect.width - 6.0);
    let is_named = rect.height >= 14.0 && fitting >= 4;
    html! {
        rect.(class) x=(number(rect.x)) y=(number(rect.y)) width=(number(rect.width)) height=(number(rect.height)) {
            title { (about) }
        }
        @if is_named {
            text x=(number(rect.x + 3.0)) y=(number(rect.y + 12.0)) { (shortened(name, fitting)) }
        }
    }
}

/// The modules with their cells: 30 cells a module, 300 in all, and the rest as `others`.
fn modules(document: &Document) -> Vec<Module<'_>> {
    let mut modules: Vec<_> = document
        .modules
        .iter()
        .filter(|summary| summary.bytes > 0)
        .take(MODULES)
        .map(|summary| Module {
            name: &summary.module,
            bytes: summary.bytes,
            cells: cells(document, &summary.module, summary.unknown_bytes),
        })
        .collect();
    let shown: u64 = modules.iter().map(|module| module.bytes).sum();
    let others = document.modules.iter().map(|summary| summary.bytes).sum::<u64>() - shown;
    if others > 0 {
        modules.push(Module {
            name: "other modules",
            bytes: others,
            cells: vec![("other modules".to_owned(), others)],
        });
    }
    modules.sort_by_key(|module| std::cmp::Reverse(module.bytes));
    let share = (ALL_CELLS / modules.len().max(1)).clamp(1, CELLS);
    for module in &mut modules {
        shorten(&mut module.cells, share);
    }
    modules
}

/// The declarations of a module and its unknown keys, the largest first.
fn cells(document: &Document, module: &str, unknown_bytes: u64) -> Vec<(String, u64)> {
    let is_in = |template: &str| template.split(':').next() == Some(module);
    let declared = document.declarations.iter().filter(|summary| summary.bytes > 0 && is_in(&summary.template));
    let mut cells: Vec<_> = declared.map(|summary| (printable(summary.template.as_bytes()), summary.bytes)).collect();
    if unknown_bytes > 0 {
        cells.push(("unknown".to_owned(), unknown_bytes));
    }
    cells.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    cells
}

/// Makes one cell of all but the largest ones.
fn shorten(cells: &mut Vec<(String, u64)>, most: usize) {
    if cells.len() > most {
        let others: u64 = cells.drain(most - 1..).map(|(_, size)| size).sum();
        let place = cells.partition_point(|(_, size)| *size >= others);
        cells.insert(place, ("others".to_owned(), others));
    }
}

/// Bars, one below the other.
pub(super) fn bars(label: &str, values: &[(&str, u64)], shown: fn(u64) -> String) -> Markup {
    let largest = values.iter().map(|(_, value)| *value).max().unwrap_or(0).max(1);
    let height = 22 * values.len() + 4;
    html! {
        div.wide role="region" aria-label=(label) tabindex="0" {
            svg viewBox={ "0 0 1000 " (height) } role="img" aria-label={ (label) "; the table below has the numbers" } {
                @for (place, (name, value)) in values.iter().enumerate() {
                    @let y = 22 * place + 4;
                    @let width = u128::from(*value) * 700 / u128::from(largest);
                    text x="3" y=(y + 13) { (shortened(name, 16)) }
                    rect.c0 x="130" y=(y) width=(width.max(u128::from(*value > 0))) height="18" {}
                    text x=(136 + width) y=(y + 13) { (shown(*value)) }
                }
            }
        }
    }
}

/// How many characters fit into a width.
fn characters(width: f64) -> usize {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cell is at most 1,000 wide")]
    let fitting = (width / CHARACTER).clamp(0.0, 200.0) as usize;
    fitting
}

/// A coordinate with one decimal.
fn number(coordinate: f64) -> String {
    format!("{coordinate:.1}")
}
