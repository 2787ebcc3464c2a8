/* SPDX-License-Identifier: MIT */
/*
 * A reconvergence unit with two paths per warp, in the place of the core's own: the lower and the upper half of the lanes have a
 * SIMT stack each. A warp is in one transaction at most, and of one of its paths.
 */
#include "kit.h"
#include "likely.h"
#include "reconvergence_units.h"
#include "stack.h"

#include <stdlib.h>

#define PATHS 2u

typedef struct split {
    reconvergence *stacks; /* number PATHS * warp + half: as the paths */
    uint32_t lanes, warps;
    uint32_t *half; /* [warp]: that is, or was last, in a transaction */
    reconvergence_events events;
} split;

static const reconvergence_unit *const inner = &reconvergence_stack;

static uint64_t lanes_of(const split *s, uint32_t half)
{
    const uint64_t lower = (UINT64_C(1) << s->lanes / 2) - 1;
    return half ? ~lower : lower;
}

/* The stacks know warps of their own. */
static void name_warp(const split *s, uint32_t path)
{
    struct path *p = &inner->paths(s->stacks)[path];
    p->warp = p->home = path / PATHS;
}

static void added(void *context, uint32_t path)
{
    const split *s = context;
    name_warp(s, path);
    s->events.added(s->events.context, path);
}

static void changed(void *context, uint32_t path)
{
    const split *s = context;
    name_warp(s, path);
    s->events.changed(s->events.context, path);
}

static void removed(void *context, uint32_t path)
{
    const split *s = context;
    name_warp(s, path);
    s->events.removed(s->events.context, path);
}

static void destroy(reconvergence *unit)
{
    split *s = (split *)unit;
    if (!s)
        return;
    inner->destroy(s->stacks);
    free(s->half);
    free(s);
}

static void reset(reconvergence *unit)
{
    const split *s = (const split *)unit;
    inner->reset(s->stacks);
    for (uint32_t path = 0; path < PATHS * s->warps; path++)
        name_warp(s, path);
}

static reconvergence *create(const reconvergence_parameters *parameters, const reconvergence_events *events)
{
    split *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    reconvergence_parameters more = *parameters;
    more.warps *= PATHS;
    s->lanes = parameters->lanes;
    s->warps = parameters->warps;
    s->events = *events;
    s->half = calloc(s->warps, sizeof *s->half);
    s->stacks = inner->create(
        &more, &(reconvergence_events){.context = s, .added = added, .changed = changed, .removed = removed});
    if (!s->half || !s->stacks) {
        destroy((reconvergence *)s);
        return NULL;
    }
    reset((reconvergence *)s);
    return (reconvergence *)s;
}

static uint32_t path_count(const reconvergence *unit)
{
    return PATHS * ((const split *)unit)->warps;
}

static path *paths(reconvergence *unit)
{
    return inner->paths(((split *)unit)->stacks);
}

static void launch(reconvergence *unit, const block_warps *warps, uint32_t pc, const uint64_t *masks)
{
    const split *s = (const split *)unit;
    for (uint32_t i = 0; i < PATHS * warps->count; i++) {
        const uint32_t stack = PATHS * warps->slots[i / PATHS] + i % PATHS;
        const uint64_t mask = masks[i / PATHS] & lanes_of(s, i % PATHS);
        inner->launch(s->stacks, &(block_warps){&stack, 1}, pc, &mask);
    }
}

static void transfer(reconvergence *unit, const path_event *event)
{
    inner->transfer(((split *)unit)->stacks, event);
}

static void arrive(reconvergence *unit, const path_event *event)
{
    inner->arrive(((split *)unit)->stacks, event);
}

static void leave_kernel(reconvergence *unit, const path_event *event)
{
    inner->exit(((split *)unit)->stacks, event);
}

/* ---- Transactions --------------------------------------------------------------------------------------------------- */

static uint32_t stack_in_transaction(const split *s, uint32_t warp)
{
    return PATHS * warp + s->half[warp];
}

static void tx_begin(reconvergence *unit, uint32_t path, uint64_t lanes, uint32_t restart_pc)
{
    const split *s = (const split *)unit;
    s->half[path / PATHS] = path % PATHS;
    inner->tx_begin(s->stacks, path, lanes, restart_pc);
}

static uint64_t tx_running(const reconvergence *unit, uint32_t warp)
{
    const split *s = (const split *)unit;
    return inner->tx_running(s->stacks, stack_in_transaction(s, warp));
}

static uint64_t tx_aborted(const reconvergence *unit, uint32_t warp)
{
    const split *s = (const split *)unit;
    return inner->tx_aborted(s->stacks, stack_in_transaction(s, warp));
}

