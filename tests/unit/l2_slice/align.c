/* SPDX-License-Identifier: MIT */
/* What a kernel sees must not depend on what ran before it: aligned is as good as new, but for data and statistics. */
#include "bench.h"

#include <stdlib.h>

enum { REQUESTS = 400, END = 20000 };

static void run_load(kit_block *kit, hd_time start)
{
    uint64_t seed = 11;
    hd_time t[2] = {start, start};
    for (uint32_t i = 0; i < REQUESTS; i++) {
        const uint32_t port = (uint32_t)(kit_random(&seed) % 2);
        const uint64_t line = kit_random(&seed) % 24 * LINE;
        t[port] += kit_random(&seed) % 4 ? 0 : kit_random(&seed) % 50 * CYCLE;
        if (kit_random(&seed) % 2)
            load(kit, port, line, LINE, i, t[port]);
        else
            store(kit, port, line, LINE, UINT32_MAX, 5, i, t[port]);
    }
    kit_run_until(kit, start + (hd_time)END * CYCLE);
}

static void write_memory(kit_block *kit, void *context, uint64_t address, const void *data, uint32_t bytes)
{
    struct memory *memory = context;
    (void)kit;
    memcpy(&memory->bytes[address], data, bytes);
}

static uint32_t differs(uint32_t with_align)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, (const char *[]){SMALL, "mshrs=4", NULL}, 2);
    kit_on_write_back(kit, write_memory, memory);
    run_load(kit, 0);
    uint32_t first;
    kit_trace(kit, &first);
    if (with_align)
        kit_align(kit);
    const hd_time start = kit_now(kit);
    run_load(kit, start);
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    uint32_t different = count != 2 * first;
    for (uint32_t i = 0; !different && i < first; i++) {
        const kit_event *again = &events[first + i];
        different = events[i].t + start != again->t || events[i].packet.address != again->packet.address ||
                    events[i].packet.message != again->packet.message;
    }
    kit_destroy(kit);
    free(memory);
    return different;
}

Test(l2_slice, aligned_does_the_same_as_new)
{
    cr_expect_eq(differs(1), 0);
    cr_expect_eq(differs(0), 1, "the load is such that it matters");
}

/* Two reply networks, requester 9 behind the second. */
Test(l2_slice, sends_replies_where_their_requesters_are)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, NULL, 1);
    kit_connect(kit, REPLY, 1, LINK, 2);
    kit_route(kit, REPLY, 9, 1);
    for (uint32_t i = 0; i < 8; i++) {
        hd_packet *packet = kit_packet(kit, HD_GLOBAL_LOAD, 0);
        packet->argument = 4;
        packet->source = i % 2 ? 9 : 8;
        packet->tag = i;
        kit_send(kit, REQUEST, 0, packet, 0);
    }
    kit_hold_credits(kit, REPLY, 1, 1);
    kit_run_until(kit, 500 * CYCLE);
    cr_expect_eq(kit_waiting(kit, REPLY, 0), 4, "not held up by the other");
    cr_expect_eq(kit_waiting(kit, REPLY, 1), 2, "as far as credits go");
    kit_release_credits(kit, REPLY, 1, 2, 500 * CYCLE);
    kit_run_until(kit, 1000 * CYCLE);
    cr_expect_eq(kit_waiting(kit, REPLY, 1), 4);
    kit_destroy(kit);
    free(memory);
}
