/* SPDX-License-Identifier: MIT */
/* Coalescing: how many wide accesses a warp makes, and which bytes travel. */
#include "memory_rig.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define DATA 0x20000000u

static void expect_values(rig *r, uint32_t ticket, const uint32_t *address, uint64_t mask)
{
    for (uint32_t lane = 0; lane < 64; ++lane)
        if (mask >> lane & 1)
            cr_expect_eq(r->result[ticket].value[lane], rig_peek(r, address[lane]), "lane %u", lane);
}

Test(coalescer, makes_one_access_per_line_touched_for_any_stride)
{
    const memory_parameters p = rig_parameters();
    for (uint32_t stride = 4; stride <= 256; stride += 4) {
        rig *r = rig_create(&p);
        uint32_t address[64];
        rig_addresses(address, DATA, stride);
        const uint32_t ticket = rig_submit(r, ISA_OP_LW, 0, 0, RIG_ALL, address, NULL, NULL);
        rig_idle(r);
        expect_values(r, ticket, address, RIG_ALL);
        uint32_t lines = 1;
        for (uint32_t lane = 1; lane < 32; ++lane)
            lines += address[lane] / 128 != address[lane - 1] / 128;
        cr_expect_eq(r->counters.wide_accesses, lines, "stride %u", stride);
        cr_expect_eq(r->counters.lane_accesses, 32);
        cr_expect_eq(r->counters.packets_sent, lines);
        rig_destroy(r);
    }
}

Test(coalescer, counts_the_lanes_that_take_part)
{
    static const uint32_t operations[] = {ISA_OP_LW, ISA_OP_SW, ISA_OP_AMOADD_W};
    static const uint32_t places[] = {DATA, HD_PRIVATE_BASE};
    const memory_parameters p = rig_parameters();
    for (uint32_t place = 0; place < 2; ++place)
        for (uint32_t i = 0; i < 3 - place; ++i) {
            rig *r = rig_create(&p);
            uint32_t address[64];
            rig_addresses(address, places[place], place ? 0 : 4);
            rig_submit(r, operations[i], 0, 0, 0x80010F01, address, address, NULL);
            rig_idle(r);
            cr_expect_eq(r->counters.lane_accesses, 7, "operation %u at %u", i, place);
            rig_destroy(r);
        }
}

Test(coalescer, merges_permuted_and_repeated_addresses_of_a_line)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    uint32_t address[64];
    for (uint32_t lane = 0; lane < 32; ++lane)
        address[lane] = DATA + lane * 20 % 128;
    const uint32_t ticket = rig_submit(r, ISA_OP_LW, 0, 0, RIG_ALL, address, NULL, NULL);
    rig_idle(r);
    expect_values(r, ticket, address, RIG_ALL);
    cr_expect_eq(r->counters.wide_accesses, 1);
    rig_destroy(r);
}

/* Fung 2015, Fig. 3.3b: two warps of four threads, a chunk for each; with every other thread exchanged each touches both. */
Test(coalescer, makes_twice_the_accesses_of_warps_whose_threads_were_exchanged)
{
    static const uint32_t thread[][4] = {{1, 2, 3, 4}, {33, 34, 35, 36}, {1, 34, 3, 36}, {33, 2, 35, 4}};
    static const uint32_t accesses[] = {1, 2, 4, 6};
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    for (uint32_t warp = 0; warp < 4; ++warp) {
        uint32_t address[64] = {0};
        for (uint32_t lane = 0; lane < 4; ++lane)
            address[lane] = DATA + (thread[warp][lane] - 1) * 4;
        rig_submit(r, ISA_OP_LW, 0, 0, 0xF, address, NULL, NULL);
        rig_idle(r);
        cr_expect_eq(r->counters.wide_accesses, accesses[warp]);
    }
    rig_destroy(r);
}

Test(coalescer, makes_two_accesses_of_a_warp_across_a_line_boundary)
{
    const memory_parameters p = rig_parameters();
    for (uint32_t shift = 4; shift < 128; shift += 4) {
        rig *r = rig_create(&p);
        uint32_t address[64];
        rig_addresses(address, DATA + shift, 4);
        const uint32_t ticket = rig_submit(r, ISA_OP_LW, 0, 0, RIG_ALL, address, NULL, NULL);
        rig_idle(r);
        expect_values(r, ticket, address, RIG_ALL);
        cr_expect_eq(r->counters.wide_accesses, 2);
        cr_expect_eq(r->result[ticket].calls, 2);
        /* 32-byte sectors from the first word to the end of the line, and from the next line's start to the last. */
        cr_expect_eq(r->sent[0].packet.argument, 128 - shift / 32 * 32);
        cr_expect_eq(r->sent[1].packet.argument, (shift + 31) / 32 * 32);
        rig_destroy(r);
    }
}

