//! Every command in README and docs, run as it stands; what a page shows of the output is compared.
//!
//! A block that begins with ```` ```sh ```` has commands, one a line; in a ```` ```console ```` block they begin with `$ `, and what follows is the
//! output: a line `…` stands for any lines, a `…` at the end of a line for the rest of it. All blocks of a page are run in order in one
//! directory, which sees the project's tables, examples and scripts. Two remarks at the end of a line keep a command from being run to its end,
//! where every reader sees them: `# slow: …` is not run, but the program must accept it; `# until Ctrl-C` is started and stopped.
//! A command in running text must be one that the program accepts.

use crate::common::cli::usage_error;
use crate::common::tools::available;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A command of a page.
struct Shown {
    line: usize,
    command: String,
    /// What is said of its output; `None` in a block of commands only.
    output: Option<Vec<String>>,
}

fn pages() -> Vec<PathBuf> {
    let docs = std::fs::read_dir("docs")
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> = docs
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    pages.insert(0, "README.md".into());
    pages
}

fn commands(page: &Path) -> Vec<Shown> {
    let text = std::fs::read_to_string(page).unwrap();
    let mut shown: Vec<Shown> = Vec::new();
    let mut block = "";
    for (number, line) in (1..).zip(text.lines()) {
        match (block, line) {
            ("", opening) if opening.starts_with("```") => {
                block = if opening == "```" { "```text" } else { opening }
            }
            (_, "```") => block = "",
            ("```sh", command) if !command.trim().is_empty() && !command.starts_with('#') => {
                shown.push(Shown {
                    line: number,
                    command: command.to_string(),
                    output: None,
                })
            }
            ("```console", line) => match (line.strip_prefix("$ "), shown.last_mut()) {
                (Some(command), _) => shown.push(Shown {
                    line: number,
                    command: command.to_string(),
                    output: Some(Vec::new()),
                }),
                (
                    None,
                    Some(Shown {
                        output: Some(output), ..
                    }),
                ) => output.push(line.to_string()),
                _ => panic!("{}:{number}: output of no command", page.display()),
            },
            _ => {}
        }
    }
    shown
}

/// A directory in which a page's commands are run: `phutbase` is on the path, and the project's own files can be seen.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Desk {
        let desk = Desk(tempfile::tempdir().unwrap());
        for name in ["examples", "scripts", "tables", "docs", "src"] {
            let there = std::env::current_dir().unwrap().join(name);
            std::os::unix::fs::symlink(there, desk.0.path().join(name)).unwrap();
        }
        desk
    }

    fn shell(&self, line: &str) -> Command {
        let program = Path::new(env!("CARGO_BIN_EXE_phutbase")).parent().unwrap();
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
        let mut command = Command::new("bash");
        command.args(["-c", line]).current_dir(self.0.path());
        command
            .env("PATH", path)
            .env("XDG_DATA_HOME", self.0.path().join("data"));
        command.env_remove("PHUTBASE_TABLES").stdin(Stdio::null());
        command
    }
}

/// Whether the lines shown are the output, `…` standing for what is left out.
fn agrees(shown: &[String], output: &str) -> bool {
    let (mut anything, mut lines) = (false, output.lines());
    for want in shown {
        if want.trim() == "…" {
            anything = true;
            continue;
        }
        let same = |line: &str| match want.strip_suffix('…') {
            Some(beginning) => line.starts_with(beginning.trim_end()),
            None => line.trim_end() == want.trim_end(),
        };
        let found = match anything {
            true => lines.any(same),
            false => lines.next().is_some_and(same),
        };
        if !found {
            return false;
        }
        anything = false;
    }
    anything || lines.next().is_none()
}

/// Starts a command that runs for ever, waits for its first line, and stops it.
fn start_and_stop(desk: &Desk, line: &str) {
    let mut command = desk.shell(&format!("exec {line}"));
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(700));
    if child.try_wait().unwrap().is_none() {
        child.kill().unwrap();
        child.wait().unwrap();
        return;
    }
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    // Somebody else's server may have the port.
    assert!(said.contains("cannot listen on"), "{line}: {said}");
}

