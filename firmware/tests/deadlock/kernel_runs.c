/* SPDX-License-Identifier: MIT */
#include "kernel_runs.h"

#include <string.h>

#define LOCK (DATA + 0x000u)
#define LOCK_2 (DATA + 0x100u)
#define COUNT (DATA + 0x200u)
#define LIST (DATA + 0x300u)
#define OTHER (DATA + 0x400u)
#define TABLE (DATA + 0x500u)
#define LOCKS (DATA + 0x600u)
#define POOL (DATA + 0x700u)

#define T RUN_LANES
#define BUCKETS 4u
#define KEYS (2 * T)
#define LEAVES (2 * T)
#define ROOT (2 * LEAVES - 2)
#define ROUNDS 3u

static void fill(core_rig *rig, uint32_t address, const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        rig_set_word(rig, address + 4 * i, words[i]);
}

static uint32_t count_of(core_rig *rig, uint32_t address, uint32_t count, uint32_t value)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += rig_word(rig, address + 4 * i) == value;
    return found;
}

static int are_free(core_rig *rig)
{
    return !rig_word(rig, LOCK) && !rig_word(rig, LOCK_2) && count_of(rig, LOCKS, BUCKETS, 0) == BUCKETS;
}

/* ---- Locks ---------------------------------------------------------------------------------------------------------- */

static int has_counted(core_rig *rig)
{
    return are_free(rig) && rig_word(rig, COUNT) == T;
}

static void odd_threads(core_rig *rig)
{
    for (uint32_t i = 0; i < T; i++)
        rig_set_word(rig, LIST + 4 * i, i & 1);
}

static int has_counted_arms(core_rig *rig)
{
    return are_free(rig) && rig_word(rig, COUNT) == T / 2 * 3;
}

static int odd_threads_have_left(core_rig *rig)
{
    return has_counted_arms(rig) && count_of(rig, LIST, T, 7) == T / 2;
}

static int both_arms_go_on(core_rig *rig)
{
    return has_counted_arms(rig) && count_of(rig, LIST, T, 7) == T;
}

static void turns(core_rig *rig)
{
    for (uint32_t i = 0; i < T; i++)
        rig_set_word(rig, LIST + 4 * i, 3);
}

/* Who is there when the count is 1 more than a multiple of 4 adds 3 and leaves: how much that is depends on the order. */
static int has_counted_some(core_rig *rig)
{
    return are_free(rig) && rig_word(rig, COUNT) >= T;
}

static int has_counted_and_left_marks(core_rig *rig)
{
    return are_free(rig) && rig_word(rig, COUNT) == T && count_of(rig, COUNT + 4, T, 1) == T;
}

static void keys(core_rig *rig)
{
    for (uint32_t i = 0; i < KEYS; i++) {
        rig_set_word(rig, LIST + 4 * i, i * i);
        rig_set_word(rig, OTHER + 4 * i, 100 + i);
    }
}

static int all_keys_are_there(core_rig *rig)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < BUCKETS; i++)
        for (uint32_t e = rig_word(rig, TABLE + 4 * i); e && found <= KEYS; e = rig_word(rig, e + 8))
            found += (rig_word(rig, e) & (BUCKETS - 1)) == i && rig_word(rig, e + 4) == 100 + (e - POOL) / 12;
    return are_free(rig) && found == KEYS;
}

/* ---- Signals -------------------------------------------------------------------------------------------------------- */

#define START DATA
#define LEAVES_BELOW (DATA + 0x100u)
#define SORTED (DATA + 0x200u)
#define CHILDREN (DATA + 0x300u)

static uint32_t leaves_below(uint32_t place)
{
    return place >= LEAVES - 1 ? 1 : leaves_below(2 * place + 1) + leaves_below(2 * place + 2);
}

/* Inner nodes have the numbers LEAVES .. ROOT, the root's the highest; place 0 is the root's. */
static uint32_t number_of(uint32_t place)
{
    return place >= LEAVES - 1 ? place - (LEAVES - 1) : ROOT - place;
}

static void tree(core_rig *rig)
{
    for (uint32_t place = 0; place < LEAVES - 1; place++) {
        const uint32_t number = number_of(place);
        rig_set_word(rig, START + 4 * number, place ? UINT32_MAX : 0);
        rig_set_word(rig, LEAVES_BELOW + 4 * number, leaves_below(place));
        rig_set_word(rig, CHILDREN + 8 * number, number_of(2 * place + 1));
        rig_set_word(rig, CHILDREN + 8 * number + 4, number_of(2 * place + 2));
    }
}

