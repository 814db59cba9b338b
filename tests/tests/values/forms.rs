//! Changes of the form itself.

use redis_keys::stored::{Gzip, Json, Lz4, MessagePack, Postcard, Stored, Zstd};
use redis_keys::values::shape_of;
use redis_keys_core::value_shape::Form;
use serde::{Deserialize, Serialize};

use crate::checks::Checks;
use crate::observed::Observed;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Article {
    title: String,
    visits: u32,
    tags: Vec<String>,
}

/// Small articles, which are stored uncompressed, and large ones.
fn articles() -> Vec<Article> {
    let traced = shape_of::<Article>(true);
    let random = (1..300).filter_map(|seed| traced.random::<Article>(seed));
    random
        .map(|mut article| {
            if article.visits.is_multiple_of(3) {
                article.tags = (0..200).map(|index| format!("tag {index}")).collect();
            }
            article
        })
        .collect()
}

/// Stores values in one form, and reads them in another.
fn check<F: Stored, G: Stored>(
    checks: &mut Checks,
    values: impl IntoIterator<Item = F::Input>,
    is_same: impl Fn(&F::Input, &G::Output) -> bool,
) where
    F::Input: Sized,
{
    let mut observed = Observed::default();
    for value in values {
        observed.add::<F, G>(&value, |read| (!is_same(&value, read)).then(Default::default));
    }
    let (written, reader) = (form::<F>(), form::<G>());
    checks.judge(&format!("{written} to {reader}"), &written, &reader, &observed);
}

fn form<F: Stored>() -> Form {
    F::form(&mut Vec::new())
}

fn both<F, G>(checks: &mut Checks)
where
    F: Stored<Input = Article, Output = Article>,
    G: Stored<Input = Article, Output = Article>,
{
    check::<F, G>(checks, articles(), |written, read| written == read);
    check::<G, F>(checks, articles(), |written, read| written == read);
}

#[test]
fn changes_of_the_form_are_predicted() {
    let mut checks = Checks::default();
    both::<Json<Article>, MessagePack<Article>>(&mut checks);
    both::<Json<Article>, Postcard<Article>>(&mut checks);
    both::<MessagePack<Article>, Postcard<Article>>(&mut checks);
    both::<Json<Article>, Zstd<Json<Article>>>(&mut checks);
    both::<Zstd<Json<Article>>, Lz4<Json<Article>>>(&mut checks);
    both::<Zstd<Json<Article>>, Gzip<Json<Article>>>(&mut checks);
    both::<Zstd<Json<Article>>, Zstd<Postcard<Article>>>(&mut checks);
    both::<Postcard<Article>, Zstd<Postcard<Article>>>(&mut checks);
    both::<Postcard<Article>, Postcard<Article, 2>>(&mut checks);
    verbatim(&mut checks);
    checks.finish("forms", 0, 0);
}

#[allow(clippy::cast_precision_loss, clippy::cast_possible_wrap, reason = "the numbers are small, or meant to change")]
fn verbatim(checks: &mut Checks) {
    let large = || (1..300_u64).map(|index| index * 7_919_000_007 % (1 << 40));
    let small = || (1..300_u32).map(|index| index * 7);
    check::<u64, u32>(checks, large(), |written, read| *written == u64::from(*read));
    check::<u32, u64>(checks, small(), |written, read| u64::from(*written) == *read);
    check::<u64, i64>(checks, (0..16).map(|index| u64::MAX - index * (1 << 60)), |written, read| {
        *written as i64 == *read
    });
    check::<u64, Vec<u8>>(checks, large(), |written, read| written.to_string().as_bytes() == read);
    check::<u32, f64>(checks, small(), |written, read| f64::from(*written).to_bits() == read.to_bits());
    check::<f64, u64>(checks, small().map(|number| f64::from(number) / 4.0), |written, read| {
        written.to_bits() == (*read as f64).to_bits()
    });
    check::<bool, u8>(checks, [true, false], |written, read| u8::from(*written) == *read);
    check::<u8, bool>(checks, 0..=u8::MAX, |written, read| *written == u8::from(*read));
    check::<u64, Json<u64>>(checks, large(), |written, read| written == read);
    check::<Json<u64>, u64>(checks, large(), |written, read| written == read);
}
