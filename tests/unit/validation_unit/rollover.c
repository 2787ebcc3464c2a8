/* SPDX-License-Identifier: MIT */
/* Clocks begin anew. */
#include "bench.h"

static const char *const small[] = {"clock_bits=6", "rollover_margin=8", NULL};

static void answer(bench *bench, hd_time t)
{
    hd_packet *packet = kit_packet(bench->kit, HD_GETM_ROLLED_OVER, 0);
    packet->source = CORE;
    kit_send(bench->kit, PORT_REQUEST, 0, packet, t);
}

/* The oldest packet on the port is of this message. */
static hd_packet *expect_packet(bench *bench, uint32_t port, const char *message)
{
    hd_packet *packet = kit_receive(bench->kit, port, 0, kit_now(bench->kit));
    cr_assert_not_null(packet, "%s", message);
    cr_expect_str_eq(kit_message_name(bench->kit, packet->message), message);
    return packet;
}

static void expect_message(bench *bench, uint32_t port, const char *message)
{
    kit_free(bench->kit, expect_packet(bench, port, message));
}

Test(validation_unit_rollover, alone)
{
    bench *bench = bench_make(small);
    store_now(bench, 1, 55, G(1));
    expect_waits(load_now(bench, 2, 56, G(1))); /* 64 - 8 */
    expect_message(bench, PORT_REPLY, HD_GETM_ROLLOVER);
    const uint64_t lost = ask_load(bench, 3, 1, 20, G(2), kit_now(bench->kit));
    settle(bench);
    expect_waits(outcome_of(bench, lost));
    answer(bench, kit_now(bench->kit));
    settle(bench);
    expect_message(bench, PORT_REPLY, HD_GETM_ROLLOVER_END);
    cr_expect_null(entry_of(bench, G(1)));
    const uint64_t old = ask_load(bench, 3, 1, 20, G(2), kit_now(bench->kit));
    settle(bench);
    expect_waits(outcome_of(bench, old));
    bench->era = 1;
    expect_ok(store_now(bench, 2, 0, G(1)), 'S');
    cr_expect_eq(kit_statistic(bench->kit, "rollovers"), 1);
    cr_expect_eq(kit_recorded_count(bench->kit, "rollover"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "discarded"), 3);
    cr_expect_gt(kit_statistic(bench->kit, "rollover_cycles"), 1900);
    bench_destroy(bench);
}

Test(validation_unit_rollover, waits_for_loads_on_their_way)
{
    bench *bench = bench_make(small);
    bench->holds_loads = 1;
    load_now(bench, 2, 60, G(1));
    expect_message(bench, PORT_REPLY, HD_GETM_ROLLOVER);
    answer(bench, kit_now(bench->kit));
    settle(bench);
    cr_expect_null(kit_receive(bench->kit, PORT_REPLY, 0, kit_now(bench->kit)));
    slice_takes(bench);
    settle(bench);
    expect_message(bench, PORT_REPLY, HD_GETM_ROLLOVER_END);
    bench_destroy(bench);
}

static void send_round(bench *bench, const char *message, uint32_t index)
{
    hd_packet *packet = kit_packet(bench->kit, message, 0);
    packet->argument = index;
    kit_send(bench->kit, PORT_PREVIOUS, 0, packet, kit_now(bench->kit));
    settle(bench);
}

static uint32_t taken_index(bench *bench, const char *message)
{
    hd_packet *packet = expect_packet(bench, PORT_NEXT, message);
    const uint32_t index = packet->argument;
    kit_free(bench->kit, packet);
    return index;
}

Test(validation_unit_rollover, of_another_unit)
{
    bench *bench = bench_make(small);
    bench->breaks_ring = 1;
    store_now(bench, 1, 5, G(1));
    send_round(bench, HD_GETM_RING_STOP, 2);
    cr_expect_eq(taken_index(bench, HD_GETM_RING_STOP), 2);
    expect_waits(load_now(bench, 2, 6, G(2)));
    commit(bench, 1, 1, G(1), 1); /* logs drain meanwhile */
    send_round(bench, HD_GETM_RING_GO, 2);
    cr_expect_eq(taken_index(bench, HD_GETM_RING_GO), 2);
    bench->era = 1;
    expect_ok(load_now(bench, 2, 0, G(2)), 'L');
    cr_expect_eq(kit_statistic(bench->kit, "rollovers"), 0);
    cr_expect_gt(kit_statistic(bench->kit, "rollover_cycles"), 0);
    bench_destroy(bench);
}

/* This unit is number 0: it wins against all others. */
Test(validation_unit_rollover, the_lowest_index_wins)
{
    bench *bench = bench_make(small);
    bench->breaks_ring = 1;
    load_now(bench, 2, 60, G(1));
    cr_expect_eq(taken_index(bench, HD_GETM_RING_STOP), 0);
    send_round(bench, HD_GETM_RING_STOP, 2);
    cr_expect_null(kit_receive(bench->kit, PORT_NEXT, 0, kit_now(bench->kit)), "what another has begun ends here");
    send_round(bench, HD_GETM_RING_STOP, 0);
    expect_message(bench, PORT_REPLY, HD_GETM_ROLLOVER);
    answer(bench, kit_now(bench->kit));
    settle(bench);
    cr_expect_eq(taken_index(bench, HD_GETM_RING_GO), 0);
    cr_expect_null(kit_receive(bench->kit, PORT_REPLY, 0, kit_now(bench->kit)));
    send_round(bench, HD_GETM_RING_GO, 0);
    expect_message(bench, PORT_REPLY, HD_GETM_ROLLOVER_END);
    bench_destroy(bench);
}

Test(validation_unit_rollover, a_clock_that_does_not_fit_is_a_fault)
{
    bench *bench = bench_make(small);
    kit_expect_fault(bench->kit);
    load_now(bench, 1, 64, G(1));
    cr_expect_str_eq(kit_fault_text(bench->kit), "block: clock 64 does not fit: rollover_margin is too small");
    bench_destroy(bench);
}

Test(validation_unit_rollover, warp_bits_are_not_clock)
{
    bench *bench = bench_make((const char *[]){"clock_bits=6", "rollover_margin=8", "warp_bits=4", NULL});
    expect_ok(load_now(bench, 1, 55 << 4 | 15, G(1)), 'L');
    cr_expect_eq(kit_statistic(bench->kit, "clock_maximum"), 55);
    bench_destroy(bench);
}

Test(validation_unit_rollover, alignment_is_one_too)
{
    bench *bench = bench_make(NULL);
    load_now(bench, 1, 50, G(1));
    kit_align(bench->kit);
    bench->era = 1;
    expect_ok(store_now(bench, 2, 0, G(1)), 'S');
    kit_expect_fault(bench->kit);
    kit_align(bench->kit);
    settle(bench);
    cr_expect_not_null(strstr(kit_fault_text(bench->kit), "I10"));
    bench_destroy(bench);
}
