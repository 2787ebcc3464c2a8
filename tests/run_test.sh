#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs one Criterion program. Criterion forks, and a finding of a sanitizer in the child could go unseen: findings are
# written to files, and any such file fails the run.
set -u
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
ASAN_OPTIONS="log_path=$logs/asan:detect_leaks=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}" \
UBSAN_OPTIONS="log_path=$logs/ubsan:print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}" \
    "$@"
status=$?
for log in "$logs"/*; do
    if [ -s "$log" ]; then
        echo "sanitizer finding:" >&2
        cat "$log" >&2
        status=1
    fi
done
exit $status
