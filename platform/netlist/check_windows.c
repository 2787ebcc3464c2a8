/* SPDX-License-Identifier: MIT */
/* No address may mean two things. */
#include "loader.h"

#include <inttypes.h>

#include "windows.h"

/* The parameter that makes it so large, or the block. */
static span place_of(const draft *work, const netlist_window *window)
{
    const char *parameter = window->declared->parameter;
    span at = {0};
    if (parameter)
        at = netlist_parameter_span(work, window->block,
                                    netlist_parameter_index(work->blocks[window->block].block_class, parameter));
    return at.line ? at : work->block_entries[window->block]->key->at;
}

static const char *text_of(loader *state, const draft *work, const netlist_window *window, uint32_t instance)
{
    char name[128];
    netlist_instance_name(work->machine, window->block, instance, name, sizeof name);
    return arena_format(state->memory, "'%s' of '%s' (0x%" PRIx64 " .. 0x%" PRIx64 ")", window->declared->name, name,
                        window->first, window->last);
}

static void report(loader *state, const draft *work, const netlist_window *first, const netlist_window *second)
{
    report_error(&state->log, ERROR_OVERLAP, place_of(work, second), "%s overlaps %s",
                 text_of(state, work, second, first == second), text_of(state, work, first, 0));
    if (second->block != first->block)
        report_note_at(&state->log, place_of(work, first), "the other window is set up here");
}

static void check_instances(loader *state, const draft *work, const netlist_window *window)
{
    if (work->blocks[window->block].count > 1 && netlist_windows_collide(window, window))
        report(state, work, window, window);
}

/* What a bus has behind it: no two targets at one address, and none without one. */
static void check_bus(loader *state, const draft *work, uint32_t block, uint32_t instance, uint32_t port)
{
    uint32_t count;
    const netlist_bus_window *behind =
        netlist_windows_behind(work->machine, block, instance, port, state->memory, &count);
    for (uint32_t i = 1; i < count; i++) {
        if (behind[i].window->first <= behind[i - 1].window->last)
            report(state, work, behind[i - 1].window, behind[i].window);
    }
}

static void check_buses(loader *state, const draft *work)
{
    for (uint32_t b = 0; b < work->machine->block_count; b++) {
        const netlist_block *block = &work->machine->blocks[b];
        if (!(block->block_class->flags & HD_BLOCK_DECODES))
            continue;
        for (uint32_t p = 0; p < block->block_class->port_count; p++) {
            for (uint32_t i = 0; i < block->count && block->block_class->ports[p].direction == HD_PORT_INITIATOR; i++)
                check_bus(state, work, b, i, p);
        }
    }
}

void netlist_check_windows(loader *state, draft *work)
{
    uint32_t count;
    const netlist_window *windows = netlist_windows(work->machine, state->memory, &count);
    for (uint32_t i = 0; i < count; i++) {
        check_instances(state, work, &windows[i]);
        for (uint32_t j = 0; j < i; j++) {
            if (netlist_windows_collide(&windows[j], &windows[i]))
                report(state, work, &windows[j], &windows[i]);
        }
    }
    check_buses(state, work);
}
