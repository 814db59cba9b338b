//! The Redis keys of this project, as they are today.

pub mod ledger {
    use redis_keys::prelude::*;

    // 166 keys, 770 KB, the largest 4.6 KB, no expiry
    // XADD in packages/game/src/service.rs:79 without an expiry
    // TODO: a ttl: these keys never expire
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        ledger:{iban}:stream, value = LedgerEntry, ttl = never, reason = "TODO", rebuild = "TODO",
        legacy = "ledger:{iban}",
    )]
    pub struct Ledger<'a> {
        #[redis_key(no_colon)]
        pub iban: &'a str,
    }

    // TODO: the fields of an entry
    #[derive(Clone, Debug, RedisHash)]
    pub struct LedgerEntry {
        pub data: Vec<u8>,
    }
}

pub mod asynq {
    use redis_keys::prelude::*;

    // 823 keys, 109 KB, the largest 136 B, at most 6d23h left
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        asynq:default:t:{id}:hash, field = String, value = Vec<u8>, ttl = 7d,
        legacy = "asynq:{{default}}:t:{id}",
    )]
    pub struct DefaultT {
        pub id: uuid::Uuid,
    }

    // 153 keys, 13.1 KB, the largest 88 B, at most 89d23h left
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        asynq:default:processed:{day}:string, value = Vec<u8>, ttl = 90d,
        legacy = "asynq:{{default}}:processed:{day}",
    )]
    pub struct DefaultProcessed<'a> {
        pub day: &'a str,
    }

    // 1 key, 176 B, no expiry
    // TODO: a ttl: these keys never expire
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        asynq:queues:set, value = Vec<u8>, ttl = never, reason = "TODO", rebuild = "TODO",
        legacy = "asynq:queues",
    )]
    pub struct Queues;

    // 1 key, 168 B, no expiry
    // TODO: a ttl: these keys never expire
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        asynq:default:pending:list, value = Vec<u8>, ttl = never, reason = "TODO", rebuild = "TODO",
        legacy = "asynq:{{default}}:pending",
    )]
    pub struct DefaultPending;

    // 1 key, 104 B, no expiry
    // TODO: a ttl: these keys never expire
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        asynq:default:scheduled:zset, value = Vec<u8>, ttl = never, reason = "TODO",
        rebuild = "TODO", legacy = "asynq:{{default}}:scheduled",
    )]
    pub struct DefaultScheduled;
}

pub mod hangfire {
    use redis_keys::prelude::*;

