/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "machine_file.h"

#define KINDS_MAX 64u

static int unknown_kind(const char *kind, netlist_registry all)
{
    const char *kinds[KINDS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < all.count && count < KINDS_MAX; i++)
        kinds[count++] = all.classes[i]->kind;
    return hd_usage_error(kind, kinds, count, "there is no kind of block '%s'", kind);
}

static int list(const hd_command *command, int count, char **words)
{
    const char *kind = NULL;
    machine_file file = {0};
    netlist_registry all;
    int result = HD_EXIT_USAGE;
    const hd_option_use options[] = {MACHINE_FILE_PLUGIN_OPTION(&file)};
    if (hd_arguments(command, count, words, options, 1, &kind, 0, 1) >= 0 && machine_file_classes(&file, &all))
        result = netlist_list(all, kind, stdout) ? HD_EXIT_PASS : unknown_kind(kind, all);
    machine_file_close(&file);
    return result;
}

const hd_command hd_command_list = {
    .name = "list",
    .usage = "[KIND] [--plugin FILE]...",
    .doc = "list the kinds of blocks, with their parameters, ports and statistics",
    .help = MACHINE_FILE_PLUGIN_HELP,
    .run = list,
};
