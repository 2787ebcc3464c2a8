/* SPDX-License-Identifier: MIT */
/* Those who are told of what paths are doing. */
#include "path_status.h"

/* The path's status is about to become this one. */
static void raise_stall(const simt_core *core, uint32_t path, enum path_status status)
{
    path_state *state = &core->path_states[path];
    const uint32_t waited = waits_for_scoreboard(state->status), waits = waits_for_scoreboard(status);
    path_event event = core_event(core, path, waits ? PATH_STALLED : PATH_STALL_ENDED);
    if ((!waits && !waited) || state->status == status)
        return;
    if (!waited)
        state->since = event.cycle;
    event.stall = PATH_STALL_RESULT + (waits ? status : state->status) - PATH_WAIT_RESULT;
    event.since = state->since;
    core_raise(core, &event);
}

void path_change_told_status(simt_core *core, uint32_t path, enum path_status status)
{
    account_port_until(core, core->path_states[path].scheduler, core->account.settled);
    if (profile_is_asked(core))
        profile_status(core, path);
    if (core->tracing.trace)
        core_trace_status(core, path, (enum path_status)core->path_states[path].status, status);
    if (core->wanted.kinds & (PATH_STALLED | PATH_STALL_ENDED))
        raise_stall(core, path, status);
    change_status(core, path, status);
}

void path_set_status(simt_core *core, uint32_t path, enum path_status status)
{
    set_status(core, path, status);
}
