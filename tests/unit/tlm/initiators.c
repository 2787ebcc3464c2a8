/* SPDX-License-Identifier: MIT */
/* A foreign initiator on a block of ours. The memory takes 20 cycles of 1 ns; its link one each way. */
#include <criterion/criterion.h>

#include "rig.h"

static const char machine[] = "blocks:\n"
                              "  host: {kind: foreign, type: initiator, clock: clk}\n"
                              "  memory: {kind: example_memory, type: fixed, clock: clk, parameters: {latency: 20 "
                              "cycles}}\n"
                              "links:\n"
                              "  - {from: host.port, to: memory.host, credits: 2, response_credits: 2}\n";

#define ACCESSES 16u

static void run_with(hd_tlm_options options, uint32_t style, foreign_access *accesses, uint32_t count)
{
    rig rig;
    foreign_models *models = foreign_initiator_new(style, accesses, count);
    rig_open(&rig, machine, models, options);
    const char *fault = rig_run(&rig, 5000);
    cr_expect_null(fault, "%s", fault);
    cr_expect_eq(foreign_initiator_violations(models), 0);
    hd_conservation packets = hd_engine_packets(rig.engine);
    cr_expect_eq(packets.held + packets.in_links, 0, "packets were lost");
    rig_close(&rig);
}

static void run(uint32_t style, foreign_access *accesses, uint32_t count)
{
    run_with((hd_tlm_options){.checked = 1}, style, accesses, count);
}

static void write_then_read(foreign_access *accesses)
{
    for (uint32_t i = 0; i < ACCESSES; i++)
        accesses[i] = (foreign_access){.address = 64 * (i % (ACCESSES / 2)),
                                       .bytes = 4 + 8 * (i % (ACCESSES / 2)),
                                       .is_write = i < ACCESSES / 2,
                                       .value = 16 * i + 1};
}

static void expect_read_back(const foreign_access *accesses)
{
    for (uint32_t i = 0; i < ACCESSES; i++) {
        cr_expect_eq(accesses[i].status, STATUS_OK, "access %u: status %u", i, accesses[i].status);
        if (accesses[i].is_write)
            continue;
        const foreign_access *written = &accesses[i - ACCESSES / 2];
        cr_expect_arr_eq(accesses[i].data, written->data, written->bytes, "access %u", i);
        cr_expect_eq(accesses[i].data[1], (uint8_t)(written->value + 1));
    }
}

Test(initiators, that_block_are_answered_one_by_one)
{
    foreign_access accesses[ACCESSES];
    write_then_read(accesses);
    run(INITIATOR_BLOCKING, accesses, ACCESSES);
    expect_read_back(accesses);
    for (uint32_t i = 0; i < ACCESSES; i++)
        cr_expect_eq(accesses[i].ended - accesses[i].begun, accesses[0].ended - accesses[0].begun);
    cr_expect_geq(accesses[0].ended - accesses[0].begun, 20000);
    cr_expect_leq(accesses[0].ended - accesses[0].begun, 23000);
}

Test(initiators, that_pipeline_are_held_back_when_the_credits_are_used_up)
{
    foreign_access accesses[ACCESSES];
    write_then_read(accesses);
    run(INITIATOR_PIPELINED, accesses, ACCESSES);
    expect_read_back(accesses);
    uint64_t all = accesses[ACCESSES - 1].ended - accesses[0].begun;
    cr_expect_lt(all, 16 * 20000, "nothing overlaps");
}

Test(initiators, that_end_responses_late_hold_back_the_answers)
{
    foreign_access accesses[ACCESSES];
    write_then_read(accesses);
    run(INITIATOR_SLOW, accesses, ACCESSES);
    expect_read_back(accesses);
    for (uint32_t i = 1; i < ACCESSES; i++)
        cr_expect_geq(accesses[i].ended - accesses[i - 1].ended, 20000, "access %u came too early", i);
}

Test(initiators, that_annotate_delays_are_served_when_these_have_passed)
{
    foreign_access early = {.address = 0, .bytes = 4}, late = {.address = 0, .bytes = 4, .delay_ps = 5000};
    run(INITIATOR_BLOCKING, &early, 1);
    run(INITIATOR_BLOCKING, &late, 1);
    cr_expect_eq(late.ended, early.ended + 5000);
    foreign_access pipelined = {.address = 0, .bytes = 4, .delay_ps = 5000};
    run(INITIATOR_PIPELINED, &pipelined, 1);
    cr_expect_eq(pipelined.status, STATUS_OK);
    cr_expect_eq(pipelined.ended, late.ended);
}

Test(initiators, that_ask_for_what_is_not_supported_are_told_so)
{
    foreign_access accesses[] = {
        {.address = 0, .bytes = 4, .ignore = 1}, {.address = 0, .bytes = 0},
        {.address = 0, .bytes = 8, .width = 4},  {.address = 0, .bytes = 8, .enable_bytes = 8},
        {.address = 4094, .bytes = 4},           {.address = 0, .bytes = 1024},
    };
    static const uint32_t expected[] = {STATUS_COMMAND,     STATUS_BURST,   STATUS_BURST,
                                        STATUS_BYTE_ENABLE, STATUS_ADDRESS, STATUS_OK};
    for (uint32_t style = INITIATOR_BLOCKING; style <= INITIATOR_PIPELINED; style++) {
        run_with((hd_tlm_options){0}, style, accesses, 6);
        for (uint32_t i = 0; i < 6; i++) {
            cr_expect_eq(accesses[i].status, expected[i], "style %u, access %u: status %u", style, i,
                         accesses[i].status);
            accesses[i].status = 0;
        }
    }
}

/* IEEE 1666-2011 §14.11: byte enables that are fewer than the data are repeated, and the last round may be cut short. */
Test(initiators, may_have_fewer_byte_enables_than_data)
{
    enum { BYTES = 10 };
    static const uint32_t lengths[] = {1, 2, 3, 7, BYTES, 64};
    for (uint32_t style = INITIATOR_BLOCKING; style <= INITIATOR_PIPELINED; style++)
        for (uint32_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            foreign_access accesses[] = {
                {.address = 32, .bytes = BYTES, .is_write = 1, .value = 100},
                {.address = 32, .bytes = BYTES, .is_write = 1, .value = 200, .enable_bytes = lengths[i]},
                {.address = 32, .bytes = BYTES},
            };
            run(style, accesses, 3);
            for (uint32_t byte = 0; byte < BYTES; byte++)
                cr_expect_eq(accesses[2].data[byte], (byte % lengths[i] % 2 ? 100 : 200) + byte,
                             "%u byte enables, byte %u", lengths[i], byte);
        }
}
