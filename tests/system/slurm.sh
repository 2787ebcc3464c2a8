#!/bin/sh
# SPDX-License-Identifier: MIT
# slurm.sh HEDDLE SWEEP [long]: the sweep through a Slurm of this machine gives what it gives in processes; is killed and taken up;
# and finds Slurm down or not there at all; in the long tier it also loses Slurm and its tasks on the way. Ends with 77 where Slurm is not installed.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
heddle=$1
sweep=$2
. "$here/loopback_slurm.sh"
slurm_is_there || exit 77

scratch=$(mktemp -d)
trap 'slurm_stop; rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
cd "$scratch"

fail() {
    echo "slurm.sh: $*" >&2
    tail -n 30 "$scratch"/out "$scratch"/*.log "$scratch"/slurm/slurmctld.log >&2 2>/dev/null || :
    exit 1
}

# expect CODE TEXT COMMAND...: the command ends so, and says that.
expect() {
    wanted=$1
    text=$2
    shift 2
    status=0
    "$@" >"$scratch/out" 2>&1 || status=$?
    [ "$status" -eq "$wanted" ] || fail "exit code $status, expected $wanted: $*"
    grep -q -e "$text" "$scratch/out" || fail "not said: $text: $*"
}

# same STORE: its rows are those of the runs in processes.
same() {
    "$heddle" results "$1" --statistic '*' >"$scratch/rows"
    cmp "$scratch/rows" "$scratch/local.csv" || fail "the rows of $1 differ"
    [ ! -e "$1.runs" ] || fail "files are left: $(ls "$1.runs")"
}

runs_in() {
    "$heddle" results "$1" 2>/dev/null | grep -c ',pass,' || :
}

# Job arrays that Slurm has had.
arrays() {
    scontrol -o show job | sed 's/.*JobName=\([^ ]*\) .*/\1/' | sort -u | wc -l
}

at_least() {
    [ "$(runs_in "$2")" -ge "$1" ]
}

expect 0 ' 0 failed' "$heddle" sweep "$sweep" --store local.db
"$heddle" results local.db --statistic '*' >local.csv
count=$(($(wc -l <local.csv) - 1))

expect 2 "no program 'scontrol'" env PATH=/nowhere "$heddle" sweep "$sweep" --store absent.db --engine=slurm
slurm_start "$scratch/slurm"

# As it should be; and nothing is left to do then.
expect 0 "$count done now, 0 left; 0 failed" "$heddle" sweep "$sweep" --store whole.db --engine=slurm
same whole.db
expect 0 "$count there before, 0 done now" "$heddle" sweep "$sweep" --store whole.db --engine=slurm
"$heddle" results whole.db --host | grep -q ',slurm,' || fail 'the store does not say that it was Slurm'

# An option that sbatch does not take: nothing is submitted, nothing lost.
expect 2 'error: Slurm: sbatch ended with' "$heddle" sweep "$sweep" --store killed.db --engine=slurm --sbatch=--partition=none

# Killed while some are done and others under way, which go on meanwhile.
setsid "$heddle" sweep "$sweep" --store killed.db --engine=slurm --jobs 3 >killed.log 2>&1 &
killed=$!
until_true 60 at_least 2 killed.db || fail 'nothing is done'
kill -9 "$killed"
wait "$killed" 2>/dev/null || :
"$heddle" results killed.db --host >before
expect 0 "0 left; 0 failed" "$heddle" sweep "$sweep" --store killed.db --engine=slurm
"$heddle" results killed.db --host >after
grep ',pass,' before | while read -r row; do
    grep -q -x -F -e "$row" after || fail "run again, or lost: $row"
done
[ "$(arrays)" -eq 2 ] || fail 'what was submitted is submitted again'
same killed.db

if [ "${3:-}" = long ]; then
    # The controller goes away in the middle, and comes back.
    "$heddle" sweep "$sweep" --store away.db --engine=slurm --jobs 3 >away.log 2>&1 &
    away=$!
    until_true 60 at_least 1 away.db || fail 'nothing is done'
    slurmctld_stop
    sleep 1
    slurmctld_start
    wait "$away" || fail 'it did not wait for Slurm'
    same away.db

    # It stays away: the sweep gives up, and goes on later.
    "$heddle" sweep "$sweep" --store gone.db --engine=slurm --jobs 1 >gone.log 2>&1 &
    gone=$!
    until_true 60 at_least 1 gone.db || fail 'nothing is done'
    slurmctld_stop
    status=0
    wait "$gone" || status=$?
    [ "$status" -eq 2 ] && grep -q 'error: Slurm: squeue ended with' gone.log || fail "it does not give up: $status"
    slurmctld_start
    expect 0 '0 left; 0 failed' "$heddle" sweep "$sweep" --store gone.db --engine=slurm
    same gone.db

    # Cancelled: those runs have failed, and are tried again when asked for.
    "$heddle" sweep "$sweep" --store cancelled.db --engine=slurm --jobs 1 >cancelled.log 2>&1 &
    cancelled=$!
    until_true 60 at_least 1 cancelled.db || fail 'nothing is done'
    scancel --user="$(id -un)"
    status=0
    wait "$cancelled" || status=$?
    [ "$status" -eq 1 ] && "$heddle" results cancelled.db --failed | grep -q 'Slurm ended it' || fail "status $status"
    expect 0 '0 left; 0 failed' "$heddle" sweep "$sweep" --store cancelled.db --engine=slurm --retry-failed
    same cancelled.db
fi

slurmctld_stop
expect 2 'error: Slurm: scontrol ended with' "$heddle" sweep "$sweep" --store down.db --engine=slurm
echo "through Slurm: $count runs"
