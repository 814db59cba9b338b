//! The guide: how to declare keys, run commands, set up connections, test and measure.
//!
//! Begin with the [tutorial].
//!
//! ## Beginning
//!
//! | page | for |
//! |---|---|
//! | [Tutorial](tutorial) | everyone who begins: in fifteen minutes a key, a mistake, a cached value, a metric, an audit |
//! | [The calls](calls) | everyone who uses keys: the calls that most programs need, on one page |
//! | [From redis-rs](from_redis_rs) | programs that write commands by hand: what to write here, and what changes |
//! | [From BullMQ or apalis](from_job_queues) | programs with another queue of jobs: what fits here, and what does not |
//! | [Existing projects](existing) | teams with a running Redis: a draft, keys under today's names, the way to better ones |
//!
//! ## Declaring
//!
//! | page | for |
//! |---|---|
//! | [Declaring keys](declaration) | everyone who declares keys: the template, the options, the types of parameters |
//! | [Stored forms](stored_forms) | everyone who chooses how values become bytes: JSON, Protobuf, compression, encryption, records |
//! | [Changing a value](changing_values) | everyone who changes a type whose values are stored: what old and new programs still read |
//! | [Policy](policy) | those who maintain a project's `redis-keys.toml`: modules, limits, lints |
//! | [Whose guideline is this](guideline) | everyone who asks where a rule comes from: what enforces it, and who asks for it |
//!
//! ## Running
//!
//! | page | for |
//! |---|---|
//! | [Running commands](running) | everyone who uses keys: batches, atomic groups, scans, errors |
//! | [Commands](commands) | looking up an accessor: a page for each type, with the exact Redis commands |
//! | [Connections](connections) | everyone who sets up a connection: pools, TLS, time-outs |
//! | [Clusters](clusters) | programs that run on a cluster |
//! | [Servers and services](services) | everyone who chooses or changes a server: TLS, Sentinel, a full server, managed services |
//! | [Features](features) | everyone who adds redis-keys to a project: what each feature provides and enables |
//!
//! ## Roles
//!
//! | page | for |
//! |---|---|
//! | [Caching](caching) | programs that cache what they load: one load for all, absence, refresh, an unreachable server |
//! | [Near copies](near_copies) | cached keys that are read very often: copies in the memory of the process |
//! | [Bloom filters](filters) | programs that are asked for many things that do not exist |
//! | [Locks](locks) | programs in which only one process at a time may do something |
//! | [Rate limits](limits) | programs that limit how often something is done, such as requests of a user |
//! | [Jobs](jobs) | work that is done later, in other processes: queues, delays, retries, dead jobs |
//! | [Channels](channels) | programs that publish events to others, where a lost event does not matter |
//!
//! ## Recipes
//!
//! | page | for |
//! |---|---|
//! | [Cookbook](cookbook) | starting from a task: cache, sessions, limits, a leaderboard, events, a migration |
//!
//! ## In production
//!
//! | page | for |
//! |---|---|
//! | [Observability](observability) | programs that are watched: metrics for Prometheus, a dashboard for Grafana, spans |
//! | [All metrics](metrics) | looking up a metric: all of them, with type, labels and meaning |
//! | [Operations](operations) | those who run the servers: audits, purging and expiring keys, moving them |
//! | [Catalogue](catalogue) | reviewers: a list of all keys, kept with the sources |
//! | [Checks](checks) | those who maintain the checks of a project: overlaps of different packages, CI |
//! | [Other languages and access rules](other_languages) | programs in TypeScript or Python with the same keys; the rights of a server's user |
//! | [Testing](testing) | tests of code that uses keys |
//! | [Performance](performance) | what redis-keys costs at run time and at compile time |
//! | [Compatibility](compatibility) | everyone who upgrades: what stays, what a version may change, which Rust and servers are supported |

// The pages are files of `docs/guide`, whose links work in the repository. The definitions in front of a page override
// the page's own, so that the same links lead to rustdoc's pages here.

