//! Tables for terminals.

use std::io;

use super::text::BOLD;
use super::units::shortened;

/// The spaces between two columns.
const GAP: usize = 2;

/// The narrowest column whose texts are shortened.
const NARROWEST: usize = 8;

/// Writes rows in columns below a head, each as wide as its longest text. If that is more than `width`, the texts of
/// the widest columns are shortened, the first column last.
pub(crate) fn write_table(
    out: &mut dyn io::Write,
    head: &[&str],
    rows: &[Vec<String>],
    width: Option<usize>,
) -> io::Result<()> {
    let head: Vec<_> = head.iter().map(|name| (*name).to_owned()).collect();
    let widths = widths(&head, rows, width);
    write!(out, "{BOLD}")?;
    write_row(out, &head, &widths, &format!("{BOLD:#}"))?;
    rows.iter().try_for_each(|row| write_row(out, row, &widths, ""))
}

/// The number of columns of the terminal to which stdout is written, if it is a terminal.
#[cfg(feature = "audit")]
pub(crate) fn terminal_width() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
    Some(usize::from(width.0))
}

/// The columns to use, if stdout is a terminal: a build without servers does not know its width.
#[cfg(not(feature = "audit"))]
pub(crate) fn terminal_width() -> Option<usize> {
    use std::io::IsTerminal as _;

    io::stdout().is_terminal().then_some(100)
}

fn widths(head: &[String], rows: &[Vec<String>], width: Option<usize>) -> Vec<usize> {
    let mut widths: Vec<_> = head.iter().map(|text| text.chars().count()).collect();
    for row in rows {
        for (width, text) in widths.iter_mut().zip(row) {
            *width = (*width).max(text.chars().count());
        }
    }
    let Some(most) = width else { return widths };
    while widths.iter().sum::<usize>() + GAP * (head.len() - 1) > most {
        let (first, others) = widths.split_at_mut(1);
        let widest = others.iter_mut().max().filter(|width| **width > NARROWEST);
        match widest.or(first.first_mut()) {
            Some(width) if *width > NARROWEST => *width -= 1,
            _ => break,
        }
    }
    widths
}

fn write_row(out: &mut dyn io::Write, row: &[String], widths: &[usize], end: &str) -> io::Result<()> {
    let mut line = String::new();
    for (text, width) in row.iter().zip(widths) {
        let text = shortened(text, *width);
        let spaces = width.saturating_sub(text.chars().count()) + GAP;
        line.push_str(&text);
        line.extend(std::iter::repeat_n(' ', spaces));
    }
    writeln!(out, "{}{end}", line.trim_end())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on")]
mod tests {
    use super::*;

    fn shown(width: Option<usize>) -> String {
        let rows = [["abcdefghijklmnopqrstuvwxyz", "1h", ""], ["a", "12345", "data"]];
        let mut out = Vec::new();
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        write_table(&mut out, &["KEY", "TTL", "OWNER"], &rows, width).unwrap();
        anstream::adapter::strip_bytes(&out).into_vec().escape_ascii().to_string().replace("\\n", "\n")
    }

    #[test]
    fn columns_are_as_wide_as_their_texts() {
        let wide = "KEY                         TTL    OWNER\nabcdefghijklmnopqrstuvwxyz  1h\n\
                    a                           12345  data\n";
        assert_eq!(shown(None), wide);
        assert_eq!(shown(Some(100)), wide);
    }

    #[test]
    fn the_first_column_is_shortened_last() {
        let rows = [["abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnop"].map(str::to_owned).to_vec()];
        let shown = |width| {
            let mut out = Vec::new();
            write_table(&mut out, &["KEY", "TYPE"], &rows, Some(width)).unwrap();
            let text = String::from_utf8(anstream::adapter::strip_bytes(&out).into_vec()).unwrap();
            text.lines().nth(1).unwrap_or_default().to_owned()
        };
        assert_eq!(shown(40), "abcdefghijklmnopqrstuvwxyz  abcdefg…mnop");
        assert_eq!(shown(30), "abcdefghijklm…uvwxyz  abcde…op");
        // Below that, lines are wider than the terminal.
        assert_eq!(shown(1), "abcde…yz  abcde…op");
    }
}
