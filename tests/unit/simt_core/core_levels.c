/* SPDX-License-Identifier: MIT */
/* What the core reports of blocks that the scheduler watches: counts of windows, when it tells them, and what it costs to ask. */
#include "core_pair.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *const watching[] = {"context.levels=blocks", "context.engine=stream", NULL};
/* The memory pipe takes one lane a cycle, from a queue of one. */
static const char *const narrow[] = {"context.levels=blocks", "memory.queue=1", "memory.accesses=1", "memory.lanes=1",
                                     NULL};

#define FADD 0x00107053u /* fadd.s ft0, ft0, ft1 */
/* Instruction words: some thousand cycles without an access. */
#define COMPUTING                                                                                                      \
    {                                                                                                                  \
        DELAY(300), DELAY(300), ret(), 0                                                                               \
    }

static void watch(kit_block *kit, uint64_t tag, const hd_block_watch *as, hd_time t)
{
    hd_packet *packet = kit_packet(kit, HD_BLOCK_WATCH, sizeof *as);
    packet->tag = tag;
    memcpy(hd_body(packet), as, sizeof *as);
    kit_send(kit, DISPATCH, 0, packet, t);
}

/* The next level that the core has sent by t, and when; 0: there is none, or the block has ended. */
static uint32_t take_level(kit_block *kit, hd_block_level *level, hd_time *at, hd_time t)
{
    hd_packet *packet;
    while ((packet = kit_receive(kit, EVENT, 0, t))) {
        const uint32_t is_level = packet->message == kit_message(kit, HD_BLOCK_LEVEL),
                       is_end = packet->message == kit_message(kit, HD_BLOCK_DONE);
        if (is_level)
            memcpy(level, hd_body(packet), sizeof *level);
        *at = kit_received_at(kit);
        kit_free(kit, packet);
        if (is_level || is_end)
            return is_level;
    }
    return 0;
}

/* All levels that a core sends of one block of so many threads, watched from its launch on. */
typedef struct levels {
    hd_block_level level[512];
    hd_time at[512];
    uint32_t count;
    uint64_t instructions, floats;
    uint64_t fingerprint;
} levels;

static levels run(const char *const *parameters, const uint32_t *words, uint32_t threads, const hd_block_watch *as,
                  uint64_t disturbance)
{
    static levels l;
    core_pair *pair = pair_create(parameters, parameters, words);
    kit_block *kit = rig_kit(pair->rig[0]);
    memset(&l, 0, sizeof l);
    kit_disturb(kit, disturbance);
    pair_launch(pair, 0, threads, 0);
    if (as)
        watch(kit, 0, as, pair_now(pair));
    for (hd_time t = 0; t < kit_cycles(kit, 20000); t += kit_cycles(kit, 10)) {
        pair_run(pair, 10);
        while (l.count < 512 && take_level(kit, &l.level[l.count], &l.at[l.count], pair_now(pair)))
            l.count++;
    }
    l.instructions = kit_statistic(kit, "warp_instructions");
    l.floats = kit_statistic(kit, "float_instructions");
    l.fingerprint = kit_fingerprint(kit);
    cr_assert_eq(kit_statistic(kit, "blocks_run"), 1);
    pair_destroy(pair);
    return l;
}

static const hd_block_watch every = {
    .period = 500, .every_window = 1, .highest = 7, .memory_steps = 8, .float_steps = 8};

/* Windows of 500 cycles one behind the other, and the rest; together they are all instructions of the block. */
Test(simt_core, levels_come_after_each_window_and_before_the_end)
{
    const uint32_t words[] = COMPUTING;
    const levels l = run(watching, words, 64, &every, 0);
    uint64_t instructions = 0;
    cr_assert_gt(l.count, 5);
    for (uint32_t i = 0; i < l.count; i++) {
        const uint32_t is_last = i + 1 == l.count;
        cr_expect_eq(l.level[i].last, is_last);
        cr_expect(is_last ? l.level[i].cycles <= 500 : l.level[i].cycles == 500, "window %u: %lu", i,
                  l.level[i].cycles);
        if (i > 0 && !is_last)
            cr_expect_eq(l.at[i] - l.at[i - 1], 500000);
        cr_expect_eq(l.level[i].memory_refused_cycles, 0);
        cr_expect_eq(l.level[i].float_instructions, 0);
        instructions += l.level[i].instructions;
    }
    cr_expect_leq(l.instructions - instructions, 1, "%lu of %lu", instructions, l.instructions);
    cr_expect_geq(l.instructions, instructions);
}

