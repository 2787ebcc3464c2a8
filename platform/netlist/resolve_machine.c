/* SPDX-License-Identifier: MIT */
#include "loader.h"

#include "text_value.h"

#include <string.h>

#define INTERLEAVE_MINIMUM 128u
#define INTERLEAVE_MAXIMUM (UINT64_C(1) << 30)

netlist_place netlist_place_of(span at)
{
    return (netlist_place){at.source->name, at.line, at.column};
}

static const char *text_of(const node *root, const char *key)
{
    const node *found = netlist_find(root, key);
    return found ? found->text : "";
}

void netlist_name_machine(loader *state, draft *work)
{
    static const char *const needed[] = {"name", "clocks", "blocks"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        if (!netlist_find(work->root, needed[i]))
            report_error(&state->log, ERROR_MISSING_KEY, (span){work->root->at.source, 1, 1, 1},
                         "the key '%s' is missing", needed[i]);
    }
    work->machine->name = text_of(work->root, "name");
    work->machine->description = text_of(work->root, "description");
}

void netlist_value_machine(loader *state, draft *work)
{
    netlist *machine = work->machine;
    machine->launch_align = 1;
    const node *align = netlist_find(work->root, "launch_align");
    uint64_t aligned = 1;
    if (align && !text_to_boolean(align->text, &aligned))
        report_error(&state->log, ERROR_WRONG_TYPE, align->at, "launch_align must be true or false, not '%s'",
                     align->text);
    machine->launch_align = (uint32_t)aligned;
}

void netlist_name_address_map(loader *state, draft *work)
{
    const entry *map = netlist_entry(work->root, "address_map");
    work->machine->address_map.block = NETLIST_NONE;
    if (!map)
        return;
    static const char *const needed[] = {"partitions", "interleave"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        if (!netlist_find(map->value, needed[i]))
            report_error(&state->log, ERROR_MISSING_KEY, map->key->at, "address_map needs the key '%s'", needed[i]);
    }
    const node *partitions = netlist_find(map->value, "partitions");
    if (!partitions)
        return;
    work->machine->address_map.block = netlist_block_index(work, partitions->text, strlen(partitions->text));
    if (work->machine->address_map.block == NETLIST_NONE)
        netlist_unknown_block(state, work, partitions->at, partitions->text);
}

/* The block that holds the memory must be able to receive something. */
static void check_partitions(loader *state, const draft *work, const node *partitions)
{
    const hd_block_class *block_class = work->blocks[work->machine->address_map.block].block_class;
    for (uint32_t i = 0; i < block_class->port_count; i++) {
        uint32_t direction = block_class->ports[i].direction;
        if (direction == HD_PORT_RECEIVE || direction == HD_PORT_TARGET)
            return;
    }
    report_error(&state->log, ERROR_ADDRESS_MAP, partitions->at,
                 "block '%s' (%s/%s) receives nothing, so it cannot hold the memory", partitions->text,
                 block_class->kind, block_class->type);
}

const char *const netlist_hash_names[HD_HASHES] = {"none", "xor", "ipoly"};

static void read_hash(loader *state, const node *map, netlist_address_map *to)
{
    const node *hash = netlist_find(map, "hash");
    if (!hash)
        return;
    for (to->hash = 0; to->hash < HD_HASHES; to->hash++)
        if (!strcmp(hash->text, netlist_hash_names[to->hash]))
            return;
    to->hash = HD_HASH_NONE;
    report_error(&state->log, ERROR_ADDRESS_MAP, hash->at, "hash is '%s', none of none, xor and ipoly", hash->text);
}

/* What is not written stays as it is. */
static void read_number(loader *state, const node *map, const char *key, uint32_t unit, uint32_t *to)
{
    const node *value = netlist_find(map, key);
    uint64_t number = 0;
    const uint64_t least = unit == HD_UNIT_BYTES ? INTERLEAVE_MINIMUM : 1;
    if (value && netlist_read_unsigned(state, value, key, unit, least, INTERLEAVE_MAXIMUM, &number))
        *to = (uint32_t)number;
}

void netlist_value_address_map(loader *state, draft *work)
{
    const node *map = netlist_find(work->root, "address_map");
    netlist_address_map *to = &work->machine->address_map;
    read_number(state, map, "interleave", HD_UNIT_BYTES, &to->interleave_bytes);
    to->sub_interleave_bytes = to->interleave_bytes;
    to->sub_partitions = 1;
    read_number(state, map, "sub_interleave", HD_UNIT_BYTES, &to->sub_interleave_bytes);
    read_number(state, map, "sub_partitions", HD_UNITLESS, &to->sub_partitions);
    read_hash(state, map, to);
}

static void check_nobody_needs_it(loader *state, const draft *work)
{
    for (uint32_t i = 0; i < work->machine->block_count; i++) {
        const netlist_block *block = &work->blocks[i];
        if (!(block->block_class->flags & HD_BLOCK_ADDRESS_MAP))
            continue;
        report_error(&state->log, ERROR_ADDRESS_MAP, work->block_entries[i]->key->at,
                     "block '%s' (%s/%s) needs an address_map, and there is none", block->name,
                     block->block_class->kind, block->block_class->type);
        report_note(&state->log, "address_map: {partitions: BLOCK, interleave: 256 B}");
    }
}

static void check_power(loader *state, const node *map, const char *key, uint32_t bytes)
{
    const node *value = netlist_find(map, key);
    if (value && bytes & (bytes - 1))
        report_error(&state->log, ERROR_ADDRESS_MAP, value->at, "%s is '%s', not a power of two", key, value->text);
}

void netlist_check_address_map(loader *state, draft *work)
{
    const node *map = netlist_find(work->root, "address_map");
    if (!map) {
        check_nobody_needs_it(state, work);
        return;
    }
    const netlist_address_map *values = &work->machine->address_map;
    check_partitions(state, work, netlist_find(map, "partitions"));
    check_power(state, map, "interleave", values->interleave_bytes);
    check_power(state, map, "sub_interleave", values->sub_interleave_bytes);
    const uint32_t count = work->blocks[values->block].count;
    if (count % values->sub_partitions)
        report_error(&state->log, ERROR_ADDRESS_MAP, netlist_find(map, "sub_partitions")->at,
                     "%u partitions do not make groups of %u sub_partitions", count, values->sub_partitions);
}
