/* SPDX-License-Identifier: MIT */
/* Each kind of memory loaded and stored, time and accounts of an access. */
#include "memory_rig.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define DATA 0x20000000u

Test(memory, loads_global_words_past_the_l1)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    uint32_t address[64];
    rig_addresses(address, DATA, 4);
    const uint32_t ticket = rig_submit(r, ISA_OP_LW, 0, 0, RIG_ALL, address, NULL, NULL);
    cr_expect_eq(memory_accesses_outstanding(r->m, 0), 1);
    cr_expect_eq(memory_is_idle(r->m), 0);
    rig_finish(r, ticket);
    for (uint32_t lane = 0; lane < 32; ++lane)
        cr_assert_eq(r->result[ticket].value[lane], rig_peek(r, address[lane]));
    /* In the pipe at the edge after submit, there and back, nothing else. */
    cr_expect_eq(rig_latency(r, ticket), 1 + r->accept_delay + r->reply_delay);
    cr_expect_eq(r->counters.loads, 1);
    cr_expect_eq(r->counters.packets_sent, 1);
    cr_expect_eq(r->counters.bytes_sent, HD_HEADER_WIRE_BYTES);
    cr_expect_eq(r->counters.bytes_received, HD_HEADER_WIRE_BYTES + 128);
    cr_expect_eq(r->counters.global_bytes, 128);
    cr_expect_eq(r->counters.load_replies, 1);
    cr_expect_eq(r->counters.load_latency_cycles, r->accept_delay + r->reply_delay);
    cr_expect_eq(r->sent[0].packet.source, 3);
    cr_expect_eq(r->sent[0].packet.traffic_class, HD_CLASS_GLOBAL);
    cr_expect_eq(memory_accesses_outstanding(r->m, 0), 0);
    cr_expect_eq(r->drained[0], 1);
    cr_expect(memory_is_idle(r->m));
    cr_expect_eq(memory_status_of(r->m)->next_edge, MEMORY_NO_EDGE);
    cr_expect_eq(memory_promise(r->m), MEMORY_NO_EDGE);
    rig_destroy(r);
}

Test(memory, stores_and_loads_bytes_halves_and_words)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    static const uint32_t windows[] = {DATA, HD_SCRATCHPAD_BASE, HD_PRIVATE_BASE};
    for (uint32_t w = 0; w < 3; ++w) {
        rig_one(r, ISA_OP_SW, 1, 5, windows[w] + 8, 0x44332211);
        rig_one(r, ISA_OP_SB, 1, 5, windows[w] + 9, 0xFFFFFFAB);
        rig_one(r, ISA_OP_SH, 1, 5, windows[w] + 10, 0xFFFFCDEF);
        const uint32_t word = rig_one(r, ISA_OP_LW, 1, 5, windows[w] + 8, 0);
        const uint32_t byte = rig_one(r, ISA_OP_LB, 1, 5, windows[w] + 9, 0);
        const uint32_t half = rig_one(r, ISA_OP_LHU, 1, 5, windows[w] + 10, 0);
        rig_idle(r);
        cr_expect_eq(r->result[word].value[5], 0xCDEFAB11, "window %u: %08x", w, r->result[word].value[5]);
        cr_expect_eq(r->result[byte].value[5], 0xAB);
        cr_expect_eq(r->result[half].value[5], 0xCDEF);
    }
    cr_expect_eq(r->counters.stores, 9);
    cr_expect_eq(r->counters.loads, 9);
    rig_destroy(r);
}

Test(memory, takes_an_access_apart_whose_lanes_lie_in_all_windows)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    static const uint32_t windows[] = {DATA + 0x40, HD_SCRATCHPAD_BASE, HD_PRIVATE_BASE, HD_CONSTANT_BASE};
    uint32_t address[64];
    uint32_t data[64];
    for (uint32_t lane = 0; lane < 32; ++lane) {
        address[lane] = windows[lane % 3] + lane / 3 * 4;
        data[lane] = 0x1000 + lane;
    }
    rig_submit(r, ISA_OP_SW, 0, 2, RIG_ALL, address, data, NULL);
    for (uint32_t lane = 3; lane < 32; lane += 4)
        address[lane] = windows[3] + lane * 4;
    const uint32_t ticket = rig_submit(r, ISA_OP_LW, 0, 2, RIG_ALL, address, NULL, NULL);
    rig_idle(r);
    cr_expect_eq(r->result[ticket].lanes, RIG_ALL);
    for (uint32_t lane = 0; lane < 32; ++lane)
        cr_expect_eq(r->result[ticket].value[lane], lane % 4 == 3 ? rig_peek(r, RIG_CONSTANT + lane * 4) : data[lane],
                     "lane %u", lane);
    rig_destroy(r);
}