/* A window does not depend on when the core is asked to advance. */
Test(simt_core, levels_are_the_same_whatever_the_horizons)
{
    const uint32_t words[] = {lui(A3, DATA), lw(A4, 0, A3), lw(A5, 4, A3), lw(A6, 8, A3), DELAY(200), ret(), 0};
    const hd_block_watch as = {.period = 37, .every_window = 1, .highest = 7, .memory_steps = 8, .float_steps = 8};
    const levels l = run(narrow, words, 128, &as, 0);
    for (uint64_t seed = 1; seed < 5; seed++) {
        const levels again = run(narrow, words, 128, &as, seed);
        cr_assert_eq(again.count, l.count);
        cr_expect_arr_eq(again.level, l.level, l.count * sizeof *l.level, "seed %lu", seed);
        cr_expect_eq(again.fingerprint, l.fingerprint);
    }
}

/* Whoever asks changes nothing else. */
Test(simt_core, asking_for_levels_costs_nothing)
{
    const uint32_t words[] = {lui(A3, DATA), lw(A4, 0, A3), lw(A5, 4, A3), FADD, DELAY(200), ret(), 0};
    static const char *const none[] = {NULL};
    const levels with = run(watching, words, 128, &every, 0), without = run(watching, words, 128, NULL, 0),
                 off = run(none, words, 128, NULL, 0);
    cr_expect_eq(without.count, 0);
    cr_expect_eq(off.fingerprint, without.fingerprint);
    cr_expect_eq(with.instructions, off.instructions);
}

static uint64_t refused_of(const levels *l)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < l->count; i++)
        sum += l->level[i].memory_refused_cycles;
    return sum;
}

/* Four warps load from 32 places: one lane a cycle, so the others wait for most of 3 * 128 lanes. */
Test(simt_core, levels_tell_who_waits_for_the_memory_pipe)
{
    const uint32_t words[] = {lui(A3, DATA), csrr(A4, 0xCCC), slli(A4, A4, 7), add(A3, A3, A4), lw(A4, 0, A3),
                              lw(A5, 4, A3), lw(A6, 8, A3),   DELAY(300),      ret(),           0};
    const levels l = run(narrow, words, 128, &every, 0), wide = run(watching, words, 128, &every, 0);
    cr_expect_gt(refused_of(&l), 100, "%lu", refused_of(&l));
    cr_expect_lt(refused_of(&wide), refused_of(&l));
    cr_expect_gt(l.level[0].memory_level, 0);
    cr_expect_eq(l.level[0].memory_level, hd_level_of(l.level[0].memory_refused_cycles, 500, 8, 7));
    cr_expect_eq(l.level[l.count - 1].memory_level, 0, "it computes");
    for (uint32_t i = 0; i < l.count; i++)
        cr_expect_leq(l.level[i].memory_refused_cycles, l.level[i].cycles);
}

Test(simt_core, levels_tell_how_many_slots_are_of_float_instructions)
{
    uint32_t words[64];
    uint32_t n = 0;
    while (n < 40)
        words[n++] = FADD;
    words[n++] = ret();
    words[n] = 0;
    static const char *const half[] = {"context.levels=blocks", "lanes=32", "simd_width=16", "schedulers=2", NULL};
    const levels l = run(half, words, 128, &every, 0);
    cr_assert_eq(l.count, 1);
    cr_expect_eq(l.level[0].slots, l.level[0].cycles, "two ports, each every other cycle");
    cr_expect_eq(l.level[0].float_instructions, 160);
    cr_expect_eq(l.level[0].float_instructions, l.floats);
    cr_expect_gt(l.level[0].slots, 0);
    cr_expect_gt(l.level[0].float_level, 0);
    cr_expect_eq(l.level[0].float_level, hd_level_of(160, l.level[0].slots, 8, 7));
}

static uint64_t attempts_of(const levels *l)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < l->count; i++)
        sum += l->level[i].memory_attempts;
    return sum;
}

