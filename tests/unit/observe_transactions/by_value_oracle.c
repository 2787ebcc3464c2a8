/* SPDX-License-Identifier: MIT */
/*
 * Small random histories by value, in which anything may be: the checker accepts exactly those for which there is a serial order in
 * which transactions with commit IDs that have a word in common, which one of them writes, stand in the order of their IDs. The
 * oracle tries all orders.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rig.h"

#define TRANSACTIONS 10u
#define FEW 6u
#define WORDS 4u

static const uint32_t places[WORDS] = {3, 4, 40, 41};

/* How histories come to be. */
enum {
    DRAWN,  /* every value is drawn */
    SERIAL, /* some serial order gives the values */
    SPOILT, /* and then one thing is changed */
    KINDS
};
static const char *const names[KINDS] = {"drawn", "serial", "one thing changed"};

typedef struct world {
    rig *rig;
    uint64_t random;
    uint32_t count, words, values;
    uint32_t has_samples; /* 1: drawn ones; 0: nobody knows any */
    uint32_t is_sparse;   /* 1: many writers have nothing in common, and readers see much */
    uint32_t has_parts;   /* 1: some accesses are to half a word */
    uint32_t initial[WORDS];
    attempt attempts[TRANSACTIONS];
} world;

static rig rig_here;

static uint32_t draw(world *w, uint32_t below)
{
    w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(w->random >> 33) % below;
}

static uint32_t number_of(uint64_t address)
{
    uint32_t word = 0;
    while (RIG_BASE + 4 * (uint64_t)places[word] != address)
        word++;
    return word;
}

/* The same in both halves, or not. */
static uint32_t draw_value(world *w)
{
    return draw(w, w->values) | draw(w, w->has_parts ? 2 : 1) << 16;
}

static uint32_t draw_mask(world *w)
{
    static const uint32_t masks[] = {0xF, 0xF, 0x3, 0xC};
    return w->has_parts ? masks[draw(w, 4)] : 0xF;
}

static void add_read(world *w, attempt *a, uint32_t word)
{
    a->reads[a->transaction.read_count++] = (hd_transaction_word){.address = RIG_BASE + 4 * (uint64_t)places[word],
                                                                  .value = draw_value(w),
                                                                  .byte_mask = draw_mask(w),
                                                                  .sample = w->has_samples ? draw(w, 8) : HD_NO_SAMPLE};
}

static void draw_attempt(world *w, uint32_t i)
{
    attempt *a = &w->attempts[i];
    const uint32_t is_silent = draw(w, 5) < (w->count > FEW ? 3 : 2);
    const uint32_t reads = !w->is_sparse ? draw(w, 4) : is_silent ? 2 + draw(w, 3) : draw(w, 4) == 0;
    const uint32_t writes = is_silent ? 0 : w->is_sparse ? 1 : draw(w, 3);
    *a = rig_attempt(w->rig, i, 0, is_silent ? HD_NO_ORDER : 0);
    for (uint32_t k = 0; k < reads; k++)
        add_read(w, a, draw(w, w->words));
    for (uint32_t k = 0; k < writes; k++)
        rig_write(a, places[draw(w, w->words)], draw_value(w), draw_mask(w));
}

/* IDs are taken in any order. */
static void draw_orders(world *w)
{
    uint64_t orders[TRANSACTIONS];
    for (uint32_t i = 0; i < w->count; i++) {
        const uint32_t other = draw(w, i + 1);
        orders[i] = orders[other];
        orders[other] = 10 + i;
    }
    for (uint32_t i = 0; i < w->count; i++)
        if (w->attempts[i].transaction.order != HD_NO_ORDER)
            w->attempts[i].transaction.order = orders[i];
}

static void apply(const attempt *a, uint32_t *memory)
{
    for (uint32_t k = 0; k < a->transaction.write_count; k++) {
        const uint32_t bits = hd_bits_of_bytes(a->writes[k].byte_mask), word = number_of(a->writes[k].address);
        memory[word] = (memory[word] & ~bits) | (a->writes[k].value & bits);
    }
}

/* ---- The oracle ------------------------------------------------------------------------------------------------------ */

