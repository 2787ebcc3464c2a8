/* SPDX-License-Identifier: MIT */
#include "regrouper.h"

#include "hd_unit.h"
#include "kit.h"
#include "reconvergence.h"

#include <stdlib.h>
#include <string.h>

#include "bits.h"

uint64_t regrouper_mixed, regrouper_merged;

enum { MIX_SWAP, MIX_SHUFFLE };
enum { PARAMETER_MIX, PARAMETER_SEED, PARAMETERS };

typedef struct regrouper {
    uint32_t warps, lanes,
        per_warp; /* paths per warp: enough for every lane to have one, and as many that have just ended */
    uint32_t mix;
    uint64_t seed, random;
    reconvergence_events events;
    path *paths;
    uint32_t *homes;          /* [path][lane] */
    uint64_t *live;           /* [warp] */
    uint32_t *block;          /* [warp][warps]: the slots of its block */
    uint32_t *block_warps;    /* [warp]: how many these are */
    uint8_t *existed, *taken; /* [path]: before this call; by it */
    uint64_t *threads;        /* [warp]: lanes that are being dealt out */
} regrouper;

static uint64_t bit(uint32_t lane)
{
    return UINT64_C(1) << lane;
}

static uint32_t pick(regrouper *r, uint32_t bound)
{
    return (uint32_t)(kit_random(&r->random) % bound);
}

/* ---- Life ----------------------------------------------------------------------------------------------------------- */

static void destroy(reconvergence *unit)
{
    regrouper *r = (regrouper *)unit;
    free(r->paths);
    free(r->homes);
    free(r->live);
    free(r->block);
    free(r->block_warps);
    free(r->existed);
    free(r->taken);
    free(r->threads);
    free(r);
}

static uint32_t path_count(const reconvergence *unit)
{
    return ((const regrouper *)unit)->warps * ((const regrouper *)unit)->per_warp;
}

static void reset(reconvergence *unit)
{
    regrouper *r = (regrouper *)unit;
    r->random = r->seed;
    memset(r->live, 0, r->warps * sizeof *r->live);
    for (uint32_t p = 0; p < path_count(unit); p++)
        r->paths[p] = (path){.stop_pc = NO_STOP, .warp = p / r->per_warp, .home = HOMES_DIFFER};
}

static reconvergence *create(const reconvergence_parameters *parameters, const reconvergence_events *events)
{
    regrouper *r = calloc(1, sizeof *r);
    *r = (regrouper){.warps = parameters->warps,
                     .lanes = parameters->lanes,
                     .per_warp = 2 * parameters->lanes,
                     .mix = (uint32_t)parameters->share.values[PARAMETER_MIX].u,
                     .seed = parameters->share.values[PARAMETER_SEED].u,
                     .events = *events};
    const size_t paths = (size_t)r->warps * r->per_warp;
    r->paths = calloc(paths, sizeof *r->paths);
    r->homes = calloc(paths * r->lanes, sizeof *r->homes);
    r->live = calloc(r->warps, sizeof *r->live);
    r->block = calloc((size_t)r->warps * r->warps, sizeof *r->block);
    r->block_warps = calloc(r->warps, sizeof *r->block_warps);
    r->existed = calloc(paths, 1);
    r->taken = calloc(paths, 1);
    r->threads = calloc(r->warps, sizeof *r->threads);
    reset((reconvergence *)r);
    return (reconvergence *)r;
}

static path *paths(reconvergence *unit)
{
    return ((regrouper *)unit)->paths;
}

static const uint32_t *homes(const reconvergence *unit)
{
    return ((const regrouper *)unit)->homes;
}

/* ---- Paths of a block ----------------------------------------------------------------------------------------------- */

static const uint32_t *slots_of(const regrouper *r, uint32_t warp)
{
    return r->block + (size_t)warp * r->warps;
}

/* Number `index` of the paths of the warp's block. */
static uint32_t path_of_block(const regrouper *r, uint32_t warp, uint32_t index)
{
    return slots_of(r, warp)[index / r->per_warp] * r->per_warp + index % r->per_warp;
}

static uint32_t paths_of_block(const regrouper *r, uint32_t warp)
{
    return r->block_warps[warp] * r->per_warp;
}

