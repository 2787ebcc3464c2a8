/* SPDX-License-Identifier: MIT */
/* How long an access holds the pipe: lanes per cycle, groups of lanes at the scratchpad, bytes per cycle of the L1's data. */
#include "memory_rig.h"

#include <criterion/criterion.h>

enum { ACCESSES = 40 };

/* Cycles from one access to the next, when the pipe always has more of them. */
static double steady_cycles(rig *r, uint32_t op, const uint32_t *address)
{
    const uint64_t lanes = r->parameters.lanes == 64 ? UINT64_MAX : RIG_ALL;
    uint64_t half = 0;
    for (uint32_t i = 0; i < ACCESSES; ++i) {
        rig_submit(r, op, 0, i % 8, lanes, address, NULL, NULL);
        half = i == ACCESSES / 2 - 1 ? r->edge : half;
    }
    const uint64_t edges = r->edge - half;
    rig_idle(r);
    return (double)edges / (ACCESSES / 2);
}

static uint32_t scratchpad_cycles(const memory_parameters *p, uint32_t stride_words, uint32_t *latency)
{
    rig *r = rig_create(p);
    uint32_t address[64];
    rig_addresses(address, HD_SCRATCHPAD_BASE, 4 * stride_words);
    const uint32_t alone = rig_submit(r, ISA_OP_LW, 0, 0, RIG_ALL, address, NULL, NULL);
    rig_idle(r);
    *latency = rig_latency(r, alone) - 1;
    const uint32_t cycles = (uint32_t)steady_cycles(r, ISA_OP_LW, address);
    cr_expect_eq(r->counters.pipe_cycles, (uint64_t)cycles * (ACCESSES + 1));
    rig_destroy(r);
    return cycles;
}

/* docs/machines.md, K9: 4 bytes per lane without conflicts. */
Test(memory_width, an_access_holds_the_pipe_until_its_lanes_have_entered)
{
    static const struct {
        uint32_t width, cycles;
    } cases[] = {{0, 1}, {64, 1}, {32, 1}, {31, 2}, {16, 2}, {8, 4}, {1, 32}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        memory_parameters p = rig_parameters();
        p.width = cases[i].width;
        uint32_t latency;
        cr_expect_eq(scratchpad_cycles(&p, 1, &latency), cases[i].cycles, "width %u", cases[i].width);
        cr_expect_eq(latency, p.scratchpad_latency, "width %u: the latency is of the whole access", cases[i].width);
    }
}

/* K10: strides of 1, 2, 4, 8, 16, 32 and 33 words. */
Test(memory_width, lanes_of_a_group_conflict_with_each_other_alone)
{
    static const uint32_t strides[] = {1, 2, 4, 8, 16, 32, 33};
    static const struct {
        uint32_t width, banks, group, cycles[7];
    } cases[] = {
        {0, 32, 0, {1, 2, 4, 8, 16, 32, 1}},    /* passes per warp */
        {16, 32, 0, {2, 4, 8, 16, 32, 64, 2}},  /* each of two cycles */
        {0, 16, 16, {2, 4, 8, 16, 32, 32, 2}},  /* passes of two half warps */
        {8, 16, 16, {4, 8, 16, 32, 64, 64, 4}}, /* each of two cycles */
        {0, 32, 64, {1, 2, 4, 8, 16, 32, 1}},   /* no warp has so many */
        {0, 32, 12, {3, 3, 5, 8, 16, 32, 3}},   /* 12, 12 and 8 lanes */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        memory_parameters p = rig_parameters();
        p.width = cases[i].width;
        p.scratchpad_banks = cases[i].banks;
        p.scratchpad_group = cases[i].group;
        for (uint32_t stride = 0; stride < 7; ++stride) {
            uint32_t latency;
            cr_expect_eq(scratchpad_cycles(&p, strides[stride], &latency), cases[i].cycles[stride],
                         "case %zu, stride %u", i, strides[stride]);
            const uint32_t beyond = cases[i].cycles[stride] - (p.width ? 32 / p.width : 1);
            cr_expect_eq(latency, p.scratchpad_latency + beyond, "case %zu, stride %u", i, strides[stride]);
        }
    }
}

Test(memory_width, passes_conflicts_and_lanes_are_counted)
{
    memory_parameters p = rig_parameters();
    p.width = 8;
    p.scratchpad_banks = 16;
    p.scratchpad_group = 16;
    rig *r = rig_create(&p);
    uint32_t address[64];
    rig_addresses(address, HD_SCRATCHPAD_BASE, 8);
    rig_submit(r, ISA_OP_LW, 0, 0, RIG_ALL, address, NULL, NULL);
    rig_idle(r);
    cr_expect_eq(r->counters.scratchpad_passes, 4);
    cr_expect_eq(r->counters.scratchpad_conflict_cycles, 4, "one pass more of either half, of two cycles");
    cr_expect_eq(r->counters.pipe_cycles, 8);
    cr_expect_eq(r->counters.pipe_lane_cycles, 4);
    rig_submit(r, ISA_OP_LW, 0, 0, 0xFFFF0000, address, NULL, NULL);
    rig_idle(r);
    cr_expect_eq(r->counters.scratchpad_passes, 6);
    cr_expect_eq(r->counters.pipe_cycles, 12, "a half that is not active has no passes");
    rig_destroy(r);
}

