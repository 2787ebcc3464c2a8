/* SPDX-License-Identifier: MIT */
/* Atomics on global memory: packets, order of lanes, reservations. */
#include "memory_rig.h"

#include <criterion/criterion.h>

#define DATA 0x20000000u

Test(atomics, send_the_lanes_of_a_line_in_one_packet_in_lane_order)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    uint32_t address[64];
    uint32_t data[64];
    for (uint32_t lane = 0; lane < 32; ++lane) {
        address[lane] = DATA + (lane % 2) * 128;
        data[lane] = 1u << lane;
    }
    rig_poke(r, DATA, 0);
    rig_poke(r, DATA + 128, 0);
    const uint32_t ticket = rig_submit(r, ISA_OP_AMOADD_W, 0, 0, RIG_ALL, address, data, NULL);
    rig_idle(r);
    cr_expect_eq(r->sent_count, 2);
    cr_expect_eq(r->sent[0].packet.argument, 16);
    cr_expect_eq(r->sent[0].packet.traffic_class, HD_CLASS_ATOMIC);
    cr_expect_eq(r->sent[0].packet.wire_bytes, HD_HEADER_WIRE_BYTES + 16 * 4);
    uint32_t sum[2] = {0, 0};
    for (uint32_t lane = 0; lane < 32; ++lane) {
        cr_expect_eq(r->result[ticket].value[lane], sum[lane % 2]);
        sum[lane % 2] += data[lane];
    }
    cr_expect_eq(rig_peek(r, DATA), sum[0]);
    cr_expect_eq(r->counters.atomic_bytes, 32 * 8);
    cr_expect_eq(r->counters.bytes_received, 2 * (HD_HEADER_WIRE_BYTES + 16 * 4));
    rig_destroy(r);
}

Test(atomics, do_what_each_operation_says)
{
    static const struct {
        uint32_t op;
        uint32_t result;
    } cases[] = {{ISA_OP_AMOSWAP_W, 5},          {ISA_OP_AMOADD_W, 0xFFFFFFFE + 5},
                 {ISA_OP_AMOXOR_W, 0xFFFFFFFB},  {ISA_OP_AMOAND_W, 4},
                 {ISA_OP_AMOOR_W, 0xFFFFFFFF},   {ISA_OP_AMOMIN_W, 0xFFFFFFFE},
                 {ISA_OP_AMOMAX_W, 5},           {ISA_OP_AMOMINU_W, 5},
                 {ISA_OP_AMOMAXU_W, 0xFFFFFFFE}, {ISA_OP_AMOCAS_W, 0xFFFFFFFE}};
    static const uint32_t windows[] = {DATA, HD_SCRATCHPAD_BASE};
    const memory_parameters p = rig_parameters();
    for (uint32_t w = 0; w < 2; ++w) {
        rig *r = rig_create(&p);
        for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
            rig_one(r, ISA_OP_SW, 0, 0, windows[w], 0xFFFFFFFE);
            const uint32_t before = rig_one(r, cases[i].op, 0, 0, windows[w], 5);
            const uint32_t after = rig_one(r, ISA_OP_LW, 0, 0, windows[w], 0);
            rig_idle(r);
            cr_expect_eq(r->result[before].value[0], 0xFFFFFFFE);
            cr_expect_eq(r->result[after].value[0], cases[i].result, "case %u", i);
        }
        rig_destroy(r);
    }
}

Test(atomics, count_two_operands_of_a_compare_and_swap_and_none_of_a_load_reserved)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    rig_one(r, ISA_OP_AMOCAS_W, 0, 0, DATA, 5);
    rig_one(r, ISA_OP_LR_W, 0, 0, DATA, 0);
    rig_one(r, ISA_OP_SC_W, 0, 0, DATA, 0);
    rig_idle(r);
    cr_expect_eq(r->sent[0].packet.wire_bytes, HD_HEADER_WIRE_BYTES + 8);
    cr_expect_eq(r->sent[1].packet.wire_bytes, HD_HEADER_WIRE_BYTES);
    cr_expect_eq(r->sent[2].packet.wire_bytes, HD_HEADER_WIRE_BYTES + 8);
    rig_destroy(r);
}