Test(memory, gives_warps_and_blocks_memory_of_their_own)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    for (uint32_t warp = 0; warp < 4; ++warp) {
        rig_one(r, ISA_OP_SW, warp, 7, HD_PRIVATE_BASE + 1020, 100 + warp);
        if (warp % 2 == 0)
            rig_one(r, ISA_OP_SW, warp, 7, HD_SCRATCHPAD_BASE + 4092, 200 + warp);
    }
    for (uint32_t warp = 0; warp < 4; ++warp) {
        const uint32_t private = rig_one(r, ISA_OP_LW, warp, 7, HD_PRIVATE_BASE + 1020, 0);
        const uint32_t shared = rig_one(r, ISA_OP_LW, warp, 7, HD_SCRATCHPAD_BASE + 4092, 0);
        rig_idle(r);
        cr_expect_eq(r->result[private].value[7], 100 + warp);
        cr_expect_eq(r->result[shared].value[7], 200 + (warp & ~1u));
    }
    rig_destroy(r);
}

Test(memory, completes_a_store_when_it_leaves_and_counts_it_until_acknowledged)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    uint32_t address[64];
    uint32_t data[64];
    rig_addresses(address, DATA, 4);
    rig_addresses(data, 5, 1);
    r->hold = 1;
    const uint32_t ticket = rig_submit(r, ISA_OP_SW, 0, 4, RIG_ALL, address, data, NULL);
    cr_expect_eq(memory_stores_outstanding(r->m, 4), 1);
    rig_finish(r, ticket);
    cr_expect_eq(rig_latency(r, ticket), 1);
    cr_expect_eq(r->result[ticket].lanes, 0);
    cr_expect_eq(memory_accesses_outstanding(r->m, 4), 0);
    cr_expect_eq(memory_stores_outstanding(r->m, 4), 1);
    cr_expect_eq(memory_is_idle(r->m), 0);
    rig_cycles(r, 50);
    cr_expect_eq(memory_stores_outstanding(r->m, 4), 1);
    const uint32_t drained = r->drained[4];
    r->hold = 0;
    rig_idle(r);
    cr_expect_eq(memory_stores_outstanding(r->m, 4), 0);
    cr_expect_eq(r->drained[4], drained + 1);
    for (uint32_t lane = 0; lane < 32; ++lane)
        cr_expect_eq(rig_peek(r, address[lane]), data[lane]);
    rig_destroy(r);
}

Test(memory, counts_stores_by_path)
{
    memory_parameters p = rig_parameters();
    p.paths = p.warps * 4;
    rig *r = rig_create(&p);
    r->path = 2;
    r->hold = 1;
    rig_one(r, ISA_OP_SW, 3, 0, DATA, 1);
    rig_one(r, ISA_OP_AMOADD_W, 3, 1, DATA, 1);
    rig_cycles(r, 50);
    for (uint32_t path = 0; path < p.paths; ++path)
        cr_expect_eq(memory_stores_outstanding(r->m, path), path == 3 * 4 + 2 ? 2 : 0);
    r->hold = 0;
    rig_idle(r);
    cr_expect_eq(memory_stores_outstanding(r->m, 3 * 4 + 2), 0);
    cr_expect_gt(r->drained[3], 0);
    rig_destroy(r);
}

Test(memory, starts_one_wide_access_per_cycle)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    uint32_t address[64];
    rig_addresses(address, DATA, 128);
    rig_submit(r, ISA_OP_LW, 0, 0, RIG_ALL, address, NULL, NULL);
    rig_submit(r, ISA_OP_LW, 0, 1, RIG_ALL, address, NULL, NULL);
    rig_idle(r);
    cr_assert_eq(r->sent_count, 64);
    for (uint32_t i = 1; i < 64; ++i)
        cr_expect_eq(r->sent[i].t, r->sent[i - 1].t + RIG_CYCLE);
    rig_destroy(r);
}

