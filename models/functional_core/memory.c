/* SPDX-License-Identifier: MIT */
/* Loads and stores take effect where they are executed: in the scratchpad of the block, or directly in memory. */
#include <string.h>

#include "bits.h"
#include "extent.h"
#include "state.h"

typedef struct access {
    functional_core *core;
    const path *p;
    const isa_instruction *instruction;
    const warp_state *warp;
    uint32_t *data; /* [lane]: destination of a load, source of a store */
    uint32_t address[MAX_LANES];
} access;

static uint64_t physical_of(const access *a, uint32_t lane, uint32_t address)
{
    const memory_view *view = &a->warp->view;
    switch (window_of(address)) {
    case WINDOW_PRIVATE:
        return hd_private_address(view->context_slot, view->context_slots, a->core->lane_count, view->warps_in_block,
                                  view->warp_in_block, lane, address - HD_PRIVATE_BASE);
    case WINDOW_CONSTANT: return view->constant_base + (address - HD_CONSTANT_BASE);
    default: return address;
    }
}

/* Bytes that an allowed address means, to the end of their range. */
static uint8_t *find_bytes(const access *a, uint32_t lane, uint32_t address)
{
    if (window_of(address) == WINDOW_SCRATCHPAD)
        return a->core->blocks[a->warp->block].scratchpad + (address - HD_SCRATCHPAD_BASE);
    uint8_t *bytes = physical_bytes(a->core, physical_of(a, lane, address));
    if (!bytes)
        functional_fault(a->core, a->p, UINT64_C(1) << lane, HD_DEBUG_FAULT_ADDRESS,
                         "no block of the machine holds address 0x%08x", address);
    return bytes;
}

/* In a transaction: what is there is kept, or the store is refused. */
static int prepare(const access *a, uint32_t lane, uint8_t *to, uint32_t bytes)
{
    if (a->core->transaction == NO_SLOT)
        return 0;
    if (window_of(a->address[lane]) != WINDOW_SCRATCHPAD)
        return transaction_note(a->core, physical_of(a, lane, a->address[lane]), to, bytes);
    functional_fault(a->core, a->p, UINT64_C(1) << lane, HD_DEBUG_FAULT_ADDRESS, MISTAKE_SCRATCHPAD_STORE);
    return -1;
}

static void write_bytes(const access *a, uint32_t lane, uint8_t *to)
{
    functional_core *core = a->core;
    const uint32_t address = a->address[lane];
    const uint32_t bytes = a->instruction->access_bytes;
    if (prepare(a, lane, to, bytes))
        return;
    if (window_of(address) == WINDOW_SCRATCHPAD)
        core->blocks[a->warp->block].versions[(address - HD_SCRATCHPAD_BASE) / 4]++;
    else
        hd_direct_written(core->direct, physical_of(a, lane, address));
    if (!core->progressed && window_is_shared(address) && memcmp(to, &a->data[lane], bytes) != 0)
        note_progress(core);
    memcpy(to, &a->data[lane], bytes);
}

static void move_lane_by_lane(const access *a)
{
    const uint32_t loads = a->instruction->instruction_class == ISA_CLASS_LOAD;
    for (uint64_t left = a->p->mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        uint8_t *bytes = find_bytes(a, lane, a->address[lane]);
        if (!bytes)
            return;
        if (!loads) {
            write_bytes(a, lane, bytes);
        } else if (a->instruction->writes) {
            uint32_t raw = 0;
            memcpy(&raw, bytes, a->instruction->access_bytes);
            a->data[lane] = isa_load_value(a->instruction, raw);
        }
    }
}

/* Words from `address` of lane `lane` on that lie side by side, for this lane and the next ones. */
static uint32_t words_together(const access *a, uint32_t lane, uint32_t address)
{
    if (window_of(address) == WINDOW_SCRATCHPAD)
        return MAX_LANES;
    const uint64_t length = window_of(address) == WINDOW_PRIVATE ? HD_LINE_BYTES : UINT64_C(1) << a->core->range_shift;
    return (uint32_t)((length - physical_of(a, lane, address) % length) / 4);
}

static void move_words(const access *a, uint8_t *memory, uint32_t lane, uint32_t count)
{
    functional_core *core = a->core;
    if (a->instruction->instruction_class == ISA_CLASS_LOAD) {
        memcpy(a->data + lane, memory, 4 * count);
        return;
    }
    if (!core->progressed && window_is_shared(a->address[0]) && memcmp(memory, a->data + lane, 4 * count) != 0)
        note_progress(core);
    if (prepare(a, lane, memory, 4 * count))
        return;
    memcpy(memory, a->data + lane, 4 * count);
}

/* All lanes are active, and their words lie one behind the other. */
static void move_row(const access *a)
{
    for (uint32_t lane = 0, count; lane < a->core->lane_count; lane += count) {
        uint8_t *memory = find_bytes(a, lane, a->address[lane]);
        if (!memory)
            return;
        count = words_together(a, lane, a->address[lane]);
        if (count > a->core->lane_count - lane)
            count = a->core->lane_count - lane;
        move_words(a, memory, lane, count);
    }
}

