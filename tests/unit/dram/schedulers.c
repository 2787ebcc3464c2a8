/* SPDX-License-Identifier: MIT */
/* Schedulers, page policies, and what is counted. */
#include "bench.h"

#define QUICK "latency=10 cycles", "trefi=0 ns"

/* An old conflict, then a stream of younger hits that never ends. Returns how many hits are answered before it. */
static uint32_t hits_before_the_conflict(const char *first, const char *second)
{
    enum { HITS = 60 };
    kit_block *kit = make_with((const char *[]){QUICK, first, second, NULL}, 64);
    read_at(kit, 0, BURST_BYTES, 1000, 0);
    read_at(kit, ROW_STRIDE, BURST_BYTES, 2000, CYCLE);
    for (uint32_t i = 0; i < HITS; i++)
        read_at(kit, (uint64_t)(i % 4) * BURST_BYTES, BURST_BYTES, i, 2 * CYCLE);
    kit_run_until(kit, 5000 * CYCLE);
    uint32_t before = 0;
    while (tag_of(kit, before + 1) != 2000)
        before++;
    kit_destroy(kit);
    return before;
}

Test(dram, younger_hits_overtake_a_conflict_up_to_the_cap)
{
    cr_expect_eq(hits_before_the_conflict("scheduler.starvation_cap=0", NULL), 60);
    cr_expect_eq(hits_before_the_conflict("scheduler.starvation_cap=1", NULL), 1);
    cr_expect_eq(hits_before_the_conflict("scheduler.starvation_cap=9", NULL), 9);
    cr_expect_eq(hits_before_the_conflict("scheduler.starvation_cap=60", NULL), 60);
    cr_expect_eq(hits_before_the_conflict("scheduler=fcfs", NULL), 0);
}

Test(dram, the_cap_counts_whom_it_serves_alone)
{
    kit_block *kit = make_with((const char *[]){QUICK, "scheduler.starvation_cap=2", NULL}, 64);
    read_at(kit, 0, BURST_BYTES, 0, 0);
    read_at(kit, ROW_STRIDE, BURST_BYTES, 1, CYCLE);
    for (uint32_t i = 0; i < 8; i++)
        read_at(kit, 0, BURST_BYTES, 2 + i, 2 * CYCLE);
    kit_run_until(kit, 5000 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "capped"), 1, "the six hits that come after it are in order");
    cr_expect_eq(kit_statistic(kit, "reads"), 10);
    kit_destroy(kit);
}

Test(dram, first_come_first_served_serves_in_order)
{
    kit_block *kit = make_with((const char *[]){QUICK, "scheduler=fcfs", NULL}, 64);
    uint64_t seed = 5;
    for (uint32_t i = 0; i < 200; i++)
        read_at(kit, kit_random(&seed) % 64 * 4096, BURST_BYTES, i, 0);
    kit_run_until(kit, 100000 * CYCLE);
    for (uint32_t i = 0; i < 200; i++)
        cr_assert_eq(tag_of(kit, i), i);
    kit_destroy(kit);
}

/* Reads of one bank, far apart in time: rows as given. Returns when the last one is answered after it came. */
static uint64_t last_of_rows(const char *policy, const char *history, const char *rows, kit_block **kept)
{
    kit_block *kit = make_with((const char *[]){QUICK, policy, history, NULL}, 64);
    const uint32_t count = (uint32_t)strlen(rows);
    for (uint32_t i = 0; i < count; i++)
        read_at(kit, (uint64_t)(rows[i] - 'a') * ROW_STRIDE, BURST_BYTES, i, (hd_time)i * 500 * CYCLE);
    kit_run_until(kit, (hd_time)(count + 1) * 500 * CYCLE);
    const uint64_t last = sent_at(kit, count - 1) - (uint64_t)(count - 1) * 500;
    if (kept)
        *kept = kit;
    else
        kit_destroy(kit);
    return last;
}

enum { HIT = TCL + BURST + LATENCY, CLOSED = TRCD + HIT, CONFLICT = TRP + CLOSED };

Test(dram, an_open_row_waits_for_its_next_hit)
{
    cr_expect_eq(last_of_rows("page_policy=open", NULL, "aa", NULL), HIT);
    cr_expect_eq(last_of_rows("page_policy=open", NULL, "ab", NULL), CONFLICT);
}

Test(dram, a_closed_policy_closes_with_the_last_column)
{
    kit_block *kit;
    cr_expect_eq(last_of_rows("page_policy=closed", NULL, "aa", NULL), CLOSED);
    cr_expect_eq(last_of_rows("page_policy=closed", NULL, "aab", &kit), CLOSED);
    cr_expect_eq(kit_statistic(kit, "page_closes"), 3);
    cr_expect_eq(kit_statistic(kit, "precharges"), 3);
    cr_expect_eq(kit_statistic(kit, "row_misses"), 3);
    cr_expect_eq(kit_statistic(kit, "row_conflicts"), 0);
    kit_destroy(kit);
}

