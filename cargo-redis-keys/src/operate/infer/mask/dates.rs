//! Dates and other calendar buckets.

/// The forms of dates, with the letters of their marks. `9` is a digit.
const FORMS: [(char, &str, &str); 12] = [
    ('T', "9999-99-99T99:99", "YYYY-MM-DDThh:mm"),
    ('D', "9999-99-99", "YYYY-MM-DD"),
    ('F', "9999/99/99", "YYYY/MM/DD"),
    ('G', "9999_99_99", "YYYY_MM_DD"),
    ('P', "9999.99.99", "YYYY.MM.DD"),
    ('W', "9999-W99", "YYYY-Www"),
    ('M', "9999-99", "YYYY-MM"),
    ('S', "99999999999999", "YYYYMMDDhhmmss"),
    ('I', "999999999999", "YYYYMMDDhhmm"),
    ('H', "9999999999", "YYYYMMDDhh"),
    ('E', "99999999", "YYYYMMDD"),
    ('N', "999999", "YYYYMM"),
];

/// The text of a form, such as `YYYY-MM-DD`.
pub(in crate::operate::infer) fn date_form(letter: char) -> Option<&'static str> {
    FORMS.iter().find(|(known, ..)| *known == letter).map(|(_, _, shown)| *shown)
}

/// The form and the length of the date with which a text begins.
pub(super) fn date(text: &[u8]) -> Option<(char, usize)> {
    if !matches!(text, [b'1' | b'2', b'0' | b'9', b'0'..=b'9', b'0'..=b'9', ..]) {
        return None;
    }
    FORMS.iter().find_map(|(letter, form, _)| {
        let has_form = |(byte, form): (&u8, u8)| if form == b'9' { byte.is_ascii_digit() } else { *byte == form };
        let date = text.get(..form.len())?;
        if !date.iter().zip(form.bytes()).all(has_form) || !is_plausible(date) {
            return None;
        }
        let mut length = form.len();
        if *letter == 'T' {
            // Seconds, fractions and the zone.
            let is_time = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'Z');
            let mut more = text.get(length..).unwrap_or_default();
            if let [b':', b'0'..=b'5', b'0'..=b'9', ..] = more {
                length += 3;
                more = more.get(3..).unwrap_or_default();
            }
            length += more.iter().take_while(|byte| is_time(byte)).count();
        }
        let is_alone = text.get(length).is_none_or(|byte| !byte.is_ascii_alphanumeric());
        is_alone.then_some((*letter, length))
    })
}

/// Whether the month, the day, the hour, the minute and the second are possible.
fn is_plausible(date: &[u8]) -> bool {
    let digits: Vec<u32> =
        date.iter().filter(|byte| byte.is_ascii_digit()).map(|byte| u32::from(byte - b'0')).collect();
    let is_week = date.contains(&b'W');
    let fields =
        digits.get(4..).unwrap_or_default().chunks(2).map(|pair| pair.iter().fold(0, |sum, digit| sum * 10 + digit));
    let ranges = [if is_week { 1..=53 } else { 1..=12 }, 1..=31, 0..=23, 0..=59, 0..=59];
    let year = digits.iter().take(4).fold(0, |sum, digit| sum * 10 + digit);
    (1990..=2099).contains(&year) && fields.zip(ranges).all(|(field, range)| range.contains(&field))
}
