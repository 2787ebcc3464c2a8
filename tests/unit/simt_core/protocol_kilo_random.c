/* SPDX-License-Identifier: MIT */
/*
 * Random transactions through Kilo TM and WarpTM: messages are as many as there have to be (Fung 2015 §4.2, §6.2), words that a unit
 * has not kept come again, and everything ends. The units hold each packet against the protocol.
 */
#include "protocol_kilo_rig.h"
#include "tx_table.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define PROGRAMS 80u

static const uint8_t kinds[TABLE_KINDS] = {
    [TABLE_READ_SET] = KIND_READ_SET, [TABLE_WRITE_SET] = KIND_WRITE_SET, [TABLE_DONE_SKIP] = KIND_DONE_SKIP,
    [TABLE_OUTCOME] = KIND_OUTCOME,   [TABLE_VERDICT] = KIND_VERDICT,     [TABLE_COMMITTED] = KIND_COMMITTED};

/* Small caches, few accesses, a slow vendor, buffers of a word or two: by the seed. */
static kilo_rig *run(uint64_t seed, uint32_t aggregates)
{
    static const char *const machines[][6] = {
        {"warps=8", "tx.concurrency=3", NULL},
        {"warps=8", "tx.concurrency=0", "tx.log_traffic=none", "tx.back_off.base=0 cycles", NULL},
        {"warps=8", "tx.token_hold=false", "l1.bytes=768 B", "memory.accesses=2", "memory.queue=2", NULL},
        {"warps=4", "tx.checkpoint=20 cycles", "tx.back_off.law=linear", "tx.resolutions=1", NULL}};
    uint32_t words[64];
    table_make(seed);
    table_program(words);
    rig_renews(seed % 2 ? seed : 0, 0);
    kilo_rig *k = kilo_rig_create(machines[seed % 4], aggregates, words);
    k->refuses = table_refuses;
    k->told = table_expect_told;
    k->keep = seed % 3 ? UINT32_MAX : (uint32_t)(seed / 3 % 3);
    k->id_delay = (uint32_t)(seed * 7 % 90);
    k->delay = (uint32_t)(1 + seed * 5 % 60);
    k->spread = (uint32_t)(seed / 2 % 4 * 9);
    k->at_once = seed % 5 < 3;
    table_fill(k->rig);
    rig_launch(k->rig, table.threads, 0);
    kilo_rig_finish(k);
    return k;
}

static void compare(uint64_t seed, uint32_t aggregates, uint64_t total[TABLE_KINDS])
{
    kilo_rig *k = run(seed, aggregates);
    const expectation e = table_expect(aggregates);
    const uint64_t resent = k->sent[KIND_RESEND];
    for (uint32_t kind = 0; kind < TABLE_KINDS; kind++) {
        const uint32_t sent = k->sent[kinds[kind]], flits = k->flits[kinds[kind]];
        cr_assert(resent ? sent >= e.sent[kind] : sent == e.sent[kind], "seed %lu, %s: %u %s, not %u", seed,
                  aggregates ? "WarpTM" : "Kilo TM", sent, table_kinds[kind], e.sent[kind]);
        cr_assert(resent || flits == e.flits[kind], "seed %lu: %u flits of %s, not %u", seed, flits, table_kinds[kind],
                  e.flits[kind]);
        total[kind] += e.sent[kind];
    }
    cr_assert_eq(k->sent[KIND_RESENT], resent);
    cr_assert_eq(k->next_id, 1 + e.ids, "seed %lu", seed);
    cr_assert_eq(kilo_rig_statistic(k, "tx_commits"), e.commits, "seed %lu", seed);
    cr_assert_eq(kilo_rig_statistic(k, "tx_attempts"), e.attempts, "seed %lu", seed);
    cr_assert_eq(kilo_rig_statistic(k, "tx_aborts_validation"), e.attempts - e.commits, "seed %lu", seed);
    table_expect_memory(k->rig);
    kilo_rig_destroy(k);
}

Test(tx_kilo_random, messages_are_as_many_as_the_logs_ask_for)
{
    uint64_t total[2][TABLE_KINDS] = {{0}};
    fprintf(stderr, "random transactions of Kilo TM: seeds 1 to %u\n", PROGRAMS);
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++)
        for (uint32_t aggregates = 0; aggregates < 2; aggregates++)
            compare(seed, aggregates, total[aggregates]);
    for (uint32_t kind = 0; kind < TABLE_KINDS; kind++)
        cr_expect_gt(total[1][kind], 100, "%s", table_kinds[kind]);
}
