#!/bin/sh
# SPDX-License-Identifier: MIT
# termination.sh [--print] FIRMWARE HEDDLE HOST TABLE GCC FLAG...: runs kernels.c, built at -O2 with these flags, on each unit of the
# table, and compares how it ends, and after how many instructions, with the table cell by cell. --print: the rows as they are.
. "$(dirname "$0")/cells.sh"
build O2 "$@"

failed=0
while read -r kernel expected; do
    row=$(printf '%-8s' "$kernel")
    column=0
    while [ "$column" -lt "$units" ]; do
        column=$((column + 1))
        # shellcheck disable=SC2046 # a setting is a word
        found=$(cell O2 "$kernel" $(settings "$column"))
        wanted=$(echo "$expected" | awk -v column="$column" '{print $column}')
        [ "$wanted" != ok ] || found=$(echo "$found" | sed 's/^[0-9][0-9]*$/ok/')
        row="$row $(printf '%5s' "$found")"
        [ "$found" = "$wanted" ] || [ -n "$print" ] || {
            echo "$kernel, unit $column: $found instead of $wanted" >&2
            failed=1
        }
    done
    [ -z "$print" ] || echo "$row"
done <<ROWS
$(grep -v '^#\|^unit\|^$' "$table")
ROWS
exit "$failed"
