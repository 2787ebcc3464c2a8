/* SPDX-License-Identifier: MIT */
/* Global stores that update the L1 on their way, and the rules of docs/memory-model.md that they keep. */
#include "memory_rig.h"

#include <criterion/criterion.h>

#define DATA 0x20000000u

static rig *through_rig(uint32_t sector, uint32_t allocate, uint32_t write_allocate)
{
    memory_parameters p = rig_parameters();
    p.l1_global = L1_GLOBAL_CACHE;
    p.l1_sector = sector;
    p.l1_allocate = allocate;
    p.l1_write = L1_WRITE_THROUGH;
    p.l1_write_allocate = write_allocate;
    return rig_create(&p);
}

static uint32_t load(rig *r, uint32_t lane, uint32_t address)
{
    const uint32_t ticket = rig_one(r, ISA_OP_LW, 0, lane, address, 0);
    rig_finish(r, ticket);
    return r->result[ticket].value[lane];
}

Test(write_through, a_store_updates_its_line_and_memory)
{
    rig *r = through_rig(0, L1_ON_MISS, L1_ALLOCATE_NO);
    const uint32_t old = load(r, 0, DATA + 4);
    load(r, 0, DATA);
    rig_one(r, ISA_OP_SB, 0, 0, DATA + 1, 0xAB);
    rig_idle(r);
    rig_poke(r, DATA + 4, old + 1); /* another core */
    const uint64_t before = r->counters.l1_hits;
    cr_expect_eq(load(r, 1, DATA), rig_peek(r, DATA));
    cr_expect_eq(load(r, 1, DATA) >> 8 & 0xFF, 0xAB);
    cr_expect_eq(load(r, 1, DATA + 4), old, "the line has stayed");
    cr_expect_eq(r->counters.l1_hits - before, 3);
    cr_expect_eq(r->counters.l1_write_hits, 1);
    cr_expect_eq(r->counters.l1_drops, 0);
    cr_expect_eq(memory_stores_outstanding(r->m, 0), 0);
    rig_destroy(r);
}

/* Nobody in this core sees a store before it is where all can see it: writes stay atomic for all (WRC, IRIW). */
Test(write_through, a_load_before_the_acknowledgement_follows_the_store)
{
    static const uint32_t sectors[] = {0, 32, 32}, allocates[] = {L1_ON_MISS, L1_ON_MISS, L1_ON_FILL};
    for (uint32_t i = 0; i < 3; ++i) {
        rig *r = through_rig(sectors[i], allocates[i], L1_ALLOCATE_NO);
        const uint32_t old = load(r, 0, DATA);
        r->hold = 1;
        rig_one(r, ISA_OP_SW, 0, 0, DATA, old + 1);
        const uint32_t seen = rig_one(r, ISA_OP_LW, 1, 0, DATA, 0);
        rig_cycles(r, 60);
        cr_expect_not(r->result[seen].last, "case %u", i);
        cr_expect_eq(r->counters.l1_unacknowledged_drops, 1);
        cr_expect_eq(r->counters.l1_drops, 1);
        rig_poke(r, DATA, old + 7); /* another core, after the store and before the load's sample is back */
        r->hold = 0;
        rig_finish(r, seen);
        rig_idle(r);
        cr_expect_eq(r->result[seen].value[0], old + 1);
        const uint64_t hits = r->counters.l1_hits;
        cr_expect_eq(load(r, 2, DATA), old + 1, "what the load brought is in the L1");
        cr_expect_eq(r->counters.l1_hits - hits, 1);
        rig_destroy(r);
    }
}

/* A load that saw another core's newer value is not followed by one that sees the store. */
Test(write_through, a_later_load_is_never_older)
{
    rig *r = through_rig(32, L1_ON_FILL, L1_ALLOCATE_VALIDATE);
    const uint32_t old = load(r, 0, DATA);
    r->accept_delay = 40;
    rig_one(r, ISA_OP_SW, 0, 0, DATA, old + 1);
    const uint32_t between = rig_one(r, ISA_OP_LW, 1, 0, DATA, 0);
    rig_one(r, ISA_OP_SW, 0, 1, DATA + 4, 5); /* updates nothing: the line is on its way */
    rig_idle(r);
    cr_expect_eq(r->result[between].value[0], old + 1);
    rig_poke(r, DATA, old + 2);
    const uint32_t now = load(r, 0, DATA);
    cr_expect_eq(now, old + 2, "the store behind it has dropped what came");
    cr_expect_eq(load(r, 3, DATA), now);
    cr_expect_eq(load(r, 3, DATA + 4), 5);
    rig_destroy(r);
}

Test(write_through, several_stores_are_awaited_each)
{
    rig *r = through_rig(0, L1_ON_MISS, L1_ALLOCATE_NO);
    load(r, 0, DATA);
    for (uint32_t i = 0; i < 3; ++i)
        rig_one(r, ISA_OP_SW, 0, 0, DATA + 4 * i, 100 + i);
    rig_idle(r);
    const uint64_t hits = r->counters.l1_hits;
    for (uint32_t i = 0; i < 3; ++i)
        cr_expect_eq(load(r, 0, DATA + 4 * i), 100 + i);
    cr_expect_eq(r->counters.l1_hits - hits, 3);
    cr_expect_eq(r->counters.l1_write_hits, 3);
    rig_destroy(r);
}

