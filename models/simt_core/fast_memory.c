/* SPDX-License-Identifier: MIT */
/* Accesses without timing: on the scratchpad, or directly where memory is; the caches below are told of the lines. */
#include "core_lanes.h"
#include "extent.h"
#include "tx/protocol.h" /* memory_scratchpad */

#include <string.h>

#define NEAR_SHIFT 11u /* ranges of so many parts have a bit for each in 64 */

typedef struct fast_lanes {
    simt_core *core;
    const isa_instruction *instruction;
    const memory_view *view;
    uint8_t *scratchpad; /* of the block */
    uint64_t mask;
    uint32_t kind; /* KIND_* */
    uint32_t bytes;
    uint32_t *data;     /* [lane]: destination of a load or atomic; */
    uint32_t *operands; /* source of a store or atomic */
    uint32_t address[MAX_LANES];
} fast_lanes;

/* What follows each other of one access, so that most lanes ask for nothing. */
typedef struct fast_walk {
    uint64_t line; /* that is being touched, UINT64_MAX: none is */
    uint32_t parts;
    uint64_t number; /* of the range of `bytes` */
    uint8_t *bytes;
} fast_walk;

#define WALK_BEGINS {.line = UINT64_MAX, .number = UINT64_MAX}

static void touch(const fast_lanes *a, fast_walk *walk)
{
    const hd_fast_memory *memory = a->core->fast.memory;
    if (walk->line != UINT64_MAX)
        memory->touch(memory->context, walk->line, walk->parts, a->kind != KIND_LOAD);
}

static inline void walk_to(const fast_lanes *a, fast_walk *walk, uint64_t address)
{
    const uint64_t line = address & ~(uint64_t)(HD_LINE_BYTES - 1);
    const uint32_t part = 1u << address % HD_LINE_BYTES / HD_FAST_PART_BYTES;
    if (line != walk->line) {
        touch(a, walk);
        walk->line = line;
        walk->parts = 0;
    }
    walk->parts |= part;
}

static void no_memory(const fast_lanes *a, uint32_t path, uint32_t lane)
{
    core_fault(a->core, core_homes(a->core, path), a->core->paths[path].pc, UINT64_C(1) << lane, HD_DEBUG_FAULT_ADDRESS,
               "no block of the machine holds address 0x%08x", a->address[lane]);
}

static uint64_t physical_of(const fast_lanes *a, uint32_t lane)
{
    const memory_view *view = a->view;
    const uint32_t address = a->address[lane];
    switch (window_of(address)) {
    case WINDOW_PRIVATE:
        return hd_private_address(view->context_slot, view->context_slots, a->core->lane_count, view->warps_in_block,
                                  view->warp_in_block, lane, address - HD_PRIVATE_BASE);
    case WINDOW_CONSTANT: return view->constant_base + (address - HD_CONSTANT_BASE);
    default: return address;
    }
}

/* Bytes that the lane's address means; NULL: nobody holds them. */
static inline uint8_t *bytes_of(const fast_lanes *a, fast_walk *walk, uint32_t lane)
{
    const uint32_t address = a->address[lane];
    if (window_of(address) == WINDOW_SCRATCHPAD)
        return a->scratchpad + (address - HD_SCRATCHPAD_BASE);
    const hd_fast_memory *memory = a->core->fast.memory;
    const uint64_t physical = physical_of(a, lane), number = physical >> memory->range_shift;
    if (window_of(address) != WINDOW_CONSTANT)
        walk_to(a, walk, physical);
    if (number != walk->number) {
        walk->bytes = hd_fast_bytes(memory, number << memory->range_shift);
        walk->number = number;
    }
    return walk->bytes ? walk->bytes + (physical - (number << memory->range_shift)) : NULL;
}

static void operate(const fast_lanes *a, uint32_t lane, uint8_t *at)
{
    const uint32_t operation = isa_atomic_operation(a->instruction);
    uint32_t word;
    memcpy(&word, at, 4);
    if (operation != HD_ATOMIC_CAS || word == a->data[lane]) {
        const uint32_t result = hd_atomic_apply(operation, word, a->operands[lane], a->data[lane]);
        memcpy(at, &result, 4);
    }
    if (a->instruction->writes)
        a->data[lane] = word;
}

