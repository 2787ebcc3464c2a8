/* SPDX-License-Identifier: MIT */
/*
 * Random programs whose blocks are stopped at random cycles and moved between two cores do what they do undisturbed: the
 * same results of every thread, instruction counts and float flags included, and the same sums of everything that does not
 * depend on time.
 *
 * By the functions of hd_context.h, and by the messages of a scheduler, which may also stop a block that has just come.
 *
 * HEDDLE_MOVE_PROGRAMS = how many programs (default 12), HEDDLE_MOVE_SEED = seed of the first.
 */
#include "core_courier.h"
#include "core_random_program.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 3u
#define MOST_THREADS 80u
#define RESULTS (BLOCKS * MOST_THREADS * RANDOM_RESULT_WORDS)
#define LONGEST_PAUSE 120u /* cycles between two moves, and while a block is stopped */

/* Many: a slow block that is told to stop again while it enters issues one instruction before it does. */
#define MOST_ROUNDS 50000u

/* What does not depend on time. */
static const char *const sums[] = {"warp_instructions",
                                   "thread_instructions",
                                   "integer_instructions",
                                   "float_instructions",
                                   "memory_instructions",
                                   "control_instructions",
                                   "synchronisation_instructions",
                                   "divergent_branches",
                                   "lanes_1_4",
                                   "lanes_29_32",
                                   "blocks_run",
                                   "warps_run",
                                   "threads_run",
                                   "barriers_released",
                                   "loads",
                                   "stores",
                                   "atomics",
                                   "wide_accesses",
                                   "lane_accesses",
                                   "scratchpad_passes",
                                   "atomic_bytes"};
#define SUMS (sizeof sums / sizeof *sums)

static const uint64_t tags[BLOCKS] = {0, 1, RIG_SECOND_TAG};

typedef struct outcome {
    uint32_t words[RESULTS];
    uint32_t shared[8];
    uint64_t sums[SUMS];
    uint64_t fingerprints[2];
} outcome;

typedef struct machine {
    const char *name;
    const char *const *first, *const *second;
} machine;

#define STREAM "context.engine=stream", "context.bytes_per_cycle=64 B"
#define SLOW_STREAM "context.engine=stream"

static const char *const stack[] = {"reconvergence=stack", STREAM, NULL};
static const char *const stack_cached[] = {"l1.global=cache",        "l1.bytes=768 B",   "scheduler=lrr",
                                           "write_back.width=1",     "issue.per_warp=2", "registers.banks=4",
                                           "registers.collectors=2", SLOW_STREAM,        NULL};
static const char *const mimd[] = {"reconvergence=mimd", "simd_width=64", "schedulers=4",
                                   "fetch.width=8",      STREAM,          NULL};
static const char *const wide[] = {"lanes=64", "warps=24", "l1.global=cache", "scoreboard=simple", STREAM, NULL};
static const char *const modern[] = {"l1.global=cache",
                                     "l1.bytes=3 KiB",
                                     "l1.sector=32 B",
                                     "l1.allocate=on_fill",
                                     "l1.write=through",
                                     "l1.write_allocate=validate",
                                     "l1.port_bytes=64 B",
                                     "memory.lanes=16",
                                     "memory.address.interval=4 cycles",
                                     "scratchpad.group=16",
                                     "atomic.request=sectors",
                                     STREAM,
                                     NULL};
static const char *const odd[] = {"lanes=5",
                                  "simd_width=2",
                                  "warps=70",
                                  "schedulers=3",
                                  "blocks=3",
                                  "memory.accesses=3",
                                  "memory.queue=1",
                                  "l1.bytes=768 B",
                                  "l1.mshr_merges=1",
                                  "l1.global=cache",
                                  "memory.sector=64 B",
                                  SLOW_STREAM,
                                  NULL};

static const char *const code[] = {"instruction_cache.bytes=256 B",
                                   "instruction_cache.ways=1",
                                   "instruction_cache.mshr_merges=1",
                                   "constant_cache.bytes=128 B",
                                   STREAM,
                                   NULL};

static const char *const in_memory[] = {STREAM, "context.storage=memory", NULL};
static const char *const in_memory_cached[] = {"registers_per_thread=64",
                                               "context.storage=memory",
                                               "context.cacheable=l1l2",
                                               "context.bytes_per_cycle=0 B",
                                               "context.engine=stream",
                                               "l1.global=cache",
                                               NULL};

