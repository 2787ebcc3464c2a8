/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <stdlib.h>

Test(l2_slice, merges_a_second_miss_to_the_same_line)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, NULL, 1);
    load(kit, 0, 0, 4, 1, 0);
    load(kit, 0, 64, 4, 2, 0);
    load(kit, 0, 128, 4, 3, 0);
    kit_run_until(kit, 500 * CYCLE);
    cr_expect_eq(memory->reads, 2);
    cr_expect_eq(kit_statistic(kit, "misses"), 2);
    cr_expect_eq(kit_statistic(kit, "mshr_merges"), 1);
    cr_expect_eq(kit_statistic(kit, "mshr_maximum"), 2);
    /* The replies of one fill share the data port. */
    cr_expect_eq(sent_at(kit, REPLY, 1), sent_at(kit, REPLY, 0) + 1);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, counts_reads_and_writes_by_whether_their_line_was_there_and_by_32_bytes)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, NULL, 1);
    const hd_atomic_operation operations[] = {{.operation = HD_ATOMIC_ADD, .word = 0, .operand = 1},
                                              {.operation = HD_ATOMIC_ADD, .word = 7, .operand = 1},
                                              {.operation = HD_ATOMIC_ADD, .word = 31, .operand = 1}};
    load(kit, 0, 28, 8, 1, 0);                             /* misses, over an edge of 32 B */
    load(kit, 0, 64, 64, 2, 0);                            /* joins it */
    store(kit, 0, 128, 4, 0xF, 1, 3, 0);                   /* misses */
    store(kit, 0, 0, LINE, UINT32_MAX, 1, 4, 500 * CYCLE); /* hits */
    atomic(kit, 0, 0, operations, 3, 5, 500 * CYCLE);      /* a read that hits, in two pieces */
    kit_run_until(kit, 1000 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "read_hits"), 2);
    cr_expect_eq(kit_statistic(kit, "read_misses"), 1);
    cr_expect_eq(kit_statistic(kit, "write_hits"), 1);
    cr_expect_eq(kit_statistic(kit, "write_misses"), 1);
    cr_expect_eq(kit_statistic(kit, "read_hit_sectors"), 2 + 2);
    cr_expect_eq(kit_statistic(kit, "read_miss_sectors"), 2);
    cr_expect_eq(kit_statistic(kit, "write_hit_sectors"), 4);
    cr_expect_eq(kit_statistic(kit, "write_miss_sectors"), 1);
    kit_destroy(kit);
    free(memory);
}

static void load_of_class(kit_block *kit, uint32_t class, uint64_t address, hd_time t)
{
    hd_packet *packet = kit_packet(kit, HD_GLOBAL_LOAD, 0);
    packet->address = address;
    packet->argument = 4;
    packet->traffic_class = class;
    kit_send(kit, REQUEST, 0, packet, t);
}

