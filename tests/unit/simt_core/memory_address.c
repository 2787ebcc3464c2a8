/* SPDX-License-Identifier: MIT */
/* Address units of the schedulers, and the pipe that they share (known answers K32 and K33, of GA10x). */
#include "memory_rig.h"

#include <criterion/criterion.h>

enum { SCHEDULERS = 4, LOADS = 60 };

static memory_parameters ga10x(void)
{
    memory_parameters p = rig_parameters();
    p.l1_global = L1_GLOBAL_CACHE;
    p.queue = 4;
    p.schedulers = SCHEDULERS;
    p.address_interval = 4;
    p.address_latency = 8;
    p.width = 16;
    p.tickets = RIG_TICKETS;
    return p;
}

/* A line that hits. */
static void submit(rig *r, uint32_t warp)
{
    uint32_t address[64];
    rig_addresses(address, 0x20000000, 4);
    memory_access *access = memory_slot(r->m);
    static const isa_instruction load = {
        .operation = ISA_OP_LW, .instruction_class = ISA_CLASS_LOAD, .access_bytes = 4};
    *access = (memory_access){.instruction = &load, .path = warp, .warp = warp, .homes = warp, .mask = RIG_ALL};
    for (uint32_t lane = 0; lane < 32; ++lane)
        access->address[lane] = address[lane];
    const hd_time t = rig_time(r, r->edge - 1 + 2); /* two cycles of register read after the edge just worked */
    r->result[memory_submit(r->m, access, t)] = (rig_result){.submitted = t};
}

/* As the core does it: an edge of the pipe, then each of these schedulers issues a load if it has room. Edges of issue. */
static void issue(rig *r, uint32_t active, uint64_t edges[SCHEDULERS][LOADS])
{
    uint32_t issued[SCHEDULERS] = {0};
    for (uint32_t left = active * LOADS; left != 0;) {
        rig_cycles(r, 1);
        for (uint32_t i = 0; i < active; ++i) {
            if (issued[i] == LOADS || !(memory_status_of(r->m)->room >> i & 1))
                continue;
            submit(r, i + SCHEDULERS * (issued[i] % 2));
            edges[i][issued[i]++] = r->edge - 1;
            left--;
        }
    }
    rig_idle(r);
}

static rig *warm(const memory_parameters *p)
{
    rig *r = rig_create(p);
    submit(r, 0);
    rig_cycles(r, 200);
    rig_idle(r);
    return r;
}

Test(address_units, five_loads_go_at_once_and_the_next_as_places_get_free)
{
    static const uint32_t expected[] = {2, 3, 4, 5, 6, 13, 17, 21, 25};
    const memory_parameters p = ga10x();
    rig *r = warm(&p);
    uint64_t edges[SCHEDULERS][LOADS];
    issue(r, 1, edges);
    for (uint32_t i = 0; i < sizeof expected / sizeof *expected; ++i)
        cr_expect_eq(edges[0][i] - edges[0][0] + 2, expected[i], "load %u", i + 1);
    cr_expect_eq(r->counters.l1_hits, LOADS);
    rig_destroy(r);
}

Test(address_units, share_the_pipe_in_turns)
{
    static const uint32_t cycles[] = {4, 4, 6, 8};
    for (uint32_t active = 1; active <= SCHEDULERS; ++active) {
        const memory_parameters p = ga10x();
        rig *r = warm(&p);
        uint64_t edges[SCHEDULERS][LOADS];
        issue(r, active, edges);
        for (uint32_t i = 0; i < active; ++i)
            cr_expect_eq(edges[i][LOADS - 1] - edges[i][LOADS - 21], 20 * cycles[active - 1], "%u of %u", i, active);
        rig_destroy(r);
    }
}

Test(address_units, have_one_place_more_than_their_queue_and_wait_for_nobody_else)
{
    memory_parameters p = ga10x();
    p.queue = 2;
    rig *r = warm(&p);
    r->counters.address_wait_cycles = 0;
    for (uint32_t i = 0; i < 3; ++i) {
        cr_expect(memory_status_of(r->m)->room & 2);
        submit(r, 1);
    }
    cr_expect_eq(memory_status_of(r->m)->room, 13, "of the second scheduler none is left");
    cr_expect_not(memory_can_submit(r->m));
    cr_expect_eq(r->counters.address_wait_cycles, 4 + 8);
    submit(r, 0);
    rig_idle(r);
    cr_expect_eq(memory_status_of(r->m)->room, UINT32_MAX);
    rig_destroy(r);
}

Test(address_units, belong_to_the_schedulers_in_turn)
{
    memory_parameters p = ga10x();
    p.schedulers = 3;
    p.warps = p.paths = 20;
    rig *r = warm(&p);
    for (uint32_t warp = 5; warp < 5 + 3 * 5; warp += 3) {
        cr_expect(memory_status_of(r->m)->room & 4, "warp %u", warp);
        submit(r, warp);
    }
    cr_expect_eq(memory_status_of(r->m)->room, 3);
    rig_idle(r);
    rig_destroy(r);
}

/* Stores and loads of warps of several schedulers, each to a word of its own. */
Test(address_units, keep_the_accesses_of_a_warp_in_order)
{
    const memory_parameters p = ga10x();
    rig *r = rig_create(&p);
    uint32_t tickets[12];
    for (uint32_t i = 0; i < 12; ++i)
        tickets[i] = rig_one(r, i % 2 ? ISA_OP_LW : ISA_OP_SW, i / 2 % 3, 0, HD_SCRATCHPAD_BASE + 4 * (i / 2 % 3), i);
    rig_idle(r);
    for (uint32_t i = 1; i < 12; i += 2)
        cr_expect_eq(r->result[tickets[i]].value[0], i - 1);
    rig_destroy(r);
}

/* While the pipe is held, the first access of a unit stays where it is. */
Test(address_units, keep_an_access_until_the_pipe_takes_it)
{
    memory_parameters p = ga10x();
    p.queue = 1;
    p.width = 1; /* 32 cycles for an access */
    rig *r = warm(&p);
    r->spurious = 1;
    submit(r, 0);
    rig_cycles(r, 3 + 8);
    submit(r, 1);
    submit(r, 1);
    rig_cycles(r, 31);
    cr_expect_eq(memory_status_of(r->m)->room, 13);
    rig_cycles(r, 1);
    cr_expect_eq(memory_status_of(r->m)->room, UINT32_MAX);
    rig_idle(r);
    rig_destroy(r);
}
