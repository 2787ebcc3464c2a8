/* SPDX-License-Identifier: MIT */
/* What classes of accesses do to the L1: who passes it, who is counted where, lines shorter than a wide access. */
#include "memory_rig.h"

#include <criterion/criterion.h>

#define GLOBAL 0x20000000u
#define PRIVATE HD_PRIVATE_BASE
#define TRIP 20u /* to the partition of the rig and back */

static uint32_t whole_warp(rig *r, uint32_t op, uint32_t warp, uint32_t base, uint32_t stride, uint32_t value)
{
    uint32_t addresses[64], data[64];
    rig_addresses(addresses, base, stride);
    rig_addresses(data, value, 1);
    return rig_submit(r, op, 0, warp, RIG_ALL, addresses, data, NULL);
}

/* ---- Private memory past the L1 ---- */

static rig *bypassing_rig(void)
{
    memory_parameters p = rig_parameters();
    p.l1_private = L1_PRIVATE_BYPASS;
    return rig_create(&p);
}

Test(private_bypass, costs_a_trip_to_memory_each_time)
{
    rig *r = bypassing_rig();
    for (uint32_t i = 0; i < 2; ++i) {
        const uint32_t ticket = whole_warp(r, ISA_OP_LW, 1, PRIVATE + 8, 0, 0);
        rig_idle(r);
        for (uint32_t lane = 0; lane < 32; ++lane)
            cr_expect_eq(r->result[ticket].value[lane], rig_peek(r, rig_private(r, 1, 0, lane, 8)));
        cr_expect_eq(rig_latency(r, ticket), 1 + TRIP);
    }
    cr_expect_eq(r->counters.l1_hits + r->counters.l1_misses, 0);
    cr_expect_eq(r->counters.l1_bypasses, 2);
    cr_expect_eq(r->counters.private_bytes, 2 * 128);
    cr_expect_eq(r->counters.load_replies, 0, "of global loads only");
    cr_expect_eq(r->sent[0].packet.traffic_class, HD_CLASS_PRIVATE);
    rig_destroy(r);
}

Test(private_bypass, asks_for_sectors)
{
    rig *r = bypassing_rig();
    rig_finish(r, rig_one(r, ISA_OP_LW, 0, 9, PRIVATE, 0));
    cr_expect_eq(r->sent[0].packet.address, rig_private(r, 0, 0, 8, 0));
    cr_expect_eq(r->sent[0].packet.argument, 32);
    rig_destroy(r);
}

Test(private_bypass, writes_through_and_is_waited_for)
{
    rig *r = bypassing_rig();
    r->hold = 1;
    whole_warp(r, ISA_OP_SW, 3, PRIVATE, 0, 500);
    rig_one(r, ISA_OP_SB, 3, 7, PRIVATE + 5, 0xAB);
    rig_cycles(r, 60);
    cr_expect_eq(memory_stores_outstanding(r->m, 3), 2);
    cr_expect_eq(rig_peek(r, rig_private(r, 1, 1, 31, 0)), 531, "it is there");
    cr_expect_eq(rig_peek(r, rig_private(r, 1, 1, 7, 4)) >> 8 & 0xFF, 0xAB);
    r->hold = 0;
    rig_idle(r);
    cr_expect_eq(memory_stores_outstanding(r->m, 3), 0);
    cr_expect_eq(r->counters.l1_write_backs, 0);
    rig_destroy(r);
}

Test(private_bypass, shows_a_thread_its_own_order)
{
    rig *r = bypassing_rig();
    const uint32_t old = rig_peek(r, rig_private(r, 0, 0, 3, 0));
    const uint32_t before = rig_one(r, ISA_OP_LW, 0, 3, PRIVATE, 0);
    rig_one(r, ISA_OP_SW, 0, 3, PRIVATE, old + 1);
    const uint32_t after = rig_one(r, ISA_OP_LW, 0, 3, PRIVATE, 0);
    rig_idle(r);
    cr_expect_eq(r->result[before].value[3], old);
    cr_expect_eq(r->result[after].value[3], old + 1);
    rig_destroy(r);
}

