/* SPDX-License-Identifier: MIT */
#include "describe.h"

#include "deadlock.h"
#include "lane_list.h"

#define PLACE_BYTES 128u

/* Those of the warp among the path's. */
static uint64_t lanes_of(const warp_description *warp, uint32_t path)
{
    const struct path *p = &warp->unit->paths(warp->reconvergence)[path];
    if (p->home != HOMES_DIFFER)
        return p->home == warp->warp ? p->mask : 0;
    const uint32_t *homes = warp->unit->homes(warp->reconvergence) + (size_t)path * warp->lanes;
    uint64_t lanes = 0;
    for (uint64_t left = p->mask; left; left &= left - 1)
        lanes |= homes[__builtin_ctzll(left)] == warp->warp ? left & -left : 0;
    return lanes;
}

static void describe_path(const warp_description *warp, uint32_t path, const hd_text_sink *sink)
{
    const uint64_t mask = lanes_of(warp, path);
    char place[PLACE_BYTES], lanes[LANE_LIST_BYTES];
    if (!mask)
        return;
    isa_program_place(warp->place.program, warp->unit->paths(warp->reconvergence)[path].pc, place, sizeof place);
    sink->line(sink->context, "  lanes %s: at pc %s, %s", lane_list(mask, lanes), place,
               warp->activity(warp->context, path).text);
}

/* Lanes that are neither running nor ended wait at a reconvergence point for those that run. */
static uint32_t spins_while_others_wait(const warp_description *warp)
{
    uint64_t live = warp->unit->live_lanes(warp->reconvergence, warp->warp);
    uint64_t running = 0;
    uint32_t spins = 0;
    for (uint32_t path = warp->paths.first; path < warp->paths.end; path++) {
        const uint64_t lanes = lanes_of(warp, path);
        running |= lanes;
        spins |= lanes && warp->activity(warp->context, path).may_spin;
    }
    return spins && live & ~running;
}

static void describe_write(const isa_program *program, const isa_deadlock *found, const hd_text_sink *sink)
{
    char read[PLACE_BYTES], write[PLACE_BYTES];
    isa_program_place(program, found->read, read, sizeof read);
    isa_program_place(program, found->write, write, sizeof write);
    sink->line(sink->context, "  the loop ends when what pc %s reads has changed, as by pc %s", read, write);
}

/* Those of the code's possible deadlocks whose loop the pc is in: what would have to run. */
static void describe_writes(const isa_program *program, uint32_t pc, const hd_text_sink *sink)
{
    const isa_deadlock_options options = {.divergence = ISA_DIVERGENCE_STACK, .keep_accepted = 1};
    isa_deadlocks deadlocks;
    uint32_t told = UINT32_MAX;
    if (isa_deadlocks_find(program, &options, &deadlocks))
        return;
    for (uint32_t i = 0; i < deadlocks.count; i++) {
        const isa_deadlock *found = &deadlocks.found[i];
        if (pc < found->loop || pc > found->loop_end || found->write == told)
            continue;
        describe_write(program, found, sink);
        told = found->write;
    }
    isa_deadlocks_free(&deadlocks);
}

static void describe_spinning(const warp_description *warp, const hd_text_sink *sink)
{
    for (uint32_t path = warp->paths.first; path < warp->paths.end; path++)
        if (lanes_of(warp, path) && warp->activity(warp->context, path).may_spin)
            describe_writes(warp->place.program, warp->unit->paths(warp->reconvergence)[path].pc, sink);
}

void describe_warp(const warp_description *warp, const hd_text_sink *sink)
{
    const uint32_t *block = warp->place.launch->block_index;
    const uint32_t spins = spins_while_others_wait(warp);
    sink->line(sink->context, "block (%u,%u,%u), warp %u%s%s", block[0], block[1], block[2], warp->place.warp,
               !spins                              ? ""
               : warp->repeats && warp->for_ever ? ": SIMT deadlock, its running lanes spin and the others cannot go on"
                                                 : ": its running lanes spin, and others of it wait for them",
               !warp->repeats ? ""
               : spins        ? "; its state repeats"
                              : ": its state repeats");
    for (uint32_t path = warp->paths.first; path < warp->paths.end; path++)
        describe_path(warp, path, sink);
    warp->unit->describe(warp->reconvergence, warp->warp, warp->place.program, sink);
    if (spins && warp->place.program)
        describe_spinning(warp, sink);
}
