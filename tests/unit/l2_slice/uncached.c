/* SPDX-License-Identifier: MIT */
/* Requests that go past the lines to memory. */
#include "bench.h"

#include <stdlib.h>

static hd_packet *uncached(kit_block *kit, const char *message, uint64_t address, uint32_t bytes, uint64_t tag,
                           uint32_t body_bytes)
{
    hd_packet *packet = kit_packet(kit, message, body_bytes);
    packet->address = address;
    packet->argument = bytes;
    packet->tag = tag;
    packet->source = 9;
    packet->traffic_class = HD_CLASS_CONTEXT;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + (body_bytes ? bytes : 0);
    return packet;
}

static void load_past(kit_block *kit, uint64_t address, uint32_t bytes, uint64_t tag)
{
    kit_send(kit, REQUEST, 0, uncached(kit, HD_UNCACHED_LOAD, address, bytes, tag, 0), kit_now(kit));
}

static void store_past(kit_block *kit, uint64_t address, uint32_t bytes, uint8_t value, uint64_t tag)
{
    hd_packet *packet = uncached(kit, HD_UNCACHED_STORE, address, bytes, tag, (uint32_t)sizeof(hd_store) + bytes);
    hd_store *body = hd_body(packet);
    memset(body->byte_mask, 0xFF, sizeof body->byte_mask);
    memset(hd_store_data(body), value, bytes);
    kit_send(kit, REQUEST, 0, packet, kit_now(kit));
}

static void expect_reply(kit_block *kit, const char *message, uint64_t address, uint32_t bytes, uint64_t tag)
{
    hd_packet *reply = next_reply(kit);
    cr_expect_eq(reply->message, kit_message(kit, message));
    cr_expect_eq(reply->address, address);
    cr_expect_eq(reply->argument, bytes);
    cr_expect_eq(reply->tag, tag);
    cr_expect_eq(reply->destination, 9);
    cr_expect_eq(reply->traffic_class, HD_CLASS_CONTEXT);
    kit_free(kit, reply);
}

Test(l2_slice, what_passes_the_lines_is_in_memory_when_it_is_acknowledged)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, NULL, 1);
    kit_start(kit);
    store_past(kit, 4096, 128, 0x5A, 7);
    expect_reply(kit, HD_GLOBAL_STORE_ACK, 4096, 128, 7);
    for (uint32_t i = 0; i < 128; i++)
        cr_assert_eq(memory->bytes[4096 + i], 0x5A);
    store_past(kit, 4096 + 32, 64, 0x11, 8);
    expect_reply(kit, HD_GLOBAL_STORE_ACK, 4096 + 32, 64, 8);
    load_past(kit, 4096, 128, 9);
    hd_packet *reply = next_reply(kit);
    const uint8_t *bytes = hd_body_const(reply);
    for (uint32_t i = 0; i < 128; i++)
        cr_assert_eq(bytes[i], i >= 32 && i < 96 ? 0x11 : 0x5A, "byte %u", i);
    cr_expect_eq(reply->message, kit_message(kit, HD_GLOBAL_LOAD_REPLY));
    cr_expect_eq(reply->wire_bytes, HD_HEADER_WIRE_BYTES + 128);
    kit_free(kit, reply);
    cr_expect_eq(kit_statistic(kit, "uncached_loads"), 1);
    cr_expect_eq(kit_statistic(kit, "uncached_stores"), 2);
    cr_expect_eq(kit_statistic(kit, "bytes_in.context"), 3 * HD_HEADER_WIRE_BYTES + 128 + 64);
    cr_expect_eq(kit_statistic(kit, "bytes_out.context"), 3 * HD_HEADER_WIRE_BYTES + 128);
    cr_expect_eq(kit_statistic(kit, "loads") + kit_statistic(kit, "stores"), 0);
    cr_expect_eq(kit_statistic(kit, "hits") + kit_statistic(kit, "misses"), 0);
    kit_destroy(kit);
    free(memory);
}

