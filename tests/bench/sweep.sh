#!/bin/sh
# SPDX-License-Identifier: MIT
# sweep.sh BUILD [slurm]: what a sweep of 60 points gains on this machine, against the sum of its runs one by one; and whether it
# gives the same after a kill -9 in the middle, and through Slurm. Wants a machine that does nothing else.
#
# Says the seconds of each and their ratio. Exits 1 if anything differs.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
heddle=$build/heddle
scratch=$(mktemp -d)
trap 'slurm_stop; rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
. "$here/../system/loopback_slurm.sh"
cd "$scratch"

cat >sixty.yaml <<END
sweep: 1
name: sixty
set: {machine: $here/../../configs/machines/gtx480.yaml, core.l1.global: cache}
axes:
  core.scheduler: [gto, lrr]
  core.warps: [8, 16, 24, 32, 48]
  workload:
    hashtable: {app: hashtable, app.inserts: 3}
    atm: {app: atm, app.accounts: 100000, app.transfers: 46080}
    bfs: {app: bfs, app.scale: 13}
  app.seed: [1, 2]
END

fail() {
    echo "sweep.sh: $*" >&2
    exit 1
}

now() {
    date +%s.%N
}

since() {
    echo "$1 $(now)" | awk '{ printf "%.2f", $2 - $1 }'
}

rows() {
    "$heddle" results "$1" --statistic '*'
}

passed() {
    "$heddle" results "$1" 2>/dev/null | grep -c ',pass,' || :
}

# Processor time of all processes that this shell has waited for: sets `used`.
take_used() {
    times >"$scratch/times"
    used=$(sed -n 2p "$scratch/times" |
        awk '{ for (i = 1; i <= 2; i++) { split($i, part, /[ms]/); sum += 60 * part[1] + part[2] }; print sum }')
}

# One by one, as somebody would without a sweep: the same words.
one_by_one() {
    for scheduler in gto lrr; do
        for warps in 8 16 24 32 48; do
            for workload in 'hashtable --set app.inserts=3' 'atm --set app.accounts=100000 --set app.transfers=46080' 'bfs --set app.scale=13'; do
                for seed in 1 2; do
                    # shellcheck disable=SC2086
                    "$heddle" run "$here/../../configs/machines/gtx480.yaml" $workload --set core.l1.global=cache \
                        --set core.scheduler=$scheduler --set core.warps=$warps --set app.seed=$seed --quiet \
                        --stats single.json
                done
            done
        done
    done
}

start=$(now)
take_used
before=$used
one_by_one
single=$(since "$start")
take_used
between=$used
start=$(now)
"$heddle" sweep sixty.yaml --store whole.db
whole=$(since "$start")
take_used
echo "$before $between $used" | awk '{ printf "processor time: %.2f s one by one, %.2f s as a sweep\n", $2 - $1, $3 - $2 }'
rows whole.db >whole.csv
echo "$(nproc) processors: $single s one by one, $whole s as a sweep" \
    "$(echo "$single $whole" | awk '{ printf "(%.2f times as fast)", $1 / $2 }')"

setsid "$heddle" sweep sixty.yaml --store killed.db >killed.log 2>&1 &
killed=$!
until [ "$(passed killed.db)" -ge 20 ]; do
    sleep 0.2
done
kill -9 "$killed"
wait "$killed" 2>/dev/null || :
"$heddle" results killed.db --host >before.csv
"$heddle" sweep sixty.yaml --store killed.db
"$heddle" results killed.db --host >after.csv
grep ',pass,' before.csv | while read -r row; do
    grep -q -x -F -e "$row" after.csv || fail "run again, or lost: $row"
done
rows killed.db | cmp - whole.csv || fail 'the rows after a kill differ'
echo "killed after $(grep -c ',pass,' before.csv) runs: none of them again, the same rows in the end"

[ "${2:-}" = slurm ] || exit 0
slurm_is_there || exit 1
SLURM_CPUS=$(nproc)
slurm_start "$scratch/slurm"
start=$(now)
"$heddle" sweep sixty.yaml --store slurm.db --engine=slurm
rows slurm.db | cmp - whole.csv || fail 'the rows through Slurm differ'
echo "through Slurm: the same rows, $(since "$start") s"
