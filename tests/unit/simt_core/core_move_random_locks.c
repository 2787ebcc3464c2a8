/* SPDX-License-Identifier: MIT */
/*
 * Random programs whose threads take locks, in blocks that are stopped at random cycles and moved between two cores, holders and those
 * that wait alike: each ends, with the results of threads that run by themselves and stay. On each unit on which such programs end, by
 * the functions of hd_context.h, and by the messages of a scheduler, in memory or by buffers.
 *
 * HEDDLE_MOVE_LOCKS = how many programs (default 2), HEDDLE_MOVE_SEED = seed of the first.
 */
#include "core_courier.h"
#include "random_locks_program.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCKS 3u
#define THREADS 24u
#define WORDS (2 * LOCKS_COUNT + THREADS)
#define LONGEST_PAUSE 300u /* cycles between two moves, and while a block is stopped */
#define MOST_ROUNDS 100000u

#define STREAM "context.engine=stream", "context.bytes_per_cycle=64 B"
#define TURNS "reconvergence=aware", "reconvergence.aware.timeout=0 cycles"
#define SIDE_BY_SIDE "reconvergence=mp", "reconvergence.mp.delayed=true"

/* Whoever waits for a lock must let its holder issue: schedulers take turns. */
static const char *const machines[][8] = {
    {STREAM, "reconvergence=mimd", "scheduler=lrr", "lanes=8"},
    {STREAM, "reconvergence=mimd", "scheduler=lrr", "lanes=8", "context.dead=marks"},
    {STREAM, "ssde=virtual", "scheduler=lrr", "lanes=8"},
    {STREAM, "ssde=rewritten", "scheduler=lrr", "lanes=32", "context.dead=oracle"},
    {STREAM, "ssde=rewritten", "scheduler=lrr", "lanes=8", "context.lock_patience=2000 cycles"},
    {STREAM, TURNS, "scheduler=lrr", "lanes=8", "context.compress=move"},
    {STREAM, SIDE_BY_SIDE, "scheduler=lrr", "lanes=8", "context.compress=write"},
};
#define MACHINES (sizeof machines / sizeof *machines)

/* Where blocks are that have left. */
static const char *const storages[] = {"context.storage=scheduler", "context.storage=memory", "context.storage=buffer"};
#define STORAGES (sizeof storages / sizeof *storages)
#define BY_BUFFERS 2u

typedef struct moved_machine {
    const char *parameters[10];
} moved_machine;

static moved_machine with_storage(size_t machine, size_t storage)
{
    moved_machine made = {{storages[storage]}};
    for (size_t i = 0; i < sizeof machines[machine] / sizeof *machines[machine] && machines[machine][i]; i++)
        made.parameters[i + 1] = machines[machine][i];
    return made;
}

static uint64_t option(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

static void read_words(core_rig *rig, uint32_t words[WORDS])
{
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = rig_word(rig, i < 2 * LOCKS_COUNT ? DATA + 4 * i : DATA + LOCKS_RESULTS + 4 * (i - 2 * LOCKS_COUNT));
}

static core_pair *begin(const char *const *parameters, const uint32_t *program)
{
    core_pair *pair = pair_create(parameters, parameters, program);
    for (uint32_t block = 0; block < BLOCKS; block++)
        pair_launch(pair, block == 2, THREADS, 0);
    return pair;
}

static void end(core_pair *pair, uint32_t words[WORDS])
{
    pair_finish(pair, BLOCKS);
    read_words(pair->rig[0], words);
    pair_destroy(pair);
}

static const uint64_t tags[BLOCKS] = {0, 1, RIG_SECOND_TAG};

typedef void mover(size_t machine, const uint32_t *program, uint64_t seed, uint32_t words[WORDS], pair_moves *moves);

static void move_by_hand(size_t machine, const uint32_t *program, uint64_t seed, uint32_t words[WORDS],
                         pair_moves *moves)
{
    const moved_machine moving = with_storage(machine, machine % 2);
    core_pair *pair = begin(moving.parameters, program);
    uint64_t random = seed;
    for (uint32_t round = 0; rig_done(pair->rig[0]) + rig_done(pair->rig[1]) < BLOCKS; round++) {
        cr_assert_lt(round, MOST_ROUNDS, "seed %lu, machine %zu: no end", seed, machine);
        pair_run(pair, 1 + kit_random(&random) % LONGEST_PAUSE);
        pair_disturb(pair, tags[kit_random(&random) % BLOCKS], LONGEST_PAUSE, &random, moves);
    }
    end(pair, words);
}

static void move_by_messages(size_t machine, const uint32_t *program, uint64_t seed, uint32_t words[WORDS],
                             pair_moves *moves)
{
    const size_t storage = (machine + seed) % STORAGES;
    const moved_machine moving = with_storage(machine, storage);
    core_pair *pair = begin(moving.parameters, program);
    courier *c = courier_create(pair);
    uint64_t random = seed;
    for (uint32_t round = 0; rig_done(pair->rig[0]) + rig_done(pair->rig[1]) < BLOCKS; round++) {
        cr_assert_lt(round, MOST_ROUNDS, "seed %lu, machine %zu: no end", seed, machine);
        pair_run(pair, 1 + kit_random(&random) % LONGEST_PAUSE);
        courier_take(c);
        courier_decide(c, tags[kit_random(&random) % BLOCKS], storage == BY_BUFFERS, &random);
    }
    for (uint32_t block = 0; block < BLOCKS; block++)
        moves->moves += c->blocks[tags[block]].saved;
    courier_destroy(c);
    end(pair, words);
}

static void move_all(mover *move)
{
    static uint32_t program[LOCKS_WORDS];
    uint32_t alone[WORDS], moved[WORDS];
    pair_moves moves = {0};
    const uint64_t first = option("HEDDLE_MOVE_SEED", 20260301), programs = option("HEDDLE_MOVE_LOCKS", 2);
    for (uint64_t seed = first; seed < first + programs; seed++) {
        random_locks_program(seed, program);
        end(begin((const char *const[]){"reconvergence=mimd", "scheduler=lrr", "lanes=8", NULL}, program), alone);
        for (size_t machine = 0; machine < MACHINES; machine++) {
            move(machine, program, seed, moved, &moves);
            cr_expect_arr_eq(alone, moved, sizeof alone, "seed %lu, machine %zu", seed, machine);
        }
    }
    fprintf(stderr, "moved locks: seeds %lu to %lu, %u moves, %u stopped and resumed, %u ended while they stopped\n",
            first, first + programs - 1, moves.moves, moves.resumed, moves.ended);
    cr_expect_gt(moves.moves, programs);
}

Test(simt_core, locks_are_taken_and_given_back_as_blocks_move, .timeout = 3600)
{
    move_all(move_by_hand);
}

Test(simt_core, locks_are_taken_and_given_back_as_messages_move_blocks, .timeout = 3600)
{
    move_all(move_by_messages);
}
