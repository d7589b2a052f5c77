#!/usr/bin/env bash
# Installs what `cargo build --features mpi` needs on a fresh Debian machine and is not there: Open MPI, its headers, and libclang, with which
# the binding reads them. On a cluster the modules of its MPI and of LLVM are what is wanted instead.
set -euo pipefail
missing=()
command -v mpicc >/dev/null && command -v mpirun >/dev/null || missing+=(openmpi-bin libopenmpi-dev)
# libclang-cpp, which other packages bring, is another library.
found=$({ ldconfig -p; ls /usr/lib/llvm-*/lib; } 2>/dev/null | grep -Ec 'libclang(-[0-9.]+)?\.so' || true)
[ -n "${LIBCLANG_PATH:-}" ] || [ "$found" != 0 ] || missing+=(libclang-dev)
[ "${#missing[@]}" = 0 ] && exit 0
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
$sudo apt-get update --quiet
$sudo apt-get install --quiet --yes --no-install-recommends "${missing[@]}"
