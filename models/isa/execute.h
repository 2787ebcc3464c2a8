/* SPDX-License-Identifier: MIT */
/* The float part of isa_execute (lanes.h). */
#ifndef ISA_EXECUTE_H
#define ISA_EXECUTE_H

#include "lanes.h"

uint64_t isa_execute_float(const isa_instruction *instruction, isa_lanes *lanes, uint64_t mask);
/* ISA_CLASS_SPECIAL (float_special.h) */
void isa_execute_special(const isa_instruction *instruction, isa_lanes *lanes, uint64_t mask);

#endif
