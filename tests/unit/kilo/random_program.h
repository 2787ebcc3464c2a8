/* SPDX-License-Identifier: MIT */
/*
 * Random transactions as a program: each thread loads and stores words that it draws for itself, from what it has loaded too, so that
 * attempts which have read what never belonged together go elsewhere. Lanes part, some only read.
 */
#ifndef KILO_RANDOM_PROGRAM_H
#define KILO_RANDOM_PROGRAM_H

#include <stdint.h>

#define RANDOM_PROGRAM_WORDS 512u

typedef struct random_program {
    uint32_t words, stride; /* of memory, from KILO_BASE on */
    uint32_t transactions, operations;
    uint32_t is_silent; /* all values that are stored differ, and some transactions only read */
} random_program;

/* Up to 32 threads to a core. The program ends with 0. */
void random_program_make(const random_program *shape, uint64_t *seed, uint32_t program[RANDOM_PROGRAM_WORDS]);

#endif
