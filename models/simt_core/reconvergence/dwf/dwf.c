/* SPDX-License-Identifier: MIT */
#include "dwf.h"

#include <stdlib.h>
#include <string.h>

static void destroy(reconvergence *unit)
{
    dwf *u = (dwf *)unit;
    free(u->paths);
    free(u->homes);
    free(u->live);
    free(u->used);
    free(u->block);
    free(u->block_warps);
    free(u->barriers);
    free(u->entered_pc);
    free(u->entered);
    free(u->table);
    free(u);
}

static uint32_t path_count(const reconvergence *unit)
{
    return ((const dwf *)unit)->warps * ((const dwf *)unit)->lanes;
}

static void reset(reconvergence *unit)
{
    dwf *u = (dwf *)unit;
    for (uint32_t p = 0; p < path_count(unit); p++) {
        u->paths[p] = (path){.stop_pc = NO_STOP, .warp = p / u->lanes, .home = p / u->lanes};
        u->entered[p] = 0;
    }
    for (uint32_t warp = 0; warp < u->warps; warp++) {
        u->live[warp] = u->used[warp] = 0;
        u->barriers[warp] = (dwf_barrier){.active = 0};
    }
    for (uint32_t i = 0; i < u->entries; i++)
        u->table[i] = (dwf_entry){.path = NO_PATH};
    u->number = u->uses = u->maximum_depth = 0;
    u->pool = 0;
    u->points.count = 0;
}

static reconvergence *create_with(const reconvergence_parameters *parameters, const reconvergence_events *events,
                                  uint32_t has_barriers)
{
    const size_t warps = parameters->warps, paths = warps * parameters->lanes;
    dwf *u = calloc(1, sizeof *u);
    if (!u)
        return NULL;
    u->parameters = *parameters;
    u->events = *events;
    u->warps = parameters->warps;
    u->lanes = parameters->lanes;
    u->has_barriers = has_barriers;
    u->entries = (uint32_t)parameters->share.values[DWF_ENTRIES].u;
    u->ways = (uint32_t)parameters->share.values[DWF_WAYS].u;
    u->ways = u->ways > u->entries ? u->entries : u->ways;
    u->paths = calloc(paths, sizeof *u->paths);
    u->homes = calloc(paths * u->lanes, sizeof *u->homes);
    u->live = calloc(warps, sizeof *u->live);
    u->used = calloc(warps, sizeof *u->used);
    u->block = calloc(warps * warps, sizeof *u->block);
    u->block_warps = calloc(warps, sizeof *u->block_warps);
    u->barriers = calloc(warps, sizeof *u->barriers);
    u->entered_pc = calloc(paths, sizeof *u->entered_pc);
    u->entered = calloc(paths, sizeof *u->entered);
    u->table = calloc(u->entries + 1, sizeof *u->table);
    if (!u->paths || !u->homes || !u->live || !u->used || !u->block || !u->block_warps || !u->barriers ||
        !u->entered_pc || !u->entered || !u->table) {
        destroy((reconvergence *)u);
        return NULL;
    }
    reset((reconvergence *)u);
    return (reconvergence *)u;
}

static reconvergence *create(const reconvergence_parameters *parameters, const reconvergence_events *events)
{
    return create_with(parameters, events, 0);
}

static reconvergence *create_wb(const reconvergence_parameters *parameters, const reconvergence_events *events)
{
    return create_with(parameters, events, 1);
}

static path *paths(reconvergence *unit)
{
    return ((dwf *)unit)->paths;
}

static const uint32_t *homes(const reconvergence *unit)
{
    return ((const dwf *)unit)->homes;
}

/* As static warps, each in its slot. */
static void launch(reconvergence *unit, const block_warps *warps, uint32_t pc, const uint64_t *masks)
{
    dwf *u = (dwf *)unit;
    dwf_enter_block(u, warps);
    for (uint32_t i = 0; i < warps->count; i++) {
        const uint32_t warp = warps->slots[i], path = warp * u->lanes;
        u->live[warp] = masks[i];
        u->barriers[warp] = (dwf_barrier){.active = 0};
        if (!masks[i])
            continue;
        for (uint32_t lane = 0; lane < u->lanes; lane++)
            dwf_row(u, path)[lane] = warp;
        u->paths[path].pc = pc;
        u->paths[path].depth = 0;
        u->paths[path].mask = masks[i];
        u->entered[path] = 0;
        dwf_exist(u, path);
        dwf_settle(u, path);
        u->events.added(u->events.context, path);
    }
}

