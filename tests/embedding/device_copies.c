/* SPDX-License-Identifier: MIT */
/* Copies from one place of the device to another, by the host and by a DMA engine. */
#include "embedding.h"

#include <string.h>

#define WORDS 1000u

static heddle_machine *open_at(const char *netlist, heddle_address *data)
{
    uint32_t words[WORDS];
    heddle_settings settings = small_machine();
    settings.netlist = netlist;
    heddle_machine *machine = open_with(&settings);
    *data = zeroed_words(machine, 2 * WORDS);
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = i;
    REQUIRE(heddle_copy_to_device(machine, *data, words, sizeof words));
    return machine;
}

static void expect_words(heddle_machine *machine, heddle_address at, uint32_t first)
{
    uint32_t words[WORDS];
    REQUIRE(heddle_copy_from_device(machine, words, at, sizeof words));
    for (uint32_t i = 0; i < WORDS; i++)
        cr_assert_eq(words[i], first + i, "word %u is %u", i, words[i]);
}

static void copy_both_ways(const char *netlist, uint32_t by_dma)
{
    heddle_address data;
    heddle_limits limits = {.struct_bytes = sizeof limits};
    heddle_machine *machine = open_at(netlist, &data);
    REQUIRE(heddle_limits_get(machine, &limits));
    cr_expect_eq(limits.copies_by_dma, by_dma);
    const uint64_t before = now(machine);
    EXPECT(heddle_copy_on_device(machine, data + 4 * WORDS, data, 4 * WORDS));
    cr_expect_gt(now(machine), before);
    expect_words(machine, data + 4 * WORDS, 0);
    /* In order with what is in the queue: the words are 5 more when they are copied, and 5 more again behind it. */
    heddle_queue *queue = default_queue(machine);
    EXPECT(launch(machine, queue, "add", data, WORDS, 5));
    EXPECT(heddle_queue_copy_on_device(queue, data + 4 * WORDS, data, 4 * WORDS));
    EXPECT(launch(machine, queue, "add", data, WORDS, 5));
    EXPECT(heddle_wait(machine));
    expect_words(machine, data + 4 * WORDS, 5);
    expect_words(machine, data, 10);
    EXPECT(heddle_copy_on_device(machine, data + 4, data, 4 * WORDS)); /* onto itself */
    expect_words(machine, data + 4, 10);
    EXPECT(heddle_close(machine));
}

Test(device_copies, by_the_host)
{
    copy_both_ways(EMBEDDING_MACHINE, 0);
}

Test(device_copies, by_a_dma_engine)
{
    copy_both_ways(EMBEDDING_DMA, 1);
}

Test(device_copies, are_refused_with_nothing_changed)
{
    heddle_address data;
    heddle_machine *machine = open_at(EMBEDDING_MACHINE, &data);
    heddle_queue *queue = default_queue(machine);
    const uint64_t before = now(machine);
    expect_refusal(heddle_copy_on_device(machine, data + 4, data, 8 * WORDS), HEDDLE_ERROR_RANGE, "beyond");
    expect_refusal(heddle_copy_on_device(machine, data, data + 4, 8 * WORDS), HEDDLE_ERROR_RANGE, "beyond");
    expect_refusal(heddle_queue_copy_on_device(queue, 0x10, data, 4), HEDDLE_ERROR_RANGE, "no allocation");
    EXPECT(heddle_copy_on_device(machine, 0, 0, 0));
    EXPECT(heddle_queue_copy_on_device(queue, 0, 0, 0));
    cr_expect_eq(now(machine), before);
    /* Closed with one under way. */
    EXPECT(heddle_queue_copy_on_device(queue, data + 4 * WORDS, data, 4 * WORDS));
    EXPECT(heddle_close(machine));
}
