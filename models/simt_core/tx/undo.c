/* SPDX-License-Identifier: MIT */
/*
 * Private memory is as it was at tx.begin when an attempt is given up: before a word is overwritten for the first time it is
 * loaded, and a retry begins with storing it back. Both are ordinary accesses of the memory pipe.
 */
#include "tx/tx.h"

#include <stdlib.h>
#include <string.h>

int tx_undo_create(tx_undo *undo, uint32_t lanes, uint32_t words)
{
    *undo = (tx_undo){.restoring = 0};
    undo->address = malloc((size_t)lanes * words * sizeof *undo->address);
    undo->value = malloc((size_t)lanes * words * sizeof *undo->value);
    undo->count = calloc(lanes, sizeof *undo->count);
    return undo->address && undo->value && undo->count ? 0 : -1;
}

void tx_undo_destroy(tx_undo *undo)
{
    free(undo->address);
    free(undo->value);
    free(undo->count);
}

static uint32_t words_of(const transactions *t, uint32_t warp)
{
    return t->warps[warp].reads.capacity;
}

static size_t at(const transactions *t, uint32_t warp, uint32_t lane, uint32_t word)
{
    return (size_t)lane * words_of(t, warp) + word;
}

void tx_undo_forget(transactions *t, uint32_t warp, uint64_t lanes)
{
    for (uint64_t left = lanes; left; left &= left - 1)
        t->warps[warp].undo.count[__builtin_ctzll(left)] = 0;
}

static uint32_t is_saved(const transactions *t, uint32_t warp, uint32_t lane, uint32_t address)
{
    const tx_undo *undo = &t->warps[warp].undo;
    for (uint32_t word = undo->count[lane]; word-- > 0;)
        if (undo->address[at(t, warp, lane, word)] == address)
            return 1;
    return 0;
}

static int submit_load(transactions *t, uint32_t path, uint64_t lanes)
{
    const tx_core *core = &t->core;
    const struct path *p = &core->paths[path];
    tx_undo *undo = &t->warps[p->warp].undo;
    memory_access *access = memory_slot(core->memory);
    access->instruction = &t->undo_load;
    access->pc = p->pc;
    access->path = path;
    access->warp = access->homes = p->warp;
    access->transactional = 0;
    access->internal = 1;
    access->mask = lanes;
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        access->address[lane] = undo->address[at(t, p->warp, lane, undo->pending_lane[lane])];
    }
    const uint32_t ticket = memory_submit(core->memory, access, core->now->t + core->register_read_time);
    if (ticket == MEMORY_NO_TICKET)
        return -1;
    core->port->keep_ticket(core->context, ticket,
                            &(ticket_state){.instruction = &t->undo_load, .path = path, .warp = p->warp});
    undo->pending = 1;
    return 0;
}

int tx_undo_save(transactions *t, uint32_t path, const uint32_t *addresses)
{
    const struct path *p = &t->core.paths[path];
    tx_undo *undo = &t->warps[p->warp].undo;
    uint64_t lanes = 0;
    for (uint64_t left = p->mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        const uint32_t address = addresses[lane] & ~3u;
        if (address < HD_PRIVATE_BASE || address >= HD_PRIVATE_END || is_saved(t, p->warp, lane, address))
            continue;
        if (undo->count[lane] == words_of(t, p->warp)) {
            tx_fault(t, p->warp, p->pc, left & -left,
                     "the transaction overwrites more than %u words of private memory: raise tx.log_bytes",
                     words_of(t, p->warp));
            return -1;
        }
        undo->pending_lane[lane] = undo->count[lane]++;
        undo->address[at(t, p->warp, lane, undo->pending_lane[lane])] = address;
        lanes |= left & -left;
    }
    t->core.counters->tx_undo_words += bits_count(lanes);
    return lanes ? submit_load(t, path, lanes) : 0;
}

void tx_undo_saved(transactions *t, uint32_t warp, uint64_t mask, const uint32_t *value)
{
    const tx_undo *undo = &t->warps[warp].undo;
    for (uint64_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        undo->value[at(t, warp, lane, undo->pending_lane[lane])] = value[lane];
    }
}

void tx_undo_restore(transactions *t, uint32_t warp, uint64_t lanes)
{
    t->warps[warp].undo.restoring = lanes;
    t->warps[warp].undo.restored = 0;
}

static void submit_store(transactions *t, uint32_t warp, uint64_t lanes, uint32_t word)
{
    const tx_core *core = &t->core;
    const tx_undo *undo = &t->warps[warp].undo;
    memory_access *access = memory_slot(core->memory);
    access->instruction = &t->undo_store;
    access->pc = t->warps[warp].begin_pc;
    access->path = t->warps[warp].path;
    access->warp = access->homes = warp;
    access->transactional = 0;
    access->internal = 1;
    access->mask = lanes;
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        access->address[lane] = undo->address[at(t, warp, lane, word)];
        access->data[lane] = undo->value[at(t, warp, lane, word)];
    }
    const uint32_t ticket = memory_submit(core->memory, access, core->now->t);
    core->port->keep_ticket(core->context, ticket,
                            &(ticket_state){.instruction = &t->undo_store, .path = t->warps[warp].path, .warp = warp});
}

uint32_t tx_undo_go_on(transactions *t, uint32_t warp)
{
    tx_undo *undo = &t->warps[warp].undo;
    for (;;) {
        uint64_t lanes = 0;
        for (uint64_t left = undo->restoring; left; left &= left - 1)
            if (undo->count[__builtin_ctzll(left)] > undo->restored)
                lanes |= left & -left;
        if (!lanes)
            break;
        if (!memory_can_submit(t->core.memory))
            return 0;
        submit_store(t, warp, lanes, undo->restored++);
    }
    tx_undo_forget(t, warp, undo->restoring);
    undo->restoring = 0;
    return 1;
}