Test(l2_slice, says_of_loads_of_transactions_whether_they_hit)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, NULL, 1);
    load_of_class(kit, HD_CLASS_TRANSACTION, 0, 0);
    load_of_class(kit, HD_CLASS_GLOBAL, 4, 0);
    for (uint32_t word = 2; word < 4; word++)
        load_of_class(kit, HD_CLASS_TRANSACTION, word * 4, 0);
    load_of_class(kit, HD_CLASS_GLOBAL, 4096, 500 * CYCLE);
    for (uint32_t word = 4; word < 7; word++)
        load_of_class(kit, HD_CLASS_TRANSACTION, word * 4, 500 * CYCLE);
    store(kit, 0, 0, 4, 0xF, 1, 9, 500 * CYCLE);
    kit_run_until(kit, 1000 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "transaction_loads.misses"), 1);
    cr_expect_eq(kit_statistic(kit, "transaction_loads.merges"), 2);
    cr_expect_eq(kit_statistic(kit, "transaction_loads.hits"), 3);
    cr_expect_eq(kit_statistic(kit, "misses"), 2);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, targets_of_a_miss_are_carried_out_in_order_of_acceptance)
{
    struct memory *memory = make_memory();
    memset(memory->bytes, 0, LINE);
    kit_block *kit = make(memory, NULL, 2);
    const hd_atomic_operation add = {.operation = HD_ATOMIC_ADD, .word = 0, .operand = 1};
    load(kit, 0, 0, 4, 1, 0);
    store(kit, 1, 0, 4, 0xF, 0x22, 2, 1 * CYCLE);
    load(kit, 0, 0, 4, 3, 2 * CYCLE);
    atomic(kit, 1, 0, &add, 1, 4, 3 * CYCLE);
    load(kit, 0, 0, 4, 5, 4 * CYCLE);
    static const uint32_t expected[] = {0, 0, 0x22222222, 0x22222222, 0x22222223};
    for (uint64_t tag = 1; tag <= 5; tag++) {
        hd_packet *reply = next_reply(kit);
        cr_assert_eq(reply->tag, tag);
        uint32_t word = 0;
        if (reply->body_bytes)
            memcpy(&word, hd_body(reply), 4);
        cr_expect_eq(word, expected[tag - 1], "request %u", (unsigned)tag);
        kit_free(kit, reply);
    }
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, hits_go_on_under_a_miss)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, NULL, 1);
    load_now(kit, 0);
    load(kit, 0, 4096, 4, 1, 500 * CYCLE);
    load(kit, 0, 0, 4, 2, 500 * CYCLE);
    hd_packet *reply = next_reply(kit);
    cr_expect_eq(reply->tag, 2);
    kit_free(kit, reply);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, replaces_the_line_used_longest_ago)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){SMALL, NULL}, 1);
    const uint64_t step = SMALL_SETS * LINE; /* the same set */
    load_now(kit, 0);
    load_now(kit, step);
    load_now(kit, 0);
    load_now(kit, 2 * step); /* replaces step */
    cr_expect_eq(kit_statistic(kit, "misses"), 3);
    load_now(kit, 0);
    cr_expect_eq(kit_statistic(kit, "misses"), 3);
    load_now(kit, step);
    cr_expect_eq(kit_statistic(kit, "misses"), 4);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, replaces_the_line_that_came_first_if_told_so)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){SMALL, "replacement=fifo", NULL}, 1);
    const uint64_t step = SMALL_SETS * LINE;
    load_now(kit, 0);
    load_now(kit, step);
    load_now(kit, 0);
    load_now(kit, 2 * step); /* replaces 0 */
    load_now(kit, step);
    cr_expect_eq(kit_statistic(kit, "misses"), 3);
    load_now(kit, 0);
    cr_expect_eq(kit_statistic(kit, "misses"), 4);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, takes_its_sets_from_the_address_inside_the_partition)
{
    /* 6 partitions: lines of this slice are 256 of every 1536 bytes, and still fill every set. */
    static const uint32_t endpoints[] = {1, 2, 0, 3, 4, 5};
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){"bytes=16 KiB", "ways=1", NULL}, 1);
    kit_address_map(kit, 6, 256, endpoints);
    for (uint32_t i = 0; i < 128; i++)
        load_now(kit, (uint64_t)(i / 2 * 6 + 2) * 256 + i % 2 * LINE);
    for (uint32_t i = 0; i < 128; i++)
        load_now(kit, (uint64_t)(i / 2 * 6 + 2) * 256 + i % 2 * LINE);
    cr_expect_eq(kit_statistic(kit, "misses"), 128);
    cr_expect_eq(kit_statistic(kit, "hits"), 128);
    kit_destroy(kit);
    free(memory);
}

/* Eight lines 2^n lines apart in eight sets of a way: how many are still there in the second pass. */
static uint64_t hits_of_stride(const char *hash, uint32_t n)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){"bytes=1 KiB", "ways=1", hash, NULL}, 1);
    for (uint64_t i = 0; i < 16; i++)
        load_now(kit, (i % 8) << n << 7);
    const uint64_t hits = kit_statistic(kit, "hits");
    kit_destroy(kit);
    free(memory);
    return hits;
}

