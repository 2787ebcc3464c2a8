/* SPDX-License-Identifier: MIT */
/*
 * Random programs whose results do not depend on who runs when: branches, loops with breaks, two levels of functions
 * with early returns, private memory, scratchpad, atomics, floats, fences, barriers, threads that leave early.
 */
#ifndef TEST_CORE_RANDOM_PROGRAM_H
#define TEST_CORE_RANDOM_PROGRAM_H

#include <stdint.h>

#define RANDOM_WORDS 2048u           /* most of one program, with the 0 at its end */
#define RANDOM_RESULT_WORDS 16u      /* of each thread, from DATA on, by block and thread */
#define RANDOM_RESULT_COUNT 10u      /* of them: instructions that the thread has executed */
#define RANDOM_SHARED_OFFSET 0x8000u /* from DATA: 8 words that all threads add to */

/* Writes the program of this seed. Its blocks need 4 bytes of scratchpad per thread and 32 more. */
void random_program(uint64_t seed, uint32_t words[RANDOM_WORDS]);

#endif
