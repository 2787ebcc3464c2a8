/* SPDX-License-Identifier: MIT */
/* Address windows of a thread: which memory an address means, and which accesses are refused. */
#include "state.h"

#include <stdio.h>

enum {
    ALLOWED,
    NULL_DEREFERENCE,
    UNMAPPED,
    MISALIGNED,
    SCRATCHPAD_OVERRUN,
    STACK_OVERFLOW,
    PRIVATE_OVERRUN,
    ATOMIC_ON_PRIVATE,
    CONSTANT_OVERRUN,
    READ_ONLY,
};

static uint32_t window_of(uint32_t address)
{
    if (address >= HD_GLOBAL_BASE)
        return WINDOW_GLOBAL;
    if (address >= HD_CONSTANT_BASE)
        return WINDOW_CONSTANT;
    return address >= HD_PRIVATE_BASE ? WINDOW_PRIVATE : WINDOW_SCRATCHPAD;
}

static uint32_t mapping_error(uint32_t address)
{
    if (address >= HD_GLOBAL_BASE)
        return ALLOWED;
    if (address < HD_UNMAPPED_END)
        return NULL_DEREFERENCE;
    /* The stack grows down from the top of the private window, so that it leaves the window at its base. */
    if (address >= HD_SCRATCHPAD_END && address < HD_PRIVATE_BASE)
        return STACK_OVERFLOW;
    if (address < HD_SCRATCHPAD_BASE || (address >= HD_PRIVATE_END && address < HD_CONSTANT_BASE) ||
        address >= HD_CONSTANT_END)
        return UNMAPPED;
    return ALLOWED;
}

static uint32_t refusal(const memory_view *view, const access_slot *slot, uint32_t address)
{
    const uint32_t unmapped = mapping_error(address);
    if (unmapped != ALLOWED)
        return unmapped;
    if (address % slot->bytes != 0)
        return MISALIGNED;
    const uint64_t end = (uint64_t)address + slot->bytes;
    switch (window_of(address)) {
    case WINDOW_SCRATCHPAD: return end - HD_SCRATCHPAD_BASE > view->scratchpad_bytes ? SCRATCHPAD_OVERRUN : ALLOWED;
    case WINDOW_PRIVATE:
        if (slot->kind == KIND_ATOMIC)
            return ATOMIC_ON_PRIVATE;
        return end - HD_PRIVATE_BASE > view->private_bytes ? PRIVATE_OVERRUN : ALLOWED;
    case WINDOW_CONSTANT:
        if (slot->kind != KIND_LOAD)
            return READ_ONLY;
        return end - HD_CONSTANT_BASE > view->constant_bytes ? CONSTANT_OVERRUN : ALLOWED;
    default: return ALLOWED;
    }
}

static void describe_refusal(const memory_view *view, const access_slot *slot, uint32_t address, uint32_t why,
                             char *text, size_t text_bytes)
{
    static const char *const kinds[] = {
        [KIND_LOAD] = "load of", [KIND_STORE] = "store to", [KIND_ATOMIC] = "atomic on"};
    char what[48];
    snprintf(what, sizeof what, "%u-byte %s 0x%08x", slot->bytes, kinds[slot->kind], address);
    switch (why) {
    case NULL_DEREFERENCE: snprintf(text, text_bytes, "null dereference: %s", what); break;
    case MISALIGNED: snprintf(text, text_bytes, "misaligned %s", what); break;
    case SCRATCHPAD_OVERRUN:
        snprintf(text, text_bytes, "scratchpad overrun: %s, the block has %u bytes", what, view->scratchpad_bytes);
        break;
    case STACK_OVERFLOW: snprintf(text, text_bytes, "stack overflow: %s", what); break;
    case PRIVATE_OVERRUN:
        snprintf(text, text_bytes, "private memory overrun: %s, the thread has %u bytes", what, view->private_bytes);
        break;
    case ATOMIC_ON_PRIVATE: snprintf(text, text_bytes, "private memory takes no atomics: %s", what); break;
    case CONSTANT_OVERRUN:
        snprintf(text, text_bytes, "constant memory overrun: %s, the launch has %u bytes", what, view->constant_bytes);
        break;
    case READ_ONLY: snprintf(text, text_bytes, "constant memory is read-only: %s", what); break;
    default: snprintf(text, text_bytes, "unmapped address: %s", what); break;
    }
}

