/* SPDX-License-Identifier: MIT */
/* What a copy moves, in how many accesses, and how long it takes. */
#include "rig.h"

#include <string.h>

#define LATE ((hd_time)1000000 * CYCLE)

Test(dma_engine, a_copy_to_the_device_is_read_from_the_host_and_written_to_the_device)
{
    rig rig;
    rig_open(&rig, (const char *[]){"setup=10 cycles", "link.width=16 B", NULL});
    rig_start(&rig, 7, HD_COPY_TO_DEVICE, 64, 128, 100, 0);
    cr_expect_eq(rig_expect_end(&rig, LATE), 7);
    cr_expect_arr_eq(rig.device.bytes + 128, rig.host.bytes + 64, 100);
    cr_expect_eq(rig.host.reads, 1);
    cr_expect_eq(rig.device.writes, 1);
    cr_expect_eq(rig.host.writes + rig.device.reads, 0);
    /* Setup; the read there, answered; 108 bytes over the link; the write there, answered, taken in; and told. */
    const uint64_t host = LINK + 20, device = LINK + 30;
    cr_expect_eq(kit_received_at(rig.kit), (10 + host + (108 + 15) / 16 + device + 1 + LINK) * CYCLE);
    cr_expect_eq(kit_statistic(rig.kit, "copies"), 1);
    cr_expect_eq(kit_statistic(rig.kit, "bytes_to_device"), 100);
    cr_expect_eq(kit_statistic(rig.kit, "link_out_cycles"), 1);
    cr_expect_eq(kit_statistic(rig.kit, "link_in_cycles"), 7);
    cr_expect_eq(kit_statistic(rig.kit, "busy_cycles"), kit_received_at(rig.kit) / CYCLE - LINK);
    cr_expect_eq(kit_statistic(rig.kit, "copy_cycles"), kit_statistic(rig.kit, "busy_cycles"));
    rig_close(&rig);
}

Test(dma_engine, a_copy_from_the_device_goes_the_other_way)
{
    rig rig;
    rig_open(&rig, (const char *[]){"setup=0 cycles", "link.width=4 B", NULL});
    rig_start(&rig, 1, HD_COPY_FROM_DEVICE, 3, 300, 77, 0);
    rig_expect_end(&rig, LATE);
    cr_expect_arr_eq(rig.host.bytes + 3, rig.device.bytes + 300, 77);
    cr_expect_eq(rig.host.writes, 1);
    cr_expect_eq(rig.device.reads, 1);
    cr_expect_eq(kit_statistic(rig.kit, "bytes_from_device"), 77);
    cr_expect_eq(kit_statistic(rig.kit, "link_out_cycles"), (8 + 77 + 3) / 4);
    cr_expect_eq(kit_statistic(rig.kit, "link_in_cycles"), 8 / 4);
    rig_close(&rig);
}

Test(dma_engine, a_fill_reads_nothing_and_takes_nothing_of_the_link_to_the_host)
{
    rig rig;
    rig_open(&rig, (const char *[]){"setup=0 cycles", NULL});
    rig_start(&rig, 1, HD_COPY_FILL, 0x5A, 300, 1000, 0); /* host memory is at a multiple of 256 */
    rig_expect_end(&rig, LATE);
    for (uint32_t i = 0; i < 1000; i++)
        cr_assert_eq(rig.device.bytes[300 + i], 0x5A);
    cr_expect_eq(rig.device.writes, 5);
    cr_expect_eq(rig.host.reads + rig.host.writes + rig.device.reads, 0);
    cr_expect_eq(kit_statistic(rig.kit, "bytes_filled"), 1000);
    cr_expect_eq(kit_statistic(rig.kit, "link_out_cycles") + kit_statistic(rig.kit, "link_in_cycles"), 0);
    cr_expect_eq(kit_received_at(rig.kit), (5 - 1 + LINK + 30 + 1 + LINK) * CYCLE);
    rig_close(&rig);
}

