/* SPDX-License-Identifier: MIT */
/* Which line a full set gives up, seen from outside: by what hits afterwards. */
#include "memory_rig.h"

#include <criterion/criterion.h>
#include <string.h>

#define LINES 16u

static rig *one_set(const replacement_unit *policy, uint32_t ways, uint64_t seed)
{
    memory_parameters p = rig_parameters();
    p.l1_bytes = ways * 128;
    p.l1_ways = ways;
    p.l1_replacement = policy;
    rig *r = rig_create(&p);
    if (seed != 1) {
        r->seed = seed;
        memory_reset(r->m);
        rig_view(r, 0, 0, 0);
    }
    return r;
}

/* Loads line `line`; was it there? */
static uint32_t hits(rig *r, uint32_t line)
{
    const uint64_t before = r->counters.l1_hits;
    rig_finish(r, rig_one(r, ISA_OP_LW, 0, 0, HD_PRIVATE_BASE + 4 * line, 0));
    return r->counters.l1_hits != before;
}

/* Letters are lines; a capital one is expected to hit. */
static void expect_hits(const replacement_unit *policy, const char *accesses)
{
    rig *r = one_set(policy, 4, 1);
    for (const char *access = accesses; *access; ++access)
        cr_expect_eq(hits(r, (uint32_t)(*access | 32) - 'a'), (uint32_t)*access < 'a', "%s: access %d, %c", accesses,
                     (int)(access - accesses), *access);
    rig_destroy(r);
}

Test(replacement, takes_the_line_that_was_not_used_for_longest)
{
    expect_hits(&replacement_lru, "abcdAeACDEbCDEBaDEBAc");
}

Test(replacement, takes_the_line_that_came_first)
{
    expect_hits(&replacement_fifo, "abcdAAeBCDEaCDEAbDEAB");
}

/* A tree of three nodes. abcd fill ways 0 to 3, after which the root points to the lower pair and that to way 0. */
Test(replacement, follows_a_tree_that_points_away_from_the_latest_use)
{
    expect_hits(&replacement_plru, "abcdA" /* root to the upper pair, that to way 2 */ "eABDEc");
    expect_hits(&replacement_plru, "abcd" /* way 0 */ "e" /* way 2 */ "f" /* way 1 */ "g" /* way 3 */ "hEGFH");
    expect_hits(&replacement_plru, "abcdC" /* way 0, though b was used before c */ "eBCDEa");
}

Test(replacement, starts_a_tree_anew_with_an_aligned_launch)
{
    rig *r = one_set(&replacement_plru, 4, 1);
    const hd_write_back_sink nowhere = {.context = NULL};
    for (uint32_t line = 0; line < 7; ++line)
        hits(r, line);
    rig_idle(r);
    memory_align(r->m, &nowhere);
    for (uint32_t line = 0; line < 5; ++line)
        cr_expect_not(hits(r, line));
    for (uint32_t line = 1; line < 5; ++line)
        cr_expect(hits(r, line), "line %u", line);
    rig_destroy(r);
}

/* Bit i: line i is there after LINES lines went through four ways. */
static uint32_t survivors(rig *r)
{
    uint32_t there = 0;
    for (uint32_t line = 0; line < LINES; ++line)
        hits(r, line);
    for (uint32_t line = LINES; line-- != 0;) {
        const uint64_t misses = r->counters.l1_misses;
        there |= hits(r, line) << line;
        if (r->counters.l1_misses != misses)
            break; /* from here on the look itself replaces */
    }
    return there;
}

Test(replacement, draws_a_line_from_a_stream_that_the_seed_decides)
{
    uint32_t seen[8], different = 0;
    for (uint32_t seed = 0; seed < 8; ++seed) {
        rig *r = one_set(&replacement_random, 4, seed + 10);
        seen[seed] = survivors(r);
        different += seen[seed] != seen[0];
        rig_idle(r);
        const hd_write_back_sink nowhere = {.context = NULL};
        memory_align(r->m, &nowhere);
        cr_expect_eq(survivors(r), seen[seed], "an aligned launch begins with the same draws");
        rig_destroy(r);
    }
    cr_expect_gt(different, 0);
}

Test(replacement, draws_every_way)
{
    rig *r = one_set(&replacement_random, 4, 3);
    uint32_t kept[4] = {0};
    for (uint32_t round = 0; round < 60; ++round) {
        for (uint32_t line = 0; line < 4; ++line)
            hits(r, line);
        hits(r, 8 + round % 8);
        for (uint32_t line = 0; line < 4; ++line) {
            const uint64_t before = r->counters.l1_hits;
            hits(r, line);
            kept[line] += r->counters.l1_hits != before;
        }
    }
    for (uint32_t line = 0; line < 4; ++line)
        cr_expect(kept[line] > 0 && kept[line] < 60, "line %u hits %u times", line, kept[line]);
    rig_destroy(r);
}

/* Whatever the policy, a way whose line is on its way is not taken, and nothing is lost while all are. */
Test(replacement, leaves_ways_alone_that_wait_for_their_fill)
{
    static const hd_unit *const policies[] = {REPLACEMENT_UNITS(HD_UNIT_POINTER)};
    for (size_t policy = 0; policy < sizeof policies / sizeof *policies; ++policy) {
        rig *r = one_set(policies[policy]->functions, 4, 1);
        uint32_t ticket[6];
        for (uint32_t line = 0; line < 4; ++line)
            hits(r, line);
        r->hold = 1;
        for (uint32_t i = 0; i < 4; ++i)
            ticket[i] = rig_one(r, ISA_OP_LW, 0, 0, HD_PRIVATE_BASE + 4 * (4 + i), 0);
        rig_cycles(r, 60);
        cr_expect_eq(r->counters.l1_evictions, 4, "%s: each took a way of its own", policies[policy]->name);
        for (uint32_t i = 4; i < 6; ++i)
            ticket[i] = rig_one(r, ISA_OP_LW, 0, 0, HD_PRIVATE_BASE + 4 * (4 + i), 0);
        rig_cycles(r, 60);
        cr_expect_eq(r->counters.packets_sent, 8);
        r->hold = 0;
        rig_idle(r);
        cr_expect_gt(r->counters.stall_set_full, 0);
        for (uint32_t i = 0; i < 6; ++i)
            cr_expect_eq(r->result[ticket[i]].value[0], rig_peek(r, rig_private(r, 0, 0, 0, 4 * (4 + i))));
        rig_destroy(r);
    }
}
