/* SPDX-License-Identifier: MIT */
/* Temporal conflict detection: when has what is loaded been written? */
#include "bench.h"

#include <stdio.h>

#include "hd_tap.h"

static bench *make(const char *granularity, const char *more, const char *seed)
{
    return bench_make_with(PORT_TAP, (const char *[]){"tcd=true", granularity, more ? more : "tcd.skew=0 cycles",
                                                      seed ? seed : "hash_seed=7", NULL});
}

/* A load of a transaction, accepted now; what its reply says. */
static hd_kilo_written load(bench *bench, uint64_t address, uint32_t bytes)
{
    hd_packet *packet = kit_packet(bench->kit, HD_GLOBAL_LOAD, 0);
    hd_packet *reply = kit_packet(bench->kit, HD_GLOBAL_LOAD_REPLY, bytes + HD_TAP_APPEND_BYTES);
    hd_kilo_written written = {.t = HD_NEVER};
    uint64_t note = 0;
    packet->epoch = 1;
    packet->traffic_class = HD_CLASS_GLOBAL;
    packet->address = address;
    reply->argument = packet->argument = bytes;
    reply->body_bytes = bytes;
    reply->wire_bytes = HD_HEADER_WIRE_BYTES + bytes;
    cr_expect_eq(kit_tap_sample(bench->kit, PORT_TAP, 0, &(hd_tap_access){.request = packet, .t = now(bench)}, &note),
                 HD_TAP_PASS);
    const hd_tap *tap = hd_commit_unit_kilo.extension(kit_instance(bench->kit), HD_EXTENSION_TAP);
    tap->release(kit_instance(bench->kit), 0, &(hd_tap_release){.reply = reply, .t = now(bench), .note = note});
    if (reply->body_bytes == bytes + sizeof written) {
        memcpy(&written, (uint8_t *)hd_body(reply) + bytes, sizeof written);
        cr_expect_eq(reply->wire_bytes, HD_HEADER_WIRE_BYTES + bytes + HD_KILO_WRITTEN_WIRE_BYTES);
    }
    kit_free(bench->kit, packet);
    kit_free(bench->kit, reply);
    return written;
}

static void accept(bench *bench, hd_packet *packet)
{
    uint64_t note = 0;
    cr_expect_eq(kit_tap_write(bench->kit, PORT_TAP, 0, &(hd_tap_access){.request = packet, .t = now(bench)}, &note),
                 HD_TAP_PASS);
    kit_free(bench->kit, packet);
}

static void store(bench *bench, uint64_t address, uint32_t epoch)
{
    hd_packet *packet = kit_packet(bench->kit, HD_GLOBAL_STORE, sizeof(hd_store) + 4);
    *(hd_store *)hd_body(packet) = (hd_store){.byte_mask = {15}};
    packet->epoch = epoch;
    packet->traffic_class = epoch ? HD_CLASS_TRANSACTION : HD_CLASS_GLOBAL;
    packet->address = address;
    packet->argument = 4;
    accept(bench, packet);
}

static void wait_until(bench *bench, uint64_t cycle)
{
    kit_run_until(bench->kit, cycle * CYCLE);
}

/* A seed with which two sub-arrays of two entries have the buckets of Fig. 6.8 for its blocks 10, 20 and 30. */
static uint64_t seed_of_the_figure(void)
{
    static const uint32_t buckets[2][3] = {{0, 1, 1}, {1, 0, 1}};
    for (uint64_t first = 1;; first++) {
        recency filter = {.slots = NULL};
        uint64_t seed = first;
        uint32_t fits = 1;
        cr_assert(recency_create(&filter, 4, 2, &seed));
        for (uint32_t i = 0; i < 2; i++)
            for (uint32_t block = 0; block < 3; block++)
                fits &= hd_h3_hash(&filter.hashes[i], (block + 1) * 0x10) % 2 == buckets[i][block];
        recency_destroy(&filter);
        if (fits)
            return first;
    }
}

Test(kilo_temporal, the_example_of_the_thesis)
{
    char seed[48];
    snprintf(seed, sizeof seed, "hash_seed=%llu", (unsigned long long)seed_of_the_figure());
    bench *bench = bench_make_with(
        PORT_TAP, (const char *[]){"tcd=true", "tcd.entries=4", "tcd.subarrays=2", "tcd.granularity=4 B", seed, NULL});
    enum { A = 0x10 * 4, B = 0x20 * 4, C = 0x30 * 4 };
    wait_until(bench, 1);
    const hd_time first = now(bench);
    cr_expect_eq(load(bench, A, 4).t, 0);
    wait_until(bench, 7);
    store(bench, A, 1);
    wait_until(bench, 10);
    cr_expect_eq(load(bench, C, 4).t, 0, "that A has changed is no conflict");
    wait_until(bench, 15);
    store(bench, B, 1);
    wait_until(bench, 18);
    cr_expect_eq(load(bench, B, 4).t, 15 * CYCLE);
    cr_expect_gt(load(bench, B, 4).t, first, "a conflict");
    cr_expect_eq(load(bench, A, 4).t, 7 * CYCLE);
    cr_expect_eq(load(bench, C, 4).t, 7 * CYCLE, "of both of its buckets the earlier: a mistake, on the safe side");
    cr_expect_eq(kit_statistic(bench->kit, "tcd.loads"), 6);
    cr_expect_eq(kit_statistic(bench->kit, "tcd.writes"), 2);
    bench_destroy(bench);
}

