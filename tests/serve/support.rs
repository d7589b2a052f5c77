//! Shared by the server tests: queries in process, and the program as a server.

use crate::prelude::*;
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request};
use http_body_util::BodyExt;
use phutbase_server::Access;
use phutbase_server::app::{App, RequestLimits};
use phutbase_tables::places::SearchPath;
use phutbase_testing::tools;
use std::net::{SocketAddr, TcpStream};
use tower::ServiceExt;

/// An in-process server of the tables in a directory.
pub fn server(tables: &Path) -> Router {
    server_with(tables, RequestLimits::default())
}

pub fn server_with(tables: &Path, limits: RequestLimits) -> Router {
    server_for(tables, limits, Access::AnyHost)
}

pub fn server_for(tables: &Path, limits: RequestLimits, access: Access) -> Router {
    let app = App::new(SearchPath::only(tables), limits, |_| {});
    phutbase_server::routes(Arc::new(app.unwrap()), access)
}

/// The answer of a server.
pub struct Answer {
    /// The method and the path of the request.
    request: String,
    pub status: u16,
    pub text: String,
    headers: HeaderMap,
}

impl Answer {
    /// Sends a request.
    pub async fn to(server: &Router, request: Request<Body>) -> Answer {
        let asked = format!("{} {}", request.method(), request.uri());
        let response = server.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        Answer {
            request: asked,
            status: parts.status.as_u16(),
            text: String::from_utf8_lossy(&bytes).into_owned(),
            headers: parts.headers,
        }
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    #[track_caller]
    pub fn json(&self) -> Json {
        match serde_json::from_str(&self.text) {
            Ok(json) => json,
            Err(error) => panic!("{}: expected JSON: {error}, found: {}", self.request, self.text),
        }
    }

    /// Asserts that the server answers with a text, as the program prints it.
    #[track_caller]
    pub fn is(&self, expected: &str) {
        self.has_status(200);
        same_output(&self.request, &self.text, expected);
    }

    #[track_caller]
    pub fn has_status(&self, status: u16) {
        let Answer { request, text, .. } = self;
        assert!(
            self.status == status,
            "{request}: expected status {status}, found {}: {text}",
            self.status
        );
    }

    /// Asserts an error with this status and message.
    #[track_caller]
    pub fn refused(&self, status: u16, reason: &str) {
        self.has_status(status);
        let refusal = self.json();
        let error = refusal["error"].as_str().unwrap();
        assert!(
            error.contains(reason),
            "{}: expected '{reason}' in 'error', found '{error}'",
            self.request
        );
        assert_eq!(self.header("retry-after").is_empty(), status != 429);
    }
}

pub async fn get(server: &Router, path: &str) -> Answer {
    Answer::to(server, Request::get(path).body(Body::empty()).unwrap()).await
}

pub async fn post(server: &Router, path: &str, kind: &str, body: impl Into<Body>) -> Answer {
    let request = Request::post(path).header("content-type", kind);
    Answer::to(server, request.body(body.into()).unwrap()).await
}

/// The program as a server on a free port.
pub struct Server {
    child: Option<Child>,
    address: String,
}

impl Server {
    pub fn start(tables: &Tables) -> Server {
        Server::start_with(tables, "")
    }

    pub fn start_with(tables: &Tables, options: &str) -> Server {
        let mut child = tables
            .phutbase(&format!("serve --port 0 {options}"))
            .env_remove("RUST_LOG")
            .env("TOKIO_WORKER_THREADS", "0")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .strip_prefix("listening on ")
            .unwrap_or_else(|| panic!("'{line}'"));
        Server {
            child: Some(child),
            address: address.trim().to_string(),
        }
    }

    pub fn address(&self) -> String {
        self.address.clone()
    }

    pub fn port(&self) -> u16 {
        self.address.rsplit(':').next().unwrap().parse().unwrap()
    }

    /// Sends bytes and reads until the server closes the connection.
    pub fn ask(&self, request: &str) -> String {
        self.connect(request).finish("")
    }

    /// Opens a connection and sends bytes.
    pub fn connect(&self, request: &str) -> Connection {
        Connection::to(([127, 0, 0, 1], self.port()).into(), request)
    }

