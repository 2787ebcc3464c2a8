/* SPDX-License-Identifier: MIT */
/* Contexts of thread blocks in ways of their own. */
#include "bench.h"

#include <stdlib.h>

/* 3 of 5 ways of 4 sets are left for lines; 8 lines of contexts. */
#define WITH_BUFFERS "bytes=2560 B", "ways=5", "context_ways=2"
#define WITHOUT "bytes=1536 B", "ways=3"
enum { LINES = 8 };

static const char *const with_buffers[] = {WITH_BUFFERS, NULL};

static void send(kit_block *kit, const char *message, uint64_t address, uint32_t bytes, uint8_t value, uint64_t tag,
                 hd_time t)
{
    const uint32_t stores = strcmp(message, HD_BUFFER_STORE) == 0;
    hd_packet *packet = kit_packet(kit, message, stores ? (uint32_t)sizeof(hd_store) + bytes : 0);
    packet->address = address;
    packet->argument = bytes;
    packet->tag = tag;
    packet->source = 9;
    packet->flow = HD_FLOW_BUFFER;
    packet->traffic_class = HD_CLASS_CONTEXT;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + (stores ? bytes : 0);
    if (stores)
        memset(hd_store_data(hd_body(packet)), value, bytes);
    kit_send(kit, REQUEST, 0, packet, t);
}

static void expect_ack(kit_block *kit, uint64_t tag)
{
    hd_packet *reply = next_reply(kit);
    cr_expect_eq(reply->message, kit_message(kit, HD_GLOBAL_STORE_ACK));
    cr_expect_eq(reply->tag, tag);
    cr_expect_eq(reply->flow, HD_FLOW_BUFFER);
    cr_expect_eq(reply->wire_bytes, HD_HEADER_WIRE_BYTES);
    kit_free(kit, reply);
}

static void expect_line(kit_block *kit, uint64_t tag, uint32_t bytes, uint8_t value)
{
    hd_packet *reply = next_reply(kit);
    cr_expect_eq(reply->message, kit_message(kit, HD_GLOBAL_LOAD_REPLY));
    cr_expect_eq(reply->tag, tag);
    cr_expect_eq(reply->destination, 9);
    cr_expect_eq(reply->flow, HD_FLOW_BUFFER);
    cr_expect_eq(reply->wire_bytes, HD_HEADER_WIRE_BYTES + bytes);
    for (uint32_t i = 0; i < bytes; i++)
        cr_assert_eq(((const uint8_t *)hd_body_const(reply))[i], value, "byte %u", i);
    kit_free(kit, reply);
}

/* Its address means nothing to memory, and memory does not see it, however often buffers are used. */
Test(l2_slice, contexts_come_and_go_and_memory_sees_nothing)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, with_buffers, 1);
    kit_start(kit);
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < LINES; i++) {
            send(kit, HD_BUFFER_STORE, i * LINE, i ? LINE : 32, (uint8_t)(0x40 + i + round), i, kit_now(kit));
            expect_ack(kit, i);
        }
        for (uint32_t i = LINES; i-- > 0;) {
            send(kit, HD_BUFFER_LOAD, i * LINE, i ? LINE : 32, 0, 100 + i, kit_now(kit));
            expect_line(kit, 100 + i, i ? LINE : 32, (uint8_t)(0x40 + i + round));
        }
    }
    cr_expect_eq(memory->reads + memory->writes, 0);
    cr_expect_eq(kit_statistic(kit, "context_stores"), 3 * LINES);
    cr_expect_eq(kit_statistic(kit, "context_loads"), 3 * LINES);
    cr_expect_eq(kit_statistic(kit, "context_waits"), 0);
    cr_expect_eq(kit_statistic(kit, "hits") + kit_statistic(kit, "misses"), 0);
    cr_expect_eq(kit_statistic(kit, "bytes_in.context"), 3 * (2 * LINES * HD_HEADER_WIRE_BYTES + 7 * LINE + 32));
    uint32_t word;
    memcpy(&word, &memory->bytes[3 * LINE], sizeof word);
    cr_expect_eq(load_now(kit, 3 * LINE), word, "it is no line of memory");
    kit_destroy(kit);
    free(memory);
}