/// [caching]: crate::guide::caching
/// [calls]: crate::guide::calls
/// [declaration]: crate::guide::declaration
/// [existing]: crate::guide::existing
/// [from_redis_rs]: crate::guide::from_redis_rs
/// [jobs]: crate::guide::jobs
/// [limits]: crate::guide::limits
/// [locks]: crate::guide::locks
/// [observability]: crate::guide::observability
/// [policy]: crate::guide::policy
#[doc = include_str!("../docs/guide/tutorial.md")]
pub mod tutorial {}

/// [adoption]: https://github.com/redis-keys/redis-keys/blob/main/cargo-redis-keys/tests/integration/adoption.rs
/// [declaration]: crate::guide::declaration
/// [declarations]: https://github.com/redis-keys/redis-keys/blob/main/cargo-redis-keys/tests/integration/adoption/declarations.rs
/// [declare]: crate::guide::existing::declare
/// [draft]: crate::guide::existing::draft
/// [migration]: crate::guide::cookbook::migration
/// [rename]: crate::guide::existing::rename
#[doc = include_str!("../docs/guide/existing/README.md")]
pub mod existing {
    /// [checks]: crate::guide::checks
    /// [declare]: crate::guide::existing::declare
    /// [migration]: crate::guide::cookbook::migration
    /// [policy]: crate::guide::policy
    #[doc = include_str!("../docs/guide/existing/draft.md")]
    pub mod draft {}

    /// [filters]: crate::guide::filters
    /// [limits]: crate::guide::limits
    /// [namespace]: crate::guide::declaration#namespace
    /// [rename]: crate::guide::existing::rename
    /// [split]: crate::guide::existing::rename#splitting-a-key-with-too-many-elements
    #[doc = include_str!("../docs/guide/existing/declare.md")]
    pub mod declare {}

    /// [audit]: crate::guide::operations::audit
    /// [declaration]: crate::guide::declaration
    /// [expire]: crate::guide::operations::purge_and_expire
    /// [kinds]: crate::guide::existing::declare#each-kind-of-data
    /// [locks]: crate::guide::locks
    /// [move_keys]: crate::guide::operations::move_keys
    /// [shards]: crate::guide::declaration#ids-with-upper-case-hyphens-or-other-characters-and-shards
    #[doc = include_str!("../docs/guide/existing/rename.md")]
    pub mod rename {}
}

/// [caching]: crate::guide::caching
/// [channels]: crate::guide::channels
/// [connections]: crate::guide::connections
/// [existing]: crate::guide::existing
/// [limits]: crate::guide::limits
/// [locks]: crate::guide::locks
/// [migration]: crate::guide::cookbook::migration
/// [raw]: crate::guide::checks#commands-outside-of-declarations
/// [record]: crate::guide::commands::record
/// [running]: crate::guide::running#when-redis-is-down
#[doc = include_str!("../docs/guide/from_redis_rs.md")]
pub mod from_redis_rs {}

/// [bucket]: crate::parameter::bucket
/// [calls]: crate::guide::calls
/// [checks]: crate::guide::checks
/// [existing]: crate::guide::existing
/// [namespace]: crate::key::namespace
/// [policy]: crate::guide::policy
/// [segment]: derive@crate::KeySegment
/// [stored_forms]: crate::guide::stored_forms
#[doc = include_str!("../docs/guide/declaration.md")]
pub mod declaration {}

/// [commands]: crate::guide::commands
/// [running]: crate::guide::running
/// [stored_forms]: crate::guide::stored_forms
#[doc = include_str!("../docs/guide/calls.md")]
pub mod calls {}

/// [caching]: crate::guide::caching
/// [changing_values]: crate::guide::changing_values
/// [existing]: crate::guide::existing
/// [record]: derive@crate::RedisHash
/// [running]: crate::guide::running
/// [stored]: crate::stored
#[doc = include_str!("../docs/guide/stored_forms.md")]
pub mod stored_forms {}

