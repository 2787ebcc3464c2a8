/* SPDX-License-Identifier: MIT */
#include "loader.h"

#include <string.h>

static const netlist_key_shape machine_keys[] = {
    {"heddle", NODE_SCALAR},    {"name", NODE_SCALAR},     {"description", NODE_SCALAR},  {"extends", NODE_SCALAR},
    {"remove", NODE_SEQUENCE},  {"clocks", NODE_MAPPING},  {"address_map", NODE_MAPPING}, {"blocks", NODE_MAPPING},
    {"links", NODE_SEQUENCE},   {"watchdog", NODE_SCALAR}, {"launch_align", NODE_SCALAR}, {"limit", NODE_SCALAR},
    {"plugins", NODE_SEQUENCE}, {"perturb", NODE_MAPPING}, {"energy", NODE_SCALAR},
};
/* It may be a single value as well, to which netlist_flatten gives its kind. */
#define SHORT_FORM "perturb"
static const netlist_key_shape address_map_keys[] = {{"partitions", NODE_SCALAR},
                                                     {"interleave", NODE_SCALAR},
                                                     {"hash", NODE_SCALAR},
                                                     {"sub_partitions", NODE_SCALAR},
                                                     {"sub_interleave", NODE_SCALAR}};
static const netlist_key_shape perturb_keys[] = {{"seed", NODE_SCALAR}, {"delay", NODE_SCALAR}};
static const netlist_key_shape block_keys[] = {
    {"kind", NODE_SCALAR},  {"type", NODE_SCALAR},        {"clock", NODE_SCALAR},
    {"count", NODE_SCALAR}, {"parameters", NODE_MAPPING}, {"parameters_from", NODE_SCALAR},
};
static const netlist_key_shape parameter_file_keys[] = {
    {"heddle", NODE_SCALAR}, {"description", NODE_SCALAR}, {"parameters", NODE_MAPPING}};
static const netlist_key_shape link_keys[] = {
    {"from", NODE_SCALAR},
    {"to", NODE_SCALAR},
    {"latency", NODE_SCALAR},
    {"credit_latency", NODE_SCALAR},
    {"credits", NODE_SCALAR},
    {"response_latency", NODE_SCALAR},
    {"response_credit_latency", NODE_SCALAR},
    {"response_credits", NODE_SCALAR},
    {"address", NODE_SCALAR},
    {"early_completion", NODE_SCALAR},
    {"debug", NODE_SCALAR},
    {"answers_within", NODE_SCALAR},
    {"begins_within", NODE_SCALAR},
};
static const netlist_key_shape removed_link_keys[] = {{"from", NODE_SCALAR}, {"to", NODE_SCALAR}};
#define KEYS NETLIST_KEYS

const char *netlist_key(const char *section, size_t index)
{
    static const struct {
        const char *section;
        const netlist_key_shape *keys;
        size_t count;
    } sections[] = {{"machine", KEYS(machine_keys)},
                    {"address_map", KEYS(address_map_keys)},
                    {"perturb", KEYS(perturb_keys)},
                    {"block", KEYS(block_keys)},
                    {"link", KEYS(link_keys)}};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        if (strcmp(sections[i].section, section) == 0)
            return index < sections[i].count ? sections[i].keys[index].key : NULL;
    }
    return NULL;
}

int netlist_is_block_key(const char *key)
{
    for (size_t i = 0; i < sizeof block_keys / sizeof *block_keys; i++) {
        if (strcmp(block_keys[i].key, key) == 0)
            return 1;
    }
    return 0;
}

static const char *kind_name(enum node_kind kind)
{
    return kind == NODE_SCALAR ? "a single value" : kind == NODE_SEQUENCE ? "a list" : "a mapping";
}

