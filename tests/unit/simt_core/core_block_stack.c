/* SPDX-License-Identifier: MIT */
/*
 * Thread block compaction, in many of its shapes: random programs without warp-synchronous code do what each thread alone does,
 * undisturbed and while their blocks move.
 *
 * HEDDLE_BLOCK_STACK_PROGRAMS = how many programs (default 40), HEDDLE_BLOCK_STACK_SEED = seed of the first.
 */
#include "analysis.h"
#include "core_alone.h"
#include "core_rig.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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
    {UNIT, P "likely_points=loops", P "drain=false", NULL},
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

/* ---- Likely-convergence points ----------------------------------------------------------------------------------------------- */

static uint64_t likely_seed;

/* Any place within a few instructions behind the branch, at most branches. */
static int draw_likely_points(const isa_program *program, uint32_t *values, char *error, size_t error_bytes)
{
    uint64_t random = likely_seed;
    (void)error, (void)error_bytes;
    for (uint32_t i = 0; i < program->text_bytes / 4; i++) {
        const uint32_t to = i + 1 + (uint32_t)(kit_random(&random) % 16);
        if (program->instructions[i].instruction_class == ISA_CLASS_BRANCH && kit_random(&random) % 4 &&
            to < program->text_bytes / 4)
            values[i] = program->text_address + 4 * to;
    }
    return 0;
}

static const isa_analysis any_likely_points = {.name = "likely_convergence", .doc = "any", .fill = draw_likely_points};

/* With stacks of warps and of blocks. */
Test(simt_core_block_stack, random_programs_do_the_same_with_any_likely_points, .timeout = 36000)
{
    static const char *const likely[][4] = {{"reconvergence=stack", "reconvergence.stack.likely_points=loops", NULL},
                                            {UNIT, P "likely_points=loops", NULL},
                                            {UNIT, P "likely_points=loops", P "resume_when_uniform=true", NULL}};
    static uint32_t words[RANDOM_WORDS];
    static alone_outcome reference, other;
    const uint64_t first = alone_option("HEDDLE_BLOCK_STACK_SEED", 20261101),
                   programs = alone_option("HEDDLE_BLOCK_STACK_PROGRAMS", 40);
    rig_changes(NULL, &any_likely_points);
    for (uint64_t seed = first; seed < first + programs; seed++) {
        likely_seed = seed;
        random_program(seed, words);
        alone_run(alone_mimd, words, seed, 0, &reference);
        for (uint32_t i = 0; i < sizeof likely / sizeof *likely; i++) {
            const alone_machine *machine = &alone_machines[(seed + i) % ALONE_MACHINES];
            alone_run(alone_with(machine, likely[i]), words, seed, 0, &other);
            alone_compare(&reference, &other, seed, machine->name, likely[i][1]);
            if (seed % 4 == 0)
                alone_run_moving(alone_with(machine, likely[i]), words, seed, &other);
            alone_compare(&reference, &other, seed, machine->name, likely[i][1]);
        }
    }
    rig_changes(NULL, NULL);
    fprintf(stderr, "any likely points: seeds %lu to %lu\n", first, first + programs - 1);
}

/* ---- How many warps a branch takes --------------------------------------------------------------------------------------------- */

#define LANES 32u
#define BODY 12u /* instructions of each side */
#define BEFORE 11u
#define WORDS (DATA + 0x1000u)
#define HALF (2048 - 1) /* of 4096, but for what an immediate can hold */

/* Threads whose word is below the threshold, of 4096, go one way, the others the other. */
static void write_hammock(uint32_t threshold, uint32_t words[BEFORE + 2 * BODY + 2])
{
    const uint32_t before[BEFORE] = {
        csrr(T0, 0xCC0),
        csrr(T1, 0xCC3),
        csrr(T2, 0xCC6),
        mul(T1, T1, T2),
        add(T0, T0, T1),
        slli(T0, T0, 2),
        lui(A5, WORDS),
        add(A5, A5, T0),
        lw(A0, 0, A5),
        lui(A1, 0),
        addi(A1, A1, (int32_t)threshold),
    };
    uint32_t count = 0;
    for (; count < BEFORE; count++)
        words[count] = before[count];
    words[count++] = blt(A0, A1, 4 * (int32_t)(BODY + 1));
    for (uint32_t i = 0; i < 2 * BODY; i++)
        words[count++] = i + 1 == BODY ? jal(ZERO, 4 * (int32_t)(BODY + 1)) : addi(A2, A2, 1);
    words[count++] = ret();
    words[count] = 0;
}

