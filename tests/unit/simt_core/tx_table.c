/* SPDX-License-Identifier: MIT */
#include "tx_table.h"

#include <criterion/criterion.h>
#include <string.h>

#include "bits.h"

#define PLACES (DATA + 0x4000u) /* a1..a7 hold addresses, from here */
#define SHARED DATA             /* read only */
#define SHARED_WORDS 512u
#define OWN (DATA + 0x8000u)
#define OWN_WORDS 4u /* of each thread */

const char *const table_kinds[TABLE_KINDS] = {"read sets", "write sets", "done or skip",
                                              "outcomes",  "verdicts",   "commits that are done"};

accesses table;

uint32_t table_refuses(uint32_t warp, uint32_t attempt, uint32_t lane, uint32_t partition)
{
    uint64_t state = table.seed ^ warp << 24 ^ attempt << 16 ^ lane << 8 ^ partition;
    return attempt < 6 && kit_random(&state) % 100 < table.refusals;
}

void table_make(uint64_t seed)
{
    uint64_t state = seed;
    memset(&table, 0, sizeof table);
    table.seed = seed;
    table.threads = 1 + (uint32_t)(kit_random(&state) % TABLE_THREADS);
    table.stores = (uint32_t)(kit_random(&state) & kit_random(&state)) % (1u << TABLE_STEPS);
    table.refusals = (uint32_t)(kit_random(&state) % 3) * 15;
    const uint32_t rarity = 1 + (uint32_t)(kit_random(&state) % 5);
    for (uint32_t thread = 0; thread < table.threads; thread++)
        for (uint32_t step = 0; step < TABLE_STEPS; step++) {
            const uint32_t random = (uint32_t)(kit_random(&state) >> 20);
            const uint32_t own = OWN + 4 * (thread + TABLE_THREADS * (random / 8 % OWN_WORDS));
            if (random % rarity == 0)
                table.address[thread][step] =
                    table.stores >> step & 1 || random % 3 == 0 ? own : SHARED + 4 * (random / 8 % SHARED_WORDS);
        }
}

/* t2 = number of the thread, times 16, plus that of its store. */
static uint32_t stored(uint32_t thread, uint32_t step)
{
    return thread * 16 + step;
}

void table_program(uint32_t words[64])
{
    uint32_t n = 0;
    words[n++] = lui(A0, PLACES);
    words[n++] = csrr(S0, 0xCC0);
    words[n++] = slli(T0, S0, 5);
    words[n++] = add(A0, A0, T0);
    for (uint32_t step = 0; step < TABLE_STEPS; step++)
        words[n++] = lw(A1 + step, (int32_t)(4 * step), A0);
    words[n++] = slli(S0, S0, 4);
    words[n++] = begin_tx(1);
    for (uint32_t step = 0; step < TABLE_STEPS; step++) {
        words[n++] = addi(T2, S0, (int32_t)step);
        words[n++] = beq(A1 + step, ZERO, 8);
        words[n++] = table.stores >> step & 1 ? sw(T2, 0, A1 + step) : lw(T1, 0, A1 + step);
    }
    words[n++] = commit_tx();
    words[n++] = ret();
    words[n] = 0;
}

void table_fill(core_rig *rig)
{
    for (uint32_t thread = 0; thread < table.threads; thread++)
        for (uint32_t step = 0; step < TABLE_STEPS; step++)
            rig_set_word(rig, PLACES + 32 * thread + 4 * step, table.address[thread][step]);
    for (uint32_t i = 0; i < SHARED_WORDS; i++)
        rig_set_word(rig, SHARED + 4 * i, 77 * i);
}

/* ---- What must have been sent ---------------------------------------------------------------------------------------- */

static uint32_t partition_of(uint32_t address)
{
    return address / 256 % TABLE_PARTITIONS;
}

/* The thread has stored to what it loads here: nothing goes to the read log. */
static uint32_t is_own(uint32_t thread, uint32_t step)
{
    for (uint32_t before = 0; before < step; before++)
        if (table.stores >> before & 1 && table.address[thread][before] == table.address[thread][step])
            return 1;
    return 0;
}

/* The thread has an entry in a log from this step. */
static uint32_t is_logged(uint32_t thread, uint32_t step)
{
    return table.address[thread][step] && (table.stores >> step & 1 || !is_own(thread, step));
}

static uint32_t touches(uint32_t thread, uint32_t partition, uint32_t steps)
{
    for (uint32_t step = 0; step < TABLE_STEPS; step++)
        if (steps >> step & 1 && is_logged(thread, step) && partition_of(table.address[thread][step]) == partition)
            return 1;
    return 0;
}

static void expect_log(expectation *e, uint32_t warp, uint64_t lanes, uint32_t step, uint32_t partition)
{
    uint32_t words = 0;
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t thread = warp * TABLE_LANES + (uint32_t)__builtin_ctzll(left);
        words += is_logged(thread, step) && partition_of(table.address[thread][step]) == partition;
    }
    const uint32_t kind = table.stores >> step & 1 ? TABLE_WRITE_SET : TABLE_READ_SET;
    e->sent[kind] += words != 0;
    e->flits[kind] += words ? (8 + 8 * words + 31) / 32 : 0;
}

