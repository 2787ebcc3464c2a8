#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh REPORT [PART...]: the long tier, or parts of it. Needs build/release, build/clang, build/dev, build/asan, build/fast and
# build/fuzz (./bootstrap.sh test-long).
#
#   paper_size    inputs of the papers' sizes pass on the gtx480 machine
#   mimd_style    programs in MIMD style with published inputs end on the machines that keep no lane waiting
#   transactions  the same apps by transactions on the machines of every protocol, each commit held against a serial order
#   programs      cloth, Barnes-Hut, CUDA Cuts and Apriori with the papers' inputs likewise
#   pairs         every app runs on every variant, and every transactional input with every setting of what may be scarce
#   progress      transactions that abort each other for ever where back-off is all there is commit by escalation
#   same          runs, compilers, build types and TLM modes give the same results
#   fast          what is optimised for what it does gives the same results
#   instructions  random sequences of instructions of cores and of host CPUs agree with Unicorn
#   vectors       random vector instructions agree with a second interpreter, and moving threads leave the memory of those that stay
#   kernels       random kernels do with a SIMT stack what every thread does alone, with 32 and 64 lanes
#   networks      10 million random packets through each type of network come out once, and in order
#   dynamic_warps random programs do with dynamic warps what every thread does alone, under each issue policy; and with lanes that take turns,
#                 or run side by side
#   moves         random programs whose thread blocks move give the results of those where they stay: on every reconvergence unit, with
#                 barriers, locks and transactions; 100,000 moves and more
#   requests      10 million random requests to L2 slices of all shapes do what a reference memory does in order of acceptance
#   accesses      10 million random accesses of memory pipes of random shapes are in each thread's own order
#   dram          10 million random requests are answered once, in order and with the right data by memories of random shapes
#   schedules     100,000 random schedules of transactions through the blocks of GETM, and 2,000 random kernels of
#                 transactions on six cores, are serialisable
#   litmus        litmus tests with 100 seeds: forbidden outcomes never, all that are allowed are seen
#   cards         every card against what is known of it (docs/cards.md), with what needs whole cards
#   traffic       10 million random requests of generators on gtx480, and many on every other machine, all of which are
#                 answered with what must be there
#   sweeps        a sweep of 60 points against its runs one by one; killed 100 times; through Slurm, which goes away and comes
#                 back
#   memory        atm with a million accounts, and with 16 times as many transfers, in 1 GiB of the host
#   fuzzing       HEDDLE_FUZZ_SECONDS (600) on each fuzz target without a finding
#   sanitizers    the tests pass under the sanitizers
#   mutation      300 mutants of models/ and platform/ (tests/mutation/run.py), of which the tests kill nine out of ten, within
#                 HEDDLE_MUTATION_SECONDS (14400); the report of its own goes beside REPORT
#
# Writes what was run and what came out to REPORT, in Markdown; exits 1 if anything differs.
set -eu

cd "$(dirname "$0")/../.."
report=$1
shift
builds=${HEDDLE_BUILDS:-build}
machine=configs/machines/gtx480.yaml
protocols="gtx480_getm gtx480_kilo_tm gtx480_warptm gtx480_warptm_tcd gtx480_warptm_el gtx480_eapg gtx480_eapg_renlis gtx480_ideal_tm quadro_fx5800_kilo_tm"
fuzz_seconds=${HEDDLE_FUZZ_SECONDS:-600}
mutation_report=$(dirname "$report")/mutation.md
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

. tests/long/checks.sh

