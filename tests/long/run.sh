#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh REPORT [PART...]: the long tier, or parts of it. Needs build/release, build/clang, build/dev, build/asan and build/fuzz
# (./bootstrap.sh test-long).
#
#   paper_size    inputs of the papers' sizes pass on the gtx480 machine
#   transactions  the same apps by transactions on gtx480_getm, each commit held against a serial order
#   same          runs, compilers, build types and TLM modes give the same results
#   instructions  random sequences of instructions of cores and of host CPUs agree with Unicorn
#   kernels       random kernels do with a SIMT stack what every thread does alone, with 32 and 64 lanes
#   networks      10 million random packets through each type of network come out once, and in order
#   moves         random programs whose thread blocks move give the results of those where they stay
#   requests      10 million random requests to L2 slices of all shapes do what a reference memory does in order of acceptance
#   accesses      10 million random accesses of memory pipes of random shapes are in each thread's own order
#   dram          10 million random requests are answered once, in order and with the right data by memories of random shapes
#   schedules     100,000 random schedules of transactions through the blocks of GETM, and 2,000 random kernels of
#                 transactions on six cores, are serialisable
#   litmus        litmus tests with 100 seeds: forbidden outcomes never, all that are allowed are seen
#   traffic       10 million random requests of generators on gtx480, and many on every other machine, all of which are
#                 answered with what must be there
#   sweeps        a sweep of 60 points against its runs one by one; killed 100 times; through Slurm, which goes away and comes
#                 back
#   memory        atm with a million accounts, and with 16 times as many transfers, in 1 GiB of the host
#   fuzzing       HEDDLE_FUZZ_SECONDS (600) on each fuzz target without a finding
#   sanitizers    the tests pass under the sanitizers
#
# Writes what was run and what came out to REPORT, in Markdown; exits 1 if anything differs.
set -eu

cd "$(dirname "$0")/../.."
report=$1
shift
builds=${HEDDLE_BUILDS:-build}
machine=configs/machines/gtx480.yaml
fuzz_seconds=${HEDDLE_FUZZ_SECONDS:-600}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

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

# transactions APP SET: at the papers' sizes, every commit checked.
transactions() {
    verdict=PASS
    if ! (machine=configs/variants/gtx480_getm.yaml && run release "$1" --set "app.$2" --check-tx && echo "$seconds" >"$scratch/seconds"); then
        verdict=FAIL
        failed
    fi
    counts=$(jq -r '.transaction_check | "\(.transactions) | \(.replayed) | \(.edges) | \(.violations)"' "$scratch/stats.json")
    row "| \`heddle run configs/variants/gtx480_getm.yaml $1 --set app.$2 --check-tx\` | $verdict | $counts | $(cat "$scratch/seconds") s |"
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
    verdict=PASS
    if ! timed "$scratch/output" ctest --test-dir "$builds/asan" -j 2; then
        verdict=FAIL
        failed
    fi
    row "| \`ctest --preset asan\` | $(grep 'tests passed' "$scratch/output") | $verdict | $seconds s |"
}

# instructions VARIABLE TEST
instructions() {
    verdict=PASS
    if ! timed "$scratch/output" env "$1=100000" ctest --test-dir "$builds/release" -R "^$2\$"; then
        verdict=FAIL
        failed
    fi
    row "| \`$1=100000 ctest --preset release -R '^$2\$'\` | $verdict | $seconds s |"
}

moves() {
    verdict=PASS
    if ! HEDDLE_MOVE_PROGRAMS=1000 timed "$scratch/output" \
        "$builds/release/tests/unit/simt_core/test_simt_core" --filter 'simt_core/*when_their_blocks_move'; then
        verdict=FAIL
        failed
    fi
    row "| \`HEDDLE_MOVE_PROGRAMS=1000\`, $(sed -n 's/^moved blocks: //p' "$scratch/output") | $verdict | $seconds s |"
}

accesses() {
    verdict=PASS
    if ! HEDDLE_MEMORY_ACCESSES=10000000 timed "$scratch/output" \
        "$builds/release/tests/unit/simt_core/test_simt_core_memory" --filter 'memory_random/*whatever_the_shape'; then
        verdict=FAIL
        failed
    fi
    row "| \`HEDDLE_MEMORY_ACCESSES=10000000\`, $(sed -n 's/^random accesses: //p' "$scratch/output") | $verdict | $seconds s |"
}

