/* SPDX-License-Identifier: MIT */
/* A map of words agrees with a plain array, however full it is, and whatever leaves it. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "hd_word_map.h"
#include "kit_random.h"

#define WORDS 256u

static uint32_t address_of(uint64_t word)
{
    return (uint32_t)(0x40000000u + 4 * word);
}

static void run(uint64_t seed, uint32_t capacity, uint32_t *refused)
{
    hd_word_map map;
    uint64_t state = seed, expected[WORDS] = {0};
    uint32_t count = 0;
    cr_assert_eq(hd_word_map_create(&map, capacity), 0);
    for (uint32_t step = 0; step < 4000; step++) {
        const uint64_t word = kit_random(&state) % WORDS, number = kit_random(&state) % 3 * kit_random(&state);
        const uint32_t has_room = !number || expected[word] || count < capacity;
        cr_assert_eq(hd_word_map_set(&map, address_of(word), number), has_room, "seed %lu, step %u", seed, step);
        *refused += !has_room;
        if (has_room) {
            count += (number != 0) - (expected[word] != 0);
            expected[word] = number;
        }
        cr_assert_eq(map.count, count);
        const uint64_t other = kit_random(&state) % WORDS;
        cr_assert_eq(hd_word_map_get(&map, address_of(other)), expected[other], "seed %lu, step %u", seed, step);
    }
    for (uint32_t word = 0; word < WORDS; word++)
        cr_assert_eq(hd_word_map_get(&map, address_of(word)), expected[word], "seed %lu", seed);
    hd_word_map_clear(&map);
    for (uint32_t word = 0; word < WORDS; word++)
        cr_assert_eq(hd_word_map_get(&map, address_of(word)), 0);
    hd_word_map_destroy(&map);
}

Test(word_map, is_an_array_of_limited_size)
{
    static const uint32_t capacities[] = {1, 2, 3, 60, 100, WORDS};
    uint32_t refused = 0;
    fprintf(stderr, "maps of words: seeds 1 to 20\n");
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (uint32_t i = 0; i < sizeof capacities / sizeof *capacities; i++)
            run(seed, capacities[i], &refused);
    cr_expect_gt(refused, 1000);
}
