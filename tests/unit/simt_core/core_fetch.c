/* SPDX-License-Identifier: MIT */
/* The instruction cache of the whole core: what each miss costs, and whom. */
#include "core_rig.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define DELAY 20u            /* of the rig's memory */
#define MISS (1 + 1 + DELAY) /* the edge after the look-up, the way to the memory, its answer */
#define LINE 32u
#define LINE_WORDS (LINE / 4)
#define WIDE "simd_width=32", "fetch.width=8"

static uint64_t count(core_rig *rig, const char *name)
{
    return kit_statistic(rig_kit(rig), name);
}

static core_rig *ran(const char *const *parameters, const uint32_t *words, uint32_t threads, uint64_t *cycles)
{
    core_rig *rig = rig_create(parameters, words);
    rig_launch(rig, threads, 0);
    *cycles = rig_finish(rig);
    return rig;
}

static void straight(uint32_t *words, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++)
        words[i] = addi(ZERO, T1, 1);
    words[length] = ret();
    words[length + 1] = 0;
}

static uint32_t lines_of(uint32_t words, uint32_t line)
{
    return (words * 4 + line - 1) / line;
}

Test(simt_core, each_line_of_straight_code_costs_one_way_to_memory_and_back)
{
    static const char *const lines[] = {"instruction_cache.line=32 B", "instruction_cache.line=64 B",
                                        "instruction_cache.line=128 B"};
    uint32_t words[102];
    straight(words, 100);
    const uint64_t perfect = rig_cycles((const char *const[]){WIDE, NULL}, words, 32);
    for (uint32_t i = 0; i < 3; i++) {
        const char *const parameters[] = {WIDE, "instruction_cache.bytes=1 KiB", lines[i], NULL};
        const uint32_t bytes = 32u << i, fetched = lines_of(101, bytes);
        uint64_t cycles;
        core_rig *rig = ran(parameters, words, 32, &cycles);
        cr_expect_eq(cycles, perfect + fetched * MISS, "lines of %u B", bytes);
        cr_expect_eq(count(rig, "fetch_misses"), fetched);
        cr_expect_eq(count(rig, "fetch_hits"), 101 - fetched);
        cr_expect_eq(count(rig, "fetch_stall_cycles"), fetched * MISS);
        cr_expect_geq(count(rig, "slots_fetch"), fetched * MISS);
        cr_expect_eq(count(rig, "packets_sent"), fetched);
        cr_expect_eq(count(rig, "code_bytes"), fetched * bytes);
        cr_expect_eq(count(rig, "fetch_evictions") + count(rig, "fetch_mshr_merges") + count(rig, "fetch_refusals"), 0);
        rig_destroy(rig);
    }
}

Test(simt_core, a_hit_in_the_instruction_cache_costs_nothing)
{
    uint32_t words[LINE_WORDS] = {addi(T0, ZERO, 200), addi(T0, T0, -1), bne(T0, ZERO, -4), ret(), 0};
    const char *const slow_fetch[] = {WIDE, "fetch.latency=3 cycles", NULL};
    const char *const cached[] = {WIDE, "fetch.latency=3 cycles", "instruction_cache.bytes=128 B",
                                  "instruction_cache.line=32 B", NULL};
    uint64_t cycles;
    core_rig *rig = ran(cached, words, 32, &cycles);
    cr_expect_eq(cycles, rig_cycles(slow_fetch, words, 32) + MISS);
    cr_expect_eq(count(rig, "fetch_hits"), count(rig, "warp_instructions") - 1);
    rig_destroy(rig);
}

