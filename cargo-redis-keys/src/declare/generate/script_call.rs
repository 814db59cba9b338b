//! The scripts that other languages may send: pushes to queues of jobs, and takes from rate limits.

use redis_keys_core::limits::rate_step;
use redis_keys_core::lua::{self, SharedScript};
use redis_keys_core::schema::{JobOptions, LimitOptions, Role};

use super::constants::grouped;
use super::layout::Expression;
use crate::declare::catalog::Key;
use crate::render::units;

/// The scripts, each with its name in snake case.
pub(super) const SCRIPTS: [(&str, SharedScript); 2] = [("job_push", lua::JOB_PUSH), ("limit", lua::LIMIT)];

/// The script of a key, with the numbers that its arguments depend on.
pub(super) enum ScriptCall {
    Push { ttl_ms: u64, jitter_ms: u64, max_len: u64, max_bytes: u64, max_delay_ms: u64 },
    Take { step: u64, burst: u64 },
}

impl ScriptCall {
    /// The script of a key, or `None` if only redis-keys sends its scripts.
    pub(super) fn of(key: &Key) -> Option<Self> {
        if key.legacy.is_some() || key.formerly.is_some() {
            // While a key has two names, another script runs its scripts.
            return None;
        }
        match key.role? {
            Role::Jobs(JobOptions { lease, tries, .. }) => {
                let ttl_ms = key.ttl_ms()?;
                Some(Self::Push {
                    ttl_ms,
                    jitter_ms: key.jitter_ms(),
                    max_len: key.max_len?,
                    max_bytes: key.max_member_bytes?,
                    max_delay_ms: ttl_ms.saturating_sub(units::millis(lease.saturating_mul(tries.into()))),
                })
            }
            Role::Limit(LimitOptions { count, per, burst, .. }) => {
                Some(Self::Take { step: rate_step(count, per), burst })
            }
            _ => None,
        }
    }

    /// The name of its method.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Push { .. } => "push",
            Self::Take { .. } => "take",
        }
    }

    /// Its doc comment.
    pub(super) fn docs(&self) -> &'static str {
        match self {
            Self::Push { .. } => {
                "The script that adds 1 to 500 jobs, which are due after a delay: all or none of them."
            }
            Self::Take { .. } => "The script that takes `n` if that many are allowed at once, and otherwise none.",
        }
    }

    /// The numbers for the function that builds its arguments.
    pub(super) fn numbers(&self) -> Vec<Expression> {
        match *self {
            Self::Push { ttl_ms, jitter_ms, max_len, max_bytes, max_delay_ms } => {
                let expiry = format!("_drawn({}, {})", grouped(ttl_ms), grouped(jitter_ms));
                [expiry, grouped(max_len), grouped(max_bytes), grouped(max_delay_ms)].map(Expression::Code).into()
            }
            Self::Take { step, burst } => [step, burst].map(grouped).map(Expression::Code).into(),
        }
    }

    /// The numbers for the function that reads its reply.
    pub(super) fn numbers_of_reply(&self) -> Vec<Expression> {
        if let Self::Take { .. } = self { self.numbers() } else { Vec::new() }
    }
}

/// The lines of the code of a script, each as a literal.
pub(super) fn literals(script: SharedScript, quoted: impl Fn(&str) -> String) -> Vec<String> {
    lua::code(script.file).map(quoted).collect()
}