Test(memory, holds_no_more_accesses_than_its_queue_and_tickets)
{
    memory_parameters p = rig_parameters();
    p.queue = 3;
    p.tickets = 5;
    rig *r = rig_create(&p);
    r->credits = 0;
    for (uint32_t i = 0; i < 4; ++i) /* one packet leaves the pipe and waits for the network */
        rig_one(r, ISA_OP_LW, 0, 0, DATA, 0);
    cr_expect_eq(memory_can_submit(r->m), 0, "the queue is full");
    cr_expect_eq(memory_accesses_outstanding(r->m, 0), 4);
    r->credits = 1;
    r->hold = 1;
    rig_cycles(r, 20);
    cr_expect(memory_can_submit(r->m));
    rig_one(r, ISA_OP_LW, 0, 0, DATA, 0);
    rig_cycles(r, 20);
    cr_expect_eq(memory_can_submit(r->m), 0, "no ticket is free");
    r->hold = 0;
    rig_idle(r);
    cr_expect(memory_can_submit(r->m));
    rig_destroy(r);
}

Test(memory, counts_cycles_without_a_credit)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    r->credits = 0;
    const uint32_t ticket = rig_one(r, ISA_OP_LW, 0, 0, DATA, 0);
    rig_cycles(r, 17); /* the first attempt is at the first of them */
    cr_expect_eq(r->counters.packets_sent, 0);
    cr_expect_eq(memory_promise(r->m), MEMORY_NO_EDGE, "not before a credit comes");
    r->credits = 1;
    rig_finish(r, ticket);
    cr_expect_eq(r->counters.stall_network, 17);
    cr_expect_eq(r->counters.load_latency_cycles, r->accept_delay + r->reply_delay, "waiting is not latency");
    rig_destroy(r);
}

typedef struct lines {
    char text[512];
    uint32_t count;
} lines;

static void remember_line(void *context, const char *format, ...)
{
    lines *l = context;
    va_list arguments;
    va_start(arguments, format);
    const size_t used = strlen(l->text);
    vsnprintf(l->text + used, sizeof l->text - used, format, arguments);
    va_end(arguments);
    strcat(l->text, "\n");
    l->count++;
}

Test(memory, takes_an_access_ahead_of_its_time)
{
    const memory_parameters p = rig_parameters();
    for (uint32_t cycles = 0; cycles < 4; ++cycles) {
        rig *r = rig_create_at(&p, 1400000000); /* three cycles from edge 1 are 2142 ps, edge 4 is at 2857 ps */
        r->register_read = cycles;
        rig_cycles(r, 1);
        const uint32_t ticket = rig_one(r, ISA_OP_LW, 0, 0, DATA, 0);
        cr_expect_eq(memory_status_of(r->m)->next_edge, 2 + cycles);
        rig_finish(r, ticket);
        cr_expect_eq(r->sent[0].t, rig_time(r, 2 + cycles));
        rig_destroy(r);
    }
}

Test(memory, describes_what_a_warp_waits_for)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    r->hold = 1;
    lines l = {0};
    const hd_text_sink sink = {&l, remember_line};
    rig_one(r, ISA_OP_LW, 3, 5, DATA, 0);
    rig_one(r, ISA_OP_LW, 2, 0, DATA, 0);
    rig_one(r, ISA_OP_SW, 3, 0, DATA, 0);
    rig_one(r, ISA_OP_AMOADD_W, 3, 31, DATA + 4, 0);
    rig_cycles(r, 5);
    memory_describe(r->m, 3, &sink);
    cr_expect_str_eq(l.text,
                     "  lw at pc 0x10000100, address 0x20000000 of lane 5, since 0 ps\n"
                     "  amoadd.w at pc 0x10000100, address 0x20000004 of lane 31, since 3000 ps\n"
                     "  1 stores not acknowledged\n",
                     "%s", l.text);
    r->hold = 0;
    rig_idle(r);
    l.count = 0;
    memory_describe(r->m, 3, &sink);
    cr_expect_eq(l.count, 0);
    rig_destroy(r);
}

Test(memory, is_as_new_after_reset_with_packets_waiting)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    r->credits = 0;
    rig_one(r, ISA_OP_LW, 0, 0, DATA, 0);
    rig_cycles(r, 3);
    memory_reset(r->m);
    cr_expect(memory_is_idle(r->m));
    cr_expect_eq(r->packets_alive, 0);
    cr_expect_eq(r->counters.loads, 0);
    r->credits = 1;
    r->edge = 0;
    rig_view(r, 0, 0, 0);
    const uint32_t ticket = rig_one(r, ISA_OP_LW, 0, 0, DATA, 0);
    rig_finish(r, ticket);
    cr_expect_eq(r->result[ticket].value[0], rig_peek(r, DATA));
    rig_destroy(r);
}
