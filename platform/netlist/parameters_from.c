/* SPDX-License-Identifier: MIT */
#include "loader.h"

#include <string.h>

#define KEY "parameters_from"
#define FILES_MAX 32u

/* Read once: layers that name the same file inherit the same nodes, so that nothing in them counts as given anew. */
typedef struct parameter_file {
    const char *name;
    const node *parameters; /* flat; NULL after errors */
} parameter_file;

typedef struct parameter_files {
    parameter_file files[FILES_MAX];
    uint32_t count;
} parameter_files;

static const node *read_file(loader *state, const char *name, const node *asked)
{
    source *file = arena_alloc(state->memory, sizeof *file);
    *file = (source){.name = name, .text = "", .extended_from = asked->at, .named_by = KEY};
    const node *root = netlist_parse_file(state, file);
    if (!root)
        return NULL;
    const uint32_t errors = state->log.errors;
    netlist_check_parameter_file(state, root);
    if (state->log.errors > errors)
        return NULL;
    return netlist_flatten_parameters(state, netlist_find(root, "parameters"));
}

static const node *parameters_of(loader *state, parameter_files *known, const node *asked)
{
    const char *name = netlist_beside(state, asked->at.source->name, asked->text);
    for (uint32_t i = 0; i < known->count; i++) {
        if (strcmp(known->files[i].name, name) == 0)
            return known->files[i].parameters;
    }
    if (known->count == FILES_MAX) {
        report_error(&state->log, ERROR_BOUND, asked->at, "more than %u files of parameters", FILES_MAX);
        return NULL;
    }
    parameter_file *file = &known->files[known->count++];
    *file = (parameter_file){name, read_file(state, name, asked)};
    return file->parameters;
}

/* As it was before a layer changed its type, it had parameters from a file, too. */
static const node *complete(loader *state, parameter_files *known, const node *block)
{
    const entry *asked = netlist_entry(block, KEY);
    const node *former = block->former ? complete(state, known, block->former) : NULL;
    const node *below = asked ? parameters_of(state, known, asked->value) : NULL;
    if (!below && former == block->former)
        return block;
    node *result = netlist_new_node(state->memory, NODE_MAPPING, block->at);
    result->former = former;
    for (uint32_t i = 0; i < block->count; i++) {
        const entry *item = &block->entries[i];
        const int is_laid_over = below && strcmp(item->key->text, "parameters") == 0;
        netlist_append(state->memory, result, item->key,
                       is_laid_over ? netlist_merge(state, below, item->value) : item->value);
    }
    if (below && !netlist_entry(block, "parameters"))
        netlist_append(state->memory, result, netlist_new_scalar(state->memory, "parameters", asked->key->at), below);
    return result;
}

const node *netlist_take_parameters(loader *state, const node *machine)
{
    parameter_files known = {0};
    node *result = netlist_new_node(state->memory, NODE_MAPPING, machine->at);
    for (uint32_t i = 0; i < machine->count; i++) {
        const entry *item = &machine->entries[i];
        if (strcmp(item->key->text, "blocks") != 0) {
            netlist_append(state->memory, result, item->key, item->value);
            continue;
        }
        node *blocks = netlist_new_node(state->memory, NODE_MAPPING, item->value->at);
        for (uint32_t b = 0; b < item->value->count; b++)
            netlist_append(state->memory, blocks, item->value->entries[b].key,
                           complete(state, &known, item->value->entries[b].value));
        netlist_append(state->memory, result, item->key, blocks);
    }
    return state->log.errors ? NULL : result;
}
