/* SPDX-License-Identifier: MIT */
/* What makes no sense, and what does not belong to a generator. */
#include "rig.h"

#include <string.h>

static void expect_refused(const char *one, const char *two, const char *text)
{
    char error[512] = "";
    cr_expect(kit_refuses(&hd_simt_core_traffic, (const char *[]){one, two, NULL}, error, sizeof error), "%s", one);
    cr_expect(strstr(error, text), "%s: %s", one, error);
}

Test(traffic_refusals, values_that_do_not_go_together)
{
    expect_refused("bytes=48 B", NULL, "bytes must be a power of two");
    expect_refused("footprint=200 B", NULL, "footprint must be a multiple of 128 B");
    expect_refused("stride=100 B", "bytes=8 B", "stride must be a multiple of bytes");
    expect_refused("writes=60", "atomics=41", "writes and atomics are more than 100 percent");
    expect_refused("base=0x10000040", NULL, "base must be a multiple of 128");
    expect_refused("base=0x0F000000", NULL, "not below global memory");
    expect_refused("pattern=trace", NULL, "pattern trace needs a file");
    expect_refused("trace=here", NULL, "only pattern trace reads a file");
}

Test(traffic_refusals, what_does_not_fit_the_machine)
{
    expect_refused("base=0xFFFFFF80", NULL, "leaves global memory");
    expect_refused("hot_spot.partition=2", "pattern=hot_spot", "the machine has 2 partitions");
    expect_refused("footprint=256 B", NULL, "partition 1 holds nothing of the footprint of 256 bytes");
}

Test(traffic_refusals, places_with_versions_are_limited)
{
    char error[512] = "";
    const char *const values[] = {"writes=1", "bytes=4 B", "footprint=128 MiB", NULL};
    cr_expect(kit_refuses(&hd_simt_core_traffic, values, error, sizeof error));
    cr_expect(strstr(error, "at most 16777216 places"), "%s", error);
}

Test(traffic_refusals, it_announces_room_for_nothing)
{
    rig *rig = rig_open(NULL, 0, 1, 8);
    hd_packet *packet = kit_receive(rig->kit, PORT_EVENT, 0, 10 * CYCLE);
    cr_assert(packet);
    cr_expect_eq(packet->message, kit_message(rig->kit, HD_CORE_CAPACITY));
    const hd_core_capacity *capacity = hd_body_const(packet);
    cr_expect_eq(capacity->blocks, 0);
    cr_expect_eq(capacity->threads, 0);
    cr_expect_gt(capacity->lanes, 0);
    kit_free(rig->kit, packet);
    cr_expect_null(kit_receive(rig->kit, PORT_EVENT, 0, 100 * CYCLE));
    rig_close(rig);
}

Test(traffic_refusals, a_thread_block_ends_the_run)
{
    rig *rig = rig_open(NULL, 0, 1, 8);
    kit_expect_fault(rig->kit);
    kit_send(rig->kit, PORT_DISPATCH, 0, kit_packet(rig->kit, HD_BLOCK_LAUNCH, sizeof(hd_block_launch)), 50 * CYCLE);
    kit_run_until(rig->kit, 100 * CYCLE);
    cr_expect_str_eq(kit_fault_text(rig->kit), "core generates traffic and runs no thread blocks");
    rig_close(rig);
}

Test(traffic_refusals, a_reply_that_nobody_asked_for_ends_the_run)
{
    rig *rig = rig_open((const char *[]){"rate=1", "requests=1", "arrivals=periodic", NULL}, 0, 1, 8);
    kit_expect_fault(rig->kit);
    kit_run_until(rig->kit, 900 * CYCLE);
    kit_send(rig->kit, PORT_REPLY, 0, kit_packet(rig->kit, HD_GLOBAL_STORE_ACK, 0), 900 * CYCLE);
    kit_run_until(rig->kit, 1000 * CYCLE);
    cr_expect(strstr(kit_fault_text(rig->kit), "a reply to a request that was not made"));
    rig_close(rig);
}