static int leaves_are_sorted(core_rig *rig)
{
    uint32_t found = 0;
    for (uint32_t leaf = 0; leaf < LEAVES; leaf++)
        found += count_of(rig, SORTED, LEAVES, leaf) == 1;
    return found == LEAVES;
}

static int flag_is_set(core_rig *rig)
{
    return rig_word(rig, LOCK) == 1 && count_of(rig, LIST, T, 6) == T / 2 && count_of(rig, LIST, T, 1) == T / 2;
}

static int have_taken_turns(core_rig *rig)
{
    return rig_word(rig, LOCK) == ROUNDS && rig_word(rig, LOCK_2) == ROUNDS;
}

static int each_warp_has_set_its_flag(core_rig *rig)
{
    return rig_word(rig, LOCK) == 1 && rig_word(rig, LOCK + 4) == 1 && count_of(rig, LIST, 2 * T, 1) == 2 * T;
}

static void large(core_rig *rig)
{
    for (uint32_t i = 0; i < T; i++)
        rig_set_word(rig, LIST + 4 * i, 10);
}

static int has_counted_to_3(core_rig *rig)
{
    return count_of(rig, OTHER, T, 3) == T;
}

/* ---- Others --------------------------------------------------------------------------------------------------------- */

static void numbers(core_rig *rig)
{
    for (uint32_t i = 0; i < T; i++)
        rig_set_word(rig, LIST + 4 * i, i + 2);
}

static int are_sums_of_squares(core_rig *rig)
{
    for (uint32_t i = 0; i < T; i++) {
        uint32_t sum = 0;
        for (uint32_t k = 0; k < i + 2; k++)
            sum += k * k;
        if (rig_word(rig, OTHER + 4 * i) != sum)
            return 0;
    }
    return 1;
}

static int are_nines(core_rig *rig)
{
    return count_of(rig, LIST, T, 9) == T && count_of(rig, OTHER, T, 1) == T;
}

static int is_the_product(core_rig *rig)
{
    uint32_t expected = 0;
    for (uint32_t i = 0; i < T; i++)
        expected = expected * 3 + 1;
    return rig_word(rig, LOCK) == expected;
}

static int all_have_passed(core_rig *rig)
{
    return count_of(rig, LIST, T, 1) == T;
}

static int are_sums_of_steps(core_rig *rig)
{
    for (uint32_t i = 0; i < T; i++) {
        uint32_t sum = 0;
        for (uint32_t k = i + 2; k; k = k & 1 ? k - 1 : k >> 1)
            sum += k;
        if (rig_word(rig, OTHER + 4 * i) != sum)
            return 0;
    }
    return 1;
}

/* Thread i has a list of 1 + i % 5 elements with the value i + 1. */
static void lists(core_rig *rig)
{
    for (uint32_t i = 0; i < T; i++) {
        uint32_t next = 0;
        for (uint32_t k = 0; k <= i % 5; k++) {
            const uint32_t element[2] = {i + 1, next};
            next = POOL + 8 * (5 * i + k);
            fill(rig, next, element, 2);
        }
        rig_set_word(rig, LIST + 4 * i, next);
    }
}

static int are_sums_of_lists(core_rig *rig)
{
    for (uint32_t i = 0; i < T; i++)
        if (rig_word(rig, OTHER + 4 * i) != (i + 1) * (1 + i % 5))
            return 0;
    return 1;
}

#define HISTOGRAM POOL

static void pixels(core_rig *rig)
{
    for (uint32_t i = 0; i < T; i++)
        rig_set_word(rig, LIST + 4 * i, 0x01020300u + i % 3);
}

static int are_all_pixels(core_rig *rig)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 256; i++)
        sum += rig_word(rig, HISTOGRAM + 4 * i) & 0x07FFFFFF;
    return sum == 4 * T;
}

static int has_passed_the_barrier(core_rig *rig)
{
    for (uint32_t t = 0; t < T; t++)
        if (rig_word(rig, OTHER + 4 * t) != ((t ^ 1) & 1 ? t ^ 1 : 2 * (t ^ 1)))
            return 0;
    return 1;
}

#define D07_ARGUMENTS                                                                                                  \
    {                                                                                                                  \
        START, LEAVES_BELOW, SORTED, CHILDREN, LEAVES, ROOT, T, LEAVES                                                 \
    }
