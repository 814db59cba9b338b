//! A million keys of random values under random legacy texts: no two share a key, and each reads back.

use std::collections::HashMap;
use std::fmt::Debug;

use redis_keys::prelude::*;

const KEYS_OF_A_TEXT: usize = 31_000;

/// What the literals between the parameters consist of.
const PIECES: [&str; 8] = ["a", "b", ":", "_", "é", "{", "}", "-"];

/// A key with random values.
trait Random: Clone + Debug + LegacyKey + PartialEq + for<'k> ParseKey<'k> {
    fn random(rng: &mut fastrand::Rng) -> Self;
}

fn value(rng: &mut fastrand::Rng) -> String {
    (0..rng.usize(..5)).map(|_| PIECES[rng.usize(..PIECES.len())]).collect()
}

/// Returns the number of keys that were written, and of those that were refused.
fn write_and_read<K: Random>(rng: &mut fastrand::Rng) -> (usize, usize) {
    let mut keys = HashMap::new();
    let mut refused = 0;
    for _ in 0..KEYS_OF_A_TEXT {
        let key = K::random(rng);
        let Ok(text) = key.key() else {
            refused += 1;
            continue;
        };
        assert_eq!(K::parse(&text).expect("it was written"), key, "{text}");
        let earlier = keys.entry(text.as_str().to_owned()).or_insert_with(|| key.clone());
        assert_eq!(*earlier, key, "{text}");
    }
    (KEYS_OF_A_TEXT - refused, refused)
}

macro_rules! texts {
    ($($name:ident { $($field:ident)+ } ($($template:tt)+) $text:literal)+) => {
        $(
            #[derive(Clone, Debug, PartialEq, RedisKey)]
            #[redis_key($($template)+, value = u64, ttl = 1h, legacy = $text)]
            struct $name { $($field: String),+ }

            impl Random for $name {
                fn random(rng: &mut fastrand::Rng) -> Self {
                    Self { $($field: value(rng)),+ }
                }
            }
        )+

        #[test]
        fn different_values_never_share_a_key() {
            let mut rng = fastrand::Rng::with_seed(7);
            let mut totals = (0, 0);
            $({
                let (written, refused) = write_and_read::<$name>(&mut rng);
                assert!(written > 0, "{} refuses everything", $text);
                totals = (totals.0 + written, totals.1 + refused);
            })+
                assert!(totals.0 > 1_000_000, "{totals:?}");
            println!("{} keys written, {} refused", totals.0, totals.1);
        }
    };
}

// The texts are random as well.
texts! {
    A0 { x y z } (random:a0:{x}:{y}:{z}:string) "#A0{z}ab{y}aba{x}"
    B1 { x y z } (random:b1:{x}:{y}:{z}:string) "#B1{z}::{x}é{y}é{z}"
    C2 { x y } (random:c2:{x}:{y}:string) "#C2é{y}b_{y}:é{x}"
    D3 { x y z } (random:d3:{x}:{y}:{z}:string) "#D3{y}a:{z}:a{x}a:"
    E4 { x y z } (random:e4:{x}:{y}:{z}:string) "#E4{x}b{y}b_{z}ab{y}_"
    F5 { x y } (random:f5:{x}:{y}:string) "#F5:{y}:{x}"
    G6 { x y z } (random:g6:{x}:{y}:{z}:string) "#G6ab{z}é{y}b{x}"
    H7 { x y z } (random:h7:{x}:{y}:{z}:string) "#H7é{y}_{x}aba{z}a{z}"
    I8 { x y z } (random:i8:{x}:{y}:{z}:string) "#I8{z}:aaa{y}a:a:{z}:a{x}"
    J9 { x y z } (random:j9:{x}:{y}:{z}:string) "#J9ab{x}:::{y}:::{z}"
    K10 { x y z } (random:k10:{x}:{y}:{z}:string) "#K10b_{z}é{y}:{y}b_{x}{{"
    L11 { x y z } (random:l11:{x}:{y}:{z}:string) "#L11-{z}:ab{y}a:{x}"
    M12 { x y } (random:m12:{x}:{y}:string) "#M12b{y}éa{x}"
    N13 { x y z } (random:n13:{x}:{y}:{z}:string) "#N13{z}é{{{y}_{x}"
    O14 { x y z } (random:o14:{x}:{y}:{z}:string) "#O14a:{y}a::{z}b{x}"
    P15 { x y z } (random:p15:{x}:{y}:{z}:string) "#P15::{y}:{x}abab_{z}_"
    Q16 { x y } (random:q16:{x}:{y}:string) "#Q16{x}ab{y}b_"
    R17 { x y z } (random:r17:{x}:{y}:{z}:string) "#R17{z}-:a{x}}}{y}::"
    S18 { x y z } (random:s18:{x}:{y}:{z}:string) "#S18-{z}a:}}{x}é{y}a:"
    T19 { x y z } (random:t19:{x}:{y}:{z}:string) "#T19::{z}::{x}aba{x}a{y}"
    U20 { x y z } (random:u20:{x}:{y}:{z}:string) "#U20{y}a:{z}:a{x}"
    V21 { x y z } (random:v21:{x}:{y}:{z}:string) "#V21{x}:{z}aaba{y}a:"
    W22 { x y } (random:w22:{x}:{y}:string) "#W22{x}b_{y}"
    X23 { x y z } (random:x23:{x}:{y}:{z}:string) "#X23{y}:a{x}::{z}"
    Y24 { x y z } (random:y24:{x}:{y}:{z}:string) "#Y24-{z}_{y}aaaba{x}"
    Z25 { x y z } (random:z25:{x}:{y}:{z}:string) "#Z25{x}b_b_{y}a{z}"
    A26 { x y z } (random:a26:{x}:{y}:{z}:string) "#A26{y}b_{{{z}b_{x}a:{x}b"
    B27 { x y } (random:b27:{x}:{y}:string) "#B27b_{y}b_aba{y}abaab{x}é"
    C28 { x y z } (random:c28:{x}:{y}:{z}:string) "#C28a:{y}b_{x}}}{z}"
    D29 { x y z } (random:d29:{x}:{y}:{z}:string) "#D29a:{y}b{z}:a{{{y}_{x}"
    E30 { x y z } (random:e30:{x}:{y}:{z}:string) "#E30{x}:a{y}:{y}aa}}{z}:a"
    F31 { x y z } (random:f31:{x}:{y}:{z}:string) "#F31}}{x}aa:{z}a:{x}:aé{y}_"
    G32 { x y } (random:g32:{x}:{y}:string) "#G32{y}aba_{x}"
    H33 { x y } (random:h33:{x}:{y}:string) "#H33aa{x}aa{y}"
    I34 { x y z } (random:i34:{x}:{y}:{z}:string) "#I34b{z}a{y}:{x}"
    J35 { x y } (random:j35:{x}:{y}:string) "#J35{y}bb{x}"
    K36 { x y z } (random:k36:{x}:{y}:{z}:string) "#K36{x}a{y}::{z}"
    L37 { x y } (random:l37:{x}:{y}:string) "#L37{y}_{x}{{ab{x}"
    M38 { x y z } (random:m38:{x}:{y}:{z}:string) "#M38{y}aba{x}{{{z}:a{x}"
    N39 { x y z } (random:n39:{x}:{y}:{z}:string) "#N39{z}aa{x}}}{y}"
}
