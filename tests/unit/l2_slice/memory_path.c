/* SPDX-License-Identifier: MIT */
#include "memory_side.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Latency ----------------------------------------------------------------------------------------------------- */

static void note_time(struct memory_side *side, uint32_t requester, const hd_packet *reply, hd_time t)
{
    (void)requester;
    if (reply)
        *(hd_time *)side->context = t;
}

/* Core cycles from the sending of a load of a line to its reply. */
static uint64_t load_cycles(struct memory_side *side, uint64_t address, hd_time start)
{
    hd_packet *packet = memory_side_packet(side, 3, HD_GLOBAL_LOAD, address, HD_LINE_BYTES, 0);
    cr_assert(memory_side_send(side, 3, packet, start));
    memory_side_run(side);
    return (*(hd_time *)side->context - start) * CORE_MHZ / 1000000;
}

Test(memory_path, has_the_latencies_of_the_paper)
{
    hd_time answered;
    struct memory_side *side = memory_side_make(note_time, &answered);
    const uint64_t miss = load_cycles(side, 4096, 0);
    const uint64_t hit = load_cycles(side, 4096, UINT64_C(1000000));
    printf("hit %llu, miss %llu core cycles\n", (unsigned long long)hit, (unsigned long long)miss);
    /* 330 at least, of which some ten are the core's own; 200 more through the DRAM controller. */
    cr_expect(hit >= 315 && hit <= 325, "%llu", (unsigned long long)hit);
    cr_expect(miss - hit >= 195 && miss - hit <= 205, "%llu", (unsigned long long)(miss - hit));
    memory_side_destroy(side);
}

/* ---- Bandwidth --------------------------------------------------------------------------------------------------- */

enum { LINES = 40000, OUTSTANDING = 48 };

struct stream {
    uint32_t next; /* line */
    uint32_t answered;
    uint32_t outstanding[REQUESTERS];
};

static void send_lines(struct memory_side *side, struct stream *stream, uint32_t requester, hd_time t)
{
    while (stream->next < LINES && stream->outstanding[requester] < OUTSTANDING &&
           memory_side_credits(side, requester)) {
        const uint64_t address = (uint64_t)stream->next++ * HD_LINE_BYTES;
        hd_packet *packet = memory_side_packet(side, requester, HD_GLOBAL_LOAD, address, HD_LINE_BYTES, 0);
        cr_assert(memory_side_send(side, requester, packet, t));
        stream->outstanding[requester]++;
    }
}

static void stream_on(struct memory_side *side, uint32_t requester, const hd_packet *reply, hd_time t)
{
    struct stream *stream = side->context;
    if (reply) {
        stream->answered++;
        stream->outstanding[requester]--;
    }
    send_lines(side, stream, requester, t);
}

Test(memory_path, a_stream_of_loads_nearly_fills_the_channels)
{
    struct stream stream = {0};
    struct memory_side *side = memory_side_make(stream_on, &stream);
    for (uint32_t requester = 0; requester < REQUESTERS; requester++)
        send_lines(side, &stream, requester, 0);
    const hd_time end = memory_side_run(side);
    cr_expect_eq(stream.answered, LINES);
    const double gigabytes_per_second = (double)LINES * HD_LINE_BYTES * 1000 / (double)end;
    printf("%.1f GB/s of 177.4\n", gigabytes_per_second);
    cr_expect_gt(gigabytes_per_second, 0.85 * 177.4);
    cr_expect_eq(memory_side_statistic(side, side->channels, PARTITIONS, "reads"), LINES);
    memory_side_destroy(side);
}

/* ---- Atomics from everywhere ------------------------------------------------------------------------------------- */

enum { COUNTERS = 8192, ADDS = 30000, STRIDE = 260 };

struct counting {
    uint64_t seed;
    uint32_t sent;
    uint32_t answered;
    uint64_t hash;
    uint32_t expected[COUNTERS];
};

static void send_add(struct memory_side *side, struct counting *counting, uint32_t requester, hd_time t)
{
    if (counting->sent == ADDS || !memory_side_credits(side, requester))
        return;
    const uint32_t counter = (uint32_t)(kit_random(&counting->seed) % COUNTERS);
    const uint32_t addend = (uint32_t)kit_random(&counting->seed);
    const uint64_t address = (uint64_t)counter * STRIDE;
    const uint64_t line = address / HD_LINE_BYTES * HD_LINE_BYTES;
    const hd_atomic_operation add = {
        .operation = HD_ATOMIC_ADD, .word = (uint8_t)(address % HD_LINE_BYTES / 4), .operand = addend};
    hd_packet *packet = memory_side_packet(side, requester, HD_GLOBAL_ATOMIC, line, 1, sizeof add);
    memcpy(hd_body(packet), &add, sizeof add);
    cr_assert(memory_side_send(side, requester, packet, t));
    counting->expected[counter] += addend;
    counting->sent++;
}

static void count_on(struct memory_side *side, uint32_t requester, const hd_packet *reply, hd_time t)
{
    struct counting *counting = side->context;
    if (!reply)
        return;
    counting->answered++;
    counting->hash = counting->hash * 31 + t + requester + ((const hd_atomic_result *)hd_body_const(reply))->value;
    send_add(side, counting, requester, t);
}

static uint32_t counter_value(struct memory_side *side, uint32_t counter)
{
    const uint64_t address = (uint64_t)counter * STRIDE;
    const uint32_t slice = side->map.endpoints[hd_partition_of(&side->map, address)];
    uint32_t value = 0;
    for (uint32_t block = slice; block <= slice + 1; block++) {
        const hd_block_class *block_class = hd_engine_block_class(side->engine, block);
        if (block_class->debug_access(hd_engine_block(side->engine, block), address, &value, 4, 0))
            return value;
    }
    cr_assert_fail("nobody holds counter %u", counter);
    return 0;
}

static uint64_t count_all(uint64_t seed, uint64_t disturbance)
{
    struct counting *counting = calloc(1, sizeof *counting);
    counting->seed = seed;
    struct memory_side *side = memory_side_make(count_on, counting);
    hd_engine_disturb(side->engine, disturbance);
    for (uint32_t requester = 0; requester < REQUESTERS; requester++)
        for (uint32_t i = 0; i < 8; i++)
            send_add(side, counting, requester, 0);
    memory_side_run(side);
    cr_expect_eq(counting->answered, ADDS);
    for (uint32_t i = 0; i < COUNTERS; i++)
        cr_assert_eq(counter_value(side, i), counting->expected[i], "counter %u", i);
    cr_expect_eq(memory_side_statistic(side, side->slices, PARTITIONS, "atomic_words"), ADDS);
    cr_expect_gt(memory_side_statistic(side, side->slices, PARTITIONS, "write_backs"), 0);
    cr_expect_eq(hd_engine_check_credits(side->engine, NULL), 0);
    const uint64_t hash = counting->hash;
    memory_side_destroy(side);
    free(counting);
    return hash;
}

Test(memory_path, loses_no_atomic_and_does_not_depend_on_the_order_of_calls)
{
    const uint64_t seed = 20151;
    const uint64_t expected = count_all(seed, 0);
    for (uint64_t disturbance = 1; disturbance <= 3; disturbance++)
        cr_expect_eq(count_all(seed, disturbance), expected, "disturbance %u", (unsigned)disturbance);
}
