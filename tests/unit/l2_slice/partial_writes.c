/* SPDX-License-Identifier: MIT */
/* Sectors that are written in part and not fetched for that: byte masks. */
#include "bench.h"

#include <stdlib.h>

#define MASKED "sector=32 B", "partial_writes=mask"

/* docs/cards.md, K37: 4 B to each sector, then loads of all. */
static void k37(const char *partial_writes, uint64_t filled_by_stores, uint64_t filled_by_loads)
{
    enum { BYTES = 4096, SECTOR = 32 };
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){"sector=32 B", partial_writes, NULL}, 1);
    for (uint32_t at = 0; at < BYTES; at += SECTOR)
        store_now(kit, at + 8, 4, UINT32_MAX, 0xA5);
    cr_expect_eq(kit_statistic(kit, "bytes_filled"), filled_by_stores, "%s", partial_writes);
    for (uint32_t at = 0; at < BYTES; at += 4) {
        uint32_t expected;
        memcpy(&expected, &memory->bytes[at], 4);
        cr_expect_eq(load_now(kit, at), at % SECTOR == 8 ? 0xA5A5A5A5 : expected, "%s, byte %u", partial_writes, at);
    }
    cr_expect_eq(kit_statistic(kit, "bytes_filled"), filled_by_stores + filled_by_loads, "%s: once", partial_writes);
    cr_expect_eq(kit_statistic(kit, "partial_sectors"), filled_by_loads / SECTOR);
    cr_expect_eq(kit_statistic(kit, "partial_fills"), filled_by_loads / SECTOR);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice_masks, a_store_to_a_part_of_a_sector_fetches_nothing)
{
    k37("partial_writes=fetch", 4096, 0);
    k37("partial_writes=mask", 0, 4096);
}

Test(l2_slice_masks, what_is_written_in_parts_is_whole_at_last)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){MASKED, NULL}, 1);
    store_now(kit, 32, 16, UINT32_MAX, 1);
    store_now(kit, 48, 12, UINT32_MAX, 2);
    store_now(kit, 60, 4, 0x7, 3);
    cr_expect_eq(kit_statistic(kit, "partial_sectors"), 1);
    store_now(kit, 60, 4, 0x8, 4);
    cr_expect_eq(load_now(kit, 60), 0x04030303);
    cr_expect_eq(memory->reads, 0);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice_masks, a_store_of_nothing_makes_nothing_dirty)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){"bytes=128 B", "ways=1", MASKED, NULL}, 1);
    store_now(kit, 0, 4, 0, 1);
    store_now(kit, 128, 4, 0xF, 1); /* takes its place */
    kit_run_until(kit, kit_now(kit) + 100 * CYCLE);
    cr_expect_eq(memory->reads + memory->writes, 0);
    cr_expect_eq(kit_statistic(kit, "partial_sectors"), 1);
    kit_destroy(kit);
    free(memory);
}

/* One write for neighbours, whole or not; memory keeps what is not enabled. */
Test(l2_slice_masks, leave_with_byte_enables)
{
    struct memory *memory = make_memory();
    uint8_t expected[LINE];
    memcpy(expected, memory->bytes, LINE);
    kit_block *kit = make(memory, (const char *[]){"bytes=128 B", "ways=1", MASKED, NULL}, 1);
    store_now(kit, 0, 32, UINT32_MAX, 0x11);
    store_now(kit, 40, 8, 0xF1, 0x22);
    store_now(kit, 96, 32, UINT32_MAX, 0x33);
    memset(expected, 0x11, 32);
    expected[40] = expected[44] = expected[45] = expected[46] = expected[47] = 0x22;
    memset(expected + 96, 0x33, 32);
    store_now(kit, 128, 32, UINT32_MAX, 0x44); /* takes its place */
    kit_run_until(kit, kit_now(kit) + 100 * CYCLE);
    cr_expect_eq(memcmp(memory->bytes, expected, LINE), 0);
    cr_expect_eq(memory->reads, 0);
    cr_expect_eq(kit_statistic(kit, "write_backs"), 2);
    cr_expect_eq(kit_statistic(kit, "partial_write_backs"), 1);
    cr_expect_eq(kit_statistic(kit, "bytes_written_back"), 64 + 32);
    kit_destroy(kit);
    free(memory);
}