Test(coalescer, loads_whole_sectors_of_the_parameter)
{
    for (uint32_t sector = 32; sector <= 128; sector *= 2) {
        memory_parameters p = rig_parameters();
        p.sector_bytes = sector;
        rig *r = rig_create(&p);
        const uint32_t ticket = rig_one(r, ISA_OP_LB, 0, 9, DATA + 71, 0);
        rig_idle(r);
        cr_expect_eq(r->result[ticket].value[9], rig_peek(r, DATA + 68) >> 24);
        cr_expect_eq(r->sent[0].packet.address, DATA + 71 / sector * sector);
        cr_expect_eq(r->sent[0].packet.argument, sector);
        rig_destroy(r);
    }
}

Test(coalescer, stores_the_words_from_first_to_last_with_a_byte_mask)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    uint32_t address[64] = {[3] = DATA + 0x2A, [8] = DATA + 0x35};
    uint32_t data[64] = {[3] = 0x1234, [8] = 0x5678};
    const uint32_t before = rig_peek(r, DATA + 0x28);
    rig_submit(r, ISA_OP_SB, 0, 0, 0x108, address, data, NULL);
    rig_idle(r);
    cr_expect_eq(r->sent[0].packet.address, DATA + 0x28);
    cr_expect_eq(r->sent[0].packet.argument, 16);
    cr_expect_eq(((const hd_store *)r->sent[0].body)->byte_mask[0], 1u << 2 | 1u << 13);
    cr_expect_eq(r->counters.bytes_sent, HD_HEADER_WIRE_BYTES + 16);
    cr_expect_eq(rig_peek(r, DATA + 0x28), (before & 0xFF00FFFF) | 0x340000);
    rig_destroy(r);
}

Test(coalescer, lets_the_last_lane_prevail_where_lanes_store_to_one_word)
{
    const memory_parameters p = rig_parameters();
    static const uint32_t windows[] = {DATA, HD_SCRATCHPAD_BASE};
    for (uint32_t w = 0; w < 2; ++w) {
        rig *r = rig_create(&p);
        uint32_t address[64];
        uint32_t data[64];
        rig_addresses(address, windows[w], 0);
        rig_addresses(data, 70, 1);
        rig_submit(r, ISA_OP_SW, 0, 0, 0x00FFFF00, address, data, NULL);
        const uint32_t ticket = rig_one(r, ISA_OP_LW, 0, 0, windows[w], 0);
        rig_idle(r);
        cr_expect_eq(r->result[ticket].value[0], 70 + 23);
        rig_destroy(r);
    }
}

Test(coalescer, agrees_with_lane_by_lane_accesses_at_random)
{
    uint64_t state = 0x5EED;
    printf("seed 0x%llx\n", (unsigned long long)state);
    static const uint32_t operations[2][3] = {{ISA_OP_SB, ISA_OP_SH, ISA_OP_SW}, {ISA_OP_LBU, ISA_OP_LHU, ISA_OP_LW}};
    for (uint32_t lanes = 1; lanes <= 64; lanes += lanes < 8 ? 1 : 8) {
        memory_parameters p = rig_parameters();
        p.lanes = lanes;
        rig *r = rig_create(&p);
        for (uint32_t i = 0; i < 60; ++i) {
            uint32_t address[64];
            uint32_t data[64];
            const uint64_t mask = (rig_random(&state) | rig_random(&state)) & (UINT64_MAX >> (64 - lanes));
            const uint32_t size = (uint32_t)(rig_random(&state) % 3);
            const uint32_t span = 4u << rig_random(&state) % 9;
            const uint32_t is_run = rig_random(&state) % 3 == 0;
            const uint32_t start = DATA + (uint32_t)(rig_random(&state) % 64) * 4;
            uint32_t expected[64];
            if (mask == 0)
                continue;
            for (uint32_t lane = 0; lane < lanes; ++lane) {
                address[lane] = start + (is_run ? lane << size : (uint32_t)(rig_random(&state) % span) >> size << size);
                data[lane] = (uint32_t)rig_random(&state);
            }
            rig_submit(r, operations[0][size], 0, 0, mask, address, data, NULL);
            for (uint32_t lane = 0; lane < lanes; ++lane) { /* ascending, a later lane prevails */
                if ((mask >> lane & 1) == 0)
                    continue;
                expected[lane] = data[lane] & (uint32_t)(UINT64_C(0xFFFFFFFF) >> (32 - (8u << size)));
                for (uint32_t other = 0; other < lane; ++other)
                    if ((mask >> other & 1) != 0 && address[other] == address[lane])
                        expected[other] = expected[lane];
            }
            const uint32_t ticket = rig_submit(r, operations[1][size], 0, 0, mask, address, NULL, NULL);
            rig_finish(r, ticket);
            cr_assert_eq(r->result[ticket].lanes, mask);
            for (uint32_t lane = 0; lane < lanes; ++lane)
                if (mask >> lane & 1)
                    cr_assert_eq(r->result[ticket].value[lane], expected[lane], "lanes %u access %u lane %u", lanes, i,
                                 lane);
        }
        rig_idle(r);
        rig_destroy(r);
    }
}
