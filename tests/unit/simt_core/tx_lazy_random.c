/* SPDX-License-Identifier: MIT */
/*
 * Message counts of a protocol that validates at commit, for random logs of random lanes of several warps, of which units
 * refuse some: what was sent is what follows from the table of accesses. Of one warp with its committing lanes: a log packet
 * for each entry and partition in it; DONE/SKIP to every unit; outcomes for each lane (Kilo TM) or once (WarpTM) per unit
 * that is touched; "done" likewise per unit that is written to by who passes. Source: Fung 2015 §4.2, §6.2.
 */
#include "bits.h"
#include "lazy.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define PROGRAMS 60u
#define THREADS 128u
#define LANES 32u
#define STEPS 7u /* a1..a7 hold addresses */
#define TABLE (DATA + 0x4000u)
#define SHARED DATA /* read only */
#define SHARED_WORDS 512u
#define OWN (DATA + 0x8000u)
#define OWN_WORDS 4u /* of each thread */

typedef struct accesses {
    uint32_t threads;
    uint32_t stores;                  /* steps, a bit each; the others load */
    uint32_t address[THREADS][STEPS]; /* 0 = none */
    uint64_t seed;
    uint32_t refusals; /* percent of (lane, unit) */
} accesses;

static accesses table; /* of this test's process, for the units too */

static uint32_t refuses(uint32_t warp, uint32_t attempt, uint32_t lane, uint32_t partition)
{
    uint64_t state = table.seed ^ warp << 24 ^ attempt << 16 ^ lane << 8 ^ partition;
    return attempt < 6 && kit_random(&state) % 100 < table.refusals;
}