/* From a thread's addresses to places: byte offsets from the window's physical base. */
static void translate(const memory *m, access_slot *slot, const memory_view *view, uint32_t window, uint64_t lanes)
{
    uint32_t *address = slot->access.address;
    const uint32_t warp_lanes = m->parameters.lanes;
    switch (window) {
    case WINDOW_SCRATCHPAD:
        for (uint32_t lane = 0; lane < warp_lanes; ++lane)
            address[lane] -= (lanes >> lane & 1) != 0 ? HD_SCRATCHPAD_BASE - view->scratchpad_offset : 0;
        break;
    case WINDOW_PRIVATE:
        slot->base[window] =
            hd_private_address(view->private_base, view->private_bytes, warp_lanes, view->warp_in_block, 0, 0);
        for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
            const uint32_t offset = address[lane] - HD_PRIVATE_BASE;
            const uint32_t place = (offset & ~3u) * warp_lanes + lane * 4 + (offset & 3);
            address[lane] = (lanes >> lane & 1) != 0 ? place : address[lane];
        }
        break;
    case WINDOW_CONSTANT:
        slot->base[window] = view->constant_base & ~(uint64_t)(HD_LINE_BYTES - 1);
        for (uint32_t lane = 0; lane < warp_lanes; ++lane)
            address[lane] -=
                (lanes >> lane & 1) != 0 ? HD_CONSTANT_BASE - (uint32_t)(view->constant_base % HD_LINE_BYTES) : 0;
        break;
    default: break;
    }
}

/* Are the active lanes consecutive words? */
static uint32_t is_consecutive(const access_slot *slot, uint32_t lanes)
{
    const uint64_t mask = slot->access.mask;
    const uint32_t *address = slot->access.address;
    const uint32_t first = lowest_lane(mask);
    const uint32_t origin = address[first] - 4 * first;
    uint32_t differs = 0;
    for (uint32_t lane = 0; lane < lanes; ++lane)
        differs |= (mask >> lane & 1) != 0 ? address[lane] ^ (origin + 4 * lane) : 0;
    return differs == 0;
}

/* Lowest and highest address, and all their bits, of the active lanes. */
typedef struct extent {
    uint32_t low;
    uint32_t high;
    uint32_t bits;
} extent;

static extent extent_of(const access_slot *slot, uint32_t lanes)
{
    const uint64_t mask = slot->access.mask;
    const uint32_t *address = slot->access.address;
    const uint32_t any = address[lowest_lane(mask)];
    extent e = {any, any, 0};
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        const uint32_t a = (mask >> lane & 1) != 0 ? address[lane] : any;
        e.low = a < e.low ? a : e.low;
        e.high = a > e.high ? a : e.high;
        e.bits |= a;
    }
    return e;
}

static uint32_t classify_one_window(const memory *m, access_slot *slot, const memory_view *view, extent e)
{
    const uint32_t window = window_of(e.low);
    if (window_of(e.high) != window || e.bits % slot->bytes != 0 || refusal(view, slot, e.low) != ALLOWED ||
        refusal(view, slot, e.high) != ALLOWED)
        return 0;
    slot->remaining[window] = slot->access.mask;
    translate(m, slot, view, window, slot->access.mask);
    if (window == WINDOW_PRIVATE)
        slot->consecutive = e.low == e.high && slot->bytes == 4;
    return 1;
}

uint32_t windows_classify(memory *m, access_slot *slot, char *text, size_t text_bytes, uint32_t *lane)
{
    const memory_view *view = &m->warps[slot->access.warp].view;
    const uint64_t mask = slot->access.mask;
    for (uint32_t window = 0; window < WINDOWS; ++window) {
        slot->remaining[window] = 0;
        slot->base[window] = 0;
    }
    slot->consecutive = slot->bytes == 4 && is_consecutive(slot, m->parameters.lanes);
    if (classify_one_window(m, slot, view, extent_of(slot, m->parameters.lanes)))
        return 1;
    slot->consecutive = 0;
    for (uint64_t left = mask; left != 0; left &= left - 1) {
        *lane = lowest_lane(left);
        const uint32_t address = slot->access.address[*lane];
        const uint32_t why = refusal(view, slot, address);
        if (why != ALLOWED) {
            describe_refusal(view, slot, address, why, text, text_bytes);
            return 0;
        }
        slot->remaining[window_of(address)] |= UINT64_C(1) << *lane;
    }
    for (uint32_t window = 0; window < WINDOWS; ++window)
        translate(m, slot, view, window, slot->remaining[window]);
    return 1;
}