Test(private_bypass, mixes_with_other_windows_in_one_access)
{
    rig *r = bypassing_rig();
    uint32_t addresses[64];
    for (uint32_t lane = 0; lane < 64; ++lane)
        addresses[lane] = lane % 2 ? PRIVATE + 4 * (lane % 8) : GLOBAL + 4 * lane;
    const uint32_t ticket = rig_submit(r, ISA_OP_LW, 0, 0, RIG_ALL, addresses, NULL, NULL);
    rig_idle(r);
    for (uint32_t lane = 0; lane < 32; ++lane)
        cr_expect_eq(r->result[ticket].value[lane],
                     rig_peek(r, lane % 2 ? rig_private(r, 0, 0, lane, 4 * (lane % 8)) : (uint64_t)GLOBAL + 4 * lane));
    cr_expect_eq(r->counters.load_replies, 1);
    rig_destroy(r);
}

/* ---- Counting by class ---- */

Test(l1_classes, are_counted_one_by_one)
{
    memory_parameters p = rig_parameters();
    p.l1_global = L1_GLOBAL_CACHE;
    rig *r = rig_create(&p);
    const uint32_t base[3] = {GLOBAL, PRIVATE, HD_CONSTANT_BASE};
    /* Class i: one miss, i + 1 merges, 2 i + 1 hits. */
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t n = 0; n < i + 2; ++n)
            rig_one(r, ISA_OP_LW, 0, 0, base[i], 0);
        rig_idle(r);
        for (uint32_t n = 0; n < 2 * i + 1; ++n)
            rig_one(r, ISA_OP_LW, 0, 0, base[i], 0);
        rig_idle(r);
    }
    rig_one(r, ISA_OP_SW, 0, 0, GLOBAL, 1);
    rig_one(r, ISA_OP_LW_CG, 0, 0, GLOBAL, 1);
    rig_one(r, ISA_OP_AMOADD_W, 0, 0, GLOBAL, 1);
    rig_idle(r);
    const memory_counters *c = &r->counters;
    const uint64_t hits[3] = {c->l1_global_hits, c->l1_private_hits, c->l1_constant_hits};
    const uint64_t misses[3] = {c->l1_global_misses, c->l1_private_misses, c->l1_constant_misses};
    const uint64_t merges[3] = {c->l1_global_merges, c->l1_private_merges, c->l1_constant_merges};
    for (uint32_t i = 0; i < 3; ++i) {
        cr_expect_eq(hits[i], 2 * i + 1, "class %u", i);
        cr_expect_eq(misses[i], i + 2, "class %u", i);
        cr_expect_eq(merges[i], i + 1, "class %u", i);
    }
    cr_expect_eq(c->l1_hits, 1 + 3 + 5);
    cr_expect_eq(c->l1_misses, 2 + 3 + 4);
    cr_expect_eq(c->l1_mshr_merges, 1 + 2 + 3);
    cr_expect_eq(c->l1_bypasses, 3);
    rig_destroy(r);
}

Test(l1_classes, counts_stalls_by_their_cause)
{
    static const struct {
        uint32_t ways, mshrs, merges, lines; /* `lines` different lines are loaded, then the first again */
    } runs[] = {{8, 2, 4, 3}, {8, 4, 1, 1}, {2, 8, 4, 3}};
    for (uint32_t i = 0; i < 3; ++i) {
        memory_parameters p = rig_parameters();
        p.l1_ways = runs[i].ways;
        p.l1_bytes = runs[i].ways * 128;
        p.l1_mshrs = runs[i].mshrs;
        p.l1_mshr_merges = runs[i].merges;
        rig *r = rig_create(&p);
        for (uint32_t line = 0; line < runs[i].lines; ++line)
            rig_one(r, ISA_OP_LW, 0, 0, PRIVATE + 4 * line, 0);
        rig_one(r, ISA_OP_LW, 0, 1, PRIVATE, 0);
        rig_idle(r);
        const uint64_t causes[3] = {r->counters.stall_mshr_full, r->counters.stall_merge_full,
                                    r->counters.stall_set_full};
        /* The first that finds no room comes a cycle behind the last that did, and goes on with the first fill. */
        const uint64_t stalled = TRIP - (i == 1 ? 1 : 2);
        for (uint32_t cause = 0; cause < 3; ++cause)
            cr_expect_eq(causes[cause], cause == i ? stalled : 0, "run %u, cause %u: %llu", i, cause,
                         (unsigned long long)causes[cause]);
        cr_expect_eq(r->counters.stall_mshr, stalled);
        cr_expect_eq(r->counters.stall_reservation, 0);
        rig_destroy(r);
    }
}

