/* SPDX-License-Identifier: MIT */
#include "app_options.h"

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "yaml_tree.h"

#define OPTIONS_MAX 256u

static int unknown(const char *name, const node *declared)
{
    const char *names[OPTIONS_MAX];
    uint32_t count = 0;
    for (; count < declared->count && count < OPTIONS_MAX; count++)
        names[count] = declared->entries[count].key->text;
    return hd_usage_error(name, names, count, "the app has no option '%s'", name);
}

static const char *default_of(const node *option)
{
    const node *standard = option->kind == NODE_MAPPING ? netlist_find_kind(option, "default", NODE_SCALAR) : NULL;
    return standard ? standard->text : "";
}

static int check(const hd_host_option *given, const node *declared)
{
    uint64_t value;
    const node *option = netlist_find(declared, given->name);
    if (!option)
        return unknown(given->name, declared);
    if (!hd_host_number(default_of(option), &value) || hd_host_number(given->value, &value))
        return HD_EXIT_PASS;
    return hd_usage_error(NULL, NULL, 0, "app.%s is '%s'; it must be " HD_HOST_NUMBER_FORM, given->name, given->value);
}

static void resolve(app_options *options, const node *declared, const hd_host_option *given, uint32_t given_count)
{
    options->inputs = netlist_alloc(&options->memory, declared->count * sizeof *options->inputs);
    for (; options->count < declared->count; options->count++) {
        const entry *option = &declared->entries[options->count];
        hd_host_option *input = &options->inputs[options->count];
        *input = (hd_host_option){.name = option->key->text, .value = default_of(option->value)};
        for (uint32_t i = 0; i < given_count; i++)
            if (!strcmp(given[i].name, input->name))
                input->value = given[i].value;
    }
}

int app_options_read(app_options *options, const char *folder, const hd_host_option *given, uint32_t given_count)
{
    diagnostics log = {.out = stderr};
    const char *text, *path;
    size_t length;
    int too_large, result = HD_EXIT_PASS;
    *options = (app_options){0};
    path = netlist_format(&options->memory, "%s/app.yaml", folder);
    if (netlist_read_file(&options->memory, path, &text, &length, &too_large))
        return HD_EXIT_PASS;
    const source *where = netlist_source(&options->memory, path, text, length);
    const node *root = netlist_parse(&options->memory, &log, where, text, length, 0);
    if (!root)
        return HD_EXIT_USAGE;
    const node *declared = root->kind == NODE_MAPPING ? netlist_find_kind(root, "options", NODE_MAPPING) : NULL;
    if (!declared)
        return hd_usage_error(NULL, NULL, 0, "%s has no options", path);
    for (uint32_t i = 0; i < given_count && result == HD_EXIT_PASS; i++)
        result = check(&given[i], declared);
    resolve(options, declared, given, given_count);
    return result;
}

void app_options_free(app_options *options)
{
    netlist_arena_free(&options->memory);
    *options = (app_options){0};
}
