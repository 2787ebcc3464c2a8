/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem */
#include "app_declaration.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-."

static const char *name_of_folder(arena *memory, const char *folder)
{
    size_t end = strlen(folder);
    while (end > 1 && folder[end - 1] == '/')
        end--;
    size_t start = end;
    while (start > 0 && folder[start - 1] != '/')
        start--;
    return arena_copy(memory, folder + start, end - start);
}

static int check_name(diagnostics *log, const node *name)
{
    if (name->kind == NODE_SCALAR && isalpha((unsigned char)*name->text) &&
        strspn(name->text, NAME_CHARACTERS) == strlen(name->text))
        return 1;
    span at = name->at;
    if (name->kind != NODE_SCALAR)
        at.width = 1;
    report_error(log, ERROR_BAD_NAME, at,
                 "the name of an app must be a letter followed by letters, digits, '_', '-' and '.'");
    return 0;
}

/* Each variant is a mapping from options to single values. */
static int check_variants(diagnostics *log, const hd_app_declaration *app)
{
    const uint32_t before = log->errors;
    const entry *reserved = app->options ? netlist_entry(app->options, HD_APP_VARIANT) : NULL;
    if (reserved)
        report_error(log, ERROR_BAD_NAME, reserved->key->at, "no option can be called '" HD_APP_VARIANT "'");
    for (uint32_t v = 0; app->variants && v < app->variants->count; v++) {
        const entry *variant = &app->variants->entries[v];
        if (variant->value->kind != NODE_MAPPING)
            report_error(log, ERROR_WRONG_SHAPE, variant->key->at, "variant '%s' must be a mapping of options",
                         variant->key->text);
        for (uint32_t i = 0; variant->value->kind == NODE_MAPPING && i < variant->value->count; i++) {
            const entry *set = &variant->value->entries[i];
            if (set->value->kind != NODE_SCALAR)
                report_error(log, ERROR_WRONG_SHAPE, set->key->at, "'%s' must be a single value", set->key->text);
            else if (app->options && !netlist_entry(app->options, set->key->text))
                report_error(log, ERROR_UNKNOWN_KEY, set->key->at, "variant '%s' sets '%s', which is no option",
                             variant->key->text, set->key->text);
        }
    }
    return log->errors == before;
}

/* build_app.sh reads it. */
static int check_compiler(diagnostics *log, const node *root)
{
    const node *compiler = netlist_find(root, "compiler");
    if (!compiler ||
        (compiler->kind == NODE_SCALAR && (!strcmp(compiler->text, "gcc") || !strcmp(compiler->text, "clang"))))
        return 1;
    span at = compiler->at;
    if (compiler->kind != NODE_SCALAR)
        at.width = 1;
    report_error(log, ERROR_BAD_NAME, at, "compiler is gcc or clang");
    return 0;
}

/* Its options are those that have a place in its command: without a list of them it has none. */
static int read_opencl(hd_app_declaration *app, arena *memory, diagnostics *log, const node *root)
{
    const node *program = netlist_find(root, HD_OPENCL_APP_KEY);
    if (!program)
        return 1;
    if (!app->options)
        app->options = netlist_new_node(memory, NODE_MAPPING, program->at);
    return (app->opencl = hd_opencl_app_read(memory, log, program, app->options)) != NULL;
}

static int read_root(hd_app_declaration *app, arena *memory, diagnostics *log, const node *root)
{
    if (root->kind != NODE_MAPPING)
        return 1;
    const node *name = netlist_find(root, "name"), *doc = netlist_find_kind(root, "doc", NODE_SCALAR);
    if ((name && !check_name(log, name)) || !check_compiler(log, root))
        return 0;
    app->name = name ? name->text : app->name;
    app->doc = doc ? doc->text : "";
    app->options = netlist_find_kind(root, "options", NODE_MAPPING);
    app->variants = netlist_find_kind(root, "variants", NODE_MAPPING);
    return check_variants(log, app) && read_opencl(app, memory, log, root);
}

int hd_app_declaration_read(hd_app_declaration *app, arena *memory, diagnostics *log, const char *folder)
{
    const char *text;
    size_t length;
    int too_large;
    *app = (hd_app_declaration){
        .name = name_of_folder(memory, folder), .doc = "", .path = arena_format(memory, "%s/app.yaml", folder)};
    if (source_read_file(memory, app->path, &text, &length, &too_large))
        return 1;
    const source *where = source_of_text(memory, app->path, text, length);
    const node *root = netlist_parse(memory, log, where, text, length, 0);
    return root && read_root(app, memory, log, root);
}

char *hd_app_declared_name(const char *folder)
{
    hd_app_declaration app;
    arena memory = {0};
    char *errors = NULL;
    size_t bytes;
    diagnostics log = {.out = open_memstream(&errors, &bytes)};
    if (!log.out)
        abort();
    hd_app_declaration_read(&app, &memory, &log, folder);
    fclose(log.out);
    free(errors);
    char *name = strdup(app.name);
    arena_free(&memory);
    return name;
}

int hd_app_may_be_called(const char *folder, const char *name)
{
    arena memory = {0};
    const char *text;
    size_t length;
    int too_large, may = !strcmp(name_of_folder(&memory, folder), name);
    const char *path = arena_format(&memory, "%s/app.yaml", folder);
    if (!may && !source_look_into_file(&memory, path, &text, &length, &too_large))
        may =
            memmem(text, length, name, strlen(name)) || memchr(text, '\\', length); /* YAML could spell it in escapes */
    arena_free(&memory);
    return may;
}

const char *hd_app_default(const node *option)
{
    const node *standard = option->kind == NODE_MAPPING ? netlist_find_kind(option, "default", NODE_SCALAR) : NULL;
    return standard ? standard->text : "";
}

candidates hd_app_names(arena *memory, const node *mapping)
{
    candidates known = {0};
    for (uint32_t i = 0; mapping && i < mapping->count; i++)
        candidates_add(memory, &known, mapping->entries[i].key->text);
    return known;
}

const hd_host_option *hd_app_variant_given(const hd_host_option *given, uint32_t count)
{
    while (count)
        if (!strcmp(given[--count].name, HD_APP_VARIANT))
            return &given[count];
    return NULL;
}

/* In the place of an earlier one of that name, if there is one. */
static uint32_t put_option(hd_host_option *list, uint32_t count, hd_host_option option)
{
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(list[i].name, option.name)) {
            list[i] = option;
            return count;
        }
    list[count] = option;
    return count + 1;
}

uint32_t hd_app_expand_variant(arena *memory, const node *settings, const hd_host_option *given, uint32_t count,
                               hd_host_option **expanded)
{
    const uint32_t most = count + (settings ? settings->count : 0);
    hd_host_option *list = *expanded = arena_alloc(memory, most * sizeof *list + 1);
    uint32_t listed = 0;
    for (uint32_t i = 0; settings && i < settings->count; i++) {
        const entry *set = &settings->entries[i];
        listed = put_option(list, listed, (hd_host_option){.name = set->key->text, .value = set->value->text});
    }
    for (uint32_t i = 0; i < count; i++)
        if (!settings || strcmp(given[i].name, HD_APP_VARIANT))
            listed = put_option(list, listed, given[i]);
    return listed;
}
