/* SPDX-License-Identifier: MIT */
#include "loader.h"

#include <string.h>

const hd_block_class *netlist_find_class(netlist_registry registry, const char *kind, const char *type)
{
    for (size_t i = 0; i < registry.count; i++) {
        if (strcmp(registry.classes[i]->kind, kind) == 0 && strcmp(registry.classes[i]->type, type) == 0)
            return registry.classes[i];
    }
    return NULL;
}

uint32_t netlist_block_index(const draft *work, const char *name, size_t bytes)
{
    for (uint32_t i = 0; i < work->machine->block_count; i++) {
        if (strlen(work->blocks[i].name) == bytes && memcmp(work->blocks[i].name, name, bytes) == 0)
            return i;
    }
    return NETLIST_NONE;
}

void netlist_unknown_block(loader *state, const draft *work, span at, const char *name)
{
    candidates known = {0};
    for (uint32_t i = 0; i < work->machine->block_count; i++)
        candidates_add(state->memory, &known, work->blocks[i].name);
    report_error(&state->log, ERROR_UNKNOWN_BLOCK, at, "unknown block '%s'", name);
    candidates_suggest(&state->log, name, &known);
}

/* ---- Names ------------------------------------------------------------------------------------------------------ */

static const node *need(loader *state, const entry *block, const char *key)
{
    const node *value = netlist_find(block->value, key);
    if (!value)
        report_error(&state->log, ERROR_MISSING_KEY, block->key->at, "block '%s' needs the key '%s'", block->key->text,
                     key);
    return value;
}

static int is_listed(const candidates *list, const char *name)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (strcmp(list->names[i], name) == 0)
            return 1;
    }
    return 0;
}

static void unknown_class(loader *state, const node *kind, const node *type)
{
    candidates kinds = {0}, types = {0};
    for (size_t i = 0; i < state->registry.count; i++) {
        const hd_block_class *known = state->registry.classes[i];
        if (!is_listed(&kinds, known->kind))
            candidates_add(state->memory, &kinds, known->kind);
        if (strcmp(known->kind, kind->text) == 0)
            candidates_add(state->memory, &types, known->type);
    }
    if (!types.count) {
        report_error(&state->log, ERROR_UNKNOWN_KIND, kind->at, "unknown kind '%s'", kind->text);
        candidates_suggest(&state->log, kind->text, &kinds);
        return;
    }
    report_error(&state->log, ERROR_UNKNOWN_TYPE, type->at, "unknown type '%s' of kind '%s'", type->text, kind->text);
    candidates_suggest(&state->log, type->text, &types);
}

static const hd_block_class *select_class(loader *state, const node *kind, const node *type)
{
    const hd_block_class *found = netlist_find_class(state->registry, kind->text, type->text);
    if (!found) {
        unknown_class(state, kind, type);
        return NULL;
    }
    if (found->abi_version == HD_ABI_VERSION && found->struct_bytes >= sizeof *found)
        return found;
    report_error(&state->log, ERROR_ABI_VERSION, type->at,
                 "%s/%s is built for version %u of the block ABI; this program has version %u", found->kind,
                 found->type, found->abi_version, HD_ABI_VERSION);
    return NULL;
}

static void name_block(loader *state, draft *work, uint32_t index)
{
    const entry *written = work->block_entries[index];
    netlist_block *block = &work->blocks[index];
    netlist_check_name(state, written->key, "block");
    const node *kind = need(state, written, "kind");
    const node *type = need(state, written, "type");
    const node *clock = need(state, written, "clock");
    if (clock)
        block->clock = netlist_clock_index(state, work, clock, clock->text, strlen(clock->text));
    if (kind && type)
        block->block_class = select_class(state, kind, type);
    if (!block->block_class)
        return;
    const node *file = netlist_find(written->value, "parameters_from");
    if (file)
        block->parameters_from = netlist_beside(state, file->at.source->name, file->text);
    work->block_entries[index] = netlist_drop_parameters(state, written, block);
    netlist_name_parameters(state, work->block_entries[index], block->block_class);
}

void netlist_name_blocks(loader *state, draft *work)
{
    const node *blocks = netlist_find(work->root, "blocks");
    if (!blocks)
        return;
    work->blocks = arena_alloc(state->memory, blocks->count * sizeof *work->blocks);
    work->block_entries = arena_alloc(state->memory, blocks->count * sizeof *work->block_entries);
    work->machine->blocks = work->blocks;
    work->machine->block_count = blocks->count;
    for (uint32_t i = 0; i < blocks->count; i++) {
        const entry *written = &blocks->entries[i];
        work->block_entries[i] = written;
        work->blocks[i].name = written->key->text;
        work->blocks[i].place = netlist_place_of(written->key->at);
    }
    for (uint32_t i = 0; i < blocks->count; i++)
        name_block(state, work, i);
}

/* ---- Values ----------------------------------------------------------------------------------------------------- */

/* launch_align of the machine is a wish to all blocks that have such a parameter. */
static void share_alignment(const netlist *machine, const hd_block_class *block_class, hd_value *values)
{
    for (uint32_t i = 0; i < block_class->parameter_count && !machine->launch_align; i++)
        if (!strcmp(block_class->parameters[i].name, "launch_align") &&
            block_class->parameters[i].type == HD_TYPE_BOOLEAN)
            values[i].u = 0;
}

static void value_block(loader *state, draft *work, uint32_t index)
{
    const entry *written = work->block_entries[index];
    netlist_block *block = &work->blocks[index];
    const hd_block_class *block_class = block->block_class;
    const node *count = netlist_find(written->value, "count");
    uint64_t instances = 1;
    if (count &&
        !netlist_read_unsigned(state, count, arena_format(state->memory, "the count of block '%s'", block->name),
                               HD_UNITLESS, 1, NETLIST_ENDPOINTS_MAX, &instances))
        instances = 0;
    block->is_array = count != NULL;
    block->count = (uint32_t)instances;
    block->first_endpoint = work->machine->endpoint_count;
    work->machine->endpoint_count += block->count;

    hd_value *values = arena_alloc(state->memory, block_class->parameter_count * sizeof *values + 1);
    netlist_place *origins = arena_alloc(state->memory, block_class->parameter_count * sizeof *origins + 1);
    netlist_value_parameters(state, written, block_class, values, origins);
    share_alignment(work->machine, block_class, values);
    block->values = values;
    block->origins = origins;
}

void netlist_value_blocks(loader *state, draft *work)
{
    for (uint32_t i = 0; i < work->machine->block_count; i++) {
        value_block(state, work, i);
        if (work->machine->endpoint_count > NETLIST_ENDPOINTS_MAX) {
            report_error(&state->log, ERROR_BOUND, work->block_entries[i]->key->at, "more than %u instances of blocks",
                         NETLIST_ENDPOINTS_MAX);
            return;
        }
    }
}