#define IN_BUFFERS STREAM, "context.storage=buffer"
static const char *const in_buffers[] = {IN_BUFFERS, NULL};
static const char *const in_buffers_odd[] = {IN_BUFFERS,
                                             "context.bytes_per_cycle=0 B",
                                             "context.buffer_bytes_per_cycle=0 B",
                                             "lanes=5",
                                             "warps=70",
                                             "blocks=3",
                                             "l1.global=cache",
                                             NULL};
#define SHUFFLED(unit)                                                                                                 \
    IN_BUFFERS, "context.dead=marks", "context.compress=move", "context.scratchpad=written", "reconvergence=" unit
static const char *const shuffled_stack[] = {SHUFFLED("stack"), NULL};
static const char *const shuffled_mimd[] = {SHUFFLED("mimd"), NULL};
static const char *const shuffled_aware[] = {SHUFFLED("aware"), NULL};
static const char *const shuffled_mp[] = {SHUFFLED("mp"), NULL};
static const char *const shuffled_block[] = {SHUFFLED("block_stack"), "l1.global=bypass", NULL};
static const char *const shuffled_dwf[] = {SHUFFLED("dwf"), NULL};
static const char *const shuffled_dwf_wb[] = {SHUFFLED("dwf_wb"), NULL};

/* Dead registers stay behind, and are garbage where the block goes on. */
#define MARKS STREAM, "context.dead=marks"
#define ORACLE STREAM, "context.dead=oracle"
static const char *const marks[] = {MARKS, NULL};
static const char *const marks_in_memory[] = {MARKS, "context.storage=memory", "registers_per_thread=12", NULL};
static const char *const marks_mimd[] = {MARKS, "reconvergence=mimd", "lanes=5", "warps=60", NULL};
static const char *const oracle[] = {ORACLE, "issue.per_warp=2", NULL};
static const char *const oracle_mimd[] = {ORACLE, "reconvergence=mimd", "lanes=64", "warps=24", NULL};
static const char *const marks_mp[] = {MARKS, "reconvergence=mp", NULL};
/* Without a time-out: which lanes run together would depend on how long a block is away. */
static const char *const oracle_aware[] = {ORACLE, "reconvergence=aware", "reconvergence.aware.timeout=0 cycles", NULL};
static const char *const marks_block[] = {MARKS, "reconvergence=block_stack", "l1.global=bypass", NULL};
static const char *const oracle_dwf[] = {ORACLE, "reconvergence=dwf", NULL};
static const char *const oracle_dwf_wb[] = {ORACLE, "reconvergence=dwf_wb", NULL};
#define WRITTEN "context.scratchpad=written"
#define PATTERNS(where) "context.compress=" where
static const char *const patterns[] = {STREAM, PATTERNS("move"), WRITTEN, NULL};
static const char *const patterns_written[] = {MARKS, PATTERNS("write"), "context.compress_cache=128 B", NULL};
static const char *const patterns_mimd[] = {ORACLE,    PATTERNS("move"), "reconvergence=mimd",
                                            "lanes=5", "warps=60",       NULL};
static const char *const patterns_mp[] = {ORACLE, PATTERNS("write"), WRITTEN, "reconvergence=mp", NULL};
static const char *const patterns_block[] = {MARKS, PATTERNS("write"), "reconvergence=block_stack", NULL};
static const char *const patterns_dwf[] = {STREAM,     PATTERNS("write"), WRITTEN, "reconvergence=dwf",
                                           "lanes=64", "warps=24",        NULL};
static const char *const patterns_in_memory[] = {ORACLE,
                                                 PATTERNS("move"),
                                                 WRITTEN,
                                                 "context.scratchpad_entries=5",
                                                 "context.storage=memory",
                                                 "registers_per_thread=64",
                                                 "reconvergence=aware",
                                                 "reconvergence.aware.timeout=0 cycles",
                                                 NULL};

