//! `audit`: compares a live server with the declarations.

use std::sync::Arc;
use std::{fs, io};

use clap::Args;

use crate::Failure;
use crate::declare::catalog::Catalog;
use crate::declare::{Declarations, namespace, warn_of_unread};
use crate::file::must_be_replaceable;
use crate::operate::audit;
use crate::operate::audit::AuditResult;
use crate::operate::audit::report::{PreparedReport, ReportArgs, report};
use crate::operate::server::connection::ConnectionArgs;
use crate::operate::server::foreign::ForeignKeys;
use crate::operate::server::scan::ScanArgs;
use crate::operate::server::schemas::Schemas;
use crate::outcome::Outcome;
use crate::render::server_user::ServerUser;

/// The commands that a user needs on a server.
const COMMANDS: &str = "ping info dbsize select config|get client|no-touch cluster|slots readonly scan type pttl \
                        memory|usage object|encoding object|freq object|idletime strlen hlen llen scard zcard xlen \
                        getrange hscan sscan zscan lrange xrange hotkeys|get";

/// Compare the keys on a server with the declarations, read-only
///
/// It finds undeclared keys, keys of another type, without an expiry or too large. By default the server works for
/// it at most half of the time. Status 1 if there are findings of the level of `--fail-on`.
#[derive(Args)]
pub(crate) struct AuditArgs {
    /// `redis://HOST:PORT/DB`, `rediss://…` or `unix:///PATH`; of a cluster, one node
    #[arg(value_name = "URL", required_unless_present = "acl")]
    urls: Vec<String>,
    /// Namespace of the keys; without `--match`, reads only its keys
    #[arg(long, value_name = "NAME", value_parser = namespace, help_heading = "Keys")]
    namespace: Option<String>,
    /// Prefix that programs set for legacy texts
    #[arg(long, value_name = "TEXT", help_heading = "Keys")]
    legacy_prefix: Option<String>,
    /// Print the ACL rule for a user that may run this
    #[arg(long)]
    acl: bool,
    #[command(flatten)]
    scan: ScanArgs,
    #[command(flatten)]
    connection: ConnectionArgs,
    #[command(flatten)]
    report: ReportArgs,
    #[command(flatten)]
    declarations: Declarations,
}

pub(crate) fn run(args: &AuditArgs, out: &mut dyn io::Write) -> Result<Outcome, Failure> {
    if args.acl {
        writeln!(out, "ACL SETUSER {}", ServerUser::of_every_key("audit", COMMANDS))?;
        message!(
            "note: leave out the commands that the server lacks: Redis before 7.2 `+client|no-touch`, Redis before 8.6 and \
             Valkey `+hotkeys|get`"
        );
        return Ok(Outcome::Fine);
    }
    // First, since it may restart the program to hide passwords.
    let servers = args.connection.servers(&args.urls)?;
    let prepared = PreparedReport::new(&args.report)?;
    args.scan.resume.as_deref().map(must_be_replaceable).transpose()?;
    let schemas = Arc::new(schemas(args)?);
    prepared.must_fit(&servers, &audit::options(&args.scan, &schemas))?;
    let AuditResult { run, nodes, failure } = audit::run(&servers, &args.scan, &schemas, args.report.show_keys)?;
    let outcome = report(&prepared, &schemas, &run, &nodes, out);
    if let Some(failure) = failure {
        outcome?;
        return Err(failure);
    }
    if let Some(file) = &args.scan.resume {
        // The audit is complete, and the next one starts over. There is no file if it took less than five seconds.
        let _ = fs::remove_file(file);
    }
    outcome
}

/// The declarations, and the keys of other programs.
fn schemas(args: &AuditArgs) -> Result<Schemas, Failure> {
    let catalog = if args.declarations.are_anywhere() {
        args.declarations.catalog()?
    } else {
        message!("note: there is no Cargo project here: without `--catalog FILE`, the audit knows no declarations");
        Catalog::new(Vec::new(), Vec::new())
    };
    warn_of_unread(&catalog);
    let foreign = ForeignKeys::of(&args.declarations.foreign(&catalog)?);
    let schemas = Schemas::new(catalog, args.namespace.as_deref());
    Ok(schemas.with_legacy_prefix(args.legacy_prefix.as_deref()).with_foreign(foreign))
}