static void enter(regrouper *r, const block_warps *warps)
{
    for (uint32_t i = 0; i < warps->count; i++) {
        memcpy(r->block + (size_t)warps->slots[i] * r->warps, warps->slots, warps->count * sizeof *r->block);
        r->block_warps[warps->slots[i]] = warps->count;
    }
}

/* A call begins: what becomes of paths from here on is reported by report. */
static void begin(regrouper *r, uint32_t warp)
{
    for (uint32_t i = 0; i < paths_of_block(r, warp); i++) {
        const uint32_t p = path_of_block(r, warp, i);
        r->existed[p] = r->paths[p].mask != 0;
        r->taken[p] = 0;
    }
}

static uint32_t free_path(const regrouper *r, uint32_t warp)
{
    uint32_t i = 0, p;
    while (p = path_of_block(r, warp, i), r->existed[p] || r->taken[p])
        i++;
    return p;
}

/* Its lanes are as they will be. */
static void settle(regrouper *r, uint32_t p)
{
    const uint32_t *row = r->homes + (size_t)p * r->lanes;
    path *to = &r->paths[p];
    uint32_t same = 1;
    if (to->mask)
        to->home = row[__builtin_ctzll(to->mask)];
    for (uint64_t left = to->mask; left; left &= left - 1)
        same &= row[__builtin_ctzll(left)] == to->home;
    regrouper_mixed += !same;
    to->home = same ? to->home : HOMES_DIFFER;
}

static void report(regrouper *r, uint32_t warp, uint32_t called)
{
    for (uint32_t i = 0; i < paths_of_block(r, warp); i++) {
        const uint32_t p = path_of_block(r, warp, i);
        const uint32_t exists = r->paths[p].mask != 0;
        if (!r->taken[p])
            continue;
        settle(r, p);
        if (r->existed[p] && !exists)
            r->events.removed(r->events.context, p);
        else if (r->existed[p] && p == called)
            r->events.changed(r->events.context, p);
        else if (r->existed[p])
            r->events.regrouped(r->events.context, p);
        else if (exists)
            r->events.added(r->events.context, p);
    }
}

/* The path, taken, is empty and at pc. */
static void take(regrouper *r, uint32_t p, uint32_t pc, uint32_t depth)
{
    r->taken[p] = 1;
    r->paths[p].pc = pc;
    r->paths[p].depth = depth;
    r->paths[p].mask = 0;
}

static void put(regrouper *r, uint32_t p, uint32_t lane, uint32_t warp)
{
    r->paths[p].mask |= bit(lane);
    r->homes[(size_t)p * r->lanes + lane] = warp;
}

/* ---- Shuffle -------------------------------------------------------------------------------------------------------- */

/* The lanes go to those that are dealt out. */
static void gather(regrouper *r, uint32_t p, uint64_t lanes)
{
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        r->threads[r->homes[(size_t)p * r->lanes + lane]] |= bit(lane);
    }
}

/* Most threads of one lane. */
static uint32_t paths_needed(const regrouper *r, uint32_t warp)
{
    uint32_t most = 0;
    for (uint32_t lane = 0; lane < r->lanes; lane++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < r->block_warps[warp]; i++)
            count += (uint32_t)(r->threads[slots_of(r, warp)[i]] >> lane & 1);
        most = count > most ? count : most;
    }
    return most;
}

/* To so many of these paths, and perhaps one more, which are taken, the threads that have been gathered, at pc. */
static void deal(regrouper *r, uint32_t warp, uint32_t *ids, uint32_t count, uint32_t pc, uint32_t depth)
{
    const uint32_t needed = paths_needed(r, warp) + (pick(r, 3) == 0);
    for (; count < needed; count++)
        take(r, ids[count] = free_path(r, warp), pc, depth);
    for (uint32_t i = 0; i < r->block_warps[warp]; i++) {
        const uint32_t home = slots_of(r, warp)[i];
        for (; r->threads[home]; r->threads[home] &= r->threads[home] - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctzll(r->threads[home]);
            uint32_t to = pick(r, needed);
            while (r->paths[ids[to]].mask & bit(lane))
                to = (to + 1) % needed;
            put(r, ids[to], lane, home);
        }
    }
}

