//! Files that `--out` names: regular files are replaced atomically and keep their mode, links are
//! followed, and pipes and devices are written in place.

use crate::prelude::*;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

/// Commands that write the file `OUT`.
const WRITERS: [&str; 3] = [
    "export 5 --format csv --out OUT",
    "find 5 --suite --sample 5 --out OUT",
    "certify 2/1@/1o/1o/2/2 --out OUT",
];

fn write(tables: &Tables, writer: &str, file: &str) -> Run {
    tables.run(&writer.replace("OUT", file))
}

fn read(tables: &Tables, name: &str) -> String {
    std::fs::read_to_string(tables.path().join(name)).unwrap()
}

#[test]
fn ordinary_files_keep_their_mode_and_links_are_followed() {
    for writer in WRITERS {
        let tables = Tables::embedded();
        let path = |name: &str| tables.path().join(name);
        write(&tables, writer, "new").ok();
        let text = read(&tables, "new");
        assert!(!text.is_empty(), "{writer}");
        for name in ["private", "linked", "named"] {
            std::fs::write(path(name), "old").unwrap();
        }
        let mode = |name: &str| path(name).metadata().unwrap().permissions().mode() & 0o7777;
        std::fs::set_permissions(path("private"), PermissionsExt::from_mode(0o600)).unwrap();
        symlink("linked", path("link")).unwrap();
        symlink("later", path("dangling")).unwrap();
        symlink("circle", path("circle")).unwrap();
        std::fs::hard_link(path("named"), path("named again")).unwrap();
        for name in ["private", "link", "dangling", "named"] {
            write(&tables, writer, name).ok();
        }
        for name in ["private", "linked", "later", "named", "named again"] {
            assert_eq!(read(&tables, name), text, "{writer}: {name}");
        }
        assert_eq!(mode("private"), 0o600, "{writer}");
        assert_ne!(mode("later"), 0o600, "{writer}");
        assert!(
            path("link").is_symlink() && path("dangling").is_symlink(),
            "{writer}"
        );
        assert_eq!(path("named").metadata().unwrap().nlink(), 2, "{writer}");
        write(&tables, writer, "circle").fails(3, &["circle"]);
        write(&tables, writer, "nowhere/file").fails(3, &["nowhere/file"]);
    }
}

/// A directory that cannot be opened cannot be flushed either.
#[test]
fn a_directory_that_cannot_be_read_keeps_its_file() {
    for writer in WRITERS {
        let tables = Tables::embedded();
        let directory = tables.path().join("private");
        std::fs::create_dir(&directory).unwrap();
        std::fs::write(directory.join("kept"), "old").unwrap();
        let set_mode = |mode| std::fs::set_permissions(&directory, PermissionsExt::from_mode(mode)).unwrap();
        set_mode(0o300);
        let mut command = tables.phutbase(&writer.replace("OUT", "private/kept"));
        if std::fs::read_dir(&directory).is_ok() {
            // Root may read every directory.
            command = with_capabilities_dropped(&command);
        }
        let run = Run::from(command.output().unwrap());
        set_mode(0o700);
        run.refuses(3, &["private/kept", "Permission denied"]);
        assert_eq!(read(&tables, "private/kept"), "old", "{writer}");
        assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 1, "{writer}");
    }
}

/// Returns a command that root runs with the rights of an ordinary user on files.
fn with_capabilities_dropped(command: &Command) -> Command {
    let mut dropped = Command::new("setpriv");
    dropped.arg("--bounding-set=-dac_override,-dac_read_search");
    dropped.arg(command.get_program()).args(command.get_args());
    dropped.current_dir(command.get_current_dir().unwrap());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => dropped.env(name, value),
            None => dropped.env_remove(name),
        };
    }
    dropped
}

/// Root could write read-only files, so the program checks the mode.
#[test]
fn read_only_files_stay_as_they_are() {
    for writer in WRITERS {
        let tables = Tables::embedded();
        let kept = tables.path().join("kept");
        std::fs::write(&kept, "old").unwrap();
        std::fs::set_permissions(&kept, PermissionsExt::from_mode(0o444)).unwrap();
        write(&tables, writer, "kept").fails(3, &["kept", "read-only"]);
        assert_eq!(read(&tables, "kept"), "old", "{writer}");
    }
}

/// The links are in a directory of the test: the bug that is tested would replace `/dev/stdout`.
#[cfg(target_os = "linux")]
#[test]
fn pipes_and_standard_output_are_written_to() {
    for writer in WRITERS {
        let tables = Tables::embedded();
        write(&tables, writer, "new").ok();
        let text = read(&tables, "new");
        let fifo = tables.path().join("fifo");
        make_pipe(&fifo);
        let reader = Command::new("cat").arg(&fifo).stdout(Stdio::piped()).spawn();
        let reader = reader.unwrap();
        let written = write(&tables, writer, "fifo");
        // Without a writer the reader would block forever.
        let still_pipe = !fifo.metadata().unwrap().is_file();
        if !still_pipe {
            std::fs::remove_file(&fifo).unwrap();
            let mut reader = reader;
            reader.kill().unwrap();
            reader.wait().unwrap();
            panic!("{writer}: the pipe was replaced");
        }
        assert_eq!(written.ok().code, Some(0), "{writer}");
        assert!(
            reader.wait_with_output().unwrap().stdout == text.as_bytes(),
            "{writer}"
        );

        symlink("/proc/self/fd/1", tables.path().join("stdout")).unwrap();
        for name in ["stdout", "/proc/self/fd/1", "/dev/fd/1"] {
            if name.starts_with('/') && !tables.path().join("stdout").is_symlink() {
                break;
            }
            let run = write(&tables, writer, name).ok();
            assert!(run.stdout.starts_with(&text), "{writer} to {name}: {run:?}");
        }
        assert!(tables.path().join("stdout").is_symlink(), "{writer}");
        // Appended output follows the old contents and precedes the command's own messages.
        std::fs::write(tables.path().join("log"), "before\n").unwrap();
        let log = std::fs::OpenOptions::new()
            .append(true)
            .open(tables.path().join("log"))
            .unwrap();
        let mut command = tables.phutbase(&writer.replace("OUT", "stdout"));
        assert!(command.stdout(log).status().unwrap().success(), "{writer}");
        assert!(
            read(&tables, "log").starts_with(&format!("before\n{text}")),
            "{writer}"
        );
    }
}

/// After Ctrl-C or SIGTERM during a write the old file is unchanged and the only one.
#[test]
fn a_signal_leaves_no_partial_file() {
    for signal in ["INT", "TERM"] {
        let tables = Tables::embedded();
        std::fs::write(tables.path().join("out.csv"), "old").unwrap();
        let mut command = tables.phutbase("export 20 --format csv --out out.csv");
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let begun = Instant::now();
        while tables.names().len() < 2 {
            assert!(begun.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(5));
        }
        send(signal, child.id());
        while child.try_wait().unwrap().is_none() {
            if begun.elapsed() > Duration::from_secs(90) {
                child.kill().unwrap();
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let run = Run::from(child.wait_with_output().unwrap());
        assert_eq!(tables.names(), ["out.csv"], "{signal}: {run:?}");
        run.fails(130, &["interrupted", "length 20", "nothing was saved"]);
        assert_eq!(read(&tables, "out.csv"), "old", "{signal}");
    }
}