Test(dma_engine, bursts_are_cut_at_multiples_of_the_device_address)
{
    rig rig;
    rig_open(&rig, (const char *[]){"burst=128 B", NULL});
    rig.boundary = 128;
    rig_start(&rig, 0, HD_COPY_TO_DEVICE, 5, 127, 1 + 128 + 128 + 3, 0); /* the first of one byte, the last of 3 */
    rig_expect_end(&rig, LATE);
    cr_expect_arr_eq(rig.device.bytes + 127, rig.host.bytes + 5, 260);
    cr_expect_eq(rig.device.writes, 4);
    cr_expect_eq(rig.device.longest, 128);
    cr_expect_eq(rig.device.unevenly, 0);
    rig_close(&rig);
}

/* Cycles of one copy of 8 KiB. */
static uint64_t cycles_with(const char *const *parameters, uint32_t direction)
{
    rig rig;
    rig_open(&rig, parameters);
    rig_start(&rig, 0, direction, 0, 0, 8192, 0);
    rig_expect_end(&rig, LATE);
    const uint64_t cycles = kit_received_at(rig.kit) / CYCLE;
    rig_close(&rig);
    return cycles;
}

Test(dma_engine, the_link_to_the_host_bounds_the_bandwidth_either_way)
{
    for (uint32_t direction = 0; direction < 2; direction++) {
        const uint64_t wire = 8192 + 8192 / 256 * 8;
        const uint64_t by_8 = cycles_with((const char *[]){"link.width=8 B", NULL}, direction);
        const uint64_t by_16 = cycles_with((const char *[]){"link.width=16 B", NULL}, direction);
        cr_expect(by_8 >= 100 + wire / 8 && by_8 < 200 + wire / 8, "%llu cycles", (unsigned long long)by_8);
        cr_expect(by_16 >= 100 + 32 * 17 && by_16 < 200 + 32 * 17, "%llu cycles", (unsigned long long)by_16);
    }
}

Test(dma_engine, bursts_under_way_hide_the_latency)
{
    const uint64_t one = cycles_with((const char *[]){"outstanding=1", "link.width=256 B", NULL}, 0);
    const uint64_t four = cycles_with((const char *[]){"outstanding=4", "link.width=256 B", NULL}, 0);
    cr_expect_geq(one, 100 + 32 * 52); /* each waits for its read and its write */
    cr_expect_leq(four, 150 + 8 * 60);
}

Test(dma_engine, channels_work_side_by_side_and_no_more_than_there_are)
{
    rig rig;
    rig_open(&rig, (const char *[]){"channels=2", "setup=0 cycles", "outstanding=1", NULL});
    for (uint32_t i = 0; i < 3; i++)
        rig_start(&rig, i, HD_COPY_TO_DEVICE, 1024 * i, 1024 * i, 512, 0);
    cr_expect_eq(rig_expect_end(&rig, LATE), 0);
    const hd_time first = kit_received_at(rig.kit);
    cr_expect_eq(rig_expect_end(&rig, LATE), 1);
    cr_expect_leq(kit_received_at(rig.kit), first + 40 * CYCLE);
    cr_expect_eq(rig_expect_end(&rig, LATE), 2);
    cr_expect_geq(kit_received_at(rig.kit), first + 2 * 50 * CYCLE, "the third waits for a channel");
    cr_expect_eq(kit_statistic(rig.kit, "max_copies"), 2);
    cr_expect_eq(kit_statistic(rig.kit, "max_bursts"), 2);
    rig_close(&rig);
}

Test(dma_engine, directions_share_the_link_without_waiting_for_each_other)
{
    rig rig;
    rig_open(&rig, (const char *[]){"channels=2", "link.width=8 B", NULL});
    rig_start(&rig, 0, HD_COPY_TO_DEVICE, 0, 0, 4096, 0);
    rig_start(&rig, 1, HD_COPY_FROM_DEVICE, 8192, 8192, 4096, 0);
    rig_expect_end(&rig, LATE);
    rig_expect_end(&rig, LATE);
    const uint64_t wire = (4096 + 16 * 8) / 8;
    cr_expect_leq(kit_received_at(rig.kit), (wire + 16 + 300) * CYCLE);
    rig_close(&rig);
}