/* With the group go paths that stand where it goes. */
static void shuffle(regrouper *r, uint32_t warp, uint32_t called, const path_group *group, uint32_t is_first)
{
    uint32_t ids[2 * MAX_WARPS + MAX_LANES], count = 0;
    gather(r, called, group->mask);
    for (uint32_t i = 0; i < paths_of_block(r, warp) && count < MAX_WARPS; i++) {
        const uint32_t p = path_of_block(r, warp, i);
        const path *other = &r->paths[p];
        if (p == called || !r->existed[p] || r->taken[p] || other->pc != group->pc || other->depth != group->depth ||
            !r->events.is_between(r->events.context, p) || pick(r, 4) == 0)
            continue;
        gather(r, p, other->mask);
        take(r, ids[count++] = p, group->pc, group->depth);
        regrouper_merged++;
    }
    if (is_first)
        ids[count++] = called;
    deal(r, warp, ids, count, group->pc, group->depth);
}

/* ---- The unit ------------------------------------------------------------------------------------------------------- */

static void launch(reconvergence *unit, const block_warps *warps, uint32_t pc, const uint64_t *masks)
{
    regrouper *r = (regrouper *)unit;
    const uint32_t first = warps->slots[0];
    uint32_t ids[2 * MAX_WARPS];
    enter(r, warps);
    begin(r, first);
    for (uint32_t i = 0; i < warps->count; i++) {
        r->live[warps->slots[i]] = r->threads[warps->slots[i]] = masks[i];
        if (r->mix == MIX_SWAP)
            take(r, ids[i] = warps->slots[i] * r->per_warp, pc, 0);
    }
    for (uint32_t i = 0; r->mix == MIX_SWAP && i < warps->count; i++) {
        for (uint64_t *left = &r->threads[warps->slots[i]]; *left; *left &= *left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctzll(*left);
            const uint32_t to = lane % 2 && (i ^ 1) < warps->count ? i ^ 1 : i;
            put(r, ids[to], lane, warps->slots[i]);
        }
    }
    if (r->mix == MIX_SHUFFLE)
        deal(r, first, ids, 0, pc, 0);
    report(r, first, NO_PATH);
}

static void transfer(reconvergence *unit, const path_event *event)
{
    regrouper *r = (regrouper *)unit;
    const uint32_t called = event->path, warp = r->paths[called].warp;
    uint32_t before[MAX_LANES];
    memcpy(before, r->homes + (size_t)called * r->lanes, r->lanes * sizeof *before);
    begin(r, warp);
    for (uint32_t g = event->group_count; g-- > 0;) { /* the first one keeps the path */
        const path_group *group = &event->groups[g];
        uint32_t p = called;
        if (g == 0)
            take(r, called, group->pc, group->depth);
        if (r->mix == MIX_SHUFFLE) {
            shuffle(r, warp, called, group, g == 0);
            continue;
        }
        if (g != 0)
            take(r, p = free_path(r, warp), group->pc, group->depth);
        for (uint64_t left = group->mask; left; left &= left - 1)
            put(r, p, (uint32_t)__builtin_ctzll(left), before[__builtin_ctzll(left)]);
    }
    report(r, warp, called);
}

static void arrive(reconvergence *unit, const path_event *event)
{
    (void)unit, (void)event;
}

static void leave_kernel(reconvergence *unit, const path_event *event)
{
    regrouper *r = (regrouper *)unit;
    path *p = &r->paths[event->path];
    const uint32_t *row = r->homes + (size_t)event->path * r->lanes;
    for (uint64_t left = event->mask & p->mask; left; left &= left - 1)
        r->live[row[__builtin_ctzll(left)]] &= ~(left & -left);
    p->mask &= ~event->mask;
    if (!p->mask)
        r->events.removed(r->events.context, event->path);
}

/* ---- Moves ---------------------------------------------------------------------------------------------------------- */

static uint32_t index_of(const block_warps *warps, uint32_t slot)
{
    uint32_t i = 0;
    while (i < warps->count && warps->slots[i] != slot)
        i++;
    return i;
}

/* Written, or read: then homes that are none of the block's make no sense. */
static uint32_t stream_path(regrouper *r, const block_warps *warps, uint32_t id, byte_stream *stream)
{
    path *p = &r->paths[id];
    uint32_t *row = r->homes + (size_t)id * r->lanes;
    byte_stream_u32(stream, &p->pc);
    byte_stream_u32(stream, &p->depth);
    byte_stream_u64(stream, &p->mask);
    if (r->lanes < 64 && p->mask >> r->lanes)
        return 0;
    for (uint64_t left = p->mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        uint32_t index = stream->from ? 0 : index_of(warps, row[lane]);
        byte_stream_u32(stream, &index);
        if (index >= warps->count)
            return 0;
        row[lane] = warps->slots[index];
    }
    return !stream->too_short;
}

