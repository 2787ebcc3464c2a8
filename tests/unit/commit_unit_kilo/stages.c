/* SPDX-License-Identifier: MIT */
/* From logs to retirement: who waits for whom. C1 .. C14 are those of the specification of the unit. */
#include "bench.h"

/* C1 */
Test(kilo_unit, a_transaction_passes_commits_and_retires)
{
    bench *bench = bench_make(NULL);
    bench->memory[5] = 7;
    send_read(bench, 1, 5, 7, 0);
    send_write(bench, 1, 6, 8, 0);
    send_done(bench, 1, 0);
    settle(bench);
    cr_expect_eq(verdict_on(bench, 1), 1);
    cr_expect_eq(bench->memory[6], 0, "not before its outcome");
    cr_expect_eq(count_heard(bench, HD_KILO_COMMITTED), 0);
    send_outcome(bench, 1, 1, now(bench));
    settle(bench);
    cr_expect_eq(bench->memory[6], 8);
    cr_expect_not_null(find(bench, HD_KILO_COMMITTED, 1));
    cr_expect(is_idle(bench));
    cr_expect_eq(bench->heard[0].wire_bytes, HD_HEADER_WIRE_BYTES);
    cr_expect_eq(bench->heard[0].epoch, 2);
    cr_expect_eq(kit_statistic(bench->kit, "verdicts.pass"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "outcomes.commit"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "bytes.read_log"), 16);
    cr_expect_eq(kit_statistic(bench->kit, "bytes.write_log"), 16);
    cr_expect_eq(kit_statistic(bench->kit, "bytes.messages"), 4 * HD_HEADER_WIRE_BYTES);
    cr_expect_eq(kit_recorded_count(bench->kit, "verdict"), 1);
    cr_expect_eq(kit_recorded_count(bench->kit, "failure"), 0);
    cr_expect_eq(kit_recorded_count(bench->kit, "outcome"), 1);
    cr_expect_eq(kit_recorded_count(bench->kit, "validated"), 1);
    cr_expect_eq(kit_recorded_count(bench->kit, "written"), 1);
    cr_expect_eq(kit_recorded_count(bench->kit, "retired"), 1);
    cr_expect_eq(kit_recorded_count(bench->kit, "entries"), 2);
    bench_destroy(bench);
}

/* 1 writes what 2 has read. */
static bench *reader_behind_writer(uint32_t written)
{
    bench *bench = bench_make(NULL);
    bench->memory[5] = 7;
    send_write(bench, 1, 5, written, 0);
    send_done(bench, 1, 0);
    send_read(bench, 2, 5, 7, 0);
    send_done(bench, 2, 0);
    settle(bench);
    cr_expect_eq(verdict_on(bench, 1), 1);
    cr_expect_eq(verdict_on(bench, 2), -1, "it waits until 1 has retired");
    cr_expect_eq(kit_statistic(bench->kit, "hazards"), 1);
    cr_expect_eq(kit_recorded_count(bench->kit, "hazard"), 1);
    return bench;
}

/* C2 */
Test(kilo_unit, who_has_read_what_an_older_one_writes_fails)
{
    bench *bench = reader_behind_writer(9);
    send_outcome(bench, 1, 1, now(bench));
    settle(bench);
    cr_expect_eq(verdict_on(bench, 2), 0);
    cr_expect_gt(find(bench, HD_KILO_VERDICT, 2)->t, find(bench, HD_KILO_COMMITTED, 1)->t);
    cr_expect_eq(kit_statistic(bench->kit, "revalidations"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "changed_words"), 1);
    send_outcome(bench, 2, 0, now(bench));
    settle(bench);
    cr_expect(is_idle(bench));
    cr_expect_eq(kit_statistic(bench->kit, "verdicts.fail"), 1);
    cr_expect_eq(kit_recorded_count(bench->kit, "failure"), 1);
    bench_destroy(bench);
}

Test(kilo_unit, who_has_read_what_an_older_one_does_not_write_after_all_passes)
{
    bench *bench = reader_behind_writer(9);
    send_outcome(bench, 1, 0, now(bench));
    settle(bench);
    cr_expect_eq(verdict_on(bench, 2), 1);
    cr_expect_eq(kit_statistic(bench->kit, "outcomes.abort"), 1);
    cr_expect_gt(kit_statistic(bench->kit, "wait_cycles.writer"), 1900);
    bench_destroy(bench);
}

