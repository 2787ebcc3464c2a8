/* SPDX-License-Identifier: MIT */
/* The file of an energy table: which one, and what may stand in it. */
#include <stdlib.h>
#include <string.h>

#include "energy_parts.h"
#include "machine_names.h"

#define TABLES_MAX 16u

static const netlist_key_shape table_keys[] = {
    {"heddle", NODE_SCALAR},   {"extends", NODE_SCALAR},  {"name", NODE_SCALAR},        {"description", NODE_SCALAR},
    {"process", NODE_SCALAR},  {"voltage", NODE_MAPPING}, {"uncertainty", NODE_SCALAR}, {"scaling", NODE_SCALAR},
    {"sources", NODE_MAPPING}, {"area", NODE_MAPPING},    {"static", NODE_SEQUENCE},    {"tm", NODE_SCALAR},
    {"blocks", NODE_MAPPING}};
static const char *const needed_keys[] = {"name", "process", "uncertainty", "sources", "static", "blocks"};
static const netlist_key_shape block_keys[] = {
    {"events", NODE_MAPPING}, {"leakage", NODE_MAPPING}, {"clock", NODE_MAPPING}, {"area", NODE_MAPPING}};
static const netlist_key_shape static_keys[] = {
    {"name", NODE_SCALAR}, {"power", NODE_SCALAR}, {"category", NODE_SCALAR}, {"source", NODE_SCALAR}};
static const netlist_key_shape number_keys[] = {
    {"energy", NODE_SCALAR}, {"power", NODE_SCALAR}, {"source", NODE_SCALAR}};
static const netlist_key_shape power_keys[] = {{"power", NODE_SCALAR}, {"source", NODE_SCALAR}};
static const netlist_key_shape voltage_keys[] = {{"voltage", NODE_SCALAR}, {"source", NODE_SCALAR}};
static const netlist_key_shape area_keys[] = {{"area", NODE_SCALAR}, {"source", NODE_SCALAR}};

static void need(loader *state, const node *mapping, const char *key, span at, const char *where)
{
    at.width = 1;
    if (!netlist_entry(mapping, key))
        report_error(&state->log, ERROR_MISSING_KEY, at, "%s needs the key '%s'", where, key);
}

/* A number with its source. */
static void check_number(loader *state, const entry *item, const netlist_key_shape *keys, size_t count)
{
    const char *where = arena_format(state->memory, "'%s'", item->key->text);
    if (!netlist_check_kind(state, item->value, NODE_MAPPING, where))
        return;
    netlist_check_keys(state, item->value, where, keys, count);
    need(state, item->value, "source", item->key->at, where);
    if (keys == number_keys && !netlist_entry(item->value, "energy") == !netlist_entry(item->value, "power"))
        report_error(&state->log, ERROR_MISSING_KEY, item->key->at, "%s needs one of the keys 'energy' and 'power'",
                     where);
    if (keys != number_keys)
        need(state, item->value, keys[0].key, item->key->at, where);
}

static void check_block(loader *state, const entry *block)
{
    const char *where = arena_format(state->memory, "'%s'", block->key->text);
    if (!netlist_check_kind(state, block->value, NODE_MAPPING, where))
        return;
    netlist_check_keys(state, block->value, where, NETLIST_KEYS(block_keys));
    for (uint32_t i = 0; i < block->value->count; i++) {
        const entry *item = &block->value->entries[i];
        if (item->value->kind != NODE_MAPPING)
            continue;
        if (!strcmp(item->key->text, "area"))
            check_number(state, item, NETLIST_KEYS(area_keys));
        else if (!strcmp(item->key->text, "leakage") || !strcmp(item->key->text, "clock"))
            check_number(state, item, NETLIST_KEYS(power_keys));
        for (uint32_t e = 0; !strcmp(item->key->text, "events") && e < item->value->count; e++)
            check_number(state, &item->value->entries[e], NETLIST_KEYS(number_keys));
    }
}