#define D11_ARGUMENTS                                                                                                  \
    {                                                                                                                  \
        LIST, OTHER, POOL, TABLE, LOCKS, BUCKETS, KEYS, T                                                              \
    }

const kernel_run kernel_runs[] = {
    {"D01", {LOCK, COUNT}, T, NULL, has_counted, "DDD", "DDD", 0, 104},
    {"D02", {LOCK, COUNT}, T, NULL, has_counted, "DDD", "DDD", 0, 82},
    {"D03", {LOCK, COUNT}, T, NULL, has_counted, "DDD", "DDD", 0, 98},
    {"D04", {LOCK, COUNT, LIST}, T, odd_threads, odd_threads_have_left, "DDD", "DDD", 0, 142},
    {"D05", {LOCK, LOCK_2, COUNT, LIST}, T, odd_threads, both_arms_go_on, "DDD", "DDD", 0, 233},
    {"D06", {LOCK, COUNT, LIST}, T, turns, has_counted_some, "DDD", "DDD", 0, 222},
    {"D07", D07_ARGUMENTS, T, tree, leaves_are_sorted, "DDD", "DDD", 1, 169},
    {"D08", {LOCK, LIST}, T, NULL, flag_is_set, "ooD", "DDo", 0, 25},
    {"D08b", {LOCK, LIST}, T, NULL, flag_is_set, "DDD", "ooo", 0, 25},
    {"D09", {LOCK, LOCK_2, ROUNDS}, T, NULL, have_taken_turns, "DDD", "DDD", 0, 56},
    {"D10", {LOCK, COUNT, 20}, T, NULL, has_counted, "DDD", "DDD", 0, 0},
    {"D11", D11_ARGUMENTS, T, keys, all_keys_are_there, "DDD", "DDD", 0, 0},
    {"D12", {LOCK, LOCK_2, COUNT}, T, NULL, has_counted_and_left_marks, "DDD", "DDD", 0, 134},
    {"N01", {LOCK, COUNT}, T, NULL, has_counted, "oDD", "oDD", 0, 82},
    {"N01v", {LOCK, COUNT}, T, NULL, has_counted, "ooo", "ooo", 0, 113},
    {"N01b", {LOCK, COUNT}, T, NULL, has_counted, "ooo", "ooD", 0, 121},
    {"N02", D07_ARGUMENTS, T, tree, leaves_are_sorted, "oDD", "oDD", 1, 181},
    {"N03", {LOCK, LOCK_2, COUNT}, T, NULL, has_counted, "oDD", "oDD", 0, 138},
    {"N04", {LIST, OTHER}, T, numbers, are_sums_of_squares, "ooo", "ooo", 0, 0},
    {"N05", {LIST, OTHER}, T, numbers, are_nines, "ooo", "ooo", 0, 0},
    {"N11", D11_ARGUMENTS, T, keys, all_keys_are_there, "oDD", "oDD", 0, 0},
    {"A01", {LOCK}, T, NULL, is_the_product, "ooo", "ooo", 0, 0},
    {"A02", {LOCK, LIST}, T, NULL, all_have_passed, "ooo", "ooo", 0, 0},
    {"L01", {LIST, OTHER}, T, numbers, are_sums_of_steps, "ooo", "ooo", 0, 0},
    {"F01", {LOCK, COUNT}, T, NULL, has_counted, "ooo", "ooo", 0, 785},
    {"F02", {LIST, OTHER}, T, numbers, are_sums_of_squares, "ooo", "ooo", 0, 0},
    {"F03", {LIST, OTHER}, T, lists, are_sums_of_lists, "ooo", "ooo", 0, 52},
    {"F04", {HISTOGRAM, LIST}, T, pixels, are_all_pixels, "ooo", "ooo", 0, 0},
    {"F05", {LIST, OTHER}, T, large, has_counted_to_3, "ooo", "ooo", 0, 0},
    {"F06", {LOCK, LIST}, 2 * T, NULL, each_warp_has_set_its_flag, "ooo", "ooo", 0, 0},
    {"M01", {LOCK, COUNT}, T, NULL, has_counted, "DDD", "DDD", 0, 0},
    {"B01", {LIST, OTHER}, T, NULL, has_passed_the_barrier, "FFF", "FFF", 0, 0},
};
const uint32_t kernel_run_count = sizeof kernel_runs / sizeof *kernel_runs;