/* C14: it is values that count. */
Test(kilo_unit, a_word_that_is_written_with_what_it_was_has_not_changed)
{
    bench *bench = reader_behind_writer(7);
    send_outcome(bench, 1, 1, now(bench));
    settle(bench);
    cr_expect_eq(verdict_on(bench, 2), 1);
    bench_destroy(bench);
}

Test(kilo_unit, a_word_that_changes_and_changes_back_has_not_changed)
{
    bench *bench = bench_make(NULL);
    for (uint64_t id = 1; id <= 2; id++) {
        send_write(bench, id, 5, id == 1 ? 9 : 0, now(bench));
        send_done(bench, id, now(bench));
        send_outcome(bench, id, 1, now(bench) + 100 * CYCLE);
        settle(bench);
        cr_expect_eq(bench->memory[5], id == 1 ? 9 : 0);
    }
    send_read(bench, 3, 5, 0, now(bench));
    send_done(bench, 3, now(bench));
    settle(bench);
    cr_expect_eq(verdict_on(bench, 3), 1);
    bench_destroy(bench);
}

/* C3 */
Test(kilo_unit, writes_are_in_the_order_of_ids)
{
    bench *bench = bench_make(NULL);
    for (uint64_t id = 2; id >= 1; id--) {
        send_write(bench, id, 5, 100 + (uint32_t)id, 0);
        send_done(bench, id, 0);
    }
    settle(bench);
    send_outcome(bench, 2, 1, now(bench));
    settle(bench);
    cr_expect_eq(bench->memory[5], 0, "1 is not decided");
    cr_expect_gt(kit_statistic(bench->kit, "wait_cycles.outcome"), 1900);
    send_outcome(bench, 1, 1, now(bench));
    settle(bench);
    cr_expect_eq(bench->memory[5], 102);
    cr_expect_eq(kit_statistic(bench->kit, "verdicts.fail"), 0, "nobody fails because of that");
    bench_destroy(bench);
}

/* C4 */
Test(kilo_unit, what_an_older_one_has_read_is_not_written_before_it_is_validated)
{
    bench *bench = bench_make(NULL);
    bench->slow_address = AT(5);
    bench->slow = 500;
    send_read(bench, 1, 5, 0, 0);
    send_done(bench, 1, 0);
    send_write(bench, 2, 5, 9, 0);
    send_done(bench, 2, 0);
    kit_run_until(bench->kit, 400 * CYCLE);
    cr_expect_eq(bench->access_count, 1);
    settle(bench);
    cr_expect_eq(verdict_on(bench, 1), 1);
    send_outcome(bench, 2, 1, now(bench));
    settle(bench);
    cr_expect_eq(bench->memory[5], 0);
    send_outcome(bench, 1, 1, now(bench));
    settle(bench);
    cr_expect_eq(bench->memory[5], 9);
    cr_expect_gt(kit_statistic(bench->kit, "wait_cycles.validation"), 0);
    bench_destroy(bench);
}

/* C5 */
Test(kilo_unit, ids_come_in_any_order_and_all_must_come)
{
    bench *bench = bench_make(NULL);
    send_write(bench, 5, 1, 50, 0);
    send_done(bench, 5, 0);
    send_skip(bench, 3, 0);
    send_skip(bench, 4, 0);
    settle(bench);
    cr_expect_eq(kit_statistic(bench->kit, "entries_maximum"), 5);
    cr_expect_eq(verdict_on(bench, 5), -1, "of 1 and 2 nothing is known");
    cr_expect_gt(kit_statistic(bench->kit, "wait_cycles.log"), 1900);
    send_skip(bench, 2, now(bench));
    send_skip(bench, 1, now(bench));
    send_outcome(bench, 5, 1, now(bench) + 500 * CYCLE);
    settle(bench);
    cr_expect_eq(verdict_on(bench, 5), 1);
    cr_expect_eq(bench->memory[1], 50);
    cr_expect(is_idle(bench));
    cr_expect_eq(kit_statistic(bench->kit, "skips"), 4);
    bench_destroy(bench);
}

/* C6 */
Test(kilo_unit, a_writer_of_which_nothing_was_known_when_a_reader_was_validated_is_found)
{
    bench *bench = bench_make(NULL);
    send_read(bench, 2, 5, 0, 0);
    send_done(bench, 2, 0);
    settle(bench);
    cr_expect_eq(verdict_on(bench, 2), -1);
    send_write(bench, 1, 5, 9, now(bench));
    send_done(bench, 1, now(bench));
    settle(bench);
    cr_expect_eq(verdict_on(bench, 1), 1);
    cr_expect_eq(verdict_on(bench, 2), -1);
    send_outcome(bench, 1, 1, now(bench));
    settle(bench);
    cr_expect_eq(verdict_on(bench, 2), 0);
    bench_destroy(bench);
}