/* Warps that run the two sides, of a block of so many launched ones, on average. */
static double measure_sides(const char *unit, uint32_t warps, uint32_t threshold)
{
    const uint32_t blocks = 30 + 480 / warps; /* more where each of them says less */
    uint32_t words[BEFORE + 2 * BODY + 3];
    char text[48];
    uint64_t random = 1 + threshold + warps;
    const char *const parameters[] = {text, "warps=96", "blocks=8", "fetch.width=4", NULL};
    const hd_grid grid = {.grid_size = {blocks, 1, 1}, .block_size = {warps * LANES, 1, 1}};
    snprintf(text, sizeof text, "reconvergence=%s", unit);
    write_hammock(threshold, words);
    core_rig *rig = rig_create(parameters, words);
    for (uint32_t i = 0; i < blocks * warps * LANES; i++)
        rig_set_word(rig, WORDS + 4 * i, (uint32_t)(kit_random(&random) % 4096));
    for (uint32_t block = 0; block < blocks; block++)
        rig_launch_grid(rig, &grid, (uint32_t[]){block, 0, 0}, 0);
    rig_finish(rig);
    const uint64_t instructions = kit_statistic(rig_kit(rig), "warp_instructions");
    rig_destroy(rig);
    return (double)(instructions - blocks * warps * (BEFORE + 2)) / BODY / blocks;
}

/* The most of LANES binomial numbers, on average: over n, that one at least is above n. */
static double most_of_lanes(uint32_t warps, double p)
{
    double expected = 0, below = 0, term = pow(1 - p, warps);
    for (uint32_t n = 0; n < warps; n++) {
        below += term;
        expected += 1 - pow(below, LANES);
        term *= (warps - n) / (n + 1.0) * p / (1 - p);
    }
    return expected;
}

Test(simt_core_block_stack, a_branch_takes_as_many_warps_as_is_to_be_expected, .timeout = 36000)
{
    static const struct {
        uint32_t warps, threshold;
        double compacted, by_warp; /* Fung 2015's units, in closed form */
    } cases[] = {
        {2, 128, 2.90, 3.28},    {2, 410, 3.27, 3.93},    {2, 1024, 3.87, 4.00},   {2, HALF, 4.00, 4.00},
        {4, 128, 5.15, 6.55},    {4, 410, 5.94, 7.86},    {4, 1024, 6.93, 8.00},   {4, HALF, 7.75, 8.00},
        {8, 128, 9.59, 13.10},   {8, 410, 10.87, 15.73},  {8, 1024, 12.67, 16.00}, {8, HALF, 13.59, 16.00},
        {16, 128, 18.32, 26.21}, {16, 410, 20.44, 31.45}, {16, 1024, 22.94, 32.0}, {16, HALF, 24.10, 32.00},
        {32, 128, 35.45, 52.41}, {32, 410, 38.76, 62.90}, {32, 1024, 41.99, 64.0}, {32, HALF, 43.58, 64.00},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double p = cases[i].threshold / 4096.0;
        const double expected = most_of_lanes(cases[i].warps, p) + most_of_lanes(cases[i].warps, 1 - p);
        const double by_warp = cases[i].warps * (2 - pow(1 - p, LANES) - pow(p, LANES));
        const double compacted = measure_sides("block_stack", cases[i].warps, cases[i].threshold);
        cr_expect_float_eq(expected, cases[i].compacted, 0.01, "%f", expected);
        cr_expect_float_eq(by_warp, cases[i].by_warp, 0.01, "%f", by_warp);
        cr_expect_float_eq(compacted, expected, 0.02 * expected, "%u warps, p %f: %f, not %f", cases[i].warps, p,
                           compacted, expected);
        cr_expect_float_eq(measure_sides("stack", cases[i].warps, cases[i].threshold), by_warp, 0.02 * by_warp);
    }
}

/* ---- Draining ------------------------------------------------------------------------------------------------------------------ */

#define MEMORY_DELAY 400u

/* Cycles of a program in a core with this parameter; what its slots were spent on. */
static uint64_t cycles_with(const char *parameter, const uint32_t *words, const char *slots, uint64_t *spent)
{
    const char *const parameters[] = {UNIT, parameter, NULL};
    core_rig *rig = rig_create(parameters, words);
    rig_memory_delay(rig, MEMORY_DELAY);
    rig_launch(rig, 64, 0);
    const uint64_t cycles = rig_finish(rig);
    *spent = kit_statistic(rig_kit(rig), slots);
    rig_destroy(rig);
    return cycles;
}