Test(l1_classes, counts_a_store_conditional_that_waits_for_its_load_reserved)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    rig_one(r, ISA_OP_LR_W, 0, 0, GLOBAL, 0);
    const uint32_t conditional = rig_one(r, ISA_OP_SC_W, 0, 0, GLOBAL, 5);
    rig_idle(r);
    cr_expect_eq(r->result[conditional].value[0], 0);
    cr_expect_eq(r->counters.stall_reservation, TRIP - 1);
    cr_expect_eq(r->counters.stall_mshr, 0);
    rig_destroy(r);
}

/* ---- Accesses that waited for one line ---- */

Test(responses, are_as_many_a_cycle_as_the_parameter_says)
{
    for (uint32_t responses = 0; responses <= 3; ++responses) {
        memory_parameters p = rig_parameters();
        p.l1_mshr_merges = 8;
        p.queue = 8;
        p.responses = responses;
        rig *r = rig_create(&p);
        uint32_t ticket[6];
        uint64_t waited = 0;
        for (uint32_t i = 0; i < 6; ++i)
            ticket[i] = rig_one(r, ISA_OP_LW, 0, i, PRIVATE, 0);
        rig_idle(r);
        for (uint32_t i = 0; i < 6; ++i) {
            const uint32_t turn = responses == 0 ? 0 : i / responses;
            cr_expect_eq(rig_latency(r, ticket[i]), 1 + TRIP - i + turn, "access %u, %u a cycle", i, responses);
            cr_expect_eq(r->result[ticket[i]].value[i], rig_peek(r, rig_private(r, 0, 0, i, 0)));
            waited += turn;
        }
        cr_expect_eq(r->counters.response_wait_cycles, waited);
        rig_destroy(r);
    }
}

Test(responses, to_a_second_line_wait_behind_those_to_the_first)
{
    memory_parameters p = rig_parameters();
    p.queue = 8;
    p.responses = 1;
    rig *r = rig_create(&p);
    uint32_t ticket[6];
    for (uint32_t i = 0; i < 6; ++i) /* four of a line, whose last waits until the second line has come, and two */
        ticket[i] = rig_one(r, ISA_OP_LW, 0, i, PRIVATE + i / 4 * 4, 0);
    rig_idle(r);
    for (uint32_t i = 1; i < 6; ++i)
        cr_expect_geq(r->result[ticket[i]].at, r->result[ticket[i - 1]].at + RIG_CYCLE);
    rig_destroy(r);
}

/* ---- Lines shorter than a wide access ---- */

static rig *short_lines(uint32_t line, uint32_t lookups, uint32_t global)
{
    memory_parameters p = rig_parameters();
    p.l1_line = line;
    p.l1_lookups = lookups;
    p.l1_global = global;
    return rig_create(&p);
}