static uint32_t shares(const hd_transaction_word *words, uint32_t count, uint64_t address)
{
    for (uint32_t i = 0; i < count; i++)
        if (words[i].address == address)
            return 1;
    return 0;
}

static uint32_t writes_of(const attempt *writer, const attempt *other)
{
    for (uint32_t k = 0; k < writer->transaction.write_count; k++)
        if (shares(other->reads, other->transaction.read_count, writer->writes[k].address) ||
            shares(other->writes, other->transaction.write_count, writer->writes[k].address))
            return 1;
    return 0;
}

static uint32_t comes_before(const attempt *a, const attempt *b)
{
    return a->transaction.order != HD_NO_ORDER && b->transaction.order != HD_NO_ORDER &&
           a->transaction.order < b->transaction.order && (writes_of(a, b) || writes_of(b, a));
}

static uint32_t may_be_next(const world *w, uint32_t left, uint32_t next)
{
    for (; left; left &= left - 1)
        if (comes_before(&w->attempts[__builtin_ctz(left)], &w->attempts[next]))
            return 0;
    return 1;
}

static uint32_t reads_right(const attempt *a, const uint32_t *memory)
{
    for (uint32_t k = 0; k < a->transaction.read_count; k++)
        if ((memory[number_of(a->reads[k].address)] ^ a->reads[k].value) & hd_bits_of_bytes(a->reads[k].byte_mask))
            return 0;
    return 1;
}

static uint32_t is_serialisable(const world *w, uint32_t left, const uint32_t *memory)
{
    if (!left) {
        for (uint32_t i = 0; i < w->words; i++)
            if (memory[i] != w->rig->memory[places[i]])
                return 0;
        return 1;
    }
    for (uint32_t rest = left; rest; rest &= rest - 1) {
        const uint32_t next = (uint32_t)__builtin_ctz(rest);
        uint32_t after[WORDS];
        memcpy(after, memory, sizeof after);
        if (!may_be_next(w, left, next) || !reads_right(&w->attempts[next], memory))
            continue;
        apply(&w->attempts[next], after);
        if (is_serialisable(w, left & ~(1u << next), after))
            return 1;
    }
    return 0;
}

/* ---- Histories ------------------------------------------------------------------------------------------------------- */

/* Gives reads the values that they find in a random serial order that respects the IDs of those in conflict. */
static void execute_serially(world *w)
{
    uint32_t memory[WORDS], left = (1u << w->count) - 1;
    memcpy(memory, w->initial, sizeof memory);
    while (left) {
        const uint32_t next = draw(w, w->count);
        attempt *a = &w->attempts[next];
        if (!(left >> next & 1) || !may_be_next(w, left, next))
            continue;
        for (uint32_t k = 0; k < a->transaction.read_count; k++)
            a->reads[k].value = memory[number_of(a->reads[k].address)];
        apply(a, memory);
        left &= ~(1u << next);
    }
}

static void spoil(world *w)
{
    attempt *a = &w->attempts[draw(w, w->count)];
    const uint32_t reads = a->transaction.read_count, writes = a->transaction.write_count, what = draw(w, 3);
    if (what == 0 && reads)
        a->reads[draw(w, reads)].value ^= 1;
    else if (what == 1 && writes)
        a->writes[draw(w, writes)].value ^= 1;
    else
        w->initial[draw(w, w->words)] ^= 1;
}

/* All commit; their words are written in the order of IDs, or now and then not. */
static void commit_all(world *w)
{
    uint32_t left = (1u << w->count) - 1;
    const uint32_t in_order = draw(w, 8) != 0;
    for (uint32_t i = 0; i < w->count; i++)
        rig_commit(w->rig, &w->attempts[i]);
    while (left) {
        uint32_t next = (uint32_t)__builtin_ctz(left);
        for (uint32_t rest = left; rest; rest &= rest - 1) {
            const uint32_t i = (uint32_t)__builtin_ctz(rest);
            if (in_order && w->attempts[i].transaction.order < w->attempts[next].transaction.order)
                next = i;
        }
        rig_apply(w->rig, &w->attempts[next]);
        left &= ~(1u << next);
    }
}

