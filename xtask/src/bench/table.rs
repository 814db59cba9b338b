//! Tables of figures, and statistics.

use std::fmt;

/// A table, and how its figures were measured. It displays as aligned Markdown.
pub(super) struct Table {
    pub(super) title: &'static str,
    pub(super) method: String,
    pub(super) columns: &'static [&'static str],
    pub(super) rows: Vec<Vec<String>>,
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head: Vec<String> = self.columns.iter().map(|&column| column.to_owned()).collect();
        let width = |column: usize| {
            let cells = std::iter::once(&head).chain(&self.rows).map(|row| row[column].chars().count());
            cells.max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..head.len()).map(width).collect();
        let line = |f: &mut fmt::Formatter<'_>, row: &[String]| {
            for (cell, &width) in row.iter().zip(&widths) {
                write!(f, "| {cell:width$} ")?;
            }
            writeln!(f, "|")
        };
        writeln!(f, "**{}**\n", self.title)?;
        line(f, &head)?;
        let dashes: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
        line(f, &dashes)?;
        self.rows.iter().try_for_each(|row| line(f, row))?;
        writeln!(f, "\n{}", self.method)
    }
}

/// A figure with its goal: `0.31 (goal ≤ 0.45)`, or with `missed`.
pub(super) fn with_goal(figure: f64, reached: bool, goal: &str) -> String {
    let mark = if reached { "" } else { ", **missed**" };
    format!("{figure:.2} (goal {goal}{mark})")
}

pub(super) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

pub(super) fn minimum(figures: &[f64]) -> f64 {
    figures.iter().copied().fold(f64::INFINITY, f64::min)
}
