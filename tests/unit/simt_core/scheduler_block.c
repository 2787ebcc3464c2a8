/* SPDX-License-Identifier: MIT */
/* Priorities among thread blocks, on scripted sets of ready paths. */
#include <criterion/criterion.h>

#include "scheduler_units.h"

#define PATHS 70u /* in two words */

enum { AGE, ROUND_ROBIN, STICKY_ROUND_ROBIN };

/* Paths 0, 1 and 2 of block 7; 3 and 4 of block 9; 65 and 66 of block 12. */
static scheduler *start(uint64_t policy)
{
    static const struct {
        uint32_t path, block;
    } paths[] = {{65, 12}, {0, 7}, {3, 9}, {1, 7}, {66, 12}, {4, 9}, {2, 7}};
    const hd_value values[1] = {{.u = policy}};
    scheduler *s = scheduler_block.create(&(scheduler_parameters){.paths = PATHS, .share = {.values = values}});
    cr_assert(s);
    for (uint32_t i = 0; i < sizeof paths / sizeof *paths; i++)
        scheduler_block.add(s, paths[i].path, (uint64_t)paths[i].block << 16 | i);
    return s;
}

/* Paths of the first word, and 64 and up of the second. */
static uint32_t pick(const scheduler *s, uint64_t low, uint64_t high, uint64_t cycle)
{
    const uint64_t ready[2] = {low, high};
    return scheduler_block.pick(s, ready, cycle);
}

static uint32_t issue(scheduler *s, uint64_t low, uint64_t high, uint64_t cycle)
{
    const uint32_t path = pick(s, low, high, cycle);
    scheduler_block.event(s, &(path_event){.kind = PATH_ISSUED, .path = path, .cycle = cycle});
    return path;
}

Test(scheduler_block, the_oldest_block_first_and_its_paths_in_turn)
{
    scheduler *s = start(AGE);
    static const uint32_t expected[] = {0, 1, 2, 0};
    for (uint32_t i = 0; i < 4; i++)
        cr_expect_eq(issue(s, 0x1F, 6, i), expected[i], "issue %u", i);
    cr_expect_eq(issue(s, 0x1C, 6, 4), 2, "1 is not ready");
    cr_expect_eq(issue(s, 0x18, 6, 5), 3, "nobody of the oldest");
    cr_expect_eq(issue(s, 0x18, 6, 6), 4);
    cr_expect_eq(issue(s, 0, 6, 7), 65);
    cr_expect_eq(issue(s, 0, 6, 8), 66);
    cr_expect_eq(issue(s, 0, 6, 9), 65, "from the last to the first");
    cr_expect_eq(pick(s, 0, 0, 10), NO_PATH);
    scheduler_block.destroy(s);
}

Test(scheduler_block, each_block_has_the_first_turn_for_a_cycle)
{
    scheduler *s = start(ROUND_ROBIN);
    cr_expect_eq(issue(s, 0x1F, 6, 0), 0);
    cr_expect_eq(issue(s, 0x1F, 6, 1), 3);
    cr_expect_eq(issue(s, 0x1F, 6, 2), 65);
    cr_expect_eq(issue(s, 0x1F, 6, 3), 1);
    cr_expect_eq(issue(s, 0x07, 6, 4), 66, "it is the turn of 9, and 12 comes next");
    cr_expect_eq(issue(s, 0x07, 0, 5), 2, "from the last to the first");
    for (uint32_t path = 3; path < 5; path++)
        scheduler_block.remove(s, path);
    cr_expect_eq(pick(s, 0x07, 6, 6), 0, "of two");
    cr_expect_eq(pick(s, 0x07, 6, 7), 65);
    scheduler_block.destroy(s);
}

Test(scheduler_block, a_block_keeps_its_turn_while_it_is_ready)
{
    scheduler *s = start(STICKY_ROUND_ROBIN);
    cr_expect_eq(issue(s, 0x1F, 6, 0), 0);
    cr_expect_eq(issue(s, 0x1F, 6, 1), 1);
    cr_expect_eq(issue(s, 0x18, 6, 2), 3, "the next");
    cr_expect_eq(issue(s, 0x1F, 6, 3), 4, "it stays though 7 is older");
    cr_expect_eq(issue(s, 0x07, 6, 4), 65);
    cr_expect_eq(issue(s, 0x07, 0, 5), 2, "around to the first");
    for (uint32_t path = 0; path < 3; path++)
        scheduler_block.remove(s, path);
    cr_expect_eq(pick(s, 0x18, 6, 6), 3, "the next after one that is gone");
    for (uint32_t path = 3; path < 5; path++)
        scheduler_block.remove(s, path);
    for (uint32_t path = 65; path < 67; path++)
        scheduler_block.remove(s, path);
    cr_expect_eq(pick(s, 0, 0, 7), NO_PATH, "nobody is there");
    scheduler_block.add(s, 5, 20 << 16);
    cr_expect_eq(pick(s, 0x20, 0, 8), 5);
    scheduler_block.destroy(s);
}

Test(scheduler_block, blocks_that_come_and_go_keep_their_paths_apart)
{
    scheduler *s = start(AGE);
    for (uint32_t path = 3; path < 5; path++)
        scheduler_block.remove(s, path);
    scheduler_block.add(s, 5, 20 << 16);
    cr_expect_eq(pick(s, 0x20, 6, 0), 65);
    cr_expect_eq(pick(s, 0x20, 0, 0), 5);
    scheduler_block.destroy(s);
}

/* A block whose paths have all ended begins with its first one. */
Test(scheduler_block, turns_within_a_block_end_with_its_paths)
{
    scheduler *s = start(AGE);
    cr_expect_eq(issue(s, 0x1F, 6, 0), 0);
    cr_expect_eq(issue(s, 0x1F, 6, 1), 1);
    for (uint32_t path = 0; path < 3; path++)
        scheduler_block.remove(s, path);
    for (uint32_t path = 0; path < 3; path++)
        scheduler_block.add(s, path, 7 << 16);
    cr_expect_eq(pick(s, 0x1F, 6, 2), 0);
    scheduler_block.reset(s);
    scheduler_block.add(s, 9, 30 << 16);
    scheduler_block.add(s, 8, 31 << 16);
    cr_expect_eq(pick(s, 0x300, 0, 3), 9, "nothing is left of what was before");
    scheduler_block.destroy(s);
}