Test(l2_slice, a_hash_spreads_strides_over_the_sets)
{
    for (uint32_t n = 0; n < 9; n++) {
        cr_expect_eq(hits_of_stride("set_hash=linear", n), n ? 0 : 8, "linear, 2^%u", n);
        cr_expect_eq(hits_of_stride("set_hash=ipoly", n), 8, "ipoly, 2^%u", n);
    }
    static const uint8_t by_xor[] = {8, 8, 8, 8, 0, 0, 0};
    for (uint32_t n = 0; n < 7; n++)
        cr_expect_eq(hits_of_stride("set_hash=xor", n), by_xor[n], "xor, 2^%u: %u", n,
                     (unsigned)hits_of_stride("set_hash=xor", n));
}

Test(l2_slice, a_hash_needs_sets_of_a_power_of_two)
{
    char error[256] = "";
    static const char *const three[] = {"bytes=3 KiB", "ways=8", "set_hash=xor", NULL};
    static const char *const linear[] = {"bytes=3 KiB", "ways=8", NULL};
    cr_expect(kit_refuses(&hd_l2_slice_write_back, three, error, sizeof error));
    cr_expect(strstr(error, "a power of two"), "%s", error);
    cr_expect_not(kit_refuses(&hd_l2_slice_write_back, linear, error, sizeof error));
}

/* Its partition's addresses are accepted as the map says, and no others: a fault would end the run. */
Test(l2_slice, a_slice_of_a_hashed_map_holds_what_the_map_says)
{
    static const uint32_t endpoints[] = {1, 0, 2, 3};
    for (uint32_t subs = 1; subs <= 2; subs++) {
        hd_index_hash hash;
        hd_index_hash_init(&hash, HD_HASH_IPOLY, 4);
        const hd_address_map map = {4, 256, endpoints, subs, 128, &hash, 0};
        struct memory *memory = make_memory();
        kit_block *kit = make(memory, (const char *[]){"bytes=32 KiB", "ways=1", NULL}, 1);
        kit_provide_map(kit, &map);
        uint32_t lines = 0;
        for (uint32_t pass = 0; pass < 2; pass++)
            for (uint64_t address = 0; address < 128 * 1024; address += LINE)
                if (hd_partition_of(&map, address) == 1) {
                    load_now(kit, address);
                    lines += !pass;
                }
        cr_expect_eq(lines, 256);
        cr_expect_eq(kit_statistic(kit, "misses"), 256);
        cr_expect_eq(kit_statistic(kit, "hits"), 256, "each has a set of its own");
        kit_destroy(kit);
        free(memory);
    }
}

Test(l2_slice, a_line_evicted_and_fetched_again_keeps_its_stores)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){SMALL, NULL}, 1);
    const uint64_t step = SMALL_SETS * LINE;
    store_now(kit, 0, 4, 0xF, 0xAA);
    /* Both ways are taken by others, and the first line is wanted back while it is on its way out. */
    load(kit, 0, step, 4, 1, kit_now(kit));
    load(kit, 0, 2 * step, 4, 2, kit_now(kit));
    for (uint32_t i = 0; i < 2; i++)
        kit_free(kit, next_reply(kit));
    cr_expect_eq(kit_statistic(kit, "write_backs"), 1);
    cr_expect_eq(load_now(kit, 0), 0xAAAAAAAA);
    cr_expect_eq(memory->writes, 1);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, writes_a_victim_before_it_reads_the_same_line)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){"bytes=128 B", "ways=1", NULL}, 1);
    store_now(kit, 0, 4, 0xF, 0xAA);
    store(kit, 0, LINE, LINE, UINT32_MAX, 1, 1, kit_now(kit));
    load(kit, 0, 0, 4, 2, kit_now(kit));
    kit_run_until(kit, kit_now(kit) + 500 * CYCLE);
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    uint32_t written = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (events[i].port != MEMORY || events[i].packet.address != 0)
            continue;
        if (events[i].packet.message == kit_message(kit, HD_MEMORY_WRITE))
            written = 1;
        else if (events[i].t > 100 * CYCLE)
            cr_expect(written);
    }
    cr_expect(written);
    kit_free(kit, next_reply(kit));
    hd_packet *reply = next_reply(kit);
    cr_expect_eq(((const uint8_t *)hd_body(reply))[0], 0xAA);
    kit_free(kit, reply);
    kit_destroy(kit);
    free(memory);
}
