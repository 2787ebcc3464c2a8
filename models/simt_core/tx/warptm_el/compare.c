/* SPDX-License-Identifier: MIT */
/* What an attempt has read, and what it is by now. */
#include "tx/warptm_el/warptm_el.h"

#include <stdlib.h>

static hd_ideal_write *find(const warptm_el_warp *ew, uint64_t address)
{
    for (uint32_t i = 0; i < ew->changed_count; i++)
        if (ew->changed[i].address == address)
            return &ew->changed[i];
    return NULL;
}

static hd_ideal_write *add(warptm_el_warp *ew, uint64_t address)
{
    if (ew->changed_count == ew->changed_capacity) {
        ew->changed_capacity = ew->changed_capacity ? 2 * ew->changed_capacity : 16;
        ew->changed = realloc(ew->changed, ew->changed_capacity * sizeof *ew->changed);
        if (!ew->changed)
            abort();
    }
    ew->changed[ew->changed_count] = (hd_ideal_write){.address = address};
    return &ew->changed[ew->changed_count++];
}

static void note(warptm_el_warp *ew, const hd_ideal_write *word)
{
    hd_ideal_write *known = find(ew, word->address);
    if (!known)
        known = add(ew, word->address);
    const uint32_t bits = hd_bits_of_bytes(word->byte_mask);
    known->value = (known->value & ~bits) | (word->value & bits);
    known->byte_mask |= word->byte_mask;
}

/* Of another attempt, it is nothing. */
void warptm_el_changed(warptm_el *u, uint32_t warp, const hd_packet *packet)
{
    const hd_ideal_write *words = hd_body_const(packet);
    warptm_el_warp *ew = &u->warps[warp];
    if (packet->epoch != tx_warp_of(u->t, warp)->epoch)
        return;
    ew->changes++;
    *warptm_el_counter(u, WARPTM_EL_CHANGED_WORDS) += packet->argument;
    for (uint32_t i = 0; i < packet->argument; i++)
        note(ew, &words[i]);
}

/* Of the entry, lanes whose value is not that of the word. What has not come yet has no bytes. */
static uint64_t others(const tx_log *log, uint32_t entry, uint64_t lanes, const hd_ideal_write *word)
{
    uint64_t found = 0;
    for (uint64_t left = log->mask[entry] & lanes; left; left &= left - 1) {
        const size_t at = tx_log_at(log, entry, (uint32_t)__builtin_ctzll(left));
        const uint32_t bits = hd_bits_of_bytes(log->bytes[at] & word->byte_mask);
        if (log->address[at] == word->address && (log->value[at] ^ word->value) & bits)
            found |= left & -left;
    }
    return found;
}

uint64_t warptm_el_outdated(const warptm_el *u, uint32_t warp, uint64_t lanes)
{
    const warptm_el_warp *ew = &u->warps[warp];
    const tx_log *log = &tx_warp_of(u->t, warp)->reads;
    uint64_t found = 0;
    for (uint32_t i = 0; i < ew->changed_count; i++)
        for (uint32_t entry = 0; entry < log->length; entry++)
            found |= others(log, entry, lanes & ~found, &ew->changed[i]);
    return found;
}

void warptm_el_before_access(tx *unit, const memory_access *access, uint64_t lanes)
{
    const warptm_el *u = (const warptm_el *)unit;
    if (u->compares_accesses)
        tx_abort_for(u->t, access->warp, warptm_el_outdated(u, access->warp, lanes),
                     &(tx_cause){.reason = WARPTM_EL_ACCESS, .pc = access->pc, .winner = TX_NOBODY});
}

/* Who is up to date does what its program does. One that is not may loop without any access. */
uint64_t warptm_el_doomed(tx *unit, uint32_t warp, uint64_t lanes, const tx_mishap *mishap, uint32_t *reason)
{
    *reason = mishap->trouble == TX_RUNS_TOO_LONG ? (uint32_t)TX_WATCHDOG : WARPTM_EL_MISTAKE;
    return warptm_el_outdated((const warptm_el *)unit, warp, lanes);
}
