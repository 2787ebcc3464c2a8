/* SPDX-License-Identifier: MIT */
/* Several initiators of one channel, and several partitions in it. */
#include "bench.h"

enum { PORTS = 3 };

static kit_block *make_shared(const hd_block_class *block_class, const char *const *parameters)
{
    static const uint32_t endpoints[] = {0};
    kit_block *kit = kit_create(block_class, parameters);
    kit_address_map(kit, 1, 4096, endpoints);
    for (uint32_t element = 0; element < PORTS; element++)
        kit_connect(kit, ACCESS, element, LINK, 64);
    return kit;
}

static void read_from(kit_block *kit, uint32_t element, uint64_t address, uint64_t tag, hd_time t)
{
    hd_packet *packet = kit_packet(kit, HD_MEMORY_READ, 0);
    packet->address = address;
    packet->argument = BURST_BYTES;
    packet->tag = tag;
    kit_send(kit, ACCESS, element, packet, t);
}

static void expect_turns(const hd_block_class *block_class, const char *const *parameters)
{
    enum { EACH = 60 };
    kit_block *kit = make_shared(block_class, parameters);
    for (uint32_t i = 0; i < EACH; i++)
        for (uint32_t element = 0; element < PORTS; element++)
            read_from(kit, element, 0, i * PORTS + element, 0);
    kit_run_until(kit, 20000 * CYCLE);
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, EACH * PORTS);
    for (uint32_t i = 0; i < count; i++) {
        cr_assert_eq(events[i].element, events[i].packet.tag % PORTS, "a response goes back where its request was");
        cr_assert_leq(events[i].packet.tag / PORTS, i / PORTS + 1, "no port is served twice before another");
    }
    kit_destroy(kit);
}

Test(dram, ports_take_turns)
{
    expect_turns(&hd_dram_banked, (const char *[]){"latency=10 cycles", "trefi=0 ns", NULL});
    expect_turns(&hd_dram_fixed_latency, NULL);
}

Test(dram, a_port_alone_gets_all_turns)
{
    kit_block *kit = make_shared(&hd_dram_banked, (const char *[]){"latency=10 cycles", "trefi=0 ns", NULL});
    for (uint32_t i = 0; i < 20; i++)
        read_from(kit, 1, (uint64_t)i * BURST_BYTES, i, 0);
    kit_run_until(kit, 20 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "queue_maximum"), 17, "one a cycle: three are gone when the last comes");
    kit_destroy(kit);
}

Test(dram, a_port_without_credits_does_not_hold_up_the_others)
{
    kit_block *kit =
        make_shared(&hd_dram_banked, (const char *[]){"latency=10 cycles", "trefi=0 ns", "responses=4", NULL});
    kit_hold_credits(kit, ACCESS, 0, 1);
    for (uint32_t i = 0; i < 90; i++)
        read_from(kit, 0, 0, i, 0);
    for (uint32_t i = 0; i < 20; i++)
        read_from(kit, 2, 4096, 100 + i, 0);
    kit_run_until(kit, 5000 * CYCLE);
    cr_expect_eq(kit_waiting(kit, ACCESS, 2), 20);
    cr_expect_eq(kit_waiting(kit, ACCESS, 0), 64);
    kit_hold_credits(kit, ACCESS, 0, 0);
    kit_release_credits(kit, ACCESS, 0, UINT32_MAX, 5000 * CYCLE);
    kit_run_until(kit, 9000 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "reads"), 110);
    kit_destroy(kit);
}

Test(dram, chunks_of_two_partitions_lie_in_different_places_of_a_channel)
{
    kit_block *kit = kit_create(&hd_dram_banked, (const char *[]){"latency=10 cycles", "trefi=0 ns", NULL});
    kit_address_map(kit, 2, 256, NULL);
    kit_connect(kit, ACCESS, 0, LINK, 16);
    /* Chunks 0 and 1 are those of the two partitions, 16 is again the bank of 0 and in its row. */
    read_at(kit, 0, 64, 1, 0);
    read_at(kit, 256, 64, 2, 200 * CYCLE);
    read_at(kit, 16 * 256, 64, 3, 400 * CYCLE);
    kit_run_until(kit, 1000 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "row_hits"), 1);
    cr_expect_eq(kit_statistic(kit, "row_misses"), 2);
    kit_destroy(kit);
}

/* Chunks of two partitions lie in a channel in turn, each in another bank, and then in the first again. */
Test(dram, the_partitions_of_a_channel_have_chunks_of_their_own_in_its_rows)
{
    static const uint32_t endpoints[] = {0, 0, 0, 0};
    const hd_address_map maps[] = {
        {.partitions = 2, .interleave_bytes = INTERLEAVE, .endpoints = endpoints},
        {.partitions = 2,
         .interleave_bytes = INTERLEAVE,
         .endpoints = endpoints,
         .sub_partitions = 2,
         .sub_interleave_bytes = INTERLEAVE},
    };
    for (uint32_t m = 0; m < 2; m++) {
        kit_block *kit = kit_create(&hd_dram_banked, (const char *[]){"latency=10 cycles", "trefi=0 ns", NULL});
        kit_provide_map(kit, &maps[m]);
        kit_connect(kit, ACCESS, 0, LINK, 64);
        for (uint32_t i = 0; i < 4; i++)
            read_at(kit, (uint64_t)i * INTERLEAVE, BURST_BYTES, i, 0);
        read_at(kit, BANKS * INTERLEAVE, BURST_BYTES, 4, 0);
        kit_run_until(kit, 1000 * CYCLE);
        cr_expect_eq(kit_statistic(kit, "activates"), 4, "map %u", m);
        cr_expect_eq(kit_statistic(kit, "row_hits"), 1, "map %u", m);
        kit_destroy(kit);
    }
}
