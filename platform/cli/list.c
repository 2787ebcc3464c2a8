/* SPDX-License-Identifier: MIT */
#include "command.h"

#include <stdio.h>

#include "registry.h"

#define KINDS_MAX 64u

static int unknown_kind(const char *kind)
{
    netlist_registry all = hd_builtin_classes();
    const char *kinds[KINDS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < all.count && count < KINDS_MAX; i++)
        kinds[count++] = all.classes[i]->kind;
    return hd_usage_error(kind, kinds, count, "there is no kind of block '%s'", kind);
}

static int list(const hd_command *command, int count, char **words)
{
    const char *kind = NULL;
    if (hd_arguments(command, count, words, NULL, 0, &kind, 0, 1) < 0)
        return HD_EXIT_USAGE;
    return netlist_list(hd_builtin_classes(), kind, stdout) ? HD_EXIT_PASS : unknown_kind(kind);
}

const hd_command hd_command_list = {
    .name = "list",
    .usage = "[KIND]",
    .doc = "list the kinds of blocks, with their parameters, ports and statistics",
    .help = "",
    .run = list,
};
