/* SPDX-License-Identifier: MIT */
/*
 * Named schedules on timed cores before commit units at very different distances (P4 and P5 of the specification): a commit of words in
 * two partitions is one, although memory holds half of it for a while.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core_rig.h"
#include "real_cores.h"

#define COMMITS 8
#define OBSERVATIONS 40
#define STEP UINT64_C(5000) /* ps between two looks at memory */
#define END UINT64_C(1000000000)

/* Of memory: two that are always equal, in two partitions. */
enum { LEFT, RIGHT, WORDS };

/* What readers have committed. */
typedef struct seen {
    uint32_t reads, silent;
    uint32_t unequal;
    uint32_t of_value[COMMITS + 1];
    uint64_t aborts, second_chances;
} seen;

static void note(void *context, const hd_transaction *told)
{
    seen *seen = context;
    if (told->write_count || told->read_count != 2)
        return;
    seen->reads++;
    seen->silent += told->order == HD_NO_ORDER;
    seen->unequal += told->reads[0].value != told->reads[1].value;
    cr_assert_leq(told->reads[0].value, COMMITS);
    seen->of_value[told->reads[0].value]++;
}

/* Core 0 counts both words up together; the others read them, left or right first. */
static void make_program(uint32_t program[64])
{
    const uint32_t words[] = {lui(A0, 0x10000000u), csrr(S0, 0xCC3), addi(S1, ZERO, OBSERVATIONS),
                              bne(S0, ZERO, 4 * 12), addi(S1, ZERO, COMMITS),
                              /* core 0 */
                              begin_tx(1), lw(T1, 0, A0), addi(T1, T1, 1), sw(T1, 0, A0), sw(T1, 256, A0), commit_tx(),
                              addi(S1, S1, -1), bne(S1, ZERO, -4 * 7), jal(ZERO, 4 * 13), addi(ZERO, ZERO, 0),
                              /* the others */
                              begin_tx(1), andi(T2, S1, 1), bne(T2, ZERO, 4 * 4), lw(T1, 0, A0), lw(T2, 256, A0),
                              jal(ZERO, 4 * 3), lw(T2, 256, A0), lw(T1, 0, A0), commit_tx(), addi(S1, S1, -1),
                              bne(S1, ZERO, -4 * 10), ret(), 0};
    memcpy(program, words, sizeof words);
}

static shape machine_of(uint32_t is_silent, uint32_t delay)
{
    shape shape = {
        .cores = 3, .partitions = 2, .link = 1, .delay = delay, .words = WORDS, .stride = 256, .is_silent = is_silent};
    uint32_t count = real_cores_settings(shape.core, "kilo");
    snprintf(shape.core[count++], sizeof shape.core[0], "lanes=4");
    snprintf(shape.core[count++], sizeof shape.core[0], "warps=2");
    snprintf(shape.core[count++], sizeof shape.core[0], "tx.back_off.base=0 cycles");
    snprintf(shape.core[count++], sizeof shape.core[0], "tx.kilo.tcd=%s", is_silent ? "true" : "false");
    snprintf(shape.unit[0], sizeof shape.unit[0], "tcd=%s", is_silent ? "true" : "false");
    snprintf(shape.slice[0], sizeof shape.slice[0], "latency=2 cycles");
    return shape;
}

/* Runs it; returns at how many looks memory held half a commit. */
static uint32_t run(uint32_t is_silent, uint32_t delay, seen *seen)
{
    uint32_t program[64], halves = 0;
    make_program(program);
    real_cores *cores = real_cores_create(program, 1, 0);
    real_cores_tell(cores, note, seen);
    shape shape = machine_of(is_silent, delay);
    shape.by = real_cores_as(cores);
    kilo_machine *machine = kilo_machine_create(&shape);
    kilo_machine_begin(machine, 1);
    hd_time t = STEP;
    for (; !kilo_machine_step(machine, t) && t < END; t += STEP)
        halves += kilo_machine_word(machine, LEFT) != kilo_machine_word(machine, RIGHT);
    cr_assert_lt(t, END, "it ends");
    cr_expect_eq(kilo_machine_word(machine, LEFT), COMMITS);
    cr_expect_eq(kilo_machine_word(machine, RIGHT), COMMITS);
    seen->aborts = kilo_machine_statistic(machine, "simt_core", "tx_aborts_validation");
    seen->second_chances = kilo_machine_statistic(machine, "simt_core", "tx_second_chances");
    kilo_machine_destroy(machine);
    real_cores_destroy(cores);
    return halves;
}

/* P4: verdicts and outcomes of the second partition take 400 cycles longer. */
Test(kilo_directed, a_commit_in_two_partitions_is_one_whatever_their_delays)
{
    seen near = {0}, far = {0};
    const uint32_t few = run(0, 0, &near), many = run(0, 400, &far);
    cr_expect_gt(many, few + 100, "memory holds half a commit at %u looks, and at %u", few, many);
    cr_expect_eq(near.unequal + far.unequal, 0);
    cr_expect_eq(near.reads, 2 * OBSERVATIONS);
    cr_expect_eq(far.reads, 2 * OBSERVATIONS);
    cr_expect_gt(far.of_value[COMMITS], 0, "somebody has read the last commit");
}

/* P5: who meets half a commit aborts; who commits has read all of it, or nothing. So too those that commit silently. */
Test(kilo_directed, readers_of_half_a_commit_abort)
{
    seen seen = {0};
    cr_expect_gt(run(0, 400, &seen), 100);
    cr_expect_gt(seen.aborts, 5, "%lu", seen.aborts);
    cr_expect_eq(seen.unequal, 0);
    uint32_t values = 0;
    for (uint32_t value = 0; value <= COMMITS; value++)
        values += seen.of_value[value] != 0;
    cr_expect_gt(values, 3, "they have read between commits");
}

Test(kilo_directed, silent_readers_do_not_see_half_a_commit)
{
    seen seen = {0};
    cr_expect_gt(run(1, 400, &seen), 100);
    cr_expect_eq(seen.unequal, 0);
    cr_expect_gt(seen.silent, 5, "%u", seen.silent);
    cr_expect_gt(seen.second_chances, 5, "others are validated, and fail where they have to: %lu", seen.second_chances);
    cr_expect_gt(seen.aborts, 0);
}
