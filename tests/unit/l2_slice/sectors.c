/* SPDX-License-Identifier: MIT */
/* Lines of which only some sectors are here. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

/* What went to memory: "r address bytes" or "w address bytes" of each request, in order, with "; " between. */
static const char *memory_requests(kit_block *kit)
{
    static char text[512];
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    size_t used = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < count; i++)
        if (events[i].port == MEMORY)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%c %u %u", used ? "; " : "",
                                     events[i].packet.message == kit_message(kit, HD_MEMORY_READ) ? 'r' : 'w',
                                     (unsigned)events[i].packet.address, events[i].packet.argument);
    return text;
}

#define SECTORED "sector=32 B"

Test(l2_slice_sectors, only_those_that_a_load_touches_are_fetched)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){SECTORED, NULL}, 1);
    load(kit, 0, 256 + 60, 8, 1, 0);
    hd_packet *reply = next_reply(kit);
    cr_expect_str_eq(memory_requests(kit), "r 288 64", "neighbours are one access");
    cr_expect_eq(memcmp(hd_body(reply), &memory->bytes[316], 8), 0);
    kit_free(kit, reply);
    cr_expect_eq(kit_statistic(kit, "bytes_filled"), 64);
    load_now(kit, 256 + 90);
    cr_expect_eq(kit_statistic(kit, "hits"), 1, "it is here");
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice_sectors, a_sector_miss_fetches_what_is_missing_and_keeps_what_is_here)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){SECTORED, NULL}, 1);
    store_now(kit, 64, 32, UINT32_MAX, 0x5A); /* whole: not fetched */
    cr_expect_str_eq(memory_requests(kit), "");
    load(kit, 0, 0, LINE, 1, kit_now(kit));
    hd_packet *reply = next_reply(kit);
    cr_expect_str_eq(memory_requests(kit), "r 0 64; r 96 32");
    uint8_t expected[LINE];
    memcpy(expected, memory->bytes, LINE);
    memset(&expected[64], 0x5A, 32);
    cr_expect_eq(memcmp(hd_body(reply), expected, LINE), 0);
    kit_free(kit, reply);
    cr_expect_eq(kit_statistic(kit, "misses"), 2);
    cr_expect_eq(kit_statistic(kit, "sector_misses"), 1);
    cr_expect_eq(kit_statistic(kit, "fills"), 2);
    kit_destroy(kit);
    free(memory);
}

/* The reads leave a cycle apart, and the reply when the last of them has come. */
Test(l2_slice_sectors, with_fill_of_sectors_each_is_an_access_of_its_own)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){SECTORED, "fill=sectors", NULL}, 1);
    load(kit, 0, 256, LINE, 1, 0);
    hd_packet *reply = next_reply(kit);
    cr_expect_str_eq(memory_requests(kit), "r 256 32; r 288 32; r 320 32; r 352 32");
    cr_expect_eq(memcmp(hd_body(reply), &memory->bytes[256], LINE), 0);
    const uint32_t others = 3, second_half = 1; /* of the reads and of the reply: cycles of the ports */
    cr_expect_eq(sent_at(kit, REPLY, 0), others + LINK + MEMORY_DELAY + LATENCY + second_half);
    kit_free(kit, reply);
    cr_expect_eq(kit_statistic(kit, "fills"), 4);
    cr_expect_eq(kit_statistic(kit, "bytes_filled"), LINE);
    cr_expect_eq(kit_statistic(kit, "misses"), 1);
    kit_destroy(kit);
    free(memory);
}

/* Sectors that lie apart are accesses of their own either way; so is what is written back side by side. */
Test(l2_slice_sectors, fill_of_sectors_leaves_write_backs_gathered)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){"bytes=128 B", "ways=1", SECTORED, "fill=sectors", NULL}, 1);
    store_now(kit, 32, 64, UINT32_MAX, 1);
    store_now(kit, 128, 32, UINT32_MAX, 2); /* takes its place */
    kit_run_until(kit, kit_now(kit) + 200 * CYCLE);
    cr_expect_str_eq(memory_requests(kit), "w 32 64");
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice_sectors, only_dirty_ones_are_written_back)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){"bytes=128 B", "ways=1", SECTORED, NULL}, 1);
    load_now(kit, 0);
    store_now(kit, 32, 32, UINT32_MAX, 1);
    store_now(kit, 96, 32, UINT32_MAX, 2);
    store_now(kit, 128, 32, UINT32_MAX, 3); /* takes its place */
    kit_run_until(kit, kit_now(kit) + 200 * CYCLE);
    cr_expect_str_eq(memory_requests(kit), "r 0 32; w 32 32; w 96 32");
    cr_expect_eq(memory->bytes[32], 1);
    cr_expect_eq(memory->bytes[127], 2);
    cr_expect_eq(memory->bytes[64], (uint8_t)(64 * 7), "of a sector that was never here");
    cr_expect_eq(kit_statistic(kit, "bytes_written_back"), 64);
    cr_expect_eq(kit_statistic(kit, "write_backs"), 2);
    kit_destroy(kit);
    free(memory);
}

