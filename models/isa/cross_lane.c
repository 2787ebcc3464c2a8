/* SPDX-License-Identifier: MIT */
#include "lanes.h"

static uint64_t nonzero(const uint32_t *value, uint32_t lanes, uint64_t mask)
{
    uint64_t set = 0;
    for (uint32_t lane = 0; lane < lanes; lane++)
        set |= (uint64_t)(value[lane] != 0) << lane;
    return set & mask;
}

static uint32_t vote(const isa_instruction *instruction, uint64_t set, uint64_t mask)
{
    switch (instruction->operation) {
    case ISA_OP_VOTE_ANY: return set != 0;
    case ISA_OP_VOTE_ALL: return set == mask;
    case ISA_OP_VOTE_BALLOT_LO: return (uint32_t)set;
    default: return (uint32_t)(set >> 32);
    }
}

static uint32_t source_lane(const isa_instruction *instruction, uint32_t lane, uint32_t operand)
{
    switch (instruction->operation) {
    case ISA_OP_SHFL_IDX: return operand;
    case ISA_OP_SHFL_UP: return lane - operand;
    case ISA_OP_SHFL_DOWN: return operand >= ISA_MAX_LANES ? ISA_MAX_LANES : lane + operand;
    default: return lane ^ operand;
    }
}

static void shuffle(const isa_instruction *instruction, const isa_lanes *lanes, uint64_t mask, uint32_t *result)
{
    const uint32_t *value = lanes->registers + (size_t)instruction->rs1 * lanes->lanes;
    const uint32_t *operand = lanes->registers + (size_t)instruction->rs2 * lanes->lanes;
    for (uint32_t lane = 0; lane < lanes->lanes; lane++) {
        uint32_t source = source_lane(instruction, lane, operand[lane]);
        result[lane] = source < lanes->lanes && mask >> source & 1 ? value[source] : value[lane];
    }
}

void isa_cross_lane(const isa_instruction *instruction, isa_lanes *lanes, uint64_t mask)
{
    uint32_t result[ISA_MAX_LANES];
    uint32_t *rd = lanes->registers + (size_t)instruction->rd * lanes->lanes;
    if (instruction->rd == 0)
        return;
    if (instruction->rs2 == ISA_NO_REGISTER) {
        const uint32_t *value = lanes->registers + (size_t)instruction->rs1 * lanes->lanes;
        uint32_t answer = vote(instruction, nonzero(value, lanes->lanes, mask), mask);
        for (uint32_t lane = 0; lane < lanes->lanes; lane++)
            result[lane] = answer;
    } else {
        shuffle(instruction, lanes, mask, result);
    }
    for (uint32_t lane = 0; lane < lanes->lanes; lane++)
        rd[lane] = mask >> lane & 1 ? result[lane] : rd[lane];
}