    /// Opens a connection and sends as much as the server accepts; `None` if it refuses the
    /// connection.
    pub fn try_connect(&self, request: &str) -> Option<Connection> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port())).ok()?;
        stream.set_write_timeout(Some(Duration::from_secs(2))).unwrap();
        // The server may answer before it has read everything.
        let _ = stream.write_all(request.as_bytes());
        Some(Connection(stream))
    }

    /// Memory of the server in MiB.
    #[cfg(target_os = "linux")]
    pub fn resident_mebibytes(&self) -> usize {
        self.mebibytes("VmRSS:")
    }

    /// Peak memory of the server in MiB.
    #[cfg(target_os = "linux")]
    pub fn peak_mebibytes(&self) -> usize {
        self.mebibytes("VmHWM:")
    }

    #[cfg(target_os = "linux")]
    fn mebibytes(&self, field: &str) -> usize {
        let id = self.child.as_ref().unwrap().id();
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
        line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() / 1024
    }

    /// The number of threads that serve connections.
    #[cfg(target_os = "linux")]
    pub fn workers(&self) -> usize {
        let id = self.child.as_ref().unwrap().id();
        let tasks = std::fs::read_dir(format!("/proc/{id}/task")).unwrap();
        let names = tasks.map(|task| std::fs::read_to_string(task.unwrap().path().join("comm")).unwrap());
        names.filter(|name| name.starts_with("tokio")).count()
    }

    /// Sends SIGTERM.
    pub fn terminate(&self) {
        tools::send("TERM", self.child.as_ref().unwrap().id());
    }

    pub fn is_running(&mut self) -> bool {
        self.child.as_mut().unwrap().try_wait().unwrap().is_none()
    }

    /// Waits until the server accepts no more connections.
    pub fn no_longer_listens(&self) {
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port())).is_ok() {
            assert!(
                begin.elapsed() < Duration::from_secs(15),
                "the server still listens"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for a clean exit of the server; returns its output.
    pub fn ended_well(&mut self) -> Run {
        let begin = Instant::now();
        while self.is_running() && begin.elapsed() < Duration::from_secs(15) {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(!self.is_running(), "the server does not exit");
        let run: Run = self.child.take().unwrap().wait_with_output().unwrap().into();
        run.ok()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// An open connection.
pub struct Connection(TcpStream);

impl Connection {
    /// Connects to an address and sends bytes.
    pub fn to(address: SocketAddr, request: &str) -> Connection {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        Connection(stream)
    }

    /// Requests a path, reads the answer, and returns its status. The connection stays open.
    pub fn request(&mut self, path: &str) -> u16 {
        let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n");
        self.0.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let mut part = [0; 4096];
        loop {
            let read = self.0.read(&mut part).unwrap();
            assert_ne!(read, 0, "the server closed: {path}");
            answer.extend_from_slice(&part[..read]);
            let text = String::from_utf8_lossy(&answer);
            let Some((head, body)) = text.split_once("\r\n\r\n") else {
                continue;
            };
            let length = head
                .to_lowercase()
                .split_once("content-length: ")
                .map(|(_, rest)| {
                    rest.split("\r\n")
                        .next()
                        .and_then(|digits| digits.parse::<usize>().ok())
                        .unwrap()
                });
            if body.len() >= length.unwrap_or(0) {
                return head.split(' ').nth(1).unwrap().parse().unwrap();
            }
        }
    }

    /// Tells if the server has kept the connection open; `None` if unknown.
    pub fn is_open(&mut self) -> Option<bool> {
        self.0.set_nonblocking(true).ok()?;
        let mut rest = [0; 1 << 16];
        loop {
            match self.0.read(&mut rest) {
                Ok(0) => return Some(false),
                Ok(_) => {}
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return Some(true),
                Err(_) => return Some(false),
            }
        }
    }

    /// Sends the rest and reads until the server closes the connection.
    pub fn finish(&mut self, rest: &str) -> String {
        self.0.write_all(rest.as_bytes()).unwrap();
        let mut answer = Vec::new();
        // The server may reset the connection after its answer.
        let _ = self.0.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Waits for these bytes.
    pub fn reads(&mut self, words: &str) {
        let mut answer = vec![0; words.len()];
        self.0.read_exact(&mut answer).unwrap();
        assert_eq!(String::from_utf8_lossy(&answer), words);
    }

    /// Sends more.
    pub fn sends(&mut self, more: &str) {
        self.0.write_all(more.as_bytes()).unwrap();
    }
}

/// Returns the output of a Python script, or `None` without Python.
pub fn python(arguments: &[&str]) -> Option<String> {
    tools::python(arguments).map(|output| Run::from(output).ok().stdout)
}
