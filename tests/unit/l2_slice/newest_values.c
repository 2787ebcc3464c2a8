/* SPDX-License-Identifier: MIT */
/*
 * Untimed accesses find the newest value that was accepted (docs/abi.md): stores from the network and writes from the bus, whose
 * bytes are each one requester's, are looked at again and again while they are anywhere on their way.
 */
#include "memory_side.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "crossbar.h"
#include "hd_address.h"

enum { WRITERS = REQUESTERS + 1, HOT_LINES = 48, ALL_LINES = 12000, BYTES = ALL_LINES * HD_LINE_BYTES };

struct writing {
    uint64_t seed;
    uint32_t left; /* requests to be made */
    uint32_t peeks, found_under_way;
    uint8_t newest[BYTES];
};

static uint32_t is_own(uint32_t writer, uint32_t offset)
{
    return offset % WRITERS == writer;
}

/* Bytes of the line from first on, some of which are this writer's. Enabled are some of those. */
static void choose_bytes(struct writing *writing, uint32_t writer, uint32_t offset, uint8_t *data, uint8_t *enables,
                         uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) {
        data[i] = (uint8_t)kit_random(&writing->seed);
        enables[i] = is_own(writer, offset + i) && kit_random(&writing->seed) % 4 ? 0xFF : 0;
        if (enables[i])
            writing->newest[offset + i] = data[i];
    }
}

static uint32_t choose_line(struct writing *writing)
{
    return (uint32_t)(kit_random(&writing->seed) % (kit_random(&writing->seed) % 2 ? HOT_LINES : ALL_LINES));
}

static hd_packet *store_of(struct memory_side *side, struct writing *writing, uint32_t writer, uint32_t offset)
{
    uint8_t enables[HD_LINE_BYTES];
    hd_packet *packet = memory_side_packet(side, writer, HD_GLOBAL_STORE, HD_GLOBAL_BASE + offset, HD_LINE_BYTES,
                                           sizeof(hd_store) + HD_LINE_BYTES);
    hd_store *store = hd_body(packet);
    choose_bytes(writing, writer, offset, hd_store_data(store), enables, HD_LINE_BYTES);
    for (uint32_t i = 0; i < HD_LINE_BYTES; i++)
        store->byte_mask[i / 32] |= (uint32_t)(enables[i] != 0) << i % 32;
    packet->wire_bytes += HD_LINE_BYTES;
    return packet;
}

static hd_packet *write_of(struct memory_side *side, struct writing *writing, uint32_t offset)
{
    const uint32_t first = offset + (uint32_t)(kit_random(&writing->seed) % 100),
                   wanted = 1 + (uint32_t)(kit_random(&writing->seed) % 400),
                   bytes = wanted < BYTES - first ? wanted : BYTES - first;
    hd_packet *packet =
        memory_side_packet(side, MEMORY_SIDE_BUS, HD_MEMORY_WRITE, HD_GLOBAL_BASE + first, bytes, 2 * bytes);
    uint8_t *data = hd_body(packet);
    choose_bytes(writing, MEMORY_SIDE_BUS, first, data, data + bytes, bytes);
    packet->wire_bytes += bytes;
    return packet;
}

static void request(struct memory_side *side, struct writing *writing, hd_time t)
{
    const uint32_t writer = (uint32_t)(kit_random(&writing->seed) % WRITERS);
    const uint32_t offset = choose_line(writing) * HD_LINE_BYTES;
    if (!memory_side_credits(side, writer))
        return;
    writing->left--;
    if (writer != MEMORY_SIDE_BUS && kit_random(&writing->seed) % 4 == 0)
        cr_assert(memory_side_send(
            side, writer, memory_side_packet(side, writer, HD_GLOBAL_LOAD, HD_GLOBAL_BASE + offset, HD_LINE_BYTES, 0),
            t));
    else
        cr_assert(memory_side_send(
            side, writer,
            writer == MEMORY_SIDE_BUS ? write_of(side, writing, offset) : store_of(side, writing, writer, offset), t));
}