/* Whoever has retired when validation begins is in memory. */
Test(kilo_unit, a_writer_that_has_retired_is_no_hazard)
{
    bench *bench = bench_make(NULL);
    send_write(bench, 1, 5, 9, 0);
    send_done(bench, 1, 0);
    send_outcome(bench, 1, 1, 100 * CYCLE);
    settle(bench);
    send_read(bench, 2, 5, 9, now(bench));
    send_done(bench, 2, now(bench));
    settle(bench);
    cr_expect_eq(verdict_on(bench, 2), 1);
    cr_expect_eq(kit_statistic(bench->kit, "hazards"), 0);
    cr_expect_eq(kit_statistic(bench->kit, "history.hits"), 1);
    bench_destroy(bench);
}

/* C7 */
Test(kilo_unit, who_passes_here_and_fails_elsewhere_writes_nothing)
{
    bench *bench = bench_make(NULL);
    send_write(bench, 1, 5, 9, 0);
    send_done(bench, 1, 0);
    settle(bench);
    send_outcome(bench, 1, 0, now(bench));
    settle(bench);
    cr_expect_eq(bench->access_count, 0);
    cr_expect_eq(count_heard(bench, HD_KILO_COMMITTED), 0);
    cr_expect(is_idle(bench));
    bench_destroy(bench);
}

/* C8 */
Test(kilo_unit, readers_are_not_told_that_they_have_written)
{
    bench *bench = bench_make(NULL);
    send_read(bench, 1, 5, 0, 0);
    send_done(bench, 1, 0);
    settle(bench);
    send_outcome(bench, 1, 1, now(bench));
    settle(bench);
    cr_expect_eq(count_heard(bench, HD_KILO_COMMITTED), 0);
    cr_expect(is_idle(bench));
    bench_destroy(bench);
}

/* C10: a table of one entry and a filter of one bucket. */
Test(kilo_unit, a_mistake_of_the_filter_only_delays)
{
    bench *bench = bench_make((const char *[]){"history=lwh", "history.entries=1", "history.ways=1", "history.filter=1",
                                               "history.subarrays=1", NULL});
    send_write(bench, 1, 5, 9, 0);
    send_write(bench, 1, 6, 9, 0);
    send_done(bench, 1, 0);
    send_read(bench, 2, 7, 0, 0);
    send_done(bench, 2, 0);
    settle(bench);
    cr_expect_eq(verdict_on(bench, 2), -1);
    cr_expect_eq(kit_statistic(bench->kit, "history.evictions"), 1);
    send_outcome(bench, 1, 1, now(bench));
    settle(bench);
    cr_expect_eq(verdict_on(bench, 2), 1);
    bench_destroy(bench);
}

/* C11 */
Test(kilo_unit, who_waits_for_a_writer_holds_up_younger_ones_until_it_is_validated_again)
{
    bench *bench = reader_behind_writer(7);
    send_write(bench, 3, 9, 1, now(bench));
    send_done(bench, 3, now(bench));
    settle(bench);
    cr_expect_eq(verdict_on(bench, 3), -1);
    bench->slow_address = AT(5);
    bench->slow = 300;
    send_outcome(bench, 1, 1, now(bench));
    settle(bench);
    cr_expect_eq(verdict_on(bench, 2), 1);
    cr_expect_eq(verdict_on(bench, 3), 1);
    cr_expect_gt(find(bench, HD_KILO_VERDICT, 2)->t, find(bench, HD_KILO_VERDICT, 3)->t + 250 * CYCLE);
    bench_destroy(bench);
}

/* C13 */
Test(kilo_unit, two_values_of_one_word_never_pass)
{
    bench *bench = bench_make(NULL);
    send_read(bench, 1, 5, 0, 0);
    send_read(bench, 1, 5, 1, 0);
    send_done(bench, 1, 0);
    settle(bench);
    cr_expect_eq(verdict_on(bench, 1), 0);
    send_outcome(bench, 1, 0, now(bench));
    settle(bench);
    cr_expect(is_idle(bench));
    bench_destroy(bench);
}

