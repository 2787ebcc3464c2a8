/* SPDX-License-Identifier: MIT */
/* Sweeps whose runs go on from a checkpoint. What the checkpoint says of machine, app and seed stands before what the sweep sets. */
#include <stdlib.h>
#include <string.h>

#include "resolve.h"
#include "text.h"

/* 0 after a report. */
static int check_settings(resolution *at, const netlist_setting *settings, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const node *path = settings[i].path;
        if (resolve_belongs(path->text, 0))
            continue;
        report_error(&at->log, SWEEP_ERROR_CHECKPOINT, path->at,
                     "'%s' is set, and runs that go on from a checkpoint have that of the checkpoint", path->text);
        return 0;
    }
    return 1;
}

static int check_sweep(resolution *at)
{
    const sweep *of = at->sweep;
    if (!check_settings(at, of->common, of->common_count))
        return 0;
    for (uint32_t a = 0; a < of->axis_count; a++)
        for (uint32_t c = 0; c < of->axes[a].count; c++)
            if (!check_settings(at, of->axes[a].choices[c].settings, of->axes[a].choices[c].count))
                return 0;
    return 1;
}

static netlist_setting setting_of(resolution *at, const char *path, const char *value)
{
    const span place = at->sweep->from->at;
    return (netlist_setting){netlist_new_scalar(&at->memory, path, place),
                             netlist_new_scalar(&at->memory, value, place)};
}

/* "path=value" */
static netlist_setting setting_of_word(resolution *at, const char *word)
{
    const char *equals = strchr(word, '=');
    const size_t length = equals ? (size_t)(equals - word) : strlen(word);
    return setting_of(at, arena_copy(&at->memory, word, length), equals ? equals + 1 : "");
}

/* Before those of the sweep. */
static void join_settings(resolution *at)
{
    const state_file_run *run = &at->from.run;
    sweep *of = at->sweep;
    netlist_setting *all = arena_alloc(&at->memory, (run->set_count + 3 + of->common_count) * sizeof *all);
    uint32_t count = 0;
    for (uint64_t i = 0; i < run->set_count; i++) {
        all[count] = setting_of_word(at, run->sets[i]);
        at->from_settings += (uint32_t)resolve_belongs(all[count++].path->text, 0);
    }
    all[count++] = setting_of(at, "machine", run->machine);
    all[count++] = setting_of(at, "seed", arena_format(&at->memory, "%llu", (unsigned long long)run->seed));
    if (*run->app)
        all[count++] = setting_of(at, "app", run->app);
    memcpy(all + count, of->common, of->common_count * sizeof *all);
    of->common = all;
    of->common_count += count;
}

int resolve_from(resolution *at)
{
    const node *from = at->sweep->from;
    char *error;
    if (!from)
        return 1;
    if (!check_sweep(at))
        return 0;
    const char *path = sweep_path_beside(&at->memory, from);
    if (!state_file_read(path, at->world->version, &at->from, &error)) {
        report_error(&at->log, SWEEP_ERROR_CHECKPOINT, from->at, "%.*s", (int)strcspn(error + strlen("error: "), "\n"),
                     error + strlen("error: "));
        free(error);
        return 0;
    }
    char *whole = realpath(path, NULL);
    at->from_path = arena_copy(&at->memory, whole ? whole : path, strlen(whole ? whole : path));
    free(whole);
    join_settings(at);
    return 1;
}

void resolve_from_point(const resolution *at, resolved_point *point)
{
    point->from = at->from_path;
    point->from_settings = at->from_settings;
}