static void enter(dwf *u, dwf_call *call, const path_group *group, const uint32_t *rows)
{
    path_group rest = *group;
    if (u->has_barriers) {
        if (dwf_is_static(u, group, rows)) {
            dwf_form(u, call, group, rows);
            return;
        }
        rest.mask = dwf_barrier_hold(u, call, group, rows);
    }
    if (rest.mask)
        dwf_insert(u, call, &rest, rows);
}

static void move(dwf *u, uint32_t called, const path_group *groups, uint32_t count)
{
    dwf_call call = {.called = called, .slot = u->paths[called].warp};
    uint32_t rows[MAX_LANES];
    memcpy(rows, dwf_row(u, called), u->lanes * sizeof *rows);
    for (uint32_t g = 0; g < count; g++)
        enter(u, &call, &groups[g], rows);
    dwf_report(u, &call);
}

static void transfer(reconvergence *unit, const path_event *event)
{
    dwf *u = (dwf *)unit;
    if (path_event_is_divergent(event)) {
        if (event->reconvergence_pc != ISA_RECONVERGE_AT_RETURN)
            point_set_add(&u->points, event->reconvergence_pc);
        if (u->has_barriers)
            dwf_barrier_begin(u, event);
    }
    move(u, event->path, event->groups, event->group_count);
}

static void arrive(reconvergence *unit, const path_event *event)
{
    dwf *u = (dwf *)unit;
    const path *p = &u->paths[event->path];
    const path_group group = {.mask = p->mask, .pc = p->pc, .depth = p->depth};
    move(u, event->path, &group, 1);
}

static void leave_kernel(reconvergence *unit, const path_event *event)
{
    dwf *u = (dwf *)unit;
    path *p = &u->paths[event->path];
    const uint32_t *row = dwf_row(u, event->path);
    dwf_call call = {.called = NO_PATH, .slot = p->warp};
    const uint64_t leaving = event->mask & p->mask;
    p->mask &= ~leaving;
    for (uint64_t left = leaving; left; left &= left - 1) {
        const uint32_t warp = row[__builtin_ctzll(left)];
        u->live[warp] &= ~(left & -left);
        dwf_barrier_exit(u, &call, warp, left & -left);
    }
    if (p->mask) {
        dwf_settle(u, event->path);
        u->events.changed(u->events.context, event->path);
    } else {
        dwf_leave(u, event->path);
        u->events.removed(u->events.context, event->path);
    }
    dwf_report(u, &call);
}

static uint64_t live_lanes(const reconvergence *unit, uint32_t warp)
{
    return ((const dwf *)unit)->live[warp];
}

/* Those that its warp's barrier holds wait for it. */
static uint32_t may_wait(const reconvergence *unit, uint32_t path)
{
    const dwf *u = (const dwf *)unit;
    uint32_t awaited = 0;
    for (uint64_t left = u->paths[path].mask; left; left &= left - 1)
        awaited |= u->barriers[dwf_row(u, path)[__builtin_ctzll(left)]].active;
    return !awaited;
}

static uint64_t maximum_depth(const reconvergence *unit)
{
    return ((const dwf *)unit)->maximum_depth;
}

static void describe(const reconvergence *unit, uint32_t warp, const isa_program *program, const hd_text_sink *sink)
{
    const dwf_barrier *b = &((const dwf *)unit)->barriers[warp];
    (void)program;
    if (b->active && b->arrived)
        sink->line(sink->context, "  lanes 0x%llx: wait at the warp barrier 0x%x, call depth %u, for lanes 0x%llx",
                   (unsigned long long)b->arrived, b->pc, b->depth, (unsigned long long)(b->expected & ~b->arrived));
}

/* At the barrier of its warp; without barriers nobody waits. */
static uint32_t waiting_pc(const reconvergence *unit, uint32_t warp, uint32_t lane, uint32_t *pc)
{
    const dwf_barrier *b = &((const dwf *)unit)->barriers[warp];
    *pc = b->pc;
    return b->active && b->arrived >> lane & 1;
}

