/* SPDX-License-Identifier: MIT */
/* Global lines in the L1: stale values, acquire, and one thread's order against fills in flight (docs/isa.md). */
#include "memory_rig.h"

#include <criterion/criterion.h>

#define DATA 0x20000000u

static rig *caching_rig(void)
{
    memory_parameters p = rig_parameters();
    p.l1_global = L1_GLOBAL_CACHE;
    return rig_create(&p);
}

static uint32_t load(rig *r, uint32_t op, uint32_t lane, uint32_t address)
{
    const uint32_t ticket = rig_one(r, op, 0, lane, address, 0);
    rig_finish(r, ticket);
    return r->result[ticket].value[lane];
}

Test(global_cache, returns_the_stale_value_until_an_acquire)
{
    rig *r = caching_rig();
    const uint32_t old = load(r, ISA_OP_LW, 0, DATA);
    rig_poke(r, DATA, old + 1); /* another core */
    cr_expect_eq(load(r, ISA_OP_LW, 1, DATA), old);
    cr_expect_eq(r->counters.l1_hits, 1);
    memory_acquire(r->m);
    cr_expect_eq(load(r, ISA_OP_LW, 2, DATA), old + 1);
    cr_expect_eq(r->counters.l1_drops, 1);
    rig_poke(r, DATA, old + 2);
    memory_begin_grid(r->m);
    cr_expect_eq(load(r, ISA_OP_LW, 2, DATA), old + 2);
    rig_destroy(r);
}

Test(global_cache, is_not_used_when_global_accesses_bypass_it)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    const uint32_t old = load(r, ISA_OP_LW, 0, DATA);
    rig_poke(r, DATA, old + 1);
    cr_expect_eq(load(r, ISA_OP_LW, 0, DATA), old + 1);
    cr_expect_eq(r->counters.l1_misses, 0);
    rig_destroy(r);
}

Test(global_cache, is_passed_by_lw_cg)
{
    rig *r = caching_rig();
    const uint32_t old = load(r, ISA_OP_LW, 0, DATA);
    rig_poke(r, DATA, old + 1);
    cr_expect_eq(load(r, ISA_OP_LW_CG, 0, DATA), old + 1);
    cr_expect_eq(load(r, ISA_OP_LW, 0, DATA), old);
    rig_destroy(r);
}

Test(global_cache, fetches_whole_lines)
{
    rig *r = caching_rig();
    load(r, ISA_OP_LB, 0, DATA + 3);
    cr_expect_eq(r->sent[0].packet.argument, 128);
    cr_expect_eq(r->counters.load_replies, 1);
    cr_expect_eq(r->counters.load_latency_cycles, r->accept_delay + r->reply_delay);
    load(r, ISA_OP_LB, 0, DATA + 127);
    cr_expect_eq(r->sent_count, 1);
    rig_destroy(r);
}

Test(global_cache, loses_its_line_to_a_store_or_atomic_of_the_core)
{
    static const uint32_t writers[] = {ISA_OP_SW, ISA_OP_SB, ISA_OP_AMOADD_W};
    for (uint32_t i = 0; i < 3; ++i) {
        rig *r = caching_rig();
        load(r, ISA_OP_LW, 0, DATA);
        load(r, ISA_OP_LW, 0, DATA + 128);
        rig_one(r, writers[i], 0, 0, DATA + 4, 1);
        cr_expect_eq(load(r, ISA_OP_LW, 0, DATA + 4), rig_peek(r, DATA + 4));
        cr_expect_eq(r->counters.l1_drops, 1, "writer %u", i);
        load(r, ISA_OP_LW, 0, DATA + 128);
        cr_expect_eq(r->counters.l1_hits, 1, "the other line stays");
        rig_idle(r);
        rig_destroy(r);
    }
}

Test(global_cache, loses_its_line_to_a_conditional_store_of_the_core)
{
    rig *r = caching_rig();
    load(r, ISA_OP_LR_W, 0, DATA);
    load(r, ISA_OP_LW, 0, DATA);
    cr_expect_eq(load(r, ISA_OP_SC_W, 0, DATA), 0);
    cr_expect_eq(load(r, ISA_OP_LW, 0, DATA), 0);
    cr_expect_eq(r->counters.l1_drops, 1);
    rig_destroy(r);
}

