//! Runs every command in README and docs, and compares the output that a page shows.
//!
//! A block that starts with ```` ```sh ```` has one command per line. In a ```` ```console ````
//! block, commands start with `$ ` and the output follows: a line `…` matches any lines, a `…` at
//! the end of a line the rest of it. All blocks of a page run in order in one directory, which
//! contains the project's tables, examples and scripts, without input. Commands that take minutes
//! ([`LONG`]) and those in running text are only parsed; servers are started and stopped.

use crate::prelude::*;

/// Commands that take minutes, or build the project. Others that begin with them are run.
const LONG: [&str; 9] = [
    "cargo run -- generate 24",
    "cargo test --no-fail-fast",
    "cargo install --path .",
    "scripts/build_wheels.sh",
    "pip install ./python",
    "phutbase verify",
    "phutbase verify 144",
    "phutbase generate 144 --metric wdl",
    "phutbase test-engine 9 --all --by best -- phutbase ugi",
];

/// A command of a page.
struct Shown {
    line: usize,
    /// Without the remark behind it.
    command: String,
    /// The output shown; `None` in a block of commands only.
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
                    command: command.split(" #").next().unwrap().trim().to_string(),
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

#[test]
fn the_settings_for_cutegames_start_engines() {
    let settings = std::fs::read_to_string("examples/cutegames.json").unwrap();
    let settings: serde_json::Value = serde_json::from_str(&settings).unwrap();
    let engines = settings["engines"].as_array().unwrap();
    assert!(engines.len() >= 2);
    for engine in engines {
        let [path, parameters] = ["path", "parameters"].map(|key| engine[key].as_str().unwrap());
        assert_eq!(path, "/usr/bin/env", "cutegames does not search PATH");
        assert_eq!(usage_error(parameters), None);
    }
}

/// Creates a directory for a page's commands: `phutbase` is on the path, and the project's files
/// are linked.
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

/// Compares the lines shown with the output; `…` matches anything. Returns the first difference in
/// words.
fn difference(shown: &[String], output: &str) -> Option<String> {
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
        if anything {
            if !lines.any(same) {
                return Some(format!("the page shows a line that is not in the output: {want}"));
            }
        } else {
            match lines.next() {
                Some(line) if same(line) => {}
                Some(line) => return Some(format!("the page shows:  {want}\n  it prints:       {line}")),
                None => return Some(format!("the page shows:  {want}\n  it prints nothing more")),
            }
        }
        anything = false;
    }
    let more = lines.next().filter(|_| !anything)?;
    Some(format!("the page ends here, it prints more: {more}"))
}

/// Starts a command that does not end, waits for its first line, and stops it.
fn start_and_stop(desk: &Desk, line: &str) {
    let mut command = desk.shell(&format!("exec {line}"));
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut out, &mut first).unwrap();
    if !first.is_empty() {
        child.kill().unwrap();
        child.wait().unwrap();
        return;
    }
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    // Another server may use the port.
    assert!(said.contains("cannot listen on"), "{line}: {said}");
}

/// Runs the commands of a page; returns those that fail or print something else, with their lines.
fn failures(page: &Path) -> Vec<String> {
    let desk = Desk::new();
    let (mut server, mut failed) = (None, Vec::new());
    for shown in commands(page) {
        let place = format!("{}:{}: {}", page.display(), shown.line, shown.command);
        if LONG.contains(&&shown.command[..]) {
            let rejected = usage_error(&shown.command).filter(|_| shown.command.starts_with("phutbase"));
            failed.extend(rejected.map(|error| format!("{place}: {error}")));
            continue;
        }
        if shown.command == "phutbase serve" {
            start_and_stop(&desk, &shown.command);
            continue;
        }
        let mut command = shown.command.clone();
        if command.starts_with("curl") {
            // The page's server, on a free port.
            let address = server.get_or_insert_with(|| Served::start(&desk)).address.clone();
            command = command.replace("http://127.0.0.1:8080", &address);
        }
        let output = desk.shell(&command).output().unwrap();
        let (out, err) = [&output.stdout, &output.stderr]
            .map(|bytes| String::from_utf8_lossy(bytes))
            .into();
        // Exit code 1 means that a check failed; the page says so.
        let may_find = command.contains("test-engine");
        if !(output.status.success() || may_find && output.status.code() == Some(1)) {
            let status = output.status;
            failed.push(format!("{place}\n  it failed ({status}): {out}{err}"));
        } else if let Some(difference) = shown.output.and_then(|shown| difference(&shown, &out)) {
            failed.push(format!("{place}\n  {difference}"));
        }
    }
    failed
}

/// Starts `phutbase serve` on a free port.
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

