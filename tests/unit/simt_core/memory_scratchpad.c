/* SPDX-License-Identifier: MIT */
/* The scratchpad: bank conflicts by formula, latency, atomics and reservations. */
#include "memory/state.h"
#include "memory_rig.h"

#include <criterion/criterion.h>

#define BASE HD_SCRATCHPAD_BASE

/* Passes of one load of 32 lanes. */
static uint64_t passes_of(const memory_parameters *p, const uint32_t *address, uint32_t *latency)
{
    rig *r = rig_create(p);
    const uint32_t ticket = rig_submit(r, ISA_OP_LW, 0, 0, RIG_ALL, address, NULL, NULL);
    rig_idle(r);
    *latency = rig_latency(r, ticket);
    const uint64_t passes = r->counters.scratchpad_passes;
    cr_expect_eq(r->counters.scratchpad_conflict_cycles, passes - 1);
    cr_expect_eq(r->counters.packets_sent, 0);
    cr_expect_eq(r->counters.wide_accesses, 0);
    rig_destroy(r);
    return passes;
}

static uint32_t greatest_common_divisor(uint32_t a, uint32_t b)
{
    return b == 0 ? a : greatest_common_divisor(b, a % b);
}

Test(scratchpad, takes_a_pass_per_distinct_word_of_the_busiest_bank)
{
    const memory_parameters p = rig_parameters();
    for (uint32_t stride = 1; stride <= 32; ++stride) {
        uint32_t address[64];
        uint32_t latency;
        rig_addresses(address, BASE, stride * 4);
        const uint32_t expected = greatest_common_divisor(stride, p.scratchpad_banks);
        cr_expect_eq(passes_of(&p, address, &latency), expected, "stride %u", stride);
        cr_expect_eq(latency, 1 + p.scratchpad_latency + expected - 1, "stride %u", stride);
    }
}

Test(scratchpad, answers_after_its_latency)
{
    memory_parameters p = rig_parameters();
    uint32_t address[64];
    uint32_t latency;
    rig_addresses(address, BASE, 4);
    for (p.scratchpad_latency = 1; p.scratchpad_latency < 40; p.scratchpad_latency += 7) {
        passes_of(&p, address, &latency);
        cr_expect_eq(latency, 1 + p.scratchpad_latency);
    }
}

Test(scratchpad, broadcasts_a_word_to_all_lanes)
{
    const memory_parameters p = rig_parameters();
    uint32_t address[64];
    uint32_t latency;
    rig_addresses(address, BASE + 64, 0);
    cr_expect_eq(passes_of(&p, address, &latency), 1);
    for (uint32_t lane = 0; lane < 32; ++lane)
        address[lane] = BASE + lane % 2 * 128; /* two words of one bank */
    cr_expect_eq(passes_of(&p, address, &latency), 2);
}

Test(scratchpad, serves_the_bytes_of_a_word_in_one_pass)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    uint32_t address[64];
    for (uint32_t lane = 0; lane < 64; ++lane) /* the bytes of eight words of one bank */
        address[lane] = BASE + lane / 4 * 4 * p.scratchpad_banks % 4096 + lane % 4;
    rig_submit(r, ISA_OP_LBU, 0, 0, RIG_ALL, address, NULL, NULL);
    rig_idle(r);
    cr_expect_eq(r->counters.scratchpad_passes, 8);
    rig_destroy(r);
}

Test(scratchpad, has_as_many_banks_as_the_parameter)
{
    memory_parameters p = rig_parameters();
    uint32_t address[64];
    uint32_t latency;
    rig_addresses(address, BASE, 4);
    for (p.scratchpad_banks = 1; p.scratchpad_banks <= 64; p.scratchpad_banks *= 2)
        cr_expect_eq(passes_of(&p, address, &latency), p.scratchpad_banks >= 32 ? 1 : 32 / p.scratchpad_banks);
}

Test(scratchpad, holds_the_pipe_for_all_passes)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    uint32_t address[64];
    rig_addresses(address, BASE, 32 * 4);
    const uint32_t first = rig_submit(r, ISA_OP_LW, 0, 0, RIG_ALL, address, NULL, NULL);
    const uint32_t second = rig_one(r, ISA_OP_LW, 1, 0, BASE, 0);
    rig_idle(r);
    cr_expect_eq(r->result[second].at, r->result[first].at + RIG_CYCLE);
    rig_destroy(r);
}

Test(scratchpad, serves_one_lane_of_a_bank_per_pass_of_an_atomic)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    uint32_t address[64];
    uint32_t data[64];
    rig_addresses(address, BASE, 0);
    rig_addresses(data, 1, 0);
    const uint32_t ticket = rig_submit(r, ISA_OP_AMOADD_W, 0, 0, RIG_ALL, address, data, NULL);
    const uint32_t sum = rig_one(r, ISA_OP_LW, 0, 0, BASE, 0);
    rig_idle(r);
    for (uint32_t lane = 0; lane < 32; ++lane) /* ascending lanes */
        cr_expect_eq(r->result[ticket].value[lane], lane);
    cr_expect_eq(r->result[sum].value[0], 32);
    cr_expect_eq(r->counters.scratchpad_passes, 33);
    cr_expect_eq(r->counters.atomics, 1);
    rig_destroy(r);
}

