#!/bin/sh
# SPDX-License-Identifier: MIT
# kernels.sh [--print] FIRMWARE HEDDLE HOST TABLE DETECTION PART GCC FLAG...: compares a part of the table of what becomes of the kernels of
# kernels.c, built with these flags, cell by cell: `found`, what is found in them; O0, O1, O2, how they end on each unit, or O2:D those that begin with
# D; `published`, without a run, what the table says of -O2 and what is published. --print: the rows as they are.
. "$(dirname "$0")/cells.sh"
detection=$1
part=${2%%:*}
begin=${2#"$part"}
begin=${begin#:}
shift 2

# Rows of the blocks that begin with this line, up to the next empty line.
block() {
    awk -v begin="$1" 'index($0 " ", begin " ") == 1 {inside = 1; next} !NF {inside = 0} inside && !/^#/' "$table"
}

# Blocks of a level: `level LEVEL: UNIT...`.
columns() {
    sed -n "s/^level $part: *//p" "$table"
}

# In the table: how the kernel ends at this level on this unit; nothing if that is not said.
told() {
    awk -v kernel="$1" -v level="$2:" -v unit="$3" '
        $1 == "level" {column = 0; for (i = 3; i <= NF && $2 == level; i++) if ($i == unit) column = i - 1; next}
        !NF {column = 0}
        column && $1 == kernel {print $column}' "$table"
}

# On a stack: ok; D: deadlock; T, N: only if the taken, the not taken side runs first; E: a barrier that cannot open; - not run
on_stack() {
    case $(told "$1" "$2" taken | tr P D)-$(told "$1" "$2" not_taken | tr P D) in
    D-D) echo D ;;
    D-*) echo T ;;
    *-D) echo N ;;
    E-E) echo E ;;
    -) echo - ;;
    *) echo ok ;;
    esac
}

# What is found, beside how it ends.
compare_found() {
    for level in O0 O1 O2; do
        compile "$firmware/tests/deadlock/kernels.c" "$level" "$@"
    done
    block found: | while read -r kernel cells; do
        echo "$kernel $(on_stack "$kernel" O0)/$(on_stack "$kernel" O1)/$(on_stack "$kernel" O2) $cells"
    done >"$folder/found"
    "$detection" ${print:+--print} "$folder/found" "$folder/O0/kernel.elf" "$folder/O1/kernel.elf" "$folder/O2/kernel.elf"
}

# Lines of what the table's own cells are, where they are others than those that are published.
different() {
    units=$(sed -n 's/^published: *//p' "$table")
    block published: | while read -r kernel cells; do
        # shellcheck disable=SC2086 # cells are words
        set -- $cells
        for unit in $units; do
            found=$(told "$kernel" O2 "$unit" | tr P D)
            case $found-$1 in
            "$1-$1" | ok-[0-9]* | [0-9]*-ok) ;;
            *) echo "$kernel $unit" ;;
            esac
            shift
        done
    done
}

compare_published() {
    sed -n 's/^differs \([^:]*\): .*/\1/p' "$table" | while read -r kernel units; do
        for unit in $units; do echo "$kernel $unit"; done
    done | sort >"$folder/stated"
    different | sort | diff "$folder/stated" -
}

failed=0
# compare_row "UNIT..." KERNEL CELL...
compare_row() {
    names=$1
    row=$2
    kernel=$2
    shift 2
    for unit in $names; do
        # shellcheck disable=SC2046 # a setting is a word
        found=$(cell "$part" "$kernel" $(settings "$unit"))
        [ "$1" != ok ] || found=$(echo "$found" | sed 's/^[0-9].*/ok/')
        [ "$found" = "$1" ] || [ -n "$print" ] || {
            echo "$kernel at -$part, unit $unit: $found instead of $1" >&2
            failed=1
        }
        row="$row $found"
        shift
    done
    [ -z "$print" ] || echo "$row"
}

compare_level() {
    build "$part" "$@"
    columns >"$folder/columns"
    while read -r names; do
        [ -z "$print" ] || echo "level $part: $names"
        block "level $part: $names" >"$folder/rows"
        grep "^$begin" "$folder/rows" >"$folder/chosen" || :
        while read -r kernel cells; do
            # shellcheck disable=SC2086 # cells are words
            compare_row "$names" "$kernel" $cells
        done <"$folder/chosen"
    done <"$folder/columns"
}

case $part in
found) compare_found "$@" ;;
published) compare_published ;;
*) compare_level "$@" ;;
esac
exit "$failed"
