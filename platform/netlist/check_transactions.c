/* SPDX-License-Identifier: MIT */
/* What a protocol of transactions needs beside its cores, and which parameters of two kinds of blocks say the same. */
#include "loader.h"

#include <string.h>

#define CORE "simt_core"
#define PROTOCOL "tx"

/* One block of this class at each memory partition, or one for all. */
static const struct {
    const char *protocol;
    const char *kind;
    const char *type;
    uint32_t per_partition;
} needs[] = {
    {"getm", "validation_unit", "getm", 1},
    {"getm", "commit_unit", "getm", 1},
    {"ideal", "transaction_memory", "ideal", 0},
};

static const struct {
    const char *protocol;
    const char *parameter; /* of the core */
    const char *kind;
    const char *other; /* of that block */
} agreements[] = {
    {"getm", "tx.granule", "validation_unit", "granule"},
};

/* Ports of the core that lead to such a block, and from it. */
static const struct {
    const char *protocol;
    const char *port;
    const char *kind;
} ways[] = {
    {"ideal", "transaction_request", "transaction_memory"},
    {"ideal", "transaction_reply", "transaction_memory"},
};

static const hd_value *value_of(const netlist_block *block, const char *name)
{
    const uint32_t index = netlist_parameter_index(block->block_class, name);
    return index == NETLIST_NONE ? NULL : &block->values[index];
}

/* NULL: the block runs no transactions. */
static const char *protocol_of(const netlist_block *block)
{
    const hd_value *value = strcmp(block->block_class->kind, CORE) == 0 ? value_of(block, PROTOCOL) : NULL;
    return value && strcmp(value->text, "none") != 0 ? value->text : NULL;
}

static span where(const draft *work, uint32_t block, const char *parameter)
{
    const uint32_t index = netlist_parameter_index(work->blocks[block].block_class, parameter);
    const span at = netlist_parameter_span(work, block, index);
    return at.line ? at : work->block_entries[block]->key->at;
}

static void refuse(loader *state, const draft *work, uint32_t at, const char *parameter, const char *why)
{
    const netlist_block *block = &work->blocks[at];
    report_error(&state->log, ERROR_REFUSED, where(work, at, parameter),
                 "block '%s' (%s/%s) refuses its parameters: %s", block->name, block->block_class->kind,
                 block->block_class->type, why);
}

static uint32_t count_of(const draft *work, const char *kind, const char *type)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < work->machine->block_count; b++) {
        const hd_block_class *block_class = work->blocks[b].block_class;
        if (strcmp(block_class->kind, kind) == 0 && strcmp(block_class->type, type) == 0)
            count += work->blocks[b].count;
    }
    return count;
}

static void check_needs(loader *state, const draft *work, uint32_t block, const char *protocol)
{
    const uint32_t map = work->machine->address_map.block;
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        const uint32_t wanted = needs[i].per_partition && map != NETLIST_NONE ? work->blocks[map].count : 1;
        const uint32_t there = count_of(work, needs[i].kind, needs[i].type);
        if (strcmp(needs[i].protocol, protocol) == 0 && there != wanted)
            refuse(state, work, block, PROTOCOL,
                   arena_format(state->memory, "tx '%s' needs %u of %s/%s, %s; there are %u", protocol, wanted,
                                needs[i].kind, needs[i].type,
                                needs[i].per_partition ? "one for each memory partition" : "for all cores", there));
    }
}

static uint32_t is_between(const draft *work, const netlist_end *core, const netlist_end *other, uint32_t block,
                           size_t way)
{
    return core->block == block && !strcmp(work->blocks[block].block_class->ports[core->port].name, ways[way].port) &&
           !strcmp(work->blocks[other->block].block_class->kind, ways[way].kind);
}

static void check_ways(loader *state, const draft *work, uint32_t block, const char *protocol)
{
    const netlist *machine = work->machine;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        uint32_t linked = 0;
        for (uint32_t l = 0; l < machine->link_count; l++)
            linked += is_between(work, &machine->links[l].from, &machine->links[l].to, block, i) ||
                      is_between(work, &machine->links[l].to, &machine->links[l].from, block, i);
        if (strcmp(ways[i].protocol, protocol) == 0 && linked != work->blocks[block].count)
            refuse(state, work, block, PROTOCOL,
                   arena_format(state->memory,
                                "tx '%s' needs a link between port %s of every core and %s; %u of %u have one",
                                protocol, ways[i].port, ways[i].kind, linked, work->blocks[block].count));
    }
}