/// [caching]: crate::guide::caching
/// [shop]: https://github.com/redis-keys/redis-keys/blob/main/examples/shop/redis-keys.values.toml
#[doc = include_str!("../docs/guide/changing_values.md")]
pub mod changing_values {}

/// [clusters]: crate::guide::clusters
/// [commands]: crate::guide::commands
/// [connections]: crate::guide::connections
/// [error]: crate::Error
/// [jobs]: crate::guide::jobs
/// [scan]: crate::scan::Scan
/// [several_keys]: crate::guide::cookbook::several_keys
#[doc = include_str!("../docs/guide/running.md")]
pub mod running {}

/// [accessors]: crate::guide::commands::cached
/// [cache]: crate::cache#adding-cache-to-a-key-that-exists
/// [cache_aside]: crate::guide::cookbook::cache_aside#blocking-programs
/// [clusters]: crate::guide::clusters
/// [example]: https://github.com/redis-keys/redis-keys/blob/main/examples/cache.rs
/// [jobs]: crate::guide::jobs
/// [near_copies]: crate::guide::near_copies
/// [observability]: crate::guide::observability
/// [recipe]: crate::guide::cookbook::cache_aside
/// [shop]: https://github.com/redis-keys/redis-keys/blob/main/examples/shop/README.md
#[doc = include_str!("../docs/guide/caching.md")]
pub mod caching {}

/// [caching]: crate::guide::caching
/// [clusters]: crate::guide::clusters
/// [connections]: crate::guide::connections
/// [filters]: crate::guide::filters
/// [observability]: crate::guide::observability
/// [performance]: crate::guide::performance#throughput
#[doc = include_str!("../docs/guide/near_copies.md")]
pub mod near_copies {}

/// [bloom]: crate::types::bloom
/// [caching]: crate::guide::caching
/// [cookbook]: crate::guide::cookbook
/// [policy]: crate::guide::policy
/// [shards]: crate::guide::declaration#ids-with-upper-case-hyphens-or-other-characters-and-shards
#[doc = include_str!("../docs/guide/filters.md")]
pub mod filters {}

/// [filters]: crate::guide::filters
/// [jobs]: crate::guide::jobs
/// [publish]: crate::guide::commands::channel
/// [stream]: crate::guide::commands::stream
#[doc = include_str!("../docs/guide/channels.md")]
pub mod channels {}

/// [accessors]: crate::guide::commands::lock
/// [example]: https://github.com/redis-keys/redis-keys/blob/main/examples/lock.rs
/// [limits]: crate::guide::limits
/// [lock]: crate::lock#what-a-key-holds
/// [lock_key]: crate::lock::LockKey
/// [observability]: crate::guide::observability
#[doc = include_str!("../docs/guide/locks.md")]
pub mod locks {}

/// [accessors]: crate::guide::commands::limit
/// [clusters]: crate::guide::clusters
/// [counters_and_limits]: crate::guide::cookbook::counters_and_limits
/// [example]: https://github.com/redis-keys/redis-keys/blob/main/examples/limit.rs
/// [jobs]: crate::guide::jobs
/// [observability]: crate::guide::observability
#[doc = include_str!("../docs/guide/limits.md")]
pub mod limits {}

/// [accessors]: crate::guide::commands::jobs
/// [channels]: crate::guide::channels
/// [events]: crate::guide::cookbook::events
/// [example]: https://github.com/redis-keys/redis-keys/blob/main/examples/jobs.rs
/// [from_job_queues]: crate::guide::from_job_queues
/// [job_key]: crate::jobs::JobKey
/// [observability]: crate::guide::observability
#[doc = include_str!("../docs/guide/jobs.md")]
pub mod jobs {}

/// [accessors]: crate::guide::commands::jobs
/// [channels]: crate::guide::channels
/// [foreign]: crate::guide::policy#foreign
/// [jobs]: crate::guide::jobs
/// [limits]: crate::guide::limits
/// [observability]: crate::guide::observability
/// [pushing]: crate::guide::jobs#pushing
/// [twice]: crate::guide::jobs#having-a-jobs-effect-only-once
#[doc = include_str!("../docs/guide/from_job_queues.md")]
pub mod from_job_queues {}

