/* SPDX-License-Identifier: MIT */
#include "mistakes.h"

#include <stdio.h>

#include "lane_list.h"

void divergent_barrier(uint64_t elsewhere, char *text, size_t bytes)
{
    char lanes[LANE_LIST_BYTES];
    snprintf(text, bytes, "divergent barrier: lanes %s of the warp are not here and wait elsewhere",
             lane_list(elsewhere, lanes));
}

void early_exit(uint32_t number, uint32_t live, uint32_t threads, uint32_t warp, uint64_t ended, char *text,
                size_t bytes)
{
    char lanes[LANE_LIST_BYTES];
    snprintf(
        text, bytes,
        "barrier %u opens for %u threads; %u of the block have ended without it, the first of them warp %u, lanes %s",
        number, live, threads - live, warp, lane_list(ended, lanes));
}

uint64_t launched_lanes(uint32_t threads, uint32_t warp, uint32_t lanes)
{
    uint32_t left = threads - warp * lanes;
    return left < lanes ? (UINT64_C(1) << left) - 1 : UINT64_MAX >> (64 - lanes);
}

const path_group *group_outside(const isa_program *program, const path_group *groups, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!isa_program_at(program, groups[i].pc))
            return &groups[i];
    return NULL;
}

const char *forbidden_in_transaction(const isa_instruction *instruction, uint32_t depth)
{
    switch (instruction->instruction_class) {
    case ISA_CLASS_ATOMIC: return "an atomic operation in a transaction";
    case ISA_CLASS_BARRIER: return "a barrier in a transaction";
    case ISA_CLASS_WARP_SYNC: return "warp.sync in a transaction";
    case ISA_CLASS_JUMP_REGISTER:
        return instruction->flags & ISA_FLAG_RETURN && !depth ? "the end of the thread in a transaction" : NULL;
    default: return NULL;
    }
}

const char *domain_without_transactions(uint32_t immediate)
{
    switch (immediate) {
    case 1: return "tx.begin of global memory, but this machine has transactions on the scratchpad only";
    case 2: return "tx.begin of the scratchpad, but this machine has transactions on global memory only";
    default: return "tx.begin names no domain, or more than one, for which this machine has transactions";
    }
}