#define DWF_FUNCTIONS                                                                                                  \
    .table = "reconvergence", .destroy = destroy, .reset = reset, .path_count = path_count, .paths = paths,            \
    .homes = homes, .launch = launch, .transfer = transfer, .arrive = arrive, .exit = leave_kernel, .save = dwf_save,  \
    .restore = dwf_restore, .drop = dwf_drop, .live_lanes = live_lanes, .may_wait = may_wait,                          \
    .maximum_depth = maximum_depth, .describe = describe, .waiting_pc = waiting_pc,                                    \
    .transfer_state = dwf_transfer_state

const reconvergence_unit reconvergence_dwf = {.create = create, DWF_FUNCTIONS};
const reconvergence_unit reconvergence_dwf_wb = {.create = create_wb, DWF_FUNCTIONS};

static const hd_parameter parameters_of_dwf[DWF_PARAMETERS] = {
    [DWF_ENTRIES] = {.name = "entries",
                     .type = HD_TYPE_UNSIGNED,
                     .standard = "32",
                     .maximum = 4096,
                     .doc = "of the table that knows for a pc which warp threads may join; 0: it knows every pc"},
    [DWF_WAYS] = {.name = "ways",
                  .type = HD_TYPE_UNSIGNED,
                  .standard = "2",
                  .minimum = 1,
                  .maximum = 4096,
                  .doc = "of that table"},
};

#define COUNT(statistic, called, counted, text)                                                                        \
    [statistic] = {.name = called, .unit = counted, .kind = HD_STATISTIC_COUNT, .doc = text}
#define DWF_COUNTS(prefix)                                                                                             \
    COUNT(DWF_MERGES, prefix "_merges", "merges", "times that threads joined a warp in the pool"),                     \
        COUNT(DWF_MERGE_CONFLICTS, prefix "_merge_conflicts", "conflicts",                                             \
              "times that a warp in the pool had lanes taken that threads needed to join it"),                         \
        COUNT(DWF_FRAGMENTATIONS, prefix "_fragmentations", "conflicts",                                               \
              "those of them in which one warp had room for both, but not in these lanes"),                            \
        COUNT(DWF_LOOKUP_EVICTIONS, prefix "_lookup_evictions", "entries", "of the table that made room for others"),  \
        [DWF_MAXIMUM_POOL] = {.name = prefix "_maximum_pool",                                                          \
                              .unit = "warps",                                                                         \
                              .kind = HD_STATISTIC_MAXIMUM,                                                            \
                              .doc = "most warps in the core, dynamic ones and others"}

static const hd_statistic statistics_of_dwf[DWF_STATISTICS] = {DWF_COUNTS("dwf")};
static const hd_statistic statistics_of_dwf_wb[DWF_WB_STATISTICS] = {
    DWF_COUNTS("dwf_wb"),
    COUNT(DWF_WARP_BARRIERS, "dwf_wb_warp_barriers", "barriers", "branches at which a static warp parted"),
};

static const hd_requirement requirements[] = {
    {.what = HD_REQUIRES_POWER_OF_TWO,
     .sentence = "needs entries that are a power of two, or 0",
     .parameter = ".entries"},
    {.what = HD_REQUIRES_POWER_OF_TWO, .sentence = "needs ways that are a power of two", .parameter = ".ways"},
};

#define DWF_TABLES                                                                                                     \
    .parameter_count = DWF_PARAMETERS, .parameters = parameters_of_dwf,                                                \
    .requirement_count = sizeof requirements / sizeof *requirements, .requirements = requirements

const hd_unit hd_reconvergence_dwf = {
    HD_UNIT_HEAD(reconvergence, RECONVERGENCE, dwf),
    .doc = "dynamic warp formation: threads of a block that are at one pc form warps, each in its own lane",
    .source = "Fung 2015 §2.4",
    .statistic_count = DWF_STATISTICS,
    .statistics = statistics_of_dwf,
    DWF_TABLES,
};

const hd_unit hd_reconvergence_dwf_wb = {
    HD_UNIT_HEAD(reconvergence, RECONVERGENCE, dwf_wb),
    .doc =
        "dynamic warp formation with warp barriers: where a warp parted first, and met again, it is as it was launched",
    .source = "Fung 2015 §3.2.1",
    .statistic_count = DWF_WB_STATISTICS,
    .statistics = statistics_of_dwf_wb,
    DWF_TABLES,
};