/* From the bus, or from the bridge; the rest of the way is by the map. */
static void peek(struct memory_side *side, struct writing *writing)
{
    uint8_t found[200], arrived[HD_LINE_BYTES];
    const uint32_t offset = choose_line(writing) * HD_LINE_BYTES, bytes = 1 + kit_random(&writing->seed) % sizeof found,
                   count = bytes < BYTES - offset ? bytes : BYTES - offset;
    const uint32_t from = kit_random(&writing->seed) % 2 ? side->bus : side->bridge;
    const uint64_t address = HD_GLOBAL_BASE + offset;
    cr_assert_eq(hd_engine_debug_access(side->engine, from, UINT32_MAX, address, found, count, 0), count);
    for (uint32_t i = 0; i < count; i++)
        cr_assert_eq(found[i], writing->newest[offset + i], "byte %u of writer %u at peek %u: %u instead of %u", i,
                     (offset + i) % WRITERS, writing->peeks, found[i], writing->newest[offset + i]);
    cr_assert_eq(hd_engine_debug_read_arrived(side->engine, side->bridge, address, arrived, HD_LINE_BYTES),
                 HD_LINE_BYTES);
    writing->found_under_way += memcmp(arrived, &writing->newest[offset], HD_LINE_BYTES) != 0;
    writing->peeks++;
}

static void go_on(struct memory_side *side, uint32_t requester, const hd_packet *reply, hd_time t)
{
    struct writing *writing = side->context;
    (void)requester, (void)reply;
    if (kit_random(&writing->seed) % 4 == 0)
        peek(side, writing);
    while (writing->left && kit_random(&writing->seed) % 8)
        request(side, writing, t);
}

static void expect_found(const hd_block_class *network, const char *parameter, const char *value)
{
    struct writing *writing = calloc(1, sizeof *writing);
    writing->seed = 30817;
    writing->left = 25000;
    struct memory_side *side = memory_side_make_of(network, parameter, value, go_on, writing);
    for (uint32_t i = 0; i < 40; i++)
        request(side, writing, 0);
    memory_side_run(side);
    cr_assert_eq(writing->left, 0);
    cr_expect_gt(writing->peeks, 4000);
    cr_expect_gt(writing->found_under_way, writing->peeks / 20, "%u of %u", writing->found_under_way, writing->peeks);
    for (uint32_t i = 0; i < 1000; i++)
        peek(side, writing);
    memory_side_destroy(side);
    free(writing);
}

Test(newest_values, are_found_wherever_they_are, .timeout = 120)
{
    expect_found(&hd_crossbar_round_robin, NULL, NULL);
}

Test(newest_values, are_found_in_queues_of_networks, .timeout = 120)
{
    expect_found(&hd_crossbar_islip, "queues", "virtual_output");
    expect_found(&hd_crossbar_round_robin, "queues", "virtual_output");
}

Test(newest_values, are_found_in_meshes, .timeout = 120)
{
    expect_found(&hd_crossbar_mesh_2d, "columns", "3");
}

static void wait_only(struct memory_side *side, uint32_t requester, const hd_packet *reply, hd_time t)
{
    (void)side, (void)requester, (void)reply, (void)t;
}

/* What is written without time is newer than what was under way. */
Test(newest_values, are_what_was_written_last)
{
    struct writing *writing = calloc(1, sizeof *writing);
    struct memory_side *side = memory_side_make(wait_only, writing);
    uint8_t data[64], found[64];
    memset(data, 0xA5, sizeof data);
    for (uint32_t writer = 0; writer < WRITERS; writer++) {
        hd_packet *packet = writer == MEMORY_SIDE_BUS ? write_of(side, writing, 0) : store_of(side, writing, writer, 0);
        cr_assert(memory_side_send(side, writer, packet, 0));
    }
    cr_assert_eq(hd_engine_debug_access(side->engine, side->bus, UINT32_MAX, HD_GLOBAL_BASE + 32, data, 64, 1), 64);
    memory_side_run(side);
    cr_assert_eq(hd_engine_debug_access(side->engine, side->bus, UINT32_MAX, HD_GLOBAL_BASE + 32, found, 64, 0), 64);
    cr_expect_arr_eq(found, data, 64);
    memory_side_destroy(side);
    free(writing);
}
