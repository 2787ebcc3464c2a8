#!/bin/sh
# SPDX-License-Identifier: MIT
# What the parts of run.sh are made of, which includes this file. They use its variables: builds, machine, report, scratch, failures.

heddle() {
    build=$1
    shift
    "$builds/$build/heddle" "$@"
}

# compiler BUILD: its name and version.
compiler() {
    path=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$builds/$1/CMakeCache.txt")
    "$path" --version | head -n 1
}

# timed FILE COMMAND...: the output goes to FILE; sets `seconds`.
timed() {
    output=$1
    shift
    begin=$(date +%s.%N)
    status=0
    "$@" >"$output" 2>&1 || status=$?
    seconds=$(echo "$begin $(date +%s.%N)" | awk '{printf "%.1f", $2 - $1}')
    return "$status"
}

row() {
    echo "$*" >>"$report"
    echo "$*" >&2
}

failed() {
    failures=$((failures + 1))
    tail -n 20 "$scratch/output" >&2
}

# judged COMMAND...: sets `verdict` and `seconds`.
judged() {
    verdict=PASS
    if ! timed "$scratch/output" "$@"; then
        verdict=FAIL
        failed
    fi
}

# random VARIABLE=COUNT WORDS PROGRAM [FILTER]: a test with that many; it prints "WORDS: what it did".
random() {
    judged env "$1" "$builds/$3" ${4:+--filter "$4"}
    row "| \`$1\`, $(sed -n "s/^$2: //p" "$scratch/output") | $verdict | $seconds s |"
}

# run BUILD APP ARGUMENT...: statistics to $scratch/stats.json, which is empty if there are none.
run() {
    build=$1
    app=$2
    shift 2
    echo '{}' >"$scratch/stats.json"
    timed "$scratch/output" heddle "$build" run "$machine" "$app" "$@" --stats "$scratch/stats.json" &&
        grep -q "^PASS  $app on " "$scratch/output"
}

# paper_size APP SET
paper_size() {
    verdict=PASS
    if ! run release "$1" --set "app.$2"; then
        verdict=FAIL
        failed
    fi
    cycles=$(jq '[.kernels[]?.cycles] | add' "$scratch/stats.json")
    instructions=$(jq '[.kernels[]?.statistics.core.warp_instructions] | add' "$scratch/stats.json")
    row "| \`heddle run $machine $1 --set app.$2\` | $verdict | $cycles | $instructions | $seconds s |"
}

# transactions MACHINE APP SET: at the papers' sizes, every commit checked.
transactions() {
    verdict=PASS
    if ! (machine=configs/variants/$1.yaml && run release "$2" --set app.sync=tm --set "app.$3" --check-tx && echo "$seconds" >"$scratch/seconds"); then
        verdict=FAIL
        failed
    fi
    counts=$(jq -r '.transaction_check | "\(.transactions) | \(.replayed) | \(.edges) | \(.violations)"' "$scratch/stats.json")
    row "| \`heddle run configs/variants/$1.yaml $2 --set app.sync=tm --set app.$3 --check-tx\` | $verdict | $counts | $(cat "$scratch/seconds") s |"
}

# progress OPTION...: transactions that abort each other for ever, but for escalation; every commit checked.
progress() {
    app=$builds/release/tests/system/apps/contention
    verdict=PASS
    if ! timed "$scratch/output" heddle release run configs/variants/gtx480_getm.yaml "$app" $(printf ' --set %s' "$@") --check-tx --stats "$scratch/stats.json"; then
        verdict=FAIL
        failed
    fi
    counts=$(jq -r '[(.transaction_check.transactions), ([.kernels[]?.statistics.core.tx_aborts] | add), ([.kernels[]?.statistics.core.tx_escalations] | add), ([.kernels[]?.cycles] | add)] | join(" | ")' "$scratch/stats.json")
    row "| \`$*\` | $verdict | $counts | $seconds s |"
}

