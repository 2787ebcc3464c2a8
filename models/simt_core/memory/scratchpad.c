/* SPDX-License-Identifier: MIT */
/*
 * The scratchpad: word-interleaved banks. A pass serves one word of each bank, to every lane that asks for it; an atomic
 * serves one lane of each bank. Groups of lanes that are not served together have passes of their own. The pipe does nothing
 * else until all passes of an access are over, so that all data may move at the first.
 */
#include "state.h"

#include <string.h>

static uint32_t passes_of_group(const memory *m, const access_slot *slot, uint64_t lanes)
{
    if (slot->consecutive && lane_count(lanes) <= m->parameters.scratchpad_banks)
        return 1;
    if (slot->kind != KIND_ATOMIC && slot->span < m->parameters.scratchpad_banks)
        return 1; /* no bank has two of these words */
    uint8_t count[64] = {0};
    uint8_t members[64][LANES_MAX];
    const uint32_t *place = slot->place;
    uint32_t most = 0;
    for (uint64_t left = lanes; left != 0; left &= left - 1) {
        const uint32_t lane = lowest_lane(left);
        const uint32_t word = place[lane] / 4;
        const uint32_t bank = word & (m->parameters.scratchpad_banks - 1);
        uint32_t found = 0;
        for (uint32_t i = 0; i < count[bank] && slot->kind != KIND_ATOMIC; i++)
            found |= place[members[bank][i]] / 4 == word;
        if (found)
            continue;
        members[bank][count[bank]++] = (uint8_t)lane;
        most = count[bank] > most ? count[bank] : most;
    }
    return most;
}

/* Counts them. */
static uint32_t passes_of(memory *m, const access_slot *slot, uint64_t lanes)
{
    const uint32_t group = m->parameters.scratchpad_group;
    const uint64_t first = group % LANES_MAX != 0 ? (UINT64_C(1) << group) - 1 : UINT64_MAX;
    uint32_t passes = 0;
    uint32_t groups = 0;
    for (uint32_t shift = 0; shift < LANES_MAX && lanes >> shift != 0; shift += group != 0 ? group : LANES_MAX) {
        const uint64_t members = lanes & first << shift;
        passes += members != 0 ? passes_of_group(m, slot, members) : 0;
        groups += members != 0;
    }
    m->counters->scratchpad_passes += passes;
    m->counters->scratchpad_conflict_cycles += (uint64_t)(passes - groups) * m->pipe.pass_cycles;
    return passes;
}

static void touch(memory *m, uint32_t place)
{
    if (m->scratchpad.watched)
        m->scratchpad.versions[place / 4]++;
}

/* Of the scratchpad at this place; asked for seldom. */
static void note_change(memory *m, uint32_t place, const void *data, uint32_t bytes)
{
    if (memcmp(m->scratchpad.bytes + place, data, bytes) == 0)
        return;
    m->progress.notes_change = 0;
    m->services->progress(m->services->context, m->cursor.t);
}

static void note_changes(memory *m, const access_slot *slot, uint64_t lanes)
{
    for (; m->progress.notes_change && lanes != 0; lanes &= lanes - 1) {
        const uint32_t lane = lowest_lane(lanes);
        note_change(m, slot->place[lane], &slot->access.data[lane], slot->bytes);
    }
}

static uint32_t load_reserved(memory *m, const access_slot *slot, uint32_t lane, uint32_t word)
{
    const uint32_t place = slot->place[lane];
    if (!m->scratchpad.watched)
        memset(m->scratchpad.versions, 0, m->parameters.scratchpad_bytes / 4 * sizeof *m->scratchpad.versions);
    m->scratchpad.watched = 1;
    *atomics_reservation(m, slot, lane) = (reservation){
        .address = place, .version = m->scratchpad.versions[place / 4], .valid = 1, .awaited = NO_TICKET_AWAITED};
    return word;
}

static uint32_t store_conditional(memory *m, const access_slot *slot, uint32_t lane)
{
    const uint32_t place = slot->place[lane];
    reservation *held = atomics_reservation(m, slot, lane);
    const uint32_t succeeds =
        held->valid && held->address == place && held->version == m->scratchpad.versions[place / 4];
    *held = (reservation){.awaited = NO_TICKET_AWAITED};
    if (!succeeds)
        return 1;
    touch(m, place);
    if (m->progress.notes_change)
        note_change(m, place, &slot->access.data[lane], 4);
    memcpy(m->scratchpad.bytes + place, &slot->access.data[lane], 4);
    return 0;
}

