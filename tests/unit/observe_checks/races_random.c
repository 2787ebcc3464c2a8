/* SPDX-License-Identifier: MIT */
/*
 * Random programs against an oracle that keeps, for every thread, the set of all accesses that come before what it does now, and
 * compares every access with every other one. With few threads both find races in the same words; with many, the checker finds
 * none that is not one.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rig.h"

#define SEEDS 400u
#define EVENTS 160u
#define THREADS (RIG_GRID * RIG_BLOCK)
#define WARPS (THREADS / RIG_LANES)
#define GLOBAL_WORDS 4u
#define SCRATCHPAD_WORDS 2u
#define WORDS (GLOBAL_WORDS + RIG_GRID * SCRATCHPAD_WORDS)

typedef struct set {
    uint64_t bits[(EVENTS + 63) / 64];
} set;

static void join(set *to, const set *from)
{
    for (size_t i = 0; i < sizeof to->bits / sizeof *to->bits; i++)
        to->bits[i] |= from->bits[i];
}

static uint32_t holds(const set *in, uint32_t event)
{
    return in->bits[event / 64] >> event % 64 & 1;
}

enum kind { NO_ACCESS, LOAD, STORE, RELEASE_STORE, ATOMIC_READ, ATOMIC, TX_LOAD, TX_STORE };

static const enum kind pairs[][2] = {{LOAD, STORE},
                                     {LOAD, RELEASE_STORE},
                                     {LOAD, ATOMIC},
                                     {LOAD, TX_STORE},
                                     {STORE, STORE},
                                     {STORE, RELEASE_STORE},
                                     {STORE, ATOMIC_READ},
                                     {STORE, ATOMIC},
                                     {STORE, TX_LOAD},
                                     {STORE, TX_STORE},
                                     {ATOMIC, TX_LOAD},
                                     {ATOMIC, TX_STORE},
                                     {RELEASE_STORE, TX_LOAD},
                                     {RELEASE_STORE, TX_STORE},
                                     {ATOMIC_READ, TX_STORE}};

static uint32_t conflict(enum kind a, enum kind b)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if ((pairs[i][0] == a && pairs[i][1] == b) || (pairs[i][0] == b && pairs[i][1] == a))
            return 1;
    return 0;
}

typedef struct event {
    enum kind kind;
    uint32_t thread;
    uint32_t word;
} event;

typedef struct oracle {
    event events[EVENTS];
    uint32_t count;
    set own[THREADS], known[THREADS], seen[THREADS], near[THREADS], fenced[THREADS];
    uint32_t has_fenced[THREADS], is_release[THREADS];
    set of_block[RIG_GRID], barrier[RIG_GRID], of_warp[WARPS], synchronised[WARPS];
    set published[WORDS], done[WORDS], commits;
    uint32_t is_racy[WORDS];
} oracle;

static oracle o;
static rig r;
static uint64_t state;

static uint32_t below(uint32_t limit)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % limit;
}

static uint32_t block_of(uint32_t thread)
{
    return thread / RIG_BLOCK;
}

static uint32_t is_scratchpad(uint32_t word)
{
    return word >= GLOBAL_WORDS;
}

static uint32_t address_of(uint32_t word)
{
    return is_scratchpad(word) ? SCRATCHPAD + 4 * ((word - GLOBAL_WORDS) % SCRATCHPAD_WORDS) : GLOBAL + 4 * word;
}

/* ---- The oracle --------------------------------------------------------------------------------------------------------- */

static uint32_t is_ordered(uint32_t before, uint32_t thread)
{
    const uint32_t other = o.events[before].thread;
    if (other == thread || holds(&o.known[thread], before))
        return 1;
    if (block_of(other) != block_of(thread))
        return 0;
    return holds(&o.barrier[block_of(thread)], before) || holds(&o.near[thread], before) ||
           (other / RIG_LANES == thread / RIG_LANES && holds(&o.synchronised[thread / RIG_LANES], before));
}

