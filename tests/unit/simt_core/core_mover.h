/* SPDX-License-Identifier: MIT */
/*
 * Random programs whose blocks are stopped at random cycles and moved between two cores do what they do undisturbed: the
 * same results of every thread, instruction counts and float flags included, and the same sums of everything that does not
 * depend on time.
 */
#ifndef TEST_CORE_MOVER_H
#define TEST_CORE_MOVER_H

#include "core_courier.h"
#include "core_random_program.h"

typedef struct move_machine {
    const char *name;
    const char *const *first, *const *second; /* parameters of the two cores */
} move_machine;

/* What is moved, and where. */
typedef struct move_trial {
    const move_machine *machines;
    uint32_t machine_count;
    uint32_t scratchpad_per_thread; /* bytes, beside 32 */
    void (*program)(uint64_t seed, uint32_t words[RANDOM_WORDS]);
    void (*prepare)(core_pair *pair); /* its memory; NULL: it is 0 */
} move_trial;

typedef struct move_counts {
    pair_moves blocks;
    uint64_t arrays; /* of those that messages moved: context_arrays */
} move_counts;

struct move_outcome;
typedef void mover(const move_trial *trial, const move_machine *m, const uint32_t *words, uint64_t seed,
                   uint64_t disturbance, struct move_outcome *o, move_counts *counts);
/* By the functions of hd_context.h. */
mover move_by_hand;
/* By the messages of a scheduler, which may also stop a block that has just come. */
mover move_by_messages;
/* So many programs, on each of the machines. */
move_counts move_programs(const move_trial *trial, mover *moving, uint64_t first, uint64_t programs);
/* HEDDLE_MOVE_PROGRAMS = how many (default 12), HEDDLE_MOVE_SEED = seed of the first. */
move_counts move_all(const move_trial *trial, mover *moving);

#endif