part() {
    case $1 in
    paper_size)
        section "Inputs of the papers' sizes" '| Command | Result | Cycles | Warp instructions | Time |' '|---|---|---:|---:|---:|'
        paper_size hashtable buckets=8000
        paper_size hashtable buckets=80000
        paper_size hashtable buckets=800000
        paper_size atm accounts=1000000
        ;;
    mimd_style)
        section "Programs in MIMD style" '| Command | Result | Cycles | Warp instructions | Time |' '|---|---|---:|---:|---:|'
        for of in tesla_c2050_ssde tesla_c2050_aware tesla_c2050_aware_1_1; do
            machine=configs/variants/$of.yaml
            paper_size hashtable_mimd variant=medium
            paper_size atm_mimd accounts=1000000
            paper_size cloth_mimd garments=1
            paper_size barnes_hut_mimd variant=TB
            paper_size barnes_hut_mimd variant=ST
            for of_locks in TL-FG TL-CG AM-FG AM-CG; do
                paper_size openmp_locks variant=$of_locks
            done
        done
        machine=configs/machines/gtx480.yaml
        ;;
    transactions)
        section "Transactions of the papers' sizes" '| Command | Result | Transactions | Replayed | Edges | Violations | Time |' '|---|---|---:|---:|---:|---:|---:|'
        for of in $protocols; do
            transactions $of hashtable buckets=8000
            transactions $of hashtable buckets=80000
            transactions $of hashtable buckets=800000
            transactions $of atm accounts=1000000
        done
        ;;
    programs)
        section "Transactions of the papers' programs" '| Command | Result | Transactions | Replayed | Edges | Violations | Time |' '|---|---|---:|---:|---:|---:|---:|'
        for of in $protocols; do
            transactions $of cloth variant=CL
            transactions $of cloth variant=CLto
            transactions $of apriori variant=paper
            transactions $of cuda_cuts variant=paper
            transactions $of barnes_hut variant=BH-H
            transactions $of barnes_hut variant=BH-L
        done
        ;;
    pairs)
        section "Apps on variants" '| Command | Result | Time |' '|---|---|---:|' "Continuous integration runs a part of these pairs."
        for of in machines transactions; do
            judged env HEDDLE_EVERY_PAIR=1 "$builds/release/tests/system/test_system_$of"
            row "| \`HEDDLE_EVERY_PAIR=1\`, $of | $verdict | $seconds s |"
        done
        ;;
    progress)
        section "Progress of transactions" '| Options of the app | Result | Transactions | Aborts | Escalations | Cycles | Time |' '|---|---|---:|---:|---:|---:|---:|' \
            "\`tests/system/apps/contention\` on \`configs/variants/gtx480_getm.yaml\` as it is: each thread loads anywhere in 16 KiB and counts in some words of it, on so many warps."
        for loads in 50 100 200; do
            for warps in 24 120; do
                progress app.loads=$loads app.stores=2 app.warps=$warps
            done
        done
        progress app.loads=100 app.stores=20 app.warps=24
        progress app.loads=100 app.stores=2 app.warps=24 app.words=64
        progress app.loads=50 app.stores=2 app.warps=120 core.tx.concurrency=1
        progress app.loads=50 app.stores=2 app.warps=24 validation_unit.clock_bits=5
        for law in linear published; do
            progress app.loads=100 app.stores=2 app.warps=24 core.tx.back_off.law=$law
        done
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
    fast)
        section "Profile-guided optimisation" '| Command | Result | Time |' '|---|---|---:|' \
            "The preset \`fast\` against \`release\`: \`stats.json\` of 33 runs."
        judged tests/long/identical.sh "$builds/release/heddle" "$builds/fast/heddle"
        row "| \`tests/long/identical.sh\` | $verdict | $seconds s |"
        ;;
    instructions)
        section "Instructions" '| Command | Result | Time |' '|---|---|---:|' \
            "Random sequences executed by \`models/isa\` and by Unicorn, compared lane by lane."
        instructions HEDDLE_ISA_SEQUENCES isa_oracle
        instructions HEDDLE_HART_SEQUENCES host_cpu_oracle
        ;;
    vectors)
        section "Vectors" '| Command | Result | Time |' '|---|---|---:|' \
            "Random vector instructions of 128 to 2048 bits; programs whose threads move among such cores wherever they are not pinned."
        random HEDDLE_VECTOR_INSTRUCTIONS=20000000 'vector instructions' release/tests/unit/vec_core/test_vec_core 'vec_core/random_instructions*'
        random HEDDLE_VECTOR_MOVES=1000000 'vector moves' release/tests/unit/vec_core/test_vec_core 'vec_core/threads_move*'
        ;;
    kernels)
        section "Stack against threads alone" '| Command | Result | Time |' '|---|---|---:|' \
            "Random kernels on the functional core: \`reconvergence: stack\`, 32 and 64 lanes, against \`mimd\`."
        random HEDDLE_RANDOM_KERNELS=10000 'random kernels' release/tests/unit/functional_core/test_functional_core 'functional_core/a_stack_does*'
        ;;
    dynamic_warps)
        section "Dynamic warps against threads alone" '| Command | Result | Time |' '|---|---|---:|' \
            "Random programs on the timed core: \`reconvergence: dwf\` and \`dwf_wb\` under each issue policy, and \`block_stack\`, against \`mimd\`."
        random HEDDLE_UNIT_PROGRAMS=10000 'every unit' release/tests/unit/simt_core/test_simt_core_all_units 'simt_core_all_units/random*'
        random HEDDLE_DWF_PROGRAMS=10000 'dynamic warps' release/tests/unit/simt_core/test_simt_core_dwf 'simt_core_dwf/random*'
        random HEDDLE_AWARE_PROGRAMS=10000 'lanes that take turns' release/tests/unit/simt_core/test_simt_core_reconvergence 'reconvergence_aware_random/*'
        random HEDDLE_MP_PROGRAMS=10000 'lanes side by side' release/tests/unit/simt_core/test_simt_core_reconvergence 'reconvergence_mp/*'
        random HEDDLE_BLOCK_STACK_PROGRAMS=10000 'compacted blocks' release/tests/unit/simt_core/test_simt_core_block_stack 'simt_core_block_stack/random*'
        ;;
    moves)
        section "Thread blocks that move" '| Command | Result | Time |' '|---|---|---:|' \
            "Random programs, with barriers, locks or transactions, whose blocks are stopped and moved between two cores at random cycles, compared with the same where they stay."
        for by in blocks_move messages_move_blocks; do
            random HEDDLE_MOVE_LOCKS=60 'moved locks' release/tests/unit/simt_core/test_simt_core "simt_core/locks_are_taken_and_given_back_as_$by"
        done
        for by in their_blocks_move messages_move_their_blocks; do
            random HEDDLE_MOVE_TRANSACTIONS=1200 'moved transactions' release/tests/unit/simt_core/test_simt_core_tx "tx_move/random_transactions*when_$by"
        done
        random HEDDLE_MOVE_PROGRAMS=1000 'moved blocks' release/tests/unit/simt_core/test_simt_core 'simt_core/random_programs*when_their_blocks_move'
        random HEDDLE_MOVE_PROGRAMS=720 'moved blocks' release/tests/unit/simt_core/test_simt_core 'simt_core/random_programs*when_messages_move_their_blocks'
        for by in their_blocks_move messages_move_their_blocks; do
            random HEDDLE_MOVE_PROGRAMS=720 'moved blocks' release/tests/unit/simt_core/test_simt_core "simt_core/random_copies*when_$by"
        done
        ;;
    networks)
        section "Networks" '| Command | Packets | Result | Time |' '|---|---|---|---:|' \
            "Random packets, single and to sets of endpoints, with random back-pressure, in rounds of random settings."
        networks
        ;;
    accesses)
        section "Memory pipe" '| Command | Result | Time |' '|---|---|---:|' \
            "Random accesses with random delays and back-pressure, flushes, acquires, ends of blocks and begins of grids."
        random HEDDLE_MEMORY_ACCESSES=10000000 'random accesses' release/tests/unit/simt_core/test_simt_core_memory 'memory_random/*whatever_the_shape'
        ;;
    requests)
        section "L2 slices" '| Requests | Result | Time |' '|---|---|---:|' \
            "Random requests at three ports, credits held back, a memory that answers out of order: write-back and write-through, with and without sectors, each replacement policy, tiny caches, few MSHRs. Compared with a memory that carries them out in the order of acceptance."
        random HEDDLE_L2_REQUESTS=10000000 'l2 requests' release/tests/unit/l2_slice/test_l2_slice 'l2_slice/*in_the_order_of_acceptance'
        ;;
    schedules)
        section "Schedules of transactions" '| Schedules, or rule | Result | Time |' '|---|---|---:|' \
            "Random programs on random machines with tiny tables, replayed in the protocol's order and searched for circles of conflicts. Each rule turned back to the plain reading has to be found."
        schedules
        ;;
    dram)
        section "DRAM" '| Command | Result | Time |' '|---|---|---:|' \
            "Random requests with random back-pressure, up to three ports, every scheduler and page policy, fixed latency too."
        random HEDDLE_DRAM_REQUESTS=10000000 'random requests' release/tests/unit/dram/test_dram 'dram_random/*'
        ;;
    litmus)
        section "Memory model" '| Command | Result | Time |' '|---|---|---:|' \
            "The litmus tests of docs/memory-model.md, each seed with delays of its own."
        litmus
        ;;
    cards)
        section "Cards" '| Command | Result | Time |' '|---|---|---:|' "Known answers of every card, and the tables of docs/cards.md."
        judged env HEDDLE_CARDS=all "$builds/release/tests/system/cards/test_cards"
        row "| \`HEDDLE_CARDS=all\` | $verdict | $seconds s |"
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
    mutation)
        section "Mutation" '| Command | Result | Verdict | Time |' '|---|---|---|---:|' \
            "Small mistakes in the sources, each of which a test has to notice. $(basename "$mutation_report") has the survivors."
        mutation
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
[ $# -gt 0 ] || set -- paper_size mimd_style transactions programs pairs progress same fast instructions vectors kernels dynamic_warps moves networks requests accesses schedules dram litmus cards traffic sweeps memory fuzzing sanitizers mutation
for name in "$@"; do
    part "$name"
done

[ "$failures" = 0 ] || echo "$failures failures" >&2
[ "$failures" = 0 ]
