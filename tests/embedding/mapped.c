/* SPDX-License-Identifier: MIT */
/* Device memory without time, and memory of the process that stands for it. */
#include "embedding.h"

#include <stdint.h>
#include <string.h>

#define WORDS 5000u
#define TILE_PES 8u

static void peek_and_poke(const char *netlist)
{
    static uint32_t words[WORDS];
    heddle_settings settings = small_machine();
    settings.netlist = netlist;
    heddle_machine *machine = open_with(&settings);
    const heddle_address data = zeroed_words(machine, WORDS);
    EXPECT(launch(machine, default_queue(machine), "add", data, WORDS, 7));
    EXPECT(heddle_wait(machine));
    const uint64_t before = now(machine);
    EXPECT(heddle_peek(machine, words, data, sizeof words)); /* some of it only in the L2 */
    for (uint32_t i = 0; i < WORDS; i++)
        cr_assert_eq(words[i]++, 7, "word %u is %u", i, words[i]);
    EXPECT(heddle_poke(machine, data, words, sizeof words));
    cr_expect_eq(now(machine), before);
    EXPECT(launch(machine, default_queue(machine), "add", data, WORDS, 1));
    EXPECT(heddle_copy_from_device(machine, words, data, sizeof words));
    for (uint32_t i = 0; i < WORDS; i++)
        cr_assert_eq(words[i], 9, "word %u is %u", i, words[i]);
    EXPECT(heddle_close(machine));
}

Test(mapped, memory_is_looked_at_and_changed_without_time)
{
    peek_and_poke(EMBEDDING_MACHINE);
}

Test(mapped, memory_behind_a_dma_engine_as_well)
{
    peek_and_poke(EMBEDDING_DMA);
}

static void launch_on_tiles(heddle_machine *machine, heddle_address data, uint32_t value)
{
    heddle_kernel *kernel;
    const array_args args = {.data = {data}, .n = TILE_PES, .value = value};
    const heddle_size size = {.grid = {TILE_PES, 1, 1}, .block = {1, 1, 1}};
    REQUIRE(heddle_kernel_named(machine, "ask_on_tiles", &kernel));
    REQUIRE(heddle_launch(default_queue(machine), kernel, &size, &args, sizeof args, NULL));
}

/* They are not coherent: what a PE has written is in its tile alone, and so is what it reads. */
Test(mapped, memory_in_caches_of_tiles_while_a_kernel_runs)
{
    tile_words words[TILE_PES];
    heddle_settings settings = small_machine();
    settings.netlist = EMBEDDING_TILES;
    heddle_machine *machine = open_with(&settings);
    const heddle_address data = zeroed_words(machine, sizeof words / 4);
    launch_on_tiles(machine, data, 100);
    EXPECT(heddle_advance_for(machine, 20000000));
    const uint64_t before = now(machine);
    EXPECT(heddle_peek(machine, words, data, sizeof words));
    for (uint32_t pe = 0; pe < TILE_PES; pe++) {
        cr_expect_eq(words[pe].asked, 100 + pe, "PE %u asks %u", pe, words[pe].asked);
        cr_expect_eq(words[pe].seen, 0);
        words[pe].answer = 200 + pe;
        EXPECT(heddle_poke(machine, data + pe * sizeof *words + 4, &words[pe].answer, 4));
    }
    cr_expect_eq(now(machine), before);
    EXPECT(heddle_wait(machine));
    EXPECT(heddle_copy_from_device(machine, words, data, sizeof words));
    for (uint32_t pe = 0; pe < TILE_PES; pe++)
        cr_expect_eq(words[pe].seen, 200 + pe, "PE %u has seen %u", pe, words[pe].seen);
    EXPECT(heddle_close(machine));
}

/* Statistics and times are those of a run that nobody looks at. */
Test(mapped, looking_changes_nothing)
{
    uint64_t times[2], hits[2];
    for (uint32_t looks = 0; looks < 2; looks++) {
        uint32_t words[64];
        heddle_machine *machine = open_small();
        const heddle_address data = zeroed_words(machine, 64);
        EXPECT(launch(machine, default_queue(machine), "count", data, 64, 1));
        for (uint32_t i = 0; i < 20; i++) {
            EXPECT(heddle_advance_for(machine, 100000));
            if (looks)
                EXPECT(heddle_peek(machine, words, data, sizeof words));
        }
        EXPECT(heddle_wait(machine));
        times[looks] = now(machine);
        hits[looks] = value_of(machine, "l2.read_hits") + value_of(machine, "dram.reads");
        EXPECT(heddle_close(machine));
    }
    cr_expect_eq(times[0], times[1]);
    cr_expect_eq(hits[0], hits[1]);
}