int netlist_check_kind(loader *state, const node *value, enum node_kind kind, const char *what)
{
    span at = value->at;
    if (value->kind == kind)
        return 1;
    if (value->kind != NODE_SCALAR)
        at.width = 1;
    if (netlist_is_null(value))
        report_error(&state->log, ERROR_WRONG_SHAPE, at, "%s must be %s, not empty", what, kind_name(kind));
    else
        report_error(&state->log, ERROR_WRONG_SHAPE, at, "%s must be %s, not %s", what, kind_name(kind),
                     kind_name(value->kind));
    return 0;
}

static void refuse_replace(loader *state, const node *value, const char *what)
{
    if (!value->replaces)
        return;
    span at = value->at;
    at.width = 1;
    report_error(&state->log, ERROR_WRONG_SHAPE, at, "!replace has no meaning in front of %s", what);
    report_note(&state->log,
                "it stands in front of clocks, address_map, blocks, one block, its parameters, plugins, or links");
}

static void unknown_key(loader *state, const node *key, const char *where, const netlist_key_shape *keys, size_t count)
{
    candidates known = {0};
    for (size_t i = 0; i < count; i++)
        candidates_add(state->memory, &known, keys[i].key);
    report_error(&state->log, ERROR_UNKNOWN_KEY, key->at, "unknown key '%s' in %s", key->text, where);
    candidates_suggest(&state->log, key->text, &known);
}

void netlist_check_keys(loader *state, const node *mapping, const char *where, const netlist_key_shape *keys,
                        size_t count)
{
    for (uint32_t i = 0; i < mapping->count; i++) {
        const node *key = mapping->entries[i].key;
        const node *value = mapping->entries[i].value;
        size_t k = 0;
        while (k < count && strcmp(keys[k].key, key->text) != 0)
            k++;
        if (k == count) {
            unknown_key(state, key, where, keys, count);
            continue;
        }
        if (keys == machine_keys && strcmp(key->text, SHORT_FORM) == 0 && value->kind == NODE_SCALAR &&
            !netlist_is_null(value))
            continue;
        if (netlist_check_kind(state, value, keys[k].kind, key->text) && netlist_is_null(value))
            report_error(&state->log, ERROR_WRONG_SHAPE, key->at, "%s must be a single value, not empty", key->text);
    }
}

static void check_scalars(loader *state, const node *mapping)
{
    for (uint32_t i = 0; mapping && i < mapping->count; i++)
        netlist_check_kind(state, mapping->entries[i].value, NODE_SCALAR, mapping->entries[i].key->text);
}

static void check_parameters(loader *state, const node *parameters)
{
    for (uint32_t i = 0; parameters && i < parameters->count; i++) {
        const node *value = parameters->entries[i].value;
        if (value->kind == NODE_MAPPING) {
            refuse_replace(state, value, "a group of parameters");
            check_parameters(state, value);
        } else {
            netlist_check_kind(state, value, NODE_SCALAR, parameters->entries[i].key->text);
        }
    }
}

static void check_blocks(loader *state, const node *blocks)
{
    for (uint32_t i = 0; blocks && i < blocks->count; i++) {
        const node *name = blocks->entries[i].key;
        const node *block = blocks->entries[i].value;
        const char *where = arena_format(state->memory, "block '%s'", name->text);
        if (!netlist_check_kind(state, block, NODE_MAPPING, where))
            continue;
        netlist_check_keys(state, block, where, KEYS(block_keys));
        check_parameters(state, netlist_find_kind(block, "parameters", NODE_MAPPING));
    }
}

static void check_link(loader *state, const node *link)
{
    if (!netlist_check_kind(state, link, NODE_MAPPING, "a link"))
        return;
    refuse_replace(state, link, "a link");
    netlist_check_keys(state, link, "a link", KEYS(link_keys));
    const char *needed[] = {"from", "to"};
    for (size_t i = 0; i < 2; i++) {
        span at = link->at;
        at.width = 1;
        if (!netlist_find(link, needed[i]))
            report_error(&state->log, ERROR_MISSING_KEY, at, "a link needs the key '%s'", needed[i]);
    }
}

