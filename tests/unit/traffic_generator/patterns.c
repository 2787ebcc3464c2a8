/* SPDX-License-Identifier: MIT */
/* Where requests go. */
#include "rig.h"

#include <stdio.h>

#define RUN(...) ((const char *[]){"outstanding=100", "duration=3000 cycles", __VA_ARGS__, NULL})

static rig *run(const char *const *parameters, uint32_t index, uint32_t count)
{
    rig *rig = rig_open(parameters, index, count, 200);
    kit_run_until(rig->kit, 4000 * CYCLE);
    cr_assert_eq(rig->count, 3000);
    return rig;
}

static void count_partitions(const rig *rig, uint32_t counts[PARTITIONS])
{
    for (uint32_t i = 0; i < rig->count; i++)
        counts[rig->requests[i].partition]++;
}

Test(traffic_patterns, uniform_takes_partitions_alike_and_their_lines_in_turn)
{
    rig *rig = run(RUN("footprint=24 KiB"), 0, 1);
    uint32_t counts[PARTITIONS] = {0};
    uint64_t last[PARTITIONS] = {0};
    count_partitions(rig, counts);
    for (uint32_t p = 0; p < PARTITIONS; p++)
        cr_expect(counts[p] > 870 && counts[p] < 1130, "partition %u: %u", p, counts[p]);
    uint32_t seen_before[PARTITIONS] = {0};
    for (uint32_t i = 0; i < rig->count; i++) {
        const seen *at = &rig->requests[i];
        const uint64_t line = at->address / 768 * 2 + at->address % 256 / 128; /* of the 64 in its partition */
        if (seen_before[at->partition])
            cr_assert_eq(line, (last[at->partition] + 1) % 64, "request %u", i);
        last[at->partition] = line;
        seen_before[at->partition] = 1;
    }
    rig_close(rig);
}

Test(traffic_patterns, random_goes_anywhere_in_its_footprint)
{
    static uint32_t places[1024];
    rig *rig = run(RUN("pattern=random", "bytes=32 B", "footprint=32 KiB"), 2, 5);
    for (uint32_t i = 0; i < rig->count; i++) {
        const uint64_t offset = rig->requests[i].address - 2 * 32768;
        cr_assert_lt(offset, 32768);
        cr_assert_eq(offset % 32, 0);
        cr_assert_eq(rig->requests[i].bytes, 32);
        places[offset / 32]++;
    }
    uint32_t used = 0, most = 0;
    for (uint32_t i = 0; i < 1024; i++) {
        used += places[i] != 0;
        most = places[i] > most ? places[i] : most;
    }
    cr_expect_gt(used, 920); /* of 1024 places, 3000 draws: 969.4 on average */
    cr_expect_lt(most, 16);
    rig_close(rig);
}

Test(traffic_patterns, stride_walks_round_its_footprint)
{
    rig *rig = run(RUN("pattern=stride", "stride=384 B", "footprint=1280 B", "bytes=64 B"), 1, 2);
    for (uint32_t i = 0; i < rig->count; i++)
        cr_assert_eq(rig->requests[i].address, 1280 + (uint64_t)i * 384 % 1280);
    rig_close(rig);
}

Test(traffic_patterns, a_shared_footprint_is_begun_at_different_places)
{
    rig *rig = run(RUN("pattern=stride", "footprint=4 KiB", "region=shared"), 3, 4);
    for (uint32_t i = 0; i < rig->count; i++)
        cr_assert_eq(rig->requests[i].address, (3072 + (uint64_t)i * 128) % 4096);
    rig_close(rig);
}

Test(traffic_patterns, the_base_moves_all)
{
    rig *rig = run(RUN("pattern=stride", "footprint=4 KiB", "base=0x10008000"), 1, 4);
    for (uint32_t i = 0; i < rig->count; i++)
        cr_assert_eq(rig->requests[i].address, 0x9000 + (uint64_t)i * 128 % 4096);
    rig_close(rig);
}

Test(traffic_patterns, a_hot_spot_is_a_partition)
{
    rig *rig = run(RUN("pattern=hot_spot", "hot_spot.partition=2", "hot_spot.percent=70"), 0, 1);
    uint32_t counts[PARTITIONS] = {0};
    count_partitions(rig, counts);
    /* 70 % and a third of the rest: 80 %; sigma 22. */
    cr_expect(counts[2] > 2290 && counts[2] < 2510, "%u", counts[2]);
    cr_expect(counts[0] > 220 && counts[0] < 380, "%u", counts[0]);
    rig_close(rig);
}

/* 9 generators in a square of 3: the mirror image of 0..8 is 0 3 6 1 4 7 2 5 8. */
Test(traffic_patterns, transpose_is_one_partition_for_each)
{
    static const uint32_t expected[9] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
    for (uint32_t index = 0; index < 9; index++) {
        rig *rig = run(RUN("pattern=transpose", "footprint=3 KiB"), index, 9);
        for (uint32_t i = 0; i < rig->count; i++)
            cr_assert_eq(rig->requests[i].partition, expected[index], "generator %u", index);
        rig_close(rig);
    }
}

Test(traffic_patterns, the_mix_is_as_asked_for)
{
    rig *rig = run(RUN("writes=30", "atomics=10", "bytes=64 B"), 0, 1);
    uint32_t counts[3] = {0};
    for (uint32_t i = 0; i < rig->count; i++)
        counts[rig->requests[i].operation]++;
    cr_expect(counts[OPERATION_STORE] > 775 && counts[OPERATION_STORE] < 1025, "%u", counts[OPERATION_STORE]);
    cr_expect(counts[OPERATION_ATOMIC] > 218 && counts[OPERATION_ATOMIC] < 382, "%u", counts[OPERATION_ATOMIC]);
    cr_expect_eq(rig_statistic(rig, "load_requests"), counts[OPERATION_LOAD]);
    cr_expect_eq(rig_statistic(rig, "store_requests"), counts[OPERATION_STORE]);
    cr_expect_eq(rig_statistic(rig, "atomic_requests"), counts[OPERATION_ATOMIC]);
    cr_expect_eq(rig_statistic(rig, "bytes_compared"), counts[OPERATION_LOAD] * 64 + counts[OPERATION_ATOMIC] * 4);
    rig_close(rig);
}