static void add(uint32_t thread, enum kind kind, uint32_t word)
{
    const uint32_t number = o.count++;
    o.events[number] = (event){.kind = kind, .thread = thread, .word = word};
    for (uint32_t i = 0; i < number && kind != NO_ACCESS; i++)
        if (o.events[i].word == word && conflict(o.events[i].kind, kind) && !is_ordered(i, thread))
            o.is_racy[word] = 1;
    set *sets[] = {&o.own[thread], &o.of_block[block_of(thread)], &o.of_warp[thread / RIG_LANES]};
    for (size_t i = 0; i < 3; i++)
        sets[i]->bits[number / 64] |= UINT64_C(1) << number % 64;
}

static void publish(uint32_t thread, uint32_t word)
{
    join(&o.published[word], &o.known[thread]);
    join(&o.published[word], &o.fenced[thread]);
    join(&o.done[word], &o.near[thread]);
    join(&o.done[word], &o.own[thread]);
}

static void see(uint32_t thread, uint32_t word, uint32_t acquires)
{
    if (is_scratchpad(word))
        join(&o.near[thread], &o.done[word]);
    join(acquires ? &o.known[thread] : &o.seen[thread], &o.published[word]);
}

static void meet(uint32_t first, uint32_t count, uint32_t is_block)
{
    set all = {{0}}, near = {{0}};
    for (uint32_t i = first; i < first + count; i++) {
        join(&all, &o.known[i]);
        join(&all, &o.fenced[i]);
        join(&near, &o.near[i]);
    }
    for (uint32_t i = first; i < first + count; i++) {
        o.known[i] = all;
        o.near[i] = is_block ? (set){{0}} : near;
    }
    if (is_block)
        o.barrier[block_of(first)] = o.of_block[block_of(first)];
    else
        o.synchronised[first / RIG_LANES] = o.of_warp[first / RIG_LANES];
}

/* ---- Both --------------------------------------------------------------------------------------------------------------- */

static void load_or_store(uint32_t thread, uint32_t word)
{
    const uint32_t stores = below(3) == 0;
    const enum kind kind = !stores ? LOAD : o.is_release[thread] ? RELEASE_STORE : STORE;
    rig_access(&r, T(thread), stores ? HD_ACCESS_STORE : HD_ACCESS_LOAD, 0, address_of(word), 4, o.count, word);
    add(thread, kind, word);
    if (stores && o.has_fenced[thread])
        publish(thread, word);
    o.is_release[thread] &= !stores;
}

static void atomic(uint32_t thread, uint32_t word)
{
    const uint32_t reads = below(6) == 0, acquires = below(3) == 0, releases = !reads && below(3) == 0;
    rig_access(&r, T(thread), HD_ACCESS_ATOMIC,
               (reads ? HD_ACCESS_READS : 0) | (acquires ? HD_ACCESS_ACQUIRE : 0) | (releases ? HD_ACCESS_RELEASE : 0),
               address_of(word), 4, 0, word);
    add(thread, reads ? ATOMIC_READ : ATOMIC, word);
    if (releases) {
        o.fenced[thread] = o.own[thread];
        o.has_fenced[thread] = 1;
    }
    if (!reads)
        publish(thread, word);
    rig_sample(&r, T(thread));
    see(thread, word, acquires);
}

static void transaction(uint32_t thread, uint32_t word)
{
    const uint32_t stores = below(2), commits = below(4) != 0;
    rig_access(&r, T(thread), stores ? HD_ACCESS_STORE : HD_ACCESS_LOAD, HD_ACCESS_TRANSACTIONAL, address_of(word), 4,
               o.count, word);
    rig_lane(&r, T(thread), commits ? HD_ACCESS_COMMIT : HD_ACCESS_ABORT);
    if (!commits)
        return;
    add(thread, stores ? TX_STORE : TX_LOAD, word);
    join(&o.known[thread], &o.commits);
    join(&o.commits, &o.known[thread]);
    join(&o.commits, &o.own[thread]);
}

static void fence(uint32_t thread)
{
    const uint32_t acquires = below(4) != 0;
    rig_fence(&r, T(thread), acquires ? HD_ACCESS_ACQUIRE : 0);
    add(thread, NO_ACCESS, 0);
    o.fenced[thread] = o.own[thread];
    o.has_fenced[thread] = o.is_release[thread] = 1;
    if (!acquires)
        return;
    join(&o.known[thread], &o.seen[thread]);
    o.seen[thread] = (set){{0}};
}

