/* SPDX-License-Identifier: MIT */
/* Random programs give the same results on every machine: with a path per lane they are what each thread alone would do. */
#include "core_profiled.h"
#include "core_random_program.h"
#include "core_rig.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define PROGRAMS 200u
#define BLOCKS 3u
#define MOST_THREADS 80u
#define RESULTS (BLOCKS * MOST_THREADS * RANDOM_RESULT_WORDS)

typedef struct outcome {
    uint32_t words[RESULTS];
    uint32_t shared[8];
    uint64_t thread_instructions;
    uint64_t fingerprint;
} outcome;

static const char *const mimd[] = {"reconvergence=mimd", "simd_width=64", "schedulers=4", "fetch.width=8", NULL};
static const char *const stack[] = {"reconvergence=stack", NULL};
static const char *const caches[] = {"instruction_cache.bytes=256 B",
                                     "instruction_cache.line=32 B",
                                     "constant_cache.bytes=128 B",
                                     "instruction_cache.mshr_merges=1",
                                     "issue.per_warp=2",
                                     "issue.different_units=false",
                                     NULL};
static const char *const wide[] = {"lanes=64",
                                   "warps=24",
                                   "scheduler=lrr",
                                   "l1.global=cache",
                                   "l1.mshrs=2",
                                   "instruction_cache.bytes=2 KiB",
                                   "registers.banks=4",
                                   "write_back.width=2",
                                   "write_back.one_per_port=true",
                                   "registers.collectors=3",
                                   "registers.bank_interval=2 cycles",
                                   NULL};
static const char *const modern[] = {
    "l1.global=cache",     "l1.bytes=3 KiB",         "l1.sector=32 B",
    "l1.allocate=on_fill", "l1.write=through",       "l1.write_allocate=validate",
    "l1.port_bytes=64 B",  "memory.lanes=16",        "memory.address.interval=4 cycles",
    "scratchpad.group=16", "atomic.request=sectors", NULL};
static const char *const odd[] = {"lanes=5",
                                  "simd_width=2",
                                  "warps=70",
                                  "schedulers=3",
                                  "reconvergence.stack.first=fewer",
                                  "l1.global=cache",
                                  "memory.accesses=3",
                                  "scoreboard=simple",
                                  "l1.bytes=768 B",
                                  "memory.queue=1",
                                  "memory.sector=64 B",
                                  "l1.mshr_merges=1",
                                  "register_read.latency=0 cycles",
                                  "instruction_cache.bytes=64 B",
                                  "instruction_cache.line=64 B",
                                  "instruction_cache.ways=1",
                                  "instruction_cache.mshrs=1",
                                  "registers.banks=3",
                                  "registers.read_window=5 cycles",
                                  "registers.bank_interval=1 cycle",
                                  "write_back.width=1",
                                  "write_back.one_per_port=true",
                                  "issue.per_warp=2",
                                  NULL};

/* Hashes of two bits take most loops for spinning. */
#define HELD_BACK(scheduler)                                                                                           \
    {                                                                                                                  \
        "scheduler=" scheduler, "spin=ddos", "spin.ddos.hash=modulo", "spin.ddos.path_bits=2",                         \
            "spin.ddos.value_bits=2", "spin.ddos.threshold=1", "back_off=bows", "back_off.bows.minimum=20 cycles",     \
            "back_off.bows.window=100 cycles", NULL                                                                    \
    }
static const char *const held_back[][10] = {HELD_BACK("cawa"), HELD_BACK("gto"), HELD_BACK("lrr")};

/* Lanes that have parted take turns, or run side by side. */
static const char *const splits[][5] = {
    {"reconvergence=aware", "reconvergence.aware.rotate=all", NULL},
    {"reconvergence=aware", "reconvergence.aware.splits=1", "reconvergence.aware.meetings=1", NULL},
    {"reconvergence=mp", "reconvergence.mp.delayed=true", NULL},
    {"reconvergence=mp", "reconvergence.mp.splits=3", "reconvergence.mp.early=true", "scoreboard=reserved_masks",
     NULL}};

static uint64_t schedulers_of(const char *const *parameters)
{
    for (; *parameters; parameters++) {
        if (!strncmp(*parameters, "schedulers=", 11))
            return (uint64_t)((*parameters)[11] - '0');
    }
    return 2;
}

static void check_identities(kit_block *kit, uint64_t schedulers, uint64_t seed)
{
    uint64_t slots = 0, lanes = 0, classes = 0;
    for (uint32_t i = 0; i < hd_simt_core_timed.statistic_count; i++) {
        const char *name = hd_simt_core_timed.statistics[i].name;
        slots += strncmp(name, "slots_", 6) ? 0 : kit_statistic(kit, name);
        lanes += strncmp(name, "lanes_", 6) ? 0 : kit_statistic(kit, name);
        classes += strstr(name, "_instructions") && !strstr(name, "warp_") && !strstr(name, "thread_")
                       ? kit_statistic(kit, name)
                       : 0;
    }
    uint64_t issued = kit_statistic(kit, "warp_instructions");
    cr_expect_eq(slots, kit_statistic(kit, "cycles") * schedulers, "seed %lu", seed);
    cr_expect_eq(kit_statistic(kit, "slots_issued") + kit_statistic(kit, "dual_issues"), issued, "seed %lu", seed);
    cr_expect_eq(lanes, issued, "seed %lu", seed);
    cr_expect_eq(classes, issued, "seed %lu", seed);
    cr_expect_eq(kit_statistic(kit, "loads") + kit_statistic(kit, "stores") + kit_statistic(kit, "atomics"),
                 kit_statistic(kit, "memory_instructions"), "seed %lu", seed);
}

