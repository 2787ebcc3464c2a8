#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh SOURCE_FOLDER HEDDLE: runs with several threads; a race that the thread sanitizer sees ends one with code 66. What
# comes out is compared with one thread, too.
set -eu
source=$1
heddle=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bad=0

# results FILE OPTION...: of the run in $machine and $words, but for what depends on the host.
results() {
    file=$1
    shift
    # shellcheck disable=SC2086
    "$heddle" run "$machine" $words --quiet --stats "$scratch/stats.json" "$@" || bad=1
    sed '/"host": {/,/}/d' "$scratch/stats.json" >"$file"
}

# case NAME MACHINE APP OPTION...
case_of() {
    name=$1
    machine=$source/$2
    shift 2
    words=$*
    results "$scratch/one" --threads 1
    for threads in 2 3; do
        for tlm in auto always; do
            results "$scratch/more" --threads $threads --tlm=$tlm
            if ! cmp "$scratch/one" "$scratch/more" >&2; then
                echo "$name: $threads threads, --tlm=$tlm: other results" >&2
                bad=1
            fi
        done
    done
}

gtx480=configs/machines/gtx480.yaml
case_of xorshift $gtx480 xorshift --set app.steps=20
case_of stream $gtx480 stream --set app.n=10000
case_of bfs $gtx480 bfs --set app.scale=7
case_of hashtable $gtx480 hashtable --set app.grid=15
case_of atm $gtx480 atm --set app.transfers=1500
case_of tight tests/system/machines/tight.yaml hashtable --set app.grid=2
exit $bad