Test(atomics, count_as_stores_of_the_warp_until_answered)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    const uint32_t ticket = rig_one(r, ISA_OP_AMOADD_W, 6, 0, DATA, 5);
    rig_cycles(r, 15);
    cr_expect_eq(memory_stores_outstanding(r->m, 6), 1);
    rig_finish(r, ticket);
    cr_expect_eq(memory_stores_outstanding(r->m, 6), 0);
    cr_expect_eq(r->drained[6], 1);
    rig_destroy(r);
}

Test(atomics, store_conditionally_on_the_version_that_was_loaded)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    for (uint32_t disturbed = 0; disturbed < 2; ++disturbed) {
        rig_finish(r, rig_one(r, ISA_OP_LR_W, 0, 3, DATA, 0));
        if (disturbed)
            rig_poke(r, DATA, rig_peek(r, DATA)); /* the same value: still a write */
        const uint32_t ticket = rig_one(r, ISA_OP_SC_W, 0, 3, DATA, 500 + disturbed);
        rig_finish(r, ticket);
        cr_expect_eq(r->result[ticket].value[3], disturbed);
        cr_expect_eq(rig_peek(r, DATA), 500);
    }
    rig_destroy(r);
}

/* A loop may write 2^32 times in between. */
Test(atomics, store_conditionally_on_all_of_the_version)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    for (uint32_t disturbed = 0; disturbed < 2; ++disturbed) {
        rig_age(r, DATA, UINT64_C(5) << 32);
        rig_finish(r, rig_one(r, ISA_OP_LR_W, 0, 3, DATA, 0));
        rig_age(r, DATA, (uint64_t)disturbed << 32);
        const uint32_t ticket = rig_one(r, ISA_OP_SC_W, 0, 3, DATA, 500 + disturbed);
        rig_finish(r, ticket);
        cr_expect_eq(r->result[ticket].value[3], disturbed);
        cr_expect_eq(rig_peek(r, DATA), 500);
    }
    rig_destroy(r);
}

Test(atomics, fail_a_conditional_store_without_a_reservation_at_home)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    rig_finish(r, rig_one(r, ISA_OP_LR_W, 0, 3, DATA, 0));
    const uint32_t packets = r->sent_count;
    uint32_t address[64] = {[2] = DATA, [3] = DATA + 4, [4] = DATA}; /* none has reserved what it stores to */
    uint32_t ticket = rig_submit(r, ISA_OP_SC_W, 0, 0, 0x1C, address, address, NULL);
    rig_finish(r, ticket);
    cr_expect_eq(r->sent_count, packets);
    cr_expect_eq(r->result[ticket].lanes, 0x1C);
    cr_expect_eq(r->result[ticket].value[2] + r->result[ticket].value[3] + r->result[ticket].value[4], 3);
    cr_expect_eq(rig_latency(r, ticket), 1 + p.l1_latency);
    /* The failed attempt has used up the reservation; another warp's never counted. */
    address[3] = DATA;
    ticket = rig_submit(r, ISA_OP_SC_W, 0, 0, 8, address, address, NULL);
    rig_finish(r, ticket);
    cr_expect_eq(r->result[ticket].value[3], 1);
    rig_idle(r);
    rig_destroy(r);
}

Test(atomics, let_one_lane_of_a_warp_win_the_conditional_store)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    uint32_t address[64];
    rig_addresses(address, DATA, 0);
    rig_finish(r, rig_submit(r, ISA_OP_LR_W, 0, 0, RIG_ALL, address, NULL, NULL));
    const uint32_t ticket = rig_submit(r, ISA_OP_SC_W, 0, 0, 0xFFFF0000, address, address, NULL);
    rig_finish(r, ticket);
    cr_expect_eq(r->result[ticket].value[16], 0);
    for (uint32_t lane = 17; lane < 32; ++lane)
        cr_expect_eq(r->result[ticket].value[lane], 1);
    rig_destroy(r);
}

Test(atomics, wait_with_a_conditional_store_for_the_load_reserved_in_flight)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    rig_one(r, ISA_OP_LR_W, 0, 3, DATA, 0);
    const uint32_t ticket = rig_one(r, ISA_OP_SC_W, 0, 3, DATA, 77);
    rig_finish(r, ticket);
    cr_expect_eq(r->result[ticket].value[3], 0);
    cr_expect_eq(rig_peek(r, DATA), 77);
    rig_destroy(r);
}

