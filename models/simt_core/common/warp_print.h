/* SPDX-License-Identifier: MIT */
/* printf and assert of kernels: every lane says where it is, and what (docs/isa.md, Xheddle). */
#ifndef SIMT_CORE_WARP_PRINT_H
#define SIMT_CORE_WARP_PRINT_H

#include "warp_place.h"

/* `print`: one line of the log (HD_LOG_PROGRAM) for each lane of mask, in ascending order. Returns 0 if all of them made
 * sense; else the lane's bit, whose mistake is reported as a fault, and later lanes have not printed. */
uint64_t warp_print(const warp_place *place, const isa_instruction *instruction, const isa_lanes *lanes, uint64_t mask,
                    uint32_t pc, hd_time t);

/* `assert.fail`: what the fault says. */
void warp_failed_assertion(const warp_place *place, const isa_lanes *lanes, uint64_t mask, char *text, size_t bytes);

#endif
