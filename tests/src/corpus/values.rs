//! The values of parameters.

use fastrand::Rng;

const URL_SAFE: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const JABBER_HOSTS: [&str; 2] = ["chat.example.org", "im.example.com"];

/// A value of the generator of this name, as in `b64:32`.
pub(super) fn value(name: &str, random: &mut Rng) -> String {
    let (kind, size) = name.split_once(':').unwrap_or((name, "0"));
    let size: usize = size.parse().expect("a size");
    match kind {
        "int" => random.u32(1..2_000_000).to_string(),
        "small" => random.usize(1..size).to_string(),
        "padded" => format!("{:0size$}", random.u32(0..99_999)),
        "neg" => format!("-100{}", random.u32(1_000_000_000..2_000_000_000)),
        "pid" => random.u32(2..40_000).to_string(),
        "ms" => (1_790_000_000_000 + random.u64(0..9_000_000_000)).to_string(),
        "sec" => (1_790_000_000 + random.u64(0..9_000_000)).to_string(),
        "hex8" => of(random, b"0123456789abcdef", 8),
        "hex12" => of(random, b"0123456789abcdef", 12),
        "hex16" => of(random, b"0123456789abcdef", 16),
        "hex24" => of(random, b"0123456789abcdef", 24),
        "hex32" => of(random, b"0123456789abcdef", 32),
        "hex40" => of(random, b"0123456789abcdef", 40),
        "hex64" => of(random, b"0123456789abcdef", 64),
        "b64" => of(random, URL_SAFE, size),
        "alnum" | "b62" => of(random, b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", size),
        "b36" => of(random, b"abcdefghijklmnopqrstuvwxyz0123456789", size),
        "HEXUP" => of(random, b"0123456789ABCDEF", 32),
        "micro" => format!("2026{:016}", random.u64(1_000_000_000_000..12_000_000_000_000)),
        "hh" => format!("{:02}", random.u32(0..24)),
        "week" => format!("{}-W{:02}", random.u32(2024..2027), random.u32(1..53)),
        // Numbers of messages that begin with a time, as Twitter has them.
        "snowflake" => (1_990_000_000_000_000_000 + random.u64(0..40_000_000_000_000_000)).to_string(),
        // A number of a mobile telephone in China.
        "mobile" => format!("1{}", random.u64(3_000_000_000..10_000_000_000)),
        "HEX16" => of(random, b"0123456789ABCDEF", 16),
        "b32" => of(random, b"abcdefghijklmnopqrstuvwxyz234567", size),
        "jwt" => {
            let part = |random: &mut Rng, length| of(random, URL_SAFE, length);
            format!("eyJ{}.eyJ{}.{}", part(random, 33), part(random, 60), part(random, 43))
        }
        "jid" => format!("{}@{}", value("user", random), random.choice(JABBER_HOSTS).expect("a host")),
        // A date with hours and minutes.
        "minutes" => format!("{}{:02}", value("hour", random), random.u32(0..60)),
        "iban" => format!("DE{:020}", random.u64(..10_000_000_000_000_000_000)),
        "ulid" => format!("01K{}", of(random, b"0123456789ABCDEFGHJKMNPQRSTVWXYZ", 23)),
        "uuid" => {
            let hex = of(random, b"0123456789abcdef", 32);
            format!("{}-{}-4{}-a{}-{}", &hex[..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..])
        }
        "day" => format!("{}-{:02}-{:02}", random.u32(2024..2027), random.u32(1..13), random.u32(1..29)),
        "ymd" => format!("{}{:02}{:02}", random.u32(2024..2027), random.u32(1..13), random.u32(1..29)),
        "month" => format!("{}-{:02}", random.u32(2020..2027), random.u32(1..13)),
        "hour" => {
            let (year, month, day) = (random.u32(2024..2027), random.u32(1..13), random.u32(1..29));
            format!("{year}{month:02}{day:02}{:02}", random.u32(0..24))
        }
        "ip" => format!("{}.{}.{}.{}", random.u8(1..224), random.u8(..), random.u8(..), random.u8(..)),
        "mac" => (0..6).map(|_| format!("{:02x}", random.u8(..))).collect::<Vec<_>>().join(":"),
        "size" => format!("{0}x{0}", random.u32(1..13) * 32),
        "email" => format!("{}.{}@{}.example", name_of(random), random.u32(1..99), word(random)),
        "host" => format!("{}-{}", random.choice(["web", "worker", "cron"]).expect("a name"), random.u32(1..9)),
        "machine" => {
            format!("{}-{}", random.choice(["web", "db", "search", "mail"]).expect("a name"), random.u32(1..40))
        }
        "fqdn" => network_name(random),
        "mail" => address(random),
        "ipany" if random.u8(..4) == 0 => {
            let group = |random: &mut Rng| format!("{:x}", random.u16(1..));
            format!("2001:db8:{}:{}::{}", group(random), group(random), group(random))
        }
        "ipany" => value("ip", random),
        // Minutes since 1970.
        "minute" => (29_833_000 + random.u64(0..150_000)).to_string(),
        "yyyymm" => format!("{}{:02}", random.u32(2020..2027), random.u32(1..13)),
        "code6" => random.u32(100_000..1_000_000).to_string(),
        "phone" => format!("+49{}", random.u64(1_500_000_000..1_800_000_000)),
        "sku" => format!("{}-{}", of(random, b"ABCDEFGHJKLMNPRSTVWXYZ", 2), random.u32(1_000..10_000)),
        "domain" => {
            let host = random.choice(["", "", "www.", "api.", "mail."]).expect("a host");
            let end = random.choice(["com", "org", "de", "io", "co.uk"]).expect("an end");
            format!("{host}{}.{end}", name_of(random))
        }
        "user" => match random.u8(..3) {
            0 => name_of(random),
            1 => format!("{}{}", name_of(random), random.u32(1..100)),
            _ => format!("{}_{}", name_of(random), name_of(random)),
        },
        // A pod of Kubernetes, which makes names of letters and digits without vowels.
        "pod" => {
            const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
            format!("{}-{}-{}", word(random), of(random, LETTERS, 9), of(random, LETTERS, 5))
        }
        "name" => name_of(random),
        "word" => word(random),
        "slug" => (0..random.u32(2..7)).map(|_| word(random)).collect::<Vec<_>>().join("-"),
        "snake" => (0..random.u32(2..5)).map(|_| word(random)).collect::<Vec<_>>().join("_"),
        "class" => capitalized(&word(random)) + &capitalized(&word(random)),
        "module" => (0..random.u32(1..4)).map(|_| capitalized(&word(random))).collect::<Vec<_>>().join("::"),
        "path" => (0..random.u32(1..5)).map(|_| word(random)).collect::<Vec<_>>().join("/"),
        _ => panic!("no generator {name}"),
    }
}

/// The class that values of this generator have, as `adopt` names it. `None` where the values do not show it.
pub(super) fn class(name: &str) -> Option<&'static str> {
    Some(match name.split(':').next().unwrap_or(name) {
        "int" | "small" | "padded" | "neg" | "pid" | "ms" | "sec" | "minute" | "micro" | "code6" | "snowflake"
        | "mobile" => "integer",
        "hex8" | "hex12" | "hex16" | "hex24" | "hex32" | "hex40" | "hex64" | "HEX16" | "HEXUP" => "hex",
        "uuid" => "uuid",
        "ulid" => "ulid",
        "day" => "YYYY-MM-DD",
        "ymd" => "YYYYMMDD",
        "month" => "YYYY-MM",
        "yyyymm" => "YYYYMM",
        "hour" => "YYYYMMDDhh",
        "week" => "YYYY-Www",
        "ip" | "ipany" => "ip",
        "mac" => "mac",
        "email" | "mail" => "email",
        "size" => "size",
        "domain" | "fqdn" => "domain",
        "name" | "word" | "slug" | "snake" | "class" | "module" | "user" | "pod" | "host" | "machine" => "text",
        _ => return None,
    })
}