    // 334 keys, 65.2 KB, the largest 200 B, no expiry
    // TODO: a ttl: these keys never expire
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        hangfire:job:history:{job_id}:list, value = Vec<u8>, ttl = never, reason = "TODO",
        rebuild = "TODO", legacy = "hangfire:job:{job_id}:history",
    )]
    pub struct JobHistory {
        pub job_id: uuid::Uuid,
    }

    // 411 keys, 54.6 KB, the largest 136 B, no expiry
    // TODO: a ttl: these keys never expire
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        hangfire:job:{job_id}:hash, field = String, value = Vec<u8>, ttl = never, reason = "TODO",
        rebuild = "TODO", legacy = "hangfire:job:{job_id}",
    )]
    pub struct Job {
        pub job_id: uuid::Uuid,
    }

    // 126 keys, 10.8 KB, the largest 88 B, at most 23h59m left
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        hangfire:stats:succeeded:{day}:{hour}:string, value = Vec<u8>, ttl = 1d,
        legacy = "hangfire:stats:succeeded:{day}-{hour:02}",
    )]
    pub struct StatsSucceeded<'a> {
        #[redis_key(no_colon)]
        pub day: &'a str,
        pub hour: u64,
    }

    // 82 keys, 10.6 KB, the largest 152 B, no expiry
    // TODO: a ttl: these keys never expire
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        hangfire:recurring.job:{name}:hash, field = String, value = Vec<u8>, ttl = never,
        reason = "TODO", rebuild = "TODO", legacy = "hangfire:recurring-job:{name}",
    )]
    pub struct RecurringJob<'a> {
        pub name: &'a str,
    }

    // 114 keys, 9.8 KB, the largest 88 B, at most 29d23h left
    // TODO: its keys can be those of other declarations
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        hangfire:stats:succeeded:{day}:string, value = Vec<u8>, ttl = 30d,
        legacy = "hangfire:stats:succeeded:{day}", allow(overlap, reason = "TODO"),
    )]
    pub struct StatsSucceededByDay<'a> {
        #[redis_key(no_colon)]
        pub day: &'a str,
    }

    // 51 keys, 7.6 KB, the largest 152 B, no expiry
    // TODO: a ttl: these keys never expire
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        hangfire:server:{name}:{id}:{id2}:hash, field = String, value = Vec<u8>, ttl = never,
        reason = "TODO", rebuild = "TODO", legacy = "hangfire:server:{name}:{id}:{id2}",
    )]
    pub struct Server<'a> {
        pub name: &'a str,
        pub id: u64,
        pub id2: uuid::Uuid,
    }

    // 3 keys, 504 B, the largest 168 B, no expiry
    // TODO: a ttl: these keys never expire
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        hangfire:queue:{name}:list, value = Vec<u8>, ttl = never, reason = "TODO", rebuild = "TODO",
        legacy = "hangfire:queue:{name}",
    )]
    pub struct Queue<'a> {
        #[redis_key(no_colon)]
        pub name: &'a str,
    }

    // 1 key, 192 B, no expiry
    // TODO: a ttl: these keys never expire
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        hangfire:servers:set, value = Vec<u8>, ttl = never, reason = "TODO", rebuild = "TODO",
        legacy = "hangfire:servers",
    )]
    pub struct Servers;

    // 1 key, 104 B, no expiry
    // TODO: a ttl: these keys never expire
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        hangfire:schedule:zset, value = Vec<u8>, ttl = never, reason = "TODO", rebuild = "TODO",
        legacy = "hangfire:schedule",
    )]
    pub struct Schedule;
}

pub mod guild {
    use redis_keys::prelude::*;

    // 240 keys, 45 KB, the largest 192 B, no expiry
    // SADD in packages/game/src/service.rs:19 without an expiry, SMEMBERS in packages/game/src/service.rs:23
    // TODO: a ttl: these keys never expire
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        guild:members:{name}:set, value = Vec<u8>, ttl = never, reason = "TODO", rebuild = "TODO",
        legacy = "guild.{name}.members",
    )]
    pub struct Members<'a> {
        pub name: &'a str,
    }

    // 246 keys, 17.3 KB, the largest 72 B, no expiry
    // SET in packages/game/src/service.rs:27 without an expiry
    // TODO: a ttl: these keys never expire
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        guild:motd:{name}:string, value = Vec<u8>, ttl = never, reason = "TODO", rebuild = "TODO",
        legacy = "guild.{name}.motd",
    )]
    pub struct Motd<'a> {
        pub name: &'a str,
    }
}

pub mod player {
    use redis_keys::prelude::*;

    // 407 keys, 41.3 KB, the largest 104 B, no expiry
    // HSET in packages/game/src/service.rs:41 without an expiry
    // TODO: a ttl: these keys never expire
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        player:{player_id}:hash, field = String, value = Vec<u8>, ttl = never, reason = "TODO",
        rebuild = "TODO", legacy = "player_{player_id}",
    )]
    pub struct Player<'a> {
        pub player_id: &'a str,
    }
}

pub mod r#match {
    use redis_keys::prelude::*;

    // 244 keys, 40 KB, the largest 168 B, at most 23h59m left
    // EXPIRE in packages/game/src/service.rs:52, RPUSH in packages/game/src/service.rs:52
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        match:moves:{match_id}:list, value = Vec<u8>, ttl = 1d, legacy = "match:{match_id}:moves",
    )]
    pub struct Moves<'a> {
        pub match_id: &'a str,
    }

    // 247 keys, 17.4 KB, the largest 72 B, at most 29s668ms left
    // SET in packages/game/src/service.rs:45
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        match:lock:{match_id}:string, value = Vec<u8>, ttl = 30s, legacy = "match:{match_id}:lock",
    )]
    pub struct Lock<'a> {
        pub match_id: &'a str,
    }
}

pub mod redis {
    use redis_keys::prelude::*;