static void save(reconvergence *unit, const block_warps *warps, byte_stream *stream)
{
    regrouper *r = (regrouper *)unit;
    for (uint32_t i = 0; i < paths_of_block(r, warps->slots[0]); i++)
        stream_path(r, warps, path_of_block(r, warps->slots[0], i), stream);
}

static void drop(reconvergence *unit, const block_warps *warps)
{
    regrouper *r = (regrouper *)unit;
    for (uint32_t i = 0; i < warps->count; i++) {
        r->live[warps->slots[i]] = 0;
        for (uint32_t p = warps->slots[i] * r->per_warp; p < (warps->slots[i] + 1) * r->per_warp; p++) {
            if (r->paths[p].mask)
                r->events.removed(r->events.context, p);
            r->paths[p].mask = 0;
        }
    }
}

static uint32_t restore(reconvergence *unit, const block_warps *warps, byte_stream *stream)
{
    regrouper *r = (regrouper *)unit;
    const uint32_t first = warps->slots[0];
    uint32_t whole = 1;
    enter(r, warps);
    begin(r, first);
    for (uint32_t i = 0; whole && i < paths_of_block(r, first); i++) {
        const uint32_t p = path_of_block(r, first, i);
        const uint32_t *row = r->homes + (size_t)p * r->lanes;
        whole = stream_path(r, warps, p, stream);
        r->taken[p] = 1;
        for (uint64_t left = whole ? r->paths[p].mask : 0; left; left &= left - 1)
            r->live[row[__builtin_ctzll(left)]] |= left & -left;
    }
    for (uint32_t i = 0; !whole && i < paths_of_block(r, first); i++)
        r->paths[path_of_block(r, first, i)].mask = 0;
    for (uint32_t i = 0; !whole && i < warps->count; i++)
        r->live[warps->slots[i]] = 0;
    if (whole)
        report(r, first, NO_PATH);
    return !whole;
}

/* ---- Questions ------------------------------------------------------------------------------------------------------ */

static uint64_t live_lanes(const reconvergence *unit, uint32_t warp)
{
    return ((const regrouper *)unit)->live[warp];
}

static uint32_t may_wait(const reconvergence *unit, uint32_t path)
{
    (void)unit, (void)path;
    return 1;
}

static uint64_t maximum_depth(const reconvergence *unit)
{
    (void)unit;
    return 1;
}

static void describe(const reconvergence *unit, uint32_t warp, const isa_program *program, const hd_text_sink *sink)
{
    (void)unit, (void)warp, (void)program, (void)sink;
}

static const reconvergence_unit regrouper_functions = {.create = create,
                                                       .destroy = destroy,
                                                       .reset = reset,
                                                       .path_count = path_count,
                                                       .paths = paths,
                                                       .homes = homes,
                                                       .launch = launch,
                                                       .transfer = transfer,
                                                       .arrive = arrive,
                                                       .exit = leave_kernel,
                                                       .save = save,
                                                       .restore = restore,
                                                       .drop = drop,
                                                       .live_lanes = live_lanes,
                                                       .may_wait = may_wait,
                                                       .maximum_depth = maximum_depth,
                                                       .describe = describe};

static const hd_parameter parameters_of_regrouper[PARAMETERS] = {
    [PARAMETER_MIX] =
        {.name = "mix", .type = HD_TYPE_CHOICE, .standard = "swap", .choices = "swap|shuffle", .doc = "how"},
    [PARAMETER_SEED] =
        {.name = "seed", .type = HD_TYPE_UNSIGNED, .standard = "1", .maximum = UINT64_MAX, .doc = "of it"},
};

static const hd_unit regrouper_unit = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_unit),
    .kind = "reconvergence",
    .name = "regrouper",
    .doc = "paths of lanes of several warps",
    .source = "a test",
    .interface = RECONVERGENCE_INTERFACE,
    .functions = &regrouper_functions,
    .parameter_count = PARAMETERS,
    .parameters = parameters_of_regrouper,
};

/* All cores of the program that this is linked into have it. */
__attribute__((constructor)) static void fit(void)
{
    kit_fit_unit(&regrouper_unit);
}