static const machine machines[] = {{"stack", stack, stack},
                                   {"two kinds of caches", stack, stack_cached},
                                   {"mimd", mimd, mimd},
                                   {"64 lanes", wide, wide},
                                   {"5 lanes", odd, odd},
                                   {"instruction cache", code, code},
                                   {"contexts in memory", in_memory, in_memory},
                                   {"contexts in memory and caches", in_memory_cached, in_memory_cached},
                                   {"by buffers", in_buffers, in_buffers},
                                   {"by buffers, 5 lanes", in_buffers_odd, in_buffers_odd},
                                   {"shuffled, stack", shuffled_stack, shuffled_stack},
                                   {"shuffled, mimd", shuffled_mimd, shuffled_mimd},
                                   {"shuffled, aware", shuffled_aware, shuffled_aware},
                                   {"shuffled, mp", shuffled_mp, shuffled_mp},
                                   {"shuffled, block_stack", shuffled_block, shuffled_block},
                                   {"shuffled, dwf", shuffled_dwf, shuffled_dwf},
                                   {"shuffled, dwf_wb", shuffled_dwf_wb, shuffled_dwf_wb},
                                   {"marked registers", marks, marks},
                                   {"marked registers in memory", marks_in_memory, marks_in_memory},
                                   {"marked registers, mimd", marks_mimd, marks_mimd},
                                   {"oracle", oracle, oracle},
                                   {"oracle, mimd", oracle_mimd, oracle_mimd},
                                   {"marked registers, mp", marks_mp, marks_mp},
                                   {"oracle, aware", oracle_aware, oracle_aware},
                                   {"marked registers, block_stack", marks_block, marks_block},
                                   {"oracle, dwf", oracle_dwf, oracle_dwf},
                                   {"oracle, dwf_wb", oracle_dwf_wb, oracle_dwf_wb},
                                   {"patterns", patterns, patterns},
                                   {"patterns, as written", patterns_written, patterns_written},
                                   {"patterns, mimd", patterns_mimd, patterns_mimd},
                                   {"patterns, mp", patterns_mp, patterns_mp},
                                   {"patterns, block_stack", patterns_block, patterns_block},
                                   {"patterns, dwf", patterns_dwf, patterns_dwf},
                                   {"patterns in memory, aware", patterns_in_memory, patterns_in_memory},
                                   {"sectors and address units", modern, modern}};
#define MACHINES (sizeof machines / sizeof *machines)

static uint64_t option(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

static core_pair *begin(const machine *m, const uint32_t *words, uint64_t seed, uint64_t disturbance)
{
    core_pair *pair = pair_create(m->first, m->second, words);
    uint32_t threads = 1 + (uint32_t)(seed * 7919 % MOST_THREADS);
    hd_grid grid = {.grid_size = {BLOCKS, 1, 1},
                    .block_size = {threads, 1, 1},
                    .scratchpad_bytes = threads * 4 + 32,
                    .private_bytes = 128};
    for (uint32_t core = 0; core < 2; core++)
        kit_disturb(rig_kit(pair->rig[core]), disturbance);
    for (uint32_t block = 0; block < BLOCKS; block++)
        rig_launch_grid(pair->rig[block == 2], &grid, (uint32_t[]){block, 0, 0}, 0);
    return pair;
}

static void end(core_pair *pair, outcome *o)
{
    pair_finish(pair, BLOCKS);
    for (uint32_t i = 0; i < RESULTS; i++)
        o->words[i] = rig_word(pair->rig[0], DATA + 4 * i);
    for (uint32_t i = 0; i < 8; i++)
        o->shared[i] = rig_word(pair->rig[0], DATA + RANDOM_SHARED_OFFSET + 4 * i);
    for (uint32_t i = 0; i < SUMS; i++)
        o->sums[i] = pair_statistic(pair, sums[i]);
    for (uint32_t core = 0; core < 2; core++)
        o->fingerprints[core] = kit_fingerprint(rig_kit(pair->rig[core]));
    pair_destroy(pair);
}

static void run_moving(const machine *m, const uint32_t *words, uint64_t seed, uint64_t disturbance, outcome *o,
                       pair_moves *counts)
{
    core_pair *pair = begin(m, words, seed, disturbance);
    uint64_t random = seed;
    pair_run(pair, 20);
    for (uint32_t rounds = 0; rig_done(pair->rig[0]) + rig_done(pair->rig[1]) < BLOCKS; rounds++) {
        cr_assert_lt(rounds, MOST_ROUNDS, "seed %lu, %s: no end", seed, m->name);
        pair_run(pair, 1 + kit_random(&random) % LONGEST_PAUSE);
        pair_disturb(pair, tags[kit_random(&random) % BLOCKS], LONGEST_PAUSE, &random, counts);
    }
    end(pair, o);
}

static uint32_t has_buffers(const machine *m)
{
    uint32_t found = 0;
    for (uint32_t i = 0; m->first[i]; i++)
        found |= !strcmp(m->first[i], "context.storage=buffer");
    return found;
}

/* Something that the scheduler may do with the block. Three in four get a buffer, where there are some: one that is too small, or not. */
static void decide(const machine *m, courier *c, uint64_t tag, uint64_t *random)
{
    static const uint64_t sizes[] = {0, 1024, 4096, 65536};
    courier_block *block = &c->blocks[tag];
    c->buffer_bytes = has_buffers(m) ? sizes[kit_random(random) % 4] : 0;
    if (block->place == COURIER_HERE)
        courier_restore(c, tag, kit_random(random) % 2);
    if (block->place < COURIER_HERE && !block->stops && kit_random(random) % 2)
        courier_stop(c, tag);
}

static void run_by_messages(const machine *m, const uint32_t *words, uint64_t seed, uint64_t disturbance, outcome *o,
                            pair_moves *counts)
{
    core_pair *pair = begin(m, words, seed, disturbance);
    courier *c = courier_create(pair);
    uint64_t random = seed;
    for (uint32_t rounds = 0; rig_done(pair->rig[0]) + rig_done(pair->rig[1]) < BLOCKS; rounds++) {
        cr_assert_lt(rounds, MOST_ROUNDS, "seed %lu, %s: no end", seed, m->name);
        pair_run(pair, 1 + kit_random(&random) % LONGEST_PAUSE);
        courier_take(c);
        decide(m, c, tags[kit_random(&random) % BLOCKS], &random);
    }
    for (uint32_t block = 0; block < BLOCKS; block++) {
        counts->moves += c->blocks[tags[block]].saved;
        counts->ended += c->blocks[tags[block]].stops;
    }
    courier_destroy(c);
    end(pair, o);
}

/* Which lanes run together depends on time. */
static uint32_t regroups(const machine *m)
{
    uint32_t found = 0;
    for (uint32_t i = 0; m->first[i]; i++)
        found |= !strncmp(m->first[i], "reconvergence=dwf", 17) || !strcmp(m->first[i], "reconvergence=block_stack");
    return found;
}

static void compare(const outcome *expected, const outcome *got, uint64_t seed, const machine *m)
{
    const char *const name = m->name;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < RESULTS && !wrong; i++)
        wrong = expected->words[i] != got->words[i] ? i + 1 : 0;
    cr_expect_eq(wrong, 0, "seed %lu, %s: word %u of thread %u is 0x%x, not 0x%x", seed, name,
                 (wrong - 1) % RANDOM_RESULT_WORDS, (wrong - 1) / RANDOM_RESULT_WORDS,
                 got->words[wrong ? wrong - 1 : 0], expected->words[wrong ? wrong - 1 : 0]);
    cr_expect_arr_eq(expected->shared, got->shared, sizeof got->shared, "seed %lu, %s: shared words", seed, name);
    for (uint32_t i = 0; i < SUMS && !regroups(m); i++)
        cr_expect_eq(expected->sums[i], got->sums[i], "seed %lu, %s: %s is %lu, not %lu", seed, name, sums[i],
                     got->sums[i], expected->sums[i]);
}

