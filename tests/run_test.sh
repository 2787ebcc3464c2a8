#!/bin/sh
# SPDX-License-Identifier: MIT
# run_test.sh COMMAND...: runs one test program.
#
# Criterion forks, and tests start processes: a finding of a sanitizer in a child could go unseen. Findings are written to
# files, and any such file fails the run. Those of undefined behaviour under gcc know no file: they end the process with an
# exit code that no test expects.
set -u
logs=$(mktemp -d)
chmod 1777 "$logs" # some tests start programs as another user
trap 'rm -rf "$logs"' EXIT
ASAN_OPTIONS="log_path=$logs/asan:detect_leaks=1:exitcode=86${ASAN_OPTIONS:+:$ASAN_OPTIONS}" \
UBSAN_OPTIONS="log_path=$logs/ubsan:print_stacktrace=1:exitcode=86${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}" \
    "$@"
status=$?
# An exception on a stack of SystemC's own is no finding: the address sanitizer says that it leaves that stack alone.
for log in "$logs"/*; do
    if [ -s "$log" ] && ! { grep -q 'ignoring requested __asan_handle_no_return' "$log" && [ "$(wc -l <"$log")" -le 3 ]; }; then
        echo "sanitizer finding:" >&2
        cat "$log" >&2
        status=1
    fi
done
exit $status
