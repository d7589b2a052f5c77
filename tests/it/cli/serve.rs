//! `phutbase serve`: its options. What it answers is tested in `server`.

#![cfg(feature = "serve")]

use crate::prelude::*;

#[test]
fn addresses_that_cannot_be_bound_are_refused() {
    run("serve --port 70000").refuses(2, &["70000"]);
    run("serve --port 0 --bind no.such.host.invalid").refusal(2);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    run(&format!("serve --port {port}")).refuses(3, &[&port.to_string()]);
}

#[test]
fn the_address_is_printed_and_answers() {
    let mut server = phutbase("serve --port 0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let address = line
        .trim()
        .strip_prefix("listening on http://")
        .expect("an address")
        .to_string();
    let mut connection = std::net::TcpStream::connect(&address).unwrap();
    write!(
        connection,
        "GET /api/probe?position=.@. HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    has(&answer, &["HTTP/1.1 200", "\"value\":\"win\",\"depth\":3"]);
}
