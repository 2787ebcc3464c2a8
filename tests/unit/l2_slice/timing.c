/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

enum { PORT_BYTES = 64 };

static uint32_t port_cycles(uint32_t bytes)
{
    return (bytes + PORT_BYTES - 1) / PORT_BYTES;
}

Test(l2_slice, a_hit_takes_latency_and_the_data_port)
{
    static const uint32_t sizes[] = {1, 4, 64, 65, 128};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct memory *memory = make_memory();
        kit_block *kit = make(memory, NULL, 1);
        load_now(kit, 0);
        load(kit, 0, 0, sizes[i], 1, 500 * CYCLE);
        kit_run_until(kit, 1000 * CYCLE);
        cr_expect_eq(sent_at(kit, REPLY, 1), 500 + LATENCY + port_cycles(sizes[i]) - 1, "%u bytes", sizes[i]);
        cr_expect_eq(kit_statistic(kit, "hits"), 1);
        cr_expect_eq(kit_next(kit), HD_NEVER);
        kit_destroy(kit);
        free(memory);
    }
}

Test(l2_slice, a_miss_adds_the_way_to_memory_and_back)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, NULL, 1);
    load(kit, 0, 256, LINE, 1, 20 * CYCLE);
    hd_packet *reply = next_reply(kit);
    cr_expect_eq(sent_at(kit, MEMORY, 0), 20, "the request leaves when the miss is found");
    cr_expect_eq(sent_at(kit, REPLY, 0), 20 + LINK + MEMORY_DELAY + LATENCY + port_cycles(LINE) - 1);
    cr_expect_eq(memcmp(hd_body(reply), &memory->bytes[256], LINE), 0);
    cr_expect_eq(reply->wire_bytes, HD_HEADER_WIRE_BYTES + LINE);
    cr_expect_eq(reply->argument, LINE);
    cr_expect_eq(reply->address, 256);
    cr_expect_eq(reply->destination, 9);
    cr_expect_eq(reply->flow, 3);
    cr_expect_eq(kit_statistic(kit, "misses"), 1);
    cr_expect_eq(kit_statistic(kit, "fills"), 1);
    kit_free(kit, reply);
    kit_destroy(kit);
    free(memory);
}

static uint64_t saturated(const char *parameter, uint32_t bytes, uint32_t count)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){parameter, NULL}, 1);
    load_now(kit, 0);
    const hd_time t = 500 * CYCLE;
    for (uint32_t i = 0; i < count; i++)
        load(kit, 0, 0, bytes, i, t);
    kit_run_until(kit, 5000 * CYCLE);
    const uint64_t last = sent_at(kit, REPLY, count);
    kit_destroy(kit);
    free(memory);
    return last - 500;
}

Test(l2_slice, saturated_hits_move_port_bytes_a_cycle)
{
    enum { COUNT = 100 };
    cr_expect_eq(saturated(NULL, LINE, COUNT), COUNT * 2 + LATENCY - 1);
    cr_expect_eq(saturated(NULL, 4, COUNT), COUNT + LATENCY - 1);
    cr_expect_eq(saturated("port_bytes=32 B", LINE, COUNT), COUNT * 4 + LATENCY - 1);
}

Test(l2_slice, atomics_move_their_words_one_a_cycle)
{
    static const uint32_t rates[] = {1, 4};
    for (uint32_t r = 0; r < 2; r++) {
        struct memory *memory = make_memory();
        kit_block *kit = make(memory, (const char *[]){r ? "atomic_words=4" : NULL, NULL}, 1);
        load_now(kit, 0);
        hd_atomic_operation operations[32];
        for (uint32_t i = 0; i < 32; i++)
            operations[i] = (hd_atomic_operation){.operation = HD_ATOMIC_ADD, .word = (uint8_t)i, .operand = 1};
        atomic(kit, 0, 0, operations, 32, 1, 500 * CYCLE);
        load(kit, 0, 0, 4, 2, 500 * CYCLE);
        kit_run_until(kit, 1000 * CYCLE);
        cr_expect_eq(sent_at(kit, REPLY, 1), 500 + LATENCY + 32 / rates[r] - 1);
        cr_expect_eq(sent_at(kit, REPLY, 2), 500 + LATENCY + 32 / rates[r]);
        cr_expect_eq(kit_statistic(kit, "atomic_words"), 32);
        cr_expect_eq(kit_statistic(kit, "port_busy_cycles"), 1 + 32 / rates[r] + 1);
        kit_destroy(kit);
        free(memory);
    }
}

/* A load behind an atomic leaves before it: the pipelines are apart. */
Test(l2_slice, replies_of_atomics_leave_later)
{
    enum { MORE = 7 };
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){"atomic_latency=7 cycles", NULL}, 1);
    load_now(kit, 0);
    const hd_atomic_operation add = {.operation = HD_ATOMIC_ADD, .operand = 1};
    atomic(kit, 0, 0, &add, 1, 1, 500 * CYCLE);
    load(kit, 0, 0, 4, 2, 500 * CYCLE);
    atomic(kit, 0, 0, &add, 1, 3, 500 * CYCLE);
    kit_run_until(kit, 1000 * CYCLE);
    static const uint64_t tags[] = {2, 1, 3};
    static const uint64_t cycles[] = {501 + LATENCY, 500 + LATENCY + MORE, 502 + LATENCY + MORE};
    for (uint32_t i = 0; i < 3; i++) {
        hd_packet *reply = next_reply(kit);
        cr_expect_eq(reply->tag, tags[i]);
        cr_expect_eq(sent_at(kit, REPLY, 1 + i), cycles[i]);
        kit_free(kit, reply);
    }
    kit_destroy(kit);
    free(memory);
}

