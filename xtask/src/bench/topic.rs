//! One table of figures.

use std::fmt;

/// A table, and how its figures were taken. Prints as Markdown that reads well as it is.
pub(super) struct Topic {
    pub(super) title: &'static str,
    pub(super) how: String,
    pub(super) columns: &'static [&'static str],
    pub(super) rows: Vec<Vec<String>>,
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head: Vec<String> = self.columns.iter().map(|&column| column.to_owned()).collect();
        let widths: Vec<usize> = (0..head.len())
            .map(|at| std::iter::once(&head).chain(&self.rows).map(|row| row[at].chars().count()).max().unwrap_or(0))
            .collect();
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
        writeln!(f, "\n{}", self.how)
    }
}

/// A figure beside its goal: `0.31 (goal: at most 0.45)`, or with `missed`.
pub(super) fn beside_goal(figure: f64, reached: bool, goal: &str) -> String {
    let mark = if reached { "" } else { ", **missed**" };
    format!("{figure:.2} (goal {goal}{mark})")
}

/// The middle of some figures.
pub(super) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The least disturbed of some times.
pub(super) fn fastest(figures: &[f64]) -> f64 {
    figures.iter().copied().fold(f64::INFINITY, f64::min)
}
