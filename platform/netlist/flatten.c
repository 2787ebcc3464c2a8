/* SPDX-License-Identifier: MIT */
#include "loader.h"

#include <string.h>

/* l1: {type: x} and l1.type: x both name the parameter l1. */
static const char *canonical_name(loader *state, const char *group, const char *key)
{
    char *name = *group ? arena_format(state->memory, "%s.%s", group, key) : arena_format(state->memory, "%s", key);
    size_t length = strlen(name);
    if (length > 5 && strcmp(name + length - 5, ".type") == 0)
        name[length - 5] = 0;
    return name;
}

static void flatten_group(loader *state, node *flat, const char *group, const node *values)
{
    for (uint32_t i = 0; i < values->count; i++) {
        const entry *item = &values->entries[i];
        const char *name = canonical_name(state, group, item->key->text);
        if (item->value->kind == NODE_MAPPING) {
            flatten_group(state, flat, name, item->value);
            continue;
        }
        const entry *first = netlist_entry(flat, name);
        if (first) {
            report_error(&state->log, ERROR_PARAMETER_TWICE, item->key->at, "parameter '%s' is given twice", name);
            report_note_at(&state->log, first->key->at, "first given here");
            continue;
        }
        if (flat->count == NETLIST_KEYS_MAX) {
            report_error(&state->log, ERROR_BOUND, item->key->at, "more than %u parameters", NETLIST_KEYS_MAX);
            return;
        }
        netlist_append(state->memory, flat, netlist_new_scalar(state->memory, name, item->key->at), item->value);
    }
}

const node *netlist_flatten_parameters(loader *state, const node *parameters)
{
    node *flat = netlist_new_node(state->memory, NODE_MAPPING, parameters->at);
    flat->replaces = parameters->replaces;
    flatten_group(state, flat, "", parameters);
    return flat;
}

static const node *flatten_block(loader *state, const node *block)
{
    node *result = netlist_new_node(state->memory, NODE_MAPPING, block->at);
    result->replaces = block->replaces;
    for (uint32_t i = 0; i < block->count; i++) {
        const entry *item = &block->entries[i];
        int is_parameters = strcmp(item->key->text, "parameters") == 0;
        netlist_append(state->memory, result, item->key,
                       is_parameters ? netlist_flatten_parameters(state, item->value) : item->value);
    }
    return result;
}

/* perturb: 7 is short for perturb: {seed: 7}. */
static const node *flatten_perturb(loader *state, const node *perturb)
{
    if (perturb->kind != NODE_SCALAR)
        return perturb;
    node *result = netlist_new_node(state->memory, NODE_MAPPING, perturb->at);
    netlist_append(state->memory, result, netlist_new_scalar(state->memory, "seed", perturb->at), perturb);
    return result;
}

const node *netlist_flatten(loader *state, const node *root)
{
    node *result = netlist_new_node(state->memory, NODE_MAPPING, root->at);
    for (uint32_t i = 0; i < root->count; i++) {
        const entry *item = &root->entries[i];
        if (strcmp(item->key->text, "blocks") != 0) {
            const int perturbs = strcmp(item->key->text, "perturb") == 0;
            netlist_append(state->memory, result, item->key,
                           perturbs ? flatten_perturb(state, item->value) : item->value);
            continue;
        }
        node *blocks = netlist_new_node(state->memory, NODE_MAPPING, item->value->at);
        blocks->replaces = item->value->replaces;
        for (uint32_t b = 0; b < item->value->count; b++)
            netlist_append(state->memory, blocks, item->value->entries[b].key,
                           flatten_block(state, item->value->entries[b].value));
        netlist_append(state->memory, result, item->key, blocks);
    }
    return result;
}
