#!/usr/bin/env bash
# Rehearses a release: builds the packages, the program, the wheel and the documentation, installs
# program and wheel into an empty directory, runs them there, and prints the commands that would
# publish. It publishes nothing and sets no tag.
#
#   scripts/release.sh VERSION [OUT]      OUT: an empty or new directory [default: target/release-VERSION]
#
# Exit code 0 on success, 1 on failure, 2 on wrong usage, 77 if a tool is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# = 1 ] || [ $# = 2 ] || { echo "usage: scripts/release.sh VERSION [OUT]" >&2; exit 2; }
version=$1
out=$(realpath -m "${2:-target/release-$version}")
fail() { echo "release.sh: $1" >&2; exit 1; }
step() { echo "== $1 ($SECONDS s)"; }

# Each file with the beginning of its line that names the version (as tests/it/versions.rs has them).
while read -r file beginning; do
    found=$(sed -n "s/^ *$beginning *\"\{0,1\}\([^\", ]*\).*/\1/p" "$file" | head -n 1)
    [ "$found" = "$version" ] || fail "$file has version ${found:-(none)}, not $version; set it there, or release $found"
done <<'FILES'
Cargo.toml version =
python/Cargo.toml version =
python/pyproject.toml version =
CITATION.cff version:
crates/server/src/openapi.json "version":
FILES
grep -qxF "## $version" CHANGELOG.md || fail "CHANGELOG.md has no section '## $version'"
[ -z "$(ls -A "$out" 2>/dev/null)" ] || fail "$out is not empty; remove it"
for tool in cargo git python3 tar sha256sum; do
    command -v $tool >/dev/null || { echo "SKIPPED, $tool is missing" >&2; exit 77; }
done
environment=target/python
{ [ -d $environment ] || python3 -m venv $environment; } >/dev/null 2>&1 \
    && $environment/bin/python -m pip --quiet --disable-pip-version-check install --no-compile "maturin>=1.7,<2" \
    || { echo "SKIPPED, maturin cannot be installed" >&2; exit 77; }

work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
mkdir -p "$out" "$work/packages" "$work/empty" "$work/home"

step "packages"
unpublished=(--exclude phutbase-benches --exclude phutbase-fixtures --exclude phutbase-testing)
rm -f target/package/phutbase*.crate
# It refuses files that differ from the last commit.
cargo package --workspace "${unpublished[@]}" --locked --no-verify --quiet
cp target/package/phutbase*-"$version".crate "$out"

step "program, from the packages"
patches=()
for package in "$out"/*.crate; do
    name=$(basename "$package" "-$version.crate")
    # The times in a package never change, so cargo would take an old build for a new one: -m.
    tar -xzmf "$package" -C "$work/packages"
    patches+=(--config "patch.crates-io.$name.path='$work/packages/$name-$version'")
done
(
    cd "$work/packages/phutbase-$version"
    # The lock names the registry for crates that are not there yet: cargo writes their paths.
    cargo "${patches[@]}" metadata --format-version 1 --quiet >/dev/null
)
CARGO_TARGET_DIR=target/packages cargo "${patches[@]}" install --quiet --no-track --locked --profile dist \
    --path "$work/packages/phutbase-$version" --root "$work/installed"
host=$(rustc -vV | sed -n 's/^host: //p')
cp "$work/installed/bin/phutbase" "$out/phutbase-$version-$host"

step "wheel"
$environment/bin/maturin build --release --quiet --locked --manifest-path python/Cargo.toml --out "$out"
python3 -m venv "$work/installed/python"
"$work/installed/python/bin/python" -m pip --quiet --disable-pip-version-check install "$out"/*.whl

step "documentation of the crates"
CARGO_TARGET_DIR=target/documentation RUSTDOCFLAGS="-D warnings" \
    cargo doc --workspace "${unpublished[@]}" --no-deps --locked --quiet
tar --sort=name --mtime=@0 --owner=0 --group=0 -C target/documentation -cf - doc | gzip -n >"$out/phutbase-$version-doc.tar.gz"

step "program and wheel in an empty directory, with an empty home"
cd "$work/empty"
clean=(env -i PATH="$work/installed/bin:/usr/bin:/bin" HOME="$work/home")
installed() { "${clean[@]}" "$@"; }
position=o@o.o.o....
found=$(installed phutbase --version)
[ "$found" = "phutbase $version" ] || fail "the program says that it is $found"
installed phutbase probe $position
installed phutbase verify 36 --quiet
installed phutbase probe $position --json >"$work/answer.json"
installed "$work/installed/python/bin/python" - $position "$work/answer.json" "$version" <<'PYTHON'
import importlib.metadata, json, sys
import phutbase

position, file, version = sys.argv[1:]
found = importlib.metadata.version("phutbase")
assert found == version, f"the wheel says that it is {found}"
program, wheel = json.load(open(file)), phutbase.Tablebase().probe(position)
for field in "value", "depth":
    expected, found = program[field], getattr(wheel, field)
    assert expected == found, f"{position}: {field} is {expected} in the program, {found} in the wheel"
print(f"the wheel agrees: {wheel.value} in {wheel.depth}")
PYTHON

step "page and its documents, from the program"
# Without the function, whose shell would be killed in the place of the server.
"${clean[@]}" phutbase serve --port 0 >"$work/address" &
until [ -s "$work/address" ]; do kill -0 $! 2>/dev/null || fail "'phutbase serve' ended"; sleep 0.1; done
python3 - "$(sed 's/^listening on //' "$work/address")" "$version" <<'PYTHON'
import json, sys, urllib.request

address, version = sys.argv[1:]
for path in "/", "/rules", "/docs/atlas", "/openapi.json", "/api/probe?position=o@o.o.o....":
    with urllib.request.urlopen(address.rstrip("/") + path) as answer:
        body = answer.read()
    print(f"{len(body):8} {path}")
    if path.endswith("openapi.json"):
        found = json.loads(body)["info"]["version"]
        assert found == version, f"{path} says that it is {found}"
PYTHON
[ -z "$(ls -A "$work/empty" "$work/home" | grep -v :)" ] || fail "the runs left files: $(ls -AR "$work/empty" "$work/home")"

step "what was built, in $out"
cd "$out"
sha256sum -- * >SHA256SUMS
while read -r sum file; do printf '%s %10d  %s\n' "$sum" "$(stat -c %s "$file")" "$file"; done <SHA256SUMS
cat <<END
== nothing is published; these commands would, after .ci/run (${SECONDS} s)
git tag -a v$version -m 'Version $version'
cargo publish --workspace ${unpublished[*]} --locked
twine upload $(basename "$out"/*.whl)
END
