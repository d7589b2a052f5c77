//! `phutbase serve`: the tables over HTTP, and a page to explore them.

use super::Verb;
use clap::Args;
use phutbase_base::object;
use phutbase_server::app::{App, RequestLimits};
use phutbase_server::listen::{self, ConnectionLimits};
use phutbase_server::{Access, routes};
use phutbase_terminal::common::GlobalOptions;
use phutbase_terminal::common::warn_skipped;
use phutbase_terminal::monitor;
use phutbase_terminal::output::{CommandError, log_line, print_result};
use phutbase_terminal::threads;
use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::{Arc, RwLock};
use std::thread::Builder;
use std::time::Duration;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// The tables over HTTP, and a page in the browser to explore them.
///
/// Prints the address when it listens. Logs errors, and with -v or 'RUST_LOG=info' every request.
///
/// Ctrl-C or SIGTERM stops it after pending requests, or after ten seconds.
#[derive(Args)]
#[expect(clippy::doc_markdown, reason = "the help prints this text as it is")]
#[command(after_help = "Examples:
  phutbase serve                   then open http://127.0.0.1:8080
  phutbase serve --port 0 --json   on a free port, printed as JSON
  phutbase serve --bind 0.0.0.0 --tables out
  phutbase serve --cors            pages of other sites may ask it")]
pub struct Arguments {
    /// Listen on this port; 0 chooses a free one
    #[arg(long, value_name = "P", default_value_t = 8080)]
    port: u16,
    /// Listen on this address or host name; the default accepts only this machine
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = address)]
    bind: IpAddr,
    /// Let pages of other sites ask this server (CORS), under any host name
    #[arg(long)]
    cors: bool,
}

impl Verb for Arguments {
    fn is_lean(&self) -> bool {
        true
    }

    fn run(&self, common: &GlobalOptions) -> Result<(), CommandError> {
        start_log(common.verbose)?;
        monitor::save_when_stopped();
        let workers = rayon::current_num_threads();
        let limits = RequestLimits {
            probes: workers,
            ..RequestLimits::default()
        };
        let app = App::new(common.places(), limits, warn_skipped).map_err(CommandError::system)?;
        #[cfg(unix)]
        ask_for_handles();
        // The runtime's workers, one for blocking work, and one that waits for signals.
        let threads = workers + 2;
        check_threads(threads).map_err(|error| threads::refused(&error))?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            // Otherwise a variable of the environment counts.
            .worker_threads(workers)
            // Semaphores admit fewer; the others read files.
            .max_blocking_threads(threads + 2)
            .build()
            .map_err(|error| CommandError::System(format!("cannot start the server's threads: {error}")))?;
        let address = SocketAddr::new(self.bind, self.port);
        let access = match (self.cors, self.bind.is_loopback()) {
            (true, _) => Access::Any,
            (false, true) => Access::Local,
            (false, false) => Access::AnyHost,
        };
        let served = runtime.block_on(serve(address, app, access, common.json));
        // The grace period of pending requests is over.
        runtime.shutdown_background();
        served
    }
}

fn address(text: &str) -> Result<IpAddr, String> {
    if let Ok(address) = text.parse::<SocketAddr>() {
        let (ip, port) = (address.ip(), address.port());
        return Err(format!("write the port apart: --bind {ip} --port {port}"));
    }
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let text = bare.unwrap_or(text);
    let found = (text, 0u16)
        .to_socket_addrs()
        .map_err(|error| error.to_string())?;
    // Clients of either protocol reach an IPv4 address.
    let found = found.map(|address| address.ip()).min_by_key(IpAddr::is_ipv6);
    let found = found.ok_or("the name has no address")?;
    let is_of_many = match found {
        IpAddr::V4(address) => address.is_multicast() || address.is_broadcast(),
        IpAddr::V6(address) => address.is_multicast(),
    };
    if is_of_many {
        return Err("an address of many machines, which receives no connections".to_string());
    }
    Ok(found)
}

/// Logs warnings and errors to stderr, with `verbose` every request, or as `RUST_LOG` demands:
/// `info`, `phutbase=error,tower_http=info`.
fn start_log(verbose: bool) -> Result<(), CommandError> {
    let default = if verbose {
        LevelFilter::INFO
    } else {
        LevelFilter::WARN
    };
    let filter = match std::env::var("RUST_LOG") {
        Ok(levels) if !verbose && !levels.is_empty() => levels
            .parse()
            .map_err(|error| CommandError::Usage(format!("RUST_LOG '{levels}': {error}")))?,
        _ => Targets::new().with_default(default),
    };
    let events = tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(false);
    tracing_subscriber::registry()
        .with(events.with_filter(filter))
        .init();
    Ok(())
}

/// Requests a file handle per connection and some for tables; the server adapts to fewer.
#[cfg(unix)]
fn ask_for_handles() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let wanted = ConnectionLimits::default().connections as u64 + 512;
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|current| current < wanted) {
        let current = limit.maximum.map_or(wanted, |maximum| wanted.min(maximum));
        let _ = setrlimit(
            Resource::Nofile,
            Rlimit {
                current: Some(current),
                ..limit
            },
        );
    }
}

async fn serve(address: SocketAddr, app: App, access: Access, json: bool) -> Result<(), CommandError> {
    let cannot_listen = |error: io::Error| {
        CommandError::System(format!(
            "cannot listen on {address}: {error}; choose another --port or --bind"
        ))
    };
    let listener = listen::bind(address).map_err(cannot_listen)?;
    let listening = format!("http://{}", listener.local_addr().map_err(cannot_listen)?);
    print_result(json, &object! { listening: &listening }, |out| {
        writeln!(out, "listening on {listening}")
    })?;
    listen::serve(
        listener,
        routes(Arc::new(app), access),
        ConnectionLimits::default(),
        first_signal(),
    )
    .await;
    Ok(())
}

/// Interval between checks for a signal.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Waits for the first Ctrl-C or SIGTERM; the second exits at once.
async fn first_signal() {
    while !monitor::job().is_stopped() {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    log_line("finishing open requests; press Ctrl-C again to stop at once");
}

/// Checks that the system allows `count` more threads: some libraries panic where it does not.
fn check_threads(count: usize) -> io::Result<()> {
    let gate = RwLock::new(());
    std::thread::scope(|scope| {
        let _closed = gate.write();
        (0..count).try_for_each(|_| {
            let thread = Builder::new().spawn_scoped(scope, || drop(gate.read()));
            thread.map(drop)
        })
    })
}
