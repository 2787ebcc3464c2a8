#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh SOURCE_FOLDER HEDDLE: the demo runs, says what it does, and leaves what it says.
set -eu
cd "$1"
heddle=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
output=$scratch/output

fail() {
    cat "$output" >&2
    echo "demo: $*" >&2
    exit 1
}

# has TEXT: a line that begins so; each after the last one.
line=0
has() {
    line=$(awk -v text="$1" -v after="$line" 'NR > after && index($0, text) == 1 { print NR; exit }' "$output")
    [ -n "$line" ] || fail "no line '$1...', or not in its place"
}

share/demo/demo.sh "$heddle" "$scratch/runs" >"$output" 2>&1 || fail "it failed"
has "==> $heddle run "
has 'PASS  hashtable on gtx480'
has "==> $heddle compare "
has 'core.scheduler  gto  lrr'
has 'hashtable_locks    '
has 'where the cycles went'
has 'all    '
has 'statistics, by effect'
has "==> $heddle sweep "
has 'demo: 12 runs: 0 there before, 12 done now, 0 left; 0 failed'
has "==> every statistic of the first run: $scratch/runs/demo.json"
if [ -e share/report/node_modules/.package-lock.json ]; then
    has "==> plots of the sweep, for a browser: $scratch/runs/demo.html"
    grep -q 'core.scheduler' "$scratch/runs/demo.html" || fail "no results in demo.html"
else
    has "==> no plots: './bootstrap.sh install' could not fetch what they are drawn with"
fi
[ "$line" -eq "$(wc -l <"$output")" ] || fail "the path of the page is not the last line"
[ "$line" -le 80 ] || fail "$line lines are more than anybody reads"
grep -q '"schema"' "$scratch/runs/demo.json" || fail "no results in demo.json"
