/* SPDX-License-Identifier: MIT */
#include "bench.h"

/* A line is two bursts of one bank, tCCDL apart. */
enum { LINE_COLUMNS = TCCD_L, MISS = TRCD, READ_DATA = TCL + BURST, WRITE_DATA = TCWL + BURST };

Test(dram, a_lone_read_of_a_line_takes_what_the_parameters_say)
{
    kit_block *kit = make();
    read_at(kit, 0, LINE, 1, 0);
    kit_run_until(kit, 1000 * CYCLE);
    cr_expect_eq(sent_at(kit, 0), MISS + LINE_COLUMNS + READ_DATA + LATENCY);
    cr_expect_eq(kit_statistic(kit, "row_misses"), 1);
    cr_expect_eq(kit_statistic(kit, "activates"), 1);
    cr_expect_eq(kit_statistic(kit, "reads"), 1);
    cr_expect_eq(kit_statistic(kit, "bytes_read"), LINE);
    cr_expect_eq(kit_statistic(kit, "bus_busy_cycles"), 2 * BURST);
    cr_expect_eq(kit_statistic(kit, "queueing_cycles"), MISS + LINE_COLUMNS);
    cr_expect_eq(kit_next(kit), HD_NEVER);
    kit_destroy(kit);
}

Test(dram, a_read_that_hits_the_open_row_saves_the_activate)
{
    kit_block *kit = make();
    read_at(kit, 0, LINE, 1, 0);
    read_at(kit, LINE, LINE, 2, 500 * CYCLE);
    kit_run_until(kit, 1000 * CYCLE);
    cr_expect_eq(sent_at(kit, 1), 500 + LINE_COLUMNS + READ_DATA + LATENCY);
    cr_expect_eq(kit_statistic(kit, "row_hits"), 1);
    kit_destroy(kit);
}

Test(dram, a_read_of_another_row_pays_precharge_and_activate)
{
    kit_block *kit = make();
    read_at(kit, 0, LINE, 1, 0);
    read_at(kit, ROW_STRIDE, LINE, 2, 500 * CYCLE);
    kit_run_until(kit, 1000 * CYCLE);
    cr_expect_eq(sent_at(kit, 1), 500 + TRP + MISS + LINE_COLUMNS + READ_DATA + LATENCY);
    cr_expect_eq(kit_statistic(kit, "row_conflicts"), 1);
    cr_expect_eq(kit_statistic(kit, "precharges"), 1);
    cr_expect_eq(kit_statistic(kit, "activates"), 2);
    cr_expect_eq(kit_statistic(kit, "read_commands"), 2 * LINE / BURST_BYTES);
    cr_expect_eq(kit_statistic(kit, "write_commands"), 0);
    kit_destroy(kit);
}

Test(dram, writes_are_commands_of_their_own)
{
    kit_block *kit = make();
    write_at(kit, 0, LINE + BURST_BYTES, 7, 1, 0);
    kit_run_until(kit, 500 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "write_commands"), 3);
    cr_expect_eq(kit_statistic(kit, "read_commands"), 0);
    kit_destroy(kit);
}

Test(dram, a_lone_write_is_acknowledged_when_its_data_are_in)
{
    kit_block *kit = make();
    write_at(kit, 0, LINE, 7, 1, 0);
    kit_run_until(kit, 1000 * CYCLE);
    cr_expect_eq(sent_at(kit, 0), MISS + LINE_COLUMNS + WRITE_DATA + LATENCY);
    cr_expect_eq(kit_statistic(kit, "writes"), 1);
    cr_expect_eq(kit_statistic(kit, "bytes_written"), LINE);
    kit_destroy(kit);
}

Test(dram, a_stream_over_all_banks_saturates_the_bus)
{
    enum { LINES = 400 };
    kit_block *kit = make();
    for (uint32_t i = 0; i < LINES; i++)
        read_at(kit, (uint64_t)i * LINE, LINE, i, 0);
    kit_run_until(kit, 10000 * CYCLE);
    /* 32 bytes a cycle: four cycles a line, after the first row has opened. */
    const uint64_t cycles = sent_at(kit, LINES - 1) - LATENCY;
    cr_expect_geq(cycles, LINES * LINE / 32);
    cr_expect_leq(cycles, LINES * LINE / 32 + MISS + READ_DATA + 16, "%llu cycles", (unsigned long long)cycles);
    cr_expect_eq(kit_statistic(kit, "bus_busy_cycles"), LINES * LINE / 32);
    cr_expect_eq(
        kit_statistic(kit, "row_misses") + kit_statistic(kit, "row_hits") + kit_statistic(kit, "row_conflicts"), LINES);
    cr_expect_eq(kit_statistic(kit, "queue_maximum"), 32);
    kit_destroy(kit);
}

