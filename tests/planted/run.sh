#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh WRAPPER PROGRAM: the wrapper fails each test of the program but the one without a fault, and says why.
set -u
wrapper=$1
program=$2
output=$(mktemp)
trap 'rm -f "$output"' EXIT
bad=0

# expect 0|1 TEST TEXT
expect() {
    status=0
    "$wrapper" "$program" --filter "planted/$2" >"$output" 2>&1 || status=1
    if [ "$status" != "$1" ] || ! grep -qF "$3" "$output"; then
        echo "planted $2: the wrapper ends with $status and says:" >&2
        cat "$output" >&2
        bad=1
    fi
}

expect 0 nothing 'Tested: 1 | Passing: 1'
for prefix in '' expected_; do
    expect 1 ${prefix}leak 'detected memory leaks'
    expect 1 ${prefix}overflow 'heap-buffer-overflow'
    expect 1 ${prefix}undefined 'signed integer overflow'
done
exit $bad
