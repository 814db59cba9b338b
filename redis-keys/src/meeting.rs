//! Declarations whose keys can be the same.
//!
//! Each derive says which keys are its own, in an `impl` of [`IsDeclaredBy`] for a type that spells the key's template, and
//! asks whose such keys are. Where several answer, rustc says that it can't choose, and shows them.
//!
//! ```text
//! user:{id}:me:string    with id: u64
//! impl<M, T, A> IsDeclaredBy<Name, (M, (T, (A, ())))>
//!     for Keys7<M, (KeyWord<T, AsNumber, A>, PlainText<"me">), InCommon<"user::string:4">> {}
//! two_declarations_make_the_same_key::<
//!     Keys7<_, (KeyWord<_, AsNumber, _>, PlainText<"me">), InCommon<"user::string:4">>, _, _>
//! ```
//!
//! - Both have a hole wherever a parameter prints more than one text. So a key is found from either side, also where each of
//!   two has text at the other's parameter.
//! - Texts are their hashes, since a type can't hold a text. Two texts of one hash would be taken for the same: at 64 bits that
//!   happens in one of 10¹² projects of 4,000 keys.
//! - What the declarations of all keys have in common, and the crate, is one hash in `InCommon`: the keys of other crates are never
//!   seen, and neither are those of another module or type.
//! - rustc looks through the `impl`s by the outermost type. So there are many of them, and a key sees few others. Of those it
//!   looks at the parts in their order: the first one is the hash of the first segment, if that has no hole.
//! - Once it is known whose keys they are, what stands in the holes doesn't matter any more: [`Settled`] fills them.
//!
//! What a type prints is [`KeySegment::PRINTS`]. To tell more types apart, give [`Prints`] one more
//! variant, [`Class`] one more `impl` below, and the texts that it can print their own
//! [`Form`](redis_keys_schema::meeting::Form).

use std::marker::PhantomData;

use redis_keys_schema::meeting::Prints;

pub use crate::KeySegment;

/// Which declaration makes a key. `Holes` are what its parameters leave open.
pub trait IsDeclaredBy<Declaration, Holes> {}

// The line is a part of the message: it is the only place where a help can stand.
#[rustfmt::skip]
/// Asks which one declaration makes a key.
pub const fn two_declarations_make_the_same_key<Key, Declaration, Holes>()
where
    Key: IsDeclaredBy<Declaration, Holes>, // help: rename one of the keys, or write `allow(overlap, reason = "…")` in one
    Holes: Settled,
{
}

/// Holes of which none is open any more.
pub trait Settled {}

impl Settled for () {}

impl<Rest: Settled> Settled for ((), Rest) {}

/// A word of a key: its text, whether it is one [`AsNumber`], and which other parameters print it.
pub struct KeyWord<Text, Digits = AsNone, Also = AsNone>(PhantomData<(Text, Digits, Also)>);

/// A text, as its hash.
pub struct KeyText<const HASH: u64>;

/// A word that text alone prints.
pub type PlainText<const HASH: u64> = KeyWord<KeyText<HASH>>;

/// What two keys have in common: the crate, the module, the type of the value, and the number of segments.
pub struct InCommon<const HASH: u64>;

/// A word that a number prints.
pub struct AsNumber;

/// A word that [`Prints::TrueOrFalse`] prints.
pub struct AsBool;

/// A word that [`Prints::UuidDigits`] prints.
pub struct AsUuid;

/// A word that [`Prints::YearDigits`] prints.
pub struct AsYear;

/// A word that [`Prints::MonthDigits`] prints.
pub struct AsMonth;

/// A word that [`Prints::DayDigits`] prints.
pub struct AsDay;

/// A word that [`Prints::HourDigits`] prints.
pub struct AsHour;

/// What a word is not.
pub struct AsNone;

/// A kind of parameter that the compiler alone knows, by its [`Prints`].
pub struct Class<const PRINTS: u8>;

/// What is printed, with its holes. Those that it doesn't need are settled.
pub trait Printed<Text, Digits, Also> {
    /// A word, or anything.
    type Word;
}

impl<T> Printed<T, (), ()> for Class<{ Prints::Anything.number() }> {
    type Word = T;
}

impl<T, A> Printed<T, (), A> for Class<{ Prints::WholeNumber.number() }> {
    type Word = KeyWord<T, AsNumber, A>;
}

