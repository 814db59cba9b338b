//! The Lua scripts.
//!
//! Each script is atomic: it reads the expiry of the key and writes in one step. The comment at the top of its file
//! describes its arguments and its reply. Comments and blank lines are not sent. The code that several scripts share is
//! in `shared`; `cargo xtask lua` copies it into each script, so that you can read a file alone and run it with
//! `redis-cli --eval`. The scripts that other languages send too are in `redis-keys-core/src/lua`.
//!
//! A script can fail half way if the user may run only some of its commands. Therefore a new key is created together
//! with its expiry, and after an error an existing key has its old value. The exception is a user who may add but not
//! trim: checking this first would slow down every write.
//!
//! Commands that can fail, because of the key's type or because the server rejects writes, are run with `pcall`, and
//! their errors are returned unchanged: Redis 6.2 rewords the errors of `call`.

use std::sync::LazyLock;

use redis_keys_core::lua;

pub(crate) struct Script {
    /// The name of its file.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) file: &'static str,
    /// Whether it needs the key or field to hold a number.
    pub(crate) counts: bool,
    /// The hash of `text`, by which the server knows the script.
    pub(crate) sha1: &'static str,
    /// The text that EVAL sends. Most calls send the SHA-1 alone.
    pub(crate) text: LazyLock<String>,
}

/// The text of a file.
macro_rules! text_of {
    ("job_push.lua") => {
        lua::JOB_PUSH.file
    };
    ("limit.lua") => {
        lua::LIMIT.file
    };
    ($file:literal) => {
        include_str!(concat!("lua/", $file))
    };
}

macro_rules! scripts {
    ($($name:ident: $file:tt, counts: $counts:literal, sha1: $sha1:expr;)*) => {
        $(
            #[doc = concat!("The script `", $file, "`.")]
            pub(crate) static $name: Script = Script {
                #[cfg(any(test, feature = "testing"))]
                file: $file,
                counts: $counts,
                sha1: $sha1,
                text: LazyLock::new(|| lua::code(text_of!($file)).collect()),
            };
        )*

        /// Every script.
        #[cfg(any(test, feature = "cluster", feature = "testing"))]
        static ALL: &[&Script] = &[$(&$name),*];
    };
}