/// Runs the commands of a page, and returns those that fail or print something else, with their places.
fn failures(page: &Path) -> Vec<String> {
    let desk = Desk::new();
    let (mut server, mut failed) = (None, Vec::new());
    for shown in commands(page) {
        let place = format!("{}:{}: {}", page.display(), shown.line, shown.command);
        if let Some((command, _)) = shown.command.split_once("# slow:") {
            let rejected = usage_error(command).filter(|_| command.starts_with("phutbase"));
            failed.extend(rejected.map(|error| format!("{place}: {error}")));
            continue;
        }
        if let Some((command, _)) = shown.command.split_once("# until Ctrl-C") {
            start_and_stop(&desk, command.split('#').next().unwrap());
            continue;
        }
        let mut command = shown.command.clone();
        if command.starts_with("curl") {
            // The server of the page, on a port that is free.
            let address = server.get_or_insert_with(|| Served::start(&desk)).address.clone();
            command = command.replace("http://127.0.0.1:8080", &address);
        }
        let output = desk.shell(&command).output().unwrap();
        let (out, err) = [&output.stdout, &output.stderr]
            .map(|bytes| String::from_utf8_lossy(bytes))
            .into();
        // 1 is the exit code of a test that found something; the page says so.
        let may_find = command.contains("test-engine");
        if !(output.status.success() || may_find && output.status.code() == Some(1)) {
            failed.push(format!("{place}: {out}{err}"));
        } else if shown.output.is_some_and(|shown| !agrees(&shown, &out)) {
            failed.push(format!("{place}: it prints\n{out}"));
        }
    }
    failed
}

/// `phutbase serve` on a free port.
struct Served {
    child: std::process::Child,
    address: String,
}

impl Served {
    fn start(desk: &Desk) -> Served {
        let mut child = (desk.shell("exec phutbase serve --port 0").stdout(Stdio::piped()))
            .spawn()
            .unwrap();
        let mut first = String::new();
        let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
        std::io::BufRead::read_line(&mut out, &mut first).unwrap();
        let address = first.trim().strip_prefix("listening on ").unwrap().to_string();
        Served { child, address }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The commands in a page's running text that have no placeholder, such as N, RxC or FILE.
fn mentioned(page: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(page).unwrap();
    let quoted = text.split('`').skip(1).step_by(2);
    let placeholder = |word: &str| {
        word == "RxC" || word.ends_with("..N") || word.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    quoted
        .filter(|quoted| quoted.starts_with("phutbase ") && !quoted.contains('\n'))
        .filter(|command| !command.split(' ').skip(1).any(placeholder))
        .map(str::to_string)
        .collect()
}

#[test]
fn every_command_in_running_text_is_one() {
    let all: BTreeSet<String> = pages().iter().flat_map(|page| mentioned(page)).collect();
    // A verb by itself is only named.
    let whole: Vec<&String> = all
        .iter()
        .filter(|command| command.split(' ').count() > 2)
        .collect();
    assert!(whole.len() > 15, "{whole:?}");
    let wrong: Vec<String> = whole
        .into_iter()
        .filter_map(|command| usage_error(command))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[cfg(unix)]
fn every_command_of_every_page_does_what_the_page_says() {
    let tool = |name: &str| {
        let found = Command::new(name).arg("--version").output().is_ok();
        available(name, (!found).then_some("it cannot be run"))
    };
    if !["bash", "python3", "curl"].into_iter().all(tool) {
        return;
    }
    let pages = pages();
    let shown: usize = pages.iter().map(|page| commands(page).len()).sum();
    assert!(shown > 40, "{shown} commands were found");
    let failed: Vec<String> = std::thread::scope(|scope| {
        let running: Vec<_> = pages.iter().map(|page| scope.spawn(|| failures(page))).collect();
        running
            .into_iter()
            .flat_map(|page| page.join().unwrap())
            .collect()
    });
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn left_out_lines_stand_for_any_and_all_others_count() {
    let lines = |text: &str| text.lines().map(str::to_string).collect::<Vec<_>>();
    for (shown, agree) in [
        ("a\nb c\nd", true),
        ("a\n…\nd", true),
        ("a\nb…\nd", true),
        ("a\n…", true),
        ("…\nd", true),
        ("a\nb c", false),
        ("a\nd", false),
        ("a\n…\nx", false),
        ("b c\nd", false),
    ] {
        assert_eq!(agrees(&lines(shown), "a\nb c\nd\n"), agree, "{shown}");
    }
}

#[test]
fn the_readme_is_short_and_every_page_is_in_the_index() {
    let readme = std::fs::read_to_string("README.md").unwrap();
    assert!(readme.lines().count() < 170);
    assert!(readme.split_whitespace().count() < 1600);
    let index = std::fs::read_to_string("docs/README.md").unwrap();
    for page in pages() {
        let name = page.file_name().unwrap().to_str().unwrap();
        assert!(
            name == "README.md" || index.contains(&format!("({name})")),
            "{name}"
        );
    }
    // Every link of a page leads to a file.
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for part in text.split("](").skip(1) {
            let target = part.split([')', '#']).next().unwrap();
            if target.is_empty() || target.starts_with("http") {
                continue;
            }
            let file = page.parent().unwrap().join(target);
            assert!(file.exists(), "{}: {target}", page.display());
        }
    }
}