impl<T> Printed<T, (), ()> for Class<{ Prints::TrueOrFalse.number() }> {
    type Word = KeyWord<T, AsNone, AsBool>;
}

impl<T, A> Printed<T, (), A> for Class<{ Prints::OneWord.number() }> {
    type Word = KeyWord<T, AsNone, A>;
}

macro_rules! printed {
    ($($prints:ident $also:ident)*) => {$(
        impl<T, D> Printed<T, D, ()> for Class<{ Prints::$prints.number() }> {
            type Word = KeyWord<T, D, $also>;
        }
    )*};
}

printed!(UuidDigits AsUuid YearDigits AsYear MonthDigits AsMonth DayDigits AsDay HourDigits AsHour);

macro_rules! buckets {
    ($($name:ident)*) => {$(
        /// Keys, of which any two that are the same are in the same of these.
        pub struct $name<Mark, Segments, Common>(PhantomData<(Mark, Segments, Common)>);
    )*};
}

// As many as `BUCKETS` in `redis-keys-macros/src/meeting.rs`.
#[rustfmt::skip]
buckets! {
    Keys0 Keys1 Keys2 Keys3 Keys4 Keys5 Keys6 Keys7 Keys8 Keys9 Keys10 Keys11 Keys12 Keys13 Keys14 Keys15 Keys16
    Keys17 Keys18 Keys19 Keys20 Keys21 Keys22 Keys23 Keys24 Keys25 Keys26 Keys27 Keys28 Keys29 Keys30 Keys31 Keys32
    Keys33 Keys34 Keys35 Keys36 Keys37 Keys38 Keys39 Keys40 Keys41 Keys42 Keys43 Keys44 Keys45 Keys46 Keys47 Keys48
    Keys49 Keys50 Keys51 Keys52 Keys53 Keys54 Keys55 Keys56 Keys57 Keys58 Keys59 Keys60 Keys61 Keys62 Keys63 Keys64
    Keys65 Keys66 Keys67 Keys68 Keys69 Keys70 Keys71 Keys72 Keys73 Keys74 Keys75 Keys76 Keys77 Keys78 Keys79 Keys80
    Keys81 Keys82 Keys83 Keys84 Keys85 Keys86 Keys87 Keys88 Keys89 Keys90 Keys91 Keys92 Keys93 Keys94 Keys95 Keys96
    Keys97 Keys98 Keys99 Keys100 Keys101 Keys102 Keys103 Keys104 Keys105 Keys106 Keys107 Keys108 Keys109 Keys110
    Keys111 Keys112 Keys113 Keys114 Keys115 Keys116 Keys117 Keys118 Keys119 Keys120 Keys121 Keys122 Keys123 Keys124
    Keys125 Keys126 Keys127 Keys128 Keys129 Keys130 Keys131 Keys132 Keys133 Keys134 Keys135 Keys136 Keys137 Keys138
    Keys139 Keys140 Keys141 Keys142 Keys143 Keys144 Keys145 Keys146 Keys147 Keys148 Keys149 Keys150 Keys151 Keys152
    Keys153 Keys154 Keys155 Keys156 Keys157 Keys158 Keys159 Keys160 Keys161 Keys162 Keys163 Keys164 Keys165 Keys166
    Keys167 Keys168 Keys169 Keys170 Keys171 Keys172 Keys173 Keys174 Keys175 Keys176 Keys177 Keys178 Keys179 Keys180
    Keys181 Keys182 Keys183 Keys184 Keys185 Keys186 Keys187 Keys188 Keys189 Keys190 Keys191 Keys192 Keys193 Keys194
    Keys195 Keys196 Keys197 Keys198 Keys199 Keys200 Keys201 Keys202 Keys203 Keys204 Keys205 Keys206 Keys207 Keys208
    Keys209 Keys210 Keys211 Keys212 Keys213 Keys214 Keys215 Keys216 Keys217 Keys218 Keys219 Keys220 Keys221 Keys222
    Keys223 Keys224 Keys225 Keys226 Keys227 Keys228 Keys229 Keys230 Keys231 Keys232 Keys233 Keys234 Keys235 Keys236
    Keys237 Keys238 Keys239 Keys240 Keys241 Keys242 Keys243 Keys244 Keys245 Keys246 Keys247 Keys248 Keys249 Keys250
    Keys251 Keys252 Keys253 Keys254 Keys255
}
