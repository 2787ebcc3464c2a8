/* SPDX-License-Identifier: MIT */
/* Turns without timing: every FAST_TURN cycles each core executes up to as many instructions, warp after warp, a few of each. */
#include "core_lanes.h"

#define FAST_TURN HD_FAST_RATE /* cycles: the fastest core executes an instruction in each */
#define FAST_QUANTUM 64u /* instructions of a path before the next path has its turn: caches see warps side by side */

/* ---- How blocks advance beside each other ----------------------------------------------------------------------------- */

/* Threads' instructions of the block so far. */
static uint64_t retired_by(const simt_core *core, uint32_t slot)
{
    uint64_t sum = 0;
    for (uint32_t path = core_next_path(core, slot, 0); path < core->path_count;
         path = core_next_path(core, slot, path + 1))
        sum += account_retired_by_path(core, path);
    return sum;
}

/* Blocks of the core that are older. */
static uint32_t rank_of(const simt_core *core, uint32_t slot)
{
    uint32_t rank = 0;
    for (uint32_t other = 0; other < core->block_count; other++)
        rank += core->blocks[other].resident && core->blocks[other].number < core->blocks[slot].number;
    return rank;
}

static void note_blocks(simt_core *core)
{
    for (uint32_t slot = 0; slot < core->block_count; slot++)
        core->fast.before[slot] = (fast_block){.number = core->blocks[slot].resident ? core->blocks[slot].number : UINT64_MAX,
                                               .retired = core->blocks[slot].resident ? retired_by(core, slot) : 0};
}

/* A scheduler may prefer older warps, so that blocks end one after the other. Ranks of which nothing is known go on as before. */
static void find_progress(simt_core *core)
{
    for (uint32_t slot = 0; slot < core->block_count; slot++) {
        const block_state *b = &core->blocks[slot];
        if (!b->resident || b->number != core->fast.before[slot].number)
            continue;
        uint64_t *progress = &core->fast.progress[rank_of(core, slot)];
        const uint64_t now = retired_by(core, slot) - core->fast.before[slot].retired + 1;
        *progress = *progress ? (*progress + now + 1) / 2 : now; /* windows are short: one by itself is much chance */
    }
}

/* Beyond what is known, as the youngest that is. */
static uint64_t progress_of(const simt_core *core, uint32_t rank)
{
    while (rank && !core->fast.progress[rank])
        rank--;
    return core->fast.progress[rank] ? core->fast.progress[rank] : 1;
}

/* ---- Between timed and fast ---------------------------------------------------------------------------------------- */

static void stop(hd_block *block, hd_time t)
{
    simt_core *core = (simt_core *)block;
    core->fast.stopping = 1;
    for (uint32_t slot = 0; slot < core->block_count; slot++)
        if (core->blocks[slot].resident)
            core_context.stop(block, core->blocks[slot].tag, t);
}

void fast_enter(simt_core *core, uint32_t slot)
{
    if (!core->fast.is_on)
        context_begin_stop(core, slot);
    else if (core->fast.turn == UINT64_MAX)
        core->fast.turn = core->now.n + 1;
}

static uint32_t is_at_rest(hd_block *block)
{
    const simt_core *core = (const simt_core *)block;
    for (uint32_t slot = 0; slot < core->block_count; slot++)
        if (core->blocks[slot].resident && core->blocks[slot].stage != STAGE_STOPPED)
            return 0;
    return core->memory_status->next_edge == MEMORY_NO_EDGE;
}

/* Blocks run again, but their warps stay stopped: none is fetched for. */
static void begin(hd_block *block, hd_time t)
{
    simt_core *core = (simt_core *)block;
    context_stand_at(core, t);
    find_progress(core);
    core->fast.is_on = 1;
    core->fast.turn = core->residency.in.blocks ? core->now.n + FAST_TURN : UINT64_MAX;
    for (uint32_t slot = 0; slot < core->block_count; slot++)
        core->blocks[slot].stage = STAGE_RUNNING;
}

static void end(hd_block *block, hd_time t)
{
    simt_core *core = (simt_core *)block;
    context_stand_at(core, t);
    core->fast.is_on = core->fast.stopping = 0;
    note_blocks(core);
    memory_drop_shared(core->memory);
    for (uint32_t slot = 0; slot < core->block_count; slot++)
        if (core->blocks[slot].resident)
            context_go_on(core, slot);
}

static void pace(hd_block *block, uint32_t rate)
{
    ((simt_core *)block)->fast.rate = rate;
}

static uint32_t warps(hd_block *block)
{
    return ((const simt_core *)block)->residency.in.warps;
}

