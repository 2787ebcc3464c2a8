/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader.h"
#include "utf8.h"

/* The plug-ins of one netlist while they are loaded. */
typedef struct loading {
    loader *state;
    netlist_plugin *plugins;
    uint32_t count;
    uint32_t capacity;
} loading;

/* The first line is the error, the others are notes. */
static void report_refusal(loader *state, uint32_t number, span at, char *refusal)
{
    char *rest;
    report_error(&state->log, (enum netlist_error)number, at, "%s", strtok_r(refusal, "\n", &rest));
    for (char *line; (line = strtok_r(NULL, "\n", &rest));)
        report_note(&state->log, "%s", line);
}

static int is_listed(const loading *work, const char *path)
{
    for (uint32_t i = 0; i < work->count; i++) {
        if (strcmp(work->plugins[i].path, path) == 0)
            return 1;
    }
    return 0;
}

static void list(loading *work, const char *path, span at)
{
    arena *memory = work->state->memory;
    char *real_path = realpath(path, NULL);
    const char *kept = real_path ? arena_copy(memory, real_path, strlen(real_path)) : path;
    free(real_path);
    if (is_listed(work, kept))
        return;
    work->plugins = arena_grow(memory, work->plugins, work->count, &work->capacity, sizeof *work->plugins);
    work->plugins[work->count++] = (netlist_plugin){.path = kept, .place = netlist_place_of(at)};
}

static void load(loading *work, const char *path, span at)
{
    loader *state = work->state;
    const netlist_plugin_loader *how = state->registry.loader;
    char *refusal = NULL;
    if (!how) {
        report_error(&state->log, ERROR_PLUGIN_UNLOADABLE, at, "this program loads no plug-ins");
        return;
    }
    uint32_t number = how->load(how->context, path, &state->registry, &refusal);
    state->registry.loader = how;
    if (number)
        report_refusal(state, number, at, refusal);
    else
        list(work, path, at);
    free(refusal);
}

static void load_request(loading *work, const netlist_plugin_request *request)
{
    arena *memory = work->state->memory;
    const char *line = arena_format(memory, "%s%s", request->before, request->path);
    const source *where = source_of_text(memory, request->where, line, strlen(line));
    uint32_t column = utf8_columns(request->before, strlen(request->before)) + 1;
    load(work, request->path, (span){where, 1, column, utf8_columns(request->path, strlen(request->path))});
}

/* From the working directory: beside the file that names it, or where plug-ins are installed. */
static const char *locate(loader *state, const node *item)
{
    const netlist_plugin_loader *how = state->registry.loader;
    const char *path = netlist_beside(state, item->at.source->name, item->text);
    if (strchr(item->text, '/') || !how || !how->folder || access(path, F_OK) == 0)
        return path;
    const char *installed = arena_format(state->memory, "%s/%s", how->folder, item->text);
    return access(installed, F_OK) == 0 ? installed : path;
}

void netlist_load_plugins(loader *state, const node *root, netlist *machine)
{
    loading work = {.state = state};
    const netlist_plugin_loader *how = state->registry.loader;
    for (size_t i = 0; how && i < how->request_count; i++)
        load_request(&work, &how->requests[i]);
    const node *written = netlist_find(root, "plugins");
    for (uint32_t i = 0; written && i < written->count; i++) {
        const node *item = written->entries[i].value;
        load(&work, locate(state, item), item->at);
    }
    machine->plugins = work.plugins;
    machine->plugin_count = work.count;
}