# same APP SET BUILD [ARGUMENT]: a run's results, but for those about the host, are those of the first run in $scratch/first.
same() {
    verdict="the same"
    if ! run "$3" "$1" --set "app.$2" ${4:+"$4"}; then
        verdict=FAIL
        failed
    fi
    jq -S 'del(.host)' "$scratch/stats.json" >"$scratch/results.json"
    if [ ! -e "$scratch/first.json" ]; then
        cp "$scratch/results.json" "$scratch/first.json"
        verdict="\`$(sha256sum "$scratch/first.json" | cut -c 1-16)\`"
    elif ! diff "$scratch/first.json" "$scratch/results.json" >"$scratch/output"; then
        verdict=DIFFERENT
        failed
    fi
    row "| $1, $2 | $3${4:+, \`$4\`} | $verdict | $seconds s |"
}

same_everywhere() {
    rm -f "$scratch/first.json"
    same "$1" "$2" release
    same "$1" "$2" release
    same "$1" "$2" release --tlm=always
    same "$1" "$2" clang
    same "$1" "$2" dev
}

sanitizers() {
    judged ctest --test-dir "$builds/asan" -j 2
    row "| \`ctest --preset asan\` | $(grep 'tests passed' "$scratch/output") | $verdict | $seconds s |"
}

# instructions VARIABLE TEST
instructions() {
    judged env "$1=100000" ctest --test-dir "$builds/release" -R "^$2\$"
    row "| \`$1=100000 ctest --preset release -R '^$2\$'\` | $verdict | $seconds s |"
}

litmus() {
    judged env HEDDLE_LITMUS_SEEDS=100 "$builds/release/tests/system/litmus/test_system_litmus"
    row "| \`HEDDLE_LITMUS_SEEDS=100\`, $(sed -n 's/^litmus //p' "$scratch/output" |
        awk '$NF == "samples" {samples += $(NF - 1)} END {print NR " settings, " samples}') samples | $verdict | $seconds s |"
}

# generated MACHINE REQUESTS: that many of each generator in the place of its cores.
generated() {
    judged heddle release run "$1" --set core.type=traffic --set core.pattern=random \
        --set core.writes=40 --set core.atomics=10 --set "core.footprint=1 MiB" --set "core.duration=1000000000 cycles" \
        --set core.requests="$2" --stats "$scratch/stats.json"
    row "| \`$1\`, $(sed -n '/"total": {/,/}/s/^ *"offered": \([0-9]*\).*/\1/p' "$scratch/stats.json") requests | $verdict |" \
        "$seconds s |"
}

traffic() {
    for file in configs/machines/*.yaml; do
        each=20000
        [ "$file" != "$machine" ] || each=666667
        generated "$file" "$each"
    done
}

networks() {
    judged env HEDDLE_NETWORK_PACKETS=10000000 \
        "$builds/release/tests/unit/crossbar/test_crossbar" --filter 'network_random/*'
    packets=$(sed -n 's/^network packets: //p' "$scratch/output" | sort | paste -s -d ,)
    row "| \`HEDDLE_NETWORK_PACKETS=10000000\` | $packets | $verdict | $seconds s |"
}

# kilo_schedules SETTING PROGRAM TESTS CORES: a row for each kind of them.
kilo_schedules() {
    judged env "$1" "$builds/release/tests/unit/$2" --filter "$3"
    while IFS= read -r kind; do
        row "| \`$1\`, $kind | $verdict | $seconds s |"
    done <<END
$(sed -n "s/^\([a-z ]*: seed [0-9]*, schedules [0-9]*, [a-z_]* [0-9]*, [a-z_]* [0-9]*\),.*/Kilo TM, $4, \1/p" "$scratch/output" | sort)
END
}

