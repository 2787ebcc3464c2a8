/* SPDX-License-Identifier: MIT */
/* What a trace shows: lines that caches await and write back, flushes and settings of a tile, and what its PEs wait for. */
#include "state.h"

enum fabric_event {
    EVENT_MISS,
    EVENT_MISSES,
    EVENT_WRITE_BACK,
    EVENT_FLUSH,
    EVENT_RECONFIGURE,
    EVENT_BARRIER,
    EVENT_MACHINE_BARRIER,
    EVENT_SWITCH,
    EVENT_SLEEP,
    EVENT_ITEM,
    EVENT_STALE,
    EVENT_COUNT
};

const hd_trace_event fabric_trace_events[FABRIC_TRACE_EVENTS] = {
    [EVENT_MISS] = {"miss", HD_TRACE_SPAN, 0, "0xaddress", NULL, "a line is being filled"},
    [EVENT_MISSES] = {"misses", HD_TRACE_COUNTER, 0, NULL, "lines", "lines being filled"},
    [EVENT_WRITE_BACK] = {"tile.write_back", HD_TRACE_INSTANT, 0, "0xaddress|bytes|bank", NULL,
                          "dirty bytes leave a first-level bank"},
    [EVENT_FLUSH] = {"tile.flush", HD_TRACE_SPAN, 0, "pe|writes_back|drops", NULL,
                     "the caches that a PE reaches write back, drop what they have, or both"},
    [EVENT_RECONFIGURE] = {"tile.reconfigure", HD_TRACE_SPAN, 0, "0xenabled|0xscratchpads", NULL,
                           "PEs that work and banks that are scratchpads, from the request until they hold"},
    [EVENT_BARRIER] = {"tile.barrier", HD_TRACE_SPAN, 0, NULL, NULL, "a PE waits for those of its tile"},
    [EVENT_MACHINE_BARRIER] = {"tile.machine_barrier", HD_TRACE_SPAN, 0, NULL, NULL, "a PE waits for all others"},
    [EVENT_SWITCH] = {"tile.switch", HD_TRACE_SPAN, 0, NULL, NULL, "a PE waits until its tile is set anew"},
    [EVENT_SLEEP] = {"tile.sleep", HD_TRACE_SPAN, 0, NULL, NULL, "a PE is not enabled"},
    [EVENT_ITEM] = {"tile.item", HD_TRACE_INSTANT, 0, "item|machine", NULL,
                    "a PE takes an item of its tile, or of the machine"},
    [EVENT_STALE] = {"tile.stale", HD_TRACE_INSTANT, 0, "0xaddress|tile", NULL,
                     "a PE reads bytes that this tile has stored since"},
};
_Static_assert(EVENT_COUNT == FABRIC_TRACE_EVENTS, "state.h says how many");

void fabric_trace_create(tile_fabric *self)
{
    const uint32_t mshrs = (uint32_t)fabric_value(self, PARAMETER_L0_MSHRS);
    self->trace = self->services->extension(self->services->context, HD_EXTENSION_TRACE);
    const uint32_t first = hd_trace_tracks(self->trace, HD_TRACE_BLOCK, "tile", self->tiles);
    for (uint32_t t = 0; t < self->tiles; t++)
        self->tile[t].tracks = (fabric_tracks){.tile = first + t,
                                               .mshrs = hd_trace_tracks(self->trace, first + t, "mshr", mshrs),
                                               .pes = hd_trace_tracks(self->trace, first + t, "pe", self->pes)};
}

/* ---- Lines -------------------------------------------------------------------------------------------------------- */

void fabric_trace_miss(const tile_fabric *self, uint32_t tile, uint32_t mshr, uint64_t line)
{
    const fabric_tracks *tracks = &self->tile[tile].tracks;
    hd_trace_begin(self->trace, tracks->mshrs + mshr, EVENT_MISS, self->cursor.t, line * FABRIC_LINE);
    hd_trace_counter(self->trace, tracks->tile, EVENT_MISSES, self->cursor.t, self->tile[tile].mshrs.in_use);
}

void fabric_trace_fill(const tile_fabric *self, uint32_t tile, uint32_t mshr)
{
    const fabric_tracks *tracks = &self->tile[tile].tracks;
    hd_trace_end(self->trace, tracks->mshrs + mshr, EVENT_MISS, self->cursor.t);
    hd_trace_counter(self->trace, tracks->tile, EVENT_MISSES, self->cursor.t, self->tile[tile].mshrs.in_use);
}