static void make(uint64_t seed)
{
    uint64_t state = seed;
    memset(&table, 0, sizeof table);
    table.seed = seed;
    table.threads = 1 + (uint32_t)(kit_random(&state) % THREADS);
    table.stores = (uint32_t)(kit_random(&state) & kit_random(&state)) % (1u << STEPS);
    table.refusals = (uint32_t)(kit_random(&state) % 3) * 15;
    const uint32_t rarity = 1 + (uint32_t)(kit_random(&state) % 5);
    for (uint32_t thread = 0; thread < table.threads; thread++)
        for (uint32_t step = 0; step < STEPS; step++) {
            const uint32_t random = (uint32_t)(kit_random(&state) >> 20);
            const uint32_t own = OWN + 4 * (thread + THREADS * (random / 8 % OWN_WORDS));
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

static core_rig *run(uint32_t warp_level, void (*check)(const hd_transaction *))
{
    const char *const parameters[] = {"tx=lazy", "warps=8", "tx.ownership=0 B", "tx.concurrency=3", NULL};
    uint32_t words[64], n = 0;
    words[n++] = lui(A0, TABLE);
    words[n++] = csrr(S0, 0xCC0);
    words[n++] = slli(T0, S0, 5);
    words[n++] = add(A0, A0, T0);
    for (uint32_t step = 0; step < STEPS; step++)
        words[n++] = lw(A1 + step, (int32_t)(4 * step), A0);
    words[n++] = slli(S0, S0, 4);
    words[n++] = begin_tx(1);
    for (uint32_t step = 0; step < STEPS; step++) {
        words[n++] = addi(T2, S0, (int32_t)step);
        words[n++] = beq(A1 + step, ZERO, 8);
        words[n++] = table.stores >> step & 1 ? sw(T2, 0, A1 + step) : lw(T1, 0, A1 + step);
    }
    words[n++] = commit_tx();
    words[n++] = ret();
    words[n] = 0;
    lazy_start(warp_level);
    lazy.refuses = refuses;
    lazy.commits = check;
    core_rig *rig = rig_create(parameters, words);
    for (uint32_t thread = 0; thread < table.threads; thread++)
        for (uint32_t step = 0; step < STEPS; step++)
            rig_set_word(rig, TABLE + 32 * thread + 4 * step, table.address[thread][step]);
    for (uint32_t i = 0; i < SHARED_WORDS; i++)
        rig_set_word(rig, SHARED + 4 * i, 77 * i);
    rig_launch(rig, table.threads, 0);
    rig_finish(rig);
    return rig;
}

/* ---- What must have been sent ---------------------------------------------------------------------------------------- */

typedef struct expectation {
    uint32_t sent[LAZY_KINDS], flits[LAZY_KINDS];
    uint64_t attempts, commits;
} expectation;

static uint32_t partition_of(uint32_t address)
{
    return address / 256 % LAZY_PARTITIONS;
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
    for (uint32_t step = 0; step < STEPS; step++)
        if (steps >> step & 1 && is_logged(thread, step) && partition_of(table.address[thread][step]) == partition)
            return 1;
    return 0;
}

static void expect_log(expectation *e, uint32_t warp, uint64_t lanes, uint32_t step, uint32_t partition)
{
    uint32_t words = 0;
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t thread = warp * LANES + (uint32_t)__builtin_ctzll(left);
        words += is_logged(thread, step) && partition_of(table.address[thread][step]) == partition;
    }
    const uint32_t kind = table.stores >> step & 1 ? WRITE_SET : READ_SET;
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
        if (touches(warp * LANES + (uint32_t)__builtin_ctzll(left), partition, steps))
            found |= left & -left;
    return found;
}

static uint64_t refused_at(uint32_t warp, uint32_t attempt, uint64_t lanes, uint32_t partition)
{
    uint64_t found = 0;
    for (uint64_t left = lanes; left; left &= left - 1)
        if (refuses(warp, attempt, (uint32_t)__builtin_ctzll(left), partition))
            found |= left & -left;
    return found;
}

/* An attempt of these lanes, of which each has something in a log; those of them that fail. */
static uint64_t expect_attempt(expectation *e, uint32_t warp, uint32_t attempt, uint64_t lanes, uint32_t warp_level)
{
    uint64_t failed = 0;
    for (uint32_t p = 0; p < LAZY_PARTITIONS; p++) {
        const uint64_t here = users(warp, lanes, p, UINT32_MAX);
        for (uint32_t step = 0; step < STEPS; step++)
            expect_log(e, warp, lanes, step, p);
        expect_outcomes(e, DONE_SKIP, 1, warp_level);
        expect_outcomes(e, CU_REPLY, bits_count(here), warp_level);
        expect_outcomes(e, OUTCOME, bits_count(here), warp_level);
        failed |= refused_at(warp, attempt, here, p);
    }
    for (uint32_t p = 0; p < LAZY_PARTITIONS; p++)
        expect_outcomes(e, CU_DONE, bits_count(users(warp, lanes & ~failed, p, table.stores)), warp_level);
    return failed;
}

static expectation expect(uint32_t warp_level)
{
    expectation e = {.commits = table.threads};
    for (uint32_t warp = 0; warp * LANES < table.threads; warp++) {
        const uint32_t threads = table.threads - warp * LANES;
        const uint64_t began = threads < LANES ? (UINT64_C(1) << threads) - 1 : UINT32_MAX;
        uint64_t lanes = 0;
        for (uint32_t p = 0; p < LAZY_PARTITIONS; p++)
            lanes |= users(warp, began, p, UINT32_MAX);
        e.attempts += bits_count(began);
        for (uint32_t attempt = 1; lanes; attempt++) {
            lanes = expect_attempt(&e, warp, attempt, lanes, warp_level);
            e.attempts += bits_count(lanes);
        }
    }
    return e;
}

static uint32_t last_store(uint32_t thread, uint32_t step)
{
    uint32_t last = step;
    for (uint32_t later = step; later < STEPS; later++)
        if (table.stores >> later & 1 && table.address[thread][later] == table.address[thread][step])
            last = later;
    return last;
}

/* Of a word that was stored to twice, the last value is told, and once. */
static void expect_told(const hd_transaction *told)
{
    const uint32_t thread = told->warp * LANES + told->lane;
    uint32_t reads = 0, writes = 0;
    for (uint32_t step = 0; step < STEPS; step++) {
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

static void expect_memory(core_rig *rig)
{
    for (uint32_t thread = 0; thread < table.threads; thread++)
        for (uint32_t step = 0; step < STEPS; step++)
            if (table.stores >> step & 1 && table.address[thread][step])
                cr_assert_eq(rig_word(rig, table.address[thread][step]), stored(thread, last_store(thread, step)),
                             "seed %lu, thread %u", table.seed, thread);
}

static void compare(uint64_t seed, uint32_t warp_level, uint64_t total[LAZY_KINDS])
{
    static const char *const names[LAZY_KINDS] = {"read sets", "write sets", "done or skip",
                                                  "outcomes",  "replies",    "commits that are done"};
    make(seed);
    core_rig *rig = run(warp_level, expect_told);
    const expectation e = expect(warp_level);
    for (uint32_t kind = 0; kind < LAZY_KINDS; kind++) {
        cr_assert_eq(lazy.sent[kind], e.sent[kind], "seed %lu, %s: %u %s, not %u", seed,
                     warp_level ? "WarpTM" : "Kilo TM", lazy.sent[kind], names[kind], e.sent[kind]);
        cr_assert_eq(lazy.flits[kind], e.flits[kind], "seed %lu: %u flits of %s, not %u", seed, lazy.flits[kind],
                     names[kind], e.flits[kind]);
        total[kind] += e.sent[kind];
    }
    cr_assert_eq(kit_statistic(rig_kit(rig), "tx_commits"), e.commits, "seed %lu", seed);
    cr_assert_eq(kit_statistic(rig_kit(rig), "tx_attempts"), e.attempts, "seed %lu", seed);
    cr_assert_eq(kit_statistic(rig_kit(rig), "tx_aborts"), e.attempts - e.commits, "seed %lu", seed);
    expect_memory(rig);
    rig_destroy(rig);
}

Test(tx_lazy_random, messages_are_as_many_as_the_logs_ask_for)
{
    uint64_t total[2][LAZY_KINDS] = {{0}};
    fprintf(stderr, "random logs: seeds 1 to %u\n", PROGRAMS);
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++)
        for (uint32_t warp_level = 0; warp_level < 2; warp_level++)
            compare(seed, warp_level, total[warp_level]);
    for (uint32_t kind = 0; kind < LAZY_KINDS; kind++) {
        cr_expect_gt(total[1][kind], 100, "kind %u", kind);
        cr_expect_eq(total[0][kind] > 4 * total[1][kind], kind > DONE_SKIP, "what WarpTM puts together, kind %u", kind);
    }
}
