/* SPDX-License-Identifier: MIT */
/* The constant cache: one word a cycle for all lanes that ask for it. */
#include "memory_rig.h"

#include <criterion/criterion.h>

#define CONSTANT HD_CONSTANT_BASE
#define LINE 64u

static memory_parameters with_cache(uint32_t bytes, uint32_t ways)
{
    memory_parameters p = rig_parameters();
    p.constant = (cache_parameters){
        .bytes = bytes, .ways = ways, .line_bytes = LINE, .mshrs = 4, .merges = 32, .replacement = &replacement_lru};
    p.constant_latency = 7;
    return p;
}

/* Lane l loads the word at offset + l * stride; runs until it has. */
static uint32_t load(rig *r, uint32_t warp, uint32_t offset, uint32_t stride)
{
    uint32_t address[64];
    rig_addresses(address, CONSTANT + offset, stride);
    const uint32_t ticket = rig_submit(r, ISA_OP_LW, 0, warp, RIG_ALL, address, NULL, NULL);
    rig_idle(r);
    for (uint32_t lane = 0; lane < 32; ++lane)
        cr_expect_eq(r->result[ticket].value[lane], rig_peek(r, RIG_CONSTANT + offset + lane * stride));
    return ticket;
}

Test(constant_cache, gives_one_word_to_all_lanes_after_its_latency)
{
    const memory_parameters p = with_cache(1024, 2);
    rig *r = rig_create(&p);
    cr_expect_eq(rig_latency(r, load(r, 0, 8, 0)), 1 + r->accept_delay + r->reply_delay);
    cr_expect_eq(rig_latency(r, load(r, 1, 12, 0)), 1 + p.constant_latency);
    cr_expect_eq(r->counters.constant_misses, 1);
    cr_expect_eq(r->counters.constant_hits, 1);
    cr_expect_eq(r->counters.constant_serial_cycles, 0);
    cr_expect_eq(r->counters.constant_bytes, LINE);
    cr_expect_eq(r->counters.l1_hits + r->counters.l1_misses, 0, "the L1 has nothing to do with it");
    cr_expect_eq(r->sent_count, 1);
    cr_expect_eq(r->sent[0].packet.traffic_class, HD_CLASS_CONSTANT);
    cr_expect_eq(r->sent[0].packet.message, RIG_LOAD);
    cr_expect_eq(r->sent[0].packet.address, RIG_CONSTANT / LINE * LINE);
    cr_expect_eq(r->sent[0].packet.argument, LINE);
    rig_destroy(r);
}

Test(constant_cache, takes_a_cycle_for_each_different_word)
{
    const memory_parameters p = with_cache(1024, 2);
    rig *r = rig_create(&p);
    load(r, 0, 0, 0);
    for (uint32_t words = 1; words <= 16; words *= 2) {
        uint32_t address[64];
        const uint64_t serial = r->counters.constant_serial_cycles;
        for (uint32_t lane = 0; lane < 64; ++lane)
            address[lane] = CONSTANT + lane % words * 4;
        const uint32_t ticket = rig_submit(r, ISA_OP_LW, 0, 1, RIG_ALL, address, NULL, NULL);
        rig_idle(r);
        cr_expect_eq(rig_latency(r, ticket), 1 + words - 1 + p.constant_latency);
        cr_expect_eq(r->counters.constant_serial_cycles - serial, words - 1);
        for (uint32_t lane = 0; lane < 32; ++lane)
            cr_expect_eq(r->result[ticket].value[lane], rig_peek(r, RIG_CONSTANT + lane % words * 4));
    }
    rig_destroy(r);
}

Test(constant_cache, fetches_each_line_once_for_all_words_that_wait_for_it)
{
    const memory_parameters p = with_cache(1024, 2);
    rig *r = rig_create(&p);
    const uint32_t ticket = load(r, 0, 0, 8); /* 32 words in four lines */
    cr_expect_eq(r->counters.constant_misses, 32);
    cr_expect_eq(r->counters.constant_mshr_merges, 28);
    cr_expect_eq(r->counters.constant_serial_cycles, 31);
    cr_expect_eq(r->counters.packets_sent, 4);
    cr_expect_eq(rig_latency(r, ticket), 1 + 24 + r->accept_delay + r->reply_delay, "the last line is asked for last");
    rig_destroy(r);
}

Test(constant_cache, waits_for_an_mshr_or_a_place_in_one)
{
    for (uint32_t run = 0; run < 2; ++run) {
        memory_parameters p = with_cache(1024, 2);
        p.constant.mshrs = run == 0 ? 1 : 4;
        p.constant.merges = run == 0 ? 32 : 1;
        rig *r = rig_create(&p);
        load(r, 0, 0, 8);
        cr_expect_eq(r->counters.packets_sent, 4);
        cr_expect_eq(r->counters.constant_mshr_merges, run == 0 ? 28 : 0);
        const uint32_t trip = r->accept_delay + r->reply_delay;
        cr_expect_eq(r->counters.stall_mshr, run == 0 ? 3 * (trip - 8) : 4 * (trip - 1));
        rig_destroy(r);
    }
}

Test(constant_cache, replaces_the_line_that_was_not_used_for_longest)
{
    const memory_parameters p = with_cache(2 * LINE, 2);
    rig *r = rig_create(&p);
    const struct {
        uint32_t line;
        uint32_t misses;
    } steps[] = {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {0, 3}, {1, 4}, {2, 5}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
        load(r, 0, steps[i].line * LINE, 0);
        cr_expect_eq(r->counters.constant_misses, steps[i].misses, "step %zu", i);
    }
    cr_expect_eq(r->counters.constant_evictions, 3);
    rig_destroy(r);
}

Test(constant_cache, is_empty_when_a_grid_begins_even_if_a_line_is_on_its_way)
{
    const memory_parameters p = with_cache(1024, 2);
    rig *r = rig_create(&p);
    load(r, 0, 0, 0);
    const uint32_t stale = rig_peek(r, RIG_CONSTANT);
    rig_poke(r, RIG_CONSTANT, stale + 1);
    const uint32_t before = rig_one(r, ISA_OP_LW, 0, 0, CONSTANT, 0);
    rig_idle(r);
    cr_expect_eq(r->result[before].value[0], stale, "a constant is read-only within a launch");
    memory_begin_grid(r->m);
    const uint32_t after = rig_one(r, ISA_OP_LW, 0, 0, CONSTANT, 0);
    rig_cycles(r, 2);
    memory_begin_grid(r->m);
    rig_idle(r);
    cr_expect_eq(r->result[after].value[0], stale + 1);
    load(r, 0, 0, 0);
    cr_expect_eq(r->counters.constant_misses, 3, "the line that was on its way has not been installed");
    memory_align(r->m, &(hd_write_back_sink){.context = NULL});
    load(r, 0, 0, 0);
    cr_expect_eq(r->counters.constant_misses, 4);
    rig_destroy(r);
}