fn of(random: &mut Rng, alphabet: &[u8], length: usize) -> String {
    (0..length).map(|_| char::from(*random.choice(alphabet).expect("a letter"))).collect()
}

fn capitalized(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

/// The name of a machine in its network.
fn network_name(random: &mut Rng) -> String {
    if random.bool() {
        return format!("ip-10-0-{}-{}.eu-central-1.compute.internal", random.u8(..8), random.u8(..));
    }
    let kind = random.choice(["web", "db", "cache", "worker"]).expect("a name");
    format!("{kind}{:02}.{}.example.net", random.u32(1..30), random.choice(["fra", "ams"]).expect("a place"))
}

/// An e-mail address, whose name has one word or several.
fn address(random: &mut Rng) -> String {
    let name = match random.u8(..4) {
        0 => name_of(random),
        1 => format!("{}{}", name_of(random), random.u32(1..99)),
        2 => format!("{}_{}", name_of(random), name_of(random)),
        _ => format!("{}.{}", name_of(random), name_of(random)),
    };
    format!("{name}@{}", random.choice(["gmail.com", "mail.example.org", "web.de"]).expect("a host"))
}

/// A made-up first name, of which there are 160,000.
fn name_of(random: &mut Rng) -> String {
    let syllable = |random: &mut Rng| of(random, b"bdfglmnrst", 1) + &of(random, b"aeio", 1);
    (0..random.u32(2..5)).map(|_| syllable(random)).collect()
}

/// One of 60 words.
fn word(random: &mut Rng) -> String {
    const WORDS: &str = "green tea red winter garden house music early light river stone paper copper mountain city \
                         night coffee kitchen island forest window summer bicycle morning market letter table chair \
                         bridge sister ocean silver orange simple modern travel guide review report update launch \
                         daily weekly sync export import invoice order payment refund customer product account \
                         message alert digest search index queue worker";
    let words: Vec<_> = WORDS.split_whitespace().collect();
    (*random.choice(&words).expect("a word")).to_owned()
}
