/* SPDX-License-Identifier: MIT */
/* The schedulers of the issue ports, and what holds warps back before them, are made, reset and taken apart. */
#include "core.h"

#include <stdlib.h>

/* One instance for each port, and what they share; where there is a base, each on top of its own. */
static int create_ports(simt_core *core, port_schedulers *made, scheduler_parameters parameters,
                        const port_schedulers *base)
{
    if (base)
        parameters.base.unit = base->unit;
    if (made->unit->create_shared && !(made->shared = made->unit->create_shared(&parameters)))
        return -1;
    parameters.shared = made->shared;
    for (uint32_t port = 0; port < core->scheduler_count; port++) {
        if (base)
            parameters.base.instance = base->of_port[port];
        if (!(made->of_port[port] = made->unit->create(&parameters)))
            return -1;
    }
    return 0;
}

int issue_create_schedulers(simt_core *core, const hd_value *values)
{
    issue_state *issue = &core->issue;
    scheduler_parameters parameters = {.paths = core->path_count,
                                       .paths_per_warp = core->paths_per_warp,
                                       .standing = core->paths,
                                       .share = core_share(core, CORE_SCHEDULER, values)};
    issue->base.unit = core->chosen[CORE_SCHEDULER]->unit->functions;
    if (create_ports(core, &issue->base, parameters, NULL))
        return -1;
    const port_schedulers *asked = &issue->base;
    if (core->chosen[CORE_BACK_OFF]) {
        parameters.share = core_share(core, CORE_BACK_OFF, values);
        issue->back_off.unit = core->chosen[CORE_BACK_OFF]->unit->functions;
        if (create_ports(core, &issue->back_off, parameters, &issue->base))
            return -1;
        asked = &issue->back_off;
    }
    issue->scheduler_unit = asked->unit;
    issue->scheduler = asked->of_port;
    core->wanted.by_scheduler = issue->scheduler_unit->wants ? issue->scheduler_unit->wants(issue->scheduler[0]) : 0;
    return 0;
}

static void reset_ports(const simt_core *core, port_schedulers *made)
{
    if (made->shared)
        made->unit->reset_shared(made->shared);
    for (uint32_t port = 0; port < core->scheduler_count; port++)
        made->unit->reset(made->of_port[port]);
}

void issue_reset_schedulers(simt_core *core)
{
    core->issue.declined = 0;
    reset_ports(core, &core->issue.base);
    if (core->chosen[CORE_BACK_OFF])
        reset_ports(core, &core->issue.back_off);
}

static void destroy_ports(port_schedulers *made)
{
    for (uint32_t port = 0; port < MAX_SCHEDULERS; port++)
        if (made->of_port[port])
            made->unit->destroy(made->of_port[port]);
    if (made->shared)
        made->unit->destroy_shared(made->shared);
}

void issue_destroy_schedulers(simt_core *core)
{
    destroy_ports(&core->issue.back_off);
    destroy_ports(&core->issue.base);
}