static void check_static(loader *state, const node *item)
{
    if (!netlist_check_kind(state, item, NODE_MAPPING, "an item of static"))
        return;
    netlist_check_keys(state, item, "an item of static", NETLIST_KEYS(static_keys));
    for (size_t i = 0; i < sizeof static_keys / sizeof *static_keys; i++)
        need(state, item, static_keys[i].key, item->at, "an item of static");
}

/* What stands at the wrong place in one file. */
static void check_file(loader *state, const node *root)
{
    const entry *area = netlist_entry(root, "area"), *voltage = netlist_entry(root, "voltage");
    const node *statics = netlist_find_kind(root, "static", NODE_SEQUENCE);
    const node *blocks = netlist_find_kind(root, "blocks", NODE_MAPPING);
    const node *sources = netlist_find_kind(root, "sources", NODE_MAPPING);
    netlist_check_version(state, root);
    netlist_check_keys(state, root, "an energy table", NETLIST_KEYS(table_keys));
    if (area && area->value->kind == NODE_MAPPING)
        check_number(state, area, NETLIST_KEYS(area_keys));
    if (voltage && voltage->value->kind == NODE_MAPPING)
        check_number(state, voltage, NETLIST_KEYS(voltage_keys));
    for (uint32_t i = 0; statics && i < statics->count; i++)
        check_static(state, statics->entries[i].value);
    for (uint32_t i = 0; blocks && i < blocks->count; i++)
        check_block(state, &blocks->entries[i]);
    for (uint32_t i = 0; sources && i < sources->count; i++)
        netlist_check_kind(state, sources->entries[i].value, NODE_SCALAR, sources->entries[i].key->text);
}

/* What is missing in the whole. */
static void check_table(loader *state, const node *root)
{
    for (size_t i = 0; i < sizeof needed_keys / sizeof *needed_keys; i++)
        need(state, root, needed_keys[i], (span){root->at.source, 1, 1, 1}, "an energy table");
}

/* One file, and *path where it lies; NULL after errors. */
static const node *read_file(loader *state, const node *asked, const char **path)
{
    const char *from = asked->at.source->name;
    const char *name = netlist_is_machine_name(asked->text)
                           ? netlist_energy_path(state->memory, &state->log, asked->at, asked->text, from)
                           : netlist_beside(state, from, asked->text);
    if (!name)
        return NULL;
    source *file = arena_alloc(state->memory, sizeof *file);
    *file = (source){.name = name, .text = "", .extended_from = asked->at, .named_by = "energy"};
    const node *root = netlist_parse_file(state, file);
    char *absolute = realpath(name, NULL);
    *path = absolute ? arena_copy(state->memory, absolute, strlen(absolute)) : name;
    free(absolute);
    if (root && netlist_check_kind(state, root, NODE_MAPPING, "an energy table"))
        check_file(state, root);
    return root && root->kind == NODE_MAPPING ? root : NULL;
}

/* What a table extends lies below it. */
static const node *read_chain(loader *state, const node *asked, const char **path, uint32_t depth)
{
    const char *unused;
    const node *root = read_file(state, asked, path);
    const node *below = root ? netlist_find_kind(root, "extends", NODE_SCALAR) : NULL;
    if (!below || state->log.errors)
        return root;
    if (depth == TABLES_MAX) {
        report_error(&state->log, ERROR_EXTENDS_CYCLE, below->at, "the chain of extends is longer than %u, or a cycle",
                     TABLES_MAX);
        return NULL;
    }
    const node *base = read_chain(state, below, &unused, depth + 1);
    return base ? netlist_merge(state, base, root) : NULL;
}

const node *netlist_energy_file(loader *state, const node *asked, const char **path)
{
    const uint32_t errors = state->log.errors;
    const node *root = read_chain(state, asked, path, 1);
    if (root && state->log.errors == errors)
        check_table(state, root);
    return state->log.errors > errors ? NULL : root;
}
