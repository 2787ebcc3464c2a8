#!/bin/sh
# SPDX-License-Identifier: MIT
# check_systemc.sh HEDDLE LIBHEDDLE MACHINE: SystemC is loaded by runs that need it, and by no others; where its side of Heddle is missing,
# the former say so.
set -eu
heddle=$1
machine=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "check_systemc.sh: $*" >&2
    exit 1
}

loads() {
    LD_DEBUG=files LD_DEBUG_OUTPUT="$scratch/loads" "$heddle" run "$machine" vecadd --quiet "$@"
    grep -qs 'libsystemc' "$scratch"/loads*
    found=$?
    rm -f "$scratch"/loads*
    return $found
}

if loads; then fail "a run without models from elsewhere loads SystemC"; fi
loads --tlm=checked || fail "calls are checked without SystemC"

mkdir "$scratch/alone"
cp -L "$2" "$scratch/alone/$(objdump -p "$2" | awk '$1 == "SONAME" {print $2}')"
status=0
LD_LIBRARY_PATH=$scratch/alone "$heddle" run "$machine" vecadd --quiet --tlm=always 2>"$scratch/error" || status=$?
[ "$status" = 2 ] || fail "without SystemC's side of Heddle a run that needs it ends with $status"
grep -q "^SystemC cannot be loaded: $scratch/alone/libheddle_systemc" "$scratch/error" ||
    { cat "$scratch/error" >&2; fail "it does not say what is missing"; }