/// [cache_aside]: crate::guide::cookbook::cache_aside
/// [connections]: crate::guide::connections
/// [counters_and_limits]: crate::guide::cookbook::counters_and_limits
/// [events]: crate::guide::cookbook::events
/// [first_page]: https://raw.githubusercontent.com/redis-keys/redis-keys/main/examples/shop/screenshots/first_page.png
/// [leaderboard]: crate::guide::cookbook::leaderboard
/// [locks]: crate::guide::locks
/// [migration]: crate::guide::cookbook::migration
/// [nearby]: crate::guide::cookbook::nearby
/// [product]: https://raw.githubusercontent.com/redis-keys/redis-keys/main/examples/shop/screenshots/product.png
/// [recent_items]: crate::guide::cookbook::recent_items
/// [scripts]: crate::guide::commands::scripts
/// [sessions]: crate::guide::cookbook::sessions
/// [several_keys]: crate::guide::cookbook::several_keys
/// [shop]: https://github.com/redis-keys/redis-keys/blob/main/examples/shop/README.md
/// [sign_ins]: crate::guide::cookbook::sign_ins
/// [testing]: crate::guide::cookbook::testing
/// [unique_visitors]: crate::guide::cookbook::unique_visitors
/// [what_redis_sees]: https://raw.githubusercontent.com/redis-keys/redis-keys/main/examples/shop/screenshots/what_redis_sees.png
#[doc = include_str!("../docs/guide/cookbook/README.md")]
pub mod cookbook {
    /// [caching]: crate::guide::caching
    /// [sessions]: crate::guide::cookbook::sessions
    /// [stored_forms]: crate::guide::stored_forms
    #[doc = include_str!("../docs/guide/cookbook/cache_aside.md")]
    pub mod cache_aside {}

    /// [counters_and_limits]: crate::guide::cookbook::counters_and_limits
    #[doc = include_str!("../docs/guide/cookbook/sessions.md")]
    pub mod sessions {}

    /// [limits]: crate::guide::limits
    /// [recent_items]: crate::guide::cookbook::recent_items
    #[doc = include_str!("../docs/guide/cookbook/counters_and_limits.md")]
    pub mod counters_and_limits {}

    /// [leaderboard]: crate::guide::cookbook::leaderboard
    #[doc = include_str!("../docs/guide/cookbook/recent_items.md")]
    pub mod recent_items {}

    /// [sign_ins]: crate::guide::cookbook::sign_ins
    #[doc = include_str!("../docs/guide/cookbook/leaderboard.md")]
    pub mod leaderboard {}

    /// [unique_visitors]: crate::guide::cookbook::unique_visitors
    #[doc = include_str!("../docs/guide/cookbook/sign_ins.md")]
    pub mod sign_ins {}

    /// [nearby]: crate::guide::cookbook::nearby
    #[doc = include_str!("../docs/guide/cookbook/unique_visitors.md")]
    pub mod unique_visitors {}

    /// [events]: crate::guide::cookbook::events
    #[doc = include_str!("../docs/guide/cookbook/nearby.md")]
    pub mod nearby {}

    /// [jobs]: crate::guide::jobs
    /// [several_keys]: crate::guide::cookbook::several_keys
    #[doc = include_str!("../docs/guide/cookbook/events.md")]
    pub mod events {}

    /// [running]: crate::guide::running
    /// [testing]: crate::guide::cookbook::testing
    #[doc = include_str!("../docs/guide/cookbook/several_keys.md")]
    pub mod several_keys {}

    /// [migration]: crate::guide::cookbook::migration
    /// [testing]: crate::guide::testing
    #[doc = include_str!("../docs/guide/cookbook/testing.md")]
    pub mod testing {}

    /// [existing]: crate::guide::existing
    /// [from_redis_rs]: crate::guide::from_redis_rs
    /// [policy]: crate::guide::policy#adopting-a-policy-in-an-existing-project
    /// [stored_forms]: crate::guide::stored_forms
    #[doc = include_str!("../docs/guide/cookbook/migration.md")]
    pub mod migration {}
}