/* The sector is asked for while a store to a part of it, and one that completes it, wait in front of the load. */
Test(l2_slice_masks, what_comes_does_not_overwrite_what_was_written_meanwhile)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){MASKED, NULL}, 1);
    load(kit, 0, 0, 4, 1, 0);                      /* the line is awaited */
    store(kit, 0, 32, 16, UINT32_MAX, 0x55, 2, 0); /* parts of the next sector, behind it */
    load(kit, 0, 32, 4, 3, 0);                     /* has it fetched */
    store(kit, 0, 64, 4, UINT32_MAX, 0x66, 4, 0);  /* parts of one that nobody reads, */
    store(kit, 0, 68, 28, UINT32_MAX, 0x77, 5, 0); /* until it is whole */
    load(kit, 0, 64, 4, 6, 20 * CYCLE);            /* the last are not here yet */
    kit_run_until(kit, 500 * CYCLE);
    for (uint32_t tag = 1; tag <= 6; tag++) {
        hd_packet *reply = kit_receive(kit, REPLY, 0, kit_now(kit));
        cr_assert_eq(reply->tag, tag);
        cr_expect(tag != 3 || *(uint8_t *)hd_body(reply) == 0x55);
        cr_expect(tag != 6 || *(uint8_t *)hd_body(reply) == 0x66);
        kit_free(kit, reply);
    }
    uint32_t old;
    memcpy(&old, &memory->bytes[48], 4);
    cr_expect_eq(load_now(kit, 32), 0x55555555);
    cr_expect_eq(load_now(kit, 48), old);
    cr_expect_eq(load_now(kit, 68), 0x77777777);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice_masks, an_atomic_needs_the_whole_word)
{
    struct memory *memory = make_memory();
    memset(memory->bytes, 0, LINE);
    memory->bytes[4] = 3;
    kit_block *kit = make(memory, (const char *[]){MASKED, NULL}, 1);
    store_now(kit, 5, 1, 1, 1);
    cr_expect_eq(atomic_now(kit, 4, HD_ATOMIC_ADD, 1, 0).value, 0x103);
    cr_expect_eq(load_now(kit, 4), 0x104);
    cr_expect_eq(kit_statistic(kit, "partial_fills"), 1);
    kit_destroy(kit);
    free(memory);
}

static void write_memory(kit_block *kit, void *context, uint64_t address, const void *data, uint32_t bytes)
{
    struct memory *memory = context;
    (void)kit;
    memcpy(&memory->bytes[address], data, bytes);
}

Test(l2_slice_masks, from_outside_only_what_is_here_is_seen)
{
    struct memory *memory = make_memory();
    uint8_t data[LINE], expected[LINE];
    kit_block *kit = make(memory, (const char *[]){MASKED, NULL}, 1);
    kit_on_write_back(kit, write_memory, memory);
    memcpy(expected, memory->bytes, LINE);
    store_now(kit, 4, 3, 0x7, 9);
    cr_expect_eq(kit_debug_read(kit, 3, data, LINE), 0);
    cr_expect_eq(kit_debug_read(kit, 4, data, LINE), 3);
    cr_expect_eq(data[2], 9);
    cr_expect_eq(kit_debug_read(kit, 6, data, LINE), 1);
    const uint8_t eight = 8;
    cr_expect_eq(hd_l2_slice_write_back.debug_access(kit_instance(kit), 7, (void *)&eight, 1, 1), 1);
    cr_expect_eq(kit_debug_read(kit, 4, data, LINE), 4);
    kit_align(kit);
    memset(expected + 4, 9, 3);
    expected[7] = 8;
    cr_expect_eq(memcmp(memory->bytes, expected, LINE), 0);
    kit_destroy(kit);
    free(memory);
}

/* The rest of a sector that is whole stays dirty. */
Test(l2_slice_masks, from_outside_what_is_whole_stays_whole)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){MASKED, NULL}, 1);
    kit_on_write_back(kit, write_memory, memory);
    store_now(kit, 0, 32, UINT32_MAX, 9);
    const uint8_t eight = 8;
    cr_expect_eq(hd_l2_slice_write_back.debug_access(kit_instance(kit), 7, (void *)&eight, 1, 1), 1);
    cr_expect_eq(kit_statistic(kit, "partial_sectors"), 0);
    kit_align(kit);
    for (uint32_t i = 0; i < 32; i++)
        cr_expect_eq(memory->bytes[i], i == 7 ? 8 : 9, "byte %u", i);
    kit_destroy(kit);
    free(memory);
}

/* Of the same byte the younger is seen, and the older where the younger has none. */
Test(l2_slice_masks, are_seen_on_their_way_to_memory)
{
    struct memory *memory = make_memory();
    memory->keep_requests = 1;
    kit_block *kit = make(memory, (const char *[]){"bytes=128 B", "ways=1", MASKED, NULL}, 1);
    uint8_t data[LINE];
    store_now(kit, 0, 8, UINT32_MAX, 1);
    store_now(kit, 128, 32, UINT32_MAX, 3); /* takes its place */
    store_now(kit, 4, 8, UINT32_MAX, 2);    /* and it comes back */
    store_now(kit, 128, 32, UINT32_MAX, 3);
    for (uint32_t i = 0; i < 12; i++) {
        cr_expect_eq(kit_debug_read(kit, i, data, 8), 1);
        cr_expect_eq(data[0], i < 4 ? 1 : 2, "byte %u", i);
    }
    cr_expect_eq(kit_debug_read(kit, 12, data, 8), 0);
    kit_destroy(kit);
    free(memory);
}