Test(dram, a_stream_inside_one_bank_is_bound_by_tccd_l)
{
    enum { LINES = 16 };
    kit_block *kit =
        make_with((const char *[]){"latency=10 cycles", "trefi=0 ns", "mapping=row bank bank_group column", NULL}, 64);
    for (uint32_t i = 0; i < LINES; i++)
        read_at(kit, (uint64_t)i * LINE, LINE, i, 0);
    kit_run_until(kit, 10000 * CYCLE);
    cr_expect_eq(sent_at(kit, LINES - 1), MISS + (2 * LINES - 1) * TCCD_L + READ_DATA + LATENCY);
    kit_destroy(kit);
}

Test(dram, row_hits_overtake_an_older_conflict)
{
    kit_block *kit = make();
    read_at(kit, 0, LINE, 1, 0);
    read_at(kit, ROW_STRIDE, LINE, 2, CYCLE);
    read_at(kit, LINE, LINE, 3, 2 * CYCLE);
    kit_run_until(kit, 1000 * CYCLE);
    cr_expect_eq(tag_of(kit, 0), 1);
    cr_expect_eq(tag_of(kit, 1), 3);
    cr_expect_eq(tag_of(kit, 2), 2);
    kit_destroy(kit);
}

Test(dram, among_hits_the_oldest_goes_first)
{
    kit_block *kit = make();
    for (uint64_t i = 0; i < 2; i++)
        read_at(kit, (1 - i) * LINE, LINE, i, i * CYCLE);
    kit_run_until(kit, 1000 * CYCLE);
    cr_expect_eq(tag_of(kit, 0), 0);
    cr_expect_eq(tag_of(kit, 1), 1);
    kit_destroy(kit);
}

Test(dram, a_row_opened_before_the_refresh_is_closed_after_it)
{
    kit_block *kit = make_with((const char *[]){"latency=10 cycles", "trefi=1 us", "trfc=60 ns", NULL}, 8);
    read_at(kit, 0, LINE, 1, 0);
    read_at(kit, LINE, LINE, 2, 1010 * CYCLE); /* during the refresh at 1000 */
    kit_run_until(kit, 5000 * CYCLE);
    cr_expect_eq(sent_at(kit, 1), 1000 + TRP + 60 + MISS + LINE_COLUMNS + READ_DATA + LATENCY);
    cr_expect_eq(kit_statistic(kit, "refreshes"), 1);
    cr_expect_eq(kit_statistic(kit, "row_misses"), 2);
    kit_destroy(kit);
}

Test(dram, is_not_called_while_it_is_idle)
{
    kit_block *kit = make_with(NULL, 8);
    read_at(kit, 0, LINE, 1, 0);
    kit_run_until(kit, 1000 * CYCLE);
    const uint64_t calls = kit_calls(kit);
    kit_run_until(kit, UINT64_C(1000000000) * CYCLE);
    cr_expect_leq(kit_calls(kit), calls + 1);
    read_at(kit, 0, LINE, 2, UINT64_C(1000000000) * CYCLE);
    kit_run_until(kit, UINT64_C(1000001000) * CYCLE);
    cr_expect_eq(kit_statistic(kit, "refreshes"), UINT64_C(1000000000) / 3900);
    kit_destroy(kit);
}

