//! Compile errors for declarations whose keys can be the same.
//!
//! The derives of a crate read the text of all declarations. If two may overlap, the later compares itself with the
//! earlier in generated code. For this, each declaration has a number, by which any module can find it:
//!
//! ```text
//! // user:{name}:string
//! impl<K: Differ<O, ByName>, O> KeyOf<ByName, K, O> for Declaration7<1007> {}
//! // user:me:string
//! <Declaration7<1007> as KeyOf<_, AssertDistinct, Me>>::VALUES
//! ```
//!
//! [`AssertDistinct`] does not implement [`Differ`], so rustc reports an error that shows both declarations. If the
//! overlap depends on a type, for example the type of `{name}`, rustc evaluates it, and the number is 0 if there is no
//! overlap:
//!
//! ```text
//! <Declaration7<{ if KeyPattern::new("me", &[]).overlaps(
//!     KeyPattern::new("{}", &[values::<Declaration7<1007>, _>(0)])
//! ) { 1007 } else { 0 } }> as KeyOf<_, AssertDistinct, Me>>::VALUES
//! ```
//!
//! The values of a type are [`KeySegment::VALUES`].

pub use redis_keys_core::{KeyPattern, ValueSet};

pub use super::{chrono, date, jiff, time, uuid};
pub use crate::KeySegment;

/// A declaration, found by its number. `Mode` is [`AssertDistinct`] or [`ReadValues`], `Other` is the declaration that
/// compares.
#[doc(hidden)]
pub trait KeyOf<Declaration, Mode, Other> {
    /// The values of the parameters whose types determine them.
    const VALUES: &'static [ValueSet] = &[];
}

/// Two declarations without a common key.
#[diagnostic::on_unimplemented(
    message = "`{One}` and `{Other}` overlap: they can produce the same key",
    label = "can produce the same key as `{Other}`",
    note = "rename one of them, or write `allow(overlap, reason = \"…\")` in one"
)]
pub trait Differ<One, Other> {}

/// The mode that fails to compile.
pub struct AssertDistinct;

/// The mode that reads the values of the parameters.
pub struct ReadValues;

#[diagnostic::do_not_recommend]
impl<One, Other> Differ<One, Other> for ReadValues {}

/// The values of a parameter, by its number among the declaration's parameters whose types determine them.
pub const fn values<Declared, Declaration>(number: usize) -> ValueSet
where
    Declared: KeyOf<Declaration, ReadValues, ()>,
{
    match Declared::VALUES.split_at_checked(number) {
        Some((_, [values, ..])) => *values,
        _ => ValueSet::Any,
    }
}

macro_rules! declarations {
    ($($name:ident)*) => {$(
        /// The declarations whose numbers have the same remainder. rustc compares the implementations of one type with each other.
        pub struct $name<const NUMBER: u64>;

        // Declarations that do not overlap.
        impl<Mode, Other> KeyOf<(), Mode, Other> for $name<0> {}
    )*};
}

// As many as `DECLARATION_TYPES` in `redis-keys-macros/src/overlap.rs`.
#[rustfmt::skip]
declarations! {
    Declaration0 Declaration1 Declaration2 Declaration3 Declaration4 Declaration5 Declaration6 Declaration7 Declaration8
    Declaration9 Declaration10 Declaration11 Declaration12 Declaration13 Declaration14 Declaration15 Declaration16 Declaration17
    Declaration18 Declaration19 Declaration20 Declaration21 Declaration22 Declaration23 Declaration24 Declaration25
    Declaration26 Declaration27 Declaration28 Declaration29 Declaration30 Declaration31 Declaration32 Declaration33
    Declaration34 Declaration35 Declaration36 Declaration37 Declaration38 Declaration39 Declaration40 Declaration41
    Declaration42 Declaration43 Declaration44 Declaration45 Declaration46 Declaration47 Declaration48 Declaration49
    Declaration50 Declaration51 Declaration52 Declaration53 Declaration54 Declaration55 Declaration56 Declaration57
    Declaration58 Declaration59 Declaration60 Declaration61 Declaration62 Declaration63 Declaration64 Declaration65
    Declaration66 Declaration67 Declaration68 Declaration69 Declaration70 Declaration71 Declaration72 Declaration73
    Declaration74 Declaration75 Declaration76 Declaration77 Declaration78 Declaration79 Declaration80 Declaration81
    Declaration82 Declaration83 Declaration84 Declaration85 Declaration86 Declaration87 Declaration88 Declaration89
    Declaration90 Declaration91 Declaration92 Declaration93 Declaration94 Declaration95 Declaration96 Declaration97
    Declaration98 Declaration99 Declaration100 Declaration101 Declaration102 Declaration103 Declaration104 Declaration105
    Declaration106 Declaration107 Declaration108 Declaration109 Declaration110 Declaration111 Declaration112 Declaration113
    Declaration114 Declaration115 Declaration116 Declaration117 Declaration118 Declaration119 Declaration120 Declaration121
    Declaration122 Declaration123 Declaration124 Declaration125 Declaration126 Declaration127 Declaration128 Declaration129
    Declaration130 Declaration131 Declaration132 Declaration133 Declaration134 Declaration135 Declaration136 Declaration137
    Declaration138 Declaration139 Declaration140 Declaration141 Declaration142 Declaration143 Declaration144 Declaration145
    Declaration146 Declaration147 Declaration148 Declaration149 Declaration150 Declaration151 Declaration152 Declaration153
    Declaration154 Declaration155 Declaration156 Declaration157 Declaration158 Declaration159 Declaration160 Declaration161
    Declaration162 Declaration163 Declaration164 Declaration165 Declaration166 Declaration167 Declaration168 Declaration169
    Declaration170 Declaration171 Declaration172 Declaration173 Declaration174 Declaration175 Declaration176 Declaration177
    Declaration178 Declaration179 Declaration180 Declaration181 Declaration182 Declaration183 Declaration184 Declaration185
    Declaration186 Declaration187 Declaration188 Declaration189 Declaration190 Declaration191 Declaration192 Declaration193
    Declaration194 Declaration195 Declaration196 Declaration197 Declaration198 Declaration199 Declaration200 Declaration201
    Declaration202 Declaration203 Declaration204 Declaration205 Declaration206 Declaration207 Declaration208 Declaration209
    Declaration210 Declaration211 Declaration212 Declaration213 Declaration214 Declaration215 Declaration216 Declaration217
    Declaration218 Declaration219 Declaration220 Declaration221 Declaration222 Declaration223 Declaration224 Declaration225
    Declaration226 Declaration227 Declaration228 Declaration229 Declaration230 Declaration231 Declaration232 Declaration233
    Declaration234 Declaration235 Declaration236 Declaration237 Declaration238 Declaration239 Declaration240 Declaration241
    Declaration242 Declaration243 Declaration244 Declaration245 Declaration246 Declaration247 Declaration248 Declaration249
    Declaration250 Declaration251 Declaration252 Declaration253 Declaration254 Declaration255
}
