/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "plugin_internal.h"

uint32_t hd_plugins_load_requests(hd_plugins *plugins, char **error)
{
    const netlist_plugin_loader *loader = hd_plugins_registry(plugins).loader;
    for (size_t i = 0; i < loader->request_count; i++) {
        char *text;
        size_t bytes;
        if (!hd_plugins_load(plugins, loader->requests[i].path, &text))
            continue;
        FILE *out = open_memstream(error, &bytes);
        if (!out)
            abort();
        for (char *rest, *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
            fprintf(out, "%s: %s\n", line == text ? "error" : "note", line);
        fclose(out);
        free(text);
        return 0;
    }
    return 1;
}

static size_t count_paths(const char *paths)
{
    size_t count = paths ? 1 : 0;
    for (; paths && *paths; paths++)
        count += *paths == ':';
    return count;
}

netlist_plugin_request *hd_plugins_requests(const char *paths, const char *const *options, size_t option_count,
                                            size_t *count)
{
    size_t most = count_paths(paths) + option_count, bytes = paths ? strlen(paths) + 1 : 1;
    netlist_plugin_request *requests = malloc(most * sizeof *requests + bytes);
    if (!requests)
        abort();
    char *text = (char *)(requests + most);
    *count = 0;
    memcpy(text, paths ? paths : "", bytes);
    for (char *rest, *path = strtok_r(text, ":", &rest); path; path = strtok_r(NULL, ":", &rest))
        requests[(*count)++] = (netlist_plugin_request){"<environment>", HD_PLUGINS_VARIABLE "=", path};
    for (size_t i = 0; i < option_count; i++)
        requests[(*count)++] = (netlist_plugin_request){"<command line>", "--plugin ", options[i]};
    return requests;
}
