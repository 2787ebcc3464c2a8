/* SPDX-License-Identifier: MIT */
/* The L1 with private and constant lines, and its MSHRs. */
#include "memory_rig.h"

#include <criterion/criterion.h>
#include <string.h>

#define GLOBAL UINT32_C(0x20000000)
#define PRIVATE HD_PRIVATE_BASE
#define CONSTANT HD_CONSTANT_BASE

static uint32_t whole_warp(rig *r, uint32_t op, uint32_t warp, uint32_t address, uint32_t first_value)
{
    uint32_t addresses[64];
    uint32_t data[64];
    rig_addresses(addresses, address, 0);
    rig_addresses(data, first_value, 1);
    return rig_submit(r, op, 0, warp, RIG_ALL, addresses, data, NULL);
}

Test(l1, makes_one_access_of_a_private_word_of_all_lanes)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    const uint32_t latency[2] = {1 + r->accept_delay + r->reply_delay, 1 + p.l1_latency}; /* miss, hit */
    for (uint32_t i = 0; i < 2; ++i) {
        const uint32_t ticket = whole_warp(r, ISA_OP_LW, 1, PRIVATE + 8, 0);
        rig_idle(r);
        for (uint32_t lane = 0; lane < 32; ++lane)
            cr_expect_eq(r->result[ticket].value[lane], rig_peek(r, rig_private(r, 1, 0, lane, 8)));
        cr_expect_eq(rig_latency(r, ticket), latency[i]);
    }
    cr_expect_eq(r->counters.wide_accesses, 2);
    cr_expect_eq(r->counters.l1_misses, 1);
    cr_expect_eq(r->counters.l1_hits, 1);
    cr_expect_eq(r->counters.private_bytes, 128);
    cr_expect_eq(r->counters.load_replies, 0, "of global loads only");
    cr_expect_eq(r->sent[0].packet.traffic_class, HD_CLASS_PRIVATE);
    rig_destroy(r);
}

Test(l1, answers_a_pointer_chase_with_its_latency)
{
    memory_parameters p = rig_parameters();
    p.l1_latency = 17;
    rig *r = rig_create(&p);
    uint32_t total = 0;
    for (uint32_t i = 0; i < 40; ++i) {
        const uint32_t ticket = rig_one(r, ISA_OP_LW, 0, 0, PRIVATE + i % 8 * 4, 0);
        rig_finish(r, ticket);
        total += i >= 8 ? rig_latency(r, ticket) : 0;
    }
    cr_expect_eq(total, 32 * (1 + p.l1_latency));
    cr_expect_eq(r->counters.l1_hits, 32);
    cr_expect_eq(r->counters.l1_misses, 8);
    rig_destroy(r);
}

Test(l1, fetches_nothing_for_a_store_of_a_whole_line)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    whole_warp(r, ISA_OP_SW, 0, PRIVATE, 100);
    const uint32_t ticket = whole_warp(r, ISA_OP_LW, 0, PRIVATE, 0);
    rig_idle(r);
    for (uint32_t lane = 0; lane < 32; ++lane)
        cr_expect_eq(r->result[ticket].value[lane], 100 + lane);
    cr_expect_eq(r->counters.packets_sent, 0);
    cr_expect_eq(memory_stores_outstanding(r->m, 0), 0);
    rig_destroy(r);
}

Test(l1, keeps_the_words_of_a_line_that_a_store_does_not_write)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    rig_one(r, ISA_OP_SW, 0, 4, PRIVATE, 77);
    const uint32_t ticket = whole_warp(r, ISA_OP_LW, 0, PRIVATE, 0);
    rig_idle(r);
    for (uint32_t lane = 0; lane < 32; ++lane)
        cr_expect_eq(r->result[ticket].value[lane], lane == 4 ? 77 : rig_peek(r, rig_private(r, 0, 0, lane, 0)));
    cr_expect_eq(r->counters.packets_sent, 1);
    rig_destroy(r);
}

Test(l1, orders_a_store_after_a_load_that_waits_for_the_same_line)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    const uint32_t old = rig_peek(r, rig_private(r, 0, 0, 3, 0));
    const uint32_t before = rig_one(r, ISA_OP_LW, 0, 3, PRIVATE, 0);
    rig_one(r, ISA_OP_SW, 0, 3, PRIVATE, old + 1);
    const uint32_t after = rig_one(r, ISA_OP_LW, 0, 3, PRIVATE, 0);
    rig_idle(r);
    cr_expect_eq(r->result[before].value[3], old);
    cr_expect_eq(r->result[after].value[3], old + 1);
    cr_expect_eq(r->counters.l1_mshr_merges, 2);
    cr_expect_eq(r->counters.packets_sent, 1);
    rig_destroy(r);
}

