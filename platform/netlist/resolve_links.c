/* SPDX-License-Identifier: MIT */
#include "loader.h"

#include "text_value.h"

#define CYCLES_MAX UINT64_C(1000000000)
#define CREDITS_MAX UINT64_C(1000000)
#define LATENCY_MAX HD_PS_PER_SECOND

void netlist_name_links(loader *state, draft *work)
{
    const node *links = netlist_find(work->root, "links");
    if (!links)
        return;
    work->links = arena_alloc(state->memory, links->count * sizeof *work->links + 1);
    work->link_count = links->count;
    for (uint32_t i = 0; i < links->count; i++) {
        written_link *link = &work->links[i];
        link->source = links->entries[i].value;
        netlist_read_reference(state, work, netlist_find(link->source, "from"), &link->from);
        netlist_read_reference(state, work, netlist_find(link->source, "to"), &link->to);
    }
}

/* ---- Indices ---------------------------------------------------------------------------------------------------- */

void netlist_note_count(loader *state, const draft *work, uint32_t block)
{
    const node *count = netlist_find(work->block_entries[block]->value, "count");
    if (count)
        report_note_at(&state->log, count->at, "'%s' has %u instances here", work->blocks[block].name,
                       work->blocks[block].count);
}

static uint32_t is_beyond(const draft *work, const link_side *side)
{
    const uint32_t count = work->blocks[side->block].count;
    return count && side->instances && side->first_instance + (uint64_t)side->instances > count;
}

/* A side before this one is beyond the end of the same array: one mistake gets one error. */
static uint32_t is_told(const draft *work, const link_side *side)
{
    for (uint32_t i = 0; i < work->link_count; i++) {
        const link_side *const sides[] = {&work->links[i].from, &work->links[i].to};
        for (uint32_t k = 0; k < 2; k++) {
            if (sides[k] == side)
                return 0;
            if (sides[k]->block == side->block && is_beyond(work, sides[k]))
                return 1;
        }
    }
    return 0;
}

static void report_beyond(loader *state, const draft *work, const link_side *side)
{
    const netlist_block *block = &work->blocks[side->block];
    if (is_told(work, side))
        return;
    report_error(&state->log, ERROR_TOO_MANY, side->instance_at, "block '%s' has %u instance%s, numbered from 0",
                 block->name, block->count, block->count == 1 ? "" : "s");
    netlist_note_count(state, work, side->block);
}

static void value_side(loader *state, const draft *work, link_side *side)
{
    const netlist_block *block = &work->blocks[side->block];
    const hd_port *port = &block->block_class->ports[side->port];
    if (!side->instances)
        side->instances = block->count;
    else if (is_beyond(work, side))
        report_beyond(state, work, side);
    if (!side->elements)
        side->elements = port->maximum_count <= 1 ? 1 : 0;
    else if (side->first_element + (uint64_t)side->elements > port->maximum_count)
        report_error(&state->log, ERROR_TOO_MANY, side->element_at,
                     "port '%s' of block '%s' has at most %u element%s, numbered from 0", port->name, block->name,
                     port->maximum_count, port->maximum_count == 1 ? "" : "s");
}

/* ---- Latencies -------------------------------------------------------------------------------------------------- */

static void value_latency(loader *state, const draft *work, const node *link, const char *key, uint32_t sender,
                          hd_time *latency)
{
    const node *value = netlist_find(link, key);
    hd_clock clock = {work->clocks[work->blocks[sender].clock].hz};
    if (!value)
        return;
    const duration_rule rule = {
        .what = key, .of = "of the sender", .example = "3 ns", .cycles = CYCLES_MAX, .time = LATENCY_MAX};
    if (!netlist_read_duration(state, value, &rule, clock, latency))
        return;
    if (*latency >= hd_clock_cycles(clock, 1))
        return;
    report_error(&state->log, ERROR_LATENCY, value->at, "%s is '%s', less than one cycle of '%s' (%llu ps)", key,
                 value->text, work->blocks[sender].name, (unsigned long long)hd_clock_cycles(clock, 1));
    report_note_at(&state->log, work->clock_nodes[work->blocks[sender].clock]->at, "its clock '%s' is set here",
                   work->clocks[work->blocks[sender].clock].name);
}

static void value_credits(loader *state, const node *link, const char *key, uint32_t *credits)
{
    const node *value = netlist_find(link, key);
    uint64_t read = 0;
    if (value && netlist_read_unsigned(state, value, key, HD_UNITLESS, 1, CREDITS_MAX, &read))
        *credits = (uint32_t)read;
}

void netlist_value_links(loader *state, draft *work)
{
    for (uint32_t i = 0; i < work->link_count; i++) {
        written_link *link = &work->links[i];
        const node *source = link->source;
        value_side(state, work, &link->from);
        value_side(state, work, &link->to);
        value_latency(state, work, source, "latency", link->from.block, &link->forward.latency);
        value_latency(state, work, source, "credit_latency", link->from.block, &link->forward.credit_latency);
        value_credits(state, source, "credits", &link->forward.credits);
        value_latency(state, work, source, "response_latency", link->to.block, &link->response.latency);
        value_latency(state, work, source, "response_credit_latency", link->to.block, &link->response.credit_latency);
        value_credits(state, source, "response_credits", &link->response.credits);
    }
}
