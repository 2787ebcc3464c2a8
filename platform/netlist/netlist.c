/* SPDX-License-Identifier: MIT */
#include "netlist.h"

#include <stdlib.h>
#include <string.h>

#include "loader.h"
#include "show.h"

/* What netlist_load hands out, and what it needs to be freed and to speak of its source again. */
typedef struct handle {
    netlist machine; /* first: the caller's pointer */
    arena memory;
    const span *block_places;
    const node *root;             /* all layers merged */
    const uint32_t *link_origins; /* of each link, its place in the list as written */
} handle;

typedef void (*phase)(loader *state, draft *work);

/* One phase per row; one that reports an error is the last. */
#define STEPS_MAX 8
static const phase phases[][STEPS_MAX] = {
    {netlist_name_machine, netlist_name_clocks, netlist_name_blocks, netlist_name_links, netlist_name_address_map},
    {netlist_value_machine, netlist_value_clocks, netlist_value_times, netlist_value_blocks, netlist_value_links,
     netlist_value_options, netlist_value_address_map, netlist_value_perturb},
    {netlist_bind_links},
    {netlist_check_requirements},
    {netlist_check_parameters, netlist_check_address_map, netlist_check_windows, netlist_check_direct,
     netlist_check_harts},
    {netlist_check_messages}, /* which ones there are depends on parameters */
    {netlist_check_partitions},
    {netlist_find_replies, netlist_read_energy},
};

static void resolve(loader *state, const node *root, handle *result)
{
    draft work = {.root = root, .machine = &result->machine};
    netlist_load_plugins(state, root, &result->machine);
    if (state->log.errors)
        return;
    for (size_t p = 0; p < sizeof phases / sizeof *phases; p++) {
        for (size_t s = 0; s < STEPS_MAX && phases[p][s]; s++)
            phases[p][s](state, &work);
        if (state->log.errors)
            return;
    }
    span *places = arena_alloc(state->memory, result->machine.block_count * sizeof *places + 1);
    for (uint32_t i = 0; i < result->machine.block_count; i++)
        places[i] = work.block_entries[i]->key->at;
    result->block_places = places;
    result->root = root;
    result->link_origins = work.link_origins;
}

netlist *netlist_load_changed(const char *path, netlist_registry registry, const netlist_changes *changes,
                              char **errors)
{
    size_t bytes = 0;
    handle *result = calloc(1, sizeof *result);
    *errors = NULL;
    FILE *out = open_memstream(errors, &bytes);
    if (!result || !out)
        abort();
    result->machine.file = arena_copy(&result->memory, path, strlen(path));
    loader state = {.memory = &result->memory, .log = {.out = out}, .registry = registry};
    const node *root = netlist_read_layers(&state, result->machine.file, changes);
    if (root)
        resolve(&state, root, result);
    report_rest(&state.log);
    fclose(out);
    if (state.log.errors) {
        netlist_free(&result->machine);
        return NULL;
    }
    free(*errors);
    *errors = NULL;
    return &result->machine;
}

netlist *netlist_load(const char *path, netlist_registry registry, const char *const *overrides, size_t override_count,
                      char **errors)
{
    const netlist_changes changes = {.overrides = overrides, .override_count = override_count};
    return netlist_load_changed(path, registry, &changes, errors);
}

void netlist_free(netlist *machine)
{
    handle *owner = (handle *)machine;
    if (!owner)
        return;
    arena_free(&owner->memory);
    free(owner);
}

static netlist_place place_of_value(const node *mapping, const char *key)
{
    const node *value = mapping && mapping->kind == NODE_MAPPING ? netlist_find(mapping, key) : NULL;
    return value ? netlist_place_of(value->at) : (netlist_place){0};
}

netlist_place netlist_written_at(const netlist *machine, const char *key)
{
    return place_of_value(((const handle *)machine)->root, key);
}

netlist_place netlist_map_written_at(const netlist *machine, const char *key)
{
    return place_of_value(netlist_find(((const handle *)machine)->root, "address_map"), key);
}

netlist_place netlist_perturb_written_at(const netlist *machine, const char *key)
{
    return place_of_value(netlist_find(((const handle *)machine)->root, "perturb"), key);
}

netlist_place netlist_block_written_at(const netlist *machine, uint32_t block, const char *key)
{
    const node *blocks = netlist_find(((const handle *)machine)->root, "blocks");
    return place_of_value(netlist_find(blocks, machine->blocks[block].name), key);
}

netlist_place netlist_link_written_at(const netlist *machine, uint32_t link, const char *key)
{
    const handle *owner = (const handle *)machine;
    return place_of_value(netlist_find(owner->root, "links")->entries[owner->link_origins[link]].value, key);
}

char *netlist_refusal(const netlist *machine, uint32_t block, const char *refusal)
{
    const handle *owner = (const handle *)machine;
    const netlist_block *refused = &machine->blocks[block];
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        abort();
    diagnostics log = {.out = out};
    report_error(&log, ERROR_REFUSED, owner->block_places[block], "block '%s' (%s/%s) refuses its parameters: %s",
                 refused->name, refused->block_class->kind, refused->block_class->type, refusal);
    fclose(out);
    return text;
}

const char *netlist_instance_name(const netlist *machine, uint32_t block, uint32_t instance, char *text, size_t bytes)
{
    const netlist_block *named = &machine->blocks[block];
    if (named->is_array)
        snprintf(text, bytes, "%s[%u]", named->name, instance);
    else
        snprintf(text, bytes, "%s", named->name);
    return text;
}

const netlist_block *netlist_self_driven(const netlist *machine)
{
    for (uint32_t block = 0; block < machine->block_count; block++)
        if (machine->blocks[block].block_class->flags & HD_BLOCK_SELF_DRIVEN)
            return &machine->blocks[block];
    return NULL;
}
