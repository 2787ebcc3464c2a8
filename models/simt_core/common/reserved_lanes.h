/* SPDX-License-Identifier: MIT */
/* Lanes between a load reserved and its store conditional, for path_event.reserved. */
#ifndef SIMT_CORE_RESERVED_LANES_H
#define SIMT_CORE_RESERVED_LANES_H

#include "path_event.h"
#include "program.h"

/* Is what stands at pc, if anything, behind a load reserved, at its store conditional at the latest? */
static inline uint32_t is_reserved(const isa_program *program, uint32_t pc)
{
    const isa_instruction *instruction = isa_program_at(program, pc);
    return instruction && instruction->flags & ISA_FLAG_RESERVED;
}

/* Of the lanes of a PATH_BRANCHED by `instruction`: none that go back, so that each loop lets others run. */
static inline uint64_t reserved_lanes(const isa_program *program, const isa_instruction *instruction,
                                      const path_event *event)
{
    uint64_t lanes = 0;
    if (__builtin_expect(!(instruction->flags & ISA_FLAG_RESERVED), 1))
        return 0;
    for (uint32_t g = 0; g < event->group_count; g++)
        lanes |=
            event->groups[g].pc > event->pc && is_reserved(program, event->groups[g].pc) ? event->groups[g].mask : 0;
    return lanes;
}

#endif
