/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "live.h"
#include "live_blocks.h"
#include "live_peer.h"

#define RESULTS_MAX 640u

typedef struct cached {
    char *key;
    machine_run run;
} cached;

static cached results[RESULTS_MAX];
static size_t result_count;

const live_run *live_run_of(const char *run)
{
    const size_t length = strcspn(run, "; ");
    for (const live_run *candidate = live_runs; candidate->name; candidate++)
        if (strlen(candidate->name) == length && !strncmp(candidate->name, run, length))
            return candidate;
    cr_assert_fail("there is no run '%s' in tests/live/runs", run);
    return NULL;
}

size_t live_split(char *text, const char **parts, size_t room)
{
    size_t count = 0;
    for (char *part = text; part && *part;) {
        char *next = strstr(part, "; ");
        cr_assert_lt(count, room - 1, "too many settings: %s", text);
        parts[count++] = part;
        if (next)
            *next = '\0';
        part = next ? next + 2 : NULL;
    }
    parts[count] = NULL;
    return count;
}

/* The machine with the layer over it, in a folder that is to be removed. */
static char *write_layer(const live_run *run, const char *layer, char **folder)
{
    const char *extends = strstr(layer, "extends:") ? "" : text_of("extends: %s\n", run->machine);
    char *text = text_of("%s%s%s\n", strstr(layer, "heddle:") ? "" : "heddle: 1\n", extends, layer);
    *folder = folder_new();
    char *path = path_in(*folder, "layer.yaml");
    file_write(path, text, strlen(text));
    if (*extends)
        free((char *)extends);
    free(text);
    return path;
}

static machine_run carry_out(const live_run *run, const char *settings, const char *layer)
{
    const char *sets[RUN_CHANGES];
    char *own = strdup(settings), *folder = NULL, *path = *layer ? write_layer(run, layer, &folder) : NULL;
    size_t count = 0;
    while (run->sets[count])
        count++;
    memcpy(sets, run->sets, count * sizeof *sets);
    count += live_split(own, sets + count, RUN_CHANGES - count - 1);
    live_peer peer = {0};
    live_peer_start(&peer, run->machine, settings);
    sets[count] = peer.is_wanted ? peer.setting : NULL;
    sets[count + peer.is_wanted] = NULL;
    machine_run result = run_machine(&(run_request){.netlist = path ? path : run->machine,
                                                    .app = run->app,
                                                    .sets = sets,
                                                    .more = live_blocks(),
                                                    .is_traced = !*settings && !*layer});
    live_peer_end(&peer);
    if (path)
        folder_remove(folder);
    free(path);
    free(own);
    return result;
}

const machine_run *live_result(const live_run *run, const char *settings, const char *layer)
{
    char *key = text_of("%s\n%s\n%s", run->name, settings, layer);
    for (size_t i = 0; i < result_count; i++) {
        if (strcmp(results[i].key, key))
            continue;
        free(key);
        return &results[i].run;
    }
    cr_assert_lt(result_count, RESULTS_MAX);
    results[result_count] = (cached){.key = key, .run = carry_out(run, settings, layer)};
    return &results[result_count++].run;
}

void live_forget(void)
{
    for (size_t i = 0; i < result_count; i++) {
        free(results[i].key);
        run_free(&results[i].run);
    }
    result_count = 0;
}