static const char *refusal(hd_block *block)
{
    const simt_core *core = (const simt_core *)block;
    if (core->tx.transactions)
        return "has transactions (tx.type)";
    if (core->path_homes)
        return "regroups the lanes of warps (reconvergence)";
    if (core->reconvergence.acts)
        return "has a reconvergence unit that acts by itself";
    if (core->switches.number)
        return "switches paths virtually (ssde)";
    if (core->registers.listener.written)
        return "compresses registers (context.compress)";
    if (core->spinning.unit)
        return "looks for spinning (spin.type)";
    return NULL;
}

const hd_fast_forward core_fast_forward = {
    .stop = stop, .is_at_rest = is_at_rest, .begin = begin, .end = end, .warps = warps, .pace = pace, .refusal = refusal};

/* ---- Turns --------------------------------------------------------------------------------------------------------- */

/* At most so many instructions of the block's paths, a few of each in turn; how many. */
static uint32_t execute_block(simt_core *core, uint32_t slot, uint32_t limit)
{
    uint32_t done = 0, idle = 0, path = core->fast.paths[slot];
    while (done < limit && idle <= core->path_count && !core->fault.halted) {
        const uint32_t left = limit - done;
        path = core_next_path(core, slot, path + 1);
        if (path >= core->path_count && (path = core_next_path(core, slot, 0)) >= core->path_count)
            break;
        const uint32_t did = core->path_states[path].status == PATH_STOPPED
                                 ? fast_execute(core, path, left < FAST_QUANTUM ? left : FAST_QUANTUM)
                                 : 0;
        idle = did ? 0 : idle + 1;
        done += did;
    }
    core->fast.paths[slot] = path;
    return done;
}

/* Shares by age; what a block cannot use, the oldest that can. */
static void take_turn(simt_core *core)
{
    uint32_t slots[FAST_BLOCKS], count = 0, left = core->fast.rate;
    uint64_t whole = 0;
    for (uint32_t slot = 0; slot < core->block_count; slot++) {
        if (!core->blocks[slot].resident)
            continue;
        slots[rank_of(core, slot)] = slot;
        whole += progress_of(core, count++);
    }
    for (uint32_t rank = 0; rank < count; rank++) {
        const uint32_t share = (uint32_t)((core->fast.rate * progress_of(core, rank) + whole - 1) / whole);
        left -= execute_block(core, slots[rank], share < left ? share : left);
    }
    for (uint32_t rank = 0; rank < count && left; rank++)
        left -= execute_block(core, slots[rank], left);
    /* Where nobody can do anything nothing moves any more, and the run ends as a deadlock. */
    const uint32_t goes_on = core->residency.in.blocks && left < core->fast.rate;
    core->fast.turn = goes_on ? core->now.n + FAST_TURN : UINT64_MAX;
    if (goes_on)
        core->services->progress(core->services->context, core->now.t);
}

static void work_edge(simt_core *core)
{
    account_until(core, core->now.n);
    core->account.settled = core->now.n;
    if (core->edges.launch_arrival <= core->now.t)
        residency_accept(core);
    if (core->fast.turn <= core->now.n && !core->fault.halted)
        take_turn(core);
    if (core->residency.ending && !core->fault.halted)
        residency_end_blocks(core);
}

static hd_time next_input(const simt_core *core)
{
    const hd_services *services = core->services;
    hd_time next = core->residency.held && !core->residency.freed ? HD_NEVER : core->edges.launch_arrival;
    if (core->residency.end_awaits_credit)
        next = hd_earlier(next, services->credit_arrival(services->context, core->links.event));
    return next;
}

/* First edge, from the one to work on next, with a turn, blocks that end, or input. */
static uint64_t next_edge(const simt_core *core)
{
    const hd_time input = next_input(core);
    uint64_t next = core->fast.turn;
    if (core->residency.ending && !core->residency.end_awaits_credit)
        next = core->now.n;
    if (input != HD_NEVER && hd_cursor_index_of(&core->now, input) < next)
        next = hd_cursor_index_of(&core->now, input);
    return next > core->now.n ? next : core->now.n;
}

hd_time fast_advance(simt_core *core, hd_time horizon)
{
    const hd_services *services = core->services;
    const uint64_t end = hd_cursor_index_of(&core->now, horizon);
    uint64_t next;
    core->edges.launch_arrival = services->arrival(services->context, core->links.dispatch);
    while ((next = core->fault.halted ? UINT64_MAX : next_edge(core)) < end) {
        hd_cursor_move(&core->now, next);
        work_edge(core);
        hd_cursor_next(&core->now);
    }
    core->edges.horizon = horizon;
    return next == UINT64_MAX ? HD_NEVER : hd_cursor_time_of(&core->now, next);
}

hd_time fast_promise(simt_core *core, hd_time now)
{
    const hd_services *services = core->services;
    if (core->fault.halted)
        return HD_NEVER;
    core->edges.launch_arrival = services->arrival(services->context, core->links.dispatch);
    const uint64_t next = next_edge(core);
    const hd_time first = next == UINT64_MAX ? HD_NEVER : hd_cursor_time_of(&core->now, next);
    return first < now ? now : first;
}
