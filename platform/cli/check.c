/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "machine_file.h"

static void print_machine(const machine_file *file, const char *path, int resolved, int map)
{
    const netlist *machine = file->netlist;
    if (resolved)
        netlist_print(machine, stdout);
    else if (map)
        netlist_map(machine, stdout);
    else
        printf("%s: machine %s is in order: %u blocks, %u links\n", path, machine->name, machine->endpoint_count,
               machine->link_count);
}

static int check(const hd_command *command, int count, char **words)
{
    const char *path, *resolved = NULL, *map = NULL;
    machine_file file = {0};
    int result = HD_EXIT_USAGE;
    const hd_option_use options[] = {
        MACHINE_FILE_OPTIONS(&file),
        {.name = "--resolved", .value = &resolved},
        {.name = "--print-map", .value = &map},
    };
    int found = hd_arguments(command, count, words, options, sizeof options / sizeof *options, &path, 1, 1);
    if (found >= 0 && resolved && map)
        hd_usage_error(NULL, NULL, 0, "--resolved and --print-map: one at a time");
    else if (found >= 0 && machine_file_open(&file, path)) {
        print_machine(&file, path, resolved != NULL, map != NULL);
        result = HD_EXIT_PASS;
    }
    machine_file_close(&file);
    return result;
}

const hd_command hd_command_check = {
    .name = "check",
    .usage = "NETLIST " MACHINE_FILE_USAGE " [--resolved | --print-map]",
    .doc = "check a machine file",
    .help = MACHINE_FILE_HELP
    "  --resolved        print the whole machine with all defaults, and the origin of each value\n"
    "  --print-map       print addresses, memory partitions, endpoints, and minimum latencies between blocks\n",
    .run = check,
};
