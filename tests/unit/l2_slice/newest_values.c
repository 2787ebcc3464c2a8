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
#include "hd_tile.h"
#include "l2_slice.h"

enum {
    WRITERS = REQUESTERS + 1,
    PEEK_BYTES = 200,
    HOT_LINES = 48,
    ALL_LINES = 12000,
    BYTES = ALL_LINES * HD_LINE_BYTES
};

struct writing {
    uint64_t seed;
    uint32_t left; /* requests to be made */
    uint32_t peeks, found_under_way;
    uint32_t is_poked; /* written to without time, too */
    uint8_t newest[BYTES];
    uint8_t poked[BYTES]; /* since the writers have ended */
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

static hd_packet *store_of(struct memory_side *side, struct writing *writing, uint32_t writer, uint32_t offset,
                           uint32_t bytes)
{
    uint8_t enables[HD_LINE_BYTES];
    hd_packet *packet = memory_side_packet(side, writer, HD_GLOBAL_STORE, HD_GLOBAL_BASE + offset, bytes,
                                           (uint32_t)sizeof(hd_store) + bytes);
    hd_store *store = hd_body(packet);
    choose_bytes(writing, writer, offset, hd_store_data(store), enables, bytes);
    for (uint32_t i = 0; i < bytes; i++)
        store->byte_mask[i / 32] |= (uint32_t)(enables[i] != 0) << i % 32;
    packet->wire_bytes += bytes;
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

static hd_packet *load_of(struct memory_side *side, uint32_t writer, uint64_t address, uint32_t bytes)
{
    return memory_side_packet(side, writer, HD_GLOBAL_LOAD, address, bytes, 0);
}

/* ---- PEs ---------------------------------------------------------------------------------------------------------- */

enum { PE_LINE = 64, PE_SECTOR = 32, PES = MEMORY_SIDE_PES / 2 /* of a tile */ };

static hd_packet *register_load(struct memory_side *side, uint32_t pe, uint32_t number)
{
    return load_of(side, pe, HD_TILE_REGISTERS + number * HD_TILE_REGISTER_BYTES, PE_SECTOR);
}

static void set(struct memory_side *side, uint32_t pe, uint32_t number, uint32_t value)
{
    hd_packet *packet = memory_side_packet(
        side, pe, HD_GLOBAL_STORE, HD_TILE_REGISTERS + number * HD_TILE_REGISTER_BYTES, 4, sizeof(hd_store) + 4);
    hd_store *store = hd_body(packet);
    store->byte_mask[0] = 0xF;
    memcpy(hd_store_data(store), &value, 4);
    cr_assert(memory_side_send(side, pe, packet, 0));
}

/* The second tile stays as it is: banks for all. Of the first one two PEs have a cache each, one shares none with the others, and one
 * reaches a scratchpad only. */
static void set_tiles(struct memory_side *side)
{
    for (uint32_t pe = 0; pe < PES; pe++)
        set(side, 0, HD_TILE_MAP + pe, 1u << pe);
    set(side, 0, HD_TILE_BANK_SCOPE + 1, 1u << 1);
    set(side, 0, HD_TILE_BANK_MODE + 2, HD_TILE_IS_SCRATCHPAD);
    cr_assert(memory_side_send(side, 0, register_load(side, 0, HD_TILE_COMMIT), 0));
    memory_side_run(side);
}

static hd_packet *request_of_pe(struct memory_side *side, struct writing *writing, uint32_t pe, uint32_t offset)
{
    static const uint32_t tasks[] = {HD_TILE_WRITE_BACK, HD_TILE_INVALIDATE, HD_TILE_FLUSH};
    const uint32_t in_line = (uint32_t)(kit_random(&writing->seed) % HD_LINE_BYTES);
    const uint64_t choice = kit_random(&writing->seed) % 100;
    if (choice < 2)
        return register_load(side, pe, tasks[kit_random(&writing->seed) % 3]);
    return choice < 30 ? load_of(side, pe, HD_GLOBAL_BASE + offset + in_line / PE_SECTOR * PE_SECTOR, PE_SECTOR)
                       : store_of(side, writing, pe, offset + in_line / PE_LINE * PE_LINE, PE_LINE);
}

/* ---- All of them -------------------------------------------------------------------------------------------------- */

static hd_packet *request_by(struct memory_side *side, struct writing *writing, uint32_t writer, uint32_t offset)
{
    if (writer == MEMORY_SIDE_BUS)
        return write_of(side, writing, offset);
    if (side->fabric != HD_FOREIGN && writer < MEMORY_SIDE_PES)
        return request_of_pe(side, writing, writer, offset);
    if (kit_random(&writing->seed) % 4 == 0)
        return load_of(side, writer, HD_GLOBAL_BASE + offset, HD_LINE_BYTES);
    return store_of(side, writing, writer, offset, HD_LINE_BYTES);
}

static void request(struct memory_side *side, struct writing *writing, hd_time t)
{
    const uint32_t writer = (uint32_t)(kit_random(&writing->seed) % WRITERS);
    const uint32_t offset = choose_line(writing) * HD_LINE_BYTES;
    if (!memory_side_credits(side, writer))
        return;
    writing->left--;
    cr_assert(memory_side_send(side, writer, request_by(side, writing, writer, offset), t));
}

static uint32_t choose_count(struct writing *writing, uint32_t offset)
{
    const uint32_t bytes = 1 + (uint32_t)(kit_random(&writing->seed) % PEEK_BYTES);
    return bytes < BYTES - offset ? bytes : BYTES - offset;
}

/* From the bus, or from the bridge; the rest of the way is by the map. */
static uint32_t access_untimed(struct memory_side *side, struct writing *writing, uint32_t offset, uint8_t *data,
                               uint32_t bytes, uint32_t is_write)
{
    const uint32_t from = kit_random(&writing->seed) % 2 ? side->bus : side->bridge;
    return hd_engine_debug_access(side->engine, from, UINT32_MAX, HD_GLOBAL_BASE + offset, data, bytes, is_write);
}

static void expect_newest(struct memory_side *side, struct writing *writing, uint32_t offset, uint32_t bytes)
{
    uint8_t found[PEEK_BYTES];
    cr_assert_eq(access_untimed(side, writing, offset, found, bytes, 0), bytes);
    for (uint32_t i = 0; i < bytes; i++)
        cr_assert_eq(found[i], writing->newest[offset + i], "byte %u of writer %u at peek %u: %u instead of %u", i,
                     (offset + i) % WRITERS, writing->peeks, found[i], writing->newest[offset + i]);
}

static void peek(struct memory_side *side, struct writing *writing)
{
    uint8_t arrived[HD_LINE_BYTES];
    const uint32_t offset = choose_line(writing) * HD_LINE_BYTES;
    expect_newest(side, writing, offset, choose_count(writing, offset));
    cr_assert_eq(
        hd_engine_debug_read_arrived(side->engine, side->bridge, HD_GLOBAL_BASE + offset, arrived, HD_LINE_BYTES),
        HD_LINE_BYTES);
    writing->found_under_way += memcmp(arrived, &writing->newest[offset], HD_LINE_BYTES) != 0;
    writing->peeks++;
}

/* Whoever's bytes they are: what he writes from now on is newer again. */
static void poke(struct memory_side *side, struct writing *writing)
{
    const uint32_t within = (uint32_t)(kit_random(&writing->seed) % HD_LINE_BYTES),
                   offset = choose_line(writing) * HD_LINE_BYTES + within, bytes = choose_count(writing, offset);
    for (uint32_t i = offset; i < offset + bytes; i++)
        writing->newest[i] = (uint8_t)kit_random(&writing->seed);
    memset(writing->poked + offset, 1, bytes);
    cr_assert_eq(access_untimed(side, writing, offset, writing->newest + offset, bytes, 1), bytes);
    expect_newest(side, writing, offset, bytes);
}

static void go_on(struct memory_side *side, uint32_t requester, const hd_packet *reply, hd_time t)
{
    struct writing *writing = side->context;
    (void)requester, (void)reply;
    if (writing->is_poked && kit_random(&writing->seed) % 4 == 0)
        poke(side, writing);
    if (kit_random(&writing->seed) % 4 == 0)
        peek(side, writing);
    while (writing->left && kit_random(&writing->seed) % 8)
        request(side, writing, t);
}

static struct memory_side *run_writers(const memory_side_form *form, struct writing *writing)
{
    writing->seed = 30817;
    struct memory_side *side = memory_side_make_as(form, go_on, writing);
    if (side->fabric != HD_FOREIGN)
        set_tiles(side);
    writing->left = 25000;
    for (uint32_t i = 0; i < 40; i++)
        request(side, writing, hd_engine_now(side->engine));
    memory_side_run(side);
    cr_assert_eq(writing->left, 0);
    cr_expect_gt(writing->peeks, 4000);
    cr_expect_gt(writing->found_under_way, writing->peeks / 20, "%u of %u", writing->found_under_way, writing->peeks);
    for (uint32_t i = 0; i < 1000; i++)
        peek(side, writing);
    return side;
}

static void expect_found(const memory_side_form *form, uint32_t is_poked)
{
    struct writing *writing = calloc(1, sizeof *writing);
    writing->is_poked = is_poked;
    struct memory_side *side = run_writers(form, writing);
    memory_side_destroy(side);
    free(writing);
}

static void expect_found_in(const hd_block_class *network, const char *parameter)
{
    const char *const parameters[] = {parameter, NULL};
    expect_found(&(memory_side_form){.network = network, .network_parameters = parameters}, 1);
}

Test(newest_values, are_found_wherever_they_are, .timeout = 240)
{
    expect_found(&(memory_side_form){.network = &hd_crossbar_round_robin}, 0);
    expect_found(&(memory_side_form){.network = &hd_crossbar_round_robin}, 1);
}

Test(newest_values, are_found_in_queues_of_networks, .timeout = 240)
{
    expect_found_in(&hd_crossbar_islip, "queues=virtual_output");
    expect_found_in(&hd_crossbar_round_robin, "queues=virtual_output");
}

Test(newest_values, are_found_in_meshes, .timeout = 240)
{
    expect_found_in(&hd_crossbar_mesh_2d, "columns=3");
}

static void expect_found_in_slices(const hd_block_class *slice, const char *parameter)
{
    const char *const parameters[] = {parameter, NULL};
    expect_found(
        &(memory_side_form){.network = &hd_crossbar_round_robin, .slice = slice, .slice_parameters = parameters}, 1);
}

Test(newest_values, are_found_in_caches_of_all_kinds, .timeout = 240)
{
    expect_found_in_slices(&hd_l2_slice_write_back, "bytes=2 KiB");
    expect_found_in_slices(&hd_l2_slice_write_back, "sector=32 B");
    expect_found_in_slices(&hd_l2_slice_write_back, "partial_writes=mask");
    expect_found_in_slices(&hd_l2_slice_write_through, NULL);
    expect_found_in_slices(&hd_l2_slice_write_through, "partial_writes=mask");
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
        hd_packet *packet =
            writer == MEMORY_SIDE_BUS ? write_of(side, writing, 0) : store_of(side, writing, writer, 0, HD_LINE_BYTES);
        cr_assert(memory_side_send(side, writer, packet, 0));
    }
    cr_assert_eq(hd_engine_debug_access(side->engine, side->bus, UINT32_MAX, HD_GLOBAL_BASE + 32, data, 64, 1), 64);
    memory_side_run(side);
    cr_assert_eq(hd_engine_debug_access(side->engine, side->bus, UINT32_MAX, HD_GLOBAL_BASE + 32, found, 64, 0), 64);
    cr_expect_arr_eq(found, data, 64);
    memory_side_destroy(side);
    free(writing);
}

/* ---- In caches of tiles ------------------------------------------------------------------------------------------- */

/* Of bytes that others have stored PEs may have old ones. What was poked is new for all. */
static void expect_poked(struct memory_side *side, uint32_t requester, const hd_packet *reply, hd_time t)
{
    struct writing *writing = side->context;
    (void)requester, (void)t;
    if (!reply || reply->message != hd_engine_message(side->engine, HD_GLOBAL_LOAD_REPLY) ||
        reply->address >= HD_TILE_REGISTERS)
        return;
    const uint32_t offset = (uint32_t)(reply->address - HD_GLOBAL_BASE);
    for (uint32_t i = 0; i < reply->argument; i++)
        if (writing->poked[offset + i])
            cr_assert_eq(((const uint8_t *)hd_body_const(reply))[i], writing->newest[offset + i]);
}

static void expect_pokes_everywhere(struct memory_side *side, struct writing *writing)
{
    side->on_reply = expect_poked;
    for (uint32_t i = 0; i < 500; i++)
        poke(side, writing);
    for (uint32_t i = 0; i < 200; i++)
        peek(side, writing);
    for (uint32_t i = 0; i < HOT_LINES * HD_LINE_BYTES; i += PE_SECTOR)
        for (uint32_t pe = 0; pe < MEMORY_SIDE_PES; pe++) {
            cr_assert(memory_side_send(side, pe, load_of(side, pe, HD_GLOBAL_BASE + i, PE_SECTOR),
                                       hd_engine_now(side->engine)));
            memory_side_run(side);
        }
}

/* Nothing old comes after what was poked. */
static void expect_flushed(struct memory_side *side, const struct writing *writing)
{
    static uint8_t arrived[BYTES];
    for (uint32_t pe = 0; pe < MEMORY_SIDE_PES; pe++)
        cr_assert(memory_side_send(side, pe, register_load(side, pe, HD_TILE_FLUSH), hd_engine_now(side->engine)));
    memory_side_run(side);
    cr_assert_eq(hd_engine_debug_read_arrived(side->engine, side->bridge, HD_GLOBAL_BASE, arrived, BYTES), BYTES);
    cr_expect_arr_eq(arrived, writing->newest, BYTES);
}

static void expect_found_in_tiles(const char *write)
{
    const char *const parameters[] = {"tiles=2",    "pes=4",      "l0.banks=4",     "l0.bytes=4 KiB",
                                      "l0.mshrs=8", "l1.banks=2", "l1.bytes=1 KiB", "stale_reads=count",
                                      write,        NULL};
    struct writing *writing = calloc(1, sizeof *writing);
    struct memory_side *side =
        run_writers(&(memory_side_form){.network = &hd_crossbar_round_robin, .fabric_parameters = parameters}, writing);
    expect_pokes_everywhere(side, writing);
    expect_flushed(side, writing);
    memory_side_destroy(side);
    free(writing);
}

Test(newest_values, are_found_in_caches_of_tiles, .timeout = 240)
{
    expect_found_in_tiles("l0.write=back");
}

Test(newest_values, are_found_on_their_way_through_tiles, .timeout = 240)
{
    expect_found_in_tiles("l0.write=through");
}