/* The addresses of the accesses at a port, from the n-th on, in order. */
static uint32_t addresses_at(rig *rig, uint32_t port, uint64_t *addresses, uint32_t most)
{
    uint32_t count, found = 0;
    const kit_event *events = kit_trace(rig->kit, &count);
    for (uint32_t i = 0; i < count && found < most; i++)
        if (events[i].port == port)
            addresses[found++] = events[i].packet.address;
    return found;
}

/* The link to the device takes nothing for a while: the bursts that are held go in the order of their addresses, although a
 * later one has the place of an earlier one. */
Test(dma_engine, held_bursts_are_written_in_the_order_of_their_addresses)
{
    enum { BURSTS = 24, LINK_CREDITS = 16, BYTES = 256 };
    rig rig;
    uint64_t addresses[BURSTS];
    rig_open(&rig, (const char *[]){"channels=1", "outstanding=3", "setup=0 cycles", "burst=256 B", NULL});
    kit_hold_credits(rig.kit, PORT_DEVICE, 0, 1);
    rig_start(&rig, 0, HD_COPY_TO_DEVICE, 0, 0, BURSTS * BYTES, 0);
    kit_run_until(rig.kit, 20000 * CYCLE);
    cr_expect_eq(addresses_at(&rig, PORT_DEVICE, addresses, BURSTS), LINK_CREDITS);
    for (uint32_t i = LINK_CREDITS; i < BURSTS; i++) {
        kit_release_credits(rig.kit, PORT_DEVICE, 0, 1, kit_now(rig.kit));
        kit_run_until(rig.kit, kit_now(rig.kit) + 1000 * CYCLE);
    }
    cr_assert_eq(addresses_at(&rig, PORT_DEVICE, addresses, BURSTS), BURSTS);
    for (uint32_t i = 0; i < BURSTS; i++)
        cr_expect_eq(addresses[i], RIG_DEVICE + i * BYTES);
    rig_close(&rig);
}

/* Each side serves the copies that have something for it in turn. */
Test(dma_engine, copies_take_turns_at_either_side)
{
    enum { COPIES = 3, BYTES = 4096, ACCESSES = 24 };
    static const uint32_t ports[] = {PORT_HOST, PORT_DEVICE};
    rig rig;
    uint64_t addresses[ACCESSES];
    rig_open(&rig, (const char *[]){"channels=3", "outstanding=8", "setup=0 cycles", "link.width=1024 B", NULL});
    for (uint32_t i = 0; i < COPIES; i++)
        rig_start(&rig, i, HD_COPY_TO_DEVICE, BYTES * i, BYTES * i, BYTES, 0);
    for (uint32_t i = 0; i < COPIES; i++)
        rig_expect_end(&rig, LATE);
    for (uint32_t side = 0; side < 2; side++) {
        const uint64_t base = side == 0 ? RIG_HOST : RIG_DEVICE;
        cr_assert_eq(addresses_at(&rig, ports[side], addresses, ACCESSES), ACCESSES);
        for (uint32_t i = COPIES; i < ACCESSES; i++)
            cr_expect_eq((addresses[i] - base) / BYTES, ((addresses[i - 1] - base) / BYTES + 1) % COPIES,
                         "access %u at side %u", i, side);
    }
    rig_close(&rig);
}

Test(dma_engine, says_what_is_under_way)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_start(&rig, 3, HD_COPY_FROM_DEVICE, 0, 0, 4096, 0);
    kit_run_until(rig.kit, 110 * CYCLE);
    const hd_pending *pending = hd_dma_engine_channels.extension(kit_instance(rig.kit), HD_EXTENSION_PENDING);
    const hd_mark *mark = hd_dma_engine_channels.extension(kit_instance(rig.kit), HD_EXTENSION_MARK);
    cr_expect(pending->has_work(kit_instance(rig.kit)));
    mark->mark(kit_instance(rig.kit));
    cr_expect_gt(kit_statistic(rig.kit, "max_bursts"), 1);
    rig_expect_end(&rig, LATE);
    cr_expect_not(pending->has_work(kit_instance(rig.kit)));
    mark->mark(kit_instance(rig.kit));
    cr_expect_eq(kit_statistic(rig.kit, "max_bursts"), 0);
    rig_close(&rig);
}