typedef void mover(const machine *m, const uint32_t *words, uint64_t seed, uint64_t disturbance, outcome *o,
                   pair_moves *counts);

static pair_moves run_from(mover *moving, uint64_t first, uint64_t programs)
{
    static uint32_t words[RANDOM_WORDS];
    static outcome still, moved, again;
    pair_moves counts = {0}, same = {0};
    for (uint64_t seed = first; seed < first + programs; seed++) {
        random_program(seed, words);
        for (uint32_t m = 0; m < MACHINES; m++) {
            end(begin(&machines[m], words, seed, 0), &still);
            moving(&machines[m], words, seed, 0, &moved, &counts);
            compare(&still, &moved, seed, &machines[m]);
            if (seed % MACHINES != m)
                continue;
            moving(&machines[m], words, seed, seed, &again, &same);
            cr_expect_arr_eq(again.fingerprints, moved.fingerprints, sizeof moved.fingerprints,
                             "seed %lu, %s: other horizons", seed, machines[m].name);
        }
    }
    fprintf(stderr, "moved blocks: seeds %lu to %lu, %u moves, %u stopped and resumed, %u ended while they stopped\n",
            first, first + programs - 1, counts.moves, counts.resumed, counts.ended);
    cr_expect_gt(counts.moves, programs);
    cr_expect_gt(counts.ended, 0);
    return counts;
}

static pair_moves run_all(mover *moving)
{
    return run_from(moving, option("HEDDLE_MOVE_SEED", 20260301), option("HEDDLE_MOVE_PROGRAMS", 12));
}

/* A block that is to stop once it has got on may do so at any edge at which others issue. */
Test(simt_core, blocks_leave_no_earlier_than_is_promised)
{
    run_from(run_by_messages, 9250005, 1);
}

Test(simt_core, random_programs_do_the_same_when_their_blocks_move, .timeout = 3600)
{
    cr_expect_gt(run_all(run_moving).resumed, 0);
}

Test(simt_core, random_programs_do_the_same_when_messages_move_their_blocks, .timeout = 3600)
{
    run_all(run_by_messages);
}
