/* SPDX-License-Identifier: MIT */
/* Instructions at another place than their own. */
#ifndef ISA_DISPLACE_H
#define ISA_DISPLACE_H

#include "program.h"

#define DISPLACED_WORDS 4u /* at most, of one instruction */

/* jal rd; rd 0: a jump */
uint32_t displace_jump(uint32_t rd, uint32_t from, uint32_t to);
/* Can a jal lead from there to there? */
int displace_reaches(uint32_t from, uint32_t to);

/*
 * What has to stand from address `at` on so that it does what the instruction at pc does, and then goes on where that one would: no
 * more than DISPLACED_WORDS words, with those of the jalr behind it if the instruction at pc is an auipc that belongs to one.
 * Returns how many; 0: a jump would not reach.
 */
uint32_t displace(const isa_program *program, uint32_t pc, uint32_t at, uint32_t words[DISPLACED_WORDS]);

#endif
