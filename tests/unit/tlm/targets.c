/* SPDX-License-Identifier: MIT */
/* A block of ours over a foreign target, whatever the base protocol lets the target do. */
#include <criterion/criterion.h>
#include <string.h>

#include "rig.h"

static const char machine[] = "blocks:\n"
                              "  requester: {kind: example_requester, type: checking, clock: clk, parameters: "
                              "{requests: 100, outstanding: 6}}\n"
                              "  memory: {kind: foreign, type: target, clock: clk}\n"
                              "links:\n"
                              "  - {from: requester.memory, to: memory.port, credits: 3, response_credits: 2}\n";

static void expect_served(uint32_t style)
{
    rig rig;
    foreign_models *models = foreign_target_new(style);
    rig_open(&rig, machine, models, (hd_tlm_options){.checked = 1});
    const char *fault = rig_run(&rig, 50000);
    cr_expect_null(fault, "style %u: %s", style, fault);
    cr_expect_geq(rig_count(&rig, "requester", "done"), 100, "style %u", style);
    cr_expect_geq(foreign_target_requests(models), 100, "style %u", style);
    cr_expect_eq(foreign_target_violations(models), 0, "style %u: the base protocol was broken", style);
    hd_conservation packets = hd_engine_packets(rig.engine);
    cr_expect_eq(packets.held + packets.in_links, 0, "style %u: packets were lost", style);
    rig_close(&rig);
}

Test(targets, that_end_the_request_and_answer_later)
{
    expect_served(TARGET_END_THEN_RESPONSE);
}

Test(targets, that_return_the_end_of_the_request)
{
    expect_served(TARGET_RETURNS_END);
}

Test(targets, that_only_answer)
{
    expect_served(TARGET_RESPONSE_ONLY);
}

Test(targets, that_return_the_answer_with_a_delay)
{
    expect_served(TARGET_RETURNS_RESPONSE);
}

Test(targets, that_complete_at_once_with_a_delay)
{
    expect_served(TARGET_COMPLETES);
}

Test(targets, that_annotate_delays_on_backward_calls)
{
    expect_served(TARGET_ANNOTATES);
}

Test(targets, that_only_have_blocking_transport)
{
    expect_served(TARGET_BLOCKING);
}

Test(targets, that_refuse_are_told_from_those_that_serve)
{
    rig rig;
    rig_open(&rig, machine, foreign_target_new(TARGET_REFUSES), (hd_tlm_options){0});
    const char *fault = rig_run(&rig, 50000);
    cr_expect_not_null(fault, "the requester does not see the status");
    rig_close(&rig);
}

/* One answer at a time, and the next not before 25 cycles later. */
static const char narrow[] = "blocks:\n"
                             "  requester: {kind: example_requester, type: checking, clock: clk, parameters: "
                             "{requests: 100, outstanding: 6}}\n"
                             "  memory: {kind: foreign, type: target, clock: clk}\n"
                             "links:\n"
                             "  - {from: requester.memory, to: memory.port, credits: 4, response_credits: 1,\n"
                             "     response_credit_latency: 25 cycles}\n";

Test(targets, that_answer_faster_than_there_is_room_are_held_back)
{
    for (uint32_t style = 0; style < TARGET_REFUSES; style++) {
        rig rig;
        foreign_models *models = foreign_target_new(style);
        rig_open(&rig, narrow, models, (hd_tlm_options){.checked = 1});
        const char *fault = rig_run(&rig, 50000);
        cr_expect_null(fault, "style %u: %s", style, fault);
        cr_expect_geq(rig_count(&rig, "requester", "aligned_at"), 99 * 25000, "style %u", style);
        cr_expect_eq(foreign_target_violations(models), 0, "style %u", style);
        rig_close(&rig);
    }
}

Test(targets, that_break_the_protocol_are_named_with_socket_rule_transaction_and_time)
{
    rig rig;
    hd_time t = 0;
    foreign_models *models = foreign_target_new(TARGET_OVERLAPS);
    rig_open(&rig, narrow, models, (hd_tlm_options){.checked = 1});
    const char *fault = rig_run(&rig, 50000);
    static const char expected[] = "requester.memory to memory.port: response_exclusion (IEEE 1666-2011, 15.2.6 f): a "
                                   "response begins before the one before it has ended; transaction 2, a ";
    cr_expect_eq(strncmp(fault ? fault : "", expected, strlen(expected)), 0, "%s", fault);
    hd_engine_fault(rig.engine, &t, NULL);
    cr_expect_geq(t, 10000, "the target answers 10 ns after a request");
    cr_expect_leq(t, 30000);
    rig_close(&rig);
}

Test(targets, take_the_time_they_say_whatever_the_stretches_of_the_run)
{
    /* Somebody else who is busy must not make the engine run ahead of the memory. */
    static const char busy[] = "blocks:\n"
                               "  requester: {kind: example_requester, type: checking, clock: clk, parameters: "
                               "{requests: 100, outstanding: 6}}\n"
                               "  memory: {kind: foreign, type: target, clock: clk}\n"
                               "  source: {kind: example_source, type: random, clock: clk,\n"
                               "           parameters: {packets: 3000, first_destination: 2}}\n"
                               "  sink: {kind: example_sink, type: paced, clock: clk}\n"
                               "links:\n"
                               "  - {from: requester.memory, to: memory.port, credits: 1, response_credits: 2}\n"
                               "  - {from: source.out, to: sink.in}\n";
    uint64_t aligned[2];
    for (int i = 0; i < 2; i++) {
        rig rig;
        rig_open(&rig, busy, foreign_target_new(TARGET_BLOCKING), (hd_tlm_options){0});
        cr_expect_null(rig_run(&rig, i ? 777 : 1000000));
        aligned[i] = rig_count(&rig, "requester", "aligned_at");
        rig_close(&rig);
    }
    cr_expect_gt(aligned[0], 100 * 10000); /* one access at a time */
    cr_expect_eq(aligned[0], aligned[1]);
}