static void check_removed(loader *state, const node *item)
{
    if (item->kind == NODE_SCALAR && !netlist_is_null(item))
        return;
    if (!netlist_check_kind(state, item, NODE_MAPPING, "an item of remove that is no block name"))
        return;
    netlist_check_keys(state, item, "an item of remove", KEYS(removed_link_keys));
    span at = item->at;
    at.width = 1;
    if (!netlist_find(item, "from") || !netlist_find(item, "to"))
        report_error(&state->log, ERROR_MISSING_KEY, at, "a link to be removed needs 'from' and 'to'");
}

static void check_plugin(loader *state, const node *item)
{
    if (netlist_check_kind(state, item, NODE_SCALAR, "a plug-in") && netlist_is_null(item))
        report_error(&state->log, ERROR_WRONG_SHAPE, item->at, "a plug-in must be a path, not empty");
}

static void check_items(loader *state, const node *list, void (*check)(loader *, const node *))
{
    for (uint32_t i = 0; list && i < list->count; i++)
        check(state, list->entries[i].value);
}

static void check_perturb(loader *state, const node *perturb)
{
    if (!perturb)
        return;
    refuse_replace(state, perturb, "perturb");
    netlist_check_keys(state, perturb, "perturb", KEYS(perturb_keys));
}

void netlist_check_version(loader *state, const node *root)
{
    const entry *version = netlist_entry(root, "heddle");
    if (!version) {
        report_error(&state->log, ERROR_MISSING_KEY, (span){root->at.source, 1, 1, 1}, "the key 'heddle' is missing");
        report_note(&state->log, "a netlist begins with 'heddle: %u', the version of its format",
                    NETLIST_FORMAT_VERSION);
        return;
    }
    const char *expected = arena_format(state->memory, "%u", NETLIST_FORMAT_VERSION);
    if (version->value->kind == NODE_SCALAR && strcmp(version->value->text, expected) != 0)
        report_error(&state->log, ERROR_FORMAT_VERSION, version->value->at,
                     "format version '%s'; this program reads version %s", version->value->text, expected);
}

void netlist_check_parameter_file(loader *state, const node *root)
{
    if (!netlist_check_kind(state, root, NODE_MAPPING, "a file of parameters"))
        return;
    refuse_replace(state, root, "a file of parameters");
    netlist_check_version(state, root);
    netlist_check_keys(state, root, "a file of parameters", KEYS(parameter_file_keys));
    const node *parameters = netlist_find_kind(root, "parameters", NODE_MAPPING);
    if (parameters)
        refuse_replace(state, parameters, "the parameters of a file of parameters");
    check_parameters(state, parameters);
    if (!netlist_entry(root, "parameters"))
        report_error(&state->log, ERROR_MISSING_KEY, (span){root->at.source, 1, 1, 1},
                     "the key 'parameters' is missing");
}

void netlist_check_shape(loader *state, const node *root, int is_override)
{
    if (!netlist_check_kind(state, root, NODE_MAPPING, "a netlist"))
        return;
    refuse_replace(state, root, "a netlist");
    if (!is_override)
        netlist_check_version(state, root);
    netlist_check_keys(state, root, "a netlist", KEYS(machine_keys));
    check_scalars(state, netlist_find_kind(root, "clocks", NODE_MAPPING));
    const node *address_map = netlist_find_kind(root, "address_map", NODE_MAPPING);
    if (address_map)
        netlist_check_keys(state, address_map, "address_map", KEYS(address_map_keys));
    check_perturb(state, netlist_find_kind(root, "perturb", NODE_MAPPING));
    check_blocks(state, netlist_find_kind(root, "blocks", NODE_MAPPING));
    check_items(state, netlist_find_kind(root, "links", NODE_SEQUENCE), check_link);
    check_items(state, netlist_find_kind(root, "plugins", NODE_SEQUENCE), check_plugin);
    const node *removed = netlist_find_kind(root, "remove", NODE_SEQUENCE);
    if (removed)
        refuse_replace(state, removed, "remove");
    check_items(state, removed, check_removed);
}
