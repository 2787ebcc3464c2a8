/* SPDX-License-Identifier: MIT */
/* What a kernel sees must not depend on what ran before it: aligned is as good as new, but for data and statistics. */
#include "bench.h"

enum { REQUESTS = 300, END = 20000 };

static void run_load(kit_block *kit, hd_time start)
{
    uint64_t seed = 11;
    hd_time t = start;
    for (uint32_t i = 0; i < REQUESTS; i++) {
        const uint64_t address = kit_random(&seed) % 4 * ROW_STRIDE + kit_random(&seed) % 64 * LINE;
        t += kit_random(&seed) % 4 ? 0 : kit_random(&seed) % 100 * CYCLE;
        if (kit_random(&seed) % 2)
            read_at(kit, address, LINE, i, t);
        else
            write_at(kit, address, LINE, 1, i, t);
    }
    kit_run_until(kit, start + (hd_time)END * CYCLE);
}

static uint32_t differs(uint32_t with_align)
{
    kit_block *kit = make_with((const char *[]){"trefi=700 ns", NULL}, 16);
    run_load(kit, 0);
    if (with_align)
        kit_align(kit);
    const hd_time start = kit_now(kit);
    run_load(kit, start);
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, 2 * REQUESTS);
    uint32_t different = 0;
    for (uint32_t i = 0; i < REQUESTS; i++) {
        const kit_event *again = &events[REQUESTS + i];
        different += events[i].t + start != again->t || events[i].packet.tag != again->packet.tag;
    }
    kit_destroy(kit);
    return different;
}

Test(dram, aligned_does_the_same_as_new)
{
    cr_expect_eq(differs(1), 0);
    cr_expect_gt(differs(0), 0, "the load is such that it matters");
}
