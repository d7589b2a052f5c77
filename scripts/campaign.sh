#!/usr/bin/env bash
# The campaigns that are too long for the tests, one after the other; a small version of each is among the tests. Exit code 1 if
# one fails. Each has its last result beside it.
#
#   scripts/campaign.sh            needs the release build of the tests: some minutes more
#
# LAST RESULT: everything held, in one run of 57 minutes beside much other work (load 3 to 20). The numbers below are of runs of one campaign.
set -uo pipefail
cd "$(dirname "$0")/.."
failed=()
campaign() {
    echo "== $*"
    "$@" || failed+=("$*")
}
# A name that is no test's is a failure too.
one() { cargo test --release --test it -- --ignored --exact --nocapture "$1" | tee >(cat >&2) | grep '^test result: ok. 1 passed' >/dev/null; }
ignored() { campaign one "$1"; }

# 2,014 boards of 19 x 15, densities 5 to 95 %: each decided, the slowest in 17 ms; where the solver decided too, it agreed. 2 minutes, 91 MiB.
ignored solve::wins::two_thousand_boards_are_decided_within_a_second
# A thousand clients that ask and do not read, a thousand that do not finish asking, 24 with batches, for a minute: 106 MiB, honest
# clients and batches answered within 140 ms on a crowded machine, and all the others disconnected at its end.
ignored server::slow::a_thousand_slow_clients_hold_little_and_nobody_up
# A million requests, one in ten of which makes no sense: 60 s, 9 MiB before and 12 MiB after, healthy, and it ends when told to.
ignored server::slow::a_million_requests_and_bad_ones_among_them_do_no_harm
# Limits of time on boards of every density, and a stop, each within 5 ms.
ignored engine::play::limits_of_time_are_held_on_every_density
ignored engine::play::a_stop_is_heeded_within_five_milliseconds
# Ten million inputs to every parser, by mutation, 66 s: none panics, and what is read is printed as something that is read as the same.
ignored games::parsers::ten_million_inputs_make_no_parser_panic
# Ten million inputs to each parser again, steered by the code that they reach: 9 minutes without HTTP, which takes 20 more.
campaign scripts/fuzz.sh
# A hundred kills of every kind of run at random moments, then the same bytes: all held, 9 minutes. A hundred rounds of
# many programs in one directory: 40 s. A disk that is full after any number of bytes: 104 s; that it cannot be written to, or fails
# when it is flushed, is among the tests as it is.
ignored cli::kills::a_hundred_kills_of_every_kind_of_run
ignored cli::kills::programs_in_one_directory_do_each_other_no_harm_a_hundred_times
ignored cli::disk::a_disk_that_is_full_anywhere_loses_nothing
# Speed under load: 29,336, 13,497 and 9,148 answers a second (24 squares, 64
# squares, lines), 8 MiB before, 25 MiB after 1.2 million, 50 MiB with a batch of 100,000.
campaign scripts/load_test.sh

[ "${#failed[@]}" -eq 0 ] || { printf 'failed: %s\n' "${failed[@]}"; exit 1; }
