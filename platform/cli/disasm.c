/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "command.h"
#include "kernel_file.h"
#include "listing.h"

static int no_function(const isa_program *program, const char *name)
{
    const char *names[256];
    size_t count = 0;
    for (uint32_t i = 0; i < program->symbol_count && count < sizeof names / sizeof *names; i++)
        if (program->symbols[i].is_function)
            names[count++] = program->symbols[i].name;
    return hd_usage_error(name, names, count, "there is no function '%s'", name);
}

static int disasm(const hd_command *command, int count, char **words)
{
    const char *what, *function = NULL;
    kernel_file file = {0};
    int result = HD_EXIT_USAGE;
    const hd_option_use options[] = {{.name = "--function", .takes_value = 1, .value = &function}};
    if (hd_arguments(command, count, words, options, 1, &what, 1, 1) >= 0 && kernel_file_open(&file, what))
        result = listing_print(file.program, function, stdout) ? HD_EXIT_PASS : no_function(file.program, function);
    kernel_file_close(&file);
    return result;
}

const hd_command hd_command_disasm = {
    .name = "disasm",
    .usage = KERNEL_FILE_USAGE " [--function NAME]",
    .doc = "disassemble kernels, with reconvergence points",
    .help = "Each function with its basic blocks B0, B1, ... and source lines, the predecessors of each block, and\n"
            "the branches whose lanes reconverge there.\n",
    .run = disasm,
};