static void work_atomics(memory *m, access_slot *slot, uint64_t lanes)
{
    for (uint64_t left = lanes; left != 0; left &= left - 1) {
        const uint32_t lane = lowest_lane(left);
        const uint32_t place = slot->place[lane];
        uint32_t word;
        memcpy(&word, m->scratchpad.bytes + place, 4);
        if (slot->operation == HD_ATOMIC_LOAD_RESERVED) {
            slot->access.data[lane] = load_reserved(m, slot, lane, word);
        } else if (slot->operation == HD_ATOMIC_STORE_CONDITIONAL) {
            slot->access.data[lane] = store_conditional(m, slot, lane);
        } else {
            const uint32_t changed =
                hd_atomic_apply(slot->operation, word, slot->access.data[lane], slot->access.compare[lane]);
            touch(m, place);
            if (m->progress.notes_change)
                note_change(m, place, &changed, 4);
            memcpy(m->scratchpad.bytes + place, &changed, 4);
            slot->access.data[lane] = word;
        }
    }
}

/* In a transaction it may yet be taken back, and is no progress. */
static void store(memory *m, const access_slot *slot, uint64_t lanes)
{
    if (m->progress.notes_change && !slot->access.transactional)
        note_changes(m, slot, lanes);
    coalescer_scatter(slot, lanes, m->scratchpad.bytes, 0);
    for (uint64_t left = m->scratchpad.watched ? lanes : 0; left != 0; left &= left - 1)
        touch(m, slot->place[lowest_lane(left)]);
}

/* Cycles from now until values are there: the latency is that of an access without conflicts, until its last lane has its value. */
static uint32_t delay_of(const memory *m, uint32_t cycles)
{
    const uint32_t conflicts = cycles > m->pipe.lane_cycles ? cycles - m->pipe.lane_cycles : 0;
    return conflicts + m->parameters.scratchpad_latency;
}

/* Lanes for which it does not take place have aborted: they read 0. A store is over when it is known for whom it has taken place. */
static uint32_t start_transactional(memory *m, access_slot *slot, uint64_t lanes)
{
    const memory_transactions *t = m->transactional.port;
    uint32_t cycles;
    const uint64_t moved = t->at_banks(t->context, &slot->access, lanes, slot->place, &cycles);
    slot->remaining[WINDOW_SCRATCHPAD] = 0;
    if (slot->kind == KIND_STORE && moved != 0)
        store(m, slot, moved);
    else if (moved != 0)
        coalescer_gather(slot, moved, m->scratchpad.bytes, 0);
    if (t->moved != NULL)
        t->moved(t->context, &slot->access, moved, slot->place);
    for (uint64_t left = slot->kind == KIND_STORE ? 0 : lanes & ~moved; left != 0; left &= left - 1)
        slot->access.data[lowest_lane(left)] = 0;
    pipe_give_later(m, &m->values.passes, slot, slot->kind == KIND_STORE ? 0 : lanes, delay_of(m, cycles));
    return cycles;
}

static uint32_t start(memory *m, access_slot *slot, uint64_t lanes)
{
    const uint32_t passes = passes_of(m, slot, lanes);
    const uint32_t cycles = passes * m->pipe.pass_cycles;
    m->pipe.is_narrow = cycles != passes;
    m->counters->pipe_lane_cycles += cycles - passes;
    slot->remaining[WINDOW_SCRATCHPAD] = 0;
    if (slot->kind == KIND_STORE) {
        store(m, slot, lanes);
        return cycles;
    }
    if (slot->kind == KIND_ATOMIC)
        work_atomics(m, slot, lanes);
    else
        coalescer_gather(slot, lanes, m->scratchpad.bytes, 0);
    pipe_give_later(m, &m->values.passes, slot, lanes, delay_of(m, cycles));
    return cycles;
}

uint32_t scratchpad_start(memory *m, access_slot *slot)
{
    const memory_transactions *t = m->transactional.port;
    const uint64_t lanes = slot->remaining[WINDOW_SCRATCHPAD];
    if (slot->access.transactional == TX_SCRATCHPAD && t->at_banks != NULL)
        return start_transactional(m, slot, lanes);
    const uint32_t cycles = start(m, slot, lanes);
    if (t != NULL && t->changed_plainly != NULL && slot->kind != KIND_LOAD)
        t->changed_plainly(t->context, &slot->access, lanes, slot->place);
    return cycles;
}

void memory_stream_scratchpad(memory *m, uint32_t offset, uint32_t bytes, byte_stream *stream)
{
    m->scratchpad.is_used |= bytes != 0;
    byte_stream_bytes(stream, m->scratchpad.bytes + offset, bytes);
}

void memory_clear_scratchpad(memory *m, uint32_t offset, uint32_t bytes)
{
    m->scratchpad.is_used |= bytes != 0;
    memset(m->scratchpad.bytes + offset, 0, bytes);
}
