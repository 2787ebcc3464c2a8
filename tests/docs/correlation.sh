#!/bin/sh
# SPDX-License-Identifier: MIT
# correlation.sh check SOURCE TOOL            what docs/fidelity.md and docs/images/correlation.svg say of GPGPU-Sim is what is in
#                                             docs/correlation.csv, whose programs are those of configs/experiments/correlation.yaml
# correlation.sh write SOURCE TOOL            writes both
# correlation.sh measure SOURCE TOOL HEDDLE   runs the experiment, and fills in all three
# correlation.sh rerun SOURCE TOOL HEDDLE     runs some of its programs: their cycles are those of the data
set -eu
what=$1
source=$(cd "$2" && pwd)
tool=$3
data=$source/docs/correlation.csv
page=$source/docs/fidelity.md
picture=$source/docs/images/correlation.svg
experiment=$source/configs/experiments/correlation.yaml
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "$*" >&2
    exit 1
}

# page: the page with the table of the data.
page() {
    "$tool" table "$data" >"$scratch/table"
    awk -v table="$scratch/table" '
        /^<!-- end of correlation -->/ { inside = 0 }
        !inside { print }
        /^<!-- correlation/ { inside = 1; while ((getline line < table) > 0) print line }' "$page"
}

# fill ROWS: the data with our columns as `heddle results` has printed them.
fill() {
    awk -F, -v OFS=, '
        FNR == NR && FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        FNR == NR { row[$2] = $0; next }
        /^#/ || $1 == "program" || !($1 in row) { print; next }
        { split(row[$1], of, ",")
          $7 = sprintf("%.0f", of[column["cycles"]]); $8 = sprintf("%.0f", of[column["cycles.ci95"]])
          $9 = sprintf("%.0f", of[column["core.warp_instructions"]])
          $10 = sprintf("%.0f", of[column["core.thread_instructions"]]); print }' "$1" "$data"
}

programs() {
    awk -F, '!/^#/ && $1 != "program" { print $1 }' "$data" | sort
}

run() {
    "$heddle" sweep "$1" --store "$scratch/store.db" --quiet
    "$heddle" results "$scratch/store.db" >"$scratch/rows"
}

case $what in
check)
    programs >"$scratch/programs"
    sed -n 's/^    \([a-z ]*\): {app.*/\1/p' "$experiment" | sort >"$scratch/runs"
    diff "$scratch/programs" "$scratch/runs" >&2 || fail "$data has other programs than $experiment"
    page >"$scratch/page"
    diff "$page" "$scratch/page" >&2 || fail "docs/fidelity.md has another table than docs/correlation.csv: target correlation_page"
    "$tool" plot "$data" "$scratch/picture.svg"
    cmp "$picture" "$scratch/picture.svg" >&2 || fail "$picture is not of docs/correlation.csv: target correlation_page"
    ;;
write)
    page >"$scratch/page"
    cp "$scratch/page" "$page"
    "$tool" plot "$data" "$picture"
    ;;
measure)
    heddle=$4
    run "$experiment"
    fill "$scratch/rows" | sed "s/^# measured .*/# measured $(date -u +%F) with $("$heddle" version)/" >"$scratch/data"
    cp "$scratch/data" "$data"
    page >"$scratch/page"
    cp "$scratch/page" "$page"
    "$tool" plot "$data" "$picture"
    ;;
rerun)
    heddle=$4
    sed -e "s|\.\./simulators|$source/configs/simulators|" -e '/^    [a-z ]*: {app/ {
        /^    vecadd:\|^    histogram:\|^    transpose naive:\|^    stencil bypass:\|^    hashtable:\|^    matmul:/!d
    }' "$experiment" >"$scratch/some.yaml"
    run "$scratch/some.yaml"
    fill "$scratch/rows" >"$scratch/data"
    awk -F, 'FNR == NR { cycles[$1] = $7; next }
        !/^#/ && $1 != "program" && ($7 > 1.02 * cycles[$1] || $7 < 0.98 * cycles[$1]) {
            print $1 ": " $7 " cycles, in docs/correlation.csv " cycles[$1]; wrong = 1 }
        END { exit wrong }' "$data" "$scratch/data" >&2 || fail "docs/correlation.csv is of another Heddle: target correlation"
    [ "$(grep -c ',pass,' "$scratch/rows")" = 6 ] || fail "not all six programs were run"
    ;;
*)
    fail "correlation.sh check|write|measure|rerun SOURCE TOOL [HEDDLE]"
    ;;
esac