/* What has failed needs no second look, even if there is a hazard. */
Test(kilo_unit, who_has_failed_is_not_validated_again)
{
    bench *bench = bench_make(NULL);
    send_write(bench, 1, 5, 9, 0);
    send_done(bench, 1, 0);
    send_read(bench, 2, 5, 3, 0);
    send_done(bench, 2, 0);
    settle(bench);
    cr_expect_eq(verdict_on(bench, 2), 0, "it need not wait for 1");
    cr_expect_eq(kit_statistic(bench->kit, "revalidations"), 0);
    bench_destroy(bench);
}

/* Failed ones leave no writers behind: they may retire at once. */
Test(kilo_unit, what_a_failed_one_would_have_written_is_no_hazard)
{
    bench *bench = bench_make(NULL);
    send_read(bench, 1, 4, 3, 0);
    send_write(bench, 1, 5, 9, 0);
    send_done(bench, 1, 0);
    settle(bench);
    cr_expect_eq(verdict_on(bench, 1), 0);
    send_read(bench, 2, 5, 0, now(bench));
    send_done(bench, 2, now(bench));
    settle(bench);
    cr_expect_eq(verdict_on(bench, 2), 1);
    send_outcome(bench, 1, 0, now(bench));
    send_outcome(bench, 2, 1, now(bench));
    settle(bench);
    cr_expect(is_idle(bench));
    bench_destroy(bench);
}

Test(kilo_unit, only_bytes_that_count_are_compared_and_written)
{
    bench *bench = bench_make(NULL);
    bench->memory[5] = 0x11223344;
    const hd_kilo_word read = {.address = AT(5), .value = 0xFFFF3344, .byte_mask = 3};
    const hd_kilo_word write = {.address = AT(5), .value = 0xAABBCCDD, .byte_mask = 4};
    send_words(bench, HD_KILO_READ_SET, group_of(1, 1), &read, 1, 0, 0);
    send_words(bench, HD_KILO_WRITE_SET, group_of(1, 1), &write, 1, 0, 0);
    send_done(bench, 1, 0);
    send_outcome(bench, 1, 1, 200 * CYCLE);
    settle(bench);
    cr_expect_eq(verdict_on(bench, 1), 1);
    cr_expect_eq(bench->memory[5], 0x11BB3344);
    bench_destroy(bench);
}

/* The four ways of counting buffers: 1 skips, 2 has read, 3 has read and written. */
Test(kilo_unit, buffers_are_counted_in_four_ways)
{
    bench *bench = bench_make(NULL);
    send_read(bench, 2, 5, 0, 0);
    send_done(bench, 2, 0);
    send_read(bench, 3, 6, 0, 0);
    send_write(bench, 3, 7, 0, 0);
    send_done(bench, 3, 0);
    kit_run_until(bench->kit, 100 * CYCLE);
    cr_expect_eq(kit_statistic(bench->kit, "entries_maximum"), 3);
    cr_expect_eq(kit_statistic(bench->kit, "buffers_maximum.all"), 6);
    cr_expect_eq(kit_statistic(bench->kit, "buffers_maximum.accessed"), 4);
    cr_expect_eq(kit_statistic(bench->kit, "buffers_maximum.used"), 3);
    cr_expect_eq(kit_statistic(bench->kit, "buffers_maximum.needed"), 3);
    send_skip(bench, 1, now(bench));
    kit_run_until(bench->kit, 200 * CYCLE);
    const uint64_t used = kit_statistic(bench->kit, "buffer_cycles.used");
    const uint64_t needed = kit_statistic(bench->kit, "buffer_cycles.needed");
    const uint64_t entries = kit_statistic(bench->kit, "entry_cycles");
    const uint64_t accessed = kit_statistic(bench->kit, "buffer_cycles.accessed");
    kit_run_until(bench->kit, 300 * CYCLE);
    cr_expect_eq(kit_statistic(bench->kit, "buffer_cycles.used") - used, 300);
    cr_expect_eq(kit_statistic(bench->kit, "buffer_cycles.needed") - needed, 100, "a write set alone");
    cr_expect_eq(kit_statistic(bench->kit, "entry_cycles") - entries, 200, "1 has retired");
    cr_expect_eq(kit_statistic(bench->kit, "buffer_cycles.accessed") - accessed, 400);
    cr_expect_gt(kit_statistic(bench->kit, "buffer_cycles.accessed"), used);
    cr_expect_gt(kit_statistic(bench->kit, "buffer_cycles.all"), kit_statistic(bench->kit, "buffer_cycles.accessed"));
    cr_expect_eq(kit_statistic(bench->kit, "sets"), 3);
    bench_destroy(bench);
}
