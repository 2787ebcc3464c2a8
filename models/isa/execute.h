/* SPDX-License-Identifier: MIT */
/* The halves of isa_execute (lanes.h). */
#ifndef ISA_EXECUTE_H
#define ISA_EXECUTE_H

#include "lanes.h"

/* rd is not x0. */
void isa_execute_integer(const isa_instruction *instruction, uint32_t pc, isa_lanes *lanes, uint64_t mask);

uint64_t isa_execute_float(const isa_instruction *instruction, isa_lanes *lanes, uint64_t mask);

#endif
