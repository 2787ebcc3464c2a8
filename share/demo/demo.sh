#!/bin/sh
# SPDX-License-Identifier: MIT
# demo.sh HEDDLE [FOLDER]: what ./bootstrap.sh demo shows, from the root of the repository; files go to FOLDER, runs unless
# given. One run, two machines side by side, and a page with plots.
set -eu
heddle=$1
folder=${2:-runs}
mkdir -p "$folder"

# say WORD...: what comes next, on the screen's side of the output.
say() {
    echo "==> $*" >&2
}

show() {
    say "$@"
    "$@"
    echo
}

show "$heddle" run gtx480 hashtable --stats "$folder/demo.json"
show "$heddle" compare gtx480 gtx480_lrr hashtable --top 4
say "$heddle sweep configs/experiments/demo.yaml --store $folder/demo.db"
"$heddle" sweep configs/experiments/demo.yaml --store "$folder/demo.db"
say "$heddle report $folder/demo.db"
plots="plots of the sweep, for a browser: $folder/demo.html"
if ! "$heddle" report "$folder/demo.db" >/dev/null 2>"$folder/report.log"; then
    grep -q '^error\[R11\]' "$folder/report.log" || { cat "$folder/report.log" >&2 && exit 2; }
    plots="no plots: './bootstrap.sh install' could not fetch what they are drawn with"
fi
rm -f "$folder/report.log"
say "every statistic of the first run: $folder/demo.json"
say "$plots"
