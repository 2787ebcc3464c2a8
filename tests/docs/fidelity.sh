#!/bin/sh
# SPDX-License-Identifier: MIT
# fidelity.sh check SOURCE            the table of docs/fidelity.md is that of docs/fidelity.csv, whose figures of machines
#                                     are those of docs/machines.md, and whose runs are in configs/experiments/fidelity.yaml
# fidelity.sh write SOURCE            writes that table
# fidelity.sh measure SOURCE HEDDLE   runs the experiment, and fills in both files
set -eu
what=$1
source=$(cd "$2" && pwd)
data=$source/docs/fidelity.csv
page=$source/docs/fidelity.md
experiment=$source/configs/experiments/fidelity.yaml
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "$*" >&2
    exit 1
}

# machines: MACHINE:COLUMN=VALUE of the table "Peak rates and latencies", a line each.
machines() {
    awk -F ' *[|] *' '/^## / { inside = $0 == "## Peak rates and latencies" }
        inside && /^\| Machine/ { for (i = 3; i < NF; i++) title[i] = $i }
        inside && /^\| `/ { gsub(/`/, "", $2); for (i = 3; i < NF; i++) print $2 ":" title[i] "=" $i }' \
        "$source/docs/machines.md"
}

# results FILE: RUN:STATISTIC=VALUE of what `heddle results` has printed.
results() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) title[i] = $i; next }
        { for (i = 3; i <= NF; i++) print $2 ":" title[i] "=" $i }' "$1"
}

# fill VALUES: the data with the column `ours` of all rows whose values are known.
fill() {
    awk -F, -v OFS=, '
        function value(text) { return text in known ? known[text] : text ~ /^[0-9.]+$/ ? text : "" }
        FNR == NR { at = index($0, "="); known[substr($0, 1, at - 1)] = substr($0, at + 1); next }
        /^#/ || $1 == "what" { print; next }
        { a = value($5); b = value($6); if (a != "" && b != "") $4 = sprintf("%.4g", a / b); print }' "$1" "$data"
}

# table DATA: as it stands in the page.
table() {
    sed -n 's/^# measured \(.* with heddle .*\)/Measured \1./p' "$1"
    printf '\n| What | On | Published | Ours | Ours / published | Source | Remark |\n|---|---|---|---|---|---|---|\n'
    awk -F, '/^#/ || $1 == "what" { next }
        { ratio = $3 ~ /^[0-9.]+$/ ? sprintf("%.2f", $4 / $3) : within($4, $3)
          printf "| %s | `%s` | %s | %s | %s | %s | %s |\n", $1, $2, $3, $4, ratio, $7, $8 }
        function within(ours, range,    ends) {
            split(range, ends, " [.][.] ")
            return ours >= ends[1] && ours <= ends[2] ? "within" : ours < ends[1] ? "below" : "above"
        }' "$1"
}

# page DATA: the page with the table of that data.
page() {
    table "$1" >"$scratch/table"
    awk -v table="$scratch/table" '
        /^<!-- end of measured -->/ { inside = 0 }
        !inside { print }
        /^<!-- measured/ { inside = 1; while ((getline line < table) > 0) print line }' "$page"
}

# Every row has a number of ours, and what it is made of is there.
check_rows() {
    bad=$(awk -F, '/^#/ || $1 == "what" { next } NF != 8 || $4 !~ /^[0-9.]+$/ { print FILENAME ":" FNR ": " $0 }' "$data")
    [ -z "$bad" ] || fail "$bad: not a row of eight fields with a number of ours"
    awk -F, '/^#/ || $1 == "what" { next } { print $5; print $6 }' "$data" | grep ':' | grep -vE "^[a-z0-9_]+:[A-Z]" |
        sed 's/:.*//' | sort -u | while read -r run; do
        grep -qF "    $run: {" "$experiment" || fail "$data: there is no run '$run' in $experiment"
    done
}

case $what in
check)
    check_rows
    machines >"$scratch/values"
    fill "$scratch/values" >"$scratch/data"
    diff "$data" "$scratch/data" >&2 || fail "docs/fidelity.csv has other figures than docs/machines.md"
    page "$data" >"$scratch/page"
    diff "$page" "$scratch/page" >&2 || fail "docs/fidelity.md has another table than docs/fidelity.csv: tests/docs/fidelity.sh write ."
    ;;
write)
    page "$data" >"$scratch/page"
    cp "$scratch/page" "$page"
    ;;
measure)
    heddle=$3
    "$heddle" sweep "$experiment" --store "$scratch/store.db"
    "$heddle" results "$scratch/store.db" >"$scratch/rows"
    machines >"$scratch/values"
    results "$scratch/rows" >>"$scratch/values"
    fill "$scratch/values" | sed "s/^# measured .*/# measured $(date -u +%F) with $("$heddle" version)/" >"$scratch/data"
    cp "$scratch/data" "$data"
    page "$data" >"$scratch/page"
    cp "$scratch/page" "$page"
    ;;
*)
    fail "fidelity.sh check|write|measure SOURCE [HEDDLE]"
    ;;
esac