static void step(uint32_t thread, uint32_t with_transactions)
{
    const uint32_t word =
        below(2) ? below(GLOBAL_WORDS) : GLOBAL_WORDS + block_of(thread) * SCRATCHPAD_WORDS + below(SCRATCHPAD_WORDS);
    switch (below(with_transactions ? 16 : 14)) {
    case 0:
    case 1:
    case 2:
    case 3: load_or_store(thread, word); break;
    case 4:
    case 5:
    case 6: atomic(thread, word); break;
    case 7:
        rig_load_cg(&r, T(thread), address_of(word));
        add(thread, NO_ACCESS, word);
        see(thread, word, 0);
        break;
    case 8:
    case 9:
    case 10:
    case 11: fence(thread); break;
    case 12:
        rig_barrier(&r, block_of(thread));
        meet(block_of(thread) * RIG_BLOCK, RIG_BLOCK, 1);
        break;
    case 13:
        rig_warp_sync(&r, block_of(thread), thread % RIG_BLOCK / RIG_LANES);
        meet(thread / RIG_LANES * RIG_LANES, RIG_LANES, 0);
        break;
    default:
        if (!is_scratchpad(word))
            transaction(thread, word);
        break;
    }
}

/* Words in which the checker has found something, a bit each. Scratchpads of all blocks look the same. */
static uint32_t words_found(const char *text)
{
    uint32_t words = 0;
    for (uint32_t word = 0; word < WORDS; word++) {
        char place[32];
        snprintf(place, sizeof place, " line %u,", word);
        words |= (strstr(text, place) != NULL) << word;
    }
    return words;
}

static void run(uint64_t seed, const uint32_t *threads, uint32_t thread_count, uint32_t with_transactions,
                uint32_t *found, uint32_t *expected)
{
    state = seed * 1299709 + 17;
    memset(&o, 0, sizeof o);
    rig_open(&r);
    rig_begin(&r);
    const uint32_t length = 5 + below(EVENTS - 5);
    while (o.count < length - 1) {
        step(threads[below(thread_count)], with_transactions);
        rig_show(&r);
    }
    rig_finish(&r);
    *found = words_found(r.text);
    *expected = 0;
    for (uint32_t word = 0; word < WORDS; word++)
        *expected |= o.is_racy[word] << word;
}

Test(race_checker_random, few_threads_race_where_the_oracle_says)
{
    static const uint32_t groups[][3] = {{0, 1, 2}, {0, 1, 5}, {0, 4, 8}, {3, 9, 17}, {0, 8, 9}};
    uint32_t racy = 0, clean = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        uint32_t found, expected;
        run(seed, groups[seed % 5], 3, seed % 2, &found, &expected);
        cr_assert_eq(found, expected, "seed %llu: 0x%x, expected 0x%x\n%s", (unsigned long long)seed, found, expected,
                     r.text);
        racy += expected != 0;
        clean += (~expected & 0xF) != 0;
        free(r.text);
    }
    cr_expect_gt(racy, SEEDS / 4);
    cr_expect_gt(clean, SEEDS / 4);
}

Test(race_checker_random, many_threads_race_nowhere_else)
{
    uint32_t threads[THREADS], all = 0, met = 0;
    for (uint32_t i = 0; i < THREADS; i++)
        threads[i] = i;
    for (uint64_t seed = 1; seed <= SEEDS / 2; seed++) {
        uint32_t found, expected;
        run(seed, threads, THREADS, seed % 2, &found, &expected);
        cr_assert_eq(found & ~expected, 0, "seed %llu: 0x%x, expected 0x%x\n%s", (unsigned long long)seed, found,
                     expected, r.text);
        all += (uint32_t)__builtin_popcount(expected);
        met += (uint32_t)__builtin_popcount(found);
        free(r.text);
    }
    cr_expect_gt(met, all - all / 50, "%u of %u words", met, all);
}