Test(write_through, the_first_acknowledgement_is_not_the_last)
{
    rig *r = through_rig(0, L1_ON_MISS, L1_ALLOCATE_NO);
    load(r, 0, DATA);
    rig_one(r, ISA_OP_SW, 0, 0, DATA, 1);
    rig_cycles(r, 15); /* it is at the partition */
    r->reply_delay = 100;
    rig_one(r, ISA_OP_SW, 0, 0, DATA, 2);
    rig_cycles(r, 15); /* the first is acknowledged */
    cr_assert_eq(memory_stores_outstanding(r->m, 0), 1);
    cr_expect_eq(load(r, 0, DATA), 2);
    cr_expect_eq(r->counters.l1_unacknowledged_drops, 1);
    rig_idle(r);
    rig_destroy(r);
}

/* The acknowledgement is for the way: what has come there meanwhile is fetched once more. */
Test(write_through, a_way_that_changes_its_line_awaits_the_store_too)
{
    memory_parameters p = rig_parameters();
    p.l1_global = L1_GLOBAL_CACHE;
    p.l1_bytes = 128;
    p.l1_ways = 1;
    p.l1_write = L1_WRITE_THROUGH;
    rig *r = rig_create(&p);
    load(r, 0, DATA);
    r->reply_delay = 200;
    rig_one(r, ISA_OP_SW, 0, 0, DATA, 1);
    r->reply_delay = 10;
    const uint32_t other = load(r, 0, DATA + 512 * 256); /* another partition */
    cr_expect_eq(load(r, 0, DATA + 512 * 256), other);
    rig_idle(r);
    cr_expect_eq(load(r, 0, DATA), 1);
    rig_idle(r);
    rig_destroy(r);
}

/* K37, of the L1: stores bring in what they write whole, loads fetch the rest, each sector once. */
Test(write_through, stores_of_whole_sectors_bring_them_in)
{
    static const struct {
        uint32_t sector, write_allocate;
        uint64_t lanes;
        uint32_t allocated, filled;
    } cases[] = {
        {32, L1_ALLOCATE_NO, RIG_ALL, 0, 128},       {32, L1_ALLOCATE_VALIDATE, RIG_ALL, 1, 0},
        {32, L1_ALLOCATE_VALIDATE, 0xFF00, 1, 96},   {32, L1_ALLOCATE_VALIDATE, 0x7F00, 0, 128},
        {32, L1_ALLOCATE_VALIDATE, 0xFFFF01, 1, 64}, {64, L1_ALLOCATE_VALIDATE, 0xFFFFFF, 1, 64},
        {0, L1_ALLOCATE_VALIDATE, RIG_ALL, 1, 0},    {0, L1_ALLOCATE_VALIDATE, 0x7FFFFFFF, 0, 128},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        for (uint32_t allocate = L1_ON_MISS; allocate <= L1_ON_FILL; ++allocate) {
            rig *r = through_rig(cases[i].sector, allocate, cases[i].write_allocate);
            uint32_t address[64];
            uint32_t data[64];
            rig_addresses(address, DATA, 4);
            rig_addresses(data, 7, 3);
            rig_submit(r, ISA_OP_SW, 0, 0, cases[i].lanes, address, data, NULL);
            rig_idle(r);
            cr_expect_eq(r->counters.l1_write_allocations, cases[i].allocated, "case %zu", i);
            cr_expect_eq(r->sent_count, 1);
            const uint64_t stored = r->counters.global_bytes;
            const uint32_t ticket = rig_submit(r, ISA_OP_LW, 0, 1, RIG_ALL, address, NULL, NULL);
            rig_idle(r);
            cr_expect_eq(r->counters.global_bytes - stored, cases[i].filled, "case %zu", i);
            for (uint32_t lane = 0; lane < 32; ++lane)
                cr_expect_eq(r->result[ticket].value[lane], rig_peek(r, address[lane]), "case %zu, lane %u", i, lane);
            rig_destroy(r);
        }
}

Test(write_through, atomics_acquires_and_kernels_drop_lines_as_ever)
{
    rig *r = through_rig(32, L1_ON_MISS, L1_ALLOCATE_VALIDATE);
    uint32_t address[64];
    rig_addresses(address, DATA, 4);
    for (uint32_t i = 0; i < 3; ++i) {
        rig_submit(r, ISA_OP_SW, 0, 0, RIG_ALL, address, address, NULL);
        rig_idle(r);
        cr_expect_eq(load(r, 0, DATA), DATA);
        rig_poke(r, DATA, 3);
        if (i == 0)
            rig_one(r, ISA_OP_AMOADD_W, 0, 1, DATA + 4, 1);
        else if (i == 1)
            memory_acquire(r->m);
        else
            memory_begin_grid(r->m);
        rig_idle(r);
        cr_expect_eq(load(r, 0, DATA), 3, "%u", i);
    }
    rig_destroy(r);
}

/* Where global memory bypasses the L1 there is nothing to update, and nothing comes in. */
Test(write_through, means_nothing_past_the_l1)
{
    memory_parameters p = rig_parameters();
    p.l1_write = L1_WRITE_THROUGH;
    p.l1_write_allocate = L1_ALLOCATE_VALIDATE;
    rig *r = rig_create(&p);
    uint32_t address[64];
    rig_addresses(address, DATA, 4);
    rig_submit(r, ISA_OP_SW, 0, 0, RIG_ALL, address, address, NULL);
    rig_idle(r);
    cr_expect_eq(r->counters.l1_write_hits + r->counters.l1_write_allocations, 0);
    rig_poke(r, DATA, 3);
    cr_expect_eq(load(r, 0, DATA), 3);
    rig_destroy(r);
}
