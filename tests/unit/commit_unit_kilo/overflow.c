/* SPDX-License-Identifier: MIT */
/* C15: sets that do not fit what the unit keeps are sent again; entries that do not fit the ring are waited for by the vendor. */
#include "bench.h"

enum { LENGTH = 5 };

static void log_reads(bench *bench, uint64_t id, uint32_t first)
{
    bench->resent.read_count = LENGTH;
    for (uint32_t i = 0; i < LENGTH; i++) {
        bench->resent.reads[i] = first + i;
        bench->resent.read_values[i] = bench->memory[first + i];
        send_read(bench, id, first + i, bench->memory[first + i], now(bench));
    }
}

static void log_writes(bench *bench, uint64_t id, uint32_t first)
{
    bench->resent.write_count = LENGTH;
    for (uint32_t i = 0; i < LENGTH; i++) {
        bench->resent.writes[i] = first + i;
        bench->resent.write_values[i] = 100 + i;
        send_write(bench, id, first + i, 100 + i, now(bench));
    }
}

static void expect_asked(const bench *bench, uint32_t i, uint32_t is_write_set)
{
    uint32_t seen = 0;
    for (uint32_t k = 0; k < bench->heard_count; k++)
        if (bench->heard[k].resend.from && seen++ == i) {
            cr_expect_eq(bench->heard[k].resend.is_write_set, is_write_set, "request %u", i);
            cr_expect_eq(bench->heard[k].resend.from, 2);
            cr_expect_eq(bench->heard[k].wire_bytes, HD_HEADER_WIRE_BYTES);
            return;
        }
    cr_expect_fail("request %u was not made", i);
}

Test(kilo_unit_overflow, both_sets_are_asked_for_when_they_are_needed)
{
    bench *bench = bench_make((const char *[]){"buffer.words=2", NULL});
    log_reads(bench, 1, 10);
    log_writes(bench, 1, 20);
    send_done(bench, 1, 0);
    settle(bench);
    cr_expect_eq(verdict_on(bench, 1), 1);
    cr_expect_eq(kit_statistic(bench->kit, "packets.resend"), 2);
    expect_asked(bench, 0, 0);
    expect_asked(bench, 1, 1);
    cr_expect_eq(kit_statistic(bench->kit, "hazard.reads"), LENGTH);
    cr_expect_eq(kit_statistic(bench->kit, "hazard.writes"), LENGTH);
    cr_expect_eq(kit_statistic(bench->kit, "validated_words"), LENGTH, "all were validated when they came");
    send_outcome(bench, 1, 1, now(bench));
    settle(bench);
    cr_expect_eq(kit_statistic(bench->kit, "packets.resend"), 3);
    expect_asked(bench, 2, 1);
    for (uint32_t i = 0; i < LENGTH; i++)
        cr_expect_eq(bench->memory[20 + i], 100 + i);
    cr_expect_not_null(find(bench, HD_KILO_COMMITTED, 1));
    cr_expect(is_idle(bench));
    bench_destroy(bench);
}

/* A hazard in the part that was not kept is found, and that part is validated again. */
Test(kilo_unit_overflow, what_is_not_kept_is_validated_again)
{
    for (uint32_t written = 0; written < 2; written++) {
        bench *bench = bench_make((const char *[]){"buffer.words=2", NULL});
        send_write(bench, 1, 14, written, 0);
        send_done(bench, 1, 0);
        log_reads(bench, 2, 10);
        send_done(bench, 2, 0);
        settle(bench);
        cr_expect_eq(verdict_on(bench, 2), -1);
        cr_expect_eq(kit_statistic(bench->kit, "hazards"), 1);
        send_outcome(bench, 1, 1, now(bench));
        settle(bench);
        cr_expect_eq(verdict_on(bench, 2), !written);
        cr_expect_eq(kit_statistic(bench->kit, "revalidated_words"), LENGTH);
        cr_expect_eq(kit_statistic(bench->kit, "packets.resend"), 2);
        bench_destroy(bench);
    }
}

Test(kilo_unit_overflow, younger_writes_wait_for_what_is_resent)
{
    bench *bench = bench_make((const char *[]){"buffer.words=2", NULL});
    log_writes(bench, 1, 20);
    send_done(bench, 1, 0);
    send_write(bench, 2, 24, 7, 0);
    send_done(bench, 2, 0);
    settle(bench);
    send_outcome(bench, 2, 1, now(bench));
    send_outcome(bench, 1, 1, now(bench));
    settle(bench);
    cr_expect_eq(bench->memory[24], 7);
    bench_destroy(bench);
}

Test(kilo_unit_overflow, large_sets_are_counted)
{
    bench *bench = bench_make(NULL);
    for (uint32_t i = 0; i < 9; i++)
        send_read(bench, 1, i, 0, 0);
    for (uint32_t i = 0; i < 8; i++)
        send_write(bench, 1, i, 0, 0);
    send_done(bench, 1, 0);
    settle(bench);
    cr_expect_eq(kit_statistic(bench->kit, "sets"), 2);
    cr_expect_eq(kit_statistic(bench->kit, "large_sets"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "packets.resend"), 0);
    bench_destroy(bench);
}

/* ---- Entries ----------------------------------------------------------------------------------------------------------- */

static uint64_t room_reported(bench *bench)
{
    uint64_t room = 0;
    for (hd_packet *packet; (packet = kit_receive(bench->kit, PORT_ROOM, 0, now(bench)));) {
        room = packet->address;
        kit_free(bench->kit, packet);
    }
    return room;
}

Test(kilo_unit_overflow, the_vendor_is_told_for_which_ids_there_is_room)
{
    bench *bench = bench_make_with(PORT_ROOM, (const char *[]){"entries=64", NULL});
    kit_run_until(bench->kit, 100 * CYCLE);
    cr_expect_eq(room_reported(bench), 65);
    send_skip(bench, 1, now(bench));
    send_skip(bench, 2, now(bench));
    settle(bench);
    cr_expect_eq(room_reported(bench), 67);
    send_skip(bench, 66, now(bench));
    settle(bench);
    cr_expect_null(kit_fault_text(bench->kit));
    bench_destroy(bench);
}

Test(kilo_unit_overflow, without_a_limit_there_is_always_room)
{
    bench *bench = bench_make_with(PORT_ROOM, NULL);
    kit_run_until(bench->kit, 100 * CYCLE);
    cr_expect_eq(room_reported(bench), UINT64_MAX);
    send_skip(bench, 1000, now(bench));
    settle(bench);
    cr_expect_eq(kit_statistic(bench->kit, "entries_maximum"), 1000);
    cr_expect_eq(room_reported(bench), 0, "nothing new");
    bench_destroy(bench);
}

Test(kilo_unit_overflow, an_id_beyond_the_ring_is_a_fault)
{
    bench *bench = bench_make((const char *[]){"entries=64", NULL});
    kit_expect_fault(bench->kit);
    send_skip(bench, 65, 0);
    settle(bench);
    cr_assert_not_null(kit_fault_text(bench->kit));
    cr_expect_not_null(strstr(kit_fault_text(bench->kit), "port room"));
    bench_destroy(bench);
}