requests() {
    verdict=PASS
    if ! HEDDLE_L2_REQUESTS=10000000 timed "$scratch/output" "$builds/release/tests/unit/l2_slice/test_l2_slice" \
        --filter 'l2_slice/*in_the_order_of_acceptance'; then
        verdict=FAIL
        failed
    fi
    row "| \`HEDDLE_L2_REQUESTS=10000000\`, $(sed -n 's/^l2 requests: //p' "$scratch/output") | $verdict | $seconds s |"
}

dram() {
    verdict=PASS
    if ! HEDDLE_DRAM_REQUESTS=10000000 timed "$scratch/output" \
        "$builds/release/tests/unit/dram/test_dram" --filter 'dram_random/*'; then
        verdict=FAIL
        failed
    fi
    row "| \`HEDDLE_DRAM_REQUESTS=10000000\`, $(sed -n 's/^random requests: //p' "$scratch/output") | $verdict | $seconds s |"
}

litmus() {
    verdict=PASS
    if ! HEDDLE_LITMUS_SEEDS=100 timed "$scratch/output" "$builds/release/tests/system/litmus/test_system_litmus"; then
        verdict=FAIL
        failed
    fi
    row "| \`HEDDLE_LITMUS_SEEDS=100\`, $(sed -n 's/^litmus \(.*\) samples$/\1/p' "$scratch/output" |
        awk '{samples += $NF} END {print NR " settings, " samples}') samples | $verdict | $seconds s |"
}

# generated MACHINE REQUESTS: that many of each generator in the place of its cores.
generated() {
    verdict=PASS
    if ! timed "$scratch/output" heddle release run "$1" --set core.type=traffic --set core.pattern=random \
        --set core.writes=40 --set core.atomics=10 --set "core.footprint=1 MiB" --set "core.duration=1000000000 cycles" \
        --set core.requests="$2" --stats "$scratch/stats.json"; then
        verdict=FAIL
        failed
    fi
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
    verdict=PASS
    if ! HEDDLE_NETWORK_PACKETS=10000000 timed "$scratch/output" \
        "$builds/release/tests/unit/crossbar/test_crossbar" --filter 'network_random/*'; then
        verdict=FAIL
        failed
    fi
    packets=$(sed -n 's/^network packets: //p' "$scratch/output" | sort | paste -s -d ,)
    row "| \`HEDDLE_NETWORK_PACKETS=10000000\` | $packets | $verdict | $seconds s |"
}

kernels() {
    verdict=PASS
    if ! HEDDLE_RANDOM_KERNELS=10000 timed "$scratch/output" \
        "$builds/release/tests/unit/functional_core/test_functional_core" --filter 'functional_core/a_stack_does*'; then
        verdict=FAIL
        failed
    fi
    row "| \`HEDDLE_RANDOM_KERNELS=10000\`, $(sed -n 's/^random kernels: //p' "$scratch/output") | $verdict | $seconds s |"
}

schedules() {
    verdict=PASS
    if ! HEDDLE_GETM_SCHEDULES=100000 timed "$scratch/output" "$builds/dev/tests/unit/getm/test_getm"; then
        verdict=FAIL
        failed
    fi
    row "| \`HEDDLE_GETM_SCHEDULES=100000\`, $(sed -n 's/^getm schedules: //p' "$scratch/output") | $verdict | $seconds s |"
    while IFS= read -r found; do
        row "| $found | found | |"
    done <<END
$(sed -n 's/: shape of seed/ turned back: seed/p' "$scratch/output" | sort)
END
    verdict=PASS
    if ! HEDDLE_TX_PROGRAMS=2000 timed "$scratch/output" "$builds/dev/tests/unit/simt_core/test_simt_core_tx" \
        --filter 'tx_random/*'; then
        verdict=FAIL
        failed
    fi
    row "| \`HEDDLE_TX_PROGRAMS=2000\`, $(sed -n 's/^random transactions: //p' "$scratch/output") | $verdict | $seconds s |"
}