static void run(const char *const *parameters, const uint32_t *words, uint64_t seed, uint64_t disturbance, outcome *o)
{
    uint32_t threads = 1 + (uint32_t)(seed * 7919 % MOST_THREADS);
    core_rig *rig = rig_create(parameters, words);
    core_profiled profiled = profiled_begin(rig, words);
    kit_disturb(rig_kit(rig), disturbance);
    for (uint32_t block = 0; block < BLOCKS; block++) {
        hd_grid grid = {.grid_size = {BLOCKS, 1, 1},
                        .block_size = {threads, 1, 1},
                        .scratchpad_bytes = threads * 4 + 32,
                        .private_bytes = 128};
        rig_launch_grid(rig, &grid, (uint32_t[]){block, 0, 0}, 0);
    }
    rig_finish(rig);
    for (uint32_t i = 0; i < RESULTS; i++)
        o->words[i] = rig_word(rig, DATA + 4 * i);
    for (uint32_t i = 0; i < 8; i++)
        o->shared[i] = rig_word(rig, DATA + RANDOM_SHARED_OFFSET + 4 * i);
    o->thread_instructions = kit_statistic(rig_kit(rig), "thread_instructions");
    check_identities(rig_kit(rig), schedulers_of(parameters), seed);
    char what[32];
    snprintf(what, sizeof what, "seed %lu", seed);
    profiled_expect_identities(&profiled, what);
    o->fingerprint = kit_fingerprint(rig_kit(rig)) ^ profiled_fingerprint(&profiled);
    rig_destroy(rig);
    profiled_end(&profiled);
}

static void compare(const outcome *expected, const outcome *got, uint64_t seed, const char *machine)
{
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < RESULTS && !wrong; i++)
        wrong = expected->words[i] != got->words[i] ? i + 1 : 0;
    cr_expect_eq(wrong, 0, "seed %lu, %s: word %u is 0x%x, not 0x%x", seed, machine, wrong - 1,
                 got->words[wrong ? wrong - 1 : 0], expected->words[wrong ? wrong - 1 : 0]);
    cr_expect_eq(memcmp(expected->shared, got->shared, sizeof got->shared), 0, "seed %lu, %s: shared words", seed,
                 machine);
    cr_expect_eq(expected->thread_instructions, got->thread_instructions, "seed %lu, %s", seed, machine);
}

Test(simt_core, random_programs_do_the_same_everywhere)
{
    static uint32_t words[RANDOM_WORDS];
    static outcome reference, other, again;
    uint64_t first = 20260101;
    fprintf(stderr, "random programs: seeds %lu to %lu\n", first, first + PROGRAMS - 1);
    for (uint64_t seed = first; seed < first + PROGRAMS; seed++) {
        random_program(seed, words);
        run(mimd, words, seed, 0, &reference);
        run(stack, words, seed, 0, &other);
        compare(&reference, &other, seed, "stack");
        const char *const *disturbed = seed % 2 ? stack : caches;
        if (disturbed == caches) {
            run(caches, words, seed, 0, &other);
            compare(&reference, &other, seed, "small caches of code and constants");
        }
        run(disturbed, words, seed, seed, &again);
        cr_expect_eq(again.fingerprint, other.fingerprint, "seed %lu: other horizons", seed);
        run(wide, words, seed, 0, &other);
        compare(&reference, &other, seed, "64 lanes");
        run(wide, words, seed, seed, &again);
        cr_expect_eq(again.fingerprint, other.fingerprint, "seed %lu: other horizons, 64 lanes", seed);
        run(held_back[seed % 3], words, seed, 0, &other);
        compare(&reference, &other, seed, "held back");
        run(held_back[seed % 3], words, seed, seed, &again);
        cr_expect_eq(again.fingerprint, other.fingerprint, "seed %lu: other horizons, held back", seed);
        run(splits[seed % 4], words, seed, seed, &other);
        compare(&reference, &other, seed, splits[seed % 4][0]);
        run(modern, words, seed, seed, &other);
        compare(&reference, &other, seed, "sectors and address units");
        run(odd, words, seed, seed, &other);
        compare(&reference, &other, seed, "5 lanes");
        run(odd, words, seed, seed + 1, &again);
        cr_expect_eq(again.fingerprint, other.fingerprint, "seed %lu: other horizons, 5 lanes", seed);
    }
}