scripts! {
    SET_KEEPING_TTL: "set_keeping_ttl.lua", counts: false, sha1: "2724f14e83f03e0be318a57039ff042f78afb9fa";
    APPEND: "append.lua", counts: false, sha1: "c472343f70e93e99123764ae263b779ee4e2865d";
    COUNT: "count.lua", counts: true, sha1: "f9b4098695d2e377476a9837633fbf7c22e8646b";
    COUNT_FLOAT: "count_float.lua", counts: true, sha1: "3527dceead739596e8fc7e951e5cbba6bab91624";
    UPDATE: "update.lua", counts: false, sha1: "d240cda6b51024ebd79e397b735567efe6769d70";
    WRITE: "write.lua", counts: false, sha1: "cabc79e9ac71f3adf20d3e1dd053b761846a553c";
    LPUSH_CAPPED: "lpush_capped.lua", counts: false, sha1: "0a02397afcd8182505aa2a2fc5fec1dedf526727";
    RPUSH_CAPPED: "rpush_capped.lua", counts: false, sha1: "9c41278cbcba986ee5ee9ebfeeda99e251decba8";
    LPUSH_KEEPING: "lpush_keeping.lua", counts: false, sha1: "0af6eb8a603ea62445f9526249015c0c582a01dc";
    RPUSH_KEEPING: "rpush_keeping.lua", counts: false, sha1: "867e155b3cc1617f8076437b5573c566c24ab87d";
    LSET: "lset.lua", counts: false, sha1: "efb01b45de7460eeac1f8d5c5989c5d8d375ba25";
    MOVE: "move.lua", counts: false, sha1: "09dee8bb4560b3744c66d0e07ce8d4b15444f9eb";
    SADD: "sadd.lua", counts: false, sha1: "ec10ed57b51d71138a86ce5fce56d49c4b9a3398";
    HSET: "hset.lua", counts: false, sha1: "f676f4c145f62712161d28c7ae3b076aaeffd44d";
    HSETNX: "hsetnx.lua", counts: false, sha1: "7d8e35ef9e62ac718746a086ed9b34103dee70d4";
    HINCRBY: "hincrby.lua", counts: true, sha1: "747cfd1174a10152d52fdc33e87dafa70769a339";
    HINCRBYFLOAT: "hincrbyfloat.lua", counts: true, sha1: "ed2558e4cb679dfe7e7da90e4145eed5da40d30a";
    ZADD_CAPPED: "zadd_capped.lua", counts: false, sha1: "a67167fd6f1df36a55f0e384b8711af06e320e5a";
    ZADD_KEEPING: "zadd_keeping.lua", counts: false, sha1: "5c7f6507b46e3d056fe29cff3861cc3f2346522f";
    GEOADD: "geoadd.lua", counts: false, sha1: "d844493e55df0f09f686e15f2ff552338755b76f";
    STORE: "store.lua", counts: false, sha1: "f1ec61349dac644360218c73aea242b7291f4b20";
    STORE_FIELD: "store_field.lua", counts: false, sha1: "8867c6292902f81a38a11d8c6096df66a9e26243";
    COUNT_FIELD: "count_field.lua", counts: true, sha1: "572adc091a2fdf8a9a17f47de7749c3c6673a306";
    PFMERGE: "pfmerge.lua", counts: false, sha1: "64100029b94a0ea4672c5c3cb4dc56051a6c3838";
    XADD_CAPPED: "xadd_capped.lua", counts: false, sha1: "8c9f5390bee41b99db72151eced52e90e3426208";
    XGROUP: "xgroup.lua", counts: false, sha1: "0b08c95e71a14fb8d172d8174369bcaf1062133e";
    XGROUP_DROP: "xgroup_drop.lua", counts: false, sha1: "9bc89db3d96ad23123bf1b23a770adc455d0fe30";
    READ: "read.lua", counts: false, sha1: "6d4ef9bd7ad49d8865ec62ff68d3c2b9aff9bc85";
    CLAIM: "claim.lua", counts: false, sha1: "897a72ac14969b65805a5e50403ce85ec8ce8538";
    CLAIM_REFRESH: "claim_refresh.lua", counts: false, sha1: "f4b65525b78a39ba03e32600273c46a155dd9fe0";
    FILL: "fill.lua", counts: false, sha1: "9142764fbfd3f3169c937364e33daaf297bdc7f4";
    ABANDON: "abandon.lua", counts: false, sha1: "28c71500625a66568b8d5b0b5522c24fbad8d21f";
    FAIL: "fail.lua", counts: false, sha1: "061a7a726a4da3ff99ff0aae12261e7eae60c2fa";
    IF_CACHED: "if_cached.lua", counts: false, sha1: "f536147519173e303bbed2802767aee3a76b67df";
    LIMIT: "limit.lua", counts: false, sha1: lua::LIMIT.sha1;
    JOB_PUSH: "job_push.lua", counts: false, sha1: lua::JOB_PUSH.sha1;
    JOB_TAKE: "job_take.lua", counts: false, sha1: "6e4e26269b2c7762f0110ac3f48ee4d873bef7cc";
    JOB_ACK: "job_ack.lua", counts: false, sha1: "50d9720ec3313f24bdae9e9e867e9f012122eca8";
    JOB_RESCHEDULE: "job_reschedule.lua", counts: false, sha1: "f5056691cd299bb3d48ae5dab5361569fe20218b";
    JOB_COUNTS: "job_counts.lua", counts: false, sha1: "4f40e4b6f2e6b248fa3220c67c478bfa5fec5fe3";
    LOCK: "lock.lua", counts: false, sha1: "df7f65f9f5720bb1b491ff6dea8ee90c771e8c0a";
    LOCK_RENEW: "lock_renew.lua", counts: false, sha1: "5d1c3cf5396b0bb1d46d69859fd872f6dd69f9b2";
    UNLOCK: "unlock.lua", counts: false, sha1: "3644ea203a88f8353dd44cca2ad2e8c079e31007";
    TAKE_OVER: "take_over.lua", counts: false, sha1: "756b8278235444c2633260b03a7a59ed955550ce";
    TAKE_OVER_AND: "take_over_and.lua", counts: false, sha1: "3213491d6c2d7b9481f90b92753bbb0d23b52fea";
    BLOOM_ADD: "bloom_add.lua", counts: false, sha1: "39f2c86c14260c087cab228898db794e23257c70";
    BLOOM_FINISH: "bloom_finish.lua", counts: false, sha1: "c367666fc666d5997d8ad7f715d1f11daac85e72";
    READ_STREAM: "read_stream.lua", counts: false, sha1: "d6aadda32f5c5b1f7262428ac2aaa362124cfdd1";
}

/// The script with this hash.
#[cfg(feature = "cluster")]
pub(crate) fn by_sha1(sha1: &[u8]) -> Option<&'static Script> {
    ALL.iter().copied().find(|script| script.sha1.as_bytes() == sha1)
}

/// The script that EVALSHA or EVAL calls by its hash or by its text.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn called_by(argument: &str) -> Option<&'static Script> {
    // A script is sent with the scripts that it calls.
    let is_composed = |script: &Script| {
        script.sha1 == TAKE_OVER_AND.sha1
            && script.text.split_once("{}").is_some_and(|(_, end)| argument.ends_with(end))
    };
    let calls = |script: &Script| script.sha1 == argument || *script.text == argument || is_composed(script);
    ALL.iter().copied().find(|script| calls(script))
}

#[cfg(test)]
mod tests {
    use sha1_smol::Sha1;

    use super::ALL;

    #[test]
    fn each_script_has_its_own_sha1() {
        let wrong = ALL.iter().filter_map(|script| {
            let sha1 = Sha1::from(script.text.as_bytes()).digest().to_string();
            (sha1 != script.sha1).then(|| format!("{}: {sha1}", script.file))
        });
        assert_eq!(wrong.collect::<Vec<_>>(), Vec::<String>::new());
    }
}