# swept WORDS COMMAND...: the last line of what it prints says what came out.
swept() {
    words=$1
    shift
    verdict=PASS
    if ! timed "$scratch/output" "$@"; then
        verdict=FAIL
        failed
    fi
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

part() {
    case $1 in
    paper_size)
        section "Inputs of the papers' sizes" '| Command | Result | Cycles | Warp instructions | Time |' '|---|---|---:|---:|---:|'
        paper_size hashtable buckets=8000
        paper_size hashtable buckets=80000
        paper_size hashtable buckets=800000
        paper_size atm accounts=1000000
        ;;
    transactions)
        section "Transactions of the papers' sizes" '| Command | Result | Transactions | Replayed | Edges | Violations | Time |' '|---|---|---:|---:|---:|---:|---:|'
        transactions hashtable_tm buckets=8000
        transactions hashtable_tm buckets=80000
        transactions hashtable_tm buckets=800000
        transactions atm_tm accounts=1000000
        ;;
    same)
        section "The same results" '| Input | Build and options | Result | Time |' '|---|---|---|---:|' \
            "\`stats.json\` without its section \`host\`, compared with that of the first run, of which the start of the SHA-256 is given."
        same_everywhere hashtable buckets=8000
        same_everywhere hashtable buckets=80000
        same_everywhere hashtable buckets=800000
        same_everywhere atm accounts=1000000
        same_everywhere bfs scale=12
        ;;
    instructions)
        section "Instructions" '| Command | Result | Time |' '|---|---|---:|' \
            "Random sequences executed by \`models/isa\` and by Unicorn, compared lane by lane."
        instructions HEDDLE_ISA_SEQUENCES isa_oracle
        instructions HEDDLE_HART_SEQUENCES host_cpu_oracle
        ;;
    kernels)
        section "Stack against threads alone" '| Command | Result | Time |' '|---|---|---:|' \
            "Random kernels on the functional core: \`reconvergence: stack\`, 32 and 64 lanes, against \`mimd\`."
        kernels
        ;;
    moves)
        section "Thread blocks that move" '| Command | Result | Time |' '|---|---|---:|' \
            "Random programs whose blocks move between two cores at random cycles, compared with the same where they stay."
        moves
        ;;
    networks)
        section "Networks" '| Command | Packets | Result | Time |' '|---|---|---|---:|' \
            "Random packets, single and to sets of endpoints, with random back-pressure, in rounds of random settings."
        networks
        ;;
    accesses)
        section "Memory pipe" '| Command | Result | Time |' '|---|---|---:|' \
            "Random accesses with random delays and back-pressure, flushes, acquires, ends of blocks and begins of grids."
        accesses
        ;;
    requests)
        section "L2 slices" '| Requests | Result | Time |' '|---|---|---:|' \
            "Random requests at three ports, credits held back, a memory that answers out of order: write-back and write-through, with and without sectors, each replacement policy, tiny caches, few MSHRs. Compared with a memory that carries them out in the order of acceptance."
        requests
        ;;
    schedules)
        section "Schedules of transactions" '| Schedules, or rule | Result | Time |' '|---|---|---:|' \
            "Random programs on random machines with tiny tables, replayed in the protocol's order and searched for circles of conflicts. Each rule turned back to the plain reading has to be found."
        schedules
        ;;
    dram)
        section "DRAM" '| Command | Result | Time |' '|---|---|---:|' \
            "Random requests with random back-pressure, up to three ports, every scheduler and page policy, fixed latency too."
        dram
        ;;
    litmus)
        section "Memory model" '| Command | Result | Time |' '|---|---|---:|' \
            "The litmus tests of docs/memory-model.md, each seed with delays of its own."
        litmus
        ;;
    traffic)
        section "Generated traffic" '| Machine | Result | Time |' '|---|---|---:|' \
            "Random loads, stores and atomics of all generators, closed loop; every word read is compared with the last that was written."
        traffic
        ;;
    sweeps)
        section "Sweeps" '| What | Last line | Result | Time |' '|---|---|---|---:|'
        sweeps
        ;;
    memory)
        section "Memory" '| Command | Result | Time |' '|---|---|---:|'
        memory 23040
        memory 368640
        ;;
    fuzzing)
        section "Fuzzing" '| Command | Inputs tried | Result |' '|---|---|---|' \
            "libFuzzer with the address and undefined-behaviour sanitizers, built by clang (build/fuzz)."
        fuzz netlist sweep program firmware code plugin app trace
        ;;
    sanitizers)
        section "Sanitizers" '| Command | Tests | Result | Time |' '|---|---|---|---:|' \
            "Address and undefined behaviour, with leak detection."
        sanitizers
        ;;
    *)
        echo "the long tier has no part '$1'" >&2
        exit 2
        ;;
    esac
}

mkdir -p "$(dirname "$report")"
cat >"$report" <<END
# Long tier

Written by \`tests/long/run.sh\`, which \`./bootstrap.sh test-long\` calls.

- Heddle $(heddle release version | sed 's/^[^0-9]*//'), commit $(git rev-parse --short HEAD)
- release, dev, asan: $(compiler release); clang: $(compiler clang)
- $(nproc) processors, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
END
[ $# -gt 0 ] || set -- paper_size transactions same instructions kernels moves networks requests accesses schedules dram litmus traffic sweeps memory fuzzing sanitizers
for name in "$@"; do
    part "$name"
done

[ "$failures" = 0 ] || echo "$failures failures" >&2
[ "$failures" = 0 ]
