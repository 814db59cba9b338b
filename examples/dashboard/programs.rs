//! Prometheus and Grafana, each with files in a temporary folder, until the example ends.

use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::{env, io, process};

/// The dashboard of this repository, which can be imported into any Grafana.
const DASHBOARD: &str = include_str!("../../dashboards/redis-keys.json");

/// A temporary folder, which is removed when it is dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn create() -> io::Result<Self> {
        let folder = env::temp_dir().join(format!("redis-keys-dashboard-{}", process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    fn write(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        let file = self.0.join(name);
        fs::create_dir_all(file.parent().unwrap_or(&self.0))?;
        fs::write(&file, text)?;
        Ok(file)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

/// Programs that are ended when it is dropped.
pub(crate) struct Running(Vec<Child>);

impl Drop for Running {
    fn drop(&mut self) {
        for program in &mut self.0 {
            _ = program.kill().and_then(|()| program.wait());
        }
    }
}

/// Starts what is on the `PATH`, and prints its addresses. `metrics` is the address that Prometheus reads.
pub(crate) fn start(folder: &Folder, metrics: SocketAddr) -> io::Result<Running> {
    let mut running = Running(Vec::new());
    let Some(prometheus) = on_path("prometheus") else {
        println!("Prometheus is not on the PATH: `apt install prometheus`, or see https://prometheus.io/download/");
        println!("Then start this example again. The metrics can be read at the address above.");
        return Ok(running);
    };
    let port = free_port()?;
    let job =
        format!("scrape_configs:\n  - job_name: example\n    static_configs:\n      - targets: [\"{metrics}\"]\n");
    let config = folder.write("prometheus.yml", &format!("global:\n  scrape_interval: 2s\n{job}"))?;
    let mut command = Command::new(prometheus);
    command
        .arg(format!("--config.file={}", config.display()))
        .arg(format!("--storage.tsdb.path={}", folder.0.join("prometheus").display()))
        .arg(format!("--web.listen-address=127.0.0.1:{port}"));
    running.0.push(start_quietly(folder, "prometheus.log", command)?);
    println!("Prometheus: http://127.0.0.1:{port}/");

    let Some(grafana) = on_path("grafana").or_else(|| on_path("grafana-server")) else {
        println!("Grafana is not on the PATH: see https://grafana.com/grafana/download");
        println!("Any other one can import dashboards/redis-keys.json, with this Prometheus as its data source.");
        return Ok(running);
    };
    running.0.push(start_grafana(folder, &grafana, port)?);
    Ok(running)
}

/// Starts Grafana with this Prometheus and the dashboard, which everyone on this machine can see.
fn start_grafana(folder: &Folder, grafana: &Path, prometheus: u16) -> io::Result<Child> {
    let port = free_port()?;
    let dashboard = folder.write("dashboards/redis-keys.json", DASHBOARD)?;
    let source = format!(
        "apiVersion: 1\ndatasources:\n  - name: Prometheus\n    type: prometheus\n    access: proxy\n    isDefault: true\n    \
         url: http://127.0.0.1:{prometheus}\n    jsonData:\n      timeInterval: 2s\n"
    );
    folder.write("provisioning/datasources/prometheus.yml", &source)?;
    let provider = format!(
        "apiVersion: 1\nproviders:\n  - name: redis-keys\n    type: file\n    options:\n      path: {}\n",
        folder.0.join("dashboards").display()
    );
    folder.write("provisioning/dashboards/redis-keys.yml", &provider)?;

    let mut command = Command::new(grafana);
    if grafana.ends_with("grafana") {
        command.arg("server");
    }
    if let Some(home) = home_of(grafana) {
        command.arg("--homepath").arg(home);
    }
    command
        .env("GF_PATHS_DATA", folder.0.join("grafana"))
        .env("GF_PATHS_LOGS", folder.0.join("grafana"))
        .env("GF_PATHS_PROVISIONING", folder.0.join("provisioning"))
        .env("GF_SERVER_HTTP_ADDR", "127.0.0.1")
        .env("GF_SERVER_HTTP_PORT", port.to_string())
        .env("GF_AUTH_ANONYMOUS_ENABLED", "true")
        .env("GF_ANALYTICS_REPORTING_ENABLED", "false")
        .env("GF_ANALYTICS_CHECK_FOR_UPDATES", "false")
        .env("GF_ANALYTICS_CHECK_FOR_PLUGIN_UPDATES", "false")
        .env("GF_PLUGINS_PREINSTALL_DISABLED", "true")
        .env("GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH", dashboard);
    let running = start_quietly(folder, "grafana.log", command)?;
    println!("Grafana:    http://127.0.0.1:{port}/d/redis-keys");
    Ok(running)
}

/// The folder with Grafana's own files, beside its program or where packages have it.
fn home_of(grafana: &Path) -> Option<PathBuf> {
    let program = fs::canonicalize(grafana).ok()?;
    let prefix = program.parent()?.parent()?;
    let folders = [prefix.to_owned(), prefix.join("share/grafana"), PathBuf::from("/usr/share/grafana")];
    folders.into_iter().find(|folder| folder.join("conf/defaults.ini").is_file())
}

fn start_quietly(folder: &Folder, log: &str, mut command: Command) -> io::Result<Child> {
    let log = File::create(folder.0.join(log))?;
    command.stdin(process::Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn()
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// A port that is free now.
fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}
