//! Declarations whose keys can be the same.
//!
//! The derives of a crate see the texts of all declarations, and the last one of two whose keys can be the same asks the compiler.
//! Every declaration has a number for that, under which it is found wherever it stands:
//!
//! ```text
//! // user:{name}:string
//! impl<K: Differ<O, ByName>, O> KeyOf<ByName, K, O> for Declaration7<1007> {}
//! // user:me:string
//! <Declaration7<1007> as KeyOf<_, TheirKeys, Me>>::VALUES
//! ```
//!
//! [`TheirKeys`] never [`Differ`], so that rustc says what is wrong, and shows both. Where it depends on a type, such as that of
//! `{name}`, nothing is said if the compiler finds that it tells the keys apart:
//!
//! ```text
//! const MET: Number = if KeyPattern::new("me", &[]).overlaps(KeyPattern::new("{}", &[prints::<Declaration7<1007>, _>(0)])) { 1007 } else { 0 };
//! <Declaration7<MET> as KeyOf<_, TheirKeys, Me>>::VALUES
//! ```
//!
//! What a type prints is [`KeySegment::VALUES`].

pub use redis_keys_core::{KeyPattern, ValueSet};

pub use crate::KeySegment;

/// The number of a declaration. It has a name of ours, since a user's own `u64` may be in scope.
pub type Number = u64;

/// A declaration, found by its number. Whoever asks gives their own, and says what is asked of.
#[doc(hidden)]
pub trait KeyOf<Declaration, Asked, Other> {
    /// What the parameters print of which only their types tell it.
    const VALUES: &'static [ValueSet] = &[];
}

/// KeyPattern of two declarations that are not the same.
#[diagnostic::on_unimplemented(
    message = "`{One}` and `{Other}` can make the same key",
    label = "this can be the same key as one of `{Other}`",
    note = "rename one of them, or write `allow(overlap, reason = \"…\")` in one"
)]
pub trait Differ<One, Other> {}

/// Of which it is asked whether they differ.
pub struct TheirKeys;

/// That it is not asked whether keys differ.
pub struct Types;

#[diagnostic::do_not_recommend]
impl<One, Other> Differ<One, Other> for Types {}

/// What the types of a declaration's parameters print.
pub const fn prints<Declared, Declaration>(number: usize) -> ValueSet
where
    Declared: KeyOf<Declaration, Types, ()>,
{
    match Declared::VALUES.split_at_checked(number) {
        Some((_, [prints, ..])) => *prints,
        _ => ValueSet::Any,
    }
}

macro_rules! declarations {
    ($($name:ident)*) => {$(
        /// Some of the declarations: rustc compares those of one type with each other.
        pub struct $name<const NUMBER: u64>;

        // Of keys that differ nothing is said.
        impl<Asked, Other> KeyOf<(), Asked, Other> for $name<0> {}
    )*};
}

// As many as `SHARES` in `redis-keys-macros/src/meeting.rs`.
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