/* A load waits for its sector; a store to another one, which is here, must not overtake it on the same line. */
Test(l2_slice_sectors, accesses_to_a_line_stay_in_order_over_its_sectors)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){SECTORED, NULL}, 2);
    load_now(kit, 0);
    const hd_time t = kit_now(kit) + 10 * CYCLE;
    load(kit, 0, 0, 64, 1, t);                           /* needs the second sector too */
    store(kit, 1, 4, 4, UINT32_MAX, 0x77, 2, t + CYCLE); /* to the first, which is here */
    kit_run_until(kit, t + 300 * CYCLE);
    hd_packet *reply = next_reply(kit);
    cr_expect_eq(reply->tag, 1);
    cr_expect_eq(memcmp(hd_body(reply), memory->bytes, 64), 0, "as it was before the store");
    kit_free(kit, reply);
    reply = next_reply(kit);
    cr_expect_eq(reply->tag, 2);
    kit_free(kit, reply);
    cr_expect_eq(load_now(kit, 4), 0x77777777);
    kit_destroy(kit);
    free(memory);
}

/* Nobody needs to wait for a sector that comes later. */
Test(l2_slice_sectors, a_target_leaves_when_its_own_sectors_have_come)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){SECTORED, NULL}, 1);
    load(kit, 0, 0, 4, 1, 0);
    load(kit, 0, 64, 4, 2, 30 * CYCLE);
    kit_run_until(kit, 500 * CYCLE);
    cr_expect_eq(sent_at(kit, REPLY, 0), LINK + MEMORY_DELAY + LATENCY);
    cr_expect_eq(sent_at(kit, REPLY, 1), 30 + LINK + MEMORY_DELAY + LATENCY);
    cr_expect_eq(kit_statistic(kit, "mshr_merges"), 1);
    kit_destroy(kit);
    free(memory);
}

/* What a waiting store will write as a whole is not fetched for those behind it, nor overwritten by what comes. */
Test(l2_slice_sectors, a_store_that_waits_provides_its_sector)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){SECTORED, NULL}, 1);
    load(kit, 0, 0, 4, 1, 0);
    store(kit, 0, 32, 32, UINT32_MAX, 0x11, 2, 0);
    load(kit, 0, 32, 4, 3, 0);
    kit_run_until(kit, 500 * CYCLE);
    cr_expect_str_eq(memory_requests(kit), "r 0 32");
    for (uint32_t tag = 1; tag <= 3; tag++) {
        hd_packet *reply = kit_receive(kit, REPLY, 0, kit_now(kit));
        cr_expect_eq(reply->tag, tag);
        cr_expect(tag != 3 || *(uint8_t *)hd_body(reply) == 0x11);
        kit_free(kit, reply);
    }
    cr_expect_eq(load_now(kit, 36), 0x11111111);
    kit_destroy(kit);
    free(memory);
}

static void acknowledge(kit_block *kit)
{
    hd_packet *write = kit_receive(kit, MEMORY, 0, kit_now(kit));
    hd_packet *response = kit_packet(kit, HD_MEMORY_RESPONSE, 0);
    response->tag = write->tag;
    kit_send(kit, MEMORY, 0, response, kit_now(kit) + CYCLE);
    kit_free(kit, write);
    kit_run_until(kit, kit_now(kit) + 10 * CYCLE);
}

/* Two runs of one line: it is on its way until memory has acknowledged both. */
Test(l2_slice_sectors, a_line_has_left_when_all_its_runs_are_acknowledged)
{
    struct memory *memory = make_memory();
    memory->keep_requests = 1;
    kit_block *kit = make(memory, (const char *[]){"bytes=128 B", "ways=1", SECTORED, NULL}, 1);
    const hd_pending *pending = hd_l2_slice_write_back.extension(kit_instance(kit), HD_EXTENSION_PENDING);
    uint8_t data[LINE];
    store_now(kit, 0, 32, UINT32_MAX, 1);
    store_now(kit, 64, 32, UINT32_MAX, 2);
    store_now(kit, 128, 32, UINT32_MAX, 3); /* takes its place */
    acknowledge(kit);
    cr_expect(pending->has_work(kit_instance(kit)));
    cr_expect_eq(kit_debug_read(kit, 64, data, LINE), 32);
    cr_expect_eq(data[0], 2);
    cr_expect_eq(kit_debug_read(kit, 32, data, LINE), 0, "was never here");
    acknowledge(kit);
    cr_expect_not(pending->has_work(kit_instance(kit)));
    cr_expect_eq(kit_debug_read(kit, 64, data, LINE), 0);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice_sectors, writing_through_leaves_nothing_dirty)
{
    struct memory *memory = make_memory();
    kit_block *kit = make_type(&hd_l2_slice_write_through, memory, (const char *[]){SECTORED, NULL}, 1);
    store_now(kit, 0, 4, UINT32_MAX, 9);
    kit_run_until(kit, kit_now(kit) + 100 * CYCLE);
    cr_expect_str_eq(memory_requests(kit), "r 0 32; w 0 32", "fetched, changed, written");
    store_now(kit, 8, 4, UINT32_MAX, 8);
    kit_run_until(kit, kit_now(kit) + 100 * CYCLE);
    cr_expect_str_eq(memory_requests(kit), "r 0 32; w 0 32; w 0 32");
    cr_expect_eq(memory->bytes[0], 9);
    cr_expect_eq(memory->bytes[8], 8);
    cr_expect_eq(load_now(kit, 8), 0x08080808);
    cr_expect_eq(kit_statistic(kit, "hits"), 2);
    kit_destroy(kit);
    free(memory);
}