/* Every lane of every warp adds one with load reserved and store conditional, and tries again until it has. */
static void increment_by_all(uint32_t counter)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    uint64_t left[2] = {RIG_ALL, 0xFFFF};
    uint32_t address[64];
    rig_addresses(address, counter, 0);
    rig_one(r, ISA_OP_SW, 0, 0, counter, 0);
    for (uint32_t attempt = 0; (left[0] | left[1]) != 0; ++attempt) {
        uint32_t ticket[2];
        uint32_t data[2][64];
        cr_assert_lt(attempt, 100, "nobody wins");
        for (uint32_t warp = 0; warp < 2; ++warp)
            if (left[warp] != 0) {
                ticket[warp] = rig_submit(r, ISA_OP_LR_W, 0, warp, left[warp], address, NULL, NULL);
                rig_finish(r, ticket[warp]);
                for (uint32_t lane = 0; lane < 64; ++lane)
                    data[warp][lane] = r->result[ticket[warp]].value[lane] + 1;
            }
        for (uint32_t warp = 0; warp < 2; ++warp)
            if (left[warp] != 0)
                ticket[warp] = rig_submit(r, ISA_OP_SC_W, 0, warp, left[warp], address, data[warp], NULL);
        rig_idle(r);
        for (uint32_t warp = 0; warp < 2; ++warp)
            for (uint32_t lane = 0; left[warp] != 0 && lane < 32; ++lane)
                if ((left[warp] >> lane & 1) != 0 && r->result[ticket[warp]].value[lane] == 0)
                    left[warp] &= ~(UINT64_C(1) << lane);
    }
    const uint32_t sum = rig_one(r, ISA_OP_LW, 0, 0, counter, 0);
    rig_idle(r);
    cr_expect_eq(r->result[sum].value[0], 48);
    rig_destroy(r);
}

Test(atomics, lose_no_increment_of_contending_threads)
{
    increment_by_all(DATA);
    increment_by_all(HD_SCRATCHPAD_BASE);
}

Test(atomics, take_a_packet_of_64_operations)
{
    memory_parameters p = rig_parameters();
    p.lanes = 64;
    rig *r = rig_create(&p);
    uint32_t address[64];
    uint32_t data[64];
    for (uint32_t lane = 0; lane < 64; ++lane) {
        address[lane] = DATA + lane % 32 * 4;
        data[lane] = 1;
    }
    const uint32_t ticket = rig_submit(r, ISA_OP_AMOADD_W, 0, 0, UINT64_MAX, address, data, NULL);
    rig_idle(r);
    cr_expect_eq(r->sent_count, 1);
    for (uint32_t lane = 0; lane < 32; ++lane)
        cr_expect_eq(r->result[ticket].value[lane + 32], r->result[ticket].value[lane] + 1);
    rig_destroy(r);
}

/* The reservation is that of the latest load reserved in program order, whichever comes back first. */
Test(atomics, pair_a_store_conditional_with_the_latest_load_reserved)
{
    static const uint32_t first = 0x20000000, second[] = {0x20000100, HD_SCRATCHPAD_BASE}; /* another partition */
    for (uint32_t i = 0; i < 2; ++i) {
        for (uint32_t to_latest = 0; to_latest < 2; ++to_latest) {
            const memory_parameters p = rig_parameters();
            rig *r = rig_create(&p);
            r->reply_delay = 200;
            rig_one(r, ISA_OP_LR_W, 0, 0, first, 0);
            rig_cycles(r, 3);
            r->reply_delay = 10;
            rig_finish(r, rig_one(r, ISA_OP_LR_W, 0, 0, second[i], 0));
            rig_idle(r);
            const uint32_t conditional = rig_one(r, ISA_OP_SC_W, 0, 0, to_latest ? second[i] : first, 5);
            rig_idle(r);
            cr_expect_eq(r->result[conditional].value[0], !to_latest, "second %u: to the %s", i,
                         to_latest ? "latest" : "first");
            rig_destroy(r);
        }
    }
}

Test(atomics, end_a_reservation_that_is_on_its_way_with_a_store_conditional_to_the_scratchpad)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    rig_one(r, ISA_OP_LR_W, 0, 0, DATA, 0);
    const uint32_t elsewhere = rig_one(r, ISA_OP_SC_W, 0, 0, HD_SCRATCHPAD_BASE, 5);
    const uint32_t conditional = rig_one(r, ISA_OP_SC_W, 0, 0, DATA, 5);
    rig_idle(r);
    cr_expect_eq(r->result[elsewhere].value[0], 1);
    cr_expect_eq(r->result[conditional].value[0], 1);
    rig_destroy(r);
}

