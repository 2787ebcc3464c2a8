/* SPDX-License-Identifier: MIT */
/* Blocks that tell harts something have it for all of them: both ends of the link say how many harts there are. */
#include "hd_registers.h"
#include "loader.h"

static uint32_t harts_of(const draft *work, uint32_t block)
{
    return netlist_parameter_index(work->blocks[block].block_class, HD_PARAMETER_HARTS);
}

static uint64_t count_of(const draft *work, uint32_t block)
{
    return work->blocks[block].values[harts_of(work, block)].u;
}

static void report(loader *state, const draft *work, uint32_t from, uint32_t to)
{
    const netlist_block *teller = &work->blocks[from];
    const span written = netlist_parameter_span(work, from, harts_of(work, from));
    report_error(
        &state->log, ERROR_REFUSED, written.line ? written : work->block_entries[from]->key->at,
        "block '%s' (%s/%s) refuses its parameters: it has registers for %llu of the %llu harts of '%s', to which "
        "it is linked",
        teller->name, teller->block_class->kind, teller->block_class->type, (unsigned long long)count_of(work, from),
        (unsigned long long)count_of(work, to), work->blocks[to].name);
    netlist_note_parameter(state, work, to, harts_of(work, to));
}

/* Does an earlier link join the same blocks? */
static uint32_t is_repeated(const netlist *machine, uint32_t link)
{
    uint32_t l = 0;
    while (machine->links[l].from.block != machine->links[link].from.block ||
           machine->links[l].to.block != machine->links[link].to.block)
        l++;
    return l < link;
}

void netlist_check_harts(loader *state, draft *work)
{
    const netlist *machine = work->machine;
    for (uint32_t l = 0; l < machine->link_count; l++) {
        const uint32_t from = machine->links[l].from.block, to = machine->links[l].to.block;
        if (from >= machine->block_count || to >= machine->block_count || harts_of(work, from) == NETLIST_NONE ||
            harts_of(work, to) == NETLIST_NONE || is_repeated(machine, l))
            continue;
        if (count_of(work, from) < count_of(work, to))
            report(state, work, from, to);
    }
}