/* Lanes enter while lines are looked up: whatever of the two takes longer. */
Test(memory_width, an_access_takes_a_cycle_a_line_and_as_long_as_its_lanes)
{
    static const struct {
        uint32_t lanes, width, stride, cycles;
    } cases[] = {
        {32, 0, 4, 1},  {32, 0, 16, 4}, {32, 16, 4, 2}, {32, 16, 8, 2},  {32, 16, 128, 32}, {32, 8, 4, 4},
        {32, 8, 8, 4},  {32, 8, 32, 8}, {64, 0, 4, 2},  {64, 64, 4, 2}, /* two lines, each of 32 lanes */
        {64, 32, 4, 2}, {64, 16, 4, 4}, {64, 16, 8, 4}, {64, 16, 16, 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        memory_parameters p = rig_parameters();
        p.lanes = cases[i].lanes;
        p.width = cases[i].width;
        rig *r = rig_create(&p);
        uint32_t address[64];
        rig_addresses(address, 0x20000000, cases[i].stride);
        cr_expect_eq(steady_cycles(r, ISA_OP_LW, address), cases[i].cycles, "case %zu", i);
        cr_expect_eq(r->counters.pipe_cycles, (uint64_t)ACCESSES * cases[i].cycles, "case %zu", i);
        const uint64_t lines = (cases[i].lanes * cases[i].stride + 127) / 128;
        cr_expect_eq(r->counters.pipe_lane_cycles, ACCESSES * (cases[i].cycles - lines), "case %zu", i);
        rig_destroy(r);
    }
}

/* K12 and K13: 4 bytes per lane of lines that hit, with strides of 1, 2, 4, 8, 16 and 32 words. */
Test(memory_width, a_line_that_hits_holds_the_pipe_until_it_has_moved)
{
    static const struct {
        uint32_t port_bytes, width, cycles[6];
    } cases[] = {
        {0, 0, {1, 2, 4, 8, 16, 32}},   {128, 32, {1, 2, 4, 8, 16, 32}}, {64, 16, {2, 4, 8, 16, 32, 64}},
        {64, 8, {4, 4, 8, 16, 32, 64}}, {100, 0, {2, 4, 8, 16, 32, 64}}, {32, 0, {4, 8, 16, 32, 64, 128}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        for (uint32_t k = 0; k < 6; ++k) {
            memory_parameters p = rig_parameters();
            p.l1_global = L1_GLOBAL_CACHE;
            p.l1_bytes = 16384;
            p.l1_port_bytes = cases[i].port_bytes;
            p.width = cases[i].width;
            rig *r = rig_create(&p);
            uint32_t address[64];
            rig_addresses(address, 0x20000000, 4u << k);
            rig_submit(r, ISA_OP_LW, 0, 0, RIG_ALL, address, NULL, NULL);
            rig_idle(r);
            r->counters.l1_port_cycles = 0;
            cr_expect_eq(steady_cycles(r, ISA_OP_LW, address), cases[i].cycles[k], "case %zu, stride %u", i, 1u << k);
            cr_expect_eq(r->counters.l1_hits, (uint64_t)ACCESSES << k);
            const uint32_t moves = cases[i].port_bytes ? (127 + cases[i].port_bytes) / cases[i].port_bytes : 1;
            cr_expect_eq(r->counters.l1_port_cycles, (uint64_t)(ACCESSES << k) * (moves - 1));
            rig_destroy(r);
        }
    }
}

/* Short lines of one look-up move together. Values come after the latency as ever. */
Test(memory_width, lines_of_one_look_up_share_the_data_port)
{
    memory_parameters p = rig_parameters();
    p.l1_global = L1_GLOBAL_CACHE;
    p.l1_line = 32;
    p.l1_lookups = 4;
    p.l1_port_bytes = 48;
    rig *r = rig_create(&p);
    uint32_t address[64];
    rig_addresses(address, 0x20000000, 4);
    rig_submit(r, ISA_OP_LW, 0, 0, RIG_ALL, address, NULL, NULL);
    rig_idle(r);
    const uint32_t alone = rig_submit(r, ISA_OP_LW, 0, 0, RIG_ALL, address, NULL, NULL);
    rig_idle(r);
    cr_expect_eq(rig_latency(r, alone), 1 + p.l1_latency);
    cr_expect_eq(steady_cycles(r, ISA_OP_LW, address), 3, "128 B");
    rig_destroy(r);
}

/* Whole lines are written without being there; loads of the L1's data and stores to it are alike. */
Test(memory_width, stores_to_lines_and_whole_new_lines_move_too)
{
    memory_parameters p = rig_parameters();
    p.l1_port_bytes = 64;
    rig *r = rig_create(&p);
    uint32_t address[64];
    rig_addresses(address, HD_PRIVATE_BASE, 0);
    rig_submit(r, ISA_OP_SW, 0, 0, RIG_ALL, address, address, NULL);
    rig_idle(r);
    cr_expect_eq(r->counters.l1_misses, 1);
    cr_expect_eq(r->counters.l1_port_cycles, 1, "a whole line");
    rig_one(r, ISA_OP_SW, 0, 3, HD_PRIVATE_BASE, 7);
    rig_one(r, ISA_OP_LW, 0, 3, HD_PRIVATE_BASE + 4, 0); /* a miss: what comes moves when the line is there */
    rig_idle(r);
    cr_expect_eq(r->counters.l1_port_cycles, 2);
    cr_expect_eq(r->counters.pipe_cycles, 2 + 2 + 1);
    rig_destroy(r);
}