static uint64_t lanes_at(const uint32_t *address, uint32_t place)
{
    uint64_t lanes = 0;
    for (uint32_t lane = 0; lane < 32; ++lane)
        lanes |= (uint64_t)(address[lane] == place) << lane;
    return lanes;
}

/* Lanes of each request, in order, of one warp's addition. */
static uint32_t requests_of(uint32_t atomic_request, const uint32_t *address, uint64_t mask, uint64_t *lanes)
{
    memory_parameters p = rig_parameters();
    p.atomic_request = atomic_request;
    rig *r = rig_create(&p);
    uint32_t data[64];
    rig_addresses(data, 1, 0);
    const uint32_t ticket = rig_submit(r, ISA_OP_AMOADD_W, 0, 0, mask, address, data, NULL);
    rig_idle(r);
    for (uint32_t i = 0; i < r->sent_count; ++i) {
        const hd_atomic_operation *operations = (const hd_atomic_operation *)r->sent[i].body;
        lanes[i] = 0;
        cr_expect_eq(r->sent[i].packet.address % HD_LINE_BYTES, 0);
        for (uint32_t k = 0; k < r->sent[i].packet.argument; ++k)
            lanes[i] |= UINT64_C(1) << operations[k].lane;
    }
    for (uint32_t lane = 0; lane < 32; ++lane) { /* each has seen the additions of lower lanes to its word */
        uint32_t before = 0;
        for (uint32_t other = 0; other < lane; ++other)
            before += (mask >> other & 1) != 0 && address[other] == address[lane];
        if (mask >> lane & 1)
            cr_expect_eq(r->result[ticket].value[lane] - rig_peek(r, address[lane]),
                         before - (uint32_t)__builtin_popcountll(mask & lanes_at(address, address[lane])), "lane %u",
                         lane);
    }
    const uint32_t count = r->sent_count;
    cr_expect_eq(r->counters.packets_sent_by[TRAFFIC_ATOMIC], count);
    rig_destroy(r);
    return count;
}

/* K25, K26: requests of a warp whose lanes share a word, or have the words of a line, or of lines. */
Test(atomics, go_in_requests_as_the_parameter_says)
{
    static const uint32_t kinds[] = {ATOMIC_LINES, ATOMIC_WORDS, ATOMIC_SECTORS, ATOMIC_LANES};
    static const struct {
        uint32_t stride, requests[4];
    } cases[] = {
        {0, {1, 32, 32, 32}}, {4, {1, 1, 4, 32}}, {8, {2, 2, 8, 32}}, {32, {8, 8, 32, 32}}, {128, {32, 32, 32, 32}}};
    uint32_t address[64];
    uint64_t lanes[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        rig_addresses(address, 0x20000000, cases[i].stride);
        for (uint32_t kind = 0; kind < 4; ++kind)
            cr_expect_eq(requests_of(kinds[kind], address, RIG_ALL, lanes), cases[i].requests[kind],
                         "stride %u, kind %u", cases[i].stride, kind);
    }
    for (uint32_t lane = 0; lane < 64; ++lane) /* four words in two sectors, in turn */
        address[lane] = 0x20000000 + lane % 4 * 16;
    cr_expect_eq(requests_of(ATOMIC_WORDS, address, 0xFF7, lanes), 3);
    cr_expect_eq(lanes[0], 0x87, "the first of each word: lane 3 is not active");
    cr_expect_eq(lanes[1], 0x870);
    cr_expect_eq(lanes[2], 0x700);
    cr_expect_eq(requests_of(ATOMIC_SECTORS, address, 0xFE, lanes), 4);
    cr_expect_eq(lanes[0], 0x12, "words of a sector, whichever is first");
    cr_expect_eq(lanes[1], 0x0C);
    cr_expect_eq(requests_of(ATOMIC_SECTORS, address, 0xFF, lanes), 4);
    cr_expect_eq(lanes[0], 0x03);
    cr_expect_eq(lanes[1], 0x0C, "lanes go in order");
    cr_expect_eq(lanes[2], 0x30);
    cr_expect_eq(lanes[3], 0xC0);
}
