//! What the tests of the server share: asking it in process, running it as a process, and holding answers against their schemas.

use crate::common::cli::{Run, Tables};
use crate::common::tools;
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request};
use http_body_util::BodyExt;
use phutbase::server::app::{App, Bounds};
use phutbase::table::places::Places;
use serde_json::Value as Json;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tower::ServiceExt;

/// A server of the tables in a directory, without a network.
pub fn server(tables: &Path) -> Router {
    server_with(tables, Bounds::default())
}

pub fn server_with(tables: &Path, bounds: Bounds) -> Router {
    let app = App::new(Places::only(tables), bounds, |_| {});
    phutbase::server::routes(Arc::new(app.unwrap()))
}

/// What a server sent.
pub struct Answer {
    pub status: u16,
    pub text: String,
    headers: HeaderMap,
}

impl Answer {
    /// The answer to a request.
    pub async fn to(server: &Router, request: Request<Body>) -> Answer {
        let response = server.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        Answer {
            status: parts.status.as_u16(),
            text: String::from_utf8_lossy(&bytes).into_owned(),
            headers: parts.headers,
        }
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub fn json(&self) -> Json {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error} in '{}'", self.text))
    }

    /// The answer must refuse, and say why.
    pub fn refused(&self, status: u16, reason: &str) {
        assert_eq!(self.status, status, "{}", self.text);
        let refusal = self.json();
        let error = refusal["error"].as_str().unwrap();
        assert!(error.contains(reason), "'{reason}' is not in '{error}'");
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

/// Whether a value is what a schema of the document says: types, enumerations, properties, items.
pub fn fits(document: &Json, schema: &Json, value: &Json) -> Result<(), String> {
    if let Some(name) = schema["$ref"].as_str() {
        let target = document.pointer(name.trim_start_matches('#'));
        return fits(document, target.ok_or(format!("no {name}"))?, value);
    }
    let types: Vec<&str> = match &schema["type"] {
        Json::String(one) => vec![one],
        Json::Array(several) => several.iter().filter_map(Json::as_str).collect(),
        _ => return Err(format!("a schema without a type: {schema}")),
    };
    let found = match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(_) => "integer",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    };
    if !types.contains(&found) {
        return Err(format!("{value} is {found}, not {types:?}"));
    }
    if let Some(allowed) = schema["enum"].as_array()
        && !allowed.contains(value)
    {
        return Err(format!("{value} is not one of {allowed:?}"));
    }
    for item in value.as_array().into_iter().flatten() {
        fits(document, &schema["items"], item)?;
    }
    match value.as_object().filter(|_| schema["properties"].is_object()) {
        Some(object) => object_fits(document, schema, object),
        None => Ok(()),
    }
}

fn object_fits(document: &Json, schema: &Json, object: &serde_json::Map<String, Json>) -> Result<(), String> {
    for name in schema["required"].as_array().into_iter().flatten() {
        if !object.contains_key(name.as_str().unwrap_or("")) {
            return Err(format!("{name} is missing"));
        }
    }
    for (name, value) in object {
        match schema["properties"].get(name) {
            Some(property) => fits(document, property, value).map_err(|error| format!("{name}: {error}"))?,
            None => return Err(format!("{name} is not in the document")),
        }
    }
    Ok(())
}

/// The program, serving on a port of its own.
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

    /// Sends bytes and reads until the server closes.
    pub fn ask(&self, request: &str) -> String {
        self.connect(request).finish("")
    }

    /// A connection on which something was sent.
    pub fn connect(&self, request: &str) -> Connection {
        Connection::to(([127, 0, 0, 1], self.port()).into(), request)
    }

    /// A connection on which as much was sent as the server took; `None` if it took no connection.
    pub fn try_connect(&self, request: &str) -> Option<Connection> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port())).ok()?;
        stream.set_write_timeout(Some(Duration::from_secs(2))).unwrap();
        // A refusal may come before all is sent.
        let _ = stream.write_all(request.as_bytes());
        Some(Connection(stream))
    }

    /// The memory of the program.
    #[cfg(target_os = "linux")]
    pub fn resident_mebibytes(&self) -> usize {
        self.mebibytes("VmRSS:")
    }

    /// The most memory that the program has had.
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

    /// Sends SIGTERM.
    pub fn terminate(&self) {
        let id = self.child.as_ref().unwrap().id().to_string();
        assert!(
            Command::new("kill")
                .args(["-TERM", &id])
                .status()
                .unwrap()
                .success()
        );
    }

    pub fn is_running(&mut self) -> bool {
        self.child.as_mut().unwrap().try_wait().unwrap().is_none()
    }

    /// The program must soon take no more connections.
    pub fn no_longer_listens(&self) {
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port())).is_ok() {
            assert!(begin.elapsed() < Duration::from_secs(15), "it still listens");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The program must end soon, and without a failure; returns what it printed.
    pub fn ended_well(&mut self) -> Run {
        let begin = Instant::now();
        while self.is_running() && begin.elapsed() < Duration::from_secs(15) {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(!self.is_running(), "it does not end");
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
    /// A connection to an address, on which something was sent.
    pub fn to(address: SocketAddr, request: &str) -> Connection {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        Connection(stream)
    }

    /// Asks for a path and reads the answer; its status. The connection stays open.
    pub fn request(&mut self, path: &str) -> u16 {
        let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n");
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

    /// Whether the server has not closed it, as far as can be said after reading what it sent.
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

    /// Sends the rest, and reads until the server closes.
    pub fn finish(&mut self, rest: &str) -> String {
        self.0.write_all(rest.as_bytes()).unwrap();
        let mut answer = Vec::new();
        // A connection that the server resets has said what it had to say.
        let _ = self.0.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Waits for these words of the server's.
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

/// What a Python script prints, if there is Python.
pub fn python(arguments: &[&str]) -> Option<String> {
    tools::python(arguments).map(|output| Run::from(output).ok().stdout)
}
