#!/bin/sh
# SPDX-License-Identifier: MIT
# check_names.sh NM PAIRS LIBRARY...: no two static libraries define one global name, but for those pairs of libraries.
set -eu
nm=$1 pairs=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# NAME LIBRARY of what each defines. What C++ puts wherever it is used (weak), and what sanitizers and profiles add, may be anywhere.
for library; do
    short=$(basename "$library" .a)
    "$nm" --extern-only --defined-only "$library" 2>"$scratch/said" |
        awk -v library="${short#libheddle_}" '$2 ~ /^[ABCDGRST]$/ && $3 !~ /^__/ {print $3, library}'
    if grep -v ': no symbols$' "$scratch/said" >&2; then
        exit 1
    fi
done >"$scratch/unsorted"
sort -u "$scratch/unsorted" >"$scratch/names"
test "$(wc -l <"$scratch/names")" -gt 1000 || { echo "the libraries have next to no names" >&2; exit 1; }

# LIBRARY LIBRARY NAME, in the order of the alphabet.
awk '$1 != name {count = 0; name = $1}
     {for (i = 0; i < count; i++) print library[i], $2, name; library[count++] = $2}' "$scratch/names" >"$scratch/same"
grep -v '^#' "$pairs" | awk '{print $1, $2}' >"$scratch/allowed"
awk 'NR == FNR {allowed[$1 " " $2] = 1; next} !($1 " " $2 in allowed)' "$scratch/allowed" "$scratch/same" >"$scratch/wrong"
# Not every build has all libraries.
awk 'FILENAME == ARGV[1] {found[$1 " " $2] = 1; next}
     FILENAME == ARGV[2] {is_there[$2] = 1; next}
     !($0 in found) && $1 in is_there && $2 in is_there {print $0, "have no name in common, and are in the table"}' \
    "$scratch/same" "$scratch/names" "$scratch/allowed" >>"$scratch/wrong"
cat "$scratch/wrong" >&2
test ! -s "$scratch/wrong"
