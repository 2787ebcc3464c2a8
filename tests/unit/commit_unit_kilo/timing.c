/* SPDX-License-Identifier: MIT */
/* C12 and what else takes time: a word, or a packet, is taken per cycle; hazards are looked for word by word; one access leaves. */
#include "bench.h"

enum { TRANSACTIONS = 16 };

static void send_transactions(bench *bench, uint32_t reads, uint32_t writes)
{
    for (uint64_t id = 1; id <= TRANSACTIONS; id++) {
        for (uint32_t i = 0; i < reads; i++)
            send_read(bench, id, (uint32_t)id * 16 + i, 0, 0);
        for (uint32_t i = 0; i < writes; i++)
            send_write(bench, id, (uint32_t)id * 16 + 8 + i, 1, 0);
        send_done(bench, id, 0);
    }
}

/* From the first verdict to the last, in cycles. */
static uint64_t verdict_cycles(bench *bench, uint64_t last)
{
    settle(bench);
    cr_assert_eq(verdict_on(bench, last), 1);
    return (find(bench, HD_KILO_VERDICT, last)->t - find(bench, HD_KILO_VERDICT, 1)->t) / CYCLE;
}

Test(kilo_unit_time, independent_transactions_take_a_cycle_per_word_and_one_more)
{
    static const struct {
        uint32_t reads, writes;
    } cases[] = {{1, 0}, {0, 1}, {2, 2}, {4, 1}, {1, 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench *bench = bench_make(NULL);
        send_transactions(bench, cases[i].reads, cases[i].writes);
        const uint64_t expected = (TRANSACTIONS - 1) * (cases[i].reads + cases[i].writes + 1);
        const uint64_t cycles = verdict_cycles(bench, TRANSACTIONS);
        cr_expect(cycles + 2 >= expected && cycles <= expected + 2, "%u reads, %u writes: %llu cycles", cases[i].reads,
                  cases[i].writes, (unsigned long long)cycles);
        bench_destroy(bench);
    }
}

/* Skips cost a cycle each, in the input and in hazard detection. */
Test(kilo_unit_time, a_skip_takes_a_cycle)
{
    bench *bench = bench_make(NULL);
    send_write(bench, 1, 5, 1, 0);
    send_done(bench, 1, 0);
    for (uint64_t id = 2; id < 102; id++)
        send_skip(bench, id, 0);
    send_write(bench, 102, 6, 1, 0);
    send_done(bench, 102, 0);
    const uint64_t cycles = verdict_cycles(bench, 102);
    cr_expect(cycles >= 100 && cycles <= 104, "%llu", (unsigned long long)cycles);
    bench_destroy(bench);
}

/* Of a whole warp's packet, the words come together; hazards are the bottleneck then, unless they are looked for faster. */
Test(kilo_unit_time, hazards_may_be_looked_for_at_twice_the_clock)
{
    static const char *const rates[] = {"hazard.rate=1", "hazard.rate=2"};
    uint64_t cycles[2];
    for (uint32_t i = 0; i < 2; i++) {
        bench *bench = bench_make((const char *[]){"coalesce=128 B", rates[i], NULL});
        hd_kilo_word words[32];
        for (uint64_t first = 1; first < 1 + 32 * 4; first += 32) {
            for (uint32_t lane = 0; lane < 32; lane++)
                words[lane] =
                    (hd_kilo_word){.address = AT((uint32_t)first * 32 + lane), .lane = (uint8_t)lane, .byte_mask = 15};
            send_words(bench, HD_KILO_WRITE_SET, group_of(first, 32), words, 32, 0, 0);
            send_lanes(bench, HD_KILO_DONE_SKIP, group_of(first, 32), UINT32_MAX, UINT32_MAX, 0);
        }
        cycles[i] = verdict_cycles(bench, 128);
        bench_destroy(bench);
    }
    cr_expect(cycles[0] >= 250 && cycles[0] <= 258, "%llu", (unsigned long long)cycles[0]);
    cr_expect(cycles[1] >= 125 && cycles[1] <= 130, "%llu: a verdict per cycle", (unsigned long long)cycles[1]);
}

Test(kilo_unit_time, a_packet_is_taken_word_by_word_or_at_once)
{
    static const char *const ways[] = {"coalesce=0 B", "coalesce=32 B"};
    for (uint32_t i = 0; i < 2; i++) {
        bench *bench = bench_make((const char *[]){ways[i], NULL});
        hd_kilo_word words[8];
        for (uint32_t lane = 0; lane < 8; lane++)
            words[lane] = (hd_kilo_word){.address = AT(lane * 8), .lane = (uint8_t)lane, .byte_mask = 15};
        for (uint64_t first = 1; first < 65; first += 8)
            send_words(bench, HD_KILO_WRITE_SET, group_of(first, 8), words, 8, 0, 0);
        kit_run_until(bench->kit, 10 * CYCLE);
        cr_expect_eq(kit_statistic(bench->kit, "write_words"), i ? 64 : 10);
        bench_destroy(bench);
    }
}

/* Stores first; with two ports, a load beside them. */
Test(kilo_unit_time, an_access_leaves_per_cycle_or_one_of_each)
{
    static const char *const ways[] = {"dual_issue=false", "dual_issue=true"};
    for (uint32_t i = 0; i < 2; i++) {
        bench *bench = bench_make((const char *[]){ways[i], "coalesce=32 B", NULL});
        hd_kilo_word words[32];
        for (uint32_t lane = 0; lane < 32; lane++)
            words[lane] = (hd_kilo_word){.address = AT(8 * lane), .lane = (uint8_t)lane, .byte_mask = 15};
        send_words(bench, HD_KILO_WRITE_SET, group_of(1, 32), words, 32, 0, 0);
        send_lanes(bench, HD_KILO_DONE_SKIP, group_of(1, 32), UINT32_MAX, UINT32_MAX, 0);
        settle(bench);
        send_lanes(bench, HD_KILO_OUTCOME, group_of(1, 32), UINT32_MAX, UINT32_MAX, now(bench));
        kit_run_until(bench->kit, now(bench) + 33 * CYCLE); /* the pointer comes to the last of the warp */
        for (uint32_t lane = 0; lane < 32; lane++)
            words[lane].address = AT(512 + 8 * lane);
        send_words(bench, HD_KILO_READ_SET, group_of(33, 32), words, 32, 0, now(bench));
        settle(bench);
        cr_assert_eq(bench->access_count, 64);
        uint32_t mixed = 0;
        for (uint32_t k = 1; k < 64; k++)
            mixed += bench->accesses[k].t == bench->accesses[k - 1].t;
        cr_expect(i ? mixed > 16 : mixed == 0, "%u", mixed);
        cr_expect(bench->accesses[0].is_store);
        bench_destroy(bench);
    }
}

Test(kilo_unit_time, waits_for_credits_of_the_slice_and_of_the_network)
{
    bench *bench = bench_make(NULL);
    kit_hold_credits(bench->kit, PORT_ACCESS, 0, 1);
    kit_hold_credits(bench->kit, PORT_REPLY, 0, 1);
    for (uint64_t id = 1; id <= 70; id++) {
        send_read(bench, id, (uint32_t)id, 0, 0);
        send_done(bench, id, 0);
    }
    settle(bench);
    cr_expect_eq(bench->access_count, 64);
    cr_expect_eq(bench->heard_count, 64);
    kit_release_credits(bench->kit, PORT_ACCESS, 0, 64, now(bench));
    settle(bench);
    cr_expect_eq(bench->access_count, 70);
    cr_expect_eq(bench->heard_count, 64);
    kit_release_credits(bench->kit, PORT_REPLY, 0, 64, now(bench));
    settle(bench);
    cr_expect_eq(bench->heard_count, 70);
    cr_expect_gt(kit_statistic(bench->kit, "wait_cycles.slice"), 1800);
    cr_expect_gt(kit_statistic(bench->kit, "wait_cycles.reply"), 1800);
    const uint64_t waited = kit_statistic(bench->kit, "wait_cycles.slice");
    send_read(bench, 71, 71, 0, now(bench));
    send_done(bench, 71, now(bench));
    settle(bench);
    cr_expect_eq(kit_statistic(bench->kit, "wait_cycles.slice"), waited, "there are credits");
    bench_destroy(bench);
}

/* Of the machines of chapters 4 and 6 of the thesis: 650 and 700 MHz, with cores at 1300 and 1400. */
Test(kilo_unit_time, has_the_clock_of_its_machine)
{
    static const uint64_t clocks[] = {UINT64_C(650000000), UINT64_C(700000000)};
    for (uint32_t i = 0; i < 2; i++) {
        kit_block *kit = kit_create(&hd_commit_unit_kilo, NULL);
        kit_clock(kit, clocks[i]);
        kit_start(kit);
        bench bench = {.kit = kit};
        for (uint64_t id = 1; id <= 8; id++) { /* at edges of cores */
            send_write(&bench, id, 5, 1, hd_clock_edge((hd_clock){2 * clocks[i]}, 2 * id));
            send_done(&bench, id, hd_clock_edge((hd_clock){2 * clocks[i]}, 2 * id + 1));
        }
        kit_run_until(kit, 2000 * CYCLE);
        uint32_t count;
        const kit_event *events = kit_trace(kit, &count);
        cr_assert_eq(count, 8);
        for (uint32_t k = 0; k < count; k++) {
            const uint64_t n = hd_clock_index_at_or_after((hd_clock){clocks[i]}, events[k].t);
            cr_expect_eq(events[k].t, hd_clock_edge((hd_clock){clocks[i]}, n));
            cr_expect_eq(n, hd_clock_index_at_or_after((hd_clock){clocks[i]}, events[0].t) + 2 * k, "two words each");
        }
        kit_destroy(kit);
    }
}

/* More wait than there is room for at first, and the oldest is not in the first place. */
Test(kilo_unit, messages_that_have_waited_leave_in_their_order)
{
    enum { BEFORE = 5, ALL = 180 };
    bench *bench = bench_make(NULL);
    for (uint64_t id = 1; id <= ALL; id++) {
        if (id == BEFORE + 1) {
            settle(bench);
            kit_hold_credits(bench->kit, PORT_REPLY, 0, 1);
        }
        const hd_time t = now(bench);
        send_write(bench, id, 1, 0, t);
        send_done(bench, id, t);
    }
    settle(bench);
    kit_hold_credits(bench->kit, PORT_REPLY, 0, 0);
    kit_release_credits(bench->kit, PORT_REPLY, 0, ALL, now(bench));
    settle(bench);
    cr_assert_eq(bench->heard_count, ALL);
    for (uint32_t i = 0; i < ALL; i++)
        cr_expect_eq(bench->heard[i].lanes.group.first, i + 1, "message %u", i);
    bench_destroy(bench);
}
