#!/usr/bin/env bash
# Long versions of tests, one after the other. Exit code 1 if one fails.
#
#   scripts/campaign.sh            builds the tests in release mode first, which takes some minutes
#
# A run of all parts but the hundred clients, the eight batches and every verb in little memory took
# 57 minutes on a busy machine (load 3 to 20), and everything passed. The comments give its figures.
set -uo pipefail
cd "$(dirname "$0")/.."
failed=()
campaign() {
    echo "== $*"
    "$@" || failed+=("$*")
}
# one PROGRAM::TEST: fails if no test has this name.
one() { cargo test --release --test "${1%%::*}" -- --ignored --exact --nocapture "${1#*::}" | tee >(cat >&2) | grep '^test result: ok. 1 passed' >/dev/null; }
ignored() { campaign one "$1"; }

# 2,014 boards of 19 x 15, densities 5 to 95 %: all decided, the slowest in 17 ms. 2 minutes, 91
# MiB.
ignored pitches::wins::two_thousand_boards_are_decided_within_a_second
# For a minute, a thousand clients that do not read, a thousand with unfinished requests, 24 with
# batches: 106 MiB; other clients were answered within 140 ms; at the end all slow clients were
# disconnected.
ignored serve::slow::a_thousand_slow_clients_take_little_memory_and_delay_no_others
# A hundred clients with mixed questions about 3 to 144 squares for three minutes, within the bound of
# the guide: at most 168 MiB. Eight batches of 13 MB at once: all answered in 13 s.
ignored serve::slow::a_hundred_clients_with_mixed_questions_stay_within_the_bound
ignored serve::slow::eight_of_the_largest_batches_at_once_are_answered_or_refused
# Every verb in every address space from 20 to 200 MB: one line and exit code 3, or a result.
ignored it::cli::limits::every_verb_in_little_memory_ends_in_one_line
# A million requests, one in ten malformed: 60 s, 9 MiB before and 12 MiB after, clean shutdown.
ignored serve::slow::a_million_requests_with_malformed_ones_do_no_harm
# Time limits, and 'stop', kept within 5 ms on boards of every density.
ignored engine::sprt::about_five_percent_of_verdicts_are_wrong
ignored engine::play::time_limits_are_kept_on_every_density
ignored engine::play::stop_ends_a_search_within_five_milliseconds
# Ten million mutated inputs to every parser: no panic, and printing a parsed value and parsing it
# again gives the same value. 66 s.
ignored engine::parsers::ten_million_inputs_make_no_parser_panic
# Random files, and tables changed at random behind right checksums, for at most ten minutes.
files() {
    PROPTEST_CASES=100000 timeout 600 cargo test --release -- do_no_harm --skip cli
    code=$?
    # 124: the time is over.
    [ "$code" -eq 0 ] || [ "$code" -eq 124 ]
}
campaign files
# Parsers with coverage-guided inputs: 9 minutes, and 20 more for HTTP.
campaign scripts/fuzz.sh
# Every kind of run killed a hundred times at random moments, then resumed to the same bytes: 9
# minutes. A hundred rounds of concurrent programs in one directory: 40 s. A disk that is full after
# any number of bytes: 104 s.
ignored it::cli::kills::a_hundred_kills_of_every_kind_of_run
ignored it::cli::kills::a_hundred_rounds_of_programs_in_one_directory_do_no_harm
ignored it::cli::disk::a_disk_that_is_full_anywhere_loses_nothing
# Solvers and checkers with four threads under ThreadSanitizer: no report, 10 s after the build.
# Needs the nightly toolchain with rust-src, because the standard library must be instrumented.
sanitized() (
    export RUSTFLAGS="-Zsanitizer=thread --cfg crossbeam_sanitize_thread"
    host=$(rustc -vV | sed -n 's/^host: //p')
    cargo +nightly build -Zbuild-std --target "$host" --target-dir target/sanitized --no-default-features || exit
    tables=$(mktemp -d)
    trap 'rm -rf "$tables"' EXIT
    for work in "generate 30 --metric wdl" "generate 18" "generate 5x3" "verify 30" "verify 5x3"; do
        # shellcheck disable=SC2086
        "target/sanitized/$host/debug/phutbase" --threads 4 --tables "$tables" $work || exit
    done
)
campaign sanitized
# Depths of 44 squares, as in crates/atlas/src/depths.tsv: 3 minutes.
ignored atlas::results::a_run_finds_the_stored_depths
# Under load: 29,336, 13,497 and 9,148 answers per second (24 squares, 64 squares, best lines);
# 8 MiB before, 25 MiB after 1.2 million answers, 50 MiB with a batch of 100,000.
campaign scripts/load_test.sh

[ "${#failed[@]}" -eq 0 ] || { printf 'failed: %s\n' "${failed[@]}"; exit 1; }
