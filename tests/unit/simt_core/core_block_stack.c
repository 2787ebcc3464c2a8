/* SPDX-License-Identifier: MIT */
/*
 * Thread block compaction, in many of its shapes: random programs without warp-synchronous code do what each thread alone does,
 * undisturbed and while their blocks move.
 *
 * HEDDLE_BLOCK_STACK_PROGRAMS = how many programs (default 40), HEDDLE_BLOCK_STACK_SEED = seed of the first.
 */
#include "core_alone.h"
#include "core_rig.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define UNIT "reconvergence=block_stack"
#define P "reconvergence.block_stack."

/* How threads are compacted, and which block is served first. */
static const char *const shapes[][6] = {
    {UNIT, NULL},
    {UNIT, "scheduler=block", P "static_when_no_gain=true", P "compactors=2", NULL},
    {UNIT, P "drain=false", P "compactor.latency=7 cycles", P "first=fewer", NULL},
    {UNIT, P "entries=1", P "fill_latency=20 cycles", P "compactor.warps=3", NULL},
    {UNIT, "scheduler=block", "scheduler.block.policy=round_robin", P "resume_when_uniform=true", P "first=not_taken",
     NULL},
    {UNIT, "scheduler=block", "scheduler.block.policy=sticky_round_robin", P "compaction=false", P "arrivals=2", NULL},
};
#define SHAPES (sizeof shapes / sizeof *shapes)

static const char *const *shaped(const alone_machine *machine, uint64_t shape)
{
    return alone_with(machine, shapes[shape]);
}

Test(simt_core_block_stack, random_programs_do_what_each_thread_does_alone, .timeout = 36000)
{
    static uint32_t words[RANDOM_WORDS];
    static alone_outcome reference, other, again;
    const uint64_t first = alone_option("HEDDLE_BLOCK_STACK_SEED", 20260901),
                   programs = alone_option("HEDDLE_BLOCK_STACK_PROGRAMS", 40);
    for (uint64_t seed = first; seed < first + programs; seed++) {
        random_program(seed, words);
        alone_run(alone_mimd, words, seed, 0, &reference);
        for (uint64_t shape = 0; shape < SHAPES; shape++) {
            const alone_machine *machine = &alone_machines[(seed + shape) % ALONE_MACHINES];
            alone_run(shaped(machine, shape), words, seed, 0, &other);
            alone_compare(&reference, &other, seed, machine->name, shapes[shape][1] ? shapes[shape][1] : UNIT);
            if (seed % SHAPES != shape)
                continue;
            alone_run(shaped(machine, shape), words, seed, seed, &again);
            cr_expect_eq(again.fingerprint, other.fingerprint, "seed %lu, %s: other horizons", seed, machine->name);
        }
    }
    fprintf(stderr, "compacted blocks: seeds %lu to %lu, each shape\n", first, first + programs - 1);
}

Test(simt_core_block_stack, compacted_blocks_move, .timeout = 36000)
{
    static uint32_t words[RANDOM_WORDS];
    static alone_outcome reference, moved;
    const uint64_t first = alone_option("HEDDLE_BLOCK_STACK_SEED", 20261001),
                   programs = alone_option("HEDDLE_BLOCK_STACK_PROGRAMS", 40) / 4;
    uint32_t moves = 0;
    for (uint64_t seed = first; seed < first + programs; seed++) {
        random_program(seed, words);
        alone_run(alone_mimd, words, seed, 0, &reference);
        for (uint64_t m = 0; m < SHAPES; m++) {
            const alone_machine *machine = &alone_machines[(seed + m) % ALONE_MACHINES];
            moves += alone_run_moving(shaped(machine, m), words, seed, &moved);
            alone_compare(&reference, &moved, seed, machine->name, "moved");
        }
    }
    fprintf(stderr, "moved compacted blocks: seeds %lu to %lu, %u moves\n", first, first + programs - 1, moves);
    cr_expect_gt(moves, 4 * programs);
}
