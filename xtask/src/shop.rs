//! `cargo xtask shop`: the shop of `examples/shop`, on a server of its own.

use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;

use crate::run::{Failure, Outcome, built_tool, cargo, heading, program, root, run, target};

/// Runs the server (`$2`) on the port `$3` and the shop (`$4`) until the shop ends, in the folder `$1`, which is removed
/// at the end. Ctrl-C reaches the shop from the terminal. The shell waits for it, and then ends the server by its
/// process id.
const SCRIPT: &str = r#"
    set -u
    folder=$1 server=$2 port=$3 shop=$4
    mkdir -m 700 "$folder" || exit
    "$server" --bind 127.0.0.1 --port "$port" --dir "$folder" --appendonly yes --save "" </dev/null >"$folder/log" 2>&1 &
    server_id=$!
    trap : HUP INT TERM
    "$shop" &
    shop_id=$!
    # A signal ends the first `wait`, and the shop a moment later.
    wait "$shop_id"
    kill -INT "$shop_id" 2>/dev/null
    wait "$shop_id"
    status=$?
    kill "$server_id" 2>/dev/null
    wait "$server_id"
    rm -rf "$folder"
    exit "$status"
"#;

/// Starts a server and the shop, and ends with it.
pub(crate) fn shop(server: &Path, port: u16) -> Outcome {
    check_port(port).map_err(Failure::new)?;
    heading("Building the shop");
    run(cargo().args(["build", "--package", "redis-keys-shop"]))?;
    heading("Opening the shop: Ctrl-C closes it");
    let redis_port = free_port()?;
    let folder = std::env::temp_dir().join(format!("redis-keys-shop-{}", std::process::id()));
    println!("Redis: 127.0.0.1:{redis_port}, in {}", folder.display());
    let mut command = program("/bin/sh");
    command
        .args(["-c", SCRIPT, "shop"])
        .arg(&folder)
        .arg(server)
        .arg(redis_port.to_string())
        .arg(std::path::absolute(target().join("debug/redis-keys-shop"))?)
        .env("REDIS_URL", format!("redis://127.0.0.1:{redis_port}/"))
        .env("SHOP_DATABASE", folder.join("shop.db"))
        .env("SHOP_PORT", port.to_string())
        .current_dir(root());
    become_process(command)
}

/// Checks that the shop's file of values is up to date, with the command that the tests have built.
pub(crate) fn check_values() -> Outcome {
    let file = "examples/shop/redis-keys.values.toml";
    let options = ["--package", "redis-keys-shop", "--locked", "--file", file];
    run(built_tool()?.args(["values", "--check"]).args(options))
}

/// Replaces this process, so that only the shell waits for Ctrl-C.
#[cfg(unix)]
fn become_process(mut command: std::process::Command) -> Outcome {
    use std::os::unix::process::CommandExt as _;
    Err(Failure::new(command.exec().to_string()))
}

#[cfg(not(unix))]
fn become_process(_: std::process::Command) -> Outcome {
    Err(Failure::missing_tool("`cargo xtask shop` needs a Unix system"))
}

/// Fails if another program has the port, before anything is built.
fn check_port(port: u16) -> Result<(), String> {
    match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("cannot open port {port}: {error}\n  help: choose another port with `--port N`")),
    }
}

/// Returns a port of this machine that is not in use.
fn free_port() -> Outcome<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpListener};

    use super::check_port;

    #[test]
    fn a_port_in_use_is_refused_before_the_build() -> std::io::Result<()> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        let problem = check_port(port).err().unwrap_or_default();
        assert!(problem.starts_with(&format!("cannot open port {port}")) && problem.contains("--port"), "{problem}");
        assert!(check_port(0).is_ok(), "any free port");
        Ok(())
    }
}