    // 248 keys, 36.8 KB, the largest 152 B, at most 59m59s left
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        redis:localhost.confirm.email:{email_id}:{hash}:string, value = Vec<u8>, ttl = 1h,
        legacy = "redis-localhost-9000-confirm-email-{email_id}-{hash}",
    )]
    pub struct LocalhostConfirmEmail<'a> {
        pub email_id: u64,
        pub hash: &'a str,
    }

    // 247 keys, 25.1 KB, the largest 104 B, at most 59m59s left
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        redis:localhost.views.videos:hour:{video_id}:{hour}:string, value = Vec<u8>, ttl = 1h,
        legacy = "redis-localhost-9000-views-videos-{video_id}-hour-{hour}",
    )]
    pub struct LocalhostViewsVideosHour {
        pub video_id: u64,
        pub hour: u64,
    }
}

pub mod superset {
    use redis_keys::prelude::*;

    // 330 keys, 33.5 KB, the largest 104 B, at most 23h59m left
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        superset:data:{hash}:string, value = Vec<u8>, ttl = 1d, legacy = "superset_data_{hash}",
    )]
    pub struct Data<'a> {
        pub hash: &'a str,
    }

    // 162 keys, 11.4 KB, the largest 72 B, at most 89d23h left
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        superset:filter:{name}:string, value = Vec<u8>, ttl = 90d,
        legacy = "superset_filter_{name}",
    )]
    pub struct Filter<'a> {
        pub name: &'a str,
    }
}

pub mod ingress {
    use redis_keys::prelude::*;

    // 328 keys, 33.3 KB, the largest 104 B, at most 59s667ms left
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        ingress:remote.address:{ip}:{time}:string, value = Vec<u8>, ttl = 1m,
        legacy = "ingress_remote_address_{ip}_{time}",
    )]
    pub struct RemoteAddress<'a> {
        pub ip: &'a str,
        pub time: u64,
    }

    // 245 keys, 21 KB, the largest 88 B, at most 59m59s left
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        ingress:user.id:{user_id}:{time}:string, value = Vec<u8>, ttl = 1h,
        legacy = "ingress_user_id_{user_id}_{time}",
    )]
    pub struct UserId {
        pub user_id: u64,
        pub time: u64,
    }
}

pub mod oc4f2a9d {
    use redis_keys::prelude::*;

    // 326 keys, 33.1 KB, the largest 104 B, at most 59m59s left
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        oc4f2a9d:lock:files:{hash}:string, value = Vec<u8>, ttl = 1h,
        legacy = "oc4f2a9d/lock/files/{hash}",
    )]
    pub struct LockFiles<'a> {
        pub hash: &'a str,
    }

    // 242 keys, 17 KB, the largest 72 B, at most 23h59m left
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        oc4f2a9d:user.ldap:{name}:string, value = Vec<u8>, ttl = 1d,
        legacy = "oc4f2a9d/user_ldap/{name}",
    )]
    pub struct UserLdap<'a> {
        pub name: &'a str,
    }
}

pub mod limiter {
    use redis_keys::prelude::*;

    // 323 keys, 32.8 KB, the largest 104 B, at most 59s668ms left
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        limiter:api:minute:{ip}:{name}:{name2}:string, value = Vec<u8>, ttl = 1m,
        legacy = "LIMITER/{ip}/api.{name}_{name2}/5/1/minute",
    )]
    pub struct ApiMinute<'a> {
        pub ip: &'a str,
        pub name: &'a str,
        pub name2: &'a str,
    }
}

pub mod eshop {
    use redis_keys::prelude::*;

    // 246 keys, 32.7 KB, the largest 136 B, at most 19m59s left
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        eshop:web:{web_id}:hash, field = String, value = Vec<u8>, ttl = 20m,
        legacy = "Eshop.Web{web_id}",
    )]
    pub struct Web {
        pub web_id: uuid::Uuid,
    }
}

pub mod app {
    use redis_keys::prelude::*;

