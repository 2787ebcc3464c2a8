/* SPDX-License-Identifier: MIT */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>

#include "registry.h"

static int check(const hd_command *command, int count, char **words)
{
    const char *file, **overrides = NULL, *resolved = NULL;
    size_t override_count = 0;
    char *errors;
    const hd_option_use options[] = {
        {.name = "--set", .takes_value = 1, .all = &overrides, .count = &override_count},
        {.name = "--resolved", .value = &resolved},
    };
    if (hd_arguments(command, count, words, options, 2, &file, 1, 1) < 0) {
        free(overrides);
        return HD_EXIT_USAGE;
    }
    netlist *machine = netlist_load(file, hd_builtin_classes(), overrides, override_count, &errors);
    free(overrides);
    if (!machine) {
        fputs(errors, stderr);
        free(errors);
        return HD_EXIT_USAGE;
    }
    if (resolved)
        netlist_print(machine, stdout);
    else
        printf("%s: machine %s is in order: %u blocks, %u links\n", file, machine->name, machine->endpoint_count,
               machine->link_count);
    netlist_free(machine);
    return HD_EXIT_PASS;
}

const hd_command hd_command_check = {
    .name = "check",
    .usage = "NETLIST [--set PATH=VALUE]... [--resolved]",
    .doc = "check a machine file",
    .help = "  --set PATH=VALUE  override a value of the machine: core.warps=16\n"
            "  --resolved        print the whole machine with every default, and where each value comes from\n",
    .run = check,
};
