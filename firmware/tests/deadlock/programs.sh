#!/bin/sh
# SPDX-License-Identifier: MIT
# programs.sh [--print] FIRMWARE HEDDLE APPS TABLE: runs the programs of the table on each of its units, and compares how they end
# with it, and with the table of docs/simt-deadlock.md. APPS is the folder of built apps.
. "$(dirname "$0")/cells.sh"
apps=$host
document=$firmware/../docs/simt-deadlock.md

# run APP "OPTION..." SETTING...: how the program ends.
run() {
    app=$1
    options=$2
    shift 2
    for setting in "$@" $(printf 'app.%s ' $options); do
        set -- "$@" --set "$setting"
    done
    while [ "$1" != --set ]; do
        shift
    done
    "$heddle" run "$firmware/tests/deadlock/one_core.yaml" "$apps/$app" "$@" >"$folder/text" 2>&1 || :
    ending "$(cat "$folder/text")"
}

failed=0
while read -r line; do
    inputs=${line#*: }
    cells=${line%%: *}
    program=${cells%% *}
    app=${inputs%% *}
    options=${inputs#* }
    found=$program
    for unit in $(units); do
        # shellcheck disable=SC2046 # a setting is a word
        found="$found $(run "$app" "$options" $(settings "$unit"))"
    done
    [ "$found" = "$(echo $cells)" ] || [ -n "$print" ] || {
        echo "$found, expected $cells" >&2
        failed=1
    }
    row="| $program | \`$inputs\` | $(echo "${found#* }" | sed 's/ok/ends/g; s/[PD]/hangs/g; s/ / | /g') |"
    [ -z "$print" ] || echo "$row"
    [ -n "$print" ] || grep -qF "$row" "$document" || {
        echo "docs/simt-deadlock.md has another row than $row" >&2
        failed=1
    }
done <<ROWS
$(grep -v '^#\|^unit\|^$' "$table")
ROWS
exit "$failed"
