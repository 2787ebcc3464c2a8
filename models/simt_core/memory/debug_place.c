/* SPDX-License-Identifier: MIT */
/* Where a thread's bytes are, for who debugs it. */
#include "state.h"

/* A word of each lane after the other; what the L1 has of it is newer than memory. */
static void find_private(const memory *m, const memory_view *view, uint32_t lane, uint32_t offset,
                         hd_debug_place *place)
{
    const cache *l1 = &m->caches[CACHE_L1];
    const uint32_t here = (offset & ~3u) * m->parameters.lanes + lane * 4 + (offset & 3);
    place->address = window_private_line(view, here / HD_LINE_BYTES) + here % HD_LINE_BYTES;
    place->count = 4 - (offset & 3);
    if (l1->parameters.bytes == 0)
        return;
    const uint32_t in_line = (uint32_t)(place->address % l1->parameters.line_bytes);
    const cache_line *line = cache_find(l1, place->address - in_line, HD_CLASS_PRIVATE);
    if (line == NULL ||
        (m->l1.sectored ? !(line->valid >> (in_line >> m->l1.sector_shift) & 1) : line->state == LINE_PENDING))
        return;
    place->bytes = cache_bytes(l1, line) + in_line;
}

static uint32_t clip(uint32_t offset, uint32_t bytes)
{
    return offset < bytes ? bytes - offset : 0;
}

uint32_t memory_debug_place(const memory *m, uint32_t warp, uint32_t lane, uint32_t address, hd_debug_place *place)
{
    const memory_view *view = &m->warps[warp].view;
    uint32_t offset;
    *place = (hd_debug_place){0};
    switch (window_of(address)) {
    case WINDOW_GLOBAL:
        place->address = address;
        place->count = UINT32_MAX - address;
        return place->count != 0;
    case WINDOW_CONSTANT:
        offset = address - HD_CONSTANT_BASE;
        place->address = view->constant_base + offset;
        place->count = clip(offset, view->constant_bytes);
        return place->count != 0;
    case WINDOW_PRIVATE:
        offset = address - HD_PRIVATE_BASE;
        if (offset >= view->private_bytes)
            return 0;
        find_private(m, view, lane, offset, place);
        return 1;
    default:
        offset = address - HD_SCRATCHPAD_BASE;
        place->count = address < HD_SCRATCHPAD_BASE ? 0 : clip(offset, view->scratchpad_bytes);
        place->bytes = m->scratchpad.bytes + view->scratchpad_offset + offset;
        return place->count != 0;
    }
}