Test(l1_lines, of_any_length_are_looked_up_so_many_a_cycle)
{
    for (uint32_t line = 32; line <= 128; line *= 2) {
        for (uint32_t lookups = 1; lookups <= 4; ++lookups) {
            rig *r = short_lines(line, lookups, L1_GLOBAL_CACHE);
            const uint32_t lines = 128 / line, cycles = (lines + lookups - 1) / lookups;
            uint32_t ticket = whole_warp(r, ISA_OP_LW, 0, GLOBAL, 4, 0);
            rig_idle(r);
            cr_expect_eq(rig_latency(r, ticket), 1 + TRIP + lines - 1, "a packet a cycle leaves");
            cr_expect_eq(r->counters.l1_misses, lines);
            cr_expect_eq(r->sent_count, lines);
            cr_expect_eq(r->sent[0].packet.argument, line);
            ticket = whole_warp(r, ISA_OP_LW, 1, GLOBAL, 4, 0);
            rig_idle(r);
            cr_expect_eq(rig_latency(r, ticket), 1 + r->parameters.l1_latency + cycles - 1);
            cr_expect_eq(r->counters.l1_hits, lines);
            for (uint32_t lane = 0; lane < 32; ++lane)
                cr_expect_eq(r->result[ticket].value[lane], rig_peek(r, GLOBAL + 4 * lane));
            cr_expect_eq(r->counters.lane_accesses, 64);
            rig_destroy(r);
        }
    }
}

Test(l1_lines, that_are_written_whole_are_not_fetched)
{
    rig *r = short_lines(64, 2, L1_GLOBAL_BYPASS);
    uint32_t addresses[64], data[64];
    rig_addresses(addresses, PRIVATE, 0);
    rig_addresses(data, 100, 1);
    rig_submit(r, ISA_OP_SW, 0, 0, 0xFFFFFF, addresses, data, NULL); /* a line and a half */
    rig_idle(r);
    cr_expect_eq(r->sent_count, 1);
    cr_expect_eq(r->sent[0].packet.address, rig_private(r, 0, 0, 16, 0));
    cr_expect_eq(r->sent[0].packet.argument, 64);
    const uint32_t ticket = whole_warp(r, ISA_OP_LW, 0, PRIVATE, 0, 0);
    rig_idle(r);
    for (uint32_t lane = 0; lane < 32; ++lane)
        cr_expect_eq(r->result[ticket].value[lane],
                     lane < 24 ? 100 + lane : rig_peek(r, rig_private(r, 0, 0, lane, 0)));
    rig_destroy(r);
}

Test(l1_lines, are_written_back_in_their_length)
{
    rig *r = short_lines(32, 1, L1_GLOBAL_BYPASS);
    rig_one(r, ISA_OP_SW, 0, 20, PRIVATE, 77);
    rig_idle(r);
    memory_flush_block(r->m, 0);
    rig_cycles(r, 200);
    rig_idle(r);
    cr_expect_not(memory_is_flushing(r->m, 0));
    const hd_packet *back = &r->sent[r->sent_count - 1].packet;
    cr_expect_eq(back->message, RIG_STORE);
    cr_expect_eq(back->address, rig_private(r, 0, 0, 16, 0));
    cr_expect_eq(back->argument, 32);
    cr_expect_eq(rig_peek(r, rig_private(r, 0, 0, 20, 0)), 77);
    rig_destroy(r);
}

Test(l1_lines, that_a_store_does_not_touch_stay)
{
    static const uint32_t writers[] = {ISA_OP_SW, ISA_OP_AMOADD_W};
    for (uint32_t i = 0; i < 2; ++i) {
        rig *r = short_lines(32, 4, L1_GLOBAL_CACHE);
        uint32_t addresses[64] = {0}, data[64] = {0};
        whole_warp(r, ISA_OP_LW, 0, GLOBAL, 4, 0);
        rig_idle(r);
        addresses[1] = GLOBAL + 4; /* the first and the last of four lines */
        addresses[2] = GLOBAL + 100;
        rig_submit(r, writers[i], 0, 0, 6, addresses, data, NULL);
        rig_idle(r);
        cr_expect_eq(r->counters.l1_drops, 2);
        const uint32_t ticket = whole_warp(r, ISA_OP_LW, 0, GLOBAL, 4, 0);
        rig_idle(r);
        cr_expect_eq(r->counters.l1_hits, 2);
        for (uint32_t lane = 0; lane < 32; ++lane)
            cr_expect_eq(r->result[ticket].value[lane], rig_peek(r, GLOBAL + 4 * lane));
        rig_destroy(r);
    }
}