schedules() {
    judged env HEDDLE_GETM_SCHEDULES=100000 "$builds/dev/tests/unit/getm/test_getm"
    row "| \`HEDDLE_GETM_SCHEDULES=100000\`, $(sed -n 's/^getm schedules: //p' "$scratch/output") | $verdict | $seconds s |"
    while IFS= read -r found; do
        row "| $found | found | |"
    done <<END
$(sed -n 's/: shape of seed/ turned back: seed/p' "$scratch/output" | sort)
END
    kilo_schedules HEDDLE_KILO_SCHEDULES=100000 commit_unit_kilo/test_commit_unit_kilo 'kilo_schedules/*' 'scripted cores'
    kilo_schedules HEDDLE_KILO_CORE_SCHEDULES=100000 kilo/test_kilo 'kilo_core_schedules/*' 'timed cores'
    judged env HEDDLE_WARPTM_EL_SCHEDULES=100000 "$builds/release/tests/unit/simt_core/test_simt_core_tx" \
        --filter 'tx_warptm_el_random/*'
    row "| \`HEDDLE_WARPTM_EL_SCHEDULES=100000\`, $(sed -n 's/^random transactions, //p' "$scratch/output") | $verdict | $seconds s |"
    judged env HEDDLE_LOCAL_TM_SCHEDULES=100000 HEDDLE_LOCAL_TM_RELEASE=lane_map \
        "$builds/release/tests/unit/local_tm/test_local_tm" --filter 'local_schedules/are_serialisable'
    row "| \`HEDDLE_LOCAL_TM_SCHEDULES=100000 HEDDLE_LOCAL_TM_RELEASE=lane_map\`, $(sed -n 's/^local schedules: //p' "$scratch/output") | $verdict | $seconds s |"
    judged env HEDDLE_TX_PROGRAMS=2000 "$builds/dev/tests/unit/simt_core/test_simt_core_tx" \
        --filter 'tx_random/*'
    row "| \`HEDDLE_TX_PROGRAMS=2000\`, $(sed -n 's/^random transactions: //p' "$scratch/output") | $verdict | $seconds s |"
}

# swept WORDS COMMAND...: the last line of what it prints says what came out.
swept() {
    words=$1
    shift
    judged "$@"
    row "| $words | $(tail -n 1 "$scratch/output" | tr '|' ' ') | $verdict | $seconds s |"
}

sweeps() {
    swept '`tests/bench/sweep.sh`' tests/bench/sweep.sh "$builds/release"
    swept '`HEDDLE_SWEEP_KILLS=100`' env HEDDLE_SWEEP_KILLS=100 "$builds/release/tests/system/test_system_sweep" \
        --filter 'sweep/killed_at_any_moment*'
    swept '`tests/system/slurm.sh`' tests/system/slurm.sh "$(cd "$builds/release" && pwd)/heddle" \
        "$PWD/tests/system/sweeps/twelve.yaml" long
    swept '`tests/bench/sweep.sh slurm`' tests/bench/sweep.sh "$builds/release" slurm
}

mutation() {
    seconds_allowed=${HEDDLE_MUTATION_SECONDS:-14400}
    judged tests/mutation/run.py "$builds/mutation" --budget "$seconds_allowed" --report "$mutation_report"
    row "| \`tests/mutation/run.py\` | $(sed -n 's/^\*\*\(.*\)\*\*$/\1/p' "$mutation_report") | $verdict | $seconds s |"
}

# All fuzz targets, as many at a time as there are processors.
fuzz() {
    # shellcheck disable=SC2016
    printf '%s\n' "$@" | xargs -P "$(nproc)" -I TARGET sh -c 'tests/fuzz/run.sh "$1" TARGET >"$2/TARGET" 2>&1 ||
        touch "$2/TARGET.failed"' sh "$fuzz_seconds" "$scratch"
    for target in "$@"; do
        verdict=PASS
        if [ -e "$scratch/$target.failed" ]; then
            verdict=FAIL
            cp "$scratch/$target" "$scratch/output"
            failed
        fi
        row "| \`tests/fuzz/run.sh $fuzz_seconds $target\` | $(sed -n "s/^$target: //p" "$scratch/$target") | $verdict |"
    done
}

# section TITLE COLUMNS ALIGNMENT [TEXT]
section() {
    printf '\n## %s\n\n' "$1" >>"$report"
    [ $# = 3 ] || printf '%s\n\n' "$4" >>"$report"
    printf '%s\n%s\n' "$2" "$3" >>"$report"
}

# memory TRANSFERS: the whole address space of the process is limited.
memory() {
    verdict=PASS
    if ! (ulimit -v 1048576 && run release atm --set app.accounts=1000000 --set "app.transfers=$1" && echo "$seconds" >"$scratch/seconds"); then
        verdict=FAIL
        failed
    fi
    row "| \`ulimit -v 1048576; heddle run $machine atm --set app.accounts=1000000 --set app.transfers=$1\` | $verdict | $(cat "$scratch/seconds") s |"
}