    // 243 keys, 25.7 KB, the largest 120 B, at most 23h59m left
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        app:managed.resources:{name}:string, value = Vec<u8>, ttl = 1d,
        legacy = "app|managed-resources|{name}|1.8.3.gz",
    )]
    pub struct ManagedResources<'a> {
        pub name: &'a str,
    }

    // 249 keys, 25.7 KB, the largest 120 B, at most 23h59m left
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        app:resources.tree:{name}:string, value = Vec<u8>, ttl = 1d,
        legacy = "app|resources-tree|{name}|1.8.3.gz",
    )]
    pub struct ResourcesTree<'a> {
        pub name: &'a str,
    }
}

pub mod drupal {
    use redis_keys::prelude::*;

    // 250 keys, 25.4 KB, the largest 104 B, no expiry
    // TODO: a ttl: these keys never expire
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        drupal:redis.shop:cache.config:{name}:{name2}:string, value = Vec<u8>, ttl = never,
        reason = "TODO", rebuild = "TODO",
        legacy = "drupal.redis.10.1.0.shop:cache_config:{name}.{name2}",
    )]
    pub struct RedisShopCacheConfig<'a> {
        pub name: &'a str,
        pub name2: &'a str,
    }

    // 168 keys, 24.5 KB, the largest 168 B, no expiry
    // TODO: a ttl: these keys never expire
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        drupal:redis.shop:cache.render:{name}:{hash}:string, value = Vec<u8>, ttl = never,
        reason = "TODO", rebuild = "TODO",
        legacy = "drupal.redis.10.1.0.shop:cache_render:{name}:{hash}",
    )]
    pub struct RedisShopCacheRender<'a> {
        pub name: &'a str,
        pub hash: &'a str,
    }
}

pub mod online {
    use redis_keys::prelude::*;

    // 247 keys, 25.1 KB, the largest 104 B, no expiry
    // TODO: a ttl: these keys never expire
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        online:status:{status_id}:hash, field = String, value = Vec<u8>, ttl = never,
        reason = "TODO", rebuild = "TODO", legacy = "ONLINE_STATUS::{status_id}",
    )]
    pub struct Status {
        pub status_id: u64,
    }
}

pub mod round {
    use redis_keys::prelude::*;

    // 244 keys, 24.8 KB, the largest 104 B, no expiry
    // TODO: a ttl: these keys never expire
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        round:robin.agents:{agent_id}:zset, value = Vec<u8>, ttl = never, reason = "TODO",
        rebuild = "TODO", legacy = "ROUND_ROBIN_AGENTS:{agent_id}",
    )]
    pub struct RobinAgents {
        pub agent_id: u64,
    }
}

pub mod otp {
    use redis_keys::prelude::*;

    // 244 keys, 24.8 KB, the largest 104 B, at most 4m59s left
    // EXPIRE in packages/game/src/service.rs:65, INCRBY in packages/game/src/service.rs:65
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        otp:attempts:{transaction}:string, value = i64, ttl = 5m,
        legacy = "otp_{transaction}_attempts",
    )]
    pub struct Attempts<'a> {
        pub transaction: &'a str,
    }
}

pub mod basket {
    use redis_keys::prelude::*;

    // 249 keys, 21.4 KB, the largest 88 B, at most 59m59s left
    // SETEX in packages/game/src/service.rs:83
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        basket:{basket_id}:string, value = Vec<u8>, ttl = 1h, legacy = "Basket/{basket_id}",
    )]
    pub struct Basket<'a> {
        pub basket_id: &'a str,
    }
}

pub mod kyc {
    use redis_keys::prelude::*;

    // 248 keys, 21.3 KB, the largest 88 B, at most 23h59m left
    // SETEX in packages/game/src/service.rs:75
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        kyc:status:{email}:string, value = Vec<u8>, ttl = 1d, legacy = "kyc:{email}:status",
    )]
    pub struct Status<'a> {
        pub email: &'a str,
    }
}

pub mod mfst {
    use redis_keys::prelude::*;

    // 164 keys, 21.1 KB, the largest 152 B, at most 59m59s left
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        mfst:{hash}:{name}:string, value = Vec<u8>, ttl = 1h,
        legacy = "mfst|{hash}|{name}|1.8.3.gz",
    )]
    pub struct Mfst<'a> {
        pub hash: &'a str,
        pub name: &'a str,
    }
}

