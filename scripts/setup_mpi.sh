#!/usr/bin/env bash
# Installs the Debian packages that the feature `mpi` of crates/cluster needs: Open MPI, its headers,
# and libclang for its bindings. On a cluster, load the modules of its MPI and of LLVM instead.
set -euo pipefail
missing=()
command -v mpicc >/dev/null && command -v mpirun >/dev/null || missing+=(openmpi-bin libopenmpi-dev)
# libclang-cpp is a different library.
found=$({ ldconfig -p; ls /usr/lib/llvm-*/lib; } 2>/dev/null | grep -Ec 'libclang(-[0-9.]+)?\.so' || true)
[ -n "${LIBCLANG_PATH:-}" ] || [ "$found" != 0 ] || missing+=(libclang-dev)
[ "${#missing[@]}" = 0 ] && exit 0
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
echo "installing ${missing[*]} from Debian" >&2
$sudo apt-get update --quiet
$sudo apt-get install --quiet --yes --no-install-recommends "${missing[@]}"
