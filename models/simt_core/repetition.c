/* SPDX-License-Identifier: MIT */
#include "repetition.h"

#include <stdlib.h>
#include <string.h>

#include "core_lanes.h"

static uint32_t can_be_watched(const simt_core *core)
{
    return !core->path_homes && !core->switches.number && !core->tx.transactions;
}

void repetition_watch(simt_core *core)
{
    repetition_end(core);
    if (can_be_watched(core))
        core->repetition.warps = calloc(core->warp_count, sizeof *core->repetition.warps);
}

void repetition_forget(simt_core *core, uint32_t warp)
{
    if (!core->repetition.warps)
        return;
    free(core->repetition.warps[warp].state);
    core->repetition.warps[warp] = (warp_repetition){.state = NULL};
}

void repetition_end(simt_core *core)
{
    for (uint32_t warp = 0; core->repetition.warps && warp < core->warp_count; warp++)
        repetition_forget(core, warp);
    free(core->repetition.warps);
    core->repetition.warps = NULL;
}

static uint32_t goes_to(const memory_access *access, uint32_t window)
{
    uint32_t found = 0;
    for (uint64_t left = access->mask; left; left &= left - 1)
        found |= window_of(access->address[__builtin_ctzll(left)]) == window;
    return found;
}

/* A line of the L1 is not what memory holds, and may go. */
static uint32_t may_be_stale(const simt_core *core, const memory_access *access)
{
    return access->instruction->instruction_class == ISA_CLASS_LOAD &&
           !(access->instruction->flags & ISA_FLAG_LOAD_UNCACHED) &&
           core_parameter_of(core, PARAMETER_L1_GLOBAL) != L1_GLOBAL_BYPASS && goes_to(access, WINDOW_GLOBAL);
}

void repetition_note_access(simt_core *core, const memory_access *access)
{
    const isa_instruction *instruction = access->instruction;
    if (!core->repetition.warps)
        return;
    if (instruction->operation == ISA_OP_SC_W || may_be_stale(core, access) ||
        (instruction->instruction_class == ISA_CLASS_STORE && goes_to(access, WINDOW_PRIVATE)))
        repetition_forget(core, access->warp);
}

/* Is anything of the warp in flight, or does its unit act by itself? */
static uint32_t is_unsettled(const simt_core *core, uint32_t warp)
{
    const reconvergence_unit *unit = core->reconvergence.unit;
    const path_range paths = core_paths_of(core, warp);
    uint32_t in_flight = 0;
    for (uint32_t path = paths.first; path < paths.end; path++)
        in_flight |= core->path_states[path].in_flight;
    return in_flight || (unit->next && unit->next(core->reconvergence.state, core_cycle(core)) != UINT64_MAX);
}

static void stream_state(simt_core *core, uint32_t warp, byte_stream *stream)
{
    const path_range paths = core_paths_of(core, warp);
    for (uint32_t id = paths.first; id < paths.end; id++) {
        path p = core->paths[id];
        byte_stream_u32(stream, &p.pc);
        byte_stream_u32(stream, &p.depth);
        byte_stream_u64(stream, &p.mask);
    }
    core->reconvergence.unit->save(core->reconvergence.state, &(block_warps){&warp, 1}, stream);
    registers_stream(&core->registers, warp, UINT64_MAX, stream);
}

/* The warp's state as it is; its bytes, or 0: there is no memory. */
static uint64_t take_state(simt_core *core, uint32_t warp, uint8_t **state)
{
    byte_stream counter = byte_stream_counter();
    stream_state(core, warp, &counter);
    *state = malloc(counter.at);
    if (!*state)
        return 0;
    byte_stream writer = byte_stream_writer(*state, counter.at);
    stream_state(core, warp, &writer);
    return counter.at;
}

void repetition_look(simt_core *core, uint32_t path)
{
    const uint32_t warp = core->paths[path].warp;
    uint8_t *now;
    if (!core->repetition.warps || core->repetition.warps[warp].repeats || is_unsettled(core, warp))
        return;
    warp_repetition *w = &core->repetition.warps[warp];
    const uint64_t bytes = take_state(core, warp, &now);
    w->looked++;
    if (w->state && bytes == w->bytes && !memcmp(w->state, now, bytes)) {
        w->repeats = 1;
    } else if (bytes && w->looked >= w->until) {
        free(w->state);
        *w = (warp_repetition){.state = now, .bytes = bytes, .until = 2 * w->until + 1};
        return;
    }
    free(now);
}

uint32_t repetition_found(const simt_core *core, uint32_t warp)
{
    return core->repetition.warps && core->repetition.warps[warp].repeats;
}