Test(global_cache, does_not_install_a_fill_that_was_sampled_before_a_store)
{
    rig *r = caching_rig();
    const uint32_t old = rig_peek(r, DATA);
    r->hold = 1;
    const uint32_t before = rig_one(r, ISA_OP_LW, 0, 0, DATA, 0);
    rig_one(r, ISA_OP_SW, 0, 0, DATA, old + 1);
    const uint32_t after = rig_one(r, ISA_OP_LW, 0, 0, DATA, 0);
    const uint32_t merged = rig_one(r, ISA_OP_LW, 0, 1, DATA, 0);
    rig_cycles(r, 60);
    cr_expect_eq(r->sent_count, 3, "the later loads share a miss of their own");
    cr_expect_eq(r->counters.l1_mshr_merges, 1);
    r->hold = 0;
    rig_idle(r);
    cr_expect_eq(r->result[before].value[0], old);
    cr_expect_eq(r->result[after].value[0], old + 1);
    cr_expect_eq(r->result[merged].value[1], old + 1);
    cr_expect_eq(r->counters.l1_no_installs, 1);
    cr_expect_eq(load(r, ISA_OP_LW, 0, DATA), old + 1);
    cr_expect_eq(r->counters.l1_hits, 1, "the second fill was installed");
    rig_destroy(r);
}

Test(global_cache, does_not_install_a_fill_in_flight_across_an_acquire)
{
    rig *r = caching_rig();
    const uint32_t old = rig_peek(r, DATA);
    r->hold = 1;
    const uint32_t before = rig_one(r, ISA_OP_LW, 0, 0, DATA, 0);
    rig_cycles(r, 60);
    rig_poke(r, DATA, old + 1);
    memory_acquire(r->m);
    const uint32_t after = rig_one(r, ISA_OP_LW, 0, 0, DATA, 0);
    rig_cycles(r, 60);
    r->hold = 0;
    rig_idle(r);
    cr_expect_eq(r->result[before].value[0], old);
    cr_expect_eq(r->result[after].value[0], old + 1);
    rig_destroy(r);
}

Test(global_cache, is_dropped_by_an_atomic_that_acquires_when_it_is_complete)
{
    for (uint32_t acquire = 0; acquire < 2; ++acquire) {
        rig *r = caching_rig();
        const uint32_t old = load(r, ISA_OP_LW, 0, DATA);
        uint32_t address[64] = {DATA + 1024};
        uint32_t data[64] = {1};
        rig_poke(r, DATA, old + 1);
        const uint32_t lock =
            rig_submit(r, ISA_OP_AMOSWAP_W, acquire ? ISA_FLAG_ACQUIRE : 0, 0, 1, address, data, NULL);
        cr_expect_eq(load(r, ISA_OP_LW, 0, DATA), old, "not before its reply");
        cr_expect_eq(r->result[lock].last, 0);
        rig_finish(r, lock);
        cr_expect_eq(load(r, ISA_OP_LW, 0, DATA), old + acquire);
        rig_destroy(r);
    }
}

/* A line that is still on its way holds nothing; of short lines each counts that a store touches. */
Test(global_cache, counts_the_lines_with_data_that_it_drops)
{
    rig *r = caching_rig();
    const uint32_t missing = rig_one(r, ISA_OP_LW, 0, 0, DATA, 0);
    rig_one(r, ISA_OP_SW, 0, 0, DATA, 1);
    rig_finish(r, missing);
    rig_idle(r);
    cr_expect_eq(r->counters.l1_drops, 0);
    rig_destroy(r);

    memory_parameters p = rig_parameters();
    p.l1_global = L1_GLOBAL_CACHE;
    p.l1_line = 32;
    r = rig_create(&p);
    uint32_t address[64];
    rig_addresses(address, DATA, 4);
    rig_finish(r, rig_submit(r, ISA_OP_LW, 0, 0, RIG_ALL, address, NULL, NULL));
    rig_submit(r, ISA_OP_SW, 0, 0, 0xFFFF, address, address, NULL); /* 64 bytes */
    rig_idle(r);
    cr_expect_eq(r->counters.l1_drops, 2);
    memory_acquire(r->m);
    cr_expect_eq(r->counters.l1_drops, 4);
    rig_destroy(r);
}

Test(global_cache, keeps_private_and_constant_lines_across_an_acquire)
{
    rig *r = caching_rig();
    load(r, ISA_OP_LW, 0, HD_PRIVATE_BASE);
    load(r, ISA_OP_LW, 0, HD_CONSTANT_BASE);
    memory_acquire(r->m);
    load(r, ISA_OP_LW, 0, HD_PRIVATE_BASE);
    load(r, ISA_OP_LW, 0, HD_CONSTANT_BASE);
    cr_expect_eq(r->counters.l1_hits, 2);
    cr_expect_eq(r->counters.l1_drops, 0);
    rig_destroy(r);
}
