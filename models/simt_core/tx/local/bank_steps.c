/* SPDX-License-Identifier: MIT */
#include "bank_steps.h"

#include <string.h>

/* Lanes of each bank that have not been served. */
typedef struct bank_queues {
    uint64_t lanes[BANK_STEPS_BANKS];
    uint64_t left; /* banks with some */
} bank_queues;

static void sort_by_bank(const ownership *o, const bank_request *request, bank_queues *queues)
{
    memset(queues, 0, sizeof *queues);
    for (uint64_t left = request->lanes; left; left &= left - 1) {
        const uint32_t bank = shadow_bank_of(&o->layout, request->word[__builtin_ctzll(left)]);
        queues->lanes[bank] |= left & -left;
        queues->left |= UINT64_C(1) << bank;
    }
}

static uint32_t most_of(const ownership *o, const uint32_t *numbers)
{
    uint32_t most = 0;
    for (uint32_t bank = 0; bank < o->layout.banks; bank++)
        most = numbers[bank] > most ? numbers[bank] : most;
    return most;
}

uint32_t bank_restore_cycles(const ownership *o, const bank_timing *timing, const uint32_t *restored)
{
    const uint32_t most = most_of(o, restored);
    if (timing->restore == BANK_RESTORE_IDEAL)
        return 0;
    const uint32_t owners = (o->layout.rows + SHADOW_OWNERS_PER_WORD - 1) / SHADOW_OWNERS_PER_WORD;
    return (2 * most + (timing->restore == BANK_RESTORE_SCAN ? owners : 0)) * timing->access;
}

static void abort_lanes(ownership *o, const bank_request *request, uint64_t lanes, uint32_t *restored)
{
    for (; lanes; lanes &= lanes - 1)
        ownership_abort(o, request->first_thread + (uint32_t)__builtin_ctzll(lanes), restored);
}

/* The lowest lane of each bank. */
static void step(ownership *o, const bank_timing *timing, const bank_request *request, bank_queues *queues,
                 bank_outcome *outcome)
{
    uint32_t restored[BANK_STEPS_BANKS] = {0}, accesses[BANK_STEPS_BANKS] = {0};
    uint64_t lost = 0;
    for (uint64_t banks = queues->left; banks; banks &= banks - 1) {
        uint64_t *queue = &queues->lanes[__builtin_ctzll(banks)];
        const uint32_t lane = (uint32_t)__builtin_ctzll(*queue), word = request->word[lane];
        outcome->fresh |= o->words.states[word] == WORD_MODIFIED ? 0 : UINT64_C(1) << lane;
        const ownership_verdict verdict =
            ownership_access(o, request->first_thread + lane, word, request->stores, request->running & ~outcome->lost);
        accesses[__builtin_ctzll(banks)] += verdict.accesses - verdict.to_owner;
        accesses[shadow_bank_of(&o->layout, shadow_owner(&o->layout, word) / 4)] += verdict.to_owner;
        *queue &= *queue - 1;
        queues->left ^= *queue ? 0 : banks & -banks;
        if (verdict.conflict == CONFLICT_NONE)
            continue;
        outcome->conflict[lane] = (uint8_t)verdict.conflict;
        outcome->winner[lane] = (uint16_t)verdict.owner;
        lost |= UINT64_C(1) << lane;
        if (!timing->is_strict)
            abort_lanes(o, request, UINT64_C(1) << lane, restored);
    }
    if (timing->is_strict)
        abort_lanes(o, request, lost, restored);
    const uint32_t restoring = lost ? bank_restore_cycles(o, timing, restored) : 0;
    outcome->lost |= lost;
    outcome->restore_cycles += restoring;
    outcome->data_cycles += timing->access;
    outcome->cycles += most_of(o, accesses) * timing->access + timing->state + restoring;
}

void bank_steps_run(ownership *o, const bank_timing *timing, const bank_request *request, bank_outcome *outcome)
{
    bank_queues queues;
    outcome->lost = outcome->fresh = 0;
    outcome->cycles = outcome->restore_cycles = outcome->data_cycles = 0;
    sort_by_bank(o, request, &queues);
    while (queues.left)
        step(o, timing, request, &queues, outcome);
}