/* Each of 12 loads is an attempt; so is each cycle of each warp whose load finds no room: three that wait are three a cycle. */
Test(simt_core, levels_tell_how_much_memory_is_asked_for)
{
    const uint32_t words[] = {lui(A3, DATA), csrr(A4, 0xCCC), slli(A4, A4, 7), add(A3, A3, A4), lw(A4, 0, A3),
                              lw(A5, 4, A3), lw(A6, 8, A3),   DELAY(300),      ret(),           0};
    hd_block_watch as = every;
    cr_expect_eq(attempts_of((const levels[]){run(narrow, words, 128, &as, 0)}), 0, "nobody has asked");
    as.demand_steps = 2;
    const levels l = run(narrow, words, 128, &as, 0), wide = run(watching, words, 128, &as, 0);
    cr_expect_gt(attempts_of(&l), refused_of(&l) + 12, "several warps wait at a time");
    cr_expect_leq(attempts_of(&l), 4 * refused_of(&l) + 12);
    cr_expect_geq(attempts_of(&wide), 12);
    cr_expect_leq(attempts_of(&wide), 4 * refused_of(&wide) + 12);
    cr_expect_gt(l.level[0].demand_level, l.level[0].memory_level * 2 / 8, "it adds up over warps");
    for (uint32_t i = 0; i < l.count; i++)
        cr_expect_eq(l.level[i].demand_level, hd_level_of(l.level[i].memory_attempts, l.level[i].cycles, 2, 7));
    cr_expect_eq(l.level[l.count - 1].demand_level, 0, "it computes");
}

/* One warp has a single load at a time: it is an attempt when it issues, and in each cycle before in which it had no room. */
Test(simt_core, levels_of_one_warp_ask_once_a_cycle)
{
    const uint32_t words[] = {lui(A3, DATA), lw(A4, 0, A3), lw(A5, 4, A3), lw(A6, 8, A3), DELAY(100), ret(), 0};
    hd_block_watch as = every;
    as.demand_steps = 8;
    const levels l = run(narrow, words, 32, &as, 0);
    cr_expect_eq(attempts_of(&l), refused_of(&l) + 3);
}

/* Two blocks run, and the second one alone is watched: of 40 and 80 instructions, and the ends of their warps. */
Test(simt_core, levels_are_of_the_block_that_is_watched)
{
    uint32_t words[64];
    uint32_t n = 0;
    for (; n < 40; n++)
        words[n] = FADD;
    words[n++] = ret();
    words[n] = 0;
    core_pair *pair = pair_create(watching, watching, words);
    kit_block *kit = rig_kit(pair->rig[0]);
    hd_block_level level;
    hd_time at;
    pair_launch(pair, 0, 32, 0);
    pair_launch(pair, 0, 64, 0);
    watch(kit, 1, &every, pair_now(pair));
    pair_run(pair, 1000);
    cr_expect_not(take_level(kit, &level, &at, pair_now(pair)), "the first one ends, and says nothing");
    cr_assert(take_level(kit, &level, &at, pair_now(pair)));
    cr_expect(level.last);
    cr_expect_eq(level.float_instructions, 80, "%lu", level.float_instructions);
    cr_expect(level.instructions >= 81 && level.instructions <= 82, "%lu", level.instructions);
    cr_expect_eq(kit_statistic(kit, "float_instructions"), 120);
    pair_destroy(pair);
}

/* Only what has changed is told, and the end. */
Test(simt_core, levels_that_stay_are_not_told)
{
    const uint32_t words[] = {lui(A3, DATA), csrr(A4, 0xCCC), slli(A4, A4, 7), add(A3, A3, A4), lw(A4, 0, A3),
                              lw(A5, 4, A3), lw(A6, 8, A3),   DELAY(1000),     ret(),           0};
    hd_block_watch as = every;
    as.every_window = 0;
    levels l = run(narrow, words, 128, &as, 0);
    cr_assert_eq(l.count, 4, "%u", l.count);
    cr_expect_gt(l.level[0].memory_level, l.level[1].memory_level);
    cr_expect_gt(l.level[1].memory_level, 0);
    cr_expect_eq(l.level[2].memory_level, 0);
    cr_expect(l.level[3].last);
    as.memory_level = l.level[0].memory_level; /* known */
    l = run(narrow, words, 128, &as, 0);
    cr_assert_eq(l.count, 3, "%u", l.count);
    cr_expect_lt(l.level[0].memory_level, as.memory_level);
}

/* Without credits the newest waits; the end, which comes first, waits for its own and then for that of block.done. */
Test(simt_core, levels_wait_for_credits)
{
    const uint32_t words[] = {DELAY(600), ret(), 0};
    core_pair *pair = pair_create(watching, watching, words);
    kit_block *kit = rig_kit(pair->rig[0]);
    hd_block_level level;
    hd_time at;
    pair_run(pair, 20);
    kit_hold_credits(kit, EVENT, 0, 1);
    pair_launch(pair, 0, 64, 0);
    watch(kit, 0, &(hd_block_watch){.period = 100, .every_window = 1, .highest = 7}, pair_now(pair));
    pair_run(pair, 30000);
    uint32_t count = 0;
    while (take_level(kit, &level, &at, pair_now(pair)))
        count++;
    cr_expect_leq(count, 8, "as many as there were credits: %u", count);
    cr_expect_eq(kit_statistic(kit, "blocks_run"), 0);
    kit_release_credits(kit, EVENT, 0, 1, pair_now(pair));
    pair_run(pair, 50);
    cr_assert(take_level(kit, &level, &at, pair_now(pair)));
    cr_expect(level.last, "of the block that ends, not the one that waited");
    cr_expect_not(take_level(kit, &level, &at, pair_now(pair)), "there was but one credit");
    cr_expect_eq(kit_statistic(kit, "blocks_run"), 0);
    kit_release_credits(kit, EVENT, 0, 64, pair_now(pair));
    pair_run(pair, 50);
    cr_expect_eq(kit_statistic(kit, "blocks_run"), 1);
    pair_destroy(pair);
}

