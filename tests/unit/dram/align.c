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

/* Requests that wait when rows are closed under them go on as in a device that is new. */
Test(dram, aligned_with_requests_in_the_queue_goes_on_at_once)
{
    enum { AT = 100 };
    kit_block *kit = make();
    read_at(kit, 0, BURST_BYTES, 0, (AT - 8) * CYCLE);           /* its row is open from 104 on */
    read_at(kit, BURST_BYTES, BURST_BYTES, 1, (AT - 2) * CYCLE); /* chosen as a hit */
    read_at(kit, ROW_STRIDE, BURST_BYTES, 2, (AT - 1) * CYCLE);
    kit_run_until(kit, AT * CYCLE);
    kit_align(kit);
    kit_run_until(kit, 1000 * CYCLE);
    const uint64_t first = AT + TRCD + TCL + BURST + LATENCY;
    cr_expect_eq(sent_at(kit, 0), first);
    cr_expect_eq(sent_at(kit, 1), first + TCCD_L);
    cr_expect_eq(sent_at(kit, 2), AT + TRAS + TRP + TRCD + TCL + BURST + LATENCY);
    cr_expect_eq(kit_statistic(kit, "activates"), 3);
    kit_destroy(kit);
}