pub mod git {
    use redis_keys::prelude::*;

    // 163 keys, 20.4 KB, the largest 152 B, at most 23h59m left
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        git:refs:https:git.example.com:git:{name}:{name2}:string, value = Vec<u8>, ttl = 1d,
        legacy = "git-refs|https://git.example.com/{name}/{name2}.git|1.8.3",
    )]
    pub struct RefsHttpsGitExampleComGit<'a> {
        pub name: &'a str,
        pub name2: &'a str,
    }
}

pub mod flask {
    use redis_keys::prelude::*;

    // 230 keys, 19.1 KB, the largest 104 B, at most 4m59s left
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        flask:cache.view:{path}:string, value = Vec<u8>, ttl = 5m,
        legacy = "flask_cache_view//{path}",
    )]
    pub struct CacheView<'a> {
        pub path: &'a str,
    }
}

pub mod gitea {
    use redis_keys::prelude::*;

    // 248 keys, 17.4 KB, the largest 72 B, at most 23h59m left
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        gitea:session:{token}:string, value = Vec<u8>, ttl = 1d, legacy = "gitea_session_{token}",
    )]
    pub struct Session<'a> {
        pub token: &'a str,
    }

    // 166 keys, 16.9 KB, the largest 104 B, at most 59m59s left
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        gitea:avatar:{hash}:{size}:string, value = Vec<u8>, ttl = 1h,
        legacy = "gitea/avatar/{hash}/{size}",
    )]
    pub struct Avatar<'a> {
        pub hash: &'a str,
        pub size: &'a str,
    }
}

pub mod conversation {
    use redis_keys::prelude::*;

    // 162 keys, 13.9 KB, the largest 88 B, at most 59m59s left
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        conversation:typing.status:{conversation_id}:string, value = Vec<u8>, ttl = 1h,
        legacy = "CONVERSATION::{conversation_id}::TYPING_STATUS",
    )]
    pub struct TypingStatus {
        pub conversation_id: u64,
    }
}

pub mod presence {
    use redis_keys::prelude::*;

    // 161 keys, 11.3 KB, the largest 72 B, at most 1m59s left
    // SETEX in packages/game/src/service.rs:56
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        presence:{region}:{player}:string, value = Vec<u8>, ttl = 2m,
        legacy = "presence/{region}/{player}",
    )]
    pub struct Presence<'a> {
        pub region: &'a str,
        pub player: &'a str,
    }
}

pub mod authorization {
    use redis_keys::prelude::*;

    // 86 keys, 7.4 KB, the largest 88 B, no expiry
    // TODO: a ttl: these keys never expire
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        authorization:error.count:inbox:{inbox_id}:string, value = Vec<u8>, ttl = never,
        reason = "TODO", rebuild = "TODO", legacy = "AUTHORIZATION_ERROR_COUNT:Inbox:{inbox_id}",
    )]
    pub struct ErrorCountInbox {
        pub inbox_id: u64,
    }
}

pub mod lb {
    use redis_keys::prelude::*;

    // 71 keys, 7.2 KB, the largest 104 B, at most 89d23h left
    // EXPIRE in packages/game/src/service.rs:33, ZADD in packages/game/src/service.rs:33, ZREVRANGE in packages/game/src/service.rs:37
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        lb:weekly:{region}:{week}:zset, value = Vec<u8>, ttl = 90d,
        legacy = "lb:{region}:weekly:{week}",
    )]
    pub struct Weekly<'a> {
        #[redis_key(no_colon)]
        pub region: &'a str,
        #[redis_key(no_colon)]
        pub week: &'a str,
    }
}

pub mod fx {
    use redis_keys::prelude::*;

    // 16 keys, 1.4 KB, the largest 88 B, at most 59m59s left
    // EXPIRE in packages/game/src/service.rs:71, HSET in packages/game/src/service.rs:71
    #[derive(Clone, Debug, RedisKey)]
    #[redis_key(
        fx:{from}:{to}:hash, field = String, value = Vec<u8>, ttl = 1h, legacy = "fx_{from}_{to}",
    )]
    pub struct Fx<'a> {
        pub from: &'a str,
        pub to: &'a str,
    }
}