/* A level that has gone back to what is known before it could be told is not told. */
Test(simt_core, levels_that_have_passed_are_not_told)
{
    static const char *const narrow_engine[] = {"context.levels=blocks", "context.engine=stream", "memory.queue=1",
                                                "memory.accesses=1",     "memory.lanes=1",        NULL};
    const uint32_t words[] = {lui(A3, DATA), csrr(A4, 0xCCC), slli(A4, A4, 7), add(A3, A3, A4), lw(A4, 0, A3),
                              lw(A5, 4, A3), lw(A6, 8, A3),   DELAY(600),      ret(),           0};
    core_pair *pair = pair_create(narrow_engine, narrow_engine, words);
    kit_block *kit = rig_kit(pair->rig[0]);
    hd_block_watch as = every;
    as.every_window = 0;
    pair_run(pair, 20);
    kit_hold_credits(kit, EVENT, 0, 1);
    for (uint32_t i = 0; i < 12; i++) { /* answers that take all credits */
        hd_packet *stop = kit_packet(kit, HD_BLOCK_STOP, 0);
        stop->tag = 7;
        kit_send(kit, DISPATCH, 0, stop, pair_now(pair));
        pair_run(pair, 20);
        if (i == 0) {
            pair_launch(pair, 0, 128, 0);
            watch(kit, 0, &as, pair_now(pair));
        }
    }
    pair_run(pair, 4000);
    hd_packet *packet;
    while ((packet = kit_receive(kit, EVENT, 0, pair_now(pair)))) {
        cr_expect_neq(packet->message, kit_message(kit, HD_BLOCK_LEVEL));
        kit_free(kit, packet);
    }
    kit_release_credits(kit, EVENT, 0, 64, pair_now(pair));
    hd_block_level level = {0};
    hd_time at;
    pair_run(pair, 20000);
    while (take_level(kit, &level, &at, pair_now(pair)))
        cr_expect(level.last, "level %u of memory", level.memory_level);
    cr_expect(level.last);
    pair_destroy(pair);
}

/* One that has ended, or moves away, is watched no more. */
Test(simt_core, a_block_that_is_gone_is_not_watched)
{
    const uint32_t words[] = COMPUTING;
    core_pair *pair = pair_create(watching, watching, words);
    kit_block *kit = rig_kit(pair->rig[0]);
    hd_block_level level;
    hd_time at;
    watch(kit, 5, &every, 0);
    pair_launch(pair, 0, 64, 0);
    watch(kit, 0, &every, pair_now(pair));
    pair_run(pair, 600);
    cr_expect(take_level(kit, &level, &at, pair_now(pair)));
    cr_assert(pair_move(pair, 0, 0));
    while (take_level(kit, &level, &at, pair_now(pair)))
        ;
    pair_run(pair, 3000);
    cr_expect_not(take_level(kit, &level, &at, pair_now(pair)));
    pair_finish(pair, 1);
    pair_destroy(pair);
}

static void expect_fault(const char *const *parameters, const hd_block_watch *as, const char *text)
{
    const uint32_t words[] = COMPUTING;
    core_pair *pair = pair_create(parameters, parameters, words);
    kit_block *kit = rig_kit(pair->rig[0]);
    kit_expect_fault(kit);
    watch(kit, 3, as, 0);
    kit_run_until(kit, 10000);
    cr_assert_not_null(kit_fault_text(kit));
    cr_expect_str_eq(kit_fault_text(kit), text);
    pair_destroy(pair);
}

Test(simt_core, a_watch_that_makes_no_sense_is_a_fault)
{
    static const char *const none[] = {NULL};
    expect_fault(watching, &(hd_block_watch){0}, "block: dispatch brings windows of no cycle of thread block 3");
    expect_fault(none, &every,
                 "block: dispatch brings a message without meaning here (context.engine is none) of thread block 3");
}
