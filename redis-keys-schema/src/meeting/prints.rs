//! What parameters print, as far as it tells keys apart.

/// What the values of a type look like in a key. From this the compiler knows that `user:{id}:string` with a number can never
/// be the key `user:me:string`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Prints {
    /// Any text, or nothing is known of it.
    #[default]
    Anything,
    /// A whole number without sign and without zeros in front of it, such as `42`.
    WholeNumber,
    /// `true` or `false`.
    TrueOrFalse,
    /// 32 hexadecimal digits, such as `67e5504410b1426f9247bb680e5fe0c8`.
    UuidDigits,
    /// A year in 4 digits, such as `2026`.
    YearDigits,
    /// A month in 6 digits, such as `202601`.
    MonthDigits,
    /// A day in 8 digits, such as `20260131`.
    DayDigits,
    /// An hour in 10 digits, such as `2026013123`.
    HourDigits,
    /// One word that is no number, such as `orders`.
    OneWord,
}

impl Prints {
    /// What a type prints, where its name says so.
    pub(super) fn of_type(ty: &str) -> Option<Self> {
        match ty {
            "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => {
                Some(Self::WholeNumber)
            }
            "bool" => Some(Self::TrueOrFalse),
            "String" => Some(Self::Anything),
            _ => None,
        }
    }

    /// What a span of the calendar prints, by its number of digits.
    #[doc(hidden)]
    pub const fn of_calendar(digits: usize) -> Self {
        match digits {
            4 => Self::YearDigits,
            6 => Self::MonthDigits,
            8 => Self::DayDigits,
            _ => Self::HourDigits,
        }
    }

    /// Its number, by which the compiler goes.
    #[doc(hidden)]
    pub const fn number(self) -> u8 {
        self as u8
    }
}

/// The form of a text, which says what can print it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Whether a number prints it.
    pub number: bool,
    /// What else prints it beside text: `TrueOrFalse`, `UuidDigits` or a span of the calendar, no two of which have a text in common.
    pub also: Option<Prints>,
}

impl Form {
    /// The form of a word of a key.
    pub fn of(word: &str) -> Self {
        let digits = word.bytes().all(|byte| byte.is_ascii_digit());
        let number = digits && (word == "0" || !word.starts_with('0'));
        let also = if matches!(word, "true" | "false") {
            Some(Prints::TrueOrFalse)
        } else if word.len() == 32 && word.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            Some(Prints::UuidDigits)
        } else {
            match word.len() {
                4 if digits => Some(Prints::YearDigits),
                6 if digits => Some(Prints::MonthDigits),
                8 if digits => Some(Prints::DayDigits),
                10 if digits => Some(Prints::HourDigits),
                _ => None,
            }
        };
        Self { number, also }
    }
}