Test(scratchpad, compares_and_swaps)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    uint32_t address[64];
    uint32_t data[64];
    uint32_t compare[64];
    rig_addresses(address, BASE, 0);
    rig_addresses(data, 10, 1);
    rig_addresses(compare, 0, 10);
    /* Lane 0 expects 0, lane 1 expects 10: both win; lane 2 expects 20 and meets 11. */
    const uint32_t ticket = rig_submit(r, ISA_OP_AMOCAS_W, 0, 0, 7, address, data, compare);
    rig_idle(r);
    cr_expect_eq(r->result[ticket].value[0], 0);
    cr_expect_eq(r->result[ticket].value[1], 10);
    cr_expect_eq(r->result[ticket].value[2], 11);
    rig_destroy(r);
}

Test(scratchpad, keeps_a_reservation_until_the_word_is_written)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    static const struct {
        uint32_t other; /* what another lane does between, 0 = nothing */
        uint32_t address;
        uint32_t fails;
    } cases[] = {
        {0, 0, 0}, {ISA_OP_SW, BASE, 1}, {ISA_OP_AMOADD_W, BASE, 1}, {ISA_OP_SW, BASE + 4, 0}, {ISA_OP_LW, BASE, 0}};
    for (uint32_t i = 0; i < 5; ++i) {
        rig_one(r, ISA_OP_LR_W, 0, 3, BASE, 0);
        if (cases[i].other != 0)
            rig_one(r, cases[i].other, 1, 0, cases[i].address, 99);
        const uint32_t first = rig_one(r, ISA_OP_SC_W, 0, 3, BASE, 1000 + i);
        const uint32_t again = rig_one(r, ISA_OP_SC_W, 0, 3, BASE, 2000);
        const uint32_t word = rig_one(r, ISA_OP_LW, 0, 3, BASE, 0);
        rig_idle(r);
        cr_expect_eq(r->result[first].value[3], cases[i].fails, "case %u", i);
        cr_expect_eq(r->result[again].value[3], 1, "a reservation serves once");
        cr_expect_eq(r->result[word].value[3] == 1000 + i, !cases[i].fails, "case %u", i);
    }
    rig_destroy(r);
}

Test(scratchpad, keeps_a_reservation_when_anothers_conditional_store_fails)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    rig_one(r, ISA_OP_LR_W, 0, 0, BASE + 8, 0);
    const uint32_t fails = rig_one(r, ISA_OP_SC_W, 0, 1, BASE + 8, 5);
    const uint32_t succeeds = rig_one(r, ISA_OP_SC_W, 0, 0, BASE + 8, 6);
    const uint32_t again = rig_one(r, ISA_OP_LW, 0, 0, BASE + 8, 0);
    rig_idle(r);
    cr_expect_eq(r->result[fails].value[1], 1);
    cr_expect_eq(r->result[succeeds].value[0], 0);
    cr_expect_eq(r->result[again].value[0], 6);
    rig_destroy(r);
}

/* A loop may write 2^32 times in between. */
Test(scratchpad, keeps_a_reservation_by_all_of_its_version)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    rig_one(r, ISA_OP_LR_W, 0, 3, BASE, 0);
    rig_idle(r);
    r->m->scratchpad.versions[0] += UINT64_C(1) << 32;
    const uint32_t conditional = rig_one(r, ISA_OP_SC_W, 0, 3, BASE, 7);
    rig_idle(r);
    cr_expect_eq(r->result[conditional].value[3], 1);
    rig_destroy(r);
}

Test(scratchpad, lets_one_lane_of_a_warp_win_the_conditional_store)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    uint32_t address[64];
    rig_addresses(address, BASE + 8, 0);
    rig_submit(r, ISA_OP_LR_W, 0, 0, RIG_ALL, address, NULL, NULL);
    const uint32_t ticket = rig_submit(r, ISA_OP_SC_W, 0, 0, RIG_ALL, address, address, NULL);
    rig_idle(r);
    cr_expect_eq(r->result[ticket].value[0], 0);
    for (uint32_t lane = 1; lane < 32; ++lane)
        cr_expect_eq(r->result[ticket].value[lane], 1);
    rig_destroy(r);
}

Test(scratchpad, forgets_reservations_and_words_of_the_block_before)
{
    const memory_parameters p = rig_parameters();
    rig *r = rig_create(&p);
    rig_one(r, ISA_OP_SW, 0, 0, BASE, 7);
    rig_one(r, ISA_OP_LR_W, 0, 0, BASE, 0);
    rig_idle(r);
    memory_clear_scratchpad(r->m, 0, 4096);
    rig_view(r, 0, 0, 0);
    const uint32_t conditional = rig_one(r, ISA_OP_SC_W, 0, 0, BASE, 9);
    const uint32_t word = rig_one(r, ISA_OP_LW, 0, 0, BASE, 0);
    rig_idle(r);
    cr_expect_eq(r->result[conditional].value[0], 1);
    cr_expect_eq(r->result[word].value[0], 0);
    rig_destroy(r);
}