/// [batches]: crate::guide::commands::batches
/// [bitmap]: crate::guide::commands::bitmap
/// [bloom]: crate::guide::commands::bloom
/// [cached]: crate::guide::commands::cached
/// [channel]: crate::guide::commands::channel
/// [consumer groups]: crate::guide::commands::consumer_groups
/// [every key]: crate::guide::commands::every_key
/// [geo]: crate::guide::commands::geo
/// [hash]: crate::guide::commands::hash
/// [hyperloglog]: crate::guide::commands::hyperloglog
/// [jobs]: crate::guide::commands::jobs
/// [legacy text]: crate::guide::commands::legacy_text
/// [limit]: crate::guide::commands::limit
/// [list]: crate::guide::commands::list
/// [lock]: crate::guide::commands::lock
/// [record]: crate::guide::commands::record
/// [scripts]: crate::guide::commands::scripts
/// [set]: crate::guide::commands::set
/// [stream]: crate::guide::commands::stream
/// [string]: crate::guide::commands::string
/// [string with copies]: crate::guide::commands::string_with_copies
/// [zset]: crate::guide::commands::zset
#[doc = include_str!("../docs/guide/commands/README.md")]
pub mod commands {
    /// Pages about the accessors of a type, each with the page that follows.
    macro_rules! pages {
        ($($page:ident then $next:ident,)*) => {$(
            /// [commands]: crate::guide::commands
            /// [consumer groups]: crate::guide::commands::consumer_groups
            #[doc = concat!("[next]: crate::guide::commands::", stringify!($next))]
            #[doc = ""]
            #[doc = include_str!(concat!("../docs/guide/commands/", stringify!($page), ".md"))]
            pub mod $page {}
        )*};
    }

    pages! {
        every_key then string,
        string then cached,
        cached then string_with_copies,
        string_with_copies then lock,
        lock then limit,
        limit then record,
        record then hash,
        hash then list,
        list then set,
        set then zset,
        zset then jobs,
        jobs then bitmap,
        bitmap then bloom,
        bloom then hyperloglog,
        hyperloglog then geo,
        geo then stream,
        stream then consumer_groups,
        consumer_groups then channel,
        channel then batches,
        batches then legacy_text,
        legacy_text then scripts,
    }

    /// [commands]: crate::guide::commands
    #[doc = include_str!("../docs/guide/commands/scripts.md")]
    pub mod scripts {}
}

/// [bb8]: https://github.com/redis-keys/redis-keys/blob/main/examples/bb8.rs
/// [cluster]: https://github.com/redis-keys/redis-keys/blob/main/examples/cluster.rs
/// [clusters]: crate::guide::clusters
/// [connection_manager]: https://github.com/redis-keys/redis-keys/blob/main/examples/connection_manager.rs
/// [deadpool]: https://github.com/redis-keys/redis-keys/blob/main/examples/deadpool.rs
/// [demo]: https://github.com/redis-keys/redis-keys/blob/main/examples/demo.rs
/// [features]: crate::guide::features
/// [running]: crate::guide::running#when-redis-is-down
/// [services]: crate::guide::services
#[doc = include_str!("../docs/guide/connections.md")]
pub mod connections {}

/// [declaration]: crate::guide::declaration
/// [example]: https://github.com/redis-keys/redis-keys/blob/main/examples/cluster.rs
/// [lints]: crate::guide::policy#lints
/// [stored_forms]: crate::guide::stored_forms
#[doc = include_str!("../docs/guide/clusters.md")]
pub mod clusters {}

/// [audit]: crate::guide::operations::audit
/// [caching]: crate::guide::caching
/// [channels]: crate::guide::channels
/// [clusters]: crate::guide::clusters
/// [compatibility]: crate::guide::compatibility#servers
/// [connections]: crate::guide::connections
/// [features]: crate::guide::features
/// [jobs]: crate::guide::jobs
/// [limits]: crate::guide::limits
/// [locks]: crate::guide::locks
/// [near_copies]: crate::guide::near_copies
/// [running]: crate::guide::running#when-redis-is-down
/// [scripts]: crate::guide::commands::scripts
#[doc = include_str!("../docs/guide/services.md")]
pub mod services {}

