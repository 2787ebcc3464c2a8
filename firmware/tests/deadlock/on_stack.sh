#!/bin/sh
# SPDX-License-Identifier: MIT
# on_stack.sh [--print] FIRMWARE HEDDLE HOST TABLE GCC FLAG...: runs kernels.c on a reconvergence stack, built at -O0, -O1 and -O2 with
# these flags, and compares how it ends with the column "runs" of the table of what is found in it.
. "$(dirname "$0")/cells.sh"
for level in O0 O1 O2; do
    build "$level" "$@"
done

# ok; D: deadlock; T, N: only if the taken, the not taken side runs first; E: a barrier that cannot open
on_stack() {
    taken=$(cell "$1" "$2" core.reconvergence.stack.first=taken)
    not_taken=$(cell "$1" "$2" core.reconvergence.stack.first=not_taken)
    case $(echo "$taken-$not_taken" | tr P D) in
    D-D) echo D ;;
    D-*) echo T ;;
    *-D) echo N ;;
    E-E) echo E ;;
    [0-9]*-[0-9]*) echo ok ;;
    *) echo '?' ;;
    esac
}

failed=0
while read -r kernel expected; do
    found=$(on_stack O0 "$kernel")/$(on_stack O1 "$kernel")/$(on_stack O2 "$kernel")
    [ -z "$print" ] || echo "$kernel $found"
    [ "$found" = "$expected" ] || [ -n "$print" ] || {
        echo "$kernel: $found instead of $expected" >&2
        failed=1
    }
done <<ROWS
$(grep -v '^#\|^lock\|^unlock\|^$' "$table" | awk '{print $1, $2}')
ROWS
exit "$failed"