static void expect_outcomes(expectation *e, uint32_t kind, uint32_t lanes, uint32_t warp_level)
{
    const uint32_t count = warp_level ? lanes != 0 : lanes;
    e->sent[kind] += count;
    e->flits[kind] += count;
}

/* Lanes that have something in a log from one of the steps, in words of this partition. */
static uint64_t users(uint32_t warp, uint64_t lanes, uint32_t partition, uint32_t steps)
{
    uint64_t found = 0;
    for (uint64_t left = lanes; left; left &= left - 1)
        if (touches(warp * TABLE_LANES + (uint32_t)__builtin_ctzll(left), partition, steps))
            found |= left & -left;
    return found;
}

static uint64_t refused_at(uint32_t warp, uint32_t attempt, uint64_t lanes, uint32_t partition)
{
    uint64_t found = 0;
    for (uint64_t left = lanes; left; left &= left - 1)
        if (table_refuses(warp, attempt, (uint32_t)__builtin_ctzll(left), partition))
            found |= left & -left;
    return found;
}

/* An attempt of these lanes, of which each has something in a log; those of them that fail. */
static uint64_t expect_attempt(expectation *e, uint32_t warp, uint32_t attempt, uint64_t lanes, uint32_t warp_level)
{
    uint64_t failed = 0;
    for (uint32_t p = 0; p < TABLE_PARTITIONS; p++) {
        const uint64_t here = users(warp, lanes, p, UINT32_MAX);
        for (uint32_t step = 0; step < TABLE_STEPS; step++)
            expect_log(e, warp, lanes, step, p);
        expect_outcomes(e, TABLE_DONE_SKIP, 1, warp_level);
        expect_outcomes(e, TABLE_VERDICT, bits_count(here), warp_level);
        expect_outcomes(e, TABLE_OUTCOME, bits_count(here), warp_level);
        failed |= refused_at(warp, attempt, here, p);
    }
    for (uint32_t p = 0; p < TABLE_PARTITIONS; p++)
        expect_outcomes(e, TABLE_COMMITTED, bits_count(users(warp, lanes & ~failed, p, table.stores)), warp_level);
    return failed;
}

expectation table_expect(uint32_t warp_level)
{
    expectation e = {.commits = table.threads};
    for (uint32_t warp = 0; warp * TABLE_LANES < table.threads; warp++) {
        const uint32_t threads = table.threads - warp * TABLE_LANES;
        const uint64_t began = threads < TABLE_LANES ? (UINT64_C(1) << threads) - 1 : UINT32_MAX;
        uint64_t lanes = 0;
        for (uint32_t p = 0; p < TABLE_PARTITIONS; p++)
            lanes |= users(warp, began, p, UINT32_MAX);
        e.attempts += bits_count(began);
        for (uint32_t attempt = 1; lanes; attempt++) {
            e.ids += bits_count(lanes);
            lanes = expect_attempt(&e, warp, attempt, lanes, warp_level);
            e.attempts += bits_count(lanes);
        }
    }
    return e;
}

static uint32_t last_store(uint32_t thread, uint32_t step)
{
    uint32_t last = step;
    for (uint32_t later = step; later < TABLE_STEPS; later++)
        if (table.stores >> later & 1 && table.address[thread][later] == table.address[thread][step])
            last = later;
    return last;
}

/* Of a word that was stored to twice, the last value is told, and once. */
void table_expect_told(const hd_transaction *told)
{
    const uint32_t thread = told->warp * TABLE_LANES + told->lane;
    uint32_t reads = 0, writes = 0;
    for (uint32_t step = 0; step < TABLE_STEPS; step++) {
        const uint32_t stores = table.stores >> step & 1;
        reads += !stores && is_logged(thread, step);
        if (!stores || !table.address[thread][step] || last_store(thread, step) != step)
            continue;
        cr_assert_lt(writes, told->write_count, "seed %lu", table.seed);
        cr_assert_eq(told->writes[writes].address, table.address[thread][step], "seed %lu", table.seed);
        cr_assert_eq(told->writes[writes].value, stored(thread, step), "seed %lu", table.seed);
        cr_assert_eq(told->writes[writes++].byte_mask, 0xF);
    }
    cr_assert_eq(told->rule, HD_SERIAL_BY_VALUE, "as the protocol has said");
    cr_assert_eq(told->write_count, writes, "seed %lu", table.seed);
    cr_assert_eq(told->read_count, reads, "seed %lu", table.seed);
}

void table_expect_memory(core_rig *rig)
{
    for (uint32_t thread = 0; thread < table.threads; thread++)
        for (uint32_t step = 0; step < TABLE_STEPS; step++)
            if (table.stores >> step & 1 && table.address[thread][step])
                cr_assert_eq(rig_word(rig, table.address[thread][step]), stored(thread, last_store(thread, step)),
                             "seed %lu, thread %u", table.seed, thread);
}