Test(dram, starts_again_when_aligned)
{
    kit_block *kit = make_with((const char *[]){"latency=10 cycles", "trefi=1 us", NULL}, 8);
    read_at(kit, 0, LINE, 1, 0);
    kit_run_until(kit, 700 * CYCLE);
    kit_align(kit);
    read_at(kit, LINE, LINE, 2, 1100 * CYCLE); /* the first refresh is now due at 1700 */
    kit_run_until(kit, 1600 * CYCLE);
    cr_expect_eq(sent_at(kit, 1), 1100 + MISS + LINE_COLUMNS + READ_DATA + LATENCY);
    cr_expect_eq(kit_statistic(kit, "refreshes"), 0);
    const hd_mark *mark = hd_dram_banked.extension(kit_instance(kit), HD_EXTENSION_MARK);
    cr_expect_eq(kit_statistic(kit, "queue_maximum"), 1);
    mark->mark(kit_instance(kit));
    cr_expect_eq(kit_statistic(kit, "queue_maximum"), 0);
    kit_destroy(kit);
}

Test(dram, stops_when_its_responses_find_no_credit)
{
    enum { CREDITS = 2, RESPONSES = 3, QUEUE = 4 };
    kit_block *kit =
        make_with((const char *[]){"latency=10 cycles", "trefi=0 ns", "responses=3", "queue=4", NULL}, CREDITS);
    kit_hold_credits(kit, ACCESS, 0, 1);
    for (uint32_t i = 0; i < 20; i++)
        read_at(kit, (uint64_t)i * LINE, LINE, i, 0);
    kit_run_until(kit, 5000 * CYCLE);
    cr_expect_eq(kit_waiting(kit, ACCESS, 0), CREDITS);
    cr_expect_eq(kit_next(kit), HD_NEVER);
    cr_expect_leq(kit_statistic(kit, "reads"), CREDITS + RESPONSES);
    cr_expect_leq(kit_statistic(kit, "queue_maximum"), QUEUE);
    const hd_pending *pending = hd_dram_banked.extension(kit_instance(kit), HD_EXTENSION_PENDING);
    cr_expect(pending->has_work(kit_instance(kit)));

    kit_hold_credits(kit, ACCESS, 0, 0);
    kit_release_credits(kit, ACCESS, 0, CREDITS, 5000 * CYCLE);
    kit_run_until(kit, 9000 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "reads"), 20);
    cr_expect_gt(kit_statistic(kit, "response_stall_cycles"), 4000);
    cr_expect_not(pending->has_work(kit_instance(kit)));
    kit_destroy(kit);
}

Test(dram, closed_banks_that_wait_together_are_activated_trrd_apart)
{
    kit_block *kit = make();
    for (uint32_t i = 0; i < 3; i++)
        read_at(kit, (uint64_t)i * INTERLEAVE, BURST_BYTES, i, 0);
    kit_run_until(kit, 1000 * CYCLE);
    cr_expect_eq(sent_at(kit, 0), MISS + READ_DATA + LATENCY);
    cr_expect_eq(sent_at(kit, 1), TRRD_S + MISS + READ_DATA + LATENCY);
    /* The cycle in which the third may be activated belongs to the first's column command. */
    cr_expect_eq(MISS, 2 * TRRD_S);
    cr_expect_eq(sent_at(kit, 2), 2 * TRRD_S + 1 + MISS + READ_DATA + LATENCY);
    kit_destroy(kit);
}

Test(dram, a_request_over_two_chunks_opens_a_row_in_each_bank)
{
    kit_block *kit = make();
    read_at(kit, INTERLEAVE - BURST_BYTES, 2 * BURST_BYTES, 1, 0);
    kit_run_until(kit, 1000 * CYCLE);
    /* The second activate comes in the cycle after the first burst's column command. */
    cr_expect_eq(sent_at(kit, 0), MISS + 1 + MISS + READ_DATA + LATENCY);
    cr_expect_eq(kit_statistic(kit, "activates"), 2);
    kit_destroy(kit);
}

Test(dram, a_read_waits_for_the_older_write_of_its_last_bytes_only)
{
    kit_block *kit = make();
    write_at(kit, 4 * INTERLEAVE, BURST_BYTES, 7, 1, 0);
    read_at(kit, 4 * INTERLEAVE - BURST_BYTES, 2 * BURST_BYTES, 2, 0);
    kit_run_until(kit, 1000 * CYCLE);
    /* Its own bank is activated in the cycle after the write's column command; the row of the write is open then. */
    cr_expect_eq(sent_at(kit, 1), MISS + 1 + MISS + TCCD_S + READ_DATA + LATENCY);
    cr_expect_eq(kit_statistic(kit, "activates"), 2);
    kit_destroy(kit);
}
