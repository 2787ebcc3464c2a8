/* SPDX-License-Identifier: MIT */
/* Entry of the pipe: what an instruction asks for, whether its addresses are allowed, and its place in the queue. */
#include "lanes.h"
#include "state.h"

#include <string.h>

memory_access *memory_slot(memory *m)
{
    return &m->slots[m->tickets.free[m->tickets.count - 1]].access;
}

static void copy_access(const memory *m, memory_access *to, const memory_access *from)
{
    const size_t bytes = m->parameters.lanes * sizeof(uint32_t);
    to->instruction = from->instruction;
    to->pc = from->pc;
    to->path = from->path;
    to->warp = from->warp;
    to->homes = from->homes;
    to->transactional = from->transactional;
    to->log_entry = from->log_entry;
    to->internal = from->internal;
    to->mask = from->mask;
    memcpy(to->address, from->address, bytes);
    memcpy(to->data, from->data, bytes);
    memcpy(to->compare, from->compare, bytes);
}

static void read_instruction(const memory *m, access_slot *slot)
{
    const isa_instruction *instruction = slot->access.instruction;
    slot->operation = HD_ATOMIC_SWAP;
    slot->acquire = 0;
    slot->past_l1 = 1;
    slot->is_texture = 0;
    slot->bytes = instruction->access_bytes;
    switch (instruction->instruction_class) {
    case ISA_CLASS_LOAD:
        slot->kind = KIND_LOAD;
        slot->past_l1 =
            m->parameters.l1_global == L1_GLOBAL_BYPASS || (instruction->flags & ISA_FLAG_LOAD_UNCACHED) != 0;
        slot->is_texture = m->parameters.texture.bytes != 0 && (instruction->flags & ISA_FLAG_LOAD_READ_ONLY) != 0;
        break;
    case ISA_CLASS_STORE: slot->kind = KIND_STORE; break;
    default:
        slot->kind = KIND_ATOMIC;
        slot->bytes = 4;
        slot->operation = isa_atomic_operation(instruction);
        slot->acquire = (instruction->flags & ISA_FLAG_ACQUIRE) != 0;
        break;
    }
}

static void count_access(memory *m, const access_slot *slot)
{
    m->counters->loads += slot->kind == KIND_LOAD && !slot->access.internal;
    m->counters->stores += slot->kind == KIND_STORE && !slot->access.internal;
    m->counters->atomics += slot->kind == KIND_ATOMIC;
    m->warps[slot->access.warp].accesses++;
    m->outstanding.path_stores[slot->access.path] += slot->is_store;
    if (m->outstanding.thread_stores != NULL)
        pipe_begin_threads(m, slot);
}

void memory_count_refused(memory *m, const isa_instruction *instruction)
{
    m->counters->loads += instruction->instruction_class == ISA_CLASS_LOAD;
    m->counters->stores += instruction->instruction_class == ISA_CLASS_STORE;
    m->counters->atomics += instruction->instruction_class == ISA_CLASS_ATOMIC;
}

/* For a transactional store too a path waits, for its approval; nobody waits for a word that nobody writes. */
static uint32_t reads_shared(const access_slot *slot)
{
    if ((slot->access.instruction->flags & ISA_FLAG_LOAD_READ_ONLY) != 0)
        return 0;
    return (slot->kind != KIND_STORE || slot->access.transactional) &&
           (slot->remaining[WINDOW_GLOBAL] | slot->remaining[WINDOW_SCRATCHPAD]) != 0;
}

static void enqueue(memory *m, access_slot *slot, hd_time t)
{
    slot->ready = pipe_edge_after(m, t);
    slot->since = t;
    slot->checked = 0;
    slot->groups = 0;
    slot->parts = 0;
    slot->entered = NO_EDGE;
    slot->in_pipe = 1;
    slot->in_use = 1;
    slot->log_left = 0;
    slot->log.served = 0;
    m->tickets.count--;
    if (m->tickets.used <= ticket_of(m, slot))
        m->tickets.used = ticket_of(m, slot) + 1;
    if (m->addresses.units != NULL) {
        address_units_enqueue(m, slot);
        return;
    }
    m->pipe.queue[hd_ring_push(&m->pipe.waiting)] = ticket_of(m, slot);
}

/* Whether transactional: a store to private memory that is, counts as others do. */
static void mark(memory *m, access_slot *slot)
{
    const uint32_t transactional = slot->access.transactional == TX_GLOBAL && slot->remaining[WINDOW_GLOBAL] != 0;
    slot->serial = 0;
    if (transactional && (m->transactional.serial = (m->transactional.serial + 1) % (1u << 30)) == 0)
        m->transactional.serial = 1;
    if (transactional)
        slot->serial = m->transactional.serial;
    slot->is_store = slot->kind != KIND_LOAD && (!transactional || slot->remaining[WINDOW_PRIVATE] != 0);
}

uint32_t memory_submit(memory *m, const memory_access *access, hd_time t)
{
    const uint32_t ticket = m->tickets.free[m->tickets.count - 1];
    access_slot *slot = &m->slots[ticket];
    if (access != &slot->access)
        copy_access(m, &slot->access, access);
    read_instruction(m, slot);
    char text[128];
    uint32_t lane;
    if (seen_words_notes(&m->progress.seen) && slot->kind != KIND_STORE)
        seen_words_note(&m->progress.seen, slot->access.address, slot->access.mask);
    if (!windows_classify(m, slot, text, sizeof text, &lane)) {
        m->events.fault(m->events.context, &slot->access, lane, t, text);
        return MEMORY_NO_TICKET;
    }
    mark(m, slot);
    enqueue(m, slot, t);
    count_access(m, slot);
    if (reads_shared(slot))
        m->outstanding.path_reads[slot->access.path] = t;
    pipe_update_status(m);
    return ticket;
}

uint32_t memory_submit_walk(memory *m, const isa_instruction *instruction, uint32_t path, uint32_t warp,
                            const memory_log_run *runs, uint32_t count, hd_time t)
{
    const uint32_t ticket = m->tickets.free[m->tickets.count - 1];
    access_slot *slot = &m->slots[ticket];
    memset(slot->remaining, 0, sizeof slot->remaining);
    slot->access.instruction = instruction;
    slot->access.path = path;
    slot->access.warp = slot->access.homes = warp;
    slot->access.mask = 1;
    slot->kind = KIND_LOAD;
    slot->acquire = slot->operation = slot->serial = slot->is_store = slot->access.address[0] = slot->access.pc = 0;
    enqueue(m, slot, t);
    slot->log.runs = count;
    memcpy(slot->log.run, runs, count * sizeof *runs);
    for (uint32_t i = 0; i < count; i++)
        slot->log_left += runs[i].count;
    m->warps[warp].accesses++;
    pipe_update_status(m);
    return ticket;
}
