/* SPDX-License-Identifier: MIT */
#include "lock_tries.h"

#include "core_lanes.h"

#include <stdlib.h>
#include <string.h>

int lock_tries_create(simt_core *core)
{
    lock_tries *state = &core->lock_tries;
    if (!core->spinning.unit && !core_parameter_of(core, PARAMETER_CONTEXT_LOCK_PATIENCE))
        return 0;
    state->tries = calloc(core_parameter_of(core, PARAMETER_MEMORY_TICKETS), sizeof *state->tries);
    state->held = calloc(core->warp_count, sizeof *state->held);
    return state->tries && state->held ? 0 : -1;
}

void lock_tries_destroy(simt_core *core)
{
    free(core->lock_tries.tries);
    free(core->lock_tries.held);
}

void lock_tries_launch(simt_core *core, uint32_t row)
{
    if (core->lock_tries.held)
        core->lock_tries.held[row].count = 0;
}

uint32_t lock_tries_held(const simt_core *core, uint32_t row)
{
    return core->lock_tries.held ? core->lock_tries.held[row].count : 0;
}

void lock_tries_reset(simt_core *core)
{
    for (uint32_t row = 0; row < core->warp_count; row++)
        lock_tries_launch(core, row);
}

static held_locks *locks_of(simt_core *core, uint32_t homes, uint32_t lane)
{
    return &core->lock_tries.held[homes_row_of(homes_at(&core->kept, homes), lane)];
}

/* HELD_LOCKS_MAX: it is not there. */
static uint32_t find(const held_locks *locks, uint32_t address)
{
    for (uint32_t i = 0; i < locks->count; i++)
        if (locks->address[i] == address)
            return i;
    return HELD_LOCKS_MAX;
}

static void take(held_locks *locks, uint32_t address)
{
    if (locks->count < HELD_LOCKS_MAX)
        locks->address[locks->count++] = address;
}

static void give_back(held_locks *locks, uint32_t address)
{
    const uint32_t at = find(locks, address);
    if (at != HELD_LOCKS_MAX)
        locks->address[at] = locks->address[--locks->count];
}

static uint32_t tries(const memory_access *access, uint32_t lane)
{
    const isa_instruction *instruction = access->instruction;
    return instruction->instruction_class == ISA_CLASS_ATOMIC && instruction->writes &&
           !(instruction->operation == ISA_OP_AMOSWAP_W && !access->data[lane]);
}

void lock_tries_submitted(simt_core *core, const memory_access *access, const uint32_t *address, uint32_t ticket)
{
    lock_try *try = &core->lock_tries.tries[ticket];
    const uint32_t expects = access->instruction->operation == ISA_OP_AMOCAS_W;
    uint64_t trying = 0;
    for (uint64_t left = access->mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        if (!tries(access, lane)) {
            give_back(locks_of(core, access->homes, lane), address[lane]);
            continue;
        }
        trying |= left & -left;
        try->address[lane] = address[lane];
        try->free[lane] = expects ? access->compare[lane] : 0;
    }
    core->tickets[ticket].tries_lock = trying;
}

/* Who takes a lock by an access does so before others of it fail. */
void lock_tries_answered(simt_core *core, uint32_t ticket, uint64_t lanes, const uint32_t *value)
{
    const lock_try *try = &core->lock_tries.tries[ticket];
    const uint32_t homes = core->tickets[ticket].homes;
    uint64_t *counters = core->counters.spinning;
    uint64_t failed = 0;
    for (uint64_t left = lanes & core->tickets[ticket].tries_lock; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        if (value[lane] != try->free[lane]) {
            failed |= left & -left;
            continue;
        }
        take(locks_of(core, homes, lane), try->address[lane]);
        counters[SPINNING_locks_taken]++;
    }
    for (uint64_t left = failed; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        const uint32_t is_own = find(locks_of(core, homes, lane), try->address[lane]) != HELD_LOCKS_MAX;
        counters[is_own ? SPINNING_lock_failures_intra_warp : SPINNING_lock_failures_inter_warp]++;
    }
}

/* Tickets are there. */
void lock_tries_transfer(simt_core *core, const hd_state_stream *stream)
{
    lock_tries *state = &core->lock_tries;
    if (!state->held)
        return;
    for (uint64_t ticket = 0; ticket < core_parameter_of(core, PARAMETER_MEMORY_TICKETS); ticket++) {
        for (uint64_t left = core->tickets[ticket].tries_lock; left; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctzll(left);
            HD_STATE_VALUE(stream, state->tries[ticket].address[lane]);
            HD_STATE_VALUE(stream, state->tries[ticket].free[lane]);
        }
    }
    for (uint32_t row = 0; row < core->warp_count; row++) {
        HD_STATE_VALUE(stream, state->held[row].count);
        HD_STATE_ARRAY(stream, state->held[row].address, state->held[row].count);
    }
}
