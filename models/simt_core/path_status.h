/* SPDX-License-Identifier: MIT */
/*
 * What a path is doing, as it changes: which of them are ready, how many are in each status, which warps wait. Most files call
 * path_set_status (front_end.h); this is for the one that does so for every instruction.
 */
#ifndef SIMT_CORE_PATH_STATUS_H
#define SIMT_CORE_PATH_STATUS_H

#include "core.h"

#include <assert.h>

/* As path_set_status, where somebody is told. */
void path_change_told_status(simt_core *core, uint32_t path, enum path_status status);

static inline uint32_t waits_for_scoreboard(uint32_t status)
{
    return status - PATH_WAIT_RESULT <= PATH_HELD - PATH_WAIT_RESULT;
}

/* The path's scheduler and unit are handed on by those who have read them: stores of bytes may change anything, for a compiler. */
static inline void leave_ready(simt_core *core, uint32_t path, uint32_t scheduler, uint32_t unit)
{
    core->issue.ready[unit][path / 64] &= ~(UINT64_C(1) << path % 64);
    if (--core->issue.ready_count[scheduler][unit])
        return;
    core->issue.ready_units[scheduler] &= ~(1u << unit);
    if (!core->issue.ready_units[scheduler])
        core->issue.ready_ports &= ~(1u << scheduler);
    assert(!core->issue.ready_units[scheduler] == !(core->issue.ready_ports >> scheduler & 1));
}

static inline void enter_ready(simt_core *core, uint32_t path, uint32_t scheduler, uint32_t unit)
{
    core->issue.ready[unit][path / 64] |= UINT64_C(1) << path % 64;
    core->issue.ready_count[scheduler][unit]++;
    core->issue.ready_units[scheduler] |= 1u << unit;
    core->issue.ready_ports |= 1u << scheduler;
}

/* But for those who are told. */
static inline __attribute__((always_inline)) void change_status(simt_core *core, uint32_t path, uint32_t status)
{
    path_state *state = &core->path_states[path];
    const uint32_t before = state->status, scheduler = state->scheduler, unit = state->unit;
    core->edges.changed = 1;
    if (before == PATH_READY)
        leave_ready(core, path, scheduler, unit);
    if (waits_for_scoreboard(before) != waits_for_scoreboard(status))
        core->warps[core->paths[path].warp].waiting += waits_for_scoreboard(status) ? 1 : UINT32_MAX;
    core->issue.status_count[scheduler][before]--;
    core->issue.status_count[scheduler][status]++;
    state->status = (uint8_t)status;
    if (status == PATH_READY)
        enter_ready(core, path, scheduler, unit);
}

/* Whoever inlines this calls nobody on the way that is usual, and saves no registers for it. */
static inline __attribute__((always_inline)) void set_status(simt_core *core, uint32_t path, enum path_status status)
{
    if (__builtin_expect(core->issue.tells, 0)) {
        path_change_told_status(core, path, status);
        return;
    }
    account_port_until(core, core->path_states[path].scheduler, core->account.settled);
    change_status(core, path, status);
}

#endif