/// [caching]: crate::guide::caching
/// [changing_values]: crate::guide::changing_values
/// [clusters]: crate::guide::clusters
/// [compatibility]: crate::guide::compatibility
/// [connections]: crate::guide::connections
/// [guideline]: crate::guide::guideline
/// [jobs]: crate::guide::jobs
/// [limits]: crate::guide::limits
/// [locks]: crate::guide::locks
/// [observability]: crate::guide::observability
/// [testing]: crate::guide::testing
#[doc = include_str!("../docs/guide/features.md")]
pub mod features {}

/// [buckets]: crate::guide::declaration#calendar-buckets
/// [caching]: crate::guide::caching
/// [catalogue]: crate::guide::catalogue
/// [channels]: crate::guide::channels
/// [checks]: crate::guide::checks
/// [chinese]: https://github.com/redis-keys/redis-keys/blob/main/redis-keys/docs/guide/guideline.zh-CN.md
/// [clusters]: crate::guide::clusters
/// [commands]: crate::guide::commands
/// [connections]: crate::guide::connections
/// [cookbook]: crate::guide::cookbook
/// [counters]: crate::guide::cookbook::counters_and_limits
/// [encryption]: crate::guide::stored_forms#encryption
/// [filters]: crate::guide::filters
/// [findings]: crate::guide::operations::audit#what-it-finds
/// [jobs]: crate::guide::jobs
/// [leaderboard]: crate::guide::cookbook::leaderboard
/// [limits]: crate::guide::limits
/// [lints]: crate::guide::policy#lints
/// [locks]: crate::guide::locks
/// [namespace]: crate::guide::declaration#namespace
/// [near_copies]: crate::guide::near_copies
/// [nearby]: crate::guide::cookbook::nearby
/// [operations]: crate::guide::operations
/// [options]: crate::guide::declaration#options
/// [parameters]: crate::guide::declaration#parameters
/// [policy]: crate::guide::policy
/// [raw]: crate::guide::checks#commands-outside-of-declarations
/// [recent_items]: crate::guide::cookbook::recent_items
/// [running]: crate::guide::running
/// [scripts]: crate::guide::commands::scripts
/// [shards]: crate::guide::declaration#ids-with-upper-case-hyphens-or-other-characters-and-shards
/// [sign_ins]: crate::guide::cookbook::sign_ins
/// [stored_forms]: crate::guide::stored_forms
/// [unique_visitors]: crate::guide::cookbook::unique_visitors
#[doc = include_str!("../docs/guide/guideline.md")]
pub mod guideline {}

/// [audit]: crate::guide::operations::audit
/// [buckets]: crate::guide::declaration#calendar-buckets
/// [checks]: crate::guide::checks
/// [overlap]: crate::guide::declaration#overlapping-declarations
/// [shards]: crate::guide::declaration#ids-with-upper-case-hyphens-or-other-characters-and-shards
#[doc = include_str!("../docs/guide/policy.md")]
pub mod policy {}

/// [audit]: crate::guide::operations::audit#what-it-finds
/// [catalogue]: crate::guide::catalogue
/// [changing_values]: crate::guide::changing_values
/// [declaration]: crate::guide::declaration
/// [namespace]: crate::guide::declaration#namespace
/// [parameters]: crate::guide::declaration#parameters
/// [policy]: crate::guide::policy
#[doc = include_str!("../docs/guide/checks.md")]
pub mod checks {}

/// [audit]: crate::guide::operations::audit
/// [checks]: crate::guide::checks
/// [foreign]: crate::guide::policy#foreign
/// [observability]: crate::guide::observability
/// [schema]: crate::schema::Schema
#[doc = include_str!("../docs/guide/catalogue.md")]
pub mod catalogue {}

