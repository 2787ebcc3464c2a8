/* SPDX-License-Identifier: MIT */
/*
 * Where instructions and programs are, for heddle.state/1: a module, and which instruction of it; or one of a block's own descriptions of
 * accesses that no program makes. Whoever keeps a pointer to one stores its place instead.
 */
#ifndef SIMT_CORE_INSTRUCTION_PLACES_H
#define SIMT_CORE_INSTRUCTION_PLACES_H

#include "hd_extension.h"
#include "hd_state.h"
#include "program.h"

#define OWN_INSTRUCTIONS_MAX 4u

typedef struct instruction_places {
    const hd_programs *programs; /* NULL: there are none */
    const isa_instruction *own[OWN_INSTRUCTIONS_MAX];
    uint32_t own_count;
} instruction_places;

/* Its place is stored, or it is that which was stored. NULL is allowed; so is one that is in no program, which is NULL then. */
void instruction_transfer(const instruction_places *places, const isa_instruction **instruction,
                          const hd_state_stream *stream);

#endif
