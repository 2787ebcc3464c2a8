/* SPDX-License-Identifier: MIT */
#include "bench.h"

/* The source of the n-th packet that left by an output. */
static uint32_t source_at(kit_block *kit, uint32_t output, uint32_t nth)
{
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    for (uint32_t i = 0; i < count; i++)
        if (events[i].element == output && nth-- == 0)
            return events[i].packet.source;
    cr_assert_fail("output %u has sent too few packets", output);
    return 0;
}

/* Three inputs have packets for both outputs. In the first cycle output 0 takes input 0 in the first iteration and output 1
 * takes input 1 in the second, which moves no turn (McKeown 1999 §III): in the next cycle it is still input 0's turn at output
 * 1, and input 1's at output 0. */
Test(crossbar_islip, turns_move_on_by_the_first_iteration_only)
{
    kit_block *kit =
        make_of(&hd_crossbar_islip, (const char *[]){"queues=virtual_output", "iterations=2", NULL}, 3, 2, 16);
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t input = 0; input < 3; input++)
            for (uint32_t output = 0; output < 2; output++)
                put(kit, input, output, FLIT, i, 0);
    kit_run_until(kit, 100 * CYCLE);
    cr_expect_eq(source_at(kit, 0, 0), 0);
    cr_expect_eq(source_at(kit, 1, 0), 1);
    cr_expect_eq(source_at(kit, 0, 1), 1);
    cr_expect_eq(source_at(kit, 1, 1), 0);
    kit_destroy(kit);
}
