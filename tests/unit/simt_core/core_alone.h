/* SPDX-License-Identifier: MIT */
/* Random programs in cores of several shapes, whose results are to be those of threads that run alone (mimd). */
#ifndef TEST_CORE_ALONE_H
#define TEST_CORE_ALONE_H

#include <stdint.h>

#include "core_random_program.h"

#define ALONE_BLOCKS 3u
#define ALONE_THREADS 160u /* most of a block */
#define ALONE_RESULTS (ALONE_BLOCKS * ALONE_THREADS * RANDOM_RESULT_WORDS)
#define ALONE_MACHINES 4u

typedef struct alone_outcome {
    uint32_t words[ALONE_RESULTS];
    uint32_t shared[8];
    uint64_t thread_instructions;
    uint64_t fingerprint;
} alone_outcome;

/* A core: its parameters, the last NULL. */
typedef struct alone_machine {
    const char *name;
    const char *const *parameters;
} alone_machine;

extern const alone_machine alone_machines[ALONE_MACHINES];
extern const char *const alone_mimd[];

/* A number from the environment. */
uint64_t alone_option(const char *name, uint64_t otherwise);
/* The machine's parameters, and these up to a NULL; valid until the next call. */
const char *const *alone_with(const alone_machine *machine, const char *const *more);
/* The program of the seed, undisturbed if disturbance is 0. */
void alone_run(const char *const *parameters, const uint32_t *words, uint64_t seed, uint64_t disturbance,
               alone_outcome *o);
/* The same while its blocks move between two cores. How often one did. */
uint32_t alone_run_moving(const char *const *parameters, const uint32_t *words, uint64_t seed, alone_outcome *o);
void alone_compare(const alone_outcome *expected, const alone_outcome *got, uint64_t seed, const char *machine,
                   const char *how);

#endif