/* Two ways, both taken: what passes them replaces neither, and makes neither younger. */
Test(l2_slice, what_passes_the_lines_leaves_them_alone)
{
    struct memory *memory = make_memory();
    static const char *const small[] = {SMALL, NULL};
    kit_block *kit = make(memory, small, 1);
    kit_start(kit);
    load_now(kit, 0);
    load_now(kit, SMALL_SETS * LINE);
    for (uint32_t i = 0; i < 16; i++) {
        load_past(kit, (uint64_t)i * SMALL_SETS * LINE, LINE, i);
        expect_reply(kit, HD_GLOBAL_LOAD_REPLY, (uint64_t)i * SMALL_SETS * LINE, LINE, i);
    }
    load_now(kit, 0);
    load_now(kit, SMALL_SETS * LINE);
    cr_expect_eq(kit_statistic(kit, "hits"), 2);
    cr_expect_eq(kit_statistic(kit, "misses"), 2);
    cr_expect_eq(kit_statistic(kit, "fills"), 2);
    kit_destroy(kit);
    free(memory);
}

/* As many as there are MSHRs; the next one waits until memory has answered. */
Test(l2_slice, as_many_pass_the_lines_as_there_are_mshrs)
{
    struct memory *memory = make_memory();
    static const char *const few[] = {"mshrs=2", NULL};
    kit_block *kit = make(memory, few, 1);
    kit_start(kit);
    for (uint32_t i = 0; i < 6; i++)
        load_past(kit, (uint64_t)i * LINE, LINE, i);
    kit_run_until(kit, kit_now(kit) + (uint64_t)MEMORY_DELAY / 2 * CYCLE);
    cr_expect_eq(memory->reads, 2);
    for (uint32_t i = 0; i < 6; i++)
        expect_reply(kit, HD_GLOBAL_LOAD_REPLY, (uint64_t)i * LINE, LINE, i);
    cr_expect_eq(memory->reads, 6);
    cr_expect_gt(kit_statistic(kit, "stall_cycles.uncached"), MEMORY_DELAY);
    kit_destroy(kit);
    free(memory);
}

/* Whatever is in flight, a reset ends it. */
Test(l2_slice, a_reset_forgets_what_passes_the_lines)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, NULL, 1);
    kit_start(kit);
    memory->keep_requests = 1;
    store_past(kit, 256, 128, 1, 1);
    load_past(kit, 512, 128, 2);
    kit_run_until(kit, kit_now(kit) + 10 * CYCLE);
    kit_destroy(kit); /* and nothing is lost */
    free(memory);
}

static void expect_refused(uint64_t address, uint32_t bytes, uint32_t body_bytes, const char *message, const char *why)
{
    kit_block *kit = make(NULL, NULL, 1);
    kit_start(kit);
    kit_expect_fault(kit);
    kit_send(kit, REQUEST, 0, uncached(kit, message, address, bytes, 0, body_bytes), 0);
    kit_run_until(kit, 10 * CYCLE);
    cr_assert_not_null(kit_fault_text(kit), "%s", why);
    cr_expect_not_null(strstr(kit_fault_text(kit), why), "%s", kit_fault_text(kit));
    kit_destroy(kit);
}

Test(l2_slice, what_passes_the_lines_comes_in_pieces_of_32_bytes)
{
    expect_refused(4, 32, 0, HD_UNCACHED_LOAD, "no multiple of 32 B");
    expect_refused(0, 36, 0, HD_UNCACHED_LOAD, "no multiple of 32 B");
    expect_refused(96, 64, 0, HD_UNCACHED_LOAD, "not inside one line");
    expect_refused(0, 0, 0, HD_UNCACHED_STORE, "not inside one line");
    expect_refused(0, 64, (uint32_t)sizeof(hd_store) + 32, HD_UNCACHED_STORE, "store without its data");
}