Test(l1, writes_a_dirty_line_back_when_it_is_replaced)
{
    memory_parameters p = rig_parameters();
    p.l1_bytes = 512; /* one set of four lines */
    p.l1_ways = 4;
    p.paths = p.warps * 2;
    rig *r = rig_create(&p);
    for (uint32_t i = 0; i < 4; ++i)
        whole_warp(r, ISA_OP_SW, 3, PRIVATE + 4 * i, 100 * i);
    rig_finish(r, whole_warp(r, ISA_OP_LW, 3, PRIVATE, 0)); /* line 0 is the latest used: line 1 goes first */
    cr_expect_eq(r->counters.l1_evictions, 0);
    r->hold = 1;
    whole_warp(r, ISA_OP_SW, 1, PRIVATE, 900);
    rig_cycles(r, 100);
    cr_expect_eq(r->counters.l1_evictions, 1);
    cr_expect_eq(r->counters.l1_write_backs, 1);
    cr_expect_eq(memory_stores_outstanding(r->m, 3 * 2), 1, "the write-back belongs to the line's warp");
    cr_expect_eq(memory_stores_outstanding(r->m, 1 * 2), 0);
    cr_expect_eq(r->sent[0].packet.address, rig_private(r, 1, 1, 0, 4));
    cr_expect_eq(r->sent[0].packet.argument, 128);
    cr_expect_eq(r->sent[0].packet.traffic_class, HD_CLASS_PRIVATE);
    r->hold = 0;
    rig_idle(r);
    cr_expect_eq(memory_stores_outstanding(r->m, 3 * 2), 0);
    cr_expect_eq(rig_peek(r, rig_private(r, 1, 1, 9, 4)), 109);
    const uint32_t ticket = whole_warp(r, ISA_OP_LW, 3, PRIVATE + 4, 0); /* comes back; replaces line 2, dirty */
    rig_idle(r);
    cr_expect_eq(r->result[ticket].value[9], 109);
    cr_expect_eq(r->counters.l1_write_backs, 2);
    cr_expect_eq(r->counters.private_bytes, 3 * 128);
    rig_destroy(r);
}

Test(l1, holds_as_many_lines_as_its_size)
{
    for (uint32_t lines = 4; lines <= 32; lines *= 2) {
        memory_parameters p = rig_parameters();
        p.l1_bytes = lines * 128;
        p.l1_ways = lines;
        rig *r = rig_create(&p);
        for (uint32_t round = 0; round < 2; ++round)
            for (uint32_t i = 0; i < lines; ++i)
                rig_finish(r, rig_one(r, ISA_OP_LW, 0, 0, PRIVATE + 4 * i, 0));
        cr_expect_eq(r->counters.l1_misses, lines);
        cr_expect_eq(r->counters.l1_hits, lines);
        rig_destroy(r);
    }
}

Test(l1, merges_as_many_accesses_of_a_line_as_the_parameter)
{
    for (uint32_t merges = 1; merges <= 4; ++merges) {
        memory_parameters p = rig_parameters();
        p.l1_mshr_merges = merges;
        p.queue = 8;
        rig *r = rig_create(&p);
        for (uint32_t i = 0; i < 5; ++i)
            rig_one(r, ISA_OP_LW, 0, i, PRIVATE, 0);
        rig_idle(r);
        cr_expect_eq(r->counters.packets_sent, 1);
        cr_expect_eq(r->counters.l1_mshr_merges, merges - 1);
        cr_expect_eq(r->counters.l1_misses, merges);
        cr_expect_eq(r->counters.l1_hits, 5 - merges);
        /* Access i reaches the pipe at edge i + 1; the first refused waits for the fill. */
        const uint32_t fill = 1 + r->accept_delay + r->reply_delay;
        cr_expect_eq(r->counters.stall_mshr, fill - (merges + 1), "merges %u", merges);
        rig_destroy(r);
    }
}

Test(l1, misses_on_as_many_lines_as_it_has_mshrs)
{
    for (uint32_t mshrs = 1; mshrs <= 4; ++mshrs) {
        memory_parameters p = rig_parameters();
        p.l1_mshrs = mshrs;
        rig *r = rig_create(&p);
        r->hold = 1;
        for (uint32_t i = 0; i < 5 && memory_can_submit(r->m); ++i)
            rig_one(r, ISA_OP_LW, 0, 0, PRIVATE + 4 * i, 0);
        rig_cycles(r, 50);
        cr_expect_eq(r->counters.packets_sent, mshrs);
        cr_expect_eq(r->counters.maximum_mshrs, mshrs);
        cr_expect_eq(r->counters.stall_mshr, 0, "counted when it ends");
        cr_expect_eq(memory_promise(r->m), MEMORY_NO_EDGE);
        r->hold = 0;
        rig_idle(r);
        cr_expect_eq(r->counters.packets_sent, 5);
        cr_expect_gt(r->counters.stall_mshr, 0);
        rig_destroy(r);
    }
}