/// [audit]: crate::guide::operations::audit#metrics
/// [caching]: crate::guide::caching
/// [dashboard]: https://github.com/redis-keys/redis-keys/blob/main/dashboards/redis-keys.json
/// [example]: https://github.com/redis-keys/redis-keys/blob/main/examples/dashboard.rs
/// [jobs]: crate::guide::jobs
/// [limits]: crate::guide::limits
/// [locks]: crate::guide::locks
/// [metrics]: crate::guide::metrics
/// [operations]: crate::guide::operations
/// [performance]: crate::guide::performance
/// [picture]: https://raw.githubusercontent.com/redis-keys/redis-keys/main/dashboards/redis-keys.png
/// [traces]: https://github.com/redis-keys/redis-keys/blob/main/examples/traces.rs
/// [watching]: crate::guide::jobs#watching-it
#[doc = include_str!("../docs/guide/observability.md")]
pub mod observability {}

/// [observability]: crate::guide::observability
/// [operations]: crate::guide::operations
#[doc = include_str!("../docs/guide/metrics.md")]
pub mod metrics {}

/// [audit]: crate::guide::operations::audit
/// [move_keys]: crate::guide::operations::move_keys
/// [purge_and_expire]: crate::guide::operations::purge_and_expire
#[doc = include_str!("../docs/guide/operations/README.md")]
pub mod operations {
    /// [adopt]: crate::guide::existing::draft
    /// [catalogue]: crate::guide::catalogue
    /// [foreign]: crate::guide::policy#foreign
    /// [namespace]: crate::guide::declaration#namespace
    /// [performance]: crate::guide::performance#audit
    /// [purge_and_expire]: crate::guide::operations::purge_and_expire
    /// [schema]: crate::schema::Schema
    /// [stock]: crate::guide::observability#stock
    #[doc = include_str!("../docs/guide/operations/audit.md")]
    pub mod audit {}

    /// [cost]: crate::guide::operations::audit#what-it-costs-the-server
    /// [foreign]: crate::guide::policy#foreign
    /// [move_keys]: crate::guide::operations::move_keys
    #[doc = include_str!("../docs/guide/operations/purge_and_expire.md")]
    pub mod purge_and_expire {}

    /// [purge_and_expire]: crate::guide::operations::purge_and_expire#the-plan
    /// [rename]: crate::guide::existing::rename
    #[doc = include_str!("../docs/guide/operations/move_keys.md")]
    pub mod move_keys {}
}

/// [bytes]: crate::guide::compatibility
/// [caching]: crate::guide::caching
/// [jobs]: crate::guide::jobs
/// [limits]: crate::guide::limits
/// [namespace]: crate::key::namespace
/// [operations]: crate::guide::operations
/// [testing]: crate::guide::testing
#[doc = include_str!("../docs/guide/other_languages.md")]
pub mod other_languages {}

/// [commands]: crate::guide::commands
/// [performance]: crate::guide::performance
#[doc = include_str!("../docs/guide/testing.md")]
pub mod testing {}

/// [clusters]: crate::guide::clusters
/// [jobs]: crate::guide::jobs#compared-with
/// [near_copies]: crate::guide::near_copies
/// [shop]: https://github.com/redis-keys/redis-keys/blob/main/examples/shop/README.md
#[doc = include_str!("../docs/guide/performance.md")]
pub mod performance {}

/// [caching]: crate::guide::caching
/// [caching_existing]: crate::guide::caching#adding-cache-to-a-key
/// [catalogue]: crate::guide::catalogue
/// [error]: crate::Error
/// [existing]: crate::guide::existing::rename#releases-side-by-side
/// [filters]: crate::guide::filters
/// [jobs]: crate::guide::jobs
/// [limits]: crate::guide::limits
/// [locks]: crate::guide::locks
/// [secrets]: crate::guide::stored_forms#encryption
/// [stored_forms]: crate::guide::stored_forms
#[doc = include_str!("../docs/guide/compatibility.md")]
pub mod compatibility {}
