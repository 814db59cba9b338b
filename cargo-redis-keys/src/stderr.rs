//! Messages on stderr. Those that cannot be written are lost: a full disk behind stderr, or a reader that has closed it, is no
//! reason to lose a report or a plan.

use std::fmt::Arguments;
use std::io::Write as _;

/// Prints a line.
macro_rules! message {
    ($($text:tt)*) => {
        $crate::stderr::print(format_args!("{}\n", format_args!($($text)*)))
    };
}

/// Prints text, without a new line behind it.
pub(crate) fn print(text: Arguments<'_>) {
    let _ = anstream::stderr().lock().write_all(text.to_string().as_bytes());
}