/* 0: no memory is there, and the run ends. */
static uint32_t move_lane_by_lane(const fast_lanes *a, uint32_t path)
{
    fast_walk walk = WALK_BEGINS;
    for (uint64_t left = a->mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        uint8_t *at = bytes_of(a, &walk, lane);
        uint32_t raw = 0;
        if (!at) {
            no_memory(a, path, lane);
            return 0;
        }
        if (a->kind == KIND_ATOMIC) {
            operate(a, lane, at);
        } else if (a->kind == KIND_STORE) {
            memcpy(at, &a->operands[lane], a->bytes);
        } else if (a->instruction->writes) {
            memcpy(&raw, at, a->bytes);
            a->data[lane] = a->bytes == 4 ? raw : isa_load_value(a->instruction, raw);
        }
    }
    touch(a, &walk);
    return 1;
}

/* Words of lanes that all lie at `bytes` and behind, which is where the address `first` is. */
static void move_words(const fast_lanes *a, uint8_t *bytes, uint32_t first)
{
    for (uint64_t left = a->mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        uint8_t *at = bytes + (a->address[lane] - first);
        if (a->kind == KIND_STORE)
            memcpy(at, &a->operands[lane], 4);
        else
            memcpy(&a->data[lane], at, 4);
    }
}

/* The same of global memory, all of one range. */
static uint32_t move_in_range(const fast_lanes *a, uint32_t path, const extent *e)
{
    const hd_fast_memory *memory = a->core->fast.memory;
    const uint32_t first = e->low >> memory->range_shift << memory->range_shift;
    uint8_t *bytes = hd_fast_bytes(memory, first);
    uint64_t parts = 0;
    if (!bytes) {
        no_memory(a, path, (uint32_t)__builtin_ctzll(a->mask));
        return 0;
    }
    for (uint64_t left = a->mask; left; left &= left - 1)
        parts |= UINT64_C(1) << (a->address[__builtin_ctzll(left)] - first) / HD_FAST_PART_BYTES;
    for (uint32_t line = first; parts; line += HD_LINE_BYTES, parts >>= HD_LINE_BYTES / HD_FAST_PART_BYTES)
        if (parts & HD_FAST_WHOLE_LINE)
            memory->touch(memory->context, line, parts & HD_FAST_WHOLE_LINE, a->kind == KIND_STORE);
    move_words(a, bytes, first);
    return 1;
}

/* Words of one window that need no look at each of them. */
static uint32_t are_near(const fast_lanes *a, const extent *e)
{
    const uint32_t shift = a->core->fast.memory->range_shift;
    return a->kind != KIND_ATOMIC && a->bytes == 4 && (a->kind == KIND_STORE || a->instruction->writes) &&
           (window_of(e->low) == WINDOW_SCRATCHPAD ||
            (window_of(e->low) == WINDOW_GLOBAL && e->low >> shift == e->high >> shift && shift <= NEAR_SHIFT));
}

static uint32_t move_near(const fast_lanes *a, uint32_t path, const extent *e)
{
    if (window_of(e->low) == WINDOW_GLOBAL)
        return move_in_range(a, path, e);
    move_words(a, a->scratchpad, HD_SCRATCHPAD_BASE);
    return 1;
}

/* All lanes are active, and their words lie one behind the other. */
static uint32_t move_row(const fast_lanes *a, uint32_t path)
{
    const uint32_t lanes = a->core->lane_count, shift = a->core->fast.memory->range_shift;
    const uint32_t is_scratchpad = window_of(a->address[0]) == WINDOW_SCRATCHPAD;
    fast_walk walk = WALK_BEGINS;
    for (uint32_t lane = 0, count; lane < lanes; lane += count) {
        uint8_t *at = bytes_of(a, &walk, lane);
        if (!at) {
            no_memory(a, path, lane);
            return 0;
        }
        const uint64_t physical = physical_of(a, lane);
        const uint64_t length = is_scratchpad ? UINT64_MAX : UINT64_C(1) << (shift < 7 ? shift : 7);
        const uint64_t room = is_scratchpad ? lanes : (length - physical % length) / 4;
        count = room < lanes - lane ? (uint32_t)room : lanes - lane;
        const uint64_t first = physical % HD_LINE_BYTES / HD_FAST_PART_BYTES;
        const uint64_t last = (physical % HD_LINE_BYTES + 4 * count - 1) / HD_FAST_PART_BYTES;
        walk.parts |= (uint32_t)((2u << last) - (1u << first)) & HD_FAST_WHOLE_LINE;
        if (a->kind == KIND_STORE)
            memcpy(at, &a->operands[lane], 4 * (size_t)count);
        else
            memcpy(&a->data[lane], at, 4 * (size_t)count);
    }
    touch(a, &walk);
    return 1;
}

