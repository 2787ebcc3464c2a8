/* SPDX-License-Identifier: MIT */
/*
 * How long atomics take at the data port, and which have to wait for those before them.
 *
 * The operations of a request go in rounds: each carries out one of every word that has some left. A round takes the words of
 * each 32 B at sector_words per cycle, one 32 B after another; where that is 0, all its words at atomic_words per cycle. From its
 * begin on its words are locked for same_word cycles, and the blocks of lock_bytes around them for line_lock cycles: what
 * operates on them next, a round or a request, waits.
 */
#include "parts.h"

#include <stdlib.h>

#define WORDS (HD_LINE_BYTES / 4)
#define SECTOR_WORDS 8u

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Words of all blocks that hold one of these. */
static uint32_t blocks_around(const struct atomic_unit *unit, uint32_t words)
{
    uint32_t around = 0;
    for (uint32_t first = 0; first < WORDS; first += unit->lock_words) {
        const uint32_t block = (uint32_t)((UINT64_C(1) << unit->lock_words) - 1) << first;
        around |= words & block ? block : 0;
    }
    return around;
}

static uint32_t words_of(const hd_packet *request)
{
    const hd_atomic_operation *operations = hd_body_const(request);
    uint32_t words = 0;
    for (uint32_t i = 0; i < request->argument; i++)
        words |= 1u << operations[i].word;
    return words;
}

static struct atomic_round *round_at(const struct atomic_unit *unit, uint32_t i)
{
    return &unit->rounds[(unit->first + i) & (unit->capacity - 1)];
}

uint64_t slice_atomic_begin(const struct slice *slice, const hd_packet *request, uint64_t n, uint32_t *stall)
{
    const struct atomic_unit *unit = &slice->atomic_unit;
    uint64_t begin = n;
    *stall = NO_STALL;
    if (!unit->count)
        return begin;
    const uint32_t words = words_of(request), blocks = blocks_around(unit, words);
    for (uint32_t i = 0; i < unit->count; i++) {
        const struct atomic_round *round = round_at(unit, i);
        if (round->address != request->address)
            continue;
        if (round->words & blocks && round->begin + unit->line_lock > begin) {
            begin = round->begin + unit->line_lock;
            *stall = STATISTIC_STALL_ATOMIC_LINE;
        }
        if (round->words & words && round->begin + unit->same_word > begin) {
            begin = round->begin + unit->same_word;
            *stall = STATISTIC_STALL_ATOMIC_WORD;
        }
    }
    return begin;
}

/* Takes out those that lock nothing at n any more. */
static void forget_until(struct atomic_unit *unit, uint64_t n)
{
    const uint32_t lock = larger(unit->same_word, unit->line_lock);
    while (unit->count && round_at(unit, 0)->begin + lock <= n) {
        unit->first++;
        unit->count--;
    }
}

static void remember(struct atomic_unit *unit, uint64_t address, uint64_t begin, uint32_t words)
{
    if (unit->count == unit->capacity) {
        struct atomic_round *more = calloc(2 * (size_t)unit->capacity, sizeof *more);
        if (!more)
            abort();
        for (uint32_t i = 0; i < unit->count; i++)
            more[i] = *round_at(unit, i);
        free(unit->rounds);
        unit->rounds = more;
        unit->first = 0;
        unit->capacity *= 2;
    }
    unit->count++;
    *round_at(unit, unit->count - 1) = (struct atomic_round){.address = address, .begin = begin, .words = words};
}

static uint32_t cycles_of_round(const struct slice *slice, uint32_t words)
{
    const uint32_t rate = slice->atomic_unit.sector_words;
    uint32_t cycles = 0;
    if (!rate)
        return ((uint32_t)__builtin_popcount(words) + slice->atomic_words - 1) / slice->atomic_words;
    for (; words; words >>= SECTOR_WORDS)
        cycles += ((uint32_t)__builtin_popcount(words & 0xFFu) + rate - 1) / rate;
    return cycles;
}

static void count_words(const hd_packet *request, uint32_t *counts)
{
    const hd_atomic_operation *operations = hd_body_const(request);
    for (uint32_t i = 0; i < request->argument; i++)
        counts[operations[i].word]++;
}

/* Words that have operations left; each has one less afterwards. */
static uint32_t take_round(uint32_t *counts)
{
    uint32_t words = 0;
    for (uint32_t word = 0; word < WORDS; word++) {
        words |= (uint32_t)(counts[word] != 0) << word;
        counts[word] -= counts[word] != 0;
    }
    return words;
}

uint32_t slice_atomic_cycles(struct slice *slice, const hd_packet *request, uint64_t n)
{
    struct atomic_unit *unit = &slice->atomic_unit;
    const uint64_t free = slice->port_free > n ? slice->port_free : n;
    uint32_t stall;
    forget_until(unit, n);
    uint64_t begin = slice_atomic_begin(slice, request, free, &stall), end = begin;
    uint32_t counts[WORDS] = {0};
    count_words(request, counts);
    for (uint32_t words; (words = take_round(counts)) != 0;) {
        const uint32_t cycles = cycles_of_round(slice, words);
        if (unit->same_word || unit->line_lock)
            remember(unit, request->address, begin, words);
        end = begin + cycles;
        begin += larger(cycles, larger(unit->same_word, unit->line_lock));
    }
    return (uint32_t)(end - free);
}