/* A load that nobody waits for before a point where threads part or meet; behind it as much work as it takes. */
Test(simt_core_block_stack, warps_arrive_when_their_loads_have_come)
{
    const uint32_t parts[] = {csrr(T0, 0xCC0),
                              lui(A5, DATA),
                              lw(A0, 0, A5),
                              andi(T1, T0, 1),
                              beq(T1, ZERO, 8),
                              addi(ZERO, ZERO, 0),
                              addi(T2, ZERO, 99),
                              divu(T2, T2, T2),
                              divu(T2, T2, T2),
                              divu(T2, T2, T2),
                              divu(T2, T2, T2),
                              divu(T2, T2, T2),
                              divu(T2, T2, T2),
                              ret(),
                              0};
    const uint32_t meets[] = {csrr(T0, 0xCC0),
                              lui(A5, DATA),
                              andi(T1, T0, 1),
                              beq(T1, ZERO, 8),
                              lw(A0, 0, A5),
                              addi(T2, ZERO, 99),
                              divu(T2, T2, T2),
                              divu(T2, T2, T2),
                              divu(T2, T2, T2),
                              divu(T2, T2, T2),
                              divu(T2, T2, T2),
                              divu(T2, T2, T2),
                              ret(),
                              0};
    const uint32_t jumps[] = {csrr(T0, 0xCC0),
                              lui(A5, DATA),
                              andi(T1, T0, 1),
                              beq(T1, ZERO, 16),
                              lw(A0, 0, A5),
                              jal(ZERO, 8),
                              addi(ZERO, ZERO, 0),
                              addi(T2, ZERO, 99),
                              divu(T2, T2, T2),
                              divu(T2, T2, T2),
                              divu(T2, T2, T2),
                              divu(T2, T2, T2),
                              divu(T2, T2, T2),
                              divu(T2, T2, T2),
                              ret(),
                              0};
    const uint32_t *const programs[] = {parts, meets, jumps};
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t data, less;
        const uint64_t drained = cycles_with(P "drain=true", programs[i], "slots_memory_data", &data),
                       at_once = cycles_with(P "drain=false", programs[i], "slots_memory_data", &less);
        cr_expect_gt(drained, at_once + 100, "program %u: %lu and %lu", i, drained, at_once);
        cr_expect_gt(data, MEMORY_DELAY, "program %u: %lu", i, data);
    }
}

Test(simt_core_block_stack, and_when_their_results_have_come)
{
    const uint32_t words[] = {csrr(T0, 0xCC0),
                              addi(T2, ZERO, 9),
                              divu(T2, T2, T2),
                              andi(T1, T0, 1),
                              beq(T1, ZERO, 8),
                              addi(ZERO, ZERO, 0),
                              ret(),
                              0};
    uint64_t waits, less;
    const uint64_t drained = cycles_with(P "drain=true", words, "slots_dependence", &waits);
    cr_expect_gt(drained, cycles_with(P "drain=false", words, "slots_dependence", &less));
    cr_expect_gt(waits, less);
}

/* The second warp divides in the path of the first, and goes on in its own. When the result comes, the former path has the same lanes, of the
 * first warp, which waits for results of its own: nothing else lets the second go on. */
Test(simt_core_block_stack, who_waits_for_a_result_goes_on_though_its_path_has_the_same_lanes_of_others)
{
    static const char *const parameters[] = {UNIT, P "drain=false", NULL};
    const uint32_t words[] = {csrr(T0, 0xCC0),
                              srli(T1, T0, 5),
                              beq(T1, ZERO, 8),
                              divu(A0, T0, T1),
                              add(A0, A0, ZERO),
                              addi(A2, ZERO, 9),
                              divu(A2, A2, A2),
                              divu(A2, A2, A2),
                              add(A2, A2, A2),
                              beq(T1, ZERO, 20),
                              lui(A5, DATA),
                              slli(T0, T0, 2),
                              add(A5, A5, T0),
                              sw(A0, 0, A5),
                              ret(),
                              0};
    core_rig *rig = rig_create(parameters, words);
    rig_launch(rig, 64, 0);
    rig_finish(rig);
    for (uint32_t thread = 32; thread < 64; thread++)
        cr_expect_eq(rig_word(rig, DATA + 4 * thread), thread);
    rig_destroy(rig);
}

/* ---- Mistakes ------------------------------------------------------------------------------------------------------------------ */

