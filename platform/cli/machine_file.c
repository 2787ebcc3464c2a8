/* SPDX-License-Identifier: MIT */
#include "machine_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "registry.h"

static int say(char *errors)
{
    fputs(errors, stderr);
    free(errors);
    return 0;
}

void machine_file_request(machine_file *file)
{
    file->requests =
        hd_plugins_requests(getenv(HD_PLUGINS_VARIABLE), file->paths, file->path_count, &file->request_count);
}

static void create_plugins(machine_file *file)
{
    machine_file_request(file);
    file->plugins = hd_plugins_create(hd_builtin_classes(), file->requests, file->request_count);
}

int machine_file_classes(machine_file *file, netlist_registry *all)
{
    char *error;
    create_plugins(file);
    if (!hd_plugins_load_requests(file->plugins, &error))
        return say(error);
    *all = hd_plugins_registry(file->plugins);
    return 1;
}

netlist *machine_file_open(machine_file *file, const char *path)
{
    char *errors;
    create_plugins(file);
    file->netlist = netlist_load(path, hd_plugins_registry(file->plugins), file->sets, file->set_count, &errors);
    if (!file->netlist)
        say(errors);
    return file->netlist;
}

void machine_file_close(machine_file *file)
{
    netlist_free(file->netlist);
    hd_plugins_destroy(file->plugins);
    free(file->requests);
    free(file->paths);
    free(file->sets);
    *file = (machine_file){0};
}