void fabric_trace_write_back(const tile_fabric *self, uint32_t tile, uint32_t bank, uint32_t place)
{
    const fabric_bank *of = &self->tile[tile].banks[bank];
    hd_trace_instant(self->trace, self->tile[tile].tracks.tile, EVENT_WRITE_BACK, self->cursor.t,
                     of->tags.tags[place] * FABRIC_LINE, (uint64_t)__builtin_popcountll(of->lines[place].dirty), bank);
}

/* ---- Tiles -------------------------------------------------------------------------------------------------------- */

static uint32_t event_of(const fabric_task *task)
{
    return fabric_task_commits(task) ? EVENT_RECONFIGURE : EVENT_FLUSH;
}

static uint64_t scratchpads(const tile_fabric *self, const fabric_settings *settings)
{
    uint64_t banks = 0;
    for (uint32_t b = 0; b < self->banks; b++)
        banks |= (uint64_t)(settings->mode[b] != HD_TILE_CACHE) << b;
    return banks;
}

void fabric_trace_task(const tile_fabric *self, uint32_t tile)
{
    const fabric_tile *of = &self->tile[tile];
    if (event_of(&of->task) == EVENT_RECONFIGURE)
        hd_trace_begin(self->trace, of->tracks.tile, EVENT_RECONFIGURE, self->cursor.t, of->wanted.enable,
                       scratchpads(self, &of->wanted));
    else
        hd_trace_begin(self->trace, of->tracks.tile, EVENT_FLUSH, self->cursor.t, of->task.pe,
                       of->task.what != HD_TILE_INVALIDATE, of->task.what != HD_TILE_WRITE_BACK);
}

void fabric_trace_task_end(const tile_fabric *self, uint32_t tile)
{
    const fabric_tile *of = &self->tile[tile];
    hd_trace_end(self->trace, of->tracks.tile, event_of(&of->task), self->cursor.t);
}

/* ---- PEs ---------------------------------------------------------------------------------------------------------- */

static uint32_t track_of(const tile_fabric *self, uint32_t pe)
{
    return self->tile[pe / self->pes].tracks.pes + pe % self->pes;
}

/* EVENT_COUNT: nothing that is shown. */
static uint32_t wait_of(const fabric_pe *pe, uint32_t is_enabled)
{
    if (pe->waits_for == WAIT_NONE || pe->waits_for == WAIT_TASK)
        return EVENT_COUNT;
    if (!is_enabled)
        return EVENT_SLEEP;
    switch (pe->waits_for) {
    case WAIT_BARRIER: return EVENT_BARRIER;
    case WAIT_MACHINE_BARRIER: return EVENT_MACHINE_BARRIER;
    case WAIT_SWITCH: return EVENT_SWITCH;
    default: return EVENT_COUNT;
    }
}

void fabric_trace_pe(tile_fabric *self, uint32_t pe, uint32_t is_enabled)
{
    fabric_pe *of = &self->pe[pe];
    const uint32_t wait = wait_of(of, is_enabled), shown = of->shown;
    if (!self->trace || wait == shown)
        return;
    of->shown = wait;
    if (shown != EVENT_COUNT)
        hd_trace_end(self->trace, track_of(self, pe), shown, self->cursor.t);
    if (wait != EVENT_COUNT)
        hd_trace_begin(self->trace, track_of(self, pe), wait, self->cursor.t, 0);
}

void fabric_trace_reset(tile_fabric *self)
{
    for (uint32_t p = 0; p < self->tiles * self->pes; p++)
        self->pe[p].shown = EVENT_COUNT;
}

void fabric_trace_item(const tile_fabric *self, uint32_t pe, uint32_t item)
{
    hd_trace_instant(self->trace, track_of(self, pe), EVENT_ITEM, self->cursor.t, item,
                     self->pe[pe].waits_for == WAIT_MACHINE_ITEM);
}

void fabric_trace_stale(const tile_fabric *self, uint32_t pe, uint64_t address, uint32_t other)
{
    hd_trace_instant(self->trace, track_of(self, pe), EVENT_STALE, self->cursor.t, address, other);
}
