/* SPDX-License-Identifier: MIT */
/*
 * Random programs of transactions commit what they commit where they stay when their blocks are stopped and moved at random cycles: by
 * the functions of hd_context.h, and by the messages of a scheduler, in memory or by buffers.
 *
 * Blocks are told to drain what may conflict for ever: back-off alone promises no progress. Escalation ends that, so it is near here.
 *
 * HEDDLE_MOVE_TRANSACTIONS = how many programs (default 12), HEDDLE_MOVE_TRANSACTIONS_SEED = seed of the first (default 1).
 */
#include "core_courier.h"
#include "tx_move.h"
#include "tx_random_program.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCKS 3u
#define LONGEST_DRAIN 500000u /* cycles; escalation begins after a 25th of that */
#define MOST_ROUNDS 20000u
#define ESCALATION "tx.getm.escalation=20000 cycles"

static const uint64_t tags[BLOCKS] = {0, 1, RIG_SECOND_TAG};

typedef struct trial {
    getm_rig *g;
    uint64_t seed, random;
    uint32_t threads, transactions; /* of a block, of each thread */
} trial;

static uint64_t option(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

/* The program of this seed runs on its machine, with these parameters besides. */
static trial begin(uint64_t seed, const char *const *more)
{
    uint32_t words[TX_RANDOM_WORDS];
    const char *parameters[TX_MOVE_PARAMETERS];
    trial t = {.seed = seed, .random = seed, .transactions = random_transactions(seed, words)};
    tx_move_combine(parameters, tx_move_machines[seed % TX_MOVE_MACHINES], more);
    t.g = getm_rig_create_pair(parameters, words);
    t.threads = 2 + (uint32_t)(kit_random(&t.random) % 38);
    for (uint32_t block = 0; block < BLOCKS; block++)
        pair_launch(t.g->pair, block == 2, t.threads, 0);
    return t;
}

static uint32_t has_ended(const trial *t)
{
    return rig_done(t->g->pair->rig[0]) + rig_done(t->g->pair->rig[1]) == BLOCKS;
}

static uint32_t pick(trial *t, uint32_t choices)
{
    return (uint32_t)(kit_random(&t->random) % choices);
}

static void end(trial *t)
{
    const uint64_t commits = (uint64_t)BLOCKS * t->threads * t->transactions;
    pair_finish(t->g->pair, BLOCKS);
    getm_rig_expect_over(t->g);
    cr_assert_eq(getm_rig_statistic(t->g, "tx_commits"), commits, "seed %lu", t->seed);
    cr_assert_eq(rig_word(t->g->rig, TX_RANDOM_COUNTER) + rig_word(t->g->rig, TX_RANDOM_COUNTER + 64), commits,
                 "seed %lu", t->seed);
    getm_rig_destroy(t->g);
}

/* Cycles from the word to the block to stop until it has stopped or ended; no more than LONGEST_DRAIN. */
static uint32_t cycles_to_rest(const trial *t, uint32_t core, uint64_t tag)
{
    core_pair *pair = t->g->pair;
    uint32_t cycles = 0;
    pair_stop(pair, core, tag);
    for (; pair_state(pair, core, tag) == HD_CONTEXT_STOPPING && cycles < LONGEST_DRAIN; cycles++)
        pair_run(pair, 1);
    return cycles;
}

/* 0: the block has ended before. */
static uint32_t comes_to_rest(const trial *t, uint32_t core, uint64_t tag)
{
    cr_assert_lt(cycles_to_rest(t, core, tag), LONGEST_DRAIN,
                 "seed %lu: block %lu waits for transactions that do not end: %lu commits, %lu aborts", t->seed, tag,
                 getm_rig_statistic(t->g, "tx_commits"), getm_rig_statistic(t->g, "tx_aborts"));
    return pair_state(t->g->pair, core, tag) == HD_CONTEXT_STOPPED;
}

/* Returns whether it has stopped. */
static uint32_t move_one(trial *t, uint64_t tag)
{
    core_pair *pair = t->g->pair;
    const uint32_t core = pair_holder(pair, tag);
    if (core == 2 || !comes_to_rest(t, core, tag))
        return 0;
    pair_run(pair, pick(t, 3) * 40);
    if (pick(t, 4) == 0) {
        pair_resume(pair, core, tag);
        return 1;
    }
    pair_save(pair, core, tag);
    pair_release(pair, core, tag);
    pair_run(pair, pick(t, 50));
    cr_assert(pair_restore(pair, !core), "%s", pair->error);
    pair_resume(pair, !core, tag);
    return 1;
}

#define POLICIES 3u
static const char *policy_of(uint64_t seed)
{
    static const char *const policies[POLICIES] = {"context.tx_policy=drain", "context.tx_policy=abort",
                                                   "context.tx_policy=drain_then_abort"};
    return policies[seed / TX_MOVE_MACHINES % POLICIES];
}

static uint32_t move_by_hand(uint64_t seed)
{
    uint32_t moved = 0;
    trial t = begin(seed, (const char *const[]){policy_of(seed), "context.tx_drain=50 cycles", ESCALATION, NULL});
    pair_run(t.g->pair, 20);
    for (uint32_t round = 0; !has_ended(&t); round++) {
        cr_assert_lt(round, MOST_ROUNDS, "seed %lu: no end", seed);
        pair_run(t.g->pair, 1 + pick(&t, 300));
        moved += move_one(&t, tags[pick(&t, BLOCKS)]);
    }
    end(&t);
    return moved;
}

#define SMALLER "context.dead=marks", "context.compress=move", "context.scratchpad=written", "context.unwritten=garbage"
typedef struct way {
    const char *parameters[6];
    uint32_t has_buffers, is_ideal;
} way;
static const way ways[] = {{.parameters = {"context.storage=memory", NULL}},
                           {.parameters = {"context.storage=buffer", NULL}, .has_buffers = 1},
                           {.parameters = {"context.storage=buffer", SMALLER, NULL}, .has_buffers = 1},
                           {.parameters = {"context.storage=memory", SMALLER, NULL}, .is_ideal = 1},
                           {.parameters = {"context.storage=scheduler", "context.compress=write", NULL}}};
#define WAYS (sizeof ways / sizeof *ways)

static uint32_t move_by_messages(uint64_t seed)
{
    static const char *const stream[] = {"context.engine=stream", "context.bytes_per_cycle=64 B",
                                         "context.tx_drain=50 cycles", ESCALATION, NULL};
    const way *by = &ways[seed / TX_MOVE_MACHINES / POLICIES % WAYS];
    const char *parameters[TX_MOVE_PARAMETERS], *more[TX_MOVE_PARAMETERS];
    tx_move_combine(parameters, stream, (const char *const[]){policy_of(seed), NULL});
    tx_move_combine(more, parameters, by->parameters);
    trial t = begin(seed, more);
    courier *c = courier_create(t.g->pair);
    c->is_ideal = by->is_ideal;
    uint32_t moved = 0;
    for (uint32_t round = 0; !has_ended(&t); round++) {
        cr_assert_lt(round, MOST_ROUNDS, "seed %lu: no end", seed);
        pair_run(t.g->pair, 1 + pick(&t, 1500));
        courier_take(c);
        courier_decide(c, tags[pick(&t, BLOCKS)], by->has_buffers, &t.random);
    }
    for (uint32_t block = 0; block < BLOCKS; block++)
        moved += c->blocks[tags[block]].saved;
    courier_destroy(c);
    end(&t);
    return moved;
}

static void move_all(uint32_t (*move)(uint64_t seed))
{
    uint32_t moved = 0;
    const uint64_t first = option("HEDDLE_MOVE_TRANSACTIONS_SEED", 1);
    const uint64_t programs = option("HEDDLE_MOVE_TRANSACTIONS", 12);
    for (uint64_t seed = first; seed < first + programs; seed++)
        moved += move(seed);
    fprintf(stderr, "moved transactions: seeds %lu to %lu, %u moves and stops\n", first, first + programs - 1, moved);
    cr_expect_gt(moved, programs, "%u", moved);
}

Test(tx_move, random_transactions_commit_as_ever_when_their_blocks_move, .timeout = 3000)
{
    move_all(move_by_hand);
}

Test(tx_move, random_transactions_commit_as_ever_when_messages_move_their_blocks, .timeout = 3000)
{
    move_all(move_by_messages);
}

/* ---- What does not end ------------------------------------------------------------------------------------------------ */

#define LIVELOCK 571u     /* seed of a program whose warps abort each other, with the back-off of its machine */
#define FOR_EVER 2000000u /* cycles without a commit */
#define WITHOUT_ESCALATION "tx.getm.escalation=0 cycles"

/* Cycles since the latest commit when all has ended, or nothing has committed for so long. */
static uint32_t run_until_stuck(trial *t)
{
    uint64_t commits = 0;
    uint32_t idle = 0;
    while (!has_ended(t) && idle < FOR_EVER) {
        pair_run(t->g->pair, 1000);
        const uint64_t now = getm_rig_statistic(t->g, "tx_commits");
        idle = now == commits ? idle + 1000 : 0;
        commits = now;
    }
    return idle;
}

/* Nobody is stopped or moved: it is GETM's back-off that is no promise, and not ctx.tx_policy. */
Test(tx_move, warps_that_stay_abort_each_other_for_ever_without_escalation, .timeout = 3000)
{
    trial t = begin(LIVELOCK, (const char *const[]){WITHOUT_ESCALATION, NULL});
    cr_expect_eq(run_until_stuck(&t), FOR_EVER);
    cr_expect_eq(getm_rig_statistic(t.g, "tx_escalations"), 0);
    getm_rig_destroy(t.g);
    t = begin(LIVELOCK, (const char *const[]){ESCALATION, NULL});
    cr_expect_lt(run_until_stuck(&t), FOR_EVER);
    cr_expect_gt(getm_rig_statistic(t.g, "tx_escalations"), 0);
    end(&t);
}

/* To drain them is to wait for escalation. Giving them up is no way out either: a warp of which some lanes have committed goes on. */
Test(tx_move, a_block_of_such_warps_comes_to_rest_by_escalation, .timeout = 3000)
{
    static const char *const policies[] = {"context.tx_policy=drain", "context.tx_policy=abort"};
    for (uint32_t i = 0; i < 2; i++) {
        trial t = begin(LIVELOCK, (const char *const[]){policies[i], WITHOUT_ESCALATION, NULL});
        run_until_stuck(&t);
        cr_expect_eq(cycles_to_rest(&t, 0, 0), LONGEST_DRAIN, "%s", policies[i]);
        getm_rig_destroy(t.g);
        t = begin(LIVELOCK, (const char *const[]){policies[i], ESCALATION, NULL});
        pair_run(t.g->pair, 5000);
        cr_expect_lt(cycles_to_rest(&t, 0, 0), LONGEST_DRAIN, "%s", policies[i]);
        getm_rig_destroy(t.g);
    }
}
