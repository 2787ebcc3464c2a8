/* SPDX-License-Identifier: MIT */
/* A machine as the command line describes it: a netlist, values that override it, plug-ins besides its own. */
#ifndef HD_MACHINE_FILE_H
#define HD_MACHINE_FILE_H

#include "command.h"
#include "plugin.h"

typedef struct machine_file {
    const char **sets; /* filled by MACHINE_FILE_OPTIONS */
    size_t set_count;
    const char **paths; /* of --plugin */
    size_t path_count;
    netlist_plugin_request *requests;
    size_t request_count;
    hd_plugins *plugins;
    netlist *netlist;
} machine_file;

#define MACHINE_FILE_PLUGIN_OPTION(file)                                                                               \
    {                                                                                                                  \
        .name = "--plugin", .takes_value = 1, .all = &(file)->paths, .count = &(file)->path_count                      \
    }
#define MACHINE_FILE_OPTIONS(file)                                                                                     \
    {.name = "--set", .takes_value = 1, .all = &(file)->sets, .count = &(file)->set_count},                            \
        MACHINE_FILE_PLUGIN_OPTION(file)
#define MACHINE_FILE_USAGE "[--set PATH=VALUE]... [--plugin FILE]..."
#define MACHINE_FILE_PLUGIN_HELP                                                                                       \
    "  --plugin FILE     load a plug-in, besides those of the machine and of " HD_PLUGINS_VARIABLE "=FILE:FILE...\n"
#define MACHINE_FILE_HELP                                                                                              \
    "  --set PATH=VALUE  override a value of the machine: core.warps=16\n" MACHINE_FILE_PLUGIN_HELP

/* Fills requests: those of the environment, then those of the command line. */
void machine_file_request(machine_file *file);
/* The classes with the plug-ins that are requested. 0 after it has said on stderr why they cannot be loaded. */
int machine_file_classes(machine_file *file, netlist_registry *all);
/* Loads and checks the netlist. NULL after it has said on stderr what is wrong. */
netlist *machine_file_open(machine_file *file, const char *path);
void machine_file_close(machine_file *file);

#endif