Test(l1, waits_for_a_fill_when_every_way_of_the_set_is_reserved)
{
    memory_parameters p = rig_parameters();
    p.l1_bytes = 256;
    p.l1_ways = 2;
    rig *r = rig_create(&p);
    uint32_t ticket[4];
    for (uint32_t i = 0; i < 4; ++i)
        ticket[i] = rig_one(r, ISA_OP_LW, 0, 0, PRIVATE + 4 * i, 0);
    cr_expect_eq(r->counters.packets_sent, 2);
    rig_idle(r);
    for (uint32_t i = 0; i < 4; ++i)
        cr_expect_eq(r->result[ticket[i]].value[0], rig_peek(r, rig_private(r, 0, 0, 0, 4 * i)));
    rig_destroy(r);
}

Test(l1, flushes_the_private_lines_of_one_block_one_per_cycle_and_before_other_accesses)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    for (uint32_t i = 0; i < 5; ++i)
        whole_warp(r, ISA_OP_SW, 0, PRIVATE + 4 * i, 100 * i);
    whole_warp(r, ISA_OP_SW, 2, PRIVATE, 900);
    rig_finish(r, whole_warp(r, ISA_OP_LW, 0, PRIVATE + 32, 0)); /* a sixth line, clean */
    rig_idle(r);
    const uint64_t sent = r->counters.packets_sent;
    memory_flush_block(r->m, 0);
    const uint32_t ticket = whole_warp(r, ISA_OP_LW, 2, PRIVATE + 64, 0);
    rig_cycles(r, 4); /* and the one in which it was submitted */
    cr_expect_eq(r->counters.packets_sent, sent + 5);
    cr_expect_eq(r->counters.l1_write_backs, 5);
    cr_expect_eq(memory_stores_outstanding(r->m, 0), 5);
    rig_finish(r, ticket);
    rig_idle(r);
    cr_expect_not(memory_is_flushing(r->m, 0));
    cr_expect_eq(memory_stores_outstanding(r->m, 0), 0);
    for (uint32_t i = 0; i < 5; ++i)
        cr_expect_eq(rig_peek(r, rig_private(r, 0, 0, 7, 4 * i)), 100 * i + 7);
    cr_expect_eq(r->counters.l1_write_backs, 5, "the other block's line stays");
    const uint64_t misses = r->counters.l1_misses;
    rig_finish(r, whole_warp(r, ISA_OP_LW, 0, PRIVATE + 32, 0));
    rig_finish(r, whole_warp(r, ISA_OP_LW, 2, PRIVATE, 0));
    cr_expect_eq(r->counters.l1_misses, misses + 1, "clean lines have left too");
    rig_destroy(r);
}

Test(l1, drops_private_lines_of_a_finished_block_without_write_back)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    whole_warp(r, ISA_OP_SW, 0, PRIVATE, 1); /* block 0 */
    whole_warp(r, ISA_OP_SW, 2, PRIVATE, 2); /* block 1 */
    const uint32_t before = rig_peek(r, rig_private(r, 0, 0, 0, 0));
    rig_idle(r);
    memory_end_block(r->m, 0);
    const uint32_t dropped = whole_warp(r, ISA_OP_LW, 0, PRIVATE, 0);
    const uint32_t kept = whole_warp(r, ISA_OP_LW, 2, PRIVATE, 0);
    rig_idle(r);
    cr_expect_eq(r->result[dropped].value[0], before);
    cr_expect_eq(r->result[kept].value[0], 2);
    cr_expect_eq(r->counters.l1_write_backs, 0);
    cr_expect_eq(r->counters.packets_sent, 1);
    rig_destroy(r);
}

Test(l1, does_not_install_private_lines_that_arrive_after_the_end_of_the_block)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    const uint32_t ticket = whole_warp(r, ISA_OP_LW, 0, PRIVATE, 0);
    rig_cycles(r, 5);
    memory_end_block(r->m, 0);
    rig_finish(r, ticket);
    cr_expect_eq(r->result[ticket].value[1], rig_peek(r, rig_private(r, 0, 0, 1, 0)));
    cr_expect_eq(r->counters.l1_no_installs, 1);
    whole_warp(r, ISA_OP_LW, 0, PRIVATE, 0);
    rig_idle(r);
    cr_expect_eq(r->counters.l1_misses, 2);
    rig_destroy(r);
}

typedef struct written_back {
    uint64_t address;
    uint32_t words[32];
    uint32_t calls;
} written_back;

static void remember(void *context, uint64_t address, const void *data, uint32_t bytes)
{
    written_back *seen = context;
    cr_assert_eq(bytes, sizeof seen->words);
    seen->address = address;
    memcpy(seen->words, data, bytes);
    seen->calls++;
}