static void make(world *w, uint32_t kind)
{
    const uint32_t are_many = draw(w, 4) == 0;
    w->count = are_many ? TRANSACTIONS - draw(w, 3) : 2 + draw(w, FEW - 1);
    w->words = 2 + draw(w, WORDS - 1);
    w->values = are_many ? 2 : 2 + draw(w, 3);
    w->has_samples = draw(w, 2);
    w->is_sparse = are_many || draw(w, 2);
    w->has_parts = !are_many && draw(w, 3) == 0;
    for (uint32_t i = 0; i < w->words; i++)
        w->initial[i] = draw_value(w);
    for (uint32_t i = 0; i < w->count; i++)
        draw_attempt(w, i);
    draw_orders(w);
    if (kind != DRAWN)
        execute_serially(w);
    if (kind == SPOILT)
        spoil(w);
    for (uint32_t i = 0; i < w->words; i++) {
        w->rig->memory[places[i]] = w->initial[i];
        rig_plain_load(w->rig, places[i]);
    }
}

typedef struct tally {
    uint64_t accepted, silent, moved, parts;
} tally;

/* Those of which the order of IDs alone does not explain all values. */
static uint32_t needs_another_order(const world *w)
{
    uint32_t memory[WORDS];
    uint64_t at = 0;
    uint32_t explained = 0;
    memcpy(memory, w->initial, sizeof memory);
    for (;;) {
        for (uint32_t i = 0; i < w->count; i++)
            if (w->attempts[i].transaction.order == HD_NO_ORDER && reads_right(&w->attempts[i], memory))
                explained |= 1u << i;
        const attempt *next = NULL;
        for (uint32_t i = 0; i < w->count; i++)
            if (w->attempts[i].transaction.order != HD_NO_ORDER && w->attempts[i].transaction.order > at &&
                (!next || w->attempts[i].transaction.order < next->transaction.order))
                next = &w->attempts[i];
        if (!next)
            break;
        apply(next, memory);
        at = next->transaction.order;
    }
    for (uint32_t i = 0; i < w->count; i++)
        if (w->attempts[i].transaction.order == HD_NO_ORDER && !(explained >> i & 1))
            return 1;
    return 0;
}

static void compare(uint64_t seed, uint32_t kind, tally *tally)
{
    world world = {.rig = &rig_here, .random = seed * UINT64_C(0x9E3779B97F4A7C15) + kind}, *w = &world;
    rig_open(w->rig);
    w->rig->rule = HD_SERIAL_BY_VALUE;
    make(w, kind);
    rig_begin(w->rig);
    commit_all(w);
    rig_end(w->rig);
    const uint32_t expected = is_serialisable(w, (1u << w->count) - 1, w->initial), accepted = !w->rig->violations;
    cr_assert_eq(accepted, expected, "%s, seed %llu: %s\n%s", names[kind], (unsigned long long)seed,
                 expected ? "there is a serial order" : "accepted, and there is no order", w->rig->report);
    tally->accepted += accepted;
    tally->silent += hd_transaction_checker_counts(w->rig->checker).placed;
    tally->moved += accepted && needs_another_order(w);
    tally->parts += accepted && w->has_parts;
    rig_close(w->rig);
}

Test(transaction_values_oracle, accepted_is_exactly_what_some_serial_order_explains, .timeout = 300)
{
    const char *asked = getenv("HEDDLE_TRANSACTION_HISTORIES"), *given = getenv("HEDDLE_TRANSACTION_SEED");
    const uint64_t histories = asked ? strtoull(asked, NULL, 0) : 8000;
    const uint64_t first = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL) << 20;
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        tally tally = {0};
        for (uint64_t seed = first; seed < first + histories; seed++)
            compare(seed, kind, &tally);
        fprintf(stderr,
                "histories by value, %s: seeds %llu to %llu, %llu accepted, %llu with parts of words, %llu not in the "
                "order of IDs alone, %llu silent readers\n",
                names[kind], (unsigned long long)first, (unsigned long long)(first + histories - 1),
                (unsigned long long)tally.accepted, (unsigned long long)tally.parts, (unsigned long long)tally.moved,
                (unsigned long long)tally.silent);
        cr_expect(tally.accepted > histories / 100 && tally.accepted < histories, "%s", names[kind]);
        cr_expect(tally.silent > histories / 2 && tally.parts && tally.moved, "%s", names[kind]);
    }
}
