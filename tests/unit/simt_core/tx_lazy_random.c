/* SPDX-License-Identifier: MIT */
/* Message counts of the protocol for random transactions, of which units refuse some. */
#include "lazy.h"
#include "tx_table.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define PROGRAMS 60u

static core_rig *run(uint32_t warp_level)
{
    const char *const parameters[] = {"tx=lazy", "warps=8", "tx.ownership=0 B", "tx.concurrency=3", NULL};
    uint32_t words[64];
    table_program(words);
    lazy_start(warp_level);
    lazy.refuses = table_refuses;
    lazy.commits = table_expect_told;
    core_rig *rig = rig_create(parameters, words);
    table_fill(rig);
    rig_launch(rig, table.threads, 0);
    rig_finish(rig);
    return rig;
}

static void compare(uint64_t seed, uint32_t warp_level, uint64_t total[LAZY_KINDS])
{
    table_make(seed);
    core_rig *rig = run(warp_level);
    const expectation e = table_expect(warp_level);
    for (uint32_t kind = 0; kind < LAZY_KINDS; kind++) {
        cr_assert_eq(lazy.sent[kind], e.sent[kind], "seed %lu, %s: %u %s, not %u", seed,
                     warp_level ? "WarpTM" : "Kilo TM", lazy.sent[kind], table_kinds[kind], e.sent[kind]);
        cr_assert_eq(lazy.flits[kind], e.flits[kind], "seed %lu: %u flits of %s, not %u", seed, lazy.flits[kind],
                     table_kinds[kind], e.flits[kind]);
        total[kind] += e.sent[kind];
    }
    cr_assert_eq(kit_statistic(rig_kit(rig), "tx_commits"), e.commits, "seed %lu", seed);
    cr_assert_eq(kit_statistic(rig_kit(rig), "tx_attempts"), e.attempts, "seed %lu", seed);
    cr_assert_eq(kit_statistic(rig_kit(rig), "tx_aborts"), e.attempts - e.commits, "seed %lu", seed);
    table_expect_memory(rig);
    rig_destroy(rig);
}

Test(tx_lazy_random, messages_are_as_many_as_the_logs_ask_for)
{
    uint64_t total[2][LAZY_KINDS] = {{0}};
    fprintf(stderr, "random logs: seeds 1 to %u\n", PROGRAMS);
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++)
        for (uint32_t warp_level = 0; warp_level < 2; warp_level++)
            compare(seed, warp_level, total[warp_level]);
    for (uint32_t kind = 0; kind < LAZY_KINDS; kind++) {
        cr_expect_gt(total[1][kind], 100, "kind %u", kind);
        cr_expect_eq(total[0][kind] > 4 * total[1][kind], kind > DONE_SKIP, "what WarpTM puts together, kind %u", kind);
    }
}