Test(l1, hands_dirty_lines_to_the_next_level_when_aligned)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    whole_warp(r, ISA_OP_SW, 0, PRIVATE + 4, 40);
    rig_one(r, ISA_OP_LW, 0, 0, CONSTANT, 0);
    rig_idle(r);
    written_back seen = {0};
    const hd_write_back_sink sink = {&seen, remember};
    memory_align(r->m, &sink);
    cr_expect_eq(seen.calls, 1);
    cr_expect_eq(seen.address, rig_private(r, 0, 0, 0, 4));
    cr_expect_eq(seen.words[7], 47);
    memory_align(r->m, &sink);
    cr_expect_eq(seen.calls, 1);
    rig_one(r, ISA_OP_LW, 0, 0, CONSTANT, 0);
    rig_idle(r);
    cr_expect_eq(r->counters.l1_misses, 3);
    rig_destroy(r);
}

Test(l1, serialises_lanes_with_different_constants_and_broadcasts_one)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    uint32_t address[64];
    rig_addresses(address, CONSTANT + 12, 0);
    uint32_t ticket = rig_submit(r, ISA_OP_LW, 0, 0, RIG_ALL, address, NULL, NULL);
    rig_idle(r);
    for (uint32_t lane = 0; lane < 32; ++lane)
        cr_expect_eq(r->result[ticket].value[lane], rig_peek(r, RIG_CONSTANT + 12));
    cr_expect_eq(r->counters.wide_accesses, 1);
    cr_expect_eq(r->counters.constant_bytes, 128);
    cr_expect_eq(r->sent[0].packet.traffic_class, HD_CLASS_CONSTANT);
    cr_expect_eq(r->sent[0].packet.address, RIG_CONSTANT / 128 * 128);
    rig_addresses(address, CONSTANT, 4);
    ticket = rig_submit(r, ISA_OP_LW, 0, 1, RIG_ALL, address, NULL, NULL);
    rig_idle(r);
    for (uint32_t lane = 0; lane < 32; ++lane)
        cr_expect_eq(r->result[ticket].value[lane], rig_peek(r, RIG_CONSTANT + 4 * lane));
    cr_expect_eq(r->counters.wide_accesses, 1 + 32);
    cr_expect_eq(r->counters.packets_sent, 2);
    rig_destroy(r);
}

Test(l1, drops_constants_when_a_grid_begins_and_keeps_private_lines)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    whole_warp(r, ISA_OP_SW, 0, PRIVATE, 5);
    rig_one(r, ISA_OP_LW, 0, 0, CONSTANT, 0);
    rig_idle(r);
    rig_poke(r, RIG_CONSTANT, 1234);
    const uint32_t stale = rig_one(r, ISA_OP_LW, 0, 0, CONSTANT, 0);
    rig_idle(r);
    cr_expect_neq(r->result[stale].value[0], 1234);
    memory_begin_grid(r->m);
    const uint32_t fresh = rig_one(r, ISA_OP_LW, 0, 1, CONSTANT, 0);
    const uint32_t private = whole_warp(r, ISA_OP_LW, 0, PRIVATE, 0);
    rig_idle(r);
    cr_expect_eq(r->result[fresh].value[1], 1234);
    cr_expect_eq(r->result[private].value[2], 7);
    cr_expect_eq(r->counters.l1_drops, 1);
    rig_destroy(r);
}

/* A store that would have to write back another block's line, while no packet leaves: when that block ends, nothing is left to send,
 * and the store takes the line's way at the edge after, whatever else that edge is worked for. */
Test(l1, a_store_goes_on_when_the_block_ends_whose_line_it_had_to_write_back)
{
    uint32_t address[64];
    memory_parameters p = rig_parameters();
    p.l1_bytes = 128;
    p.l1_ways = 1;
    rig_addresses(address, PRIVATE, 0);
    for (uint32_t spurious = 0; spurious < 2; ++spurious) {
        rig *r = rig_create(&p);
        r->spurious = spurious;
        rig_view(r, 0, 0, 0);
        rig_view(r, 2, 1, 0);
        rig_finish(r, rig_submit(r, ISA_OP_SW, 0, 0, RIG_ALL, address, address, NULL));
        r->credits = 0;
        rig_one(r, ISA_OP_SW, 1, 0, GLOBAL, 1);
        rig_submit(r, ISA_OP_SW, 0, 2, RIG_ALL, address, address, NULL);
        rig_cycles(r, 20);
        cr_expect_eq(r->counters.l1_misses, 1);
        memory_end_block(r->m, 0);
        cr_expect_leq(memory_status_of(r->m)->next_edge, r->edge);
        rig_cycles(r, 1);
        cr_expect_eq(r->counters.l1_misses, 2);
        cr_expect_eq(r->counters.l1_write_backs, 0);
        r->credits = 1;
        rig_idle(r);
        rig_destroy(r);
    }
}