static void broadcast(const access *a)
{
    const uint32_t first = (uint32_t)__builtin_ctzll(a->p->mask);
    const uint8_t *bytes = find_bytes(a, first, a->address[first]);
    uint32_t raw = 0;
    if (!bytes || !a->instruction->writes)
        return;
    memcpy(&raw, bytes, a->instruction->access_bytes);
    raw = isa_load_value(a->instruction, raw);
    for (uint64_t left = a->p->mask; left; left &= left - 1)
        a->data[__builtin_ctzll(left)] = raw;
}

static uint32_t kind_of(const isa_instruction *instruction)
{
    switch (instruction->instruction_class) {
    case ISA_CLASS_LOAD: return KIND_LOAD;
    case ISA_CLASS_STORE: return KIND_STORE;
    default: return KIND_ATOMIC;
    }
}

/* The lowest lane whose access is refused is named. */
static uint32_t check_lanes(const access *a, uint32_t kind, uint32_t bytes)
{
    for (uint64_t left = a->p->mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        const uint32_t refusal = window_refusal(&a->warp->view, kind, bytes, a->address[lane]);
        char text[128];
        if (refusal == WINDOW_ALLOWED)
            continue;
        window_describe(&a->warp->view, kind, bytes, a->address[lane], refusal, text, sizeof text);
        functional_fault(a->core, a->p, UINT64_C(1) << lane, HD_DEBUG_FAULT_ADDRESS, "%s", text);
        return 0;
    }
    return 1;
}

/* All addresses are allowed and in one window. */
static uint32_t is_one_window(const access *a, const extent *e, uint32_t kind, uint32_t bytes)
{
    return window_of(e->low) == window_of(e->high) && (e->bits & (bytes - 1)) == 0 &&
           window_refusal(&a->warp->view, kind, bytes, e->low) == WINDOW_ALLOWED &&
           window_refusal(&a->warp->view, kind, bytes, e->high) == WINDOW_ALLOWED;
}

static uint32_t is_row(const access *a, const extent *e, uint32_t one_window)
{
    const functional_core *core = a->core;
    if (!one_window || a->instruction->access_bytes != 4 || a->p->mask != UINT64_MAX >> (64 - core->lane_count))
        return 0;
    if (a->instruction->instruction_class == ISA_CLASS_LOAD ? !a->instruction->writes
                                                            : *core->direct->watched || core->scratchpad_watched)
        return 0;
    return (window_of(e->low) == WINDOW_PRIVATE ? e->not_uniform : e->not_consecutive) == 0;
}

static void move(const access *a, const extent *e, uint32_t one_window)
{
    const uint32_t loads = a->instruction->instruction_class == ISA_CLASS_LOAD;
    if (is_row(a, e, one_window))
        move_row(a);
    else if (loads && one_window && e->not_uniform == 0 && window_of(e->low) != WINDOW_PRIVATE)
        broadcast(a);
    else
        move_lane_by_lane(a);
}

static void count_access(functional_core *core, uint32_t kind, uint64_t mask)
{
    core->counters.loads += kind == KIND_LOAD;
    core->counters.stores += kind == KIND_STORE;
    core->counters.atomics += kind == KIND_ATOMIC;
    core->counters.lane_accesses += bits_count(mask);
}

static void note_read(functional_core *core, const path *p, const uint32_t *address)
{
    core->path_states[p - core->paths].read = current_time(core);
    if (seen_words_notes(&core->seen))
        seen_words_note(&core->seen, address, p->mask);
}

void memory_execute(functional_core *core, const path *p, const isa_instruction *instruction)
{
    warp_state *warp = &core->warps[p->warp];
    const uint32_t kind = kind_of(instruction);
    const uint32_t bytes = kind == KIND_ATOMIC ? 4 : instruction->access_bytes;
    const uint32_t row = kind == KIND_LOAD ? instruction->rd : instruction->rs2;
    access a = {.core = core, .p = p, .instruction = instruction, .warp = warp};
    isa_addresses(instruction, &warp->lanes, p->mask, a.address);
    const extent e = extent_of(a.address, p->mask, core->lane_count);
    const uint32_t one_window = is_one_window(&a, &e, kind, bytes);
    if (!one_window && !check_lanes(&a, kind, bytes))
        return;
    count_access(core, kind, p->mask);
    if (__builtin_expect(core->accesses != NULL, 0))
        functional_report_access(core, p, instruction, a.address);
    if (kind != KIND_STORE && (!one_window || window_is_shared(e.low)))
        note_read(core, p, a.address);
    if (kind == KIND_ATOMIC) {
        atomics_execute(core, p, instruction, a.address);
        return;
    }
    a.data = warp->lanes.registers + (size_t)row * core->lane_count;
    move(&a, &e, one_window);
}