static void check_agreements(loader *state, const draft *work, uint32_t block, const char *protocol)
{
    for (size_t i = 0; i < sizeof agreements / sizeof *agreements; i++) {
        const hd_value *ours = value_of(&work->blocks[block], agreements[i].parameter);
        for (uint32_t b = 0; ours && strcmp(agreements[i].protocol, protocol) == 0 && b < work->machine->block_count;
             b++) {
            const netlist_block *other = &work->blocks[b];
            const int is_kind = strcmp(other->block_class->kind, agreements[i].kind) == 0;
            const hd_value *theirs = is_kind ? value_of(other, agreements[i].other) : NULL;
            if (!theirs || theirs->u == ours->u)
                continue;
            refuse(state, work, block, agreements[i].parameter,
                   arena_format(state->memory, "%s is %llu, but '%s' of '%s' is %llu", agreements[i].parameter,
                                (unsigned long long)ours->u, agreements[i].other, other->name,
                                (unsigned long long)theirs->u));
            netlist_note_parameter(state, work, b, netlist_parameter_index(other->block_class, agreements[i].other));
        }
    }
}

/* Low bits of timestamps that tell warps apart: enough for their numbers and one more; none where times may be equal. */
static uint32_t warp_bits_of(const netlist_block *core, uint64_t warps)
{
    const hd_value *tie_break = value_of(core, "tx.tie_break");
    uint32_t bits = 0;
    if (!tie_break || strcmp(tie_break->text, "gwid") != 0)
        return 0;
    while (warps >> bits)
        bits++;
    return bits;
}

static void check_warp_bits(loader *state, const draft *work, uint32_t block)
{
    const netlist_block *core = &work->blocks[block];
    const hd_value *warps_of_core = value_of(core, "warps");
    const uint64_t warps = warps_of_core ? core->count * warps_of_core->u : 0;
    const uint32_t wanted = warp_bits_of(core, warps);
    for (uint32_t b = 0; warps && b < work->machine->block_count; b++) {
        const netlist_block *unit = &work->blocks[b];
        const hd_value *bits = strcmp(unit->block_class->kind, "validation_unit") ? NULL : value_of(unit, "warp_bits");
        if (!bits || bits->u == wanted)
            continue;
        refuse(state, work, b, "warp_bits",
               wanted ? arena_format(state->memory,
                                     "warp_bits is %llu, but timestamps tell the %llu warps of '%s' apart by %u bits",
                                     (unsigned long long)bits->u, (unsigned long long)warps, core->name, wanted)
                      : arena_format(state->memory,
                                     "warp_bits is %llu, but timestamps of '%s' are clocks alone: it must be 0",
                                     (unsigned long long)bits->u, core->name));
        if (!wanted)
            netlist_note_parameter(state, work, block, netlist_parameter_index(core->block_class, "tx.tie_break"));
    }
}

/* A rollover waits for an answer of every core that knows the message. */
static void check_others(loader *state, const draft *work, uint32_t block, const char *protocol)
{
    for (uint32_t b = 0; b < work->machine->block_count; b++) {
        const netlist_block *other = &work->blocks[b];
        const hd_value *value = strcmp(other->block_class->kind, CORE) == 0 ? value_of(other, PROTOCOL) : NULL;
        if (value && strcmp(value->text, "none") == 0)
            refuse(state, work, b, PROTOCOL,
                   arena_format(state->memory, "tx '%s' of '%s' wants all cores to take part: tx must not be 'none'",
                                protocol, work->blocks[block].name));
    }
}

void netlist_check_transactions(loader *state, draft *work)
{
    uint32_t first = NETLIST_NONE;
    for (uint32_t b = 0; b < work->machine->block_count; b++) {
        const char *protocol = protocol_of(&work->blocks[b]);
        if (!protocol)
            continue;
        check_needs(state, work, b, protocol);
        check_ways(state, work, b, protocol);
        check_agreements(state, work, b, protocol);
        if (strcmp(protocol, "getm") == 0) {
            check_warp_bits(state, work, b);
            check_others(state, work, b, protocol);
        }
        if (first != NETLIST_NONE)
            refuse(state, work, b, PROTOCOL,
                   arena_format(state->memory, "'%s' runs transactions too: all cores that do are one array",
                                work->blocks[first].name));
        first = first == NETLIST_NONE ? b : first;
    }
}