static uint32_t tx_together(const reconvergence *unit, uint32_t warp)
{
    const split *s = (const split *)unit;
    return inner->tx_together(s->stacks, stack_in_transaction(s, warp));
}

static void tx_abort(reconvergence *unit, uint32_t warp, uint64_t lanes)
{
    const split *s = (const split *)unit;
    inner->tx_abort(s->stacks, stack_in_transaction(s, warp), lanes);
    name_warp(s, stack_in_transaction(s, warp)); /* not every change is told */
}

static void tx_done(reconvergence *unit, uint32_t warp, uint64_t committed, uint64_t failed)
{
    const split *s = (const split *)unit;
    inner->tx_done(s->stacks, stack_in_transaction(s, warp), committed, failed);
}

static void tx_restart(reconvergence *unit, uint32_t warp, uint64_t lanes)
{
    const split *s = (const split *)unit;
    inner->tx_restart(s->stacks, stack_in_transaction(s, warp), lanes);
}

static void tx_leave(reconvergence *unit, uint32_t warp, uint32_t pc)
{
    const split *s = (const split *)unit;
    inner->tx_leave(s->stacks, stack_in_transaction(s, warp), pc);
}

/* ---- Questions ------------------------------------------------------------------------------------------------------ */

static void drop(reconvergence *unit, const block_warps *warps)
{
    for (uint32_t i = 0; i < PATHS * warps->count; i++) {
        const uint32_t stack = PATHS * warps->slots[i / PATHS] + i % PATHS;
        inner->drop(((split *)unit)->stacks, &(block_warps){&stack, 1});
    }
}

static uint64_t live_lanes(const reconvergence *unit, uint32_t warp)
{
    const split *s = (const split *)unit;
    return inner->live_lanes(s->stacks, PATHS * warp) | inner->live_lanes(s->stacks, PATHS * warp + 1);
}

static uint32_t may_wait(const reconvergence *unit, uint32_t path)
{
    return inner->may_wait(((const split *)unit)->stacks, path);
}

static uint64_t maximum_depth(const reconvergence *unit)
{
    return inner->maximum_depth(((const split *)unit)->stacks);
}

static void describe(const reconvergence *unit, uint32_t warp, const isa_program *program, const hd_text_sink *sink)
{
    for (uint32_t half = 0; half < PATHS; half++)
        inner->describe(((const split *)unit)->stacks, PATHS * warp + half, program, sink);
}

static void transfer_state(reconvergence *unit, const hd_state_stream *stream)
{
    split *s = (split *)unit;
    inner->transfer_state(s->stacks, stream);
    HD_STATE_ARRAY(stream, s->half, s->warps);
}

static const reconvergence_unit split_stack = {.table = "reconvergence",
                                               .create = create,
                                               .destroy = destroy,
                                               .reset = reset,
                                               .path_count = path_count,
                                               .paths = paths,
                                               .launch = launch,
                                               .transfer = transfer,
                                               .arrive = arrive,
                                               .exit = leave_kernel,
                                               .tx_begin = tx_begin,
                                               .tx_running = tx_running,
                                               .tx_aborted = tx_aborted,
                                               .tx_together = tx_together,
                                               .tx_abort = tx_abort,
                                               .tx_done = tx_done,
                                               .tx_restart = tx_restart,
                                               .tx_leave = tx_leave,
                                               .drop = drop,
                                               .live_lanes = live_lanes,
                                               .may_wait = may_wait,
                                               .maximum_depth = maximum_depth,
                                               .describe = describe,
                                               .transfer_state = transfer_state};

static const hd_parameter parameters_of_stack[STACK_PARAMETERS] = {
    [STACK_FIRST] = {.name = "first",
                     .type = HD_TYPE_CHOICE,
                     .standard = "taken",
                     .choices = "taken|not_taken|fewer",
                     .doc = "as of the stacks that it consists of"},
    LIKELY_PARAMETERS(STACK_LIKELY_POINTS, STACK_BRANCH_PROFILE),
};

static const hd_unit split_stack_unit = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_unit),
    .kind = "reconvergence",
    .name = "split_stack",
    .doc = "two stacks per warp",
    .source = "a test",
    .interface = RECONVERGENCE_INTERFACE,
    .functions = &split_stack,
    .parameter_count = STACK_PARAMETERS,
    .parameters = parameters_of_stack,
    .abilities = "transactions",
};

/* All cores of the program that this is linked into have it. */
__attribute__((constructor)) static void fit(void)
{
    kit_fit_unit(&split_stack_unit);
}