/// Returns the commands in a page's running text that have no placeholder such as N, `RxC` or FILE.
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
    let atlas = PathBuf::from("docs/atlas/atlas.md");
    let pages = pages().into_iter().chain([atlas]);
    let all: BTreeSet<String> = pages.flat_map(|page| mentioned(&page)).collect();
    // A verb alone is a name, not a command.
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

/// Commands of the atlas that are quick to run again. Some write to the data directory.
#[test]
fn quick_commands_of_the_atlas_run_again() {
    let commands = mentioned(Path::new("docs/atlas/atlas.md"));
    let data = tempfile::tempdir().unwrap();
    for quick in ["generate obstruction:", "theory monotonicity", "generate 7x3"] {
        let quick = format!("phutbase {quick}");
        let command = commands.iter().find(|command| command.starts_with(&quick));
        let arguments = command.unwrap().strip_prefix("phutbase ").unwrap();
        let run = phutbase(arguments).env("XDG_DATA_HOME", data.path()).output();
        Run::from(run.unwrap()).ok();
    }
}

#[test]
#[cfg(unix)]
fn every_command_of_every_page_behaves_as_shown() {
    let tool = |name: &str| {
        let found = Command::new(name).arg("--version").output().is_ok();
        available(name, (!found).then_some("it cannot be run"))
    };
    if !["bash", "python3", "curl"].into_iter().all(tool) {
        return;
    }
    let pages = pages();
    let shown: Vec<Shown> = pages.iter().flat_map(|page| commands(page)).collect();
    assert!(shown.len() > 40, "{} commands were found", shown.len());
    for long in LONG {
        assert!(
            shown.iter().any(|shown| shown.command == long),
            "no page shows '{long}': remove it from LONG in tests/it/cli/docs.rs"
        );
    }
    let failed: Vec<String> = std::thread::scope(|scope| {
        let running: Vec<_> = pages.iter().map(|page| scope.spawn(|| failures(page))).collect();
        running
            .into_iter()
            .flat_map(|page| page.join().unwrap())
            .collect()
    });
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Returns the anchors of a page: its headings as GitHub writes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|heading| {
            let name = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = |letter: &char| letter.is_alphanumeric() || " -_".contains(*letter);
            name.chars().filter(kept).collect::<String>().replace(' ', "-")
        })
        .collect()
}

#[test]
fn the_readme_is_short_and_links_every_page() {
    let pages: Vec<(PathBuf, String)> = pages()
        .into_iter()
        .map(|page| (page.clone(), std::fs::read_to_string(page).unwrap()))
        .collect();
    let (readme, others) = pages.split_first().unwrap();
    let lines = readme.1.lines().count();
    assert!(
        lines <= 120,
        "README.md has {lines} lines, at most 120 are allowed"
    );
    for (page, _) in others {
        let link = format!("({})", page.display());
        assert!(readme.1.contains(&link), "README.md does not link {link}");
    }
}

/// A test of the crate runs the example of its documentation.
#[test]
fn the_rust_of_the_readme_is_an_example_that_runs() {
    let readme = std::fs::read_to_string("README.md").unwrap();
    let example = readme.split("```rust\n").nth(1).unwrap();
    let example = example.split("```").next().unwrap();
    let source = std::fs::read_to_string("crates/tables/src/lib.rs").unwrap();
    let documented: String = source
        .lines()
        .filter_map(|line| line.strip_prefix("//! "))
        .fold(String::new(), |text, line| text + line + "\n");
    assert!(documented.contains(&format!("```\n{example}")), "{example}");
}

#[test]
fn no_line_of_a_page_is_wider_than_100_columns_but_in_tables() {
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for (number, line) in (1..).zip(text.lines()) {
            let fits = line.starts_with('|') || line.chars().count() <= 100;
            assert!(
                fits,
                "{}:{number}: {} columns, at most 100 are allowed outside tables",
                page.display(),
                line.chars().count()
            );
        }
    }
}

#[test]
fn every_link_of_a_page_leads_to_a_file_and_a_heading() {
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for part in text.split("](").skip(1) {
            let target = part.split(')').next().unwrap();
            if target.starts_with("http") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = match file {
                "" => page.clone(),
                file => page.parent().unwrap().join(file),
            };
            assert!(
                file.exists(),
                "{}: a link leads to '{target}', which does not exist",
                page.display()
            );
            if !anchor.is_empty() {
                let headings = anchors(&std::fs::read_to_string(&file).unwrap());
                assert!(
                    headings.contains(anchor),
                    "{}: a link leads to '{target}', but {} has no such heading",
                    page.display(),
                    file.display()
                );
            }
        }
    }
}
