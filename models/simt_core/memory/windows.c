/* SPDX-License-Identifier: MIT */
/* From a warp's addresses, which may lie in several windows, to places in memory. */
#include "state.h"

/* Private memory of lanes of several warps: their lines take turns in that of the block. */
static void find_places_in_block(const memory *m, access_slot *slot, const memory_view *view, uint64_t lanes)
{
    const lane_homes homes = homes_of(m, slot);
    for (uint64_t left = lanes; left != 0; left &= left - 1) {
        const uint32_t lane = lowest_lane(left), offset = slot->access.address[lane] - HD_PRIVATE_BASE;
        const uint32_t in_warp = (offset & ~3u) * m->parameters.lanes + lane * 4 + (offset & 3);
        const uint32_t warp = m->warps[homes_row_of(homes, lane)].view.warp_in_block;
        const uint32_t line = in_warp / HD_LINE_BYTES * view->warps_in_block + warp;
        slot->place[lane] = line * HD_LINE_BYTES + in_warp % HD_LINE_BYTES;
    }
}

/* What is to be taken from addresses of the window, to have offsets from its physical base. */
static uint32_t begin_of(access_slot *slot, const memory_view *view, uint32_t window)
{
    switch (window) {
    case WINDOW_SCRATCHPAD: return HD_SCRATCHPAD_BASE - view->scratchpad_offset;
    case WINDOW_CONSTANT:
        slot->base[window] = view->constant_base & ~(uint64_t)(HD_LINE_BYTES - 1);
        return HD_CONSTANT_BASE - (uint32_t)(view->constant_base % HD_LINE_BYTES);
    default: return 0;
    }
}

/* Places of these lanes, all in one window; those of the others stay. */
static void find_places(const memory *m, access_slot *slot, const memory_view *view, uint32_t window, uint64_t lanes)
{
    const uint32_t *address = slot->access.address;
    uint32_t *place = slot->place;
    const uint32_t warp_lanes = m->parameters.lanes;
    const uint32_t count = warp_lanes > 32 ? LANES_MAX : 32;
    const uint32_t all = lanes == slot->access.mask; /* then what becomes of inactive lanes does not matter */
    if (window == WINDOW_PRIVATE && is_regrouped(m, slot)) {
        find_places_in_block(m, slot, view, lanes);
        return;
    }
    if (window == WINDOW_PRIVATE) {
        for (uint32_t lane = 0; lane < count; lane++) {
            const uint32_t offset = address[lane] - HD_PRIVATE_BASE;
            const uint32_t here = (offset & ~3u) * warp_lanes + lane * 4 + (offset & 3);
            place[lane] = all || (lanes >> lane & 1) != 0 ? here : place[lane];
        }
        return;
    }
    const uint32_t begin = begin_of(slot, view, window);
    for (uint32_t lane = 0; lane < count; lane++)
        place[lane] = all || (lanes >> lane & 1) != 0 ? address[lane] - begin : place[lane];
}

static uint32_t classify_one_window(const memory *m, access_slot *slot, const memory_view *view)
{
    const extent e = extent_of(slot->access.address, slot->access.mask, m->parameters.lanes);
    const uint32_t window = window_of(e.low);
    if (window_of(e.high) != window || (e.bits & (slot->bytes - 1)) != 0 ||
        window_refusal(view, slot->kind, slot->bytes, e.low) != WINDOW_ALLOWED ||
        window_refusal(view, slot->kind, slot->bytes, e.high) != WINDOW_ALLOWED)
        return 0;
    slot->remaining[window] = slot->access.mask;
    find_places(m, slot, view, window, slot->access.mask);
    slot->span = e.high / 4 - e.low / 4;
    slot->consecutive = slot->bytes == 4 && (window == WINDOW_PRIVATE ? e.not_uniform : e.not_consecutive) == 0;
    if (window == WINDOW_PRIVATE && is_regrouped(m, slot))
        slot->consecutive = 0;
    return 1;
}

uint32_t windows_classify(memory *m, access_slot *slot, char *text, size_t text_bytes, uint32_t *lane)
{
    const memory_view *view = &m->warps[slot->access.warp].view;
    for (uint32_t window = 0; window < WINDOWS; window++) {
        slot->remaining[window] = 0;
        slot->base[window] = 0;
    }
    if (classify_one_window(m, slot, view))
        return 1;
    slot->consecutive = 0;
    slot->span = UINT32_MAX;
    for (uint64_t left = slot->access.mask; left != 0; left &= left - 1) {
        *lane = lowest_lane(left);
        const uint32_t address = slot->access.address[*lane];
        const uint32_t why = window_refusal(view, slot->kind, slot->bytes, address);
        if (why != WINDOW_ALLOWED) {
            window_describe(view, slot->kind, slot->bytes, address, why, text, text_bytes);
            return 0;
        }
        slot->remaining[window_of(address)] |= UINT64_C(1) << *lane;
    }
    for (uint32_t window = 0; window < WINDOWS; window++)
        if (slot->remaining[window] != 0)
            find_places(m, slot, view, window, slot->remaining[window]);
    return 1;
}