Test(dram, a_row_that_is_waited_for_stays_open_until_the_last)
{
    kit_block *kit = make_with((const char *[]){QUICK, "page_policy=closed", NULL}, 64);
    for (uint32_t i = 0; i < 5; i++)
        read_at(kit, (uint64_t)(i % 4) * BURST_BYTES, BURST_BYTES, i, 0);
    read_at(kit, 0, 4 * BURST_BYTES, 5, 0); /* several bursts close the row once */
    kit_run_until(kit, 1000 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "activates"), 1);
    cr_expect_eq(kit_statistic(kit, "page_closes"), 1);
    kit_destroy(kit);
}

Test(dram, the_precharge_of_a_closed_page_keeps_tras_and_trtp)
{
    kit_block *kit = make_with((const char *[]){QUICK, "page_policy=closed", NULL}, 64);
    read_at(kit, 0, BURST_BYTES, 0, 0);
    read_at(kit, ROW_STRIDE, BURST_BYTES, 1, (TRCD + 1) * CYCLE); /* comes when the row is on its way to be closed */
    kit_run_until(kit, 1000 * CYCLE);
    cr_expect_eq(sent_at(kit, 1), TRC + CLOSED);
    kit_destroy(kit);
}

Test(dram, the_precharge_of_a_closed_page_keeps_twr)
{
    kit_block *kit = make_with((const char *[]){QUICK, "page_policy=closed", NULL}, 64);
    write_at(kit, 0, BURST_BYTES, 1, 0, 0);
    read_at(kit, ROW_STRIDE, BURST_BYTES, 1, (TRCD + 1) * CYCLE);
    kit_run_until(kit, 1000 * CYCLE);
    cr_expect_eq(sent_at(kit, 1), TRCD + TCWL + BURST + TWR + TRP + CLOSED);
    kit_destroy(kit);
}

Test(dram, an_adaptive_policy_does_as_was_right_before)
{
    cr_expect_eq(last_of_rows("page_policy=adaptive", "page_policy.history=3", "aa", NULL), HIT, "begins open");
    cr_expect_eq(last_of_rows("page_policy=adaptive", "page_policy.history=3", "abc", NULL), CLOSED, "wrong once");
    cr_expect_eq(last_of_rows("page_policy=adaptive", "page_policy.history=3", "aabc", NULL), CONFLICT, "right first");
    cr_expect_eq(last_of_rows("page_policy=adaptive", "page_policy.history=3", "abcccc", NULL), HIT, "right again");
    cr_expect_eq(last_of_rows("page_policy=adaptive", "page_policy.history=255", "abc", NULL), CLOSED);
    cr_expect_eq(last_of_rows("page_policy=adaptive", "page_policy.history=255", "aabc", NULL), CONFLICT,
                 "one right and one wrong: as at the beginning");
}

/* One row for each bucket: so many reads of a burst, then another row; a refresh closes the last. */
Test(dram, rows_that_are_closed_are_counted_by_the_bytes_they_moved)
{
    static const uint32_t reads[] = {1, 2, 4, 5, 16, 17, 64, 65};
    static const char *const buckets[] = {"row_bytes.to_64",   "row_bytes.to_256",  "row_bytes.to_256",
                                          "row_bytes.to_1024", "row_bytes.to_1024", "row_bytes.to_4096",
                                          "row_bytes.to_4096", "row_bytes.more"};
    static const char *const policies[] = {"page_policy=open", "page_policy=closed"};
    for (uint32_t p = 0; p < 2; p++)
        for (uint32_t i = 0; i < sizeof reads / sizeof *reads; i++) {
            kit_block *kit =
                make_with((const char *[]){"latency=10 cycles", "trefi=20 us", policies[p], "queue=64", NULL}, 64);
            for (uint32_t r = 0; r < reads[i]; r++)
                read_at(kit, r % 4 * BURST_BYTES, BURST_BYTES, r, 0);
            read_at(kit, INTERLEAVE, BURST_BYTES, 999, 21000 * CYCLE); /* finds the refresh */
            kit_run_until(kit, 22000 * CYCLE);
            cr_expect_geq(kit_statistic(kit, buckets[i]), 1, "%u reads: none in %s", reads[i], buckets[i]);
            cr_expect_eq(kit_statistic(kit, "precharges"), 1 + p);
            kit_destroy(kit);
        }
}

