/* SPDX-License-Identifier: MIT */
/* Coalescing: lane i loads word m + i * s of an aligned array; lanes in one line of 128 bytes share an access. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "hd_message.h"
#include "micro_chain/args.h"
#include "path.h"

enum { LANES = 32, LINE_WORDS = HD_LINE_BYTES / 4 };

/* Lines that words m, m + s, ... m + 31 s lie in. */
static uint32_t lines_of(uint32_t stride, uint32_t misaligned)
{
    if (stride >= LINE_WORDS)
        return LANES;
    return (misaligned + (LANES - 1) * stride) / LINE_WORDS - misaligned / LINE_WORDS + 1;
}

/* Bytes that travel: of each line, from the sector of its first word to that of its last. */
static uint32_t bytes_of(uint32_t stride, uint32_t misaligned, uint32_t sector)
{
    uint32_t bytes = 0;
    for (uint32_t lane = 0; lane < LANES;) {
        const uint32_t first = (misaligned + lane * stride) * 4;
        uint32_t last = first;
        while (++lane < LANES && (misaligned + lane * stride) * 4 / HD_LINE_BYTES == first / HD_LINE_BYTES)
            last = (misaligned + lane * stride) * 4;
        bytes += (last / sector - first / sector + 1) * sector;
    }
    return bytes;
}

struct counts {
    uint64_t wide_accesses;
    uint64_t lane_accesses;
    uint64_t global_bytes;
    uint64_t cycles; /* of the timed loads */
};

static struct counts load(uint32_t stride, uint32_t misaligned, const char *warm, const char *change,
                          uint64_t *expected_cycles)
{
    char lane_stride[16], offset[16];
    snprintf(lane_stride, sizeof lane_stride, "%u", stride * 4);
    snprintf(offset, sizeof offset, "%u", misaligned * 4);
    const micro_setup setup = {
        .app = "micro_chain",
        .changes = {change},
        .options = {{"threads", "32"}, {"lane_stride", lane_stride}, {"offset", offset}, {"warm", warm}}};
    hd_machine *machine = micro_run(&setup);
    const struct counts counts = {
        .wide_accesses = hd_machine_count(machine, "simt_core", "wide_accesses"),
        .lane_accesses = hd_machine_count(machine, "simt_core", "lane_accesses"),
        .global_bytes = hd_machine_count(machine, "simt_core", "global_bytes"),
        .cycles = micro_report(machine, "end") - micro_report(machine, "begin"),
    };
    path *p = path_new(machine);
    *expected_cycles = MICRO_CHAIN_TIMED * path_l1_hit(p, 0, lines_of(stride, misaligned)) + 2 * path_next_issue(p);
    path_free(p);
    hd_machine_close(machine);
    return counts;
}

static const uint32_t strides[] = {0, 1, 2, 3, 5, 8, 16, 31, 32, 33};
static const uint32_t misalignments[] = {0, 1, 7, 31};
#define LENGTH(table) (sizeof(table) / sizeof *(table))

/* The difference of two runs is ten loads and nothing else. */
static void expect_wide_accesses(uint32_t stride, uint32_t misaligned, const char *change, uint32_t sector)
{
    uint64_t unused;
    const struct counts few = load(stride, misaligned, "2", change, &unused);
    const struct counts many = load(stride, misaligned, "12", change, &unused);
    cr_expect_eq(many.wide_accesses - few.wide_accesses, 10 * lines_of(stride, misaligned), "stride %u, word %u",
                 stride, misaligned);
    cr_expect_eq(many.lane_accesses - few.lane_accesses, 10 * LANES);
    cr_expect_eq(many.global_bytes - few.global_bytes, 10 * bytes_of(stride, misaligned, sector),
                 "stride %u, word %u: %llu", stride, misaligned,
                 (unsigned long long)(many.global_bytes - few.global_bytes));
}

Test(micro_coalescing, makes_one_access_of_all_lanes_of_a_line)
{
    for (uint32_t s = 0; s < LENGTH(strides); s++)
        for (uint32_t m = 0; m < LENGTH(misalignments); m++)
            expect_wide_accesses(strides[s], misalignments[m], NULL, 32);
}

Test(micro_coalescing, moves_whole_sectors)
{
    for (uint32_t s = 0; s < LENGTH(strides); s++) {
        expect_wide_accesses(strides[s], 7, "core.memory.sector=64 B", 64);
        expect_wide_accesses(strides[s], 7, "core.memory.sector=128 B", 128);
    }
}

/* Of lines that are in the L1, one is looked up per cycle. */
static void expect_a_cycle_per_line(uint32_t stride, uint32_t misaligned)
{
    uint64_t expected;
    const struct counts counts = load(stride, misaligned, "2", "core.l1.global=cache", &expected);
    cr_expect_eq(counts.cycles, expected, "stride %u, word %u: %llu cycles, expected %llu", stride, misaligned,
                 (unsigned long long)counts.cycles, (unsigned long long)expected);
}

Test(micro_coalescing, takes_a_cycle_per_line)
{
    for (uint32_t s = 0; s < LENGTH(strides); s++)
        for (uint32_t m = 0; m < LENGTH(misalignments); m++)
            expect_a_cycle_per_line(strides[s], misalignments[m]);
}
