/* SPDX-License-Identifier: MIT */
/* Abilities of the core: turns, saying what it waits for, alignment before a launch, marks between results. */
#include "describe.h"
#include "state.h"

static uint32_t has_work(hd_block *block)
{
    return ((const functional_core *)block)->residents.blocks != 0;
}

static const path_activity activities[PATH_STATUS_COUNT] = {
    [PATH_NONE] = {.text = "has ended"},
    [PATH_READY] = {.text = "runs", .may_spin = 1},
    [PATH_BARRIER] = {.text = "waits at a barrier"},
    [PATH_WARP_SYNC] = {.text = "waits at warp.sync"},
};

static path_activity activity(void *context, uint32_t path)
{
    return activities[((const functional_core *)context)->path_states[path].status];
}

const char *functional_path_activity(const functional_core *core, uint32_t path)
{
    return activities[core->path_states[path].status].text;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    functional_core *core = (functional_core *)block;
    uint32_t described = 0, left = 0;
    for (uint32_t warp = 0; warp < core->warp_count; warp++) {
        if (core->warps[warp].block == NO_SLOT || !core->reconvergence_unit->live_lanes(core->reconvergence, warp))
            continue;
        if (described++ == DESCRIBED_WARPS)
            left++, described--;
        else
            describe_warp(&(warp_description){.place = functional_warp_place(core, warp),
                                              .unit = core->reconvergence_unit,
                                              .reconvergence = core->reconvergence,
                                              .warp = warp,
                                              .lanes = core->lane_count,
                                              .paths = paths_of(warp, core->paths_per_warp),
                                              .context = core,
                                              .activity = activity},
                          sink);
    }
    if (left)
        sink->line(sink->context, "and %u more warps", left);
}

static hd_time computes_since(hd_block *block, hd_time t, uint32_t anew)
{
    functional_core *core = (functional_core *)block;
    hd_time earliest = seen_words_check(&core->seen, t, anew);
    for (uint32_t path = 0; path < core->path_count; path++) {
        path_state *state = &core->path_states[path];
        const computing_path now = {.retired = path_retired(&state->count, core->warps[core->paths[path].warp].retired),
                                    .read = state->read,
                                    .waits = state->status == PATH_BARRIER || state->status == PATH_WARP_SYNC,
                                    .exists = state->status != PATH_NONE};
        earliest = hd_earlier(earliest, computing_check(&state->computing, &now, t, anew));
    }
    return earliest;
}

static void align(hd_block *block, hd_time t, const hd_write_back_sink *sink)
{
    functional_core *core = (functional_core *)block;
    (void)sink;
    core->cycle_base = hd_clock_index_at_or_after(core->now.clock, t);
    core->busy_until = 0;
    core->current = core->path_count - 1;
    core->left = 0;
    core->scratchpad_watched = 0;
}

static void mark(hd_block *block)
{
    functional_core *core = (functional_core *)block;
    hd_unit_counters_mark(core->block_class, core->unit_counters);
    core->counters.maximum_blocks = core->residents.blocks;
    core->counters.maximum_warps = core->residents.warps;
    if (core->residents.blocks)
        return;
    core->reconvergence_unit->reset(core->reconvergence);
    core->reconvergence_next = UINT64_MAX;
    core->counters.maximum_stack_depth = 0;
}

const void *functional_extension(hd_block *block, const char *id)
{
    static const hd_turn turn = {.turn = functional_turn};
    static const hd_pending pending = {.has_work = has_work, .describe = describe};
    static const hd_align alignment = {.align = align};
    static const hd_mark marks = {.mark = mark};
    static const hd_computes computes = {.since = computes_since};
    (void)block;
    if (strcmp(id, HD_EXTENSION_COMPUTES) == 0)
        return &computes;
    if (strcmp(id, HD_EXTENSION_DEBUG) == 0)
        return &functional_debug;
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &functional_state;
    if (strcmp(id, HD_EXTENSION_TURN) == 0)
        return &turn;
    if (strcmp(id, HD_EXTENSION_PROFILE) == 0)
        return &functional_profile;
    return hd_ability(id, &pending, &alignment, &marks);
}