Test(mapped, untimed_access_is_refused_outside_allocations)
{
    uint32_t word = 0;
    heddle_machine *machine = open_small();
    const heddle_address data = zeroed_words(machine, 4);
    expect_refusal(heddle_peek(machine, &word, data + 16, 4), HEDDLE_ERROR_RANGE, "heddle_peek: 4 bytes");
    expect_refusal(heddle_poke(machine, data, &word, 17), HEDDLE_ERROR_RANGE, "beyond the allocation");
    expect_refusal(heddle_peek(machine, NULL, data, 4), HEDDLE_ERROR_ARGUMENT, "is NULL");
    expect_refusal(heddle_poke(machine, data, NULL, 4), HEDDLE_ERROR_ARGUMENT, "is NULL");
    EXPECT(heddle_peek(machine, NULL, 0, 0));
    EXPECT(heddle_close(machine));
}

Test(mapped, checks_of_memory_refuse_what_they_would_not_know)
{
    uint32_t word = 0;
    heddle_settings settings = small_machine();
    settings.checks = HEDDLE_CHECK_MEMORY;
    heddle_machine *machine = open_with(&settings);
    const heddle_address data = zeroed_words(machine, 4);
    expect_refusal(heddle_poke(machine, data, &word, 4), HEDDLE_ERROR_DEVICE, "HEDDLE_CHECK_MEMORY");
    EXPECT(heddle_peek(machine, &word, data, 4));
    EXPECT(heddle_wait(machine));
    EXPECT(heddle_close(machine));
}

Test(mapped, ranges_are_copied_in_and_out)
{
    uint32_t word;
    void *memory, *read_only, *written;
    heddle_machine *machine = open_small();
    const heddle_address data = zeroed_words(machine, 64);
    EXPECT(launch(machine, default_queue(machine), "add", data, 64, 3));
    REQUIRE(heddle_map(machine, data, 256, HEDDLE_MAP_READ | HEDDLE_MAP_WRITE, &memory));
    cr_expect_eq((uintptr_t)memory % 64, 0);
    for (uint32_t i = 0; i < 64; i++)
        cr_assert_eq(((uint32_t *)memory)[i]++, 3);
    REQUIRE(heddle_map(machine, data, 4, HEDDLE_MAP_READ, &read_only));
    *(uint32_t *)read_only = 99;
    EXPECT(heddle_unmap(machine, read_only));
    REQUIRE(heddle_map(machine, data + 4, 4, HEDDLE_MAP_WRITE, &written));
    cr_expect_eq(*(uint32_t *)written, 0);
    const uint64_t before = now(machine);
    EXPECT(heddle_unmap(machine, memory));
    cr_expect_gt(now(machine), before);
    EXPECT(heddle_copy_from_device(machine, &word, data, 4));
    cr_expect_eq(word, 4, "%u", word);
    *(uint32_t *)written = 50;
    EXPECT(heddle_unmap(machine, written));
    EXPECT(heddle_copy_from_device(machine, &word, data + 4, 4));
    cr_expect_eq(word, 50);
    expect_refusal(heddle_unmap(machine, written), HEDDLE_ERROR_ARGUMENT, "is not mapped");
    expect_refusal(heddle_unmap(machine, NULL), HEDDLE_ERROR_ARGUMENT, "memory is NULL");
    expect_refusal(heddle_map(machine, data, 257, HEDDLE_MAP_READ, &memory), HEDDLE_ERROR_RANGE, "beyond");
    cr_expect_null(memory);
    expect_refusal(heddle_map(machine, data, 0, HEDDLE_MAP_READ, &memory), HEDDLE_ERROR_ARGUMENT, "0 bytes");
    expect_refusal(heddle_map(machine, data, 4, 0, &memory), HEDDLE_ERROR_ARGUMENT, "flags is 0x0");
    expect_refusal(heddle_map(machine, data, 4, 4, &memory), HEDDLE_ERROR_ARGUMENT, "flags is 0x4");
    REQUIRE(heddle_map(machine, data, 4, HEDDLE_MAP_READ, &memory));
    EXPECT(heddle_close(machine)); /* frees it */
}
