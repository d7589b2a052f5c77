//! `phutbase completions` and `phutbase man`.

use crate::prelude::*;

#[test]
fn completions_and_the_man_page_know_every_command() {
    let commands = ["probe", "generate", "verify", "test-engine", "theory", "ugi"];
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        has(&run(&format!("completions {shell}")).ok().stdout, &commands);
    }
    let script = run("completions bash").stdout;
    // Words, not names of files.
    has(
        &script,
        &[
            &format!("\"{}\"", Rules::WORDS.join(" ")),
            "\"dtw levels wdl\"",
            "\"win loss draw\"",
            "\"left right\"",
            "\"csv npy\"",
            "\"perfect potential random\"",
            "\"sequential random\"",
            "\"value best\"",
            "\"positions wins losses draws longest longest-win longest-loss\"",
        ],
    );
    let status = Command::new("bash").args(["-n", "-c", &script]).status().unwrap();
    assert!(status.success());
    let headings = commands.map(|command| format!(".SH \"PHUTBASE {}\"", command.to_uppercase()));
    has(&run("man").ok().stdout, &headings.each_ref().map(String::as_str));
}