Test(simt_core, warps_that_miss_the_same_line_share_its_fetch)
{
    const char *const parameters[] = {"instruction_cache.bytes=1 KiB", NULL};
    const uint32_t warps = 8;
    uint32_t words[102];
    uint64_t cycles;
    straight(words, 100);
    core_rig *rig = ran(parameters, words, 32 * warps, &cycles);
    const uint32_t lines = lines_of(101, 128);
    cr_expect_eq(count(rig, "fetch_misses"), warps * lines);
    cr_expect_eq(count(rig, "fetch_mshr_merges"), (warps - 1) * lines);
    cr_expect_eq(count(rig, "packets_sent"), lines);
    cr_expect_leq(count(rig, "fetch_stall_cycles"), warps * lines * (uint64_t)(MISS + warps));
    rig_destroy(rig);
}

Test(simt_core, fetches_that_find_no_room_in_an_mshr_try_again_when_the_line_has_come)
{
    const char *const parameters[] = {"instruction_cache.bytes=1 KiB", "instruction_cache.mshrs=1",
                                      "instruction_cache.mshr_merges=1", NULL};
    const uint32_t warps = 4;
    uint32_t words[102];
    uint64_t cycles;
    straight(words, 100);
    core_rig *rig = ran(parameters, words, 32 * warps, &cycles);
    const uint32_t lines = lines_of(101, 128);
    cr_expect_eq(count(rig, "fetch_misses"), lines);
    cr_expect_eq(count(rig, "fetch_refusals"), (warps - 1) * lines);
    cr_expect_eq(count(rig, "fetch_hits"), warps * 101 - lines);
    cr_expect_eq(count(rig, "packets_sent"), lines);
    cr_expect_geq(count(rig, "fetch_stall_cycles"), warps * lines * (uint64_t)(MISS - warps));
    rig_destroy(rig);
}

/* A line before it, a loop of so many whole lines, and a return in the line after. */
static void loop(uint32_t *words, uint32_t lines, uint32_t iterations)
{
    uint32_t at = 0;
    words[at++] = addi(T0, ZERO, (int32_t)iterations);
    while (at < (lines + 1) * LINE_WORDS - 2)
        words[at++] = addi(ZERO, T1, 1);
    words[at++] = addi(T0, T0, -1);
    words[at++] = bne(T0, ZERO, -(int32_t)(lines * LINE - 4));
    words[at++] = ret();
    words[at] = 0;
}

static void expect_misses(uint32_t capacity, uint32_t ways, uint32_t lines, uint32_t iterations, uint32_t misses)
{
    char bytes[64], associativity[64];
    uint32_t words[256];
    uint64_t cycles;
    loop(words, lines, iterations);
    snprintf(bytes, sizeof bytes, "instruction_cache.bytes=%u B", capacity * LINE);
    snprintf(associativity, sizeof associativity, "instruction_cache.ways=%u", ways);
    const char *const parameters[] = {WIDE, "instruction_cache.line=32 B", bytes, associativity, NULL};
    core_rig *rig = ran(parameters, words, 32, &cycles);
    cr_expect_eq(count(rig, "fetch_misses"), misses, "%u lines in %u of %u ways: %lu misses, not %u", lines, capacity,
                 ways, (unsigned long)count(rig, "fetch_misses"), misses);
    cr_expect_eq(count(rig, "fetch_evictions"), misses > capacity ? misses - capacity : 0);
    cr_expect_eq(cycles, rig_cycles((const char *const[]){WIDE, NULL}, words, 32) + misses * MISS);
    rig_destroy(rig);
}

Test(simt_core, a_loop_that_fits_misses_once_and_one_that_does_not_misses_always)
{
    const uint32_t iterations = 9;
    for (uint32_t capacity = 2; capacity <= 8; capacity++) {
        expect_misses(capacity, capacity, capacity, iterations, 1 + capacity + 1);
        expect_misses(capacity, capacity, capacity + 1, iterations, 1 + (capacity + 1) * iterations + 1);
    }
}

Test(simt_core, lines_of_a_direct_mapped_cache_drive_out_only_those_of_their_set)
{
    const uint32_t iterations = 9;
    for (uint32_t sets = 4; sets <= 8; sets *= 2) {
        /* lines 1 and sets + 1 of the loop share a set: two misses for each further time round */
        expect_misses(sets, 1, sets + 1, iterations, 1 + (sets + 1) + 2 * (iterations - 1) + 1);
    }
}