static void expect_fault(const char *const *parameters, const uint32_t *words, uint32_t threads, const char *expected)
{
    core_rig *rig = rig_create(parameters, words);
    kit_expect_fault(rig_kit(rig));
    rig_launch(rig, threads, 0);
    rig_finish(rig);
    const char *text = kit_fault_text(rig_kit(rig));
    cr_assert_not_null(text, "no fault; expected: %s", expected);
    cr_expect_not_null(strstr(text, expected), "got: %s\nexpected: %s", text, expected);
    rig_destroy(rig);
}

/* All threads of the first warp, and none of the second. */
Test(simt_core_block_stack, a_barrier_in_a_branch_is_a_fault)
{
    static const char *const parameters[] = {UNIT, NULL};
    const uint32_t words[] = {csrr(T0, 0xCC0), addi(T1, ZERO, 32), blt(T0, T1, 8), ret(), bar_sync(3), ret(), 0};
    const uint32_t within[] = {csrr(T0, 0xCC0), andi(T1, T0, 1), bne(T1, ZERO, 8), bar_sync(3), ret(), 0};
    expect_fault(parameters, words, 64,
                 "divergent barrier: threads of other warps of the block are not here, and wait until these meet them");
    expect_fault(parameters, within, 64, "divergent barrier: lanes 1,3,5");
}

Test(simt_core_block_stack, warp_sync_in_a_branch_that_warps_take_as_a_whole_is_fine)
{
    static const char *const parameters[] = {UNIT, NULL};
    const uint32_t words[] = {csrr(T0, 0xCC0), addi(T1, ZERO, 32), blt(T0, T1, 8), ret(), warp_sync(), ret(), 0};
    cr_expect_gt(rig_cycles(parameters, words, 64), 0);
}

Test(simt_core_block_stack, a_block_that_is_larger_than_the_warp_buffer_is_refused)
{
    static const char *const parameters[] = {UNIT, "warps=2", NULL};
    const uint32_t words[] = {ret(), 0};
    cr_expect_gt(rig_cycles(parameters, words, 64), 0);
    expect_fault(parameters, words, 65, "a block of 65 threads and 0 B of scratchpad can never fit");
}

/* ---- Code that relies on warps --------------------------------------------------------------------------------------------------- */

/* Half of the first warp and all of the second vote in a branch, and only the last thread says yes. How many of its warp hear it. */
static uint32_t hear_the_last(const char *parameter)
{
    const char *const parameters[] = {UNIT, parameter, NULL};
    const uint32_t words[] = {
        csrr(T0, 0xCC0),
        slli(A5, T0, 2),
        lui(A1, DATA),
        add(A5, A1, A5),
        andi(T1, T0, 48),
        addi(T2, ZERO, 16),
        beq(T1, T2, 5 * 4),
        addi(T1, T0, -63),
        i_type(0x13, 3, T1, T1, 1), /* sltiu: is it 63? */
        vote_any(A3, T1),
        sw(A3, 0, A5),
        ret(),
        0,
    };
    const hd_grid grid = {.grid_size = {1, 1, 1}, .block_size = {64, 1, 1}};
    uint32_t heard = 0;
    core_rig *rig = rig_create(parameters, words);
    rig_launch_grid(rig, &grid, (uint32_t[]){0, 0, 0}, 0);
    rig_finish(rig);
    for (uint32_t thread = 32; thread < 64; thread++)
        heard += rig_word(rig, DATA + 4 * thread) == 1;
    rig_destroy(rig);
    return heard;
}

Test(simt_core_block_stack, votes_in_a_branch_are_of_those_in_the_compacted_warp)
{
    cr_expect_eq(hear_the_last(P "compaction=true"), 16);
    cr_expect_eq(hear_the_last(P "compaction=false"), 32);
}

/* The second warp waits in a loop for what the first one does behind it: they are in one block. */
Test(simt_core_block_stack, a_thread_that_waits_for_one_that_has_left_the_loop_waits_for_ever)
{
    static const char *const stack[] = {"reconvergence=stack", NULL}, *const block[] = {UNIT, NULL};
    const uint32_t words[] = {csrr(T0, 0xCC0),   lui(A5, DATA),   addi(T1, ZERO, 32),
                              addi(T2, ZERO, 1), blt(T0, T1, 16), lw(A0, 0x700, A5) /* past the L1 */,
                              bne(A0, T2, -4),   ret(),           sw(T2, 0x700, A5),
                              fence(),           ret(),           0};
    core_rig *rig = rig_create(block, words);
    rig_launch(rig, 64, 0);
    kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), 30000));
    const uint32_t done = rig_done(rig);
    rig_destroy(rig);
    cr_expect_gt(rig_cycles(stack, words, 64), 0);
    cr_expect_eq(done, 1, "the side that stores is taken, and runs first");
}