/* Stores of whole lines that take each other's place: LINE / port in, LINE / port out, one after another. */
static uint64_t cycles_of_stores(const char *fill_port, uint32_t count)
{
    struct memory *memory = make_memory();
    kit_block *kit =
        make(memory, (const char *[]){"bytes=128 B", "ways=1", "write_backs=64", "mshrs=1", fill_port, NULL}, 1);
    for (uint32_t i = 0; i < count; i++)
        store(kit, 0, i * LINE, LINE, UINT32_MAX, 1, i, 0);
    kit_run_until(kit, 5000 * CYCLE);
    const uint64_t last = sent_at(kit, REPLY, count - 1);
    cr_expect_eq(kit_statistic(kit, "write_backs"), count - 1);
    kit_destroy(kit);
    free(memory);
    return last;
}

Test(l2_slice, lines_from_and_to_memory_take_the_data_port_if_they_share_it)
{
    enum { COUNT = 40 };
    const uint32_t line = port_cycles(LINE);
    cr_expect_eq(cycles_of_stores("fill_port=own", COUNT), COUNT * line + LATENCY - 1);
    cr_expect_eq(cycles_of_stores("fill_port=shared", COUNT), (2 * COUNT - 1) * line + LATENCY - 1);
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){"fill_port=shared", NULL}, 1);
    load(kit, 0, 0, 4, 1, 0);
    kit_run_until(kit, 1000 * CYCLE);
    cr_expect_eq(sent_at(kit, REPLY, 0), LINK + MEMORY_DELAY + line + LATENCY, "the line first, then the load");
    cr_expect_eq(kit_statistic(kit, "port_busy_cycles"), line + 1);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, sectors_take_the_shared_port_for_their_own_bytes)
{
    struct memory *memory = make_memory();
    kit_block *kit =
        make(memory,
             (const char *[]){"fill_port=shared", "bytes=128 B", "ways=1", "sector=32 B", "port_bytes=8 B", NULL}, 1);
    const uint32_t sector = 32 / 8;
    load(kit, 0, 0, 4, 1, 0);
    kit_run_until(kit, 1000 * CYCLE);
    cr_expect_eq(sent_at(kit, REPLY, 0), LINK + MEMORY_DELAY + sector + LATENCY);
    store(kit, 0, 32, 32, UINT32_MAX, 1, 2, 1000 * CYCLE);
    store(kit, 0, 128, 32, UINT32_MAX, 1, 3, 1500 * CYCLE); /* takes its place */
    kit_run_until(kit, 2000 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "port_busy_cycles"), sector + 1 + 3 * sector,
                 "a fill, a load, two stores, a write-back");
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, serves_its_request_ports_in_turn)
{
    enum { PORTS = 3, EACH = 10 };
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, NULL, PORTS);
    load_now(kit, 0);
    for (uint32_t port = 0; port < PORTS; port++)
        for (uint32_t i = 0; i < EACH; i++)
            load(kit, port, 0, 4, port, 500 * CYCLE);
    kit_run_until(kit, 1000 * CYCLE);
    uint32_t count;
    uint32_t seen = 0;
    const kit_event *events = kit_trace(kit, &count);
    uint64_t first = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        if (events[i].port != REPLY || events[i].packet.tag >= PORTS)
            continue;
        first = first == UINT64_MAX ? events[i].packet.tag : first;
        cr_expect_eq(events[i].packet.tag, (first + seen) % PORTS);
        seen++;
    }
    cr_expect_eq(seen, PORTS * EACH);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, the_standard_latency_is_that_of_the_paper)
{
    /* 330 core cycles of 1400 MHz are 165 of the slice's; the network takes ten of them and the core five. */
    kit_block *kit = kit_create(&hd_l2_slice_write_back, NULL);
    static const uint32_t endpoints[] = {0};
    kit_address_map(kit, 1, 256, endpoints);
    struct memory *memory = make_memory();
    store(kit, 0, 0, LINE, UINT32_MAX, 1, 1, 0);
    load(kit, 0, 0, 4, 2, 500 * CYCLE);
    kit_run_until(kit, 1000 * CYCLE);
    cr_expect_eq(sent_at(kit, REPLY, 1), 500 + 150);
    kit_destroy(kit);
    free(memory);
}

/* Each MSHR brings a line in the time of a way to memory and back; then all of them have taken the port, and begin anew. */
Test(l2_slice, saturated_misses_move_a_line_for_each_mshr_and_round_trip)
{
    enum { COUNT = 40, ROUND_TRIP = LINK + MEMORY_DELAY };
    static const uint32_t mshrs[] = {1, 2, 4, 8};
    for (uint32_t m = 0; m < 4; m++) {
        char parameter[16];
        snprintf(parameter, sizeof parameter, "mshrs=%u", mshrs[m]);
        struct memory *memory = make_memory();
        kit_block *kit = make(memory, (const char *[]){parameter, NULL}, 1);
        for (uint32_t i = 0; i < COUNT; i++)
            load(kit, 0, i * LINE, 4, i, 0);
        kit_run_until(kit, 5000 * CYCLE);
        const uint32_t rounds = COUNT / mshrs[m];
        cr_expect_eq(sent_at(kit, REPLY, COUNT - 1),
                     (rounds - 1) * (ROUND_TRIP + mshrs[m]) + mshrs[m] - 1 + ROUND_TRIP + LATENCY, "%u MSHRs",
                     mshrs[m]);
        kit_destroy(kit);
        free(memory);
    }
}