Test(kilo_temporal, times_are_of_words_or_of_lines)
{
    for (uint32_t by_line = 0; by_line < 2; by_line++) {
        bench *bench = make(by_line ? "tcd.granularity=128 B" : "tcd.granularity=4 B", NULL, NULL);
        wait_until(bench, 10);
        store(bench, AT(1), 1);
        cr_expect_eq(load(bench, AT(0), 4).t, by_line ? 10 * CYCLE : 0);
        cr_expect_eq(load(bench, AT(0), 128).t, 10 * CYCLE, "the latest of all of it");
        cr_expect_eq(load(bench, AT(32), 128).t, 0);
        bench_destroy(bench);
    }
}

Test(kilo_temporal, plain_writes_count_if_wanted)
{
    for (uint32_t all = 0; all < 2; all++) {
        bench *bench = make("tcd.granularity=4 B", all ? "tcd.writes=all" : NULL, NULL);
        hd_packet *atomic = kit_packet(bench->kit, HD_GLOBAL_ATOMIC, sizeof(hd_atomic_operation));
        *(hd_atomic_operation *)hd_body(atomic) = (hd_atomic_operation){.operation = HD_ATOMIC_ADD, .word = 3};
        atomic->address = AT(0);
        atomic->argument = 1;
        wait_until(bench, 10);
        store(bench, AT(1), 0);
        accept(bench, atomic);
        cr_expect_eq(load(bench, AT(1), 4).t, all ? 10 * CYCLE : 0);
        cr_expect_eq(load(bench, AT(3), 4).t, all ? 10 * CYCLE : 0);
        cr_expect_eq(load(bench, AT(2), 4).t, 0);
        bench_destroy(bench);
    }
}

/* Times are those of cycles of the unit, in whatever part of one the slice accepts. */
Test(kilo_temporal, a_time_is_that_of_its_cycle)
{
    bench *bench = make("tcd.granularity=4 B", NULL, NULL);
    kit_run_until(bench->kit, 10 * CYCLE + 300);
    store(bench, AT(1), 1);
    cr_expect_eq(load(bench, AT(1), 4).t, 10 * CYCLE);
    bench_destroy(bench);
}

Test(kilo_temporal, skew_is_added)
{
    bench *bench = make("tcd.granularity=4 B", "tcd.skew=3 cycles", NULL);
    wait_until(bench, 10);
    store(bench, AT(1), 1);
    cr_expect_eq(load(bench, AT(1), 4).t, 13 * CYCLE);
    cr_expect_eq(load(bench, AT(2), 4).t, 0);
    bench_destroy(bench);
}

/* Of a writer that has passed here, part may be visible already. */
Test(kilo_temporal, strictly_what_may_be_written_is_pending)
{
    for (uint32_t kind = 0; kind < 3; kind++) {
        bench *bench = make("tcd.granularity=4 B", kind == 0 ? "tcd.strict=false" : "tcd.strict=true",
                            kind == 2 ? "history=bfarray" : "history=lwh5k");
        send_write(bench, 1, 5, 9, 0);
        send_done(bench, 1, 0);
        settle(bench);
        cr_expect_eq(load(bench, AT(5), 4).is_pending, kind != 0);
        cr_expect_eq(load(bench, AT(4), 16).is_pending, kind != 0, "each word of it");
        cr_expect_eq(load(bench, AT(6), 4).is_pending, 0);
        send_outcome(bench, 1, 1, now(bench));
        settle(bench);
        cr_expect_eq(load(bench, AT(5), 4).is_pending, 0);
        cr_expect_eq(kit_statistic(bench->kit, "tcd.pending"), kind ? 2 : 0);
        bench_destroy(bench);
    }
}

Test(kilo_temporal, other_loads_are_told_nothing)
{
    bench *bench = bench_make_with(PORT_TAP, NULL);
    store(bench, AT(1), 1);
    cr_expect_eq(load(bench, AT(1), 4).t, HD_NEVER, "tcd is off");
    bench_destroy(bench);
    bench = make("tcd.granularity=4 B", NULL, NULL);
    hd_packet *packets[2];
    for (uint32_t i = 0; i < 2; i++) { /* a plain one, and one of a commit unit */
        uint64_t note = 0;
        packets[i] = kit_packet(bench->kit, HD_GLOBAL_LOAD, 0);
        packets[i]->epoch = i;
        packets[i]->traffic_class = i ? HD_CLASS_TRANSACTION : HD_CLASS_GLOBAL;
        packets[i]->argument = 4;
        kit_tap_sample(bench->kit, PORT_TAP, 0, &(hd_tap_access){.request = packets[i]}, &note);
        cr_expect_eq(note, 0);
        kit_free(bench->kit, packets[i]);
    }
    cr_expect_eq(kit_statistic(bench->kit, "tcd.loads"), 0);
    bench_destroy(bench);
}

/* Kernels begin without times; commit IDs go on. */
Test(kilo_temporal, an_alignment_forgets)
{
    bench *bench = make("tcd.granularity=4 B", NULL, NULL);
    send_write(bench, 1, 5, 9, 0);
    send_done(bench, 1, 0);
    send_outcome(bench, 1, 1, 100 * CYCLE);
    settle(bench);
    store(bench, AT(5), 1);
    kit_align(bench->kit);
    cr_expect_eq(load(bench, AT(5), 4).t, 0);
    send_read(bench, 2, 5, 9, now(bench));
    send_done(bench, 2, now(bench));
    settle(bench);
    cr_expect_eq(verdict_on(bench, 2), 1);
    cr_expect_eq(kit_statistic(bench->kit, "history.hits"), 0);
    bench_destroy(bench);
}