/* All lanes load the same. */
static uint32_t broadcast(const fast_lanes *a, uint32_t path)
{
    fast_walk walk = WALK_BEGINS;
    const uint32_t first = (uint32_t)__builtin_ctzll(a->mask);
    const uint8_t *at = bytes_of(a, &walk, first);
    uint32_t raw = 0;
    if (!at) {
        no_memory(a, path, first);
        return 0;
    }
    touch(a, &walk);
    if (!a->instruction->writes)
        return 1;
    memcpy(&raw, at, a->bytes);
    raw = isa_load_value(a->instruction, raw);
    for (uint64_t left = a->mask; left; left &= left - 1)
        a->data[__builtin_ctzll(left)] = raw;
    return 1;
}

/* The lowest lane whose access is refused is named. */
static uint32_t check_lanes(const fast_lanes *a, uint32_t path)
{
    for (uint64_t left = a->mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        const uint32_t refusal = window_refusal(a->view, a->kind, a->bytes, a->address[lane]);
        char text[128];
        if (refusal == WINDOW_ALLOWED)
            continue;
        window_describe(a->view, a->kind, a->bytes, a->address[lane], refusal, text, sizeof text);
        core_fault(a->core, core_homes(a->core, path), a->core->paths[path].pc, UINT64_C(1) << lane,
                   HD_DEBUG_FAULT_ADDRESS, "%s", text);
        return 0;
    }
    return 1;
}

static uint32_t is_one_window(const fast_lanes *a, const extent *e)
{
    return window_of(e->low) == window_of(e->high) && (e->bits & (a->bytes - 1)) == 0 &&
           window_refusal(a->view, a->kind, a->bytes, e->low) == WINDOW_ALLOWED &&
           window_refusal(a->view, a->kind, a->bytes, e->high) == WINDOW_ALLOWED;
}

static uint32_t is_row(const fast_lanes *a, const extent *e)
{
    const uint32_t lanes = a->core->lane_count;
    if (a->kind == KIND_ATOMIC || a->bytes != 4 || a->mask != UINT64_MAX >> (64 - lanes))
        return 0;
    if (a->kind == KIND_LOAD && !a->instruction->writes)
        return 0;
    return (window_of(e->low) == WINDOW_PRIVATE ? e->not_uniform : e->not_consecutive) == 0;
}

static uint32_t kind_of(const isa_instruction *instruction)
{
    switch (instruction->instruction_class) {
    case ISA_CLASS_LOAD: return KIND_LOAD;
    case ISA_CLASS_STORE: return KIND_STORE;
    default: return KIND_ATOMIC;
    }
}

static void count_access(memory_counters *counters, uint32_t kind)
{
    counters->loads += kind == KIND_LOAD;
    counters->stores += kind == KIND_STORE;
    counters->atomics += kind == KIND_ATOMIC;
}

uint32_t fast_access(simt_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    const isa_instruction *instruction = core->path_states[path].instruction;
    const isa_lanes *lanes = &core->registers.rows[p->warp];
    const uint32_t source = instruction->rs2 == ISA_NO_REGISTER ? 0 : instruction->rs2;
    fast_lanes a = {.core = core,
                    .instruction = instruction,
                    .view = memory_view_of(core->memory, p->warp),
                    .mask = p->mask,
                    .kind = kind_of(instruction)};
    a.bytes = a.kind == KIND_ATOMIC ? 4 : instruction->access_bytes;
    a.data = a.kind == KIND_STORE ? NULL : lanes->registers + (size_t)instruction->rd * core->lane_count;
    a.scratchpad = memory_scratchpad(core->memory) + a.view->scratchpad_offset;
    a.operands = lanes->registers + (size_t)source * core->lane_count;
    isa_addresses(instruction, lanes, p->mask, a.address);
    const extent e = extent_of(a.address, p->mask, core->lane_count);
    const uint32_t one_window = is_one_window(&a, &e);
    if (!one_window && !check_lanes(&a, path))
        return 0;
    count_access(&core->counters.memory, a.kind);
    if (one_window && is_row(&a, &e))
        return move_row(&a, path);
    if (one_window && a.kind == KIND_LOAD && e.not_uniform == 0 && window_of(e.low) != WINDOW_PRIVATE)
        return broadcast(&a, path);
    if (one_window && are_near(&a, &e))
        return move_near(&a, path, &e);
    return move_lane_by_lane(&a, path);
}
