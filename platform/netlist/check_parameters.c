/* SPDX-License-Identifier: MIT */
/* Values that are good each by itself, and make no sense together: the block's class knows. */
#include "loader.h"

#include "requirements.h"
#include "show.h"

span netlist_parameter_span(const draft *work, uint32_t block, uint32_t index)
{
    const node *parameters = netlist_find(work->block_entries[block]->value, "parameters");
    for (uint32_t i = 0; parameters && i < parameters->count; i++) {
        const entry *given = &parameters->entries[i];
        if (netlist_parameter_index(work->blocks[block].block_class, given->key->text) == index)
            return given->value->at;
    }
    return (span){0};
}

void netlist_note_parameter(loader *state, const draft *work, uint32_t block, uint32_t index)
{
    char text[NETLIST_SHOWN_BYTES];
    const netlist_block *owner = &work->blocks[block];
    const hd_parameter *declared = &owner->block_class->parameters[index];
    span at = netlist_parameter_span(work, block, index);
    netlist_print_value(declared, &owner->values[index], 0, text, sizeof text);
    if (at.line)
        report_note_at(&state->log, at, "'%s' of block '%s' is %s here", declared->name, owner->name, text);
    else
        report_note(&state->log, "'%s' of block '%s' is %s, the default", declared->name, owner->name, text);
}

static void report(loader *state, const draft *work, uint32_t block, const hd_conflict *conflict)
{
    const netlist_block *refused = &work->blocks[block];
    uint32_t first = conflict->parameter, second = conflict->other;
    span at = netlist_parameter_span(work, block, first);
    if (!at.line) {
        at = netlist_parameter_span(work, block, second);
        first = conflict->other;
        second = conflict->parameter;
    }
    if (!at.line)
        at = work->block_entries[block]->key->at;
    report_error(&state->log, ERROR_REFUSED, at, "block '%s' (%s/%s) refuses its parameters: %s", refused->name,
                 refused->block_class->kind, refused->block_class->type, conflict->text);
    if (second != first)
        netlist_note_parameter(state, work, block, second);
}

void netlist_check_parameters(loader *state, draft *work)
{
    for (uint32_t i = 0; i < work->machine->block_count; i++) {
        const netlist_block *block = &work->blocks[i];
        hd_clock clock = {work->clocks[block->clock].hz};
        hd_conflict conflict = {0};
        if (!units_check(block->block_class, block->values, clock, &conflict))
            report(state, work, i, &conflict);
    }
}
