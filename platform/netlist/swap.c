/* SPDX-License-Identifier: MIT */
#include "loader.h"

#include <string.h>

/* NULL if there is none: the next layer may complete what this one began, such as kind and type in two overrides. */
static const hd_block_class *class_of(const loader *state, const node *block)
{
    const node *kind = netlist_find(block, "kind");
    const node *type = netlist_find(block, "type");
    return kind && type ? netlist_find_class(state->registry, kind->text, type->text) : NULL;
}

static const hd_block_class *last_class(const loader *state, const node *block)
{
    const hd_block_class *found = NULL;
    for (; block && !found; block = block->former)
        found = class_of(state, block);
    return found;
}

static const hd_parameter *declared(const hd_block_class *block_class, const entry *given)
{
    const uint32_t index = netlist_parameter_index(block_class, given->key->text);
    return index == UINT32_MAX ? NULL : &block_class->parameters[index];
}

/* A name with another unit is another parameter: so many cycles are not so many nanoseconds. */
static int is_same(const hd_parameter *a, const hd_parameter *b)
{
    return a && b && a->type == b->type && a->unit == b->unit;
}

static int is_inherited(const node *block, const entry *given)
{
    const entry *earlier =
        block->former ? netlist_entry(netlist_find(block->former, "parameters"), given->key->text) : NULL;
    return earlier && earlier->value == given->value;
}

/* The class that the parameter was given for, if a later one of the block does not have it. */
static const hd_block_class *lost_with(const loader *state, const node *block, const entry *given)
{
    if (!is_inherited(block, given))
        return NULL;
    const hd_block_class *lost = lost_with(state, block->former, given);
    const hd_block_class *had = last_class(state, block->former);
    if (lost || !had || !declared(had, given))
        return lost;
    return is_same(declared(had, given), declared(last_class(state, block), given)) ? NULL : had;
}

static const node *with_parameters(loader *state, const node *block, const node *parameters)
{
    node *result = netlist_new_node(state->memory, NODE_MAPPING, block->at);
    result->former = block->former;
    for (uint32_t i = 0; i < block->count; i++) {
        const entry *item = &block->entries[i];
        int is_changed = strcmp(item->key->text, "parameters") == 0;
        netlist_append(state->memory, result, item->key, is_changed ? parameters : item->value);
    }
    return result;
}

const entry *netlist_drop_parameters(loader *state, const entry *written, netlist_block *block)
{
    const node *given = netlist_find(written->value, "parameters");
    if (!written->value->former || !given)
        return written;
    node *kept = netlist_new_node(state->memory, NODE_MAPPING, given->at);
    netlist_dropped *dropped = arena_alloc(state->memory, given->count * sizeof *dropped + 1);
    for (uint32_t i = 0; i < given->count; i++) {
        const entry *item = &given->entries[i];
        const hd_block_class *lost = lost_with(state, written->value, item);
        if (lost)
            dropped[block->dropped_count++] =
                (netlist_dropped){item->key->text, item->value->text, lost, netlist_place_of(item->value->at)};
        else
            netlist_append(state->memory, kept, item->key, item->value);
    }
    block->dropped = dropped;
    entry *result = arena_alloc(state->memory, sizeof *result);
    *result = (entry){written->key, with_parameters(state, written->value, kept)};
    return result;
}