/* A counter of up to 2 or 4 begins at exactly half, and comes back to it after a wrong row and a right one. */
Test(dram, an_adaptive_policy_keeps_a_row_open_at_exactly_half)
{
    static const char *const histories[] = {"page_policy.history=2", "page_policy.history=4"};
    for (uint32_t i = 0; i < 2; i++) {
        cr_expect_eq(last_of_rows("page_policy=adaptive", histories[i], "aa", NULL), HIT);
        cr_expect_eq(last_of_rows("page_policy=adaptive", histories[i], "ab", NULL), CONFLICT);
        cr_expect_eq(last_of_rows("page_policy=adaptive", histories[i], "abc", NULL), CLOSED);
        cr_expect_eq(last_of_rows("page_policy=adaptive", histories[i], "abbb", NULL), HIT);
    }
}

Test(dram, counts_how_busy_banks_and_bus_are)
{
    kit_block *kit = make();
    read_at(kit, 0, BURST_BYTES, 0, 0);
    read_at(kit, INTERLEAVE, BURST_BYTES, 1, 0);
    write_at(kit, 2 * INTERLEAVE, BURST_BYTES, 1, 2, 300 * CYCLE);
    kit_run_until(kit, 1000 * CYCLE);
    /* The first bank until 26, the second from 1 to 6 later; the third alone. */
    const uint64_t first = TRCD + TCL + BURST, second = TRRD_S + first, third = TRCD + TCWL + BURST;
    cr_expect_eq(kit_statistic(kit, "busy_cycles"), second + third);
    cr_expect_eq(kit_statistic(kit, "bank_busy_cycles"), first + (second - 1) + third);
    cr_expect_eq(kit_statistic(kit, "bus_busy_cycles"), 3 * BURST);
    cr_expect_eq(kit_statistic(kit, "turnarounds"), 1);
    kit_destroy(kit);
}

#define DDR4                                                                                                           \
    "row_bytes=8 KiB", "bus_bytes=16 B", "burst=4 cycles", "tcl=16 cycles", "tcwl=12 cycles", "trcd=16 cycles",        \
        "trp=16 cycles", "tras=39 cycles", "trc=55 cycles", "trrd_s=4 cycles", "trrd_l=6 cycles", "tfaw=26 cycles",    \
        "tccd_s=4 cycles", "tccd_l=6 cycles", "twr=18 cycles", "twtr_s=3 cycles", "twtr_l=9 cycles", "trtp=9 cycles",  \
        "turnaround=2 cycles"

Test(dram, ddr4_2400_takes_36_20_and_52_cycles)
{
    enum { BURST_OF_8 = 64, ROW = 16 * 8192 };
    kit_block *kit = make_with((const char *[]){DDR4, "latency=0 cycles", "trefi=0 ns", NULL}, 64);
    read_at(kit, 0, BURST_OF_8, 0, 0);
    read_at(kit, BURST_OF_8, BURST_OF_8, 1, 1000 * CYCLE);
    read_at(kit, ROW, BURST_OF_8, 2, 2000 * CYCLE);
    kit_run_until(kit, 3000 * CYCLE);
    cr_expect_eq(sent_at(kit, 0), 36, "closed row");
    cr_expect_eq(sent_at(kit, 1) - 1000, 20, "row hit");
    cr_expect_eq(sent_at(kit, 2) - 2000, 52, "row conflict");
    kit_destroy(kit);
}

/* Cycles of so many reads of a burst, one after another or of rows at random. */
static double cycles_of_reads(uint32_t requests, uint32_t is_random)
{
    kit_block *kit = make_with((const char *[]){DDR4, "latency=0 cycles", "trefi=0 ns",
                                                "mapping=row column[..6] bank bank_group column[5..0]", NULL},
                               64);
    uint64_t seed = 9;
    for (uint32_t i = 0; i < requests; i++)
        read_at(kit, is_random ? kit_random(&seed) % (1 << 20) * 64 : (uint64_t)i * 64, 64, i, 0);
    kit_run_until(kit, (hd_time)requests * 100 * CYCLE);
    const double cycles = (double)sent_at(kit, requests - 1);
    kit_destroy(kit);
    return cycles;
}

Test(dram, ddr4_2400_streams_at_the_peak_and_jumps_at_tfaw)
{
    enum { REQUESTS = 2000 };
    const double stream = cycles_of_reads(REQUESTS, 0), jumps = cycles_of_reads(REQUESTS, 1);
    cr_expect(stream >= 4 * REQUESTS && stream < 1.02 * 4 * REQUESTS, "%f cycles of a burst each 4", stream);
    cr_expect(jumps > 0.98 * 26 / 4 * REQUESTS && jumps < 1.04 * 26 / 4 * REQUESTS, "%f, four rows each 26", jumps);
}
