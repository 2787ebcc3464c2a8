/* SPDX-License-Identifier: MIT */
/*
 * Random programs whose threads take locks: in choices and loops, one in another in ascending order, given back in one arm or in
 * both, by spinning, by testing before, with a wait between, or with a flag that ends the loop. Who runs when does not matter for the
 * results, as long as all come to their end.
 */
#ifndef TEST_RANDOM_LOCKS_PROGRAM_H
#define TEST_RANDOM_LOCKS_PROGRAM_H

#include <stdint.h>

#define LOCKS_WORDS 3072u    /* most of one program, with the 0 at its end */
#define LOCKS_COUNT 4u       /* from DATA on, each with a counter behind it */
#define LOCKS_RESULTS 0x100u /* from DATA: a word per thread */

void random_locks_program(uint64_t seed, uint32_t words[LOCKS_WORDS]);

#endif
