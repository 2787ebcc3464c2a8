/* SPDX-License-Identifier: MIT */
/* Atomics: lane by lane in ascending order, on global memory or on the scratchpad. */
#include <string.h>

#include "state.h"

/* A word, and what tells whether it has been written. */
typedef struct target {
    uint8_t *word;
    uint32_t address;
    uint64_t *version;
    uint32_t is_global;
} target;

static target find_target(functional_core *core, const path *p, uint32_t lane, uint32_t address)
{
    const block_state *block = &core->blocks[core->warps[p->warp].block];
    if (window_of(address) == WINDOW_SCRATCHPAD) {
        const uint32_t offset = address - HD_SCRATCHPAD_BASE;
        return (target){
            .word = block->scratchpad + offset, .address = address, .version = &block->versions[offset / 4]};
    }
    target found = {.word = physical_bytes(core, address),
                    .address = address,
                    .version = hd_direct_version(core->direct, address),
                    .is_global = 1};
    if (!found.word)
        functional_fault(core, p, UINT64_C(1) << lane, HD_DEBUG_FAULT_ADDRESS,
                         "no block of the machine holds address 0x%08x", address);
    return found;
}

static void write_word(functional_core *core, const target *at, uint32_t value)
{
    ++*at->version;
    if (!core->progressed && memcmp(at->word, &value, 4) != 0)
        note_progress(core);
    memcpy(at->word, &value, 4);
}

static uint32_t load_reserved(functional_core *core, const target *at, reservation *held, uint32_t word)
{
    if (at->is_global)
        *core->direct->watched = 1;
    else
        core->scratchpad_watched = 1;
    *held = (reservation){.address = at->address, .version = *at->version, .valid = 1};
    return word;
}

static uint32_t store_conditional(functional_core *core, const target *at, reservation *held, uint32_t value)
{
    const uint32_t succeeds = held->valid && held->address == at->address && held->version == *at->version;
    held->valid = 0;
    if (succeeds)
        write_word(core, at, value);
    return !succeeds;
}

static uint32_t execute_lane(functional_core *core, const target *at, uint32_t operation, reservation *held,
                             uint32_t operand, uint32_t compare)
{
    uint32_t word;
    memcpy(&word, at->word, 4);
    if (operation == HD_ATOMIC_LOAD_RESERVED)
        return load_reserved(core, at, held, word);
    if (operation == HD_ATOMIC_STORE_CONDITIONAL)
        return store_conditional(core, at, held, operand);
    if (operation != HD_ATOMIC_CAS || word == compare)
        write_word(core, at, hd_atomic_apply(operation, word, operand, compare));
    return word;
}

void atomics_execute(functional_core *core, const path *p, const isa_instruction *instruction, const uint32_t *address)
{
    const warp_state *warp = &core->warps[p->warp];
    const uint32_t lanes = core->lane_count;
    const uint32_t operation = isa_atomic_operation(instruction);
    uint32_t *rd = warp->lanes.registers + (size_t)instruction->rd * lanes;
    const uint32_t *operand =
        warp->lanes.registers + (size_t)(instruction->rs2 == ISA_NO_REGISTER ? 0 : instruction->rs2) * lanes;
    for (uint64_t left = p->mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        const target at = find_target(core, p, lane, address[lane]);
        if (!at.word)
            return;
        const uint32_t value = execute_lane(core, &at, operation, &warp->reservations[lane], operand[lane], rd[lane]);
        if (instruction->writes)
            rd[lane] = value;
    }
}