/* Of whoever is faster: the line goes out behind the acknowledgement of its store, 2 cycles of 64 B later. */
Test(l2_slice, a_load_of_a_context_waits_for_its_line)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, with_buffers, 1);
    kit_start(kit);
    send(kit, HD_BUFFER_LOAD, LINE, LINE, 0, 7, 0);
    kit_run_until(kit, 500 * CYCLE);
    cr_expect_eq(kit_waiting(kit, REPLY, 0), 0);
    load_now(kit, 4096); /* others get past */
    send(kit, HD_BUFFER_STORE, LINE, LINE, 0x77, 8, kit_now(kit));
    expect_ack(kit, 8);
    expect_line(kit, 7, LINE, 0x77);
    cr_expect_eq(sent_at(kit, REPLY, 2) - sent_at(kit, REPLY, 1), 2);
    cr_expect_eq(kit_statistic(kit, "context_waits"), 1);
    send(kit, HD_BUFFER_STORE, LINE, LINE, 0x78, 9, kit_now(kit)); /* there is room again */
    expect_ack(kit, 9);
    kit_destroy(kit);
    free(memory);
}

/* The same loads and stores, with contexts between them or none, in ways that are left or in a cache that has no others. */
static void run_bystanders(const char *const *parameters, uint32_t moves, uint64_t *hits, uint64_t *misses)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, parameters, 1);
    uint64_t random = 20261127;
    kit_start(kit);
    for (uint32_t i = 0; i < 400; i++) {
        const uint64_t address = kit_random(&random) % 24 * LINE;
        if (kit_random(&random) % 3)
            load_now(kit, address);
        else
            store_now(kit, address, LINE, UINT32_MAX, (uint8_t)i);
        if (moves) {
            send(kit, HD_BUFFER_STORE, i % LINES * LINE, LINE, 1, i, kit_now(kit));
            expect_ack(kit, i);
            send(kit, HD_BUFFER_LOAD, i % LINES * LINE, LINE, 0, i, kit_now(kit));
            expect_line(kit, i, LINE, 1);
        }
    }
    *hits = kit_statistic(kit, "hits");
    *misses = kit_statistic(kit, "misses");
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, contexts_take_no_line_of_others)
{
    static const char *const without[] = {WITHOUT, NULL};
    uint64_t hits[3], misses[3];
    run_bystanders(without, 0, &hits[0], &misses[0]);
    run_bystanders(with_buffers, 0, &hits[1], &misses[1]);
    run_bystanders(with_buffers, 1, &hits[2], &misses[2]);
    for (uint32_t i = 1; i < 3; i++) {
        cr_expect_eq(hits[i], hits[0], "%lu", hits[i]);
        cr_expect_eq(misses[i], misses[0]);
    }
    cr_expect(hits[0] > 100 && misses[0] > 100, "%lu, %lu", hits[0], misses[0]);
}

/* Those that are here, and those that are waited for. */
Test(l2_slice, a_reset_forgets_contexts)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, with_buffers, 1);
    kit_start(kit);
    for (uint32_t round = 0; round < 2; round++) {
        send(kit, HD_BUFFER_STORE, 0, LINE, 1, 1, kit_now(kit));
        expect_ack(kit, 1);
        send(kit, HD_BUFFER_LOAD, LINE, LINE, 1, 1, kit_now(kit));
        kit_run_until(kit, kit_now(kit) + 50 * CYCLE);
        kit_reset(kit);
        kit_start(kit);
    }
    kit_destroy(kit); /* and nothing is lost */
    free(memory);
}

static void expect_refused(const char *const *parameters, const char *first, const char *message, uint64_t address,
                           uint32_t bytes, const char *why)
{
    kit_block *kit = make(NULL, parameters, 1);
    kit_start(kit);
    if (first)
        send(kit, first, 0, LINE, 0, 0, 0);
    kit_run_until(kit, 50 * CYCLE);
    kit_expect_fault(kit);
    send(kit, message, address, bytes, 0, 1, kit_now(kit));
    kit_run_until(kit, kit_now(kit) + 50 * CYCLE);
    cr_assert_not_null(kit_fault_text(kit), "%s", why);
    cr_expect_not_null(strstr(kit_fault_text(kit), why), "%s", kit_fault_text(kit));
    kit_destroy(kit);
}

Test(l2_slice, contexts_that_make_no_sense_are_refused)
{
    static const char *const none[] = {NULL};
    expect_refused(with_buffers, NULL, HD_BUFFER_STORE, LINES * LINE, LINE, "buffers and buffer_bytes are too many");
    expect_refused(none, NULL, HD_BUFFER_LOAD, 0, LINE, "context_ways");
    expect_refused(with_buffers, NULL, HD_BUFFER_STORE, 32, 32, "not of one line");
    expect_refused(with_buffers, NULL, HD_BUFFER_LOAD, 0, 0, "not of one line");
    expect_refused(with_buffers, HD_BUFFER_STORE, HD_BUFFER_STORE, 0, LINE, "nobody has read");
    expect_refused(with_buffers, HD_BUFFER_LOAD, HD_BUFFER_LOAD, 0, LINE, "two cores load");
}
