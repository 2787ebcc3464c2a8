/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

Test(l2_slice, a_store_writes_the_bytes_of_its_mask)
{
    struct memory *memory = make_memory();
    memset(memory->bytes, 0x11, LINE);
    kit_block *kit = make(memory, NULL, 1);
    store_now(kit, 2, 9, 0x105, 0xEE); /* bytes 2, 4 and 10 of the line */
    load(kit, 0, 0, 16, 1, kit_now(kit));
    hd_packet *reply = next_reply(kit);
    for (uint32_t i = 0; i < 16; i++)
        cr_expect_eq(((const uint8_t *)hd_body(reply))[i], i == 2 || i == 4 || i == 10 ? 0xEE : 0x11, "byte %u", i);
    cr_expect_eq(memory->reads, 1, "a store of a part fetches the rest");
    cr_expect_eq(kit_statistic(kit, "stores"), 1);
    cr_expect_eq(kit_statistic(kit, "loads"), 1);
    kit_free(kit, reply);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, a_store_of_a_whole_line_is_not_fetched)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, NULL, 1);
    store(kit, 0, 0, LINE, UINT32_MAX, 0x33, 1, 0);
    hd_packet *reply = next_reply(kit);
    cr_expect_eq(sent_at(kit, REPLY, 0), LATENCY + 1);
    cr_expect_eq(reply->wire_bytes, HD_HEADER_WIRE_BYTES);
    cr_expect_eq(reply->body_bytes, 0);
    cr_expect_eq(memory->reads, 0);
    cr_expect_eq(load_now(kit, 124), 0x33333333);
    kit_free(kit, reply);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, a_store_of_all_but_one_byte_is_fetched)
{
    struct memory *memory = make_memory();
    memory->bytes[31] = 0x44;
    kit_block *kit = make(memory, NULL, 1);
    store_now(kit, 0, LINE, 0x7FFFFFFF, 0x33);
    cr_expect_eq(memory->reads, 1);
    cr_expect_eq(load_now(kit, 28), 0x44333333);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, a_changed_word_of_the_global_window_is_progress)
{
    struct memory *memory = make_memory();
    memset(memory->bytes, 0x11, LINE);
    kit_block *kit = make(memory, NULL, 1);
    load_now(kit, 0);
    const hd_time start = kit_progress(kit);
    store_now(kit, 0, 4, 0xF, 0x11); /* the same value */
    cr_expect_eq(kit_progress(kit), start);
    atomic_now(kit, 0, HD_ATOMIC_OR, 0x11, 0);
    cr_expect_eq(kit_progress(kit), start);
    atomic_now(kit, 0, HD_ATOMIC_CAS, 5, 4); /* fails */
    cr_expect_eq(kit_progress(kit), start);
    const hd_time t = kit_now(kit);
    store_now(kit, 0, 4, 0xF, 0x12);
    cr_expect_geq(kit_progress(kit), t);
    const hd_time later = kit_now(kit);
    atomic_now(kit, 0, HD_ATOMIC_ADD, 1, 0);
    cr_expect_geq(kit_progress(kit), later);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, a_changed_private_word_is_no_progress)
{
    kit_block *kit = make(NULL, NULL, 1);
    store(kit, 0, UINT64_C(0x100000000), LINE, UINT32_MAX, 0x12, 1, 500 * CYCLE);
    const hd_time start = kit_progress(kit);
    kit_free(kit, next_reply(kit));
    cr_expect_eq(kit_progress(kit), start);
    kit_destroy(kit);
}

Test(l2_slice, counts_bytes_by_class_and_direction)
{
    static const char *const names[] = {"control", "global",      "private", "constant", "atomic", "host",
                                        "code",    "transaction", "texture", "context",  "other"};
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, NULL, 1);
    for (uint32_t class = 0; class <= HD_CLASS_COUNT; class ++) {
        hd_packet *packet = kit_packet(kit, HD_GLOBAL_LOAD, 0);
        packet->argument = 4 + class;
        packet->traffic_class = class;
        kit_send(kit, REQUEST, 0, packet, 0);
    }
    kit_run_until(kit, 500 * CYCLE);
    for (uint32_t class = 0; class <= HD_CLASS_COUNT; class ++) {
        char name[32];
        snprintf(name, sizeof name, "bytes_in.%s", names[class]);
        cr_expect_eq(kit_statistic(kit, name), HD_HEADER_WIRE_BYTES);
        snprintf(name, sizeof name, "bytes_out.%s", names[class]);
        cr_expect_eq(kit_statistic(kit, name), HD_HEADER_WIRE_BYTES + 4 + class);
    }
    kit_destroy(kit);
    free(memory);
}