/* Cycle at which warp 0 has gone round its loop; warp 1 goes through `far` lines of code meanwhile. */
static uint32_t loop_cycle(const char *const *parameters, uint32_t far)
{
    uint32_t words[512] = {csrr(T1, 0xCCD),      lui(A3, DATA),    addi(T0, ZERO, 1000),
                           bne(T1, ZERO, 6 * 4), addi(T0, T0, -1), bne(T0, ZERO, -4),
                           csrr(T1, 0xC00),      sw(T1, 0, A3),    ret(),
                           addi(T2, ZERO, 150),  addi(T2, T2, -1), bne(T2, ZERO, -4),
                           jal(ZERO, 20 * 4)};
    uint32_t at = 13;
    while (at < 32)
        words[at++] = ret();
    for (uint32_t i = 0; i < far * LINE_WORDS; i++)
        words[at++] = addi(ZERO, T1, 1);
    words[at] = ret();
    core_rig *rig = rig_create(parameters, words);
    rig_memory_delay(rig, 300);
    rig_launch(rig, 64, 0);
    rig_finish(rig);
    const uint32_t cycle = rig_word(rig, DATA);
    rig_destroy(rig);
    return cycle;
}

Test(simt_core, warps_whose_code_is_missing_do_not_hold_up_the_others)
{
    const char *const parameters[] = {WIDE, "instruction_cache.bytes=1 KiB", "instruction_cache.line=32 B",
                                      "instruction_cache.mshrs=1", NULL};
    const uint32_t alone = loop_cycle(parameters, 0);
    cr_expect_gt(alone, 1000);
    cr_expect_eq(loop_cycle(parameters, 9), alone);
}

Test(simt_core, a_grid_begins_without_code_and_its_blocks_share_it)
{
    const char *const parameters[] = {"instruction_cache.bytes=1 KiB", NULL};
    uint32_t words[102];
    straight(words, 100);
    const uint32_t lines = lines_of(101, 128);
    core_rig *rig = rig_create(parameters, words);
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t expected[] = {1, 1, 2, 3};
        hd_grid grid = {.launch = i / 2, .grid_size = {2, 1, 1}, .block_size = {32, 1, 1}, .private_bytes = 128};
        if (i == 3)
            kit_align(rig_kit(rig));
        rig_launch_grid(rig, &grid, (uint32_t[]){i, 0, 0}, kit_now(rig_kit(rig)));
        rig_finish(rig);
        cr_expect_eq(count(rig, "fetch_misses"), lines * expected[i], "after launch %u", i);
    }
    rig_destroy(rig);
}

Test(simt_core, no_code_is_fetched_where_there_is_none)
{
    const char *const parameters[] = {"instruction_cache.bytes=1 KiB", NULL};
    const uint32_t words[] = {lui(T1, DATA), jalr(ZERO, T1, 0), ret(), 0};
    core_rig *rig = rig_create(parameters, words);
    kit_expect_fault(rig_kit(rig));
    rig_launch(rig, 1, 0);
    rig_finish(rig);
    cr_expect_not_null(strstr(kit_fault_text(rig_kit(rig)), "jumped outside the code of its kernel"));
    cr_expect_eq(count(rig, "packets_sent"), 1);
    rig_destroy(rig);
}

Test(simt_core, says_that_a_warp_waits_for_its_code)
{
    const char *const parameters[] = {"instruction_cache.bytes=1 KiB", NULL};
    const uint32_t words[] = {ret(), 0};
    core_rig *rig = rig_create(parameters, words);
    rig_memory_delay(rig, 100000);
    rig_launch(rig, 1, 0);
    kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), 500));
    const char *text = kit_described(rig_kit(rig));
    cr_expect_not_null(strstr(text, "0x10000000 (kernel+0x0), waits for its code"), "%s", text);
    rig_finish(rig);
    rig_destroy(rig);
}
